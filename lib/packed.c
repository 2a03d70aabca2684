/* packed.c: what an archive's runs name, for loading and reading them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "error.h"
#include "log.h"

#define PAIRS_MIN_BITS 8

/* A new table of places for contexts, none of which is taken.  */
static struct dg_packed_pair *
pairs_new (unsigned bits)
{
  size_t n = (size_t) 1 << bits;
  struct dg_packed_pair *pairs = g_try_new (struct dg_packed_pair, n);

  for (size_t i = 0; pairs && i < n; i++)
    pairs[i] = (struct dg_packed_pair) { 0, DG_NONE };
  return pairs;
}

struct dg_packed *
dg_packed_new (struct dg_archive *archive, struct dg_error *err)
{
  struct dg_packed *packed = g_try_new0 (struct dg_packed, 1);

  if (!packed) {
    dg_error_nomem (err);
    return NULL;
  }
  if (dg_program_init (&packed->program, err) < 0) {
    g_free (packed);
    return NULL;
  }
  packed->pairs = pairs_new (PAIRS_MIN_BITS);
  packed->pairs_shift = 64 - PAIRS_MIN_BITS;
  /* An archive cannot be made so that its pairs all meet in one place.  */
  packed->pairs_factor = (uint64_t) g_random_int () << 32 | g_random_int ()
                         | 1;
  if (!packed->pairs) {
    dg_packed_free (packed);
    dg_error_nomem (err);
    return NULL;
  }
  packed->archive = archive;
  packed->view = dg_program_view (&packed->program);
  return packed;
}

void
dg_packed_free (struct dg_packed *packed)
{
  if (!packed)
    return;
  dg_archive_free (packed->archive);
  dg_program_fini (&packed->program);
  dg_table_fini (&packed->definitions);
  dg_table_fini (&packed->blocks);
  dg_table_fini (&packed->nodes);
  dg_table_fini (&packed->moves);
  g_free (packed->pairs);
  g_free (packed->variants);
  g_free (packed->memory);
  g_free (packed);
}

static bool
copy_numbers (struct dg_table *to, const struct dg_table *from, size_t size)
{
  if (from->n > 0 && dg_table_reserve (to, size, from->n) < 0)
    return false;
  if (from->n > 0)
    memcpy (to->items, from->items, from->n * size);
  to->n = from->n;
  return true;
}

struct dg_packed *
dg_packed_copy (const struct dg_packed *packed, struct dg_error *err)
{
  size_t pairs_bytes = sizeof *packed->pairs << (64 - packed->pairs_shift);
  struct dg_packed *copy = g_try_new0 (struct dg_packed, 1);
  bool is_good = copy != NULL;

  if (is_good) {
    copy->pairs_shift = packed->pairs_shift;
    copy->pairs_factor = packed->pairs_factor;
    copy->stack_bytes = packed->stack_bytes;
    copy->n_chunks = packed->n_chunks;
    copy->pairs = g_try_malloc (pairs_bytes);
    is_good = copy->pairs
              && copy_numbers (&copy->definitions, &packed->definitions,
                               sizeof (uint32_t))
              && copy_numbers (&copy->blocks, &packed->blocks,
                               sizeof (uint32_t))
              && copy_numbers (&copy->nodes, &packed->nodes,
                               sizeof (uint32_t))
              && copy_numbers (&copy->moves, &packed->moves,
                               sizeof (struct dg_packed_move));
  }
  if (!is_good) {
    dg_packed_free (copy);
    dg_error_nomem (err);
    return NULL;
  }
  memcpy (copy->pairs, packed->pairs, pairs_bytes);
  return copy;
}

/* ---- Numbers ---- */

static bool
add_number (struct dg_table *table, uint32_t number)
{
  uint32_t *place = dg_table_add (table, sizeof *place);

  if (place)
    *place = number;
  return place != NULL;
}

int
dg_packed_add_definition (struct dg_packed *packed, uint32_t block,
                          struct dg_error *err)
{
  size_t n_blocks = dg_program_counts (&packed->program).blocks;
  uint32_t *definitions;

  if (block >= n_blocks)
    return dg_error_set (err, DG_ERR_DAMAGED, "a definition is of block %"
                         PRIu32 ", only %zu are there", block, n_blocks);
  while (packed->definitions.n < n_blocks)
    if (!add_number (&packed->definitions, DG_NONE))
      return dg_error_nomem (err);
  definitions = packed->definitions.items;
  if (definitions[block] != DG_NONE)
    return dg_error_set (err, DG_ERR_DAMAGED, "block %" PRIu32
                         " is defined a second time", block);
  definitions[block] = packed->blocks.n;
  return add_number (&packed->blocks, block) ? 0 : dg_error_nomem (err);
}

/* Where a pair stands, or would.  */
static size_t
find_place (const struct dg_packed *packed, uint64_t key)
{
  size_t mask = ((size_t) 1 << (64 - packed->pairs_shift)) - 1;
  size_t i = key * packed->pairs_factor >> packed->pairs_shift;

  while (packed->pairs[i].context != DG_NONE && packed->pairs[i].key != key)
    i = (i + 1) & mask;
  return i;
}

/* Twice as many places.  */
static bool
grow_pairs (struct dg_packed *packed)
{
  unsigned bits = 64 - packed->pairs_shift;
  struct dg_packed_pair *old = packed->pairs;

  packed->pairs = pairs_new (bits + 1);
  if (!packed->pairs) {
    packed->pairs = old;
    return false;
  }
  packed->pairs_shift--;
  for (size_t i = 0; i < (size_t) 1 << bits; i++)
    if (old[i].context != DG_NONE)
      packed->pairs[find_place (packed, old[i].key)] = old[i];
  g_free (old);
  return true;
}

int
dg_packed_add_context (struct dg_packed *packed, uint32_t definition,
                       uint32_t node, struct dg_error *err)
{
  size_t n_nodes = dg_program_counts (&packed->program).nodes;
  uint64_t key;
  size_t i;

  if (definition >= packed->blocks.n || node >= n_nodes)
    return dg_error_set (err, DG_ERR_DAMAGED, "a context is of definition %"
                         PRIu32 " and node %" PRIu32 ", only %zu and %zu are "
                         "there", definition, node, packed->blocks.n,
                         n_nodes);
  if (packed->nodes.n * 2 >= (size_t) 1 << (64 - packed->pairs_shift)
      && !grow_pairs (packed))
    return dg_error_nomem (err);
  key = (uint64_t) ((uint32_t *) packed->blocks.items)[definition] << 32
        | node;
  i = find_place (packed, key);
  if (packed->pairs[i].context != DG_NONE)
    return dg_error_set (err, DG_ERR_DAMAGED, "context %" PRIu32
                         " is defined a second time",
                         packed->pairs[i].context);
  packed->pairs[i] = (struct dg_packed_pair) { key, packed->nodes.n };
  return add_number (&packed->nodes, node) ? 0 : dg_error_nomem (err);
}

/* ---- Variants ---- */

/* The slots of one block, from its definition.  */
static void
fill_slots (struct dg_packed_slot *out, const struct dg_definition *definition,
            const struct dg_program_entry *entries)
{
  const struct dg_bbdef *bbdef = &definition->bbdef;

  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    const struct dg_program_entry *entry = &entries[slot->entry];

    out[i] = (struct dg_packed_slot) {
      .disp = entry->disp,
      .instruction = bbdef->instrs[slot->iseq].address,
      /* DG_PROGRAM_NO_WORD becomes 0, the head.  */
      .word = (uint16_t) (entry->word + 1),
      .size = slot->size,
      .kind = slot->kind,
      .iseq = slot->iseq,
      .guarded = entry->guarded && entry->word != DG_PROGRAM_NO_WORD
    };
  }
}

static size_t
block_bytes (const struct dg_definition *definition)
{
  return sizeof (struct dg_packed_block)
         + definition->bbdef.n_slots * sizeof (struct dg_packed_slot);
}

/* All blocks, one behind the other; where that of each definition is.  */
static int
make_blocks (struct dg_packed *packed, const struct dg_contents *contents,
             const struct dg_packed_block **out, struct dg_error *err)
{
  const struct dg_definition *const *definitions
    = contents->defs.bbdefs.items;
  const uint32_t *blocks = packed->blocks.items;
  uint8_t *at;
  size_t n = 0;

  G_STATIC_ASSERT (sizeof (struct dg_packed_block) % 8 == 0
                   && sizeof (struct dg_packed_slot) % 8 == 0);
  for (size_t i = 0; i < packed->blocks.n; i++)
    n += block_bytes (definitions[i]);
  packed->memory = g_try_malloc (n + 1);
  if (!packed->memory)
    return dg_error_nomem (err);
  at = (uint8_t *) packed->memory;
  for (size_t i = 0; i < packed->blocks.n; i++) {
    struct dg_packed_block *block = (struct dg_packed_block *) at;

    block->bbdef = &definitions[i]->bbdef;
    block->entries = packed->view.blocks[blocks[i]]->entries;
    fill_slots (block->slots, definitions[i], block->entries);
    out[i] = block;
    at += block_bytes (definitions[i]);
  }
  return 0;
}

static void
fill_variants (struct dg_packed *packed, const struct dg_contents *contents,
               const struct dg_packed_block *const *blocks)
{
  const struct dg_definition *const *definitions
    = contents->defs.bbdefs.items;
  const uint32_t *numbers = packed->definitions.items;

  for (uint32_t i = 0; i < packed->view.n.variants; i++) {
    const struct dg_program_variant *variant = &packed->view.variants[i];
    struct dg_packed_variant *out = &packed->variants[i];
    uint32_t number = DG_NONE;
    const uint32_t *counts;

    *out = (struct dg_packed_variant) {
      .block = variant->block, .n_instrs = variant->n_instrs,
      .n_entries = variant->n_entries, .n_words = variant->n_words
    };
    if (i > 0 && variant->block < packed->definitions.n)
      number = numbers[variant->block];
    if (number == DG_NONE)
      continue;
    out->of = blocks[number];
    counts = definitions[number]->shape + 2 + out->of->bbdef->n_instrs;
    out->n_slots = counts[variant->n_entries] & 0xffff;
    out->n_sps = dg_bbdef_sps (out->of->bbdef, variant->n_entries);
  }
}

int
dg_packed_finish (struct dg_packed *packed,
                  const struct dg_contents *contents, struct dg_error *err)
{
  const struct dg_packed_block **blocks
    = g_try_new (const struct dg_packed_block *, packed->blocks.n + 1);
  int code;

  packed->view = dg_program_view (&packed->program);
  packed->variants = g_try_new0 (struct dg_packed_variant,
                                 packed->view.n.variants + 1);
  code = blocks && packed->variants
           ? make_blocks (packed, contents, blocks, err)
           : dg_error_nomem (err);
  if (code == 0)
    fill_variants (packed, contents, blocks);
  g_free (blocks);
  return code;
}

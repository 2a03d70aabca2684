/* packed.c: the definitions of an archive, for loading and reading its runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

#define PLACES_MIN 256
/* How many contexts ahead their places are called for.  */
#define AHEAD 16

/* A table of fewer than 2^31 places has them.  */
#define CONTEXTS_MAX ((size_t) 1 << 30)

struct dg_packed *
dg_packed_new (struct dg_archive *archive, struct dg_error *err)
{
  struct dg_packed *packed = g_try_new0 (struct dg_packed, 1);

  if (!packed) {
    dg_error_nomem (err);
    return NULL;
  }
  g_mutex_init (&packed->lock);
  if (dg_program_init (&packed->program, err) < 0) {
    g_mutex_clear (&packed->lock);
    g_free (packed);
    return NULL;
  }
  packed->places = g_try_new0 (uint32_t, PLACES_MIN);
  packed->n_places = PLACES_MIN;
  packed->places_mark = PLACES_MIN * 2;
  /* An archive cannot be made so that its pairs all meet in one place.  */
  packed->places_factor = dg_hash_seed () | 1;
  if (!packed->places) {
    dg_packed_free (packed);
    dg_error_nomem (err);
    return NULL;
  }
  packed->archive = archive;
  packed->program.has_values = archive && archive->head.has_values;
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
  dg_table_fini (&packed->moves);
  g_free (packed->places);
  g_free (packed->variants);
  g_free (packed->memory);
  g_mutex_clear (&packed->lock);
  g_free (packed);
}

struct dg_packed *
dg_packed_copy (struct dg_packed *packed, struct dg_error *err)
{
  size_t places_bytes = sizeof *packed->places * packed->n_places;
  struct dg_packed *copy;
  bool is_good;

  if (dg_packed_use (packed, err) < 0)
    return NULL;
  copy = g_try_new0 (struct dg_packed, 1);
  is_good = copy != NULL;
  if (is_good) {
    g_mutex_init (&copy->lock);
    copy->n_places = packed->n_places;
    copy->places_mark = packed->places_mark;
    copy->places_factor = packed->places_factor;
    copy->n_chunks = packed->n_chunks;
    copy->places = g_try_malloc (places_bytes);
    is_good =
      copy->places
      && dg_table_copy (&copy->definitions, &packed->definitions,
                        sizeof (uint32_t))
           == 0
      && dg_table_copy (&copy->blocks, &packed->blocks, sizeof (uint32_t)) == 0
      && dg_table_copy (&copy->moves, &packed->moves,
                        sizeof (struct dg_packed_move))
           == 0;
  }
  if (is_good) {
    memcpy (copy->places, packed->places, places_bytes);
  } else {
    dg_packed_free (copy);
    dg_error_nomem (err);
    copy = NULL;
  }
  dg_packed_leave (packed);
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
    return dg_error_set (err, DG_ERR_DAMAGED, "a definition names block %"
                         PRIu32 ", but there are only %zu", block, n_blocks);
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

/* A context's place, or the free one where it would be; *marked receives what
   its bits of the hash are there.  */
static size_t
find_place (const struct dg_packed *packed, const struct dg_context *contexts,
            uint32_t block, uint32_t definition, uint32_t node,
            uint32_t *marked)
{
  const uint32_t *places = packed->places;
  uint64_t first = dg_packed_first (packed, block, node);
  uint32_t mask = packed->places_mark - 1;
  size_t i = first >> 32;

  *marked = (uint32_t) first & ~mask;
  for (; places[i] != 0; i = i + 1 < packed->n_places ? i + 1 : 0)
    if ((places[i] & ~mask) == *marked) {
      const struct dg_context *at = &contexts[(places[i] & mask) - 1];

      if (at->path == node && at->bbdef == definition)
        break;
    }
  return i;
}

void
dg_packed_prefetch_context (const struct dg_packed *packed, uint32_t block,
                            uint32_t node)
{
  const uint32_t *places = packed->places;
  uint64_t first = dg_packed_first (packed, block, node);
  uint32_t mask = packed->places_mark - 1, marked = (uint32_t) first & ~mask;
  size_t i = first >> 32;

  while (places[i] != 0 && (places[i] & ~mask) != marked)
    i = i + 1 < packed->n_places ? i + 1 : 0;
  if (places[i] != 0)
    __builtin_prefetch (&packed->contexts[(places[i] & mask) - 1]);
}

uint32_t
dg_packed_context (const struct dg_packed *packed, uint32_t block,
                   uint32_t node)
{
  const uint32_t *definitions = packed->definitions.items;
  uint32_t mask = packed->places_mark - 1, marked, place;

  if (block >= packed->definitions.n || definitions[block] == DG_NONE)
    return DG_NONE;
  place = packed->places[find_place (packed, packed->contexts, block,
                                     definitions[block], node, &marked)];
  return place != 0 ? (place & mask) - 1 : DG_NONE;
}

/* How many contexts so many places may have.  */
static size_t
most_contexts (size_t n_places)
{
  return n_places / 4 * 3;
}

/* n places, at least so many as there are.  */
static bool
make_places (struct dg_packed *packed, const struct dg_context *items,
             size_t n_items, uint32_t n)
{
  const uint32_t *blocks = packed->blocks.items;
  uint32_t *places = g_try_new0 (uint32_t, n);

  if (!places)
    return false;
  g_free (packed->places);
  packed->places = places;
  packed->n_places = n;
  while (packed->places_mark <= n)
    packed->places_mark *= 2;
  for (size_t i = 0; i < n_items; i++) {
    uint32_t marked;
    size_t place;

    if (i + AHEAD < n_items)
      dg_packed_prefetch (packed, blocks[items[i + AHEAD].bbdef],
                          items[i + AHEAD].path);
    place = find_place (packed, items, blocks[items[i].bbdef],
                        items[i].bbdef, items[i].path, &marked);
    places[place] = marked | (uint32_t) (i + 1);
  }
  return true;
}

int
dg_packed_use (struct dg_packed *packed, struct dg_error *err)
{
  bool is_good = true;

  g_mutex_lock (&packed->lock);
  if (!packed->places)
    is_good = make_places (packed, packed->contexts, packed->n_contexts,
                           packed->n_places);
  packed->users += is_good;
  g_mutex_unlock (&packed->lock);
  return is_good ? 0 : dg_error_nomem (err);
}

void
dg_packed_leave (struct dg_packed *packed)
{
  g_mutex_lock (&packed->lock);
  packed->users--;
  g_mutex_unlock (&packed->lock);
}

void
dg_packed_spare (struct dg_packed *packed)
{
  g_mutex_lock (&packed->lock);
  if (packed->users == 0)
    g_clear_pointer (&packed->places, g_free);
  g_mutex_unlock (&packed->lock);
}

void
dg_packed_expect (struct dg_packed *packed, struct dg_table *contexts,
                  uint64_t n)
{
  n = MIN (n, CONTEXTS_MAX - 1);
  if (n >= most_contexts (packed->n_places)
      && dg_table_reserve (contexts, sizeof (struct dg_context), n) == 0)
    make_places (packed, contexts->items, contexts->n, (n + 4) / 3 * 4);
}

int
dg_packed_add_context (struct dg_packed *packed, struct dg_table *contexts,
                       uint32_t definition, uint32_t node,
                       struct dg_error *err)
{
  size_t n_nodes = dg_program_counts (&packed->program).nodes;
  struct dg_context *context;
  uint32_t marked;
  size_t i;

  if (definition >= packed->blocks.n || node >= n_nodes)
    return dg_error_set (err, DG_ERR_DAMAGED, "a context names definition %"
                         PRIu32 " and node %" PRIu32 ", but there are only "
                         "%zu and %zu", definition, node, packed->blocks.n,
                         n_nodes);
  if (contexts->n >= CONTEXTS_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "too many contexts");
  if (contexts->n >= most_contexts (packed->n_places)
      && !make_places (packed, contexts->items, contexts->n,
                       packed->n_places / 2 * 3))
    return dg_error_nomem (err);
  i = find_place (packed, contexts->items,
                  ((uint32_t *) packed->blocks.items)[definition],
                  definition, node, &marked);
  if (packed->places[i] != 0)
    return dg_error_set (err, DG_ERR_DAMAGED, "the context of definition %"
                         PRIu32 " and node %" PRIu32
                         " is defined a second time", definition, node);
  context = dg_table_add (contexts, sizeof *context);
  if (!context)
    return dg_error_nomem (err);
  *context = (struct dg_context) { definition, node };
  packed->places[i] = marked | (uint32_t) contexts->n;
  return 0;
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
make_blocks (struct dg_packed *packed, const struct dg_defs *defs,
             const struct dg_packed_block **out, struct dg_error *err)
{
  const struct dg_definition *const *definitions
    = defs->bbdefs.items;
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
fill_variants (struct dg_packed *packed, const struct dg_defs *defs,
               const struct dg_packed_block *const *blocks)
{
  const struct dg_definition *const *definitions
    = defs->bbdefs.items;
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
                  const struct dg_defs *defs,
                  struct dg_error *err)
{
  const struct dg_packed_block **blocks
    = g_try_new (const struct dg_packed_block *, packed->blocks.n + 1);
  int code;

  packed->view = dg_program_view (&packed->program);
  packed->contexts = defs->contexts.items;
  packed->n_contexts = defs->contexts.n;
  packed->variants = g_try_new0 (struct dg_packed_variant,
                                 packed->view.n.variants + 1);
  code = blocks && packed->variants
           ? make_blocks (packed, defs, blocks, err)
           : dg_error_nomem (err);
  if (code == 0)
    fill_variants (packed, defs, blocks);
  g_free (blocks);
  return code;
}

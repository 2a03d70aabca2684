/* program.c: what runs name: blocks, variants and call paths.  Their bytes are
   made in program_bytes.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "program.h"

#include <glib.h>
#include <string.h>

#include "dg_record.h"
#include "base/error.h"

#define CHAINED_SIZE 255 /* of an entry that goes on in the next */
#define NUMBERS_MAX (UINT32_MAX >> DG_RUN_LENGTH_BITS)

/* Room for one more.  The items move to new memory and stay where they were,
   too, for views that were made before.  */
static void *
add_item (struct dg_program *program, struct dg_table *table, size_t size)
{
  if (table->n == table->room) {
    size_t room = table->room * 2 + 64;
    void *items = dg_arena_alloc (&program->arena, room * size);

    if (!items)
      return NULL;
    if (table->n > 0)
      memcpy (items, table->items, table->n * size);
    table->items = items;
    table->room = room;
  }
  return (char *) table->items + table->n * size;
}

/* Room for one more node, likewise.  */
static struct dg_program_path *
add_path (struct dg_program *program)
{
  uint64_t at = (uint64_t) program->n_nodes + 64;

  /* The first one of a part?  */
  if ((at & (at - 1)) == 0) {
    struct dg_program_path *part
      = dg_arena_alloc (&program->arena, at * sizeof *part);

    if (!part)
      return NULL;
    program->nodes.parts[63 - __builtin_clzll (at) - 6] = part;
  }
  return dg_program_path (&program->nodes, program->n_nodes);
}

/* The depth of the next node, likewise.  */
static uint8_t *
add_depth (struct dg_program *program)
{
  uint8_t *depths;

  while (program->depths.n <= program->n_nodes)
    if (!dg_table_add (&program->depths, sizeof *depths))
      return NULL;
  depths = program->depths.items;
  return &depths[program->n_nodes];
}

int
dg_program_init (struct dg_program *program, struct dg_error *err)
{
  struct dg_program_variant *variant;
  struct dg_program_path *node;

  variant = add_item (program, &program->variants, sizeof *variant);
  node = add_path (program);
  if (!variant || !node) {
    dg_program_fini (program);
    return dg_error_nomem (err);
  }
  memset (variant, 0, sizeof *variant);
  memset (node, 0, sizeof *node);
  program->variants.n = program->n_nodes = 1;
  return 0;
}

void
dg_program_fini (struct dg_program *program)
{
  dg_arena_fini (&program->arena);
  dg_table_fini (&program->depths);
  memset (program, 0, sizeof *program);
}

/* ---- Blocks ---- */

static int
bad_entry (struct dg_error *err, const struct dg_program_block *block,
           unsigned i)
{
  const struct dg_program_entry *entry = &block->entries[i];

  return dg_error_set (err, DG_ERR_DAMAGED,
                       "entry %u of a block is not valid: kind %u, size %u, "
                       "instruction %u of %u, word %u of %u, guarded %u",
                       i, entry->kind, entry->size, entry->iseq,
                       block->n_instrs, entry->word, block->n_words,
                       entry->guarded);
}

static int
check_entries (const struct dg_program_block *block, struct dg_error *err)
{
  unsigned last = 0, chain = 0;

  for (unsigned i = 0; i < block->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];

    if ((entry->kind != DG_ACC_READ && entry->kind != DG_ACC_WRITE
         && (entry->kind != DG_ACC_SP || entry->size > 0))
        || entry->iseq >= block->n_instrs || entry->iseq < last
        || (entry->word != DG_PROGRAM_NO_WORD && entry->word >= block->n_words)
        || entry->guarded > 1)
      return bad_entry (err, block, i);
    if (chain > 0 && (entry->kind != entry[-1].kind || entry->iseq != last))
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "entry %u of a block does not "
                           "continue the one before it",
                           i);
    chain = entry->size == CHAINED_SIZE ? chain + CHAINED_SIZE : 0;
    if (chain + CHAINED_SIZE > UINT16_MAX)
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "entry %u of a block has %u "
                           "bytes or more",
                           i, chain);
    last = entry->iseq;
  }
  if (chain > 0)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "the last entry of a block continues past its end");
  return 0;
}

static bool
is_good_value (const struct dg_program_block *block, unsigned i)
{
  const struct dg_program_entry *entry = &block->entries[i];
  const struct dg_program_value *value = &block->values[i];
  bool is_part = entry->size == CHAINED_SIZE
                 || (i > 0 && entry[-1].size == CHAINED_SIZE);

  if (value->kind == DG_VALUE_UNKNOWN)
    return true;
  if (is_part || entry->size == 0 || entry->size > DG_VALUE_MAX)
    return false;
  switch (value->kind) {
  case DG_VALUE_CONSTANT:
  case DG_VALUE_BYTES:
    return true;
  case DG_VALUE_WORD:
    return value->from < block->n_words && entry->size <= 8;
  case DG_VALUE_ENTRY:
    return value->from < i && (value->disp == 0 || entry->size <= 8)
           && block->values[value->from].kind != DG_VALUE_UNKNOWN
           && block->entries[value->from].size >= entry->size;
  default:
    return false;
  }
}

static int
check_values (const struct dg_program_block *block, struct dg_error *err)
{
  for (unsigned i = 0; block->values && i < block->n_entries; i++)
    if (!is_good_value (block, i))
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "the value of entry %u of a block is not valid: "
                           "kind %u, from %u",
                           i, block->values[i].kind, block->values[i].from);
  return 0;
}

/* With values, an entry may be the first that needs a word for its address and
   one for its value.  */
static bool
has_good_sizes (const struct dg_program_block *block)
{
  uint32_t most = block->values ? 2 * block->n_entries : block->n_entries;

  return block->n_instrs <= UINT8_MAX && block->n_entries <= UINT16_MAX
         && block->n_words <= MIN (most, UINT16_MAX);
}

static void *
copy_items (struct dg_program *program, const void *items, size_t n,
            size_t size)
{
  void *copy = dg_arena_alloc (&program->arena, n * size);

  if (copy && n > 0)
    memcpy (copy, items, n * size);
  return copy;
}

int
dg_program_add_block (struct dg_program *program,
                      const struct dg_program_block *block,
                      struct dg_error *err)
{
  struct dg_program_block *copy, **place;
  size_t n = block->n_entries;

  if (!has_good_sizes (block) || program->blocks.n >= NUMBERS_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a block has %u instructions, "
                         "%u entries, %u words",
                         block->n_instrs, block->n_entries, block->n_words);
  if (check_entries (block, err) < 0 || check_values (block, err) < 0)
    return DG_ERR_DAMAGED;
  copy = copy_items (program, block, 1, sizeof *copy);
  place = add_item (program, &program->blocks, sizeof *place);
  if (!copy || !place)
    return dg_error_nomem (err);
  copy->instrs = copy_items (program, block->instrs, block->n_instrs,
                             sizeof *block->instrs);
  copy->entries = copy_items (program, block->entries, n,
                              sizeof *block->entries);
  if (block->values)
    copy->values = copy_items (program, block->values, n,
                               sizeof *block->values);
  if (!copy->instrs || !copy->entries || (block->values && !copy->values))
    return dg_error_nomem (err);
  *place = copy;
  program->blocks.n++;
  return 0;
}

/* ---- Variants ---- */

static int
lacks_word (const struct dg_program_variant *variant, unsigned word,
            struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED,
                       "a variant of %u words has an entry that needs word %u",
                       variant->n_words, word);
}

/* Counts the accesses among the first entries and sees what they are like;
   DG_ERR_DAMAGED if one needs a word that is not there.  */
static int
look_at_entries (const struct dg_program_block *block,
                 struct dg_program_variant *variant, struct dg_error *err)
{
  variant->is_plain = true;
  for (unsigned i = 0; i < variant->n_entries; i++) {
    const struct dg_program_entry *entry = &block->entries[i];
    const struct dg_program_value *value
      = block->values ? &block->values[i] : NULL;
    bool is_constant = entry->word == DG_PROGRAM_NO_WORD;

    if (!is_constant && entry->word >= variant->n_words)
      return lacks_word (variant, entry->word, err);
    if (value && value->kind == DG_VALUE_WORD
        && value->from >= variant->n_words)
      return lacks_word (variant, value->from, err);
    if (value && value->kind == DG_VALUE_BYTES)
      variant->value_bytes += entry->size;
    if (entry->size == CHAINED_SIZE
        || (is_constant ? entry->disp == 0
                        : entry->guarded && entry->disp != 0))
      variant->is_plain = false;
    if (entry->size == CHAINED_SIZE || entry->kind == DG_ACC_SP)
      continue;
    if (entry->kind == DG_ACC_READ)
      variant->reads++;
    else
      variant->writes++;
  }
  return 0;
}

/* Do the first n_instrs instructions, of which the last may have been left
   before it was done, have so many entries?  */
static bool
is_prefix (const struct dg_program_block *block, unsigned n_instrs,
           unsigned n_entries)
{
  if (n_entries > 0 && block->entries[n_entries - 1].iseq >= n_instrs)
    return false;
  return n_entries == block->n_entries
         || block->entries[n_entries].iseq + 1u >= n_instrs;
}

int
dg_program_add_variant (struct dg_program *program, uint32_t block,
                        uint32_t n_instrs, uint32_t n_entries,
                        uint32_t n_words, struct dg_error *err)
{
  const struct dg_program_block *of;
  struct dg_program_variant variant = {0}, *place;

  if (block >= program->blocks.n || program->variants.n >= NUMBERS_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a variant is of block %u, but there are only %zu",
                         block, program->blocks.n);
  of = ((const struct dg_program_block **) program->blocks.items)[block];
  if (n_instrs > of->n_instrs || n_entries > of->n_entries
      || n_words > of->n_words || !is_prefix (of, n_instrs, n_entries))
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a variant of block %u has %u "
                         "instructions, %u entries, %u words",
                         block, n_instrs, n_entries, n_words);
  variant.block = block;
  variant.n_instrs = n_instrs;
  variant.n_entries = n_entries;
  variant.n_words = n_words;
  variant.has_values = of->values != NULL;
  if (look_at_entries (of, &variant, err) < 0)
    return DG_ERR_DAMAGED;
  place = add_item (program, &program->variants, sizeof *place);
  if (!place)
    return dg_error_nomem (err);
  *place = variant;
  program->variants.n++;
  return 0;
}

/* ---- Nodes ---- */

static int
add_stack (struct dg_program *program, const struct dg_program_node *node,
           struct dg_error *err)
{
  struct dg_stack *place;
  uint64_t *sites;

  if (node->n_stack > UINT8_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "a stack has %u frames",
                         node->n_stack);
  sites = dg_arena_alloc (&program->arena, node->n_stack * sizeof *sites);
  place = add_item (program, &program->stacks, sizeof *place);
  if (!sites || !place)
    return dg_error_nomem (err);
  if (node->n_stack > 0)
    memcpy (sites, node->stack, node->n_stack * sizeof *sites);
  *place = (struct dg_stack){node->n_stack, sites};
  program->stacks.n++;
  return 0;
}

/* Are the sites of a node with a stack of its own those of its parent?  */
static bool
has_sites (const struct dg_program *program,
           const struct dg_program_node *node)
{
  struct dg_program_view view = dg_program_view (program);
  unsigned n = node->n_stack > 0 ? node->n_stack - 1 : 0;
  uint64_t sites[UINT8_MAX + 1];

  return dg_program_path (&program->nodes, node->parent)->own == 0
         && dg_program_sites (&view, node->parent, sites, UINT8_MAX + 1) == n
         && (n == 0
             || memcmp (sites, node->stack + 1, n * sizeof *sites) == 0);
}

int
dg_program_add_node (struct dg_program *program,
                     const struct dg_program_node *node, struct dg_error *err)
{
  struct dg_program_path *place;
  uint8_t above = 0, *depth;
  int code;

  if (program->n_nodes == UINT32_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "too many call paths");
  if (node->parent >= program->n_nodes)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "call path %u is called from "
                         "%u",
                         program->n_nodes, node->parent);
  if (program->depths.n > 0)
    above = ((const uint8_t *) program->depths.items)[node->parent];
  if (!node->stack && above == DG_PATH_DEPTH)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "call path %u has more than %d call sites",
                         program->n_nodes, DG_PATH_DEPTH);
  place = add_path (program);
  depth = add_depth (program);
  if (!place || !depth)
    return dg_error_nomem (err);
  *depth = node->stack ? above : above + 1;
  if (node->stack) {
    code = add_stack (program, node, err);
    if (code < 0)
      return code;
  }
  *place = (struct dg_program_path){.site = node->site,
                                    .parent = node->parent};
  if (node->stack) {
    place->own = (uint32_t) program->stacks.n;
    if (!has_sites (program, node))
      place->parent = UINT32_MAX;
  }
  program->n_nodes++;
  return 0;
}

/* ---- What there is ---- */

struct dg_program_counts
dg_program_counts (const struct dg_program *program)
{
  return (struct dg_program_counts){program->blocks.n, program->variants.n,
                                    program->n_nodes};
}

struct dg_program_view
dg_program_view (const struct dg_program *program)
{
  return (struct dg_program_view){
    program->blocks.items, program->variants.items, program->nodes,
    program->stacks.items, dg_program_counts (program)};
}

struct dg_program_node
dg_program_node (const struct dg_program_view *view, uint32_t number)
{
  const struct dg_program_path *path = dg_program_path (&view->nodes, number);
  struct dg_program_node node = {.site = path->site, .parent = path->parent};

  if (path->own > 0) {
    node.parent = path->parent != UINT32_MAX ? path->parent : 0;
    node.n_stack = view->stacks[path->own - 1].n;
    node.stack = view->stacks[path->own - 1].sites;
  }
  return node;
}

unsigned
dg_program_sites (const struct dg_program_view *view, uint32_t node,
                  uint64_t *sites, unsigned max)
{
  const struct dg_program_path *path = dg_program_path (&view->nodes, node);
  unsigned n = 0;

  if (path->own > 0) {
    const struct dg_stack *own = &view->stacks[path->own - 1];

    n = own->n > 0 ? MIN (own->n - 1, max) : 0;
    if (n > 0)
      memcpy (sites, own->sites + 1, n * sizeof *sites);
    return n;
  }
  /* A parent is older than its child, so this ends.  */
  while (node != 0 && n < max && path->own == 0) {
    sites[n++] = path->site;
    node = path->parent;
    path = dg_program_path (&view->nodes, node);
  }
  return n;
}

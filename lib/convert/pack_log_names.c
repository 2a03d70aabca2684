/* pack_log_names.c: the blocks and contexts of a raw log as a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_log_names.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/pairs.h"

/* Variants that a head has room for.  */
#define VARIANTS_MAX (UINT32_MAX >> DG_RUN_LENGTH_BITS)

static const struct dg_definition *
definition_at (const struct dg_log *log, uint32_t index)
{
  const struct dg_definition *const *items = log->contents.defs.bbdefs.items;

  return items[index];
}

/* The head of runs with a variant and a node.  */
static uint64_t
make_head (uint32_t node, uint32_t variant, unsigned n_words)
{
  unsigned length = 1 + n_words;

  if (length > DG_RUN_LENGTH_MASK)
    length = 0;
  return (uint64_t) node << 32 | variant << DG_RUN_LENGTH_BITS | length;
}

/* ---- Blocks and variants ---- */

/* Joined accesses stand in the log in parts of 255 bytes.  */
static void
fill_entries (struct dg_program_entry *entries, const struct dg_bbdef *bbdef)
{
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    unsigned left = slot->size;

    for (unsigned k = slot->entry; k < dg_slot_end (slot); k++, left -= 255)
      entries[k] = (struct dg_program_entry) {
        .word = k, .kind = slot->kind, .size = MIN (left, 255),
        .iseq = slot->iseq
      };
  }
  for (unsigned i = 0; i < bbdef->n_sps; i++)
    entries[bbdef->sps[i].entry] = (struct dg_program_entry) {
      .word = bbdef->sps[i].entry, .kind = DG_ACC_SP,
      .iseq = bbdef->sps[i].iseq
    };
}

static int
add_block (struct dg_program *program, const struct dg_bbdef *bbdef,
           struct dg_error *err)
{
  struct dg_program_instr *instrs;
  struct dg_program_entry *entries;
  struct dg_program_block block = {
    .n_instrs = bbdef->n_instrs, .n_entries = bbdef->n_entries,
    .n_words = bbdef->n_entries
  };
  int code;

  instrs = g_try_new0 (struct dg_program_instr, bbdef->n_instrs + 1);
  entries = g_try_new0 (struct dg_program_entry, bbdef->n_entries + 1);
  if (instrs && entries) {
    for (unsigned i = 0; i < bbdef->n_instrs; i++) {
      instrs[i].address = bbdef->instrs[i].address;
      instrs[i].size = bbdef->instrs[i].size;
    }
    fill_entries (entries, bbdef);
    block.instrs = instrs;
    block.entries = entries;
    code = dg_program_add_block (program, &block, err);
  } else {
    code = dg_error_nomem (err);
  }
  g_free (instrs);
  g_free (entries);
  return code;
}

static int
add_variant (struct dg_program *program, uint32_t block, unsigned n_instrs,
             unsigned n_entries, struct dg_error *err)
{
  if (dg_program_counts (program).variants >= VARIANTS_MAX)
    return dg_error_set (err, DG_ERR_INVALID, "the log's blocks have more"
                         " variants than an archive can name");
  return dg_program_add_variant (program, block, n_instrs, n_entries,
                                 n_entries, err);
}

/* A run of n instructions has the entries of all of them, or lacks some of
   the last one's: between those two numbers anything may stand in a log.  */
static void
part_limits (const struct dg_definition *definition, unsigned n_instrs,
             unsigned *least, unsigned *most)
{
  uint32_t limits = definition->shape[1 + n_instrs];

  *least = limits >> 16;
  *most = limits & 0xffff;
}

static int
add_part_variants (struct dg_program *program, uint32_t block,
                   const struct dg_definition *definition,
                   struct dg_error *err)
{
  int code = 0;

  for (unsigned i = 0; i <= definition->bbdef.n_instrs; i++) {
    unsigned least, most;

    part_limits (definition, i, &least, &most);
    for (unsigned k = least; k <= most && code == 0; k++)
      code = add_variant (program, block, i, k, err);
  }
  return code;
}

uint64_t
dg_pack_names_part (const struct dg_pack_names *names,
                    const struct dg_log *log, uint32_t context,
                    unsigned n_instrs, unsigned n_entries)
{
  const struct dg_context *contexts = log->contents.defs.contexts.items;
  uint32_t block = contexts[context].bbdef;
  const struct dg_definition *definition = definition_at (log, block);
  uint32_t variant = names->part_variants[block];
  unsigned least, most;

  if (variant == 0)
    return 0;
  for (unsigned i = 0; i < n_instrs; i++) {
    part_limits (definition, i, &least, &most);
    variant += most - least + 1;
  }
  part_limits (definition, n_instrs, &least, &most);
  variant += n_entries - least;
  return make_head (dg_pack_names_node (names, context), variant, n_entries);
}

/* The variants of whole runs come first, so that what is used most lies
   together.  */
static int
add_blocks (struct dg_pack_names *names, const struct dg_log *log,
            struct dg_error *err)
{
  size_t n = log->contents.defs.bbdefs.n;
  int code = 0;

  names->part_variants = g_try_new0 (uint32_t, n + 1);
  if (!names->part_variants)
    return dg_error_nomem (err);
  for (size_t i = 0; i < n && code == 0; i++)
    code = add_block (&names->program, &definition_at (log, i)->bbdef, err);
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_bbdef *bbdef = &definition_at (log, i)->bbdef;

    code = add_variant (&names->program, i, bbdef->n_instrs,
                        bbdef->n_entries, err);
  }
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_definition *definition = definition_at (log, i);

    if (!definition->has_part_runs)
      continue;
    names->part_variants[i] = dg_program_counts (&names->program).variants;
    code = add_part_variants (&names->program, i, definition, err);
  }
  return code;
}

/* ---- Nodes ---- */

/* The log's call paths, with their numbers.  */
static int
add_nodes (struct dg_program *program, const struct dg_log *log,
           struct dg_error *err)
{
  const struct dg_program_view *paths = &log->contents.paths;
  int code = 0;

  for (uint32_t i = 1; i < paths->n.nodes && code == 0; i++) {
    struct dg_program_node node = dg_program_node (paths, i);

    code = dg_program_add_node (program, &node, err);
  }
  return code;
}

/* A node for a context, such that no other has it with the same block: of its
   path if that is possible, else of its own.  */
static int
context_node (struct dg_program *program, struct dg_pairs *pairs,
              const struct dg_log *log, uint32_t number, uint32_t *node,
              struct dg_error *err)
{
  const struct dg_context *contexts = log->contents.defs.contexts.items;
  const struct dg_context context = contexts[number];
  uint64_t stack[DG_STACK_MAX];
  struct dg_program_node own = {
    .parent = dg_log_context (log, number).path, .stack = stack
  };

  *node = context.path;
  if (dg_pairs_find (pairs, context.bbdef, *node) == UINT32_MAX)
    return dg_pairs_add (pairs, context.bbdef, *node, 0) < 0
             ? dg_error_nomem (err) : 0;
  own.n_stack = dg_log_context_stack (log, number, stack);
  *node = dg_program_counts (program).nodes;
  return dg_program_add_node (program, &own, err);
}

static int
add_contexts (struct dg_pack_names *names, const struct dg_log *log,
              struct dg_error *err)
{
  const struct dg_context *contexts = log->contents.defs.contexts.items;
  size_t n = log->contents.defs.contexts.n;
  struct dg_pairs pairs = { 0 };   /* block, node -> anything: is taken */
  int code = add_nodes (&names->program, log, err);

  if (code < 0)
    return code;
  names->heads = g_try_new0 (struct dg_run_word, n + 1);
  if (!names->heads)
    return dg_error_nomem (err);
  for (size_t i = 0; i < n && code == 0; i++) {
    uint32_t node, bbdef = contexts[i].bbdef;
    const struct dg_definition *definition = definition_at (log, bbdef);

    code = context_node (&names->program, &pairs, log, i, &node, err);
    names->heads[i].word = make_head (node, bbdef + 1,
                                      definition->bbdef.n_entries);
    names->heads[i].whole = definition->shape[0];
  }
  dg_pairs_fini (&pairs);
  return code;
}

int
dg_pack_names_init (struct dg_pack_names *names, const struct dg_log *log,
                    struct dg_error *err)
{
  int code;

  memset (names, 0, sizeof *names);
  code = dg_program_init (&names->program, err);
  names->first = dg_program_counts (&names->program);
  if (code == 0)
    code = add_blocks (names, log, err);
  if (code == 0)
    code = add_contexts (names, log, err);
  if (code == 0)
    names->view = dg_program_view (&names->program);
  else
    dg_pack_names_fini (names);
  return code;
}

void
dg_pack_names_fini (struct dg_pack_names *names)
{
  dg_program_fini (&names->program);
  g_free (names->heads);
  g_free (names->part_variants);
  memset (names, 0, sizeof *names);
}

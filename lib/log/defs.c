/* defs.c: the block definitions and contexts of a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "defs.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

void
dg_defs_fini (struct dg_defs *defs)
{
  dg_table_fini (&defs->bbdefs);
  dg_table_fini (&defs->contexts);
  dg_table_fini (&defs->by_context);
}

/* Joins the 255-byte parts of accesses.  `access` holds kind, size, iseq for
   each entry, checked by decode.c.  */
static void
fill_slots (struct dg_slot *slots, struct dg_sp_entry *sps,
            const uint64_t *access, unsigned n)
{
  unsigned n_slots = 0;

  for (unsigned i = 0; i < n; i++, access += 3) {
    if (access[0] == DG_ACC_SP) {
      sps->entry = i;
      sps++->iseq = access[2];
      continue;
    }
    if (i > 0 && access[-2] == 255) {
      slots[n_slots - 1].size += access[1];
      continue;
    }
    slots[n_slots].kind = access[0];
    slots[n_slots].size = access[1];
    slots[n_slots].iseq = access[2];
    slots[n_slots].entry = i;
    n_slots++;
  }
}

static void
count_entries (struct dg_bbdef *bbdef, const uint64_t *access)
{
  unsigned parts = 0;

  for (unsigned i = 0; i < bbdef->n_entries; i++, access += 3) {
    parts += access[1] == 255;
    bbdef->n_sps += access[0] == DG_ACC_SP;
  }
  bbdef->n_slots = bbdef->n_entries - parts - bbdef->n_sps;
}

struct dg_definition *
dg_defs_make_bbdef (struct dg_arena *arena, const struct dg_fields *fields,
                    uint32_t number)
{
  unsigned n_instrs = fields->words[0], n_entries = fields->words[1];
  const uint64_t *instr = fields->words + 2;
  const uint64_t *access = instr + 2 * n_instrs;
  struct dg_bbdef bbdef = { .number = number, .n_instrs = n_instrs,
                            .n_entries = n_entries };
  struct dg_definition *definition;
  struct dg_instr *instrs;
  struct dg_sp_entry *sps;
  struct dg_slot *slots;

  count_entries (&bbdef, access);
  definition = dg_arena_alloc (arena, sizeof *definition
                               + dg_shape_size (&bbdef)
                                 * sizeof definition->shape[0]);
  instrs = dg_arena_alloc (arena, n_instrs * sizeof *instrs);
  slots = dg_arena_alloc (arena, bbdef.n_slots * sizeof *slots);
  sps = dg_arena_alloc (arena, bbdef.n_sps * sizeof *sps);
  if (!definition || !instrs || !slots || !sps)
    return NULL;
  for (unsigned i = 0; i < n_instrs; i++) {
    instrs[i].address = instr[2 * i];
    instrs[i].size = instr[2 * i + 1];
  }
  fill_slots (slots, sps, access, n_entries);
  bbdef.instrs = instrs;
  bbdef.slots = slots;
  bbdef.sps = sps;
  definition->bbdef = bbdef;
  definition->has_part_runs = false;
  dg_shape_fill (definition->shape, &bbdef);
  return definition;
}

int
dg_defs_make_context (const struct dg_defs *defs, struct dg_paths *paths,
                      uint32_t bbdef, const uint64_t *stack, unsigned n_stack,
                      struct dg_context *context, struct dg_error *err)
{
  const struct dg_definition *definition
    = ((const struct dg_definition **) defs->bbdefs.items)[bbdef];

  context->bbdef = bbdef;
  return dg_paths_find (paths,
                        definition->bbdef.n_instrs > 0
                          ? &definition->bbdef.instrs[0].address : NULL,
                        stack, n_stack, &context->path, err);
}

int
dg_defs_add_bbdef (struct dg_defs *defs, struct dg_arena *arena,
                   const struct dg_fields *fields, uint64_t offset,
                   struct dg_error *err)
{
  struct dg_definition *definition, **place;

  if (defs->bbdefs.n == DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "too many BBDEF");
  definition = dg_defs_make_bbdef (arena, fields, defs->bbdefs.n);
  place = dg_table_add (&defs->bbdefs, sizeof *place);
  if (!definition || !place)
    return dg_error_nomem (err);
  *place = definition;
  defs->max_entries = MAX (defs->max_entries, definition->bbdef.n_entries);
  return 0;
}

int
dg_defs_add_context (struct dg_defs *defs, struct dg_paths *paths,
                     const struct dg_fields *fields, uint64_t offset,
                     struct dg_error *err)
{
  uint64_t bbdef = fields->words[0];
  const struct dg_definition **by_context;
  struct dg_context *context;
  int code;

  if (bbdef >= defs->bbdefs.n)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "CONTEXT names block %" PRIu64 ", only %zu are "
                        "defined", bbdef, defs->bbdefs.n);
  if (defs->contexts.n == DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "too many CONTEXT");
  context = dg_table_add (&defs->contexts, sizeof *context);
  by_context = dg_table_add (&defs->by_context, sizeof *by_context);
  if (!context || !by_context)
    return dg_error_nomem (err);
  code = dg_defs_make_context (defs, paths, bbdef, fields->words + 2,
                               fields->words[1], context, err);
  if (code < 0)
    return code;
  *by_context
    = ((const struct dg_definition **) defs->bbdefs.items)[bbdef];
  return 0;
}

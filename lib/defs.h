/* defs.h: the block definitions and contexts of a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DEFS_H
#define DG_DEFS_H

#include "arena.h"
#include "decode.h"
#include "table.h"

/* All zero is empty.  */
struct dg_defs {
  struct dg_table bbdefs;      /* const struct dg_definition * */
  struct dg_table contexts;    /* struct dg_context */
  struct dg_table by_context;  /* const struct dg_definition * */
  unsigned max_entries;        /* of any definition */
};

void dg_defs_fini (struct dg_defs *defs);

/* What a BBDEF or CONTEXT record says, with its arrays in the arena; NULL or
   DG_ERR_NOMEM if memory is short.  What a context names is not checked.  */
struct dg_definition *dg_defs_make_bbdef (struct dg_arena *arena,
                                          const struct dg_fields *fields);
int dg_defs_make_context (struct dg_arena *arena,
                          const struct dg_fields *fields,
                          struct dg_context *context);

/* Add what a BBDEF or CONTEXT record at `offset` defines: 0, DG_ERR_DAMAGED
   or DG_ERR_NOMEM.  Arrays go into the arena.  */
int dg_defs_add_bbdef (struct dg_defs *defs, struct dg_arena *arena,
                       const struct dg_fields *fields, uint64_t offset,
                       struct dg_error *err);
int dg_defs_add_context (struct dg_defs *defs, struct dg_arena *arena,
                         const struct dg_fields *fields, uint64_t offset,
                         struct dg_error *err);

/* For dg_decode_runs; valid until the next context is added.  */
static inline struct dg_run_contexts
dg_defs_run_contexts (const struct dg_defs *defs)
{
  return (struct dg_run_contexts) { defs->by_context.items,
                                    defs->by_context.n };
}

#endif /* DG_DEFS_H */

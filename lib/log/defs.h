/* defs.h: the block definitions and contexts of a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DEFS_H
#define DG_DEFS_H

#include "base/arena.h"
#include "format/decode.h"
#include "paths.h"
#include "base/table.h"

/* All zero is empty.  */
struct dg_defs {
  struct dg_table bbdefs;      /* const struct dg_definition * */
  struct dg_table contexts;    /* struct dg_context */
  struct dg_table by_context;  /* const struct dg_definition *: for runs of
                                  raw logs */
  unsigned max_entries;        /* of any definition */
};

void dg_defs_fini (struct dg_defs *defs);

/* What a BBDEF record says, with its arrays in the arena; NULL if memory is
   short.  */
struct dg_definition *dg_defs_make_bbdef (struct dg_arena *arena,
                                          const struct dg_fields *fields,
                                          uint32_t number);

/* The context of a definition and a stack.  0, DG_ERR_DAMAGED or
   DG_ERR_NOMEM.  */
int dg_defs_make_context (const struct dg_defs *defs, struct dg_paths *paths,
                          uint32_t bbdef, const uint64_t *stack,
                          unsigned n_stack, struct dg_context *context,
                          struct dg_error *err);

/* Add what a BBDEF or CONTEXT record at `offset` defines: 0, DG_ERR_DAMAGED
   or DG_ERR_NOMEM.  Arrays go into the arena.  */
int dg_defs_add_bbdef (struct dg_defs *defs, struct dg_arena *arena,
                       const struct dg_fields *fields, uint64_t offset,
                       struct dg_error *err);
int dg_defs_add_context (struct dg_defs *defs, struct dg_paths *paths,
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

/* thread_locals.h: where threads have their copies of thread-local variables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_THREAD_LOCALS_H
#define DG_THREAD_LOCALS_H

#include "format/decode.h"
#include "base/spans.h"
#include "base/table.h"

/* All zero, but for the pointer, is empty.  */
struct dg_thread_locals {
  struct dg_table *copies;     /* struct dg_thread_local; the caller's */
  struct dg_spans latest;      /* by thread and module */
  struct dg_spans of_thread, of_module;  /* also what has ended */
  struct dg_spans in_block;    /* likewise, by its address */
};

/* Takes a THREAD_LOCAL of the module with that index, whose memory has been
   nothing else since `since`: 0, DG_ERR_NOMEM or DG_ERR_DAMAGED.  */
int dg_thread_locals_add (struct dg_thread_locals *locals,
                          const struct dg_fields *fields, uint32_t module,
                          uint64_t since, uint64_t icount, uint64_t offset,
                          struct dg_error *err);
/* A thread, a module (SIZE_MAX: an unknown one) or a heap block has ended, and
   with it all copies of it, or in it.  */
void dg_thread_locals_end_thread (struct dg_thread_locals *locals,
                                  uint64_t thread, uint64_t icount);
void dg_thread_locals_end_module (struct dg_thread_locals *locals,
                                  size_t module, uint64_t icount);
void dg_thread_locals_end_block (struct dg_thread_locals *locals,
                                 uint64_t address, uint64_t icount);

void dg_thread_locals_fini (struct dg_thread_locals *locals);

#endif /* DG_THREAD_LOCALS_H */

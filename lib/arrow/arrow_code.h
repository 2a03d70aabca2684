/* arrow_code.h: the names of instructions, as columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_CODE_H
#define DG_ARROW_CODE_H

#include "arrow_array.h"
#include "arrow_shared.h"

/* Each may be NULL.  `line` is U32, others are INDEX.  */
struct dg_arrow_code_columns {
  struct dg_arrow_array *function, *file, *line, *module;
};

/* One stream's: what it has found is remembered, so the columns have to be the
   same in all calls.  The shared data must outlive it.  */
struct dg_arrow_code;
struct dg_arrow_code *dg_arrow_code_new (struct dg_arrow_shared *shared,
                                         struct dg_error *err);
void dg_arrow_code_free (struct dg_arrow_code *code);

/* Fills n rows from `row` on with the innermost frame of each instruction, in
   the module that was loaded at that moment; null where it is unknown.
   Fastest for moments that ascend.  */
int dg_arrow_code_fill (struct dg_arrow_code *code, const uint64_t *icount,
                        const uint64_t *instruction, size_t n, size_t row,
                        const struct dg_arrow_code_columns *columns,
                        struct dg_error *err);

#endif /* DG_ARROW_CODE_H */

/* diff_align.h: which rows of the tables of several logs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_ALIGN_H
#define DG_DIFF_ALIGN_H

#include "diff_table.h"

/* tables: of n logs, some of which may be NULL; all have the same columns.
   Returns the rows, each once, as dg_align finds them: an array of groups of n
   numbers.  NULL and *err: no memory.  */
#define DIFF_NO_ROW DG_ALIGN_NONE
GArray *diff_align (const struct diff_table *const *tables, unsigned n,
                    struct dg_error *err);

#endif /* DG_DIFF_ALIGN_H */

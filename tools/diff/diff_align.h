/* diff_align.h: which rows of the tables of several logs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_ALIGN_H
#define DG_DIFF_ALIGN_H

#include "diff_table.h"

/* tables: of n logs, some of which may be NULL; all have the same columns.
   Returns the rows, each once: an array of groups of n numbers, which say
   which of its table's rows it is in each log, or DIFF_NO_ROW.  In the order
   of the last table, then what only tables before have.

   Names decide.  Where several rows of a function have the same, the lines of
   the source are aligned in their order, so that as much as possible of the
   measures stays the same (as sequences are, by Needleman and Wunsch, 1970):
   lines that were inserted move those behind.  */
#define DIFF_NO_ROW G_MAXUINT32
GArray *diff_align (const struct diff_table *const *tables, unsigned n);

#endif /* DG_DIFF_ALIGN_H */

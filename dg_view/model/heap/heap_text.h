/* heap_text.h: what the heap panel says in words.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_TEXT_H
#define DV_HEAP_TEXT_H

#include "heap_rows.h"

/* All are new strings.  */

/* A line about the moment of rows: how much is alive then, and when most
   is.  */
char *dv_heap_summary (const struct dv_heap_rows *rows);
/* Lines about a column, and the series under the pointer there; DG_NONE:
   above all of them.  */
char *dv_heap_tip (const struct dv_heap_curve *curve, uint32_t series,
                   size_t column);
/* The same on one line.  */
char *dv_heap_line (const struct dv_heap_curve *curve, uint32_t series,
                    size_t column);
/* Rows with their titles, which `titles` gives by column, as tab-separated
   values.  */
char *dv_heap_table_text (const struct dv_heap_rows *rows,
                          const char *const *titles);

#endif /* DV_HEAP_TEXT_H */

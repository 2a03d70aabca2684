/* heap_table.h: who has how much of the heap, as a table.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_TABLE_H
#define DV_HEAP_TABLE_H

#include <gtk/gtk.h>

#include "model/heap/heap_rows.h"
#include "panels/base/row_table.h"

struct dv_heap_table {
  struct dv_row_table view;
  /* The user has selected a series, or none (DG_NONE).  */
  void (*selected) (void *user, uint32_t id);
  /* Double click and Enter.  */
  void (*activated) (void *user);
  /* Wants a context menu of what is selected; event: NULL by a key.  */
  void (*menu) (void *user, const GdkEvent *event, const GdkRectangle *place);
  /* The colour that a row has in the picture; false: none of its own.  */
  bool (*colour) (void *user, const struct dv_heap_row *row,
                  struct dv_rgb *colour);
  void *user;

  /* Of heap_table.c.  */
  struct dv_heap_rows *rows; /* NULL: nothing is shown */
};

/* To be zeroed but for the functions.  */
void dv_heap_table_init (struct dv_heap_table *table);
/* The widgets may be gone.  */
void dv_heap_table_fini (struct dv_heap_table *table);

/* Shows rows, NULL: none; what is selected stays so.  */
void dv_heap_table_set (struct dv_heap_table *table,
                        struct dv_heap_rows *rows);
/* The most of a column comes first.  */
void dv_heap_table_sort (struct dv_heap_table *table,
                         enum dv_heap_column column);
/* Selects a series, without telling; DG_NONE: none.  */
void dv_heap_table_select (struct dv_heap_table *table, uint32_t id);

/* All rows with their titles, as tab-separated values; a new string.  There
   must be rows.  */
char *dv_heap_table_copy (const struct dv_heap_table *table);

#endif /* DV_HEAP_TABLE_H */

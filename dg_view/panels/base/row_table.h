/* row_table.h: a table of rows that have numbers: sorted by a column, searched
   by typing, with a selected row, which stays so when there are other rows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ROW_TABLE_H
#define DV_ROW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <gtk/gtk.h>

#include "palette.h"

struct dv_row_column {
  const char *title, *tip; /* N_ (); tip: NULL: none */
  int width;               /* pixels at first; the first column takes what is
                              left */
  bool is_number;
  bool is_share;              /* with a bar */
  bool is_most_first;         /* as it is sorted at first */
  PangoEllipsizeMode shorten; /* a text */
};

/* `user` owns the rows, from 0 to what dv_row_table_set was told.  */
struct dv_row_table_class {
  struct dv_row_column (*column) (const void *user, guint column);
  char *(*text) (const void *user, guint row, guint column); /* new */
  double (*share) (const void *user, guint row);             /* from 0 to 1 */
  /* < 0, 0, > 0, ascending.  */
  int (*compare) (const void *user, guint a, guint b, guint column);
  char *(*tip) (const void *user, guint row); /* new */
  /* What typing looks for.  */
  void (*names) (const void *user, guint row, const char *names[2]);
  /* What a row is known by among other rows; 0: nothing.  */
  uint64_t (*key) (const void *user, guint row);
  /* The user has selected another row, or none; double click and Enter.  */
  void (*selected) (void *user);
  void (*activated) (void *user);
  /* NULL: none is.  */
  bool (*is_bold) (const void *user, guint row, guint column);
  /* False: the row has none.  */
  bool (*colour) (const void *user, guint row, struct dv_rgb *colour);
};

struct dv_row_table {
  GtkWidget *table;    /* takes the focus */
  GtkWidget *scrolled; /* around it */
  uint64_t key;        /* of the selected row; 0: none is */
  /* They have a column of their own, so that those who hear the table hear
     the names.  */
  bool has_colours;
  bool is_ascending; /* as it is sorted at first */

  /* Of row_table.c.  */
  const struct dv_row_table_class *class;
  void *user;
  guint n_rows;
  guint *order;    /* of the rows, as they are shown */
  guint sorted_by; /* column */
  guint sorted_first; /* the column at first */
  bool descending;
  bool is_filling; /* the selection is not the user's now */
};

/* To be zeroed but for has_colours and is_ascending.  sorted_by: a column, of
   which the most comes first, unless is_ascending; name: for those who cannot
   see it.  */
void dv_row_table_init (struct dv_row_table *table,
                        const struct dv_row_table_class *class,
                        guint n_columns, guint sorted_by, const char *name,
                        void *user);
/* The widgets may be gone.  */
void dv_row_table_fini (struct dv_row_table *table);

/* There are other rows, so many.  */
void dv_row_table_set (struct dv_row_table *table, guint n_rows);
/* The most, or the first, of a column comes first.  */
void dv_row_table_sort (struct dv_row_table *table, guint column);
/* Columns are shown at first.  Of one that is not, the rows are not sorted any
   more.  */
void dv_row_table_show_column (struct dv_row_table *table, guint column,
                               bool is_shown);
/* Selects the row with a key, without telling; 0: none.  */
void dv_row_table_select (struct dv_row_table *table, uint64_t key);
/* The number of the row that is selected; false: none is.  */
bool dv_row_table_selected (const struct dv_row_table *table, guint *row);

#endif /* DV_ROW_TABLE_H */

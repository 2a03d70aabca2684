/* table_pieces.h: what tables of panels are put together from: columns, cells,
   and where their menus come up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TABLE_PIECES_H
#define DV_TABLE_PIECES_H

#include <stdbool.h>

#include <gtk/gtk.h>

#include "palette.h"

struct dv_table_column {
  const char *title;           /* N_ () */
  const char *tip;             /* N_ (); NULL: none */
  int width;                   /* pixels at first */
  bool is_number;
};

/* Appends a column with a cell, for tables whose rows are all of one height;
   the first takes the room that is left.  Its number is kept as the column's
   data "number".  */
GtkTreeViewColumn *dv_table_add_column (GtkWidget *table, guint number,
                                        const struct dv_table_column *info,
                                        GtkCellRenderer *cell);
/* The same for colours that belong to the rows: a column of its own, so that
   those who hear the table hear the names.  cell: of a picture.  */
GtkTreeViewColumn *dv_table_add_swatches (GtkWidget *table, guint number,
                                          GtkCellRenderer *cell);
/* Sets the cell of such a column; NULL: nothing.  */
void dv_table_set_swatch (GtkTreeViewColumn *column, GtkCellRenderer *cell,
                          const struct dv_rgb *colour);

/* Says by which column the rows are sorted.  */
void dv_table_set_sorted (GtkWidget *table, guint column, bool descending);

GtkCellRenderer *dv_table_text_cell_new (bool is_number,
                                         PangoEllipsizeMode where);

/* What a row's tool tip says; a new string, NULL: nothing.  */
typedef char *(*dv_table_tip) (const void *user, GtkTreeModel *model,
                               GtkTreeIter *iter);
/* Where a cell may be cut, the tool tip has all of it; as markup or not.  */
void dv_table_connect_tip (GtkWidget *table, dv_table_tip tip, bool is_markup,
                           const void *user);

/* Whether a key that was typed is in one of the texts, in whatever case.  */
bool dv_table_matches (const char *key, const char *a, const char *b);

/* Where the selected row is in the table, for a menu; its corner without
   one.  */
GdkRectangle dv_table_selected_place (GtkTreeView *table);

/* event: NULL when a key asked for it.  */
typedef void (*dv_table_popup) (void *user, const GdkEvent *event);
/* Has a table's menu come up by mouse, which selects the row, and by key; and
   Control+C copy (NULL: not).  */
void dv_table_connect_menu (GtkWidget *table, dv_table_popup popup,
                            void (*copy) (void *user), void *user);

#endif /* DV_TABLE_PIECES_H */

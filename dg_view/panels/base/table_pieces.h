/* table_pieces.h: tool tips and menus of tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TABLE_PIECES_H
#define DV_TABLE_PIECES_H

#include <stdbool.h>

#include <gtk/gtk.h>

/* What a row's tool tip says; a new string, NULL: nothing.  */
typedef char *(*dv_table_tip) (const void *user, GtkTreeModel *model,
                               GtkTreeIter *iter);
/* Where a cell may be cut, the tool tip has all of it; as markup or not.  */
void dv_table_connect_tip (GtkWidget *table, dv_table_tip tip, bool is_markup,
                           const void *user);

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

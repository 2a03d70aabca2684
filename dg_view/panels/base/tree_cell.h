/* tree_cell.h: the cell of a tree's names, for trees that are deep: what GTK
   draws itself leaves no room for names below the thirtieth level.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TREE_CELL_H
#define DV_TREE_CELL_H

#include <stdbool.h>

#include <gtk/gtk.h>

/* A text cell with a margin for its depth, and an arrow if there is something
   below.  For a view without expanders of its own.  */
GtkCellRenderer *dv_tree_cell_new (void);
/* depth: from 0.  Whether it is expanded is what all cells are told.  */
void dv_tree_cell_set (GtkCellRenderer *cell, int depth, bool has_children);

/* Pixels left of the text: the margin with the arrow.  */
int dv_tree_cell_margin (int depth);

#endif /* DV_TREE_CELL_H */

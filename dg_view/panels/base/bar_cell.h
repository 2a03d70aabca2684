/* bar_cell.h: a cell of a table: a text over a bar that tells a share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BAR_CELL_H
#define DV_BAR_CELL_H

#include <gtk/gtk.h>

GtkCellRenderer *dv_bar_cell_new (void);
/* From 0 to 1, beside the text cell's properties.  */
void dv_bar_cell_set (GtkCellRenderer *cell, double share);

#endif /* DV_BAR_CELL_H */

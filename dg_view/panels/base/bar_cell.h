/* bar_cell.h: a cell of a table: a text over a bar that tells a share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BAR_CELL_H
#define DV_BAR_CELL_H

#include <gtk/gtk.h>

/* A text cell with one more property: "share", from 0 to 1.  */
GtkCellRenderer *dv_bar_cell_new (void);

#endif /* DV_BAR_CELL_H */

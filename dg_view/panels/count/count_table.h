/* count_table.h: the columns of a table of counts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COUNT_TABLE_H
#define DV_COUNT_TABLE_H

#include "count_cells.h"
#include "panels/base/panel.h"

/* A tree view with the class's columns, over a model whose
   only column are rows' numbers.  *rows: what they are numbers in; NULL: there
   are none.  clicked (column, user): a title was.  */
GtkWidget *dv_count_table_new (const struct dv_count_class *class,
                               const struct dv_panel_host *host,
                               struct dv_rows *const *rows,
                               GCallback clicked, gpointer user);

#endif /* DV_COUNT_TABLE_H */

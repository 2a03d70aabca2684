/* count_list.h: a table of what the plot shows: rows with counts, which can be
   sorted, searched, copied, and looked up in the plot.

   The rows are made in the background from each tally (rows.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COUNT_LIST_H
#define DV_COUNT_LIST_H

#include "count_cells.h"
#include "panels/base/panel.h"

/* The class must live as long as the program.  */
GtkWidget *dv_count_list_new (const struct dv_count_class *class,
                              const struct dv_panel_host *host);
/* As struct dv_panel.show_tally.  */
void dv_count_list_show_tally (GtkWidget *list, struct dv_tally *tally);

#endif /* DV_COUNT_LIST_H */

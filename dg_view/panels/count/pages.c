/* pages.c: the panel with the pages in view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Page"), DV_VALUE_NAME, NULL, 110},
  {N_ ("Memory"), DV_VALUE_WHERE, N_ ("Its owner at the last access"), 230},
  {N_ ("Share"), DV_VALUE_SHARE, N_ ("Share of the accesses in view"), 78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES,
   N_ ("Accesses to the page; some access two"), 98},
  {N_ ("Reads"), DV_VALUE_READS, NULL, 84},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 84},
  {N_ ("Threads"), DV_VALUE_THREADS, N_ ("Threads that accessed it"), 70},
  {N_ ("Writers"), DV_VALUE_WRITERS, N_ ("Threads that wrote to it"), 66},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_PAGES,
  .name = N_ ("Pages in view"),
  .hint = N_ ("This table will show the pages in the plot."),
  .go_to = N_ ("_Zoom to the Page"),
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_pages = {.id = "pages",
                                        .title = N_ ("Pages"),
                                        .place = DV_PANEL_BOTTOM,
                                        .table = &list_class};

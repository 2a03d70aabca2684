/* cachelines.c: the panel with the cache lines in view, and how threads share
   them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Cache line"), DV_VALUE_NAME, NULL, 110},
  {N_ ("Memory"), DV_VALUE_WHERE, N_ ("Its owner at the last access"), 200},
  {N_ ("Share"), DV_VALUE_SHARE, N_ ("Share of the accesses in view"), 78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES,
   N_ ("Accesses to the line; some access two"), 98},
  {N_ ("Reads"), DV_VALUE_READS, NULL, 80},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 80},
  {N_ ("Threads"), DV_VALUE_THREADS, N_ ("Threads that accessed it"), 68},
  {N_ ("Sharing"), DV_VALUE_SHARING,
   N_ ("False sharing: threads touch different bytes of it, and some write"),
   104},
  {N_ ("Bytes of threads"), DV_VALUE_DETAIL,
   N_ ("Which thread uses which bytes of the line"), 220},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_LINES,
  .name = N_ ("Cache lines in view"),
  .hint = N_ ("This table will show the cache lines in the plot."),
  .go_to = N_ ("_Zoom to the Line"),
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_cachelines = {.id = "lines",
                                             .title = N_ ("Cache Lines"),
                                             .place = DV_PANEL_BOTTOM,
                                             .table = &list_class};

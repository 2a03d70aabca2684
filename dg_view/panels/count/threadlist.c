/* threadlist.c: the panel with the threads that made the accesses in view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Thread"), DV_VALUE_NAME,
   N_ ("The thread, with its colour in the plot"), 170},
  {N_ ("Share"), DV_VALUE_SHARE, N_ ("Share of the accesses in view"), 78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES, NULL, 96},
  {N_ ("Reads"), DV_VALUE_READS, NULL, 96},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 96},
  {N_ ("Bytes"), DV_VALUE_BYTES, N_ ("Bytes read and written"), 106},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_THREADS,
  .name = N_ ("Threads in view"),
  .hint = N_ ("This table will show the threads that access memory in the "
              "plot."),
  .go_to = N_ ("_Zoom to Its Lifetime"),
  .has_swatches = true,
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_threadlist = {.id = "threads",
                                             .title = N_ ("Threads"),
                                             .place = DV_PANEL_BOTTOM,
                                             .table = &list_class};

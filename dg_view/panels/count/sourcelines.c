/* sourcelines.c: the panel with the lines of source that made the accesses in
   view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Line"), DV_VALUE_NAME, NULL, 160},
  {N_ ("Share"), DV_VALUE_SHARE, N_ ("Share of the accesses in view"), 78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES, NULL, 98},
  DV_COUNT_COSTS,
  {N_ ("Reads"), DV_VALUE_READS, NULL, 84},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 84},
  {N_ ("Bytes"), DV_VALUE_BYTES, N_ ("Bytes read and written"), 96},
  {N_ ("Function"), DV_VALUE_WHERE, NULL, 170},
  {N_ ("Module"), DV_VALUE_MODULE, NULL, 110},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_SOURCE,
  .name = N_ ("Source lines in view"),
  .hint =
    N_ ("This table will show the source lines that access memory in the "
        "plot."),
  .only = N_ ("Show _Only This File"),
  .has_sources = true,
  .has_costs = true,
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_sourcelines = {.id = "source-lines",
                                              .title = N_ ("Source Lines"),
                                              .place = DV_PANEL_BOTTOM,
                                              .table = &list_class};

/* functions.c: the panel with the functions that made the accesses in view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Function"), DV_VALUE_NAME, NULL, 190},
  {N_ ("Share"), DV_VALUE_SHARE,
   N_ ("Share of the accesses in view, by the "
       "function itself"),
   78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES, N_ ("By the function itself"), 98},
  DV_COUNT_COSTS,
  {N_ ("With callees"), DV_VALUE_INCLUSIVE,
   N_ ("By the function and its callees"), 112},
  {N_ ("Reads"), DV_VALUE_READS, NULL, 84},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 84},
  {N_ ("Bytes"), DV_VALUE_BYTES, N_ ("Bytes read and written"), 94},
  {N_ ("Source"), DV_VALUE_WHERE, N_ ("The source of most of its accesses"),
   130},
  {N_ ("Module"), DV_VALUE_MODULE, NULL, 110},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_FUNCTIONS,
  .name = N_ ("Functions in view"),
  .hint = N_ ("This table will show the functions that access memory in the "
              "plot."),
  .only = N_ ("Show _Only This Function"),
  .has_sources = true,
  .has_costs = true,
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_functions = {.id = "functions",
                                            .title = N_ ("Functions"),
                                            .place = DV_PANEL_BOTTOM,
                                            .table = &list_class};

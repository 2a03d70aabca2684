/* blocks.c: the panel with the places that allocated the heap blocks in
   view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include "count_list.h"
#include "i18n.h"

static const struct dv_count_column columns[] = {
  {N_ ("Allocated by"), DV_VALUE_NAME,
   N_ ("The function that called malloc, new or the like"), 200},
  {N_ ("Share"), DV_VALUE_SHARE, N_ ("Share of the accesses in view"), 78},
  {N_ ("Accesses"), DV_VALUE_ACCESSES, NULL, 98},
  {N_ ("Reads"), DV_VALUE_READS, NULL, 84},
  {N_ ("Writes"), DV_VALUE_WRITES, NULL, 84},
  {N_ ("Blocks"), DV_VALUE_BLOCKS, N_ ("Blocks accessed in view"), 66},
  {N_ ("Size"), DV_VALUE_BLOCK_BYTES, N_ ("Size of all of these, in bytes"),
   96},
  {N_ ("Source"), DV_VALUE_WHERE, NULL, 130},
  {N_ ("Module"), DV_VALUE_MODULE, NULL, 110},
};

static const struct dv_count_class list_class = {
  .kind = DV_ROWS_SITES,
  .name = N_ ("Heap blocks in view"),
  .hint = N_ ("This table will show who allocated the heap blocks in the "
              "plot."),
  .go_to = N_ ("_Zoom to a Block"),
  .only = N_ ("Show _Only Its Blocks"),
  .has_sources = true,
  .columns = columns,
  .n_columns = G_N_ELEMENTS (columns)};

const struct dv_panel dv_panel_blocks = {.id = "blocks",
                                         .title = N_ ("Heap Blocks"),
                                         .place = DV_PANEL_BOTTOM,
                                         .table = &list_class};

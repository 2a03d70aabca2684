/* time_figures.c: the figures that users see of the counts of the time model.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_figures.h"

#define SHOWN DG_UNIT_COUNT, DG_COLUMN_TOTAL
#define IN_JSON DG_UNIT_COUNT, DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY

const struct dg_column dg_time_columns[DG_TIME_FIGURES] = {
  [DG_TIME_FIGURE_CYCLES] = { "cycles", "Cycles", SHOWN },
  [DG_TIME_FIGURE_MEMORY] = { "memory_cycles", "Memory", SHOWN },
  [DG_TIME_FIGURE_BRANCH] = { "branch_cycles", "Branches", SHOWN },
  [DG_TIME_FIGURE_FETCH] = { "fetch_cycles", "Fetching", SHOWN },
  [DG_TIME_FIGURE_FORWARD] = { "forward_cycles", "Forwarding", SHOWN },
  [DG_TIME_FIGURE_PAGE] = { "page_cycles", "Pages", SHOWN },
  [DG_TIME_FIGURE_INSTRUCTIONS] = { "instructions", "Instructions", SHOWN },
  [DG_TIME_FIGURE_CODE_MISSES] = { "code_misses", "Code misses", IN_JSON },
  [DG_TIME_FIGURE_L1_MISSES] = { "l1_misses", "L1 misses", SHOWN },
  [DG_TIME_FIGURE_L2_MISSES] = { "l2_misses", "L2 misses", SHOWN },
  [DG_TIME_FIGURE_L3_MISSES] = { "l3_misses", "L3 misses", SHOWN },
  [DG_TIME_FIGURE_REMOTE_MISSES]
    = { "remote_misses", "Of remote memory", IN_JSON },
  [DG_TIME_FIGURE_WALKS] = { "page_walks", "Page walks", IN_JSON },
  [DG_TIME_FIGURE_BRANCHES] = { "branches", "Branches executed", IN_JSON },
  [DG_TIME_FIGURE_MISPREDICTED] = { "mispredictions", "Mispredicted", SHOWN },
  [DG_TIME_FIGURE_FORWARD_FAILS]
    = { "forward_fails", "Forwarding failed", IN_JSON },
  [DG_TIME_FIGURE_ALIASES] = { "aliases", "4 KiB aliases", IN_JSON },
  [DG_TIME_FIGURE_FIRST_TOUCHES]
    = { "first_touches", "Pages touched", IN_JSON },
};

uint64_t
dg_time_figure (const uint64_t *counts, const struct dg_time_machine *machine,
                enum dg_time_figure figure)
{
  static const enum dg_time_count count_of[DG_TIME_FIGURES] = {
    [DG_TIME_FIGURE_MEMORY] = DG_TIME_MEMORY_CYCLES,
    [DG_TIME_FIGURE_BRANCH] = DG_TIME_BRANCH_CYCLES,
    [DG_TIME_FIGURE_FETCH] = DG_TIME_FETCH_CYCLES,
    [DG_TIME_FIGURE_FORWARD] = DG_TIME_FORWARD_CYCLES,
    [DG_TIME_FIGURE_INSTRUCTIONS] = DG_TIME_INSTRUCTIONS,
    [DG_TIME_FIGURE_CODE_MISSES] = DG_TIME_CODE_MISSES,
    [DG_TIME_FIGURE_L1_MISSES] = DG_TIME_L1_MISSES,
    [DG_TIME_FIGURE_L2_MISSES] = DG_TIME_L2_MISSES,
    [DG_TIME_FIGURE_L3_MISSES] = DG_TIME_L3_MISSES,
    [DG_TIME_FIGURE_REMOTE_MISSES] = DG_TIME_REMOTE_MISSES,
    [DG_TIME_FIGURE_WALKS] = DG_TIME_WALKS,
    [DG_TIME_FIGURE_BRANCHES] = DG_TIME_BRANCHES,
    [DG_TIME_FIGURE_MISPREDICTED] = DG_TIME_MISPREDICTED,
    [DG_TIME_FIGURE_FORWARD_FAILS] = DG_TIME_FORWARD_FAILS,
    [DG_TIME_FIGURE_ALIASES] = DG_TIME_ALIASES,
    [DG_TIME_FIGURE_FIRST_TOUCHES] = DG_TIME_PAGES,
  };
  uint64_t page_cycles = counts[DG_TIME_PAGES] * machine->page;

  switch (figure) {
  case DG_TIME_FIGURE_CYCLES:
    return counts[DG_TIME_CYCLES] + page_cycles;
  case DG_TIME_FIGURE_PAGE:
    return page_cycles;
  default:
    return counts[count_of[figure]];
  }
}

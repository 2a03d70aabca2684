/* whatif_report.c: what the changed program does more or less often, in all
   and by line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif.h"

#include "base/error.h"
#include "time/time_figures.h"
#include "time/time_host.h"

/* The figures that are shown.  */
static const enum dg_time_figure shown[] = {
  DG_TIME_FIGURE_CYCLES,    DG_TIME_FIGURE_MEMORY,
  DG_TIME_FIGURE_BRANCH,    DG_TIME_FIGURE_FORWARD,
  DG_TIME_FIGURE_PAGE,
  DG_TIME_FIGURE_L1_MISSES, DG_TIME_FIGURE_L2_MISSES,
  DG_TIME_FIGURE_L3_MISSES, DG_TIME_FIGURE_REMOTE_MISSES,
  DG_TIME_FIGURE_WALKS,
  DG_TIME_FIGURE_FIRST_TOUCHES };

static uint64_t
figure_of (const struct dg_whatif *self, const uint64_t *counts,
           enum dg_whatif_side side, enum dg_time_figure figure)
{
  return dg_time_scaled (dg_time_figure (counts + side * DG_TIME_COUNTS,
                                         &self->machine, figure),
                         self->scale);
}

static uint64_t
cycles_of (const struct dg_whatif *self, const uint64_t *counts,
           enum dg_whatif_side side)
{
  return figure_of (self, counts, side, DG_TIME_FIGURE_CYCLES);
}

/* ---- In all ---- */

static struct dg_cell
relative_cell (uint64_t before, uint64_t after)
{
  if (before == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL (((double) after - (double) before) / (double) before);
}

/* Empty for a sample: the report scales the figures, but not a difference.  */
static struct dg_cell
change_cell (const struct dg_whatif *self, uint64_t before, uint64_t after)
{
  if (dg_setup_is_sampled (self->setup))
    return DG_CELL_EMPTY;
  return DG_CELL_NUMBER (after - before);
}

static void
add_figures (const struct dg_whatif *self, const uint64_t *totals,
             struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "before", "Before", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "after", "After", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "change", "Change", DG_UNIT_CHANGE, 0 },
    { "relative", "Relative", DG_UNIT_CHANGE_PERCENT, 0 },
    { "figure", "Figure", DG_UNIT_TEXT, DG_COLUMN_ID | DG_COLUMN_LAST },
  };
  struct dg_rows *rows = dg_report_table (
    report, "figures", "Before and after", columns, G_N_ELEMENTS (columns));

  for (size_t i = 0; i < G_N_ELEMENTS (shown); i++) {
    uint64_t before = figure_of (self, totals, DG_WHATIF_BEFORE, shown[i]),
             after = figure_of (self, totals, DG_WHATIF_AFTER, shown[i]);

    if (shown[i] == DG_TIME_FIGURE_REMOTE_MISSES && self->machine.nodes == 1)
      continue;
    dg_rows_add (rows, (struct dg_cell[]) {
      DG_CELL_NUMBER (before), DG_CELL_NUMBER (after),
      change_cell (self, before, after), relative_cell (before, after),
      DG_CELL_TEXT (dg_time_columns[shown[i]].key) });
  }
  dg_rows_show_all (rows);
}

static void
add_changed (const struct dg_whatif *self, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "objects", "Objects", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "bytes_before", "Bytes", DG_UNIT_BYTES, DG_COLUMN_TOTAL },
    { "bytes_after", "After", DG_UNIT_BYTES, DG_COLUMN_TOTAL },
    { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "what", "What", DG_UNIT_TEXT, DG_COLUMN_ID | DG_COLUMN_LAST },
  };
  struct dg_rows *rows = dg_report_table (
    report, "changed", "What changes", columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < self->targets.list->len; i++) {
    const struct dg_whatif_target *target =
      g_ptr_array_index (self->targets.list, i);

    dg_rows_add (rows, (struct dg_cell[]) {
      DG_CELL_NUMBER (target->objects), DG_CELL_NUMBER (target->bytes),
      DG_CELL_NUMBER (target->new_bytes),
      DG_CELL_NUMBER (dg_time_scaled (target->accesses, self->scale)),
      DG_CELL_TEXT (target->what) });
  }
  for (guint i = 0; i < self->code.list->len; i++) {
    const struct dg_whatif_where *where =
      &g_array_index (self->code.list, struct dg_whatif_where, i);

    dg_rows_add (rows, (struct dg_cell[]) {
      DG_CELL_EMPTY, DG_CELL_EMPTY, DG_CELL_EMPTY,
      DG_CELL_NUMBER (dg_time_scaled (where->accesses, self->scale)),
      DG_CELL_TEXT (where->what) });
  }
  dg_rows_show_all (rows);
}

/* ---- By line ---- */

static const struct dg_column columns[] = {
  { "cycles_change", "Change", DG_UNIT_CHANGE, 0 },
  { "cycles_before", "Cycles", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "cycles_after", "After", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l1_misses_before", "L1 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l1_misses_after", "After", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l2_misses_before", "L2 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l2_misses_after", "After", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l3_misses_before", "L3 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "l3_misses_after", "After", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "page_walks_before", "Page walks", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
  { "page_walks_after", "After", DG_UNIT_COUNT,
    DG_COLUMN_TOTAL | DG_COLUMN_JSON_ONLY },
};

static void
fill (const uint64_t *counts, struct dg_cell *cells, const void *user)
{
  static const enum dg_time_figure figures[]
    = { DG_TIME_FIGURE_CYCLES, DG_TIME_FIGURE_L1_MISSES,
        DG_TIME_FIGURE_L2_MISSES, DG_TIME_FIGURE_L3_MISSES,
        DG_TIME_FIGURE_WALKS };
  const struct dg_whatif *self = user;

  G_STATIC_ASSERT (2 * G_N_ELEMENTS (figures) + 1 == G_N_ELEMENTS (columns));
  *cells++ =
    change_cell (self, cycles_of (self, counts, DG_WHATIF_BEFORE),
                 cycles_of (self, counts, DG_WHATIF_AFTER));
  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    for (int side = DG_WHATIF_BEFORE; side < DG_WHATIF_SIDES; side++)
      *cells++ = DG_CELL_NUMBER (
        figure_of (self, counts, (enum dg_whatif_side) side, figures[i]));
}

/* The rows that change most come first.  */
static uint64_t
weigh (const uint64_t *counts, const void *user)
{
  uint64_t before = cycles_of (user, counts, DG_WHATIF_BEFORE),
           after = cycles_of (user, counts, DG_WHATIF_AFTER);

  return after > before ? after - before : before - after;
}

/* ---- The report ---- */

static void
add_notes (const struct dg_whatif *self, struct dg_report *report)
{
  char *note = dg_time_host_note (&self->machine);
  bool has_edit[DG_WHATIF_PREDICTED + 1] = { false };

  if (note != NULL)
    dg_report_note (report, "%s", note);
  g_free (note);
  for (guint i = 0; i < self->code.list->len; i++)
    has_edit[g_array_index (self->code.list, struct dg_whatif_where, i).edit]
      = true;
  if (has_edit[DG_WHATIF_NO_WRITES])
    dg_report_note (report,
                    "Writes that are removed cost nothing; their instructions "
                    "are still executed, and so are reads of what they "
                    "wrote.");
  if (has_edit[DG_WHATIF_REMOVED])
    dg_report_note (report,
                    "Instructions that are removed take no time, and the "
                    "rest of the program runs as if they had been executed; "
                    "functions that they call are not removed%s.",
                    self->code.units != NULL ? ", but those of libraries"
                                             : "");
  if (has_edit[DG_WHATIF_HITS] || has_edit[DG_WHATIF_IN_ORDER]
      || has_edit[DG_WHATIF_EXCHANGED])
    dg_report_note (report,
                    "Where data are in the first level or in order, their "
                    "pages are not touched first, which saves the time of "
                    "the kernel as well.");
  if (has_edit[DG_WHATIF_EXCHANGED])
    dg_report_note (report,
                    "Where loops are exchanged, each result is loaded and "
                    "stored once for each element, which takes little time "
                    "and is not counted; neither are vector instructions "
                    "that a compiler could use then.");
  if (self->targets.list->len == 0 && self->code.list->len == 0)
    dg_report_note (report, "No change is asked for, such as --soa=TYPE.");
  if (self->across > 0)
    dg_report_note (report,
                    "%" G_GUINT64_FORMAT " accesses are to bytes that the "
                    "change puts apart: each is taken for one access at its "
                    "first byte.", self->across);
  if (self->targets.list->len > 0)
    dg_report_note (report,
                    "The program runs the same instructions: not known is "
                    "what a compiler makes of the changed source, what it "
                    "does for pointers between parts, and where blocks that "
                    "do not change are after others have another size.  "
                    "Objects on stacks stay where they are.");
  if (!self->is_code_known)
    dg_report_note (report,
                    "Machine code of %s is not understood: instructions "
                    "wait for no registers, and no branch is predicted.",
                    dg_insn_arch_name (dg_setup_log (self->setup)));
}

/* All lines and functions are those of the program.  Of a part of it, one of
   them is enough.  */
static int
check_code (const struct dg_whatif *self, struct dg_report *report,
            struct dg_error *err)
{
  bool is_part = self->one_in > 1 || dg_setup_is_filtered (self->setup);
  const struct dg_whatif_where *missing = NULL;
  guint n_missing = 0;

  for (guint i = 0; i < self->code.list->len; i++) {
    const struct dg_whatif_where *where =
      &g_array_index (self->code.list, struct dg_whatif_where, i);

    if (where->is_found)
      continue;
    missing = where;
    n_missing++;
    if (is_part)
      dg_report_note (report,
                      "No instruction of %s was executed in this part of the "
                      "run.", where->what);
  }
  if (missing == NULL || (is_part && n_missing < self->code.list->len))
    return 0;
  return dg_error_set (err, DG_ERR_INVALID,
                       "--%s=%s: no instruction of that line or function was "
                       "executed%s", missing->option, missing->what,
                       is_part ? " in this part of the run" : "");
}

int
dg_whatif_report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct dg_whatif *self = data;
  uint64_t totals[DG_WHATIF_COUNTS] = { 0 };
  const struct dg_breakdown_table table = {
    .key = "rows",
    .title = "What changes most",
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .fill = fill,
    .weigh = weigh,
    .user = self
  };
  const struct dg_breakdown_group *rows;
  size_t n;
  const double ghz = self->machine.ghz;

  if (check_code (self, report, err) < 0)
    return DG_ERR_INVALID;
  rows = dg_breakdown_rows (self->groups, weigh, self, NULL, NULL, &n, err);
  if (rows == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < DG_WHATIF_COUNTS; k++)
      totals[k] += rows[i].sums[k];
  dg_time_sample_report (self->one_in, self->error, report);
  dg_report_value (report, "machine", "Processor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (self->machine.name));
  dg_report_total (
    report, "estimated_ns_before", "Estimated time before", DG_UNIT_NS,
    (uint64_t) ((double) cycles_of (self, totals, DG_WHATIF_BEFORE)
                / ghz));
  dg_report_total (
    report, "estimated_ns_after", "Estimated time after", DG_UNIT_NS,
    (uint64_t) ((double) cycles_of (self, totals, DG_WHATIF_AFTER)
                / ghz));
  dg_report_total (report, "apart_accesses", "Accesses across parts",
                   DG_UNIT_COUNT, dg_time_scaled (self->across, self->scale));
  add_figures (self, totals, report);
  add_changed (self, report);
  add_notes (self, report);
  return dg_breakdown_report (self->groups, &table, report, err);
}

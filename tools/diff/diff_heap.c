/* diff_heap.c: the heap as an analysis, so that it can be compared.

   `dg heap` itself writes files and pictures, which have no rows to compare.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_heap.h"

#include <glib.h>
#include <string.h>

struct heap {
  struct dg_setup *setup;
  enum dg_curve_by by;
};

static const struct dg_option heap_options[] = {
  {"by", DG_OPTION_CHOICE, "WHAT", "site",
   "site,function,module,allocator,thread", "one row per"},
  {.name = NULL}};

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct heap *heap = g_new0 (struct heap, 1);
  const char *by = dg_setup_text (setup, "by");

  (void) err;
  heap->setup = setup;
  while (strcmp (dg_curve_by_name (heap->by), by) != 0)
    heap->by++;
  return heap;
}

/* Nothing of the runs is needed; this costs least.  */
static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  plan->needs_addresses = plan->needs_contexts = false;
  plan->takes_alike = true;
  return 0;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  (void) self;
  (void) shard;
  (void) feed;
  (void) batch;
  (void) err;
  return 0;
}

/* ---- Report ----------------------------------------------------------- */

/* What is counted block by block.  */
static void
put_sums (const struct dg_log *log, struct dg_report *report)
{
  uint64_t bytes = 0, end_bytes = 0, end_blocks = 0;
  size_t n = dg_log_n_blocks (log);

  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, i);

    bytes += block.size;
    if (block.free_order == DG_NONE) {
      end_bytes += block.size;
      end_blocks++;
    }
  }
  dg_report_value (report, "end", "Never freed", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (end_bytes));
  dg_report_count (report, "end_blocks", "Blocks never freed", end_blocks);
  dg_report_value (report, "allocated", "Allocated in all", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (bytes));
  dg_report_count (report, "allocated_blocks", "Blocks in all", n);
}

static void
put_rows (const struct dg_curve *curve, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    {"peak_bytes", "At the peak", DG_UNIT_BYTES, 0},
    {"peak_blocks", "Blocks", DG_UNIT_COUNT, 0},
    {"most_bytes", "At most", DG_UNIT_BYTES, 0},
    {"name", "Allocated by", DG_UNIT_TEXT, DG_COLUMN_LAST},
    {"function", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
    {"file", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
    {"line", NULL, DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
    {"module", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY}};
  struct dg_rows *rows =
    dg_report_table (report, "rows", "Heap blocks at the peak", columns,
                     G_N_ELEMENTS (columns));

  for (size_t i = 0; i < curve->n_series; i++) {
    const struct dg_curve_series *series = &curve->series[i];
    const struct dg_cell cells[] = {
      DG_CELL_NUMBER (series->peak_bytes),
      DG_CELL_NUMBER (series->peak_blocks),
      DG_CELL_NUMBER (series->max_bytes),
      DG_CELL_TEXT (series->id == DG_NONE ? "other places" : series->name),
      DG_CELL_TEXT (series->function),
      DG_CELL_TEXT (series->file),
      series->line > 0 ? DG_CELL_NUMBER (series->line) : DG_CELL_EMPTY,
      DG_CELL_TEXT (series->module)};

    dg_rows_add (rows, cells);
  }
}

static int
pace (void *user, uint64_t done, uint64_t total)
{
  struct dg_error error;

  return dg_report_pace (user, done, total, &error) < 0;
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct heap *heap = self;
  const struct dg_log *log = dg_setup_log (heap->setup);
  const struct dg_curve_options options = {
    .size = sizeof options, .series = DG_CURVE_MAX_SERIES, .by = heap->by};
  struct dg_symbols *symbols = dg_setup_symbols (heap->setup, err);
  struct dg_curve_source *source;
  struct dg_curve *curve = NULL;
  int code;

  if (symbols == NULL)
    return err->code;
  source = dg_curve_source_new (log, symbols, NULL, pace, report, err);
  if (source == NULL)
    return err->code;
  code = dg_curve_build (source, &options, pace, report, &curve, err);
  if (code == 0) {
    dg_report_value (report, "peak", "Peak", DG_UNIT_BYTES,
                     DG_CELL_NUMBER (curve->peak_bytes));
    dg_report_count (report, "peak_blocks", "Blocks at the peak",
                     curve->peak_blocks);
    put_sums (log, report);
    put_rows (curve, report);
  }
  dg_curve_free (curve);
  dg_curve_source_free (source);
  return code;
}

const struct dg_analysis diff_heap = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "heap",
  .summary = "Compares the heap at its peak",
  .options = heap_options,
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = g_free};

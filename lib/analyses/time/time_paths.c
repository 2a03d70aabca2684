/* time_paths.c: what the code takes on each call path, for programs that show
   call trees.

   An analysis that no command has, so that conditions and parts of the run are
   those of all analyses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <stdlib.h>

#include <glib.h>

#include "base/error.h"
#include "base/sized.h"
#include "dg_analysis.h"
#include "time/time_figures.h"
#include "time/time_meter.h"

/* A context is counted in a leaf of these, which is there when one of it has
   run.  */
#define LEAF 256

/* What of a context is counted.  */
struct path_row {
  uint64_t icount;         /* of its first run */
  bool has_run;
  uint64_t counts[DG_TIME_COUNTS];
};

struct paths {
  struct dg_time_options options;
  const struct dg_setup *setup;
  const struct dg_log *log;
  struct dg_time_meter *meter;
  struct path_row **leaves;
  uint32_t n_leaves;
  struct dg_time_sum **all;
  size_t *n;
  bool knows_code;
};

static void
paths_free (void *data)
{
  struct paths *paths = data;

  dg_time_meter_free (paths->meter);
  for (uint32_t i = 0; paths->leaves != NULL && i < paths->n_leaves; i++)
    g_free (paths->leaves[i]);
  g_free (paths->leaves);
  paths->meter = NULL;
  paths->leaves = NULL;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct paths *paths = dg_setup_user (setup);
  struct dg_symbols *symbols = dg_setup_symbols (setup, err);

  if (symbols == NULL)
    return NULL;
  paths->setup = setup;
  paths->log = dg_setup_log (setup);
  paths->n_leaves
    = (uint32_t) (dg_log_summary (paths->log)->contexts / LEAF + 1);
  paths->leaves = g_try_new0 (struct path_row *, paths->n_leaves);
  if (paths->leaves == NULL)
    dg_error_nomem (err);
  else
    paths->meter = dg_time_meter_new (paths->log, symbols,
                                      paths->options.machine,
                                      paths->options.sample, err);
  if (paths->meter != NULL)
    return paths;
  paths_free (paths);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct paths *paths = self;

  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  return dg_time_meter_plan (paths->meter, paths->setup, plan, err);
}

/* NULL: no memory.  */
static struct path_row *
row_of (struct paths *paths, uint32_t context)
{
  struct path_row **leaf = &paths->leaves[context / LEAF];

  if (*leaf == NULL)
    *leaf = g_try_new0 (struct path_row, LEAF);
  return *leaf != NULL ? *leaf + context % LEAF : NULL;
}

static int
shard_feed (void *data, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct paths *paths = data;
  int code = 0;

  (void) shard;
  (void) feed;
  for (size_t i = 0; i < batch->n_runs && code == 0; i++) {
    const struct dg_run *run = &batch->runs[i];
    int take = dg_time_meter_take (paths->meter, run, err);
    struct path_row *row
      = take == DG_TIME_COUNT ? row_of (paths, run->context) : NULL;

    if (take < 0)
      return take;
    if (row != NULL && !row->has_run) {
      row->has_run = true;
      row->icount = run->icount;
    }
    if (take == DG_TIME_COUNT && row == NULL)
      code = dg_error_nomem (err);
    else if (take != DG_TIME_SKIP)
      code = dg_time_meter_run (paths->meter, run, take,
                                row != NULL ? row->counts : NULL, 0, err);
  }
  return code;
}

static uint64_t
figure_of (const struct paths *paths, const struct path_row *row,
           enum dg_time_figure figure)
{
  const struct dg_time_machine *machine
    = dg_time_meter_machine (paths->meter);

  return dg_time_meter_scaled (paths->meter,
                               dg_time_figure (row->counts, machine, figure));
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct paths *paths = data;
  size_t n = 0;

  for (uint32_t i = 0; i < paths->n_leaves * LEAF; i++)
    n += paths->leaves[i / LEAF] != NULL
         && row_of (paths, i)->counts[DG_TIME_INSTRUCTIONS] > 0;
  if (dg_time_meter_end (paths->meter, report, err) < 0)
    return err->code;
  paths->knows_code = dg_time_meter_knows_code (paths->meter);
  *paths->all = calloc (n + 1, sizeof **paths->all);
  if (*paths->all == NULL)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < paths->n_leaves * LEAF; i++) {
    const struct path_row *row
      = paths->leaves[i / LEAF] != NULL ? row_of (paths, i) : NULL;

    if (row != NULL && row->counts[DG_TIME_INSTRUCTIONS] > 0)
      (*paths->all)[(*paths->n)++] = (struct dg_time_sum){
        i, row->icount, figure_of (paths, row, DG_TIME_FIGURE_CYCLES),
        figure_of (paths, row, DG_TIME_FIGURE_MEMORY),
        figure_of (paths, row, DG_TIME_FIGURE_L1_MISSES),
        figure_of (paths, row, DG_TIME_FIGURE_L2_MISSES),
        figure_of (paths, row, DG_TIME_FIGURE_L3_MISSES)
      };
  }
  return 0;
}

static const struct dg_analysis paths_analysis = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "time",
  .summary = "Estimates how long a processor takes on each call path",
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = paths_free
};

int
dg_time_find (const struct dg_log *log, const struct dg_time_options *given,
              dg_progress_fn progress, void *user, struct dg_time_sum **all,
              size_t *n, bool *knows_code, struct dg_error *err)
{
  const struct dg_analysis *analysis = &paths_analysis;
  struct paths paths = { .all = all, .n = n };
  struct dg_analyse_options options = { .size = sizeof options,
                                        .user = &paths };
  struct dg_report *report;
  int code;

  *all = NULL;
  *n = 0;
  code = DG_SIZED_TAKE (&paths.options, symbols, given, err);
  if (code < 0)
    return code;
  options.filter = paths.options.filter;
  options.start_icount = paths.options.start_icount;
  options.end_icount = paths.options.end_icount;
  options.symbols = paths.options.symbols;
  report = dg_report_new (err);
  if (report == NULL)
    return DG_ERR_NOMEM;
  code = dg_analyse (log, &analysis, 1, &options, progress, user, report,
                     err);
  dg_report_free (report);
  if (code < 0) {
    free (*all);
    *all = NULL;
    *n = 0;
  }
  if (knows_code != NULL)
    *knows_code = paths.knows_code;
  return code;
}

/* pages.c: `dg pages`: which pages and lines a program touches, when, how much
   of them, and which code is first.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pages.h"

#include <string.h>

#include "base/error.h"
#include "variables/frames.h"

/* Without --interval, a log is divided into so many.  */
#define INTERVALS 50

static const struct dg_option options[] = {
  { "by", DG_OPTION_CHOICE, "WHAT", "function",
    "thread,function,line,module,instruction",
    "break down first touches: one row per function, line ..." },
  DG_MINE_OPTIONS,
  { "hot", DG_OPTION_NUMBER, "N", "10", NULL,
    "show the N lines with the most accesses; 0: none" },
  { NULL }
};

static void
pages_free (void *data)
{
  struct pages *self = data;

  dg_breakdown_sums_free (self->code_sums);
  dg_breakdown_sums_free (self->site_sums);
  dg_breakdown_free (self->code);
  dg_breakdown_free (self->sites);
  pages_heap_fini (&self->heap);
  dg_frames_free (self->frames);
  dg_shadow_fini (&self->leaves);
  dg_shadow_fini (&self->pages);
  g_hash_table_unref (self->intervals);
  g_free (self->functions);
  g_free (self);
}

static bool
open_groups (struct pages *self, enum dg_by by, unsigned n,
             struct dg_breakdown **groups, struct dg_breakdown_sums **sums,
             struct dg_error *err)
{
  *groups = dg_breakdown_open (self->setup, by, n, err);
  *sums = *groups ? dg_breakdown_sums_new (*groups, err) : NULL;
  return *sums != NULL;
}

/* With filters, the log is read when it has to be.  */
static bool
begin_frames (struct pages *self, struct dg_error *err)
{
  struct dg_symbols *symbols;

  if (dg_setup_is_filtered (self->setup))
    return true;
  symbols = dg_setup_symbols (self->setup, err);
  if (symbols == NULL)
    return false;
  self->frames = dg_frames_begin (self->log, symbols, err);
  return self->frames != NULL;
}

static void *
pages_create (struct dg_setup *setup, struct dg_error *err)
{
  struct pages *self = g_new0 (struct pages, 1);
  const struct dg_log *log = dg_setup_log (setup);

  self->setup = setup;
  self->log = log;
  dg_shadow_init (&self->leaves, sizeof (struct pages_sums));
  dg_shadow_init (&self->pages, sizeof (struct pages_page));
  self->intervals = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL,
                                           g_free);
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  self->hot = dg_setup_number (setup, "hot");
  self->has_intervals = dg_setup_has_intervals (setup);
  self->span = dg_log_summary (log)->last_icount / INTERVALS + 1;
  self->page_shift = (unsigned) __builtin_ctz (dg_log_page_size (log));
  self->line_shift = (unsigned) __builtin_ctz (dg_log_line_size (log));
  self->line_shift = MIN (self->line_shift, PAGES_LINE_SHIFT);
  self->page_shift = MAX (self->page_shift, self->line_shift);
  self->address_mask = dg_log_header (log)->word_size == 4 ? UINT32_MAX
                                                           : UINT64_MAX;
  self->functions = g_try_new0 (const char *,
                                dg_log_summary (log)->bbdefs + 1);
  self->symbols = dg_setup_symbols (setup, err);
  self->variables = self->symbols ? dg_setup_variables (setup, err) : NULL;
  if (self->variables
      && (!self->functions || pages_heap_init (&self->heap, log) < 0)) {
    dg_error_nomem (err);
  } else if (self->variables
             && begin_frames (self, err)
             && open_groups (self, self->by, FIRST_N, &self->code,
                             &self->code_sums, err)
             && open_groups (self, DG_BY_SITE, SITE_N, &self->sites,
                             &self->site_sums, err)) {
    return self;
  }
  pages_free (self);
  return NULL;
}

static int
pages_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  return 0;
}

/* ---- Workers and shards ---- */

static void *
worker_new (void *self, struct dg_error *err)
{
  struct pages_worker *worker = g_try_new0 (struct pages_worker, 1);

  if (!worker)
    dg_error_nomem (err);
  else
    dg_shadow_init (&worker->leaves, sizeof (struct pages_leaf));
  return worker;
}

static void
worker_free (void *self, void *data)
{
  struct pages_worker *worker = data;

  dg_shadow_fini (&worker->leaves);
  g_free (worker);
}

static void *
shard_new (void *data, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  struct pages *self = data;
  struct pages_shard *shard = g_new0 (struct pages_shard, 1);

  if (pages_heap_follow (&self->heap) < 0) {
    g_free (shard);
    dg_error_nomem (err);
    return NULL;
  }
  if (self->frames) {
    shard->frames = dg_frame_chunk_new (self->frames, err);
    if (!shard->frames) {
      g_free (shard);
      return NULL;
    }
  }
  shard->worker = worker;
  shard->cursor = pages_heap_seek (&self->heap, feed->first_icount);
  shard->when = pages_heap_when (&self->heap, &shard->cursor);
  return shard;
}

static void
shard_free (void *self, void *data)
{
  struct pages_shard *shard = data;

  dg_table_fini (&shard->visits);
  dg_table_fini (&shard->parts);
  dg_table_fini (&shard->lines);
  dg_table_fini (&shard->closures);
  dg_frame_chunk_free (shard->frames);
  g_free (shard);
}

/* The worker goes on to another chunk.  */
static int
shard_end (void *data, void *shard_data, const struct dg_feed *feed,
           struct dg_error *err)
{
  const struct pages *self = data;
  struct pages_shard *shard = shard_data;
  struct dg_shadow *leaves = &shard->worker->leaves;
  const struct pages_visit *visits;

  if (pages_shard_events (self, shard, feed->end_icount) < 0)
    return dg_error_nomem (err);
  visits = shard->visits.items;
  for (size_t i = 0; i < shard->visits.n; i++) {
    const size_t k = visits[i].line & (PAGES_LEAF - 1);
    const struct pages_leaf *leaf;
    struct pages_line *line;

    if (!visits[i].is_first)
      continue;
    leaf = dg_shadow_find (leaves, visits[i].line >> PAGES_LEAF_SHIFT);
    line = dg_table_add (&shard->lines, sizeof *line);
    if (!line)
      return dg_error_nomem (err);
    *line = (struct pages_line) {
      .used = leaf->used[k] | leaf->lines[k].now,
      .now = leaf->lines[k].now, .last = leaf->lines[k].last,
      .context = leaf->lines[k].context, .count = leaf->lines[k].count,
      .iseq = leaf->lines[k].iseq
    };
  }
  dg_table_trim (&shard->visits, sizeof *visits);
  dg_table_trim (&shard->lines, sizeof (struct pages_line));
  dg_table_trim (&shard->closures, sizeof (struct pages_closure));
  dg_shadow_clear (leaves);
  shard->worker = NULL;
  return 0;
}

/* ---- Intervals ---- */

/* All is done in merging: chunks know nothing of an interval's sets.  */
static struct dg_snapshot *
snapshot (void *self, void *shard, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct pages_snapshot *none = g_new0 (struct pages_snapshot, 1);

  return &none->base;
}

static struct dg_snapshot *
combine (void *data, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  const struct pages *self = data;
  struct pages_snapshot *all = g_new0 (struct pages_snapshot, 1);
  const uint64_t interval = n > 0 ? parts[0]->interval : 0;
  const struct pages_interval *sums
    = g_hash_table_lookup (self->intervals, &interval);

  if (sums)
    all->sums = *sums;
  return &all->base;
}

static void
release (void *self, struct dg_snapshot *data)
{
  g_free (data);
}

const struct dg_analysis dg_analysis_pages = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "pages",
  .summary = "Shows the working set, and how much of it is used",
  .details =
    "Pages and lines over time, who touches them first, heap blocks that are\n"
    "never touched, bytes of lines that are fetched but not used, hot lines.",
  .options = options,
  .pass_blocks = pages_pass_blocks,
  .create = pages_create,
  .plan = pages_plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = pages_shard_feed,
  .shard_end = shard_end,
  .merge = pages_merge,
  .shard_free = shard_free,
  .worker_free = worker_free,
  .snapshot = snapshot,
  .combine = combine,
  .print = pages_print,
  .release = release,
  .report = pages_report,
  .free = pages_free,
};

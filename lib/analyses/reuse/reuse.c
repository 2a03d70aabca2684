/* reuse.c: `dg reuse`: how many other cache lines, and how many accesses, lie
   between two touches of a line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/compare.h"
#include "base/error.h"

#define MIN_LINE 16u
#define MAX_LINE (1u << 20)
/* What is far, unless it is said: what a small first-level cache has no room
   for.  */
#define FAR_BYTES (32u << 10)

static const struct dg_option options[] = {
  { "line-size", DG_OPTION_BYTES, "BYTES", NULL, NULL,
    "use lines of this size, a power of two (default: the machine's)" },
  { "lines", DG_OPTION_TEXT, "N,M,...", NULL, NULL,
    "show the misses of fully associative LRU caches of N, M, ... lines" },
  { "mrc", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show the miss-ratio curve, eight steps per power of two" },
  { "far", DG_OPTION_NUMBER, "N", NULL, NULL,
    "call a distance of N lines or more far (default: 32 KiB of lines)" },
  { "by", DG_OPTION_CHOICE, "WHAT", "function", DG_BY_CHOICES,
    "one row per function, line ... or allocation site" },
  DG_MINE_OPTIONS,
  { "worst", DG_OPTION_NUMBER, "N", "10", NULL,
    "show the N lines with the most far reuses; 0: none" },
  { "per-thread", DG_OPTION_FLAG, NULL, NULL, NULL,
    "treat each thread separately, as if it had its own caches" },
  { "approx", DG_OPTION_REAL, "RATE", NULL, NULL,
    "sample this share of the lines, and estimate the error" },
  { NULL }
};

/* ---- Options ---- */

/* "512,1024".  */
static int
parse_sizes (struct reuse *self, const char *text, struct dg_error *err)
{
  char **parts = g_strsplit (text, ",", -1);
  int code = 0;

  for (char **part = parts; *part && code == 0; part++) {
    guint64 size;

    if (self->n_sizes == DG_REUSE_SIZES - 1)
      code = dg_error_set (err, DG_ERR_INVALID,
                           "--lines takes at most %d sizes",
                           DG_REUSE_SIZES - 1);
    else if (!g_ascii_string_to_unsigned (*part, 10, 1, DG_REUSE_MAX_LINES,
                                          &size, NULL))
      code = dg_error_set (err, DG_ERR_INVALID,
                           "--lines: '%.40s' is not a number of lines from 1 "
                           "to %u", *part, DG_REUSE_MAX_LINES);
    else
      self->sizes[self->n_sizes++] = (uint32_t) size;
  }
  if (code == 0 && self->n_sizes == 0)
    code = dg_error_set (err, DG_ERR_INVALID, "--lines needs a size");
  g_strfreev (parts);
  qsort (self->sizes, self->n_sizes, sizeof *self->sizes, dg_compare_u32);
  self->n_sizes = (unsigned) DG_UNIQUE (self->sizes, self->n_sizes);
  return code;
}

static int
take_line_size (struct reuse *self, struct dg_error *err)
{
  const struct dg_header *header = dg_log_header (self->log);
  uint64_t size = dg_log_line_size (self->log);

  if (dg_setup_has (self->setup, "line-size"))
    size = dg_setup_number (self->setup, "line-size");
  if (size < MIN_LINE || size > MAX_LINE || (size & (size - 1)) != 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--line-size: %" G_GUINT64_FORMAT " is not a power "
                         "of two from %u to %u", size, MIN_LINE, MAX_LINE);
  self->line_shift = (unsigned) __builtin_ctzll (size);
  self->line_mask = header->word_size == 4 ? UINT32_MAX : UINT64_MAX;
  self->line_mask >>= self->line_shift;
  return 0;
}

static int
take_options (struct reuse *self, struct dg_error *err)
{
  struct dg_setup *setup = self->setup;
  uint32_t sizes[DG_REUSE_SIZES];
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  uint64_t far;
  double rate = 1;

  if (take_line_size (self, err) < 0
      || (dg_setup_has (setup, "lines")
          && parse_sizes (self, dg_setup_text (setup, "lines"), err) < 0))
    return DG_ERR_INVALID;
  far = MAX (FAR_BYTES >> self->line_shift, 1);
  if (dg_setup_has (setup, "far"))
    far = dg_setup_number (setup, "far");
  if (far < 1 || far > DG_REUSE_MAX_LINES)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--far: %" G_GUINT64_FORMAT " is not a number of "
                         "lines from 1 to %u", far, DG_REUSE_MAX_LINES);
  self->far = (uint32_t) far;
  if (dg_setup_has (setup, "approx"))
    rate = dg_setup_real (setup, "approx");
  if (!(rate >= 0.00001 && rate <= 1))
    return dg_error_set (err, DG_ERR_INVALID,
                         "--approx: %s is not a share from 0.00001 to 1",
                         g_ascii_dtostr (text, sizeof text, rate));
  memcpy (sizes, self->sizes, self->n_sizes * sizeof *sizes);
  sizes[self->n_sizes] = self->far;
  dg_reuse_sample_init (&self->sample, rate, sizes, self->n_sizes + 1);
  self->far_edge = dg_reuse_sample_edge (&self->sample, self->far);
  self->worst = dg_setup_number (setup, "worst");
  self->is_per_thread = dg_setup_flag (setup, "per-thread");
  self->is_curve_fine = dg_setup_flag (setup, "mrc");
  self->has_intervals = dg_setup_has_intervals (setup);
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  return 0;
}

/* ---- The analysis ---- */

static void
whole_free (void *data)
{
  struct reuse_whole *whole = data;

  dg_reuse_whole_fini (&whole->whole);
  dg_table_fini (&whole->touches);
  dg_table_fini (&whole->fars);
  g_free (whole);
}

static void
reuse_free (void *data)
{
  struct reuse *self = data;

  dg_breakdown_sums_free (self->sums);
  dg_breakdown_free (self->groups);
  dg_reuse_hist_fini (&self->hist);
  dg_table_fini (&self->found);
  g_ptr_array_unref (self->wholes);
  g_hash_table_unref (self->by_thread);
  g_hash_table_unref (self->late);
  g_free (self);
}

/* The worst lines are named.  */
static bool
needs_blocks (const struct dg_setup *setup)
{
  return dg_setup_number (setup, "worst") > 0
         || dg_breakdown_needs_blocks (setup);
}

static void *
reuse_create (struct dg_setup *setup, struct dg_error *err)
{
  struct reuse *self = g_new0 (struct reuse, 1);

  self->setup = setup;
  self->log = dg_setup_log (setup);
  self->wholes = g_ptr_array_new_with_free_func (whole_free);
  self->by_thread = g_hash_table_new (NULL, NULL);
  self->late = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free,
                                      g_free);
  if (take_options (self, err) < 0)
    goto fail;
  if (dg_reuse_hist_init (&self->hist, self->sample.rate < 1) < 0) {
    dg_error_nomem (err);
    goto fail;
  }
  self->groups = dg_breakdown_open (setup, self->by, REUSE_N, err);
  if (!self->groups)
    goto fail;
  self->sums = dg_breakdown_sums_new (self->groups, err);
  if (!self->sums)
    goto fail;
  return self;
fail:
  reuse_free (self);
  return NULL;
}

static int
reuse_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  return 0;
}

/* ---- Workers ---- */

static void
lane_free (void *data)
{
  struct reuse_lane *lane = data;

  dg_reuse_stack_fini (&lane->stack);
  g_free (lane->far_of);
  g_free (lane);
}

static void
worker_free (void *self, void *data)
{
  struct reuse_worker *worker = data;

  dg_reuse_hist_fini (&worker->hist);
  dg_breakdown_sums_free (worker->sums);
  g_ptr_array_unref (worker->lanes);
  g_free (worker);
}

static void *
worker_new (void *data, struct dg_error *err)
{
  struct reuse *self = data;
  struct reuse_worker *worker = g_new0 (struct reuse_worker, 1);

  worker->self = self;
  worker->lanes = g_ptr_array_new_with_free_func (lane_free);
  worker->sums = dg_breakdown_sums_new (self->groups, err);
  if (worker->sums
      && dg_reuse_hist_init (&worker->hist, self->sample.rate < 1) == 0) {
    worker->finder = worker->sums->finder;
    return worker;
  }
  if (worker->sums)
    dg_error_nomem (err);
  worker_free (self, worker);
  return NULL;
}

static int
worker_merge (void *data, void *worker_data, struct dg_error *err)
{
  struct reuse *self = data;
  struct reuse_worker *worker = worker_data;

  if (dg_reuse_hist_add (&self->hist, &worker->hist) < 0)
    return dg_error_nomem (err);
  return dg_breakdown_take (self->groups, worker->sums, err);
}

/* ---- Shards ---- */

static void
part_free (void *data)
{
  struct reuse_part *part = data;

  dg_table_fini (&part->lines);
  dg_table_fini (&part->firsts);
  dg_table_fini (&part->fars);
  g_free (part);
}

static void
shard_free (void *self, void *data)
{
  struct reuse_shard *shard = data;

  g_ptr_array_unref (shard->parts);
  if (shard->by_thread)
    g_hash_table_unref (shard->by_thread);
  g_free (shard->sums);
  g_free (shard);
}

static void *
shard_new (void *data, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  const struct reuse *self = data;
  struct reuse_shard *shard = g_new0 (struct reuse_shard, 1);

  shard->worker = worker;
  shard->parts = g_ptr_array_new_with_free_func (part_free);
  if (self->is_per_thread)
    shard->by_thread = g_hash_table_new (NULL, NULL);
  if (self->has_intervals)
    shard->sums = g_new0 (struct reuse_sums, 1);
  return shard;
}

/* The worker goes on to another chunk.  */
static int
shard_end (void *self, void *data, const struct dg_feed *feed,
           struct dg_error *err)
{
  struct reuse_shard *shard = data;

  for (guint i = 0; i < shard->parts->len; i++) {
    struct reuse_part *part = g_ptr_array_index (shard->parts, i);
    struct reuse_lane *lane = part->lane;
    const struct reuse_chunk_far *fars = part->fars.items;

    g_assert (part->lines.n == lane->stack.n);
    if (dg_reuse_stack_lines (&lane->stack, part->lines.items) < 0)
      return dg_error_nomem (err);
    dg_reuse_stack_clear (&lane->stack);
    for (size_t k = 0; k < part->fars.n; k++)
      lane->far_of[fars[k].id] = 0;
    part->lane = NULL;
    dg_table_trim (&part->lines, sizeof (struct dg_reuse_line));
    dg_table_trim (&part->firsts, sizeof (struct reuse_first));
    dg_table_trim (&part->fars, sizeof (struct reuse_chunk_far));
  }
  shard->worker = NULL;
  return 0;
}

/* ---- Merging ---- */

static struct reuse_whole *
whole_of (struct reuse *self, uint32_t thread)
{
  struct reuse_whole *whole
    = g_hash_table_lookup (self->by_thread, GUINT_TO_POINTER (thread));

  if (!whole) {
    whole = g_new0 (struct reuse_whole, 1);
    whole->thread = thread;
    g_ptr_array_add (self->wholes, whole);
    g_hash_table_insert (self->by_thread, GUINT_TO_POINTER (thread), whole);
  }
  return whole;
}

/* What an interval's chunks did not know.  */
static struct reuse_sums *
late_of (struct reuse *self, uint64_t interval)
{
  struct reuse_sums *sums = g_hash_table_lookup (self->late, &interval);

  if (!sums) {
    sums = g_new0 (struct reuse_sums, 1);
    g_hash_table_insert (self->late, g_memdup2 (&interval, sizeof interval),
                         sums);
  }
  return sums;
}

/* Counts an access whose lines are all known now.  */
static void
count_late (struct reuse *self, const struct reuse_first *first,
            uint64_t line, uint32_t distance, uint64_t time)
{
  uint64_t *row
    = dg_by_is_code (self->by)
        ? dg_sums_code (self->sums,
                        dg_log_context (self->log,
                                        first->touch.context).bbdef,
                        first->touch.context, first->touch.icount)
            + (size_t) first->touch.iseq * REUSE_N
        : dg_sums_number (self->sums, first->number);

  if (distance == DG_REUSE_COLD) {
    self->hist.cold++;
    row[REUSE_COLD]++;
  } else {
    dg_reuse_hist_count (&self->hist, distance, time - 1);
    row[REUSE_SUM] += distance;
    row[REUSE_FAR] += distance >= self->far_edge;
  }
  if (self->hist.groups)
    dg_reuse_hist_group (&self->hist, &self->sample, dg_reuse_dice (line),
                         distance);
  if (self->has_intervals)
    reuse_sums_count (late_of (self, first->interval), &self->sample,
                      distance);
}

/* Room for all lines of a stack, those that are new included.  */
static int
make_room (struct reuse *self, struct reuse_whole *whole)
{
  const size_t n = whole->whole.stack.n;

  while (whole->touches.n < n)
    if (!dg_table_add (&whole->touches, sizeof (uint64_t)))
      return DG_ERR_NOMEM;
  while (whole->fars.n < n)
    if (!dg_table_add (&whole->fars, sizeof (struct reuse_far)))
      return DG_ERR_NOMEM;
  return dg_reuse_hist_room (&self->hist, n + 1);
}

static int
take_part (struct reuse *self, const struct reuse_part *part)
{
  struct reuse_whole *whole = whole_of (self, part->thread);
  const struct dg_reuse_line *lines = part->lines.items;
  const struct reuse_first *firsts = part->firsts.items;
  const struct reuse_chunk_far *chunk_fars = part->fars.items;
  const uint32_t n = (uint32_t) part->lines.n;
  struct dg_reuse_found *found;
  uint32_t distance = 0;
  uint64_t time = 0;

  if (dg_table_reserve (&self->found, sizeof *found, n) < 0)
    return DG_ERR_NOMEM;
  found = self->found.items;
  if (dg_reuse_whole_take (&whole->whole, lines, n, whole->accesses, found)
        < 0
      || make_room (self, whole) < 0)
    return DG_ERR_NOMEM;
  whole->accesses += part->accesses;
  for (uint32_t i = 0; i < n; i++) {
    struct reuse_far *far = (struct reuse_far *) whole->fars.items
                            + found[i].id;

    ((uint64_t *) whole->touches.items)[found[i].id] += lines[i].touches;
    if (found[i].distance != DG_REUSE_COLD
        && found[i].distance >= self->far_edge)
      reuse_far_add (far, self->log, &firsts[i].touch);
    distance = MAX (MAX (distance, found[i].distance), firsts[i].distance);
    time = MAX (MAX (time, found[i].elapsed), firsts[i].time);
    if (firsts[i].is_joined)
      continue;
    count_late (self, &firsts[i], lines[i].line, distance, time);
    distance = 0;
    time = 0;
  }
  for (size_t i = 0; i < part->fars.n; i++)
    reuse_far_merge ((struct reuse_far *) whole->fars.items
                       + found[chunk_fars[i].id].id,
                     &chunk_fars[i].far);
  return 0;
}

static int
merge (void *self, void *data, const struct dg_feed *feed,
       struct dg_error *err)
{
  const struct reuse_shard *shard = data;

  for (guint i = 0; i < shard->parts->len; i++)
    if (take_part (self, g_ptr_array_index (shard->parts, i)) < 0)
      return dg_error_nomem (err);
  return 0;
}

/* ---- Intervals ---- */

static void
add_sums (struct reuse_sums *to, const struct reuse_sums *from)
{
  to->accesses += from->accesses;
  to->cold += from->cold;
  to->sum += from->sum;
  for (unsigned i = 0; i < DG_REUSE_BUCKETS; i++)
    to->buckets[i] += from->buckets[i];
  for (unsigned i = 0; i <= DG_REUSE_EDGES; i++)
    to->edges[i] += from->edges[i];
}

static struct dg_snapshot *
snapshot (void *self, void *data, const struct dg_feed *feed,
          struct dg_error *err)
{
  struct reuse_shard *shard = data;
  struct reuse_snapshot *new = g_new0 (struct reuse_snapshot, 1);

  new->sums = *shard->sums;
  memset (shard->sums, 0, sizeof *shard->sums);
  return &new->base;
}

static struct dg_snapshot *
combine (void *data, struct dg_snapshot *const *parts, size_t n,
         struct dg_snapshot *const *latest, size_t n_latest,
         struct dg_error *err)
{
  const struct reuse *self = data;
  struct reuse_snapshot *all = g_new0 (struct reuse_snapshot, 1);
  uint64_t interval = n > 0 ? parts[0]->interval : 0;
  const struct reuse_sums *late = g_hash_table_lookup (self->late, &interval);

  for (size_t i = 0; i < n; i++)
    add_sums (
      &all->sums,
      &((const struct reuse_snapshot *) (const void *) parts[i])->sums);
  if (late)
    add_sums (&all->sums, late);
  return &all->base;
}

static void
release (void *self, struct dg_snapshot *data)
{
  g_free (data);
}

const struct dg_analysis dg_analysis_reuse = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "reuse",
  .summary = "Shows reuse distances, and the misses of caches of any size",
  .details =
    "The reuse distance of an access is the number of other cache lines\n"
    "accessed since its own was: a fully associative LRU cache of N lines\n"
    "misses distances of N or more, and the first access to each line (cold).",
  .options = options,
  .needs_blocks = needs_blocks,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = reuse_create,
  .plan = reuse_plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = reuse_shard_feed,
  .shard_end = shard_end,
  .merge = merge,
  .shard_free = shard_free,
  .worker_merge = worker_merge,
  .worker_free = worker_free,
  .snapshot = snapshot,
  .combine = combine,
  .print = reuse_print,
  .release = release,
  .report = reuse_report,
  .free = reuse_free,
};

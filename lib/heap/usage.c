/* usage.c: how each heap block was used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "usage.h"

#include <string.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/ordered.h"
#include "base/sized.h"

/* ---- What is known before --------------------------------------------- */

struct extent {
  uint64_t low, high;
};

DG_COMPARE_BY (compare_extents, struct extent, low)

/* Whether a block has a byte in one of the extents, which are apart.  */
static bool
meets (const struct extent *extents, size_t n, struct dg_block_extent block)
{
  size_t low = DG_BISECT (0, n, i, extents[i].high <= block.address);

  return low < n && extents[low].low < dg_usage_end (block);
}

/* Marks the blocks that are not asked for and never lay where one is that is:
   all others have to be followed, since accesses belong to the one on top.  */
static int
leave_out (struct dg_usage_blocks *of, const uint8_t *only)
{
  struct extent *extents = g_try_new (struct extent, of->n + 1);
  size_t n = 0, kept = 0;

  if (extents == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < of->n; i++)
    if (only[i] != 0) {
      struct dg_block_extent block = dg_log_block_extent (of->log, i);

      extents[n++] = (struct extent){block.address, dg_usage_end (block)};
    }
  qsort (extents, n, sizeof *extents, compare_extents);
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && extents[i].low <= extents[kept - 1].high)
      extents[kept - 1].high = MAX (extents[kept - 1].high, extents[i].high);
    else
      extents[kept++] = extents[i];
  for (size_t i = 0; i < of->n; i++)
    if (only[i] == 0
        && !meets (extents, kept, dg_log_block_extent (of->log, i)))
      of->marks[i] |= DG_USAGE_IS_LEFT_OUT;
  g_free (extents);
  return 0;
}

/* Where blocks lie, and how finely that must be told.  */
static void
survey (struct dg_usage_blocks *of)
{
  uint64_t low = UINT64_MAX, high = 0;

  of->grain_shift = 4;
  for (size_t i = 0; i < of->n; i++) {
    const struct dg_block_extent block = dg_log_block_extent (of->log, i);

    if (block.size == 0 || (of->marks[i] & DG_USAGE_IS_LEFT_OUT) != 0)
      continue;
    low = MIN (low, block.address);
    high = MAX (high, dg_usage_end (block));
    if (block.address % 16 != 0)
      of->grain_shift = 3;
  }
  of->low = high > low ? low : 0;
  of->span = high > low ? high - low : 0;
}

static bool
is_covered (const struct dg_usage_blocks *of, size_t i)
{
  return dg_usage_is_large (dg_log_block_extent (of->log, i))
         && (of->marks[i] & DG_USAGE_IS_LEFT_OUT) == 0;
}

static int
cover_large (struct dg_usage_blocks *of, struct dg_cover **large)
{
  struct dg_rect *rects;
  size_t n = 0, k = 0;
  int code;

  *large = NULL;
  for (size_t i = 0; i < of->n; i++)
    n += is_covered (of, i);
  if (n == 0)
    return 0;
  rects = g_try_new (struct dg_rect, n);
  if (rects == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < of->n; i++)
    if (is_covered (of, i))
      rects[k++] = dg_usage_rect (of->log, (uint32_t) i);
  code = dg_cover_new (rects, n, large);
  g_free (rects);
  return code;
}

/* ---- The pass --------------------------------------------------------- */

static void *
state_new (void *user, struct dg_error *err)
{
  return dg_usage_worker_new (user, err);
}

static void
state_free (void *state)
{
  dg_usage_worker_free (state);
}

static int
work (void *user, void *state, size_t job, void *result, struct dg_error *err)
{
  const struct dg_usage_pass *pass = user;

  return dg_usage_worker_run (state, pass->first_chunk + job, result, err);
}

static int
take (void *user, size_t job, void *result, struct dg_error *err)
{
  struct dg_usage_pass *pass = user;

  pass->done = pass->first_chunk + job + 1;
  return dg_usage_merge (pass, result, err);
}

static void
result_fini (void *data)
{
  struct dg_usage_result *result = data;

  dg_table_fini (&result->parts);
  dg_table_fini (&result->changes);
  dg_table_fini (&result->finished);
  dg_table_fini (&result->closed);
  dg_table_fini (&result->spans);
  dg_table_fini (&result->lines);
  dg_table_fini (&result->counts);
}

static int
pace (void *user, struct dg_error *err)
{
  struct dg_usage_pass *pass = user;
  const struct dg_summary *summary = dg_log_summary (pass->log);
  uint64_t done =
    pass->done < pass->n_chunks
      ? pass->chunks[pass->done].reads + pass->chunks[pass->done].writes
      : summary->accesses;

  int code =
    dg_progress_tell (&pass->progress, done, summary->accesses, err);

  if (code < 0)
    g_atomic_int_set (&pass->is_cancelled, 1);
  return code;
}

bool
dg_usage_goes_on (struct dg_usage_pass *pass)
{
  gint64 now;

  if (g_thread_self () == pass->caller) {
    now = g_get_monotonic_time ();
    if (now >= pass->next_pace) {
      pass->next_pace = now + DG_PROGRESS_US;
      pace (pass, NULL);
    }
  }
  return !g_atomic_int_get (&pass->is_cancelled);
}

static int
read_all (struct dg_usage_pass *pass, struct dg_error *err)
{
  struct dg_ordered ordered = {.jobs = pass->end_chunk - pass->first_chunk,
                               .workers = pass->options.workers,
                               .result_size = sizeof (struct dg_usage_result),
                               .user = pass,
                               .state_new = state_new,
                               .state_free = state_free,
                               .work = work,
                               .take = take,
                               .result_fini = result_fini,
                               .pace = pace};

  pass->plan = (struct dg_feed_plan){.log = pass->log,
                                     .filter = pass->options.filter,
                                     .end_icount = DG_NEVER,
                                     .needs_addresses = true,
                                     .needs_contexts = true};
  return dg_ordered_run (&ordered, err);
}

/* What must be known of the blocks before the chunks are read in which they
   live.  */
static int
prepare (struct dg_usage_pass *pass, struct dg_cover **large,
         struct dg_error *err)
{
  const uint8_t *only = pass->options.only;

  if (only != NULL && leave_out (&pass->of, only) < 0)
    return dg_error_nomem (err);
  survey (&pass->of);
  if (cover_large (&pass->of, large) < 0)
    return dg_error_nomem (err);
  pass->of.large = *large;
  return dg_usage_list_events (pass, err);
}

/* The chunks of one window, or all.  */
static int
read_window (struct dg_usage_pass *pass, struct dg_error *err)
{
  struct dg_cover *large = NULL;
  int code = prepare (pass, &large, err);

  /* Without blocks there is nothing to read.  */
  if (code == 0 && pass->of.n > 0)
    code = read_all (pass, err);
  if (code == 0 && pass->end_chunk == pass->n_chunks)
    code = dg_usage_merge_last (pass, err);
  g_clear_pointer (&pass->events, g_free);
  pass->n_events = 0;
  dg_cover_free (large);
  pass->of.large = NULL;
  g_clear_pointer (&pass->of.all, dg_cover_free);
  return code;
}

static int
check_options (const struct dg_usage_pass *pass, struct dg_error *err)
{
  const struct dg_usage_options *options = &pass->options;

  if (options->only != NULL
      && (options->want_bytes || options->counts != NULL))
    return dg_error_set (err, DG_ERR_INVALID,
                         "bytes are counted for all blocks or for none");
  if ((options->only != NULL || options->counts != NULL)
      && dg_log_blocks_pass (pass->log))
    return dg_error_set (err, DG_ERR_INVALID,
                         "blocks that pass cannot be chosen");
  return 0;
}

int
dg_usage_run (const struct dg_log *log, const struct dg_usage_options *options,
              dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dg_usage_pass pass = {
    .log = log, .progress = {progress, user, 0}};
  int code = DG_SIZED_TAKE (&pass.options, replaced, options, err);

  if (code < 0)
    return code;
  pass.caller = g_thread_self ();
  pass.of.log = log;
  pass.chunks = dg_log_chunks (log, &pass.n_chunks);
  pass.kernel = dg_log_kernel_accesses (log, &pass.n_kernel);
  g_mutex_init (&pass.of.lock);
  dg_usage_carry_init (&pass.carry);
  code = check_options (&pass, err);
  while (code == 0 && (code = dg_usage_next_window (&pass, err)) > 0)
    code = read_window (&pass, err);
  g_free (pass.of.marks);
  dg_usage_carry_fini (&pass.carry);
  g_mutex_clear (&pass.of.lock);
  return code;
}

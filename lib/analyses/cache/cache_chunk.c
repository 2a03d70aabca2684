/* cache_chunk.c: the first level, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_chunk.h"

#include <string.h>

#include "base/error.h"

/* ---- Workers ---------------------------------------------------------- */

struct dg_cache_worker *
dg_cache_worker_new (const struct dg_cache_plan *plan, struct dg_error *err)
{
  struct dg_cache_worker *worker = g_try_new0 (struct dg_cache_worker, 1);
  unsigned i;

  if (worker == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  for (i = 0; i < 2; i++) {
    worker->parts[i] = dg_cache_part_new (plan, i, false, err);
    if (worker->parts[i] == NULL) {
      dg_cache_worker_free (worker);
      return NULL;
    }
  }
  return worker;
}

void
dg_cache_worker_free (struct dg_cache_worker *worker)
{
  if (worker == NULL)
    return;
  dg_cache_part_free (worker->parts[0]);
  dg_cache_part_free (worker->parts[1]);
  g_free (worker);
}

/* ---- A chunk, by itself ----------------------------------------------- */

struct dg_cache_chunk *
dg_cache_chunk_new (struct dg_cache_worker *worker, struct dg_error *err)
{
  const struct dg_cache_plan *plan = worker->parts[0]->plan;
  struct dg_cache_chunk *chunk = g_try_new0 (struct dg_cache_chunk, 1);
  unsigned i;

  if (chunk != NULL)
    chunk->cores = g_try_new (uint32_t, plan->n_cores);
  if (chunk == NULL || chunk->cores == NULL) {
    g_free (chunk);
    dg_error_nomem (err);
    return NULL;
  }
  chunk->worker = worker;
  for (i = 0; i < 2; i++) {
    struct dg_cache_part *part = worker->parts[i];
    part->out = &chunk->misses[i];
    part->run = 0;
    part->code = 0;
    part->n_misses = 0;
  }
  return chunk;
}

void
dg_cache_chunk_free (struct dg_cache_chunk *chunk)
{
  if (chunk == NULL)
    return;
  dg_table_fini (&chunk->misses[0]);
  dg_table_fini (&chunk->misses[1]);
  g_free (chunk->cores);
  g_free (chunk->lines);
  g_free (chunk);
}

static void
note_core (struct dg_cache_chunk *chunk, uint32_t core)
{
  uint32_t i;

  for (i = 0; i < chunk->n_cores; i++)
    if (chunk->cores[i] == core)
      return;
  chunk->cores[chunk->n_cores++] = core;
}

/* Nothing is known of what the caches hold; those of other cores hold nothing
   in the chunk, anyway.  */
static void
begin_window (struct dg_cache_chunk *chunk, uint64_t window)
{
  struct dg_cache_part *const *parts = chunk->worker->parts;

  dg_cache_part_miss (parts[0], dg_miss_order_fetch (parts[0]->run, 0),
                      DG_MISS_WINDOW, window, 0, NULL);
  if (chunk->window != 0) {
    dg_cache_part_forget (parts[0]);
    dg_cache_part_forget (parts[1]);
  }
  chunk->window = window;
}

int
dg_cache_chunk_feed (struct dg_cache_chunk *chunk,
                     const struct dg_batch *batch, struct dg_error *err)
{
  struct dg_cache_part *const *parts = chunk->worker->parts;
  int code = 0;

  if (batch->n_runs == 0)
    return 0;
  parts[0]->err = err;
  if (batch->interval != chunk->interval) {
    dg_cache_part_miss (parts[0], dg_miss_order_fetch (parts[0]->run, 0),
                        DG_MISS_MARK, batch->interval, 0, NULL);
    chunk->interval = batch->interval;
  }
  if (batch->window != chunk->window)
    begin_window (chunk, batch->window);
  code = dg_cache_part_feed (parts[0], batch, err);
  if (code == 0)
    code = dg_cache_part_feed (parts[1], batch, err);
  note_core (chunk, parts[0]->core);
  return code;
}

static size_t
n_lines (const struct dg_cache *cache)
{
  return (size_t) (cache->set_mask + 1) * cache->assoc;
}

/* Moves what the caches hold to the chunk.  */
static int
take_lines (struct dg_cache_chunk *chunk, struct dg_error *err)
{
  struct dg_cache_part *const *parts = chunk->worker->parts;
  size_t n = n_lines (parts[0]->caches) + n_lines (parts[1]->caches);
  uint64_t *to;
  uint32_t i;
  unsigned k;

  to = chunk->lines = g_try_new (uint64_t, n * chunk->n_cores + 1);
  if (to == NULL)
    return dg_error_nomem (err);
  for (i = 0; i < chunk->n_cores; i++)
    for (k = 0; k < 2; k++) {
      struct dg_cache *cache = &parts[k]->caches[chunk->cores[i]];
      memcpy (to, cache->lines, n_lines (cache) * sizeof *to);
      to += n_lines (cache);
      dg_cache_clear (cache);
    }
  return 0;
}

int
dg_cache_chunk_end (struct dg_cache_chunk *chunk, struct dg_error *err)
{
  int code = 0;
  unsigned i;

  for (i = 0; code == 0 && i < 2; i++)
    code = dg_cache_part_end (chunk->worker->parts[i], err);
  if (code == 0)
    code = take_lines (chunk, err);
  chunk->worker->parts[0]->out = NULL;
  chunk->worker->parts[1]->out = NULL;
  chunk->worker = NULL;
  return code;
}

/* ---- Behind the chunks before ----------------------------------------- */

/* The same of a sample, where it may stay unknown.  */
static enum dg_cache_state
state_there (struct dg_cache_part *part, const struct dg_cache_miss *miss,
             uint64_t zero)
{
  struct dg_cache *cache = &part->caches[miss->core];
  struct dg_cache_depths *depths = dg_cache_part_depths (part, miss->kind);
  uint64_t line = miss->address >> cache->line_bits;
  enum dg_cache_state state = miss->is_miss ? DG_CACHE_MISS : DG_CACHE_HIT;
  unsigned i;

  for (i = 0; miss->cold >> i != 0; i++) {
    enum dg_cache_state one = DG_CACHE_HIT;

    if ((miss->cold >> i & 1) != 0)
      one = dg_cache_known_touch (cache, line + i != 0 ? line + i : zero,
                                  true, depths);
    state = MAX (state, one);
  }
  return state;
}

/* Whether it is a miss: looks up the lines that are not certain.  */
static bool
is_miss_there (struct dg_cache *cache, const struct dg_cache_miss *miss,
               uint64_t zero)
{
  uint64_t line = miss->address >> cache->line_bits;
  bool is_miss = miss->is_miss;
  unsigned i;

  for (i = 0; miss->cold >> i != 0; i++)
    if ((miss->cold >> i & 1) != 0
        && !dg_cache_touch (cache, line + i != 0 ? line + i : zero))
      is_miss = true;
  return is_miss;
}

/* The counters that it belongs to; NULL: none.  */
static uint64_t *
find_row (struct dg_cache_part *part, const struct dg_cache_miss *miss)
{
  if (part->is_by_code)
    return dg_cache_part_row_of (part, miss->key, miss->instr);
  return part->sums != NULL ? dg_sums_number (part->sums, miss->key) : NULL;
}

static void
merge_miss (struct dg_cache_part *part, const struct dg_cache_miss *miss)
{
  struct dg_cache_miss certain = *miss;
  uint64_t zero = part->index == 0 ? 0 : DG_CACHE_LINE_ZERO;
  enum dg_cache_state state =
    part->plan->is_windowed ? state_there (part, miss, zero)
    : is_miss_there (&part->caches[miss->core], miss, zero)
      ? DG_CACHE_MISS
      : DG_CACHE_HIT;

  if (state == DG_CACHE_HIT)
    return;
  certain.is_miss = state == DG_CACHE_MISS;
  certain.row = find_row (part, miss);
  dg_cache_lower_look_up (part->plan->lower, &certain);
}

/* A window begins, unless it did in a chunk before.  */
static void
merge_window (struct dg_cache_part *const parts[2], uint64_t window)
{
  if (parts[0]->window == window)
    return;
  parts[0]->window = window;
  dg_cache_part_forget (parts[0]);
  dg_cache_part_forget (parts[1]);
  dg_cache_lower_forget (parts[0]->plan->lower);
}

/* The lines of a set as the chunk leaves them: its own come before those that
   were there and that it did not touch.  */
static void
join_set (uint64_t *set, const uint64_t *own, unsigned assoc)
{
  uint64_t line, *to;
  unsigned n = 0, i, k;

  while (n < assoc && own[n] != DG_CACHE_EMPTY)
    n++;
  /* By now all of its own are there, in the order in which they were touched
     first, before all others.  */
  for (i = 0, to = set; i < n; i++) {
    line = own[i];
    for (k = i; k < assoc && set[k] != line; k++)
      ;
    memmove (to + 1, to, (k < assoc ? k - i : assoc - 1 - i) * sizeof *to);
    *to++ = line;
  }
}

static void
join_lines (const struct dg_cache_chunk *chunk,
            struct dg_cache_part *const parts[2])
{
  const uint64_t *own = chunk->lines;
  uint32_t i;
  unsigned k;
  uint64_t j;

  for (i = 0; i < chunk->n_cores; i++)
    for (k = 0; k < 2; k++) {
      struct dg_cache *cache = &parts[k]->caches[chunk->cores[i]];
      for (j = 0; j <= cache->set_mask; j++, own += cache->assoc)
        join_set (cache->lines + j * cache->assoc, own, cache->assoc);
    }
}

int
dg_cache_chunk_merge (struct dg_cache_chunk *chunk,
                      struct dg_cache_part *const parts[2],
                      struct dg_error *err)
{
  const struct dg_cache_miss *at[2], *end[2];
  int code = 0;
  unsigned i;

  for (i = 0; i < 2; i++) {
    at[i] = chunk->misses[i].items;
    end[i] = at[i] + chunk->misses[i].n;
  }
  while (code == 0 && (at[0] < end[0] || at[1] < end[1])) {
    i = at[0] == end[0] || (at[1] < end[1] && at[1]->order < at[0]->order);
    if (at[i]->kind == DG_MISS_MARK)
      code = dg_cache_lower_mark_up_to (
        parts[0]->plan->lower, at[i]->address > 0 ? at[i]->address - 1 : 0,
        err);
    else if (at[i]->kind == DG_MISS_WINDOW)
      merge_window (parts, at[i]->address);
    else
      merge_miss (parts[i], at[i]);
    at[i]++;
  }
  join_lines (chunk, parts);
  if (code == 0 && (parts[0]->code < 0 || parts[1]->code < 0))
    return dg_error_nomem (err);
  return code;
}

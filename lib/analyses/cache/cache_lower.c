/* cache_lower.c: the levels after the first one, fed by its parts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_lower.h"

#include <string.h>

#include "base/error.h"
#include "base/table.h"

/* What a part gave and has not been looked up yet.  */
struct queue {
  struct dg_table misses;  /* struct dg_cache_miss, from `at` on */
  size_t at;
  uint64_t until;          /* there will be no more below it */
};

struct dg_cache_lower {
  GMutex lock;             /* guards all that follows */
  struct queue queues[DG_LOWER_PARTS];
  unsigned n_queues;
  struct dg_cache *levels; /* [core * n_levels + level] */
  unsigned n_levels;
  uint32_t n_cores;
  struct dg_cache_lower_counts counts,
    latest;                                /* latest: since the last mark */
  struct dg_table marks;                   /* struct dg_cache_lower_counts */
  /* Of a sample: [level * DG_MISS_KINDS + kind]; else NULL.  */
  struct dg_cache_depths *depths;
};

struct dg_cache_lower *
dg_cache_lower_new (const struct dg_cache_shape *shapes, unsigned n_levels,
                    enum dg_cache_policy policy, uint32_t cores,
                    unsigned parts, struct dg_error *err)
{
  struct dg_cache_lower *lower = g_try_new0 (struct dg_cache_lower, 1);
  size_t i;

  g_assert (n_levels > 0 && n_levels <= DG_LOWER_LEVELS);
  g_assert (parts > 0 && parts <= DG_LOWER_PARTS);
  if (lower == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  g_mutex_init (&lower->lock);
  lower->n_queues = parts;
  lower->n_levels = n_levels;
  lower->n_cores = cores;
  lower->levels = g_try_new0 (struct dg_cache, (size_t) cores * n_levels);
  if (lower->levels == NULL) {
    dg_error_nomem (err);
    goto fail;
  }
  for (i = 0; i < (size_t) cores * n_levels; i++)
    if (dg_cache_init (&lower->levels[i], &shapes[i % n_levels], policy, err)
        < 0)
      goto fail;
  return lower;

fail:
  dg_cache_lower_free (lower);
  return NULL;
}

void
dg_cache_lower_free (struct dg_cache_lower *lower)
{
  size_t i;

  if (lower == NULL)
    return;
  for (i = 0; i < lower->n_queues; i++)
    dg_table_fini (&lower->queues[i].misses);
  for (i = 0; lower->levels && i < (size_t) lower->n_cores * lower->n_levels;
       i++)
    dg_cache_fini (&lower->levels[i]);
  g_free (lower->levels);
  for (i = 0; lower->depths && i < lower->n_levels * DG_MISS_KINDS; i++)
    dg_cache_depths_fini (&lower->depths[i]);
  g_free (lower->depths);
  dg_table_fini (&lower->marks);
  g_mutex_clear (&lower->lock);
  g_free (lower);
}

int
dg_cache_lower_set_windows (struct dg_cache_lower *lower,
                            struct dg_error *err)
{
  size_t n = (size_t) lower->n_levels * DG_MISS_KINDS, i;
  int code = 0;

  lower->depths = g_try_new0 (struct dg_cache_depths, n);
  if (lower->depths == NULL)
    return dg_error_nomem (err);
  for (i = 0; i < n && code == 0; i++)
    code = dg_cache_depths_init (
      &lower->depths[i], lower->levels[i / DG_MISS_KINDS].assoc, err);
  for (i = 0; i < (size_t) lower->n_cores * lower->n_levels && code == 0; i++)
    code = dg_cache_known_first_only (&lower->levels[i], err);
  return code;
}

void
dg_cache_lower_forget (struct dg_cache_lower *lower)
{
  size_t i;

  for (i = 0; i < (size_t) lower->n_cores * lower->n_levels; i++)
    dg_cache_clear (&lower->levels[i]);
}

const struct dg_cache_depths *
dg_cache_lower_depths (const struct dg_cache_lower *lower, unsigned level)
{
  return &lower->depths[(size_t) level * DG_MISS_KINDS];
}

static void
add_counts (struct dg_cache_lower_counts *to,
            const struct dg_cache_lower_counts *from)
{
  unsigned i, j;

  for (i = 0; i < DG_MISS_KINDS; i++) {
    to->halves[i] += from->halves[i];
    to->unknown_halves[i] += from->unknown_halves[i];
    for (j = 0; j < DG_LOWER_LEVELS; j++) {
      to->misses[j][i] += from->misses[j][i];
      to->unknown[j][i] += from->unknown[j][i];
    }
  }
}

static int
mark (struct dg_cache_lower *lower, struct dg_error *err)
{
  struct dg_cache_lower_counts *counts
    = dg_table_add (&lower->marks, sizeof *counts);

  if (counts == NULL)
    return dg_error_nomem (err);
  *counts = lower->latest;
  add_counts (&lower->counts, &lower->latest);
  memset (&lower->latest, 0, sizeof lower->latest);
  return 0;
}

static struct dg_cache *
levels_of (struct dg_cache_lower *lower, const struct dg_cache_miss *miss)
{
  uint32_t core = lower->n_cores > 1 ? miss->core : 0;

  return &lower->levels[(size_t) core * lower->n_levels];
}

/* The same of a sample: up to one that hits for certain.  */
static void
look_up_known (struct dg_cache_lower *lower, const struct dg_cache_miss *miss)
{
  struct dg_cache *levels = levels_of (lower, miss);
  bool is_certain = miss->is_miss;
  enum dg_cache_state state;
  unsigned i;

  for (i = 0; i < lower->n_levels; i++) {
    state = dg_cache_known_access (
      &levels[i], miss->address, miss->width, 0, is_certain,
      &lower->depths[i * DG_MISS_KINDS + miss->kind]);
    if (state == DG_CACHE_HIT)
      return;
    is_certain = is_certain && state == DG_CACHE_MISS;
    (is_certain ? lower->latest.misses[i]
                : lower->latest.unknown[i])[miss->kind]++;
  }
  if (miss->row == NULL || miss->kind >= DG_MISS_PREFETCH)
    return;
  miss->row[is_certain ? dg_miss_event (miss->kind) + 2
                       : dg_unknown_event (miss->kind) + 1]++;
}

/* Looks a miss up in one level after the other, up to one that hits.  */
static void
look_up (struct dg_cache_lower *lower, const struct dg_cache_miss *miss)
{
  struct dg_cache *levels = levels_of (lower, miss);
  unsigned i;

  if (lower->depths != NULL) {
    look_up_known (lower, miss);
    return;
  }
  for (i = 0; i < lower->n_levels; i++) {
    if (dg_cache_access (&levels[i], miss->address, miss->width + 1))
      return;
    lower->latest.misses[i][miss->kind]++;
  }
  if (miss->row != NULL && miss->kind < DG_MISS_PREFETCH)
    miss->row[dg_miss_event (miss->kind) + 2]++;
}

/* The two halves of an access have the same place in the log.  */
static void
take_halves (struct dg_cache_lower *lower, const struct dg_cache_miss *miss)
{
  unsigned i;

  lower->latest.halves[miss->kind]++;
  if (miss->row != NULL)
    dg_miss_count (&miss->row[dg_miss_event (miss->kind) + 1]);
  for (i = 0; i < lower->n_queues; i++) {
    struct queue *queue = &lower->queues[i];
    const struct dg_cache_miss *other
      = (const struct dg_cache_miss *) queue->misses.items + queue->at;
    if (queue->at < queue->misses.n && other->order == miss->order)
      queue->at++;
  }
}

/* The queue whose next miss comes first in the log, and the place of the next
   one of the others; NULL: all are empty.  */
static struct queue *
first_queue (struct dg_cache_lower *lower, uint64_t *others)
{
  struct queue *first = NULL;
  uint64_t lowest = UINT64_MAX;
  unsigned i;

  *others = UINT64_MAX;
  for (i = 0; i < lower->n_queues; i++) {
    struct queue *queue = &lower->queues[i];
    uint64_t order;
    if (queue->at >= queue->misses.n)
      continue;
    order =
      ((const struct dg_cache_miss *) queue->misses.items)[queue->at].order;
    if (first == NULL || order < lowest) {
      *others = lowest;
      lowest = order;
      first = queue;
    } else if (order < *others)
      *others = order;
  }
  return first;
}

/* Forgets what has been looked up, when that is most of a queue.  */
static void
shorten (struct queue *queue)
{
  struct dg_cache_miss *misses = queue->misses.items;
  size_t left = queue->misses.n - queue->at;

  if (queue->at == 0 || left > queue->at)
    return;
  memmove (misses, misses + queue->at, left * sizeof *misses);
  queue->misses.n = left;
  queue->at = 0;
}

/* Looks up what no part can get ahead of any more.  */
static int
drain (struct dg_cache_lower *lower, struct dg_error *err)
{
  uint64_t until = UINT64_MAX, others;
  struct queue *queue;
  unsigned i;
  int code = 0;

  for (i = 0; i < lower->n_queues; i++)
    until = MIN (until, lower->queues[i].until);
  while (code == 0 && (queue = first_queue (lower, &others)) != NULL) {
    const struct dg_cache_miss *misses = queue->misses.items;
    if (misses[queue->at].order >= until)
      break;
    do {
      const struct dg_cache_miss *miss = &misses[queue->at++];
      if (miss->kind == DG_MISS_MARK) {
        code = mark (lower, err);
        continue;
      }
      if (miss->kind == DG_MISS_WINDOW) {
        dg_cache_lower_forget (lower);
        continue;
      }
      if (miss->is_half)
        take_halves (lower, miss);
      look_up (lower, miss);
    } while (code == 0 && queue->at < queue->misses.n
             && misses[queue->at].order < MIN (until, others));
  }
  for (i = 0; i < lower->n_queues; i++)
    shorten (&lower->queues[i]);
  return code;
}

int
dg_cache_lower_give (struct dg_cache_lower *lower, unsigned part,
                     const struct dg_cache_miss *misses, size_t n,
                     uint64_t until, struct dg_error *err)
{
  struct queue *queue = &lower->queues[part];
  int code = 0;

  g_mutex_lock (&lower->lock);
  if (queue->misses.n + n > queue->misses.room
      && dg_table_reserve (&queue->misses, sizeof *misses,
                           queue->misses.n + queue->misses.n / 2 + n) < 0)
    code = dg_error_nomem (err);
  if (code == 0) {
    if (n > 0)
      memcpy ((struct dg_cache_miss *) queue->misses.items + queue->misses.n,
              misses, n * sizeof *misses);
    queue->misses.n += n;
    queue->until = until;
    code = drain (lower, err);
  }
  g_mutex_unlock (&lower->lock);
  return code;
}

void
dg_cache_lower_look_up (struct dg_cache_lower *lower,
                        const struct dg_cache_miss *miss)
{
  bool is_certain = lower->depths == NULL || miss->is_miss;

  (is_certain ? lower->latest.halves
              : lower->latest.unknown_halves)[miss->kind]++;
  if (miss->row != NULL)
    miss->row[is_certain ? dg_miss_event (miss->kind) + 1
                         : dg_unknown_event (miss->kind)]++;
  look_up (lower, miss);
}

int
dg_cache_lower_mark_up_to (struct dg_cache_lower *lower, size_t n,
                           struct dg_error *err)
{
  int code = 0;

  while (code == 0 && lower->marks.n < n)
    code = mark (lower, err);
  return code;
}

const struct dg_cache_lower_counts *
dg_cache_lower_counts (struct dg_cache_lower *lower)
{
  add_counts (&lower->counts, &lower->latest);
  memset (&lower->latest, 0, sizeof lower->latest);
  return &lower->counts;
}

const struct dg_cache_lower_counts *
dg_cache_lower_mark (const struct dg_cache_lower *lower, size_t i)
{
  if (i == lower->marks.n)
    return &lower->latest;
  if (i > lower->marks.n)
    return NULL;
  return (const struct dg_cache_lower_counts *) lower->marks.items + i;
}

void
dg_cache_add_lower (uint64_t *events,
                    const struct dg_cache_lower_counts *counts,
                    unsigned n_levels)
{
  unsigned i;

  for (i = 0; i < DG_MISS_PREFETCH; i++) {
    events[dg_miss_event (i) + 1] += counts->halves[i];
    events[dg_miss_event (i) + 2] += counts->misses[n_levels - 1][i];
    events[dg_unknown_event (i)] += counts->unknown_halves[i];
    events[dg_unknown_event (i) + 1] += counts->unknown[n_levels - 1][i];
  }
}

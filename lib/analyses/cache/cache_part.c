/* cache_part.c: a part of the first level, from its first batch to its end.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_part.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"

/* Parts tell how far they are at least so often.  */
#define BATCHES_MAX 64

static int
make_caches (struct dg_cache_part *part, struct dg_error *err)
{
  const struct dg_cache_plan *plan = part->plan;
  uint32_t i;

  if (part->index > 0 && plan->is_private) {
    part->private_caches
      = dg_cache_private_new (&plan->data, plan->policy, plan->n_cores,
                              plan->has_prefetch, err);
    return part->private_caches != NULL ? 0 : DG_ERR_NOMEM;
  }
  part->caches = g_try_new0 (struct dg_cache, plan->n_cores);
  if (part->caches == NULL)
    return dg_error_nomem (err);
  for (i = 0; i < plan->n_cores; i++)
    if (dg_cache_init (&part->caches[i],
                       part->index == 0 ? &plan->instr : &plan->data,
                       plan->policy, err)
        < 0)
      return DG_ERR_NOMEM;
  return 0;
}

static int
make_sums (struct dg_cache_part *part, bool is_of_run, struct dg_error *err)
{
  const struct dg_cache_plan *plan = part->plan;

  /* Instructions belong to no variable.  */
  if (plan->groups == NULL || (part->index == 0 && dg_by_is_data (plan->by)))
    return 0;
  if (dg_by_is_code (plan->by))
    return dg_cache_part_code_init (part, is_of_run, err);
  part->sums = dg_breakdown_sums_new (plan->groups, err);
  return part->sums != NULL ? 0 : DG_ERR_NOMEM;
}

static int
make_depths (struct dg_cache_part *part, struct dg_error *err)
{
  const struct dg_cache_plan *plan = part->plan;
  uint32_t assoc = part->index == 0 ? plan->instr.assoc : plan->data.assoc;
  int code = 0;
  unsigned i;

  for (i = 0; plan->is_windowed && code == 0 && i < 2; i++)
    code = dg_cache_depths_init (&part->depths[i], assoc, err);
  return code;
}

struct dg_cache_part *
dg_cache_part_new (const struct dg_cache_plan *plan, unsigned index,
                   bool is_of_run, struct dg_error *err)
{
  struct dg_cache_part *part = g_try_new0 (struct dg_cache_part, 1);

  if (part == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  part->plan = plan;
  part->index = index;
  if (make_caches (part, err) < 0 || make_sums (part, is_of_run, err) < 0
      || make_depths (part, err) < 0) {
    dg_cache_part_free (part);
    return NULL;
  }
  return part;
}

static void
free_caches (struct dg_cache_part *part)
{
  uint32_t i;

  for (i = 0; part->caches != NULL && i < part->plan->n_cores; i++)
    dg_cache_fini (&part->caches[i]);
  g_clear_pointer (&part->caches, g_free);
}

void
dg_cache_part_free (struct dg_cache_part *part)
{
  while (part != NULL) {
    struct dg_cache_part *next = part->next;

    free_caches (part);
    dg_cache_private_free (part->private_caches);
    dg_breakdown_sums_free (part->sums);
    dg_cache_part_code_fini (part);
    dg_cache_depths_fini (&part->depths[0]);
    dg_cache_depths_fini (&part->depths[1]);
    g_free (part);
    part = next;
  }
}

/* Appends the misses of a chunk to those that it had.  */
static int
keep (struct dg_cache_part *part)
{
  struct dg_table *out = part->out;
  size_t n = out->n + part->n_misses;

  if (part->n_misses == 0)
    return 0;
  if (n > out->room
      && dg_table_reserve (out, sizeof (struct dg_cache_miss), n + out->n / 2)
           < 0)
    return dg_error_nomem (part->err);
  memcpy ((struct dg_cache_miss *) out->items + out->n, part->misses,
          part->n_misses * sizeof (struct dg_cache_miss));
  out->n = n;
  return 0;
}

void
dg_cache_part_give (struct dg_cache_part *part, uint64_t until)
{
  if (part->code == 0 && part->out != NULL)
    part->code = keep (part);
  else if (part->code == 0)
    part->code =
      dg_cache_lower_give (part->plan->lower, part->index, part->misses,
                           part->n_misses, until, part->err);
  part->n_misses = 0;
  part->batches = 0;
}

void
dg_cache_part_forget (struct dg_cache_part *part)
{
  uint32_t i;

  for (i = 0; part->caches != NULL && i < part->plan->n_cores; i++)
    dg_cache_clear (&part->caches[i]);
  if (part->private_caches != NULL)
    dg_cache_private_forget (part->private_caches);
}

/* Of a part that passes over the whole log.  */
static void
begin_window (struct dg_cache_part *part, uint64_t window)
{
  dg_cache_part_forget (part);
  if (part->index == 0)
    dg_cache_part_miss (part, dg_miss_order_fetch (part->run, 0),
                        DG_MISS_WINDOW, window, 0, NULL);
  part->window = window;
}

int
dg_cache_part_feed (struct dg_cache_part *part, const struct dg_batch *batch,
                    struct dg_error *err)
{
  const struct dg_cache_plan *plan = part->plan;
  uint32_t thread;

  if (batch->n_runs == 0)
    return 0;
  thread = batch->runs[0].thread;
  part->core = plan->n_cores > 1
                 ? dg_pairs_find (&plan->core_of, thread, 0) : 0;
  if (part->core == UINT32_MAX)
    part->core = 0;
  part->cache = part->caches != NULL ? &part->caches[part->core] : NULL;
  part->row = NULL;
  if (part->sums != NULL && plan->by == DG_BY_THREAD)
    part->row = dg_sums_number (part->sums, thread);
  part->err = err;
  if (part->out == NULL && batch->window != part->window)
    begin_window (part, batch->window);
  if (part->index == 0)
    dg_cache_part_fetch (part, batch);
  else
    dg_cache_part_access (part, batch);
  if (++part->batches >= BATCHES_MAX)
    dg_cache_part_give (part, dg_miss_order_fetch (part->run, 0));
  return part->code;
}

int
dg_cache_part_mark (struct dg_cache_part *part, struct dg_error *err)
{
  unsigned i;

  for (i = 0; i < DG_EVENTS_ALL; i++) {
    part->before[i] += part->totals[i];
    part->totals[i] = 0;
  }
  part->err = err;
  if (part->index == 0)
    dg_cache_part_miss (part, dg_miss_order_fetch (part->run, 0), DG_MISS_MARK,
                        0, 0, NULL);
  part->n_marks++;
  return part->code;
}

int
dg_cache_part_end (struct dg_cache_part *part, struct dg_error *err)
{
  part->err = err;
  dg_cache_part_give (part, UINT64_MAX);
  if (part->private_caches != NULL
      && dg_cache_private_has_failed (part->private_caches))
    return dg_error_nomem (err);
  return part->code;
}

/* Of a sample: whether a line is missing for certain; notes how deep the lines
   are that are certain.  */
static bool
touch_known (struct dg_cache_part *part, unsigned kind, uint64_t line,
             uint64_t last, uint64_t zero, uint8_t *cold)
{
  struct dg_cache_depths *depths = dg_cache_part_depths (part, kind);
  bool is_miss = false;
  unsigned i;

  for (i = 0; line + i <= last; i++) {
    uint64_t touched = line + i != 0 ? line + i : zero;
    enum dg_cache_state state =
      dg_cache_known_touch (part->cache, touched, true, depths);

    is_miss |= state == DG_CACHE_MISS;
    if (state == DG_CACHE_UNKNOWN)
      *cold |= 1 << i;
  }
  return is_miss;
}

void
dg_cache_part_note (struct dg_cache_part *part, uint64_t order, unsigned kind,
                    uint64_t address, uint32_t width,
                    enum dg_cache_state state, uint64_t *row)
{
  unsigned event = state == DG_CACHE_MISS ? dg_miss_event (kind) + 1
                                          : dg_unknown_event (kind);

  if (state == DG_CACHE_HIT)
    return;
  part->totals[event]++;
  if (row != NULL)
    row[event]++;
  dg_cache_part_miss (part, order, kind, address, width, row)->is_miss =
    state == DG_CACHE_MISS;
}

/* A set that still has a place that was never used may have held the line when
   the chunk began; one that has none has seen as many other lines since, and
   by LRU, it did not.  */
static bool
touch_lines (struct dg_cache_part *part, uint64_t line, uint64_t last,
             uint64_t zero, uint8_t *cold)
{
  bool is_miss = false;
  unsigned i;

  for (i = 0; line + i <= last; i++) {
    uint64_t touched = line + i != 0 ? line + i : zero;
    uint64_t *set = dg_cache_set (part->cache, touched), gone;
    if (set[0] == touched)
      continue;
    gone = dg_cache_replace (part->cache, set, touched);
    if (gone == DG_CACHE_EMPTY)
      *cold |= 1 << i;
    else if (gone != touched)
      is_miss = true;
  }
  return is_miss;
}

void
dg_cache_part_touch (struct dg_cache_part *part, uint64_t order, unsigned kind,
                     uint64_t address, uint32_t width, uint64_t zero,
                     uint32_t key, uint32_t instr)
{
  unsigned bits = part->cache->line_bits;
  uint64_t end = address + width, line = address >> bits;
  uint64_t last = (end < address ? UINT64_MAX : end) >> bits;
  struct dg_cache_miss *miss;
  uint8_t cold = 0;
  bool is_miss =
    part->plan->is_windowed
      ? touch_known (part, kind, line, last, zero, &cold)
      : touch_lines (part, line, last, zero, &cold);

  if (!is_miss && cold == 0)
    return;
  miss = dg_cache_part_miss (part, order, kind, address, width, NULL);
  miss->key = key;
  miss->instr = instr;
  miss->is_miss = is_miss;
  miss->cold = cold;
}

/* ---- Of a worker ------------------------------------------------------ */

int
dg_cache_part_add (struct dg_cache_part *to, struct dg_cache_part *from,
                   struct dg_breakdown *groups, struct dg_error *err)
{
  size_t j;

  for (j = 0; j < DG_EVENTS_ALL; j++)
    to->before[j] += from->before[j] + from->totals[j];
  for (j = 0; j < 2; j++)
    dg_cache_depths_add (&to->depths[j], &from->depths[j]);
  free_caches (from);
  from->next = to->next;
  to->next = from;
  if (from->code < 0)
    return dg_error_nomem (err);
  return from->sums != NULL ? dg_breakdown_take (groups, from->sums, err) : 0;
}

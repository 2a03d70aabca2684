/* cache_each.c: data caches, access by access (dg_simulate.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/error.h"
#include "cache_sim.h"
#include "dg_traffic.h"
#include "libdatagrind.h"

struct dg_cache_each {
  struct dg_cache first, last;
};

struct dg_cache_each *
dg_cache_each_new (struct dg_error *err)
{
  struct dg_cache_each *each = g_try_new0 (struct dg_cache_each, 1);
  struct dg_cache_shape first, last;

  if (each == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  if (dg_cache_shape_parse (DG_TRAFFIC_L1, "D1", &first, err) < 0
      || dg_cache_shape_parse (DG_TRAFFIC_LL, "LL", &last, err) < 0
      || dg_cache_init (&each->first, &first, DG_CACHE_LRU, err) < 0
      || dg_cache_init (&each->last, &last, DG_CACHE_LRU, err) < 0) {
    dg_cache_each_free (each);
    return NULL;
  }
  return each;
}

void
dg_cache_each_free (struct dg_cache_each *each)
{
  if (each == NULL)
    return;
  dg_cache_fini (&each->first);
  dg_cache_fini (&each->last);
  g_free (each);
}

static void
touch (struct dg_cache_each *each, uint64_t line, struct dg_cache_step *step)
{
  uint64_t *set = dg_cache_set (&each->first, line), evicted;
  uint8_t level;

  if (set[0] == line)
    return;
  evicted = dg_cache_replace (&each->first, set, line);
  if (evicted == line)
    return;
  level = dg_cache_touch (&each->last, line) ? 1 : 2;
  step->level = MAX (step->level, level);
  if (step->n_lines < DG_CACHE_EACH_LINES) {
    step->fetched[step->n_lines] = line;
    step->evicted[step->n_lines++] = evicted;
  }
}

void
dg_cache_each_access (struct dg_cache_each *each, uint64_t address,
                      uint32_t size, struct dg_cache_step *step)
{
  uint64_t end = size > 0 ? address + (size - 1) : address;
  uint64_t line = address >> each->first.line_bits;
  uint64_t last =
    (end < address ? UINT64_MAX : end) >> each->first.line_bits;

  step->level = 0;
  step->n_lines = 0;
  touch (each, line, step);
  while (G_UNLIKELY (line != last))
    touch (each, ++line, step);
}

/* curve_states.c: finding states of the heap: by moment, by place on the
   axis, the highest and the lowest.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve.h"

#include "log/clock.h"
#include "base/bisect.h"

#include <string.h>

/* Sums of what was allocated and freed stop here.  */
#define MOST_TURNOVER ((uint64_t) 1 << 62)

/* ---- Marks ------------------------------------------------------------ */

static uint64_t
change_bytes (const struct dg_curve_source *source, size_t state)
{
  uint64_t before = source->totals[state - 1], now = source->totals[state];

  return now > before ? now - before : before - now;
}

static uint64_t
add_turnover (const struct dg_curve_source *source, uint64_t sum, size_t state)
{
  return MIN (sum + change_bytes (source, state), MOST_TURNOVER);
}

/* States of marks are copies of one that goes along.  */
static void
fill_marks (struct dg_curve_source *source, uint64_t *bytes, uint32_t *blocks)
{
  size_t mask = ((size_t) 1 << source->stride_bits) - 1;
  size_t n_origins = source->origins.n;
  uint64_t turnover = 0;

  for (size_t state = 0; state <= source->n; state++) {
    size_t mark = state >> source->stride_bits;

    if (state > 0) {
      uint32_t origin = source->changes[state] >> 1;

      bytes[origin] += source->totals[state] - source->totals[state - 1];
      blocks[origin] += (source->changes[state] & 1) != 0 ? UINT32_MAX : 1;
      turnover = add_turnover (source, turnover, state);
    }
    if ((state & mask) == 0) {
      memcpy (source->mark_bytes + mark * n_origins, bytes,
              n_origins * sizeof *bytes);
      memcpy (source->mark_blocks + mark * n_origins, blocks,
              n_origins * sizeof *blocks);
      source->turnover[mark] = turnover;
      source->high[mark] = source->totals[state];
      source->low[mark] = UINT64_MAX;
    }
    source->high[mark] = MAX (source->high[mark], source->totals[state]);
    if (dg_curve_is_seen (source, state))
      source->low[mark] = MIN (source->low[mark], source->totals[state]);
  }
}

/* Marks are so far apart that they take a part of what the states take.  */
int
dg_curve_make_marks (struct dg_curve_source *source)
{
  size_t n_origins = source->origins.n, n;
  uint64_t *bytes = g_try_new0 (uint64_t, n_origins + 1);
  uint32_t *blocks = g_try_new0 (uint32_t, n_origins + 1);
  int code = DG_ERR_NOMEM;

  source->stride_bits = 12;
  while ((size_t) 1 << source->stride_bits < n_origins)
    source->stride_bits++;
  n = source->n_marks = (source->n >> source->stride_bits) + 1;
  source->turnover = g_try_new (uint64_t, n);
  source->high = g_try_new (uint64_t, n);
  source->low = g_try_new (uint64_t, n);
  /* Not more than the states are, by the choice of the stride.  */
  source->mark_bytes = g_try_new (uint64_t, n * n_origins + 1);
  source->mark_blocks = g_try_new (uint32_t, n * n_origins + 1);
  if (bytes != NULL && blocks != NULL && source->turnover != NULL
      && source->high != NULL && source->low != NULL
      && source->mark_bytes != NULL && source->mark_blocks != NULL) {
    fill_marks (source, bytes, blocks);
    code = 0;
  }
  g_free (bytes);
  g_free (blocks);
  return code;
}

/* ---- By moment -------------------------------------------------------- */

size_t
dg_curve_state_at (const struct dg_curve_source *source, uint64_t icount)
{
  /* State 0 holds from 0 on; more than one may.  */
  return DG_BISECT (1, source->n + 1, i, source->icounts[i] <= icount) - 1;
}

/* ---- High and low ----------------------------------------------------- */

size_t
dg_curve_highest (const struct dg_curve_source *source, size_t first,
                  size_t last)
{
  size_t best = first, stride = (size_t) 1 << source->stride_bits;

  for (size_t state = first + 1; state <= last;) {
    if ((state & (stride - 1)) == 0 && state + stride - 1 <= last
        && source->high[state >> source->stride_bits]
             <= source->totals[best]) {
      state += stride;
      continue;
    }
    if (source->totals[state] > source->totals[best])
      best = state;
    state++;
  }
  /* Bytes that are freed at a moment go before those that come, so that what
     is not seen is never the highest alone; but more blocks may come.  */
  return dg_curve_is_seen (source, best)
           ? best
           : dg_curve_state_at (source, source->icounts[best]);
}

uint64_t
dg_curve_lowest (const struct dg_curve_source *source, size_t first,
                 size_t last)
{
  uint64_t best = source->totals[last];
  size_t stride = (size_t) 1 << source->stride_bits;

  for (size_t state = first; state <= last;) {
    if ((state & (stride - 1)) == 0 && state + stride - 1 <= last) {
      best = MIN (best, source->low[state >> source->stride_bits]);
      state += stride;
      continue;
    }
    if (source->totals[state] < best && dg_curve_is_seen (source, state))
      best = source->totals[state];
    state++;
  }
  return best;
}

/* ---- The axis --------------------------------------------------------- */

static uint64_t
icount_of_ns (const struct dg_curve_source *source, uint64_t ns)
{
  static const struct dg_clock zero = { 0, 0 };
  size_t low;
  const struct dg_clock *from, *to;
  uint64_t span;

  low = DG_BISECT (0, source->n_clock, i, source->clock[i].ns < ns);
  to = source->clock + low;
  from = low > 0 ? to - 1 : &zero;
  if (low == source->n_clock)
    return from->icount;
  /* Rounded up: the first moment that has come so far.  */
  span = to->ns - from->ns;
  if (span == 0)
    return from->icount;
  return from->icount
         + (uint64_t) (((unsigned __int128) (ns - from->ns)
                        * (to->icount - from->icount) + span - 1) / span);
}

static uint64_t
turnover_of (const struct dg_curve_source *source, size_t state)
{
  size_t mark = state >> source->stride_bits;
  uint64_t sum = source->turnover[mark];

  for (size_t i = (mark << source->stride_bits) + 1; i <= state; i++)
    sum = add_turnover (source, sum, i);
  return sum;
}

/* The last state that is seen before more than `value` bytes came and went; or
   the first of all, when that is not seen.  */
static size_t
state_of_turnover (const struct dg_curve_source *source, uint64_t value)
{
  size_t low =
    DG_BISECT (1, source->n_marks, i, source->turnover[i] <= value) - 1;
  size_t state, first;
  uint64_t sum;

  state = low << source->stride_bits;
  sum = source->turnover[low];
  while (state < source->n) {
    sum = add_turnover (source, sum, state + 1);
    if (sum > value)
      break;
    state++;
  }
  if (dg_curve_is_seen (source, state))
    return state;
  first = source->icounts[state] > 0
            ? dg_curve_state_at (source, source->icounts[state] - 1)
            : 0;
  return first;
}

uint64_t
dg_curve_time_of (const struct dg_curve_source *source,
                  enum dg_curve_time time, uint64_t icount)
{
  switch (time) {
  case DG_CURVE_BYTES:
    return turnover_of (source, dg_curve_state_at (source, icount));
  case DG_CURVE_NS:
    return dg_clock_near (source->clock, source->n_clock, icount);
  default:
    return icount;
  }
}

uint64_t
dg_curve_icount_of (const struct dg_curve_source *source,
                    enum dg_curve_time time, uint64_t value)
{
  switch (time) {
  case DG_CURVE_BYTES:
    return source->icounts[state_of_turnover (source, value)];
  case DG_CURVE_NS:
    return icount_of_ns (source, value);
  default:
    return value;
  }
}

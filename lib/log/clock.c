/* clock.c: time, between the readings of a log's clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "clock.h"
#include "base/bisect.h"

uint64_t
dg_clock_share (uint64_t b, uint64_t at, uint64_t from, uint64_t to)
{
  return (uint64_t) ((unsigned __int128) b * (at - from) / (to - from));
}

uint64_t
dg_clock_near (const struct dg_clock *clock, size_t n, uint64_t icount)
{
  /* What its readings count from.  */
  static const struct dg_clock zero = { 0, 0 };
  const struct dg_clock *before, *behind;
  size_t low;

  /* The first one behind the moment.  */
  low = DG_BISECT (0, n, i, clock[i].icount <= icount);
  before = low > 0 ? &clock[low - 1] : &zero;
  if (low == n)
    return before->ns;
  behind = &clock[low];
  /* A log may say that time ran backwards.  */
  if (behind->ns <= before->ns)
    return before->ns;
  return before->ns
         + dg_clock_share (behind->ns - before->ns, icount, before->icount,
                           behind->icount);
}

bool
dg_clock_at (const struct dg_clock *clock, size_t n, uint64_t icount,
             uint64_t *ns)
{
  if (n == 0 || icount > clock[n - 1].icount)
    return false;
  *ns = dg_clock_near (clock, n, icount);
  return true;
}

bool
dg_log_ns (const struct dg_log *log, uint64_t icount, uint64_t *ns)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);

  return dg_clock_at (clock, n, icount, ns);
}

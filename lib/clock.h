/* clock.h: time, between the readings of a log's clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLOCK_H
#define DG_CLOCK_H

#include "libdatagrind.h"

/* b * (at - from) / (to - from), without overflow; from <= at < to.  */
uint64_t dg_clock_share (uint64_t b, uint64_t at, uint64_t from, uint64_t to);

/* Ns at a moment, by n readings in the order of icounts: that of the first
   reading before it, and of the last one behind it.  0 if there is none.  */
uint64_t dg_clock_at (const struct dg_clock *clock, size_t n,
                      uint64_t icount);

#endif /* DG_CLOCK_H */

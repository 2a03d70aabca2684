/* clock.h: time, between the readings of a log's clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLOCK_H
#define DG_CLOCK_H

#include "libdatagrind.h"

/* b * (at - from) / (to - from), without overflow; from <= at < to.  */
uint64_t dg_clock_share (uint64_t b, uint64_t at, uint64_t from, uint64_t to);

/* Ns at a moment, by n readings in the order of icounts: what is between that
   of the last reading up to it, or 0 at the log's begin, and that of the first
   one behind it.  false: no reading is behind it, so that nobody knows.  */
bool dg_clock_at (const struct dg_clock *clock, size_t n, uint64_t icount,
                  uint64_t *ns);
/* For axes, which must go on: then that of the last reading; 0 if there is
   none.  */
uint64_t dg_clock_near (const struct dg_clock *clock, size_t n,
                        uint64_t icount);

#endif /* DG_CLOCK_H */

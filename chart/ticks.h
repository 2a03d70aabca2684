/* ticks.h: where ticks stand and what they say.  No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TICKS_H
#define DV_TICKS_H

#include <stdint.h>

#include <glib.h>

#include <libdatagrind.h>

struct dv_tick {
  double pixel;          /* from the beginning of the axis */
  uint64_t value;        /* such as an instruction count */
  char label[32];
};

/* Instruction counts first .. end - 1 on `pixels`, at least `apart` pixels
   from one another: an array of struct dv_tick.  */
GArray *dv_ticks_counts (uint64_t first, uint64_t end, double pixels,
                         double apart);

/* The time by n entries of a clock, which is interpolated; likewise, with the
   icount as value.  Before the first entry and behind the last one there are
   no ticks.  */
GArray *dv_ticks_times (uint64_t first, uint64_t end,
                        const struct dg_clock *clock, size_t n, double pixels,
                        double apart);

/* Bytes first .. end, both included, in KiB, MiB...: "1.5 MiB".  All have the
   same unit, but 0.  */
GArray *dv_ticks_bytes (uint64_t first, uint64_t end, double pixels,
                        double apart);

/* Ns of time first .. end - 1, as "1.5 ms".  */
GArray *dv_ticks_ns (uint64_t first, uint64_t end, double pixels,
                     double apart);

#endif /* DV_TICKS_H */

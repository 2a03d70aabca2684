/* axis.h: where ticks stand and what they say.  No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_AXIS_H
#define DV_AXIS_H

#include <stdint.h>

#include <glib.h>

#include <libdatagrind.h>

#include "layout.h"
#include "viewport.h"

struct dv_tick {
  double pixel;          /* from the left or the top of the area */
  uint64_t value;        /* address or instruction count */
  char label[32];
};

/* Instruction counts of the view on `pixels`, at least `apart` pixels from
   one another: an array of struct dv_tick.  */
GArray *dv_axis_counts (const struct dv_view *view, double pixels,
                        double apart);

/* The time by n entries of a clock, which is interpolated; likewise, with the
   icount as value.  Before the first entry and behind the last one there are
   no ticks.  */
GArray *dv_axis_times (const struct dv_view *view,
                       const struct dg_clock *clock, size_t n, double pixels,
                       double apart);

/* Addresses: the first of each segment that is wide enough, and round ones
   within segments; labels, `char_width` pixels a character, do not touch.
   From left to right.  */
GArray *dv_axis_addresses (const struct dv_layout *layout,
                           const struct dv_view *view, double pixels,
                           double char_width);

#endif /* DV_AXIS_H */

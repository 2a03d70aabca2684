/* axis.h: where ticks of addresses stand and what they say.  No drawing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_AXIS_H
#define DV_AXIS_H

#include <stdint.h>

#include <glib.h>

#include "layout.h"
#include "ticks.h"
#include "viewport.h"

/* Addresses: the first of each segment that is wide enough, and round ones
   within segments; labels, `char_width` pixels a character, do not touch.
   From left to right.  */
GArray *dv_axis_addresses (const struct dv_layout *layout,
                           const struct dv_view *view, double pixels,
                           double char_width);

#endif /* DV_AXIS_H */

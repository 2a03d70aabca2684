/* flame_svg.h: a flame graph as SVG, with text as text and tooltips.  Knows no
   GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FLAME_SVG_H
#define DV_FLAME_SVG_H

#include "flame_layout.h"

/* The picture of a layout, under a title.  A new string.  */
char *dv_flame_svg (const struct dv_flame_layout *layout, const char *title,
                    bool root_below);

#endif /* DV_FLAME_SVG_H */

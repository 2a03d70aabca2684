/* look.h: how a picture is drawn, whatever it shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LOOK_H
#define DV_LOOK_H

#include <stdbool.h>

#include "palette.h"

enum dv_colouring {
  DV_COLOUR_KIND,      /* by read and write */
  DV_COLOUR_THREAD     /* by the thread that made the accesses */
};

struct dv_look {
  const struct dv_palette *palette;
  enum dv_colouring colouring;
  bool no_boxes;       /* of heap blocks and ranges */
  bool no_grid;        /* of pages and lines */
  bool sharing;        /* mark lines that several threads touch */
  bool clock;          /* tell the time right of the data, if the log does */
};

#endif /* DV_LOOK_H */

/* look.h: how a picture is drawn, whatever it shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LOOK_H
#define DV_LOOK_H

#include <stdbool.h>

#include "palette.h"

enum dv_colouring {
  DV_COLOUR_KIND,      /* by read and write */
  DV_COLOUR_THREAD,    /* by the thread that made the accesses */
  /* How well caches serve them, see heat.h.  */
  DV_COLOUR_MISS, DV_COLOUR_REUSE, DV_COLOUR_USE,
  DV_N_COLOURINGS
};

/* Whether caches are simulated for it, which takes a while.  */
static inline bool
dv_colouring_is_heat (enum dv_colouring colouring)
{
  return colouring >= DV_COLOUR_MISS;
}

/* "kind", "thread", "miss", "reuse", "use", as in options and actions.  */
const char *dv_colouring_name (enum dv_colouring colouring);
/* false: it is not one of them.  */
bool dv_colouring_parse (const char *name, enum dv_colouring *colouring);

struct dv_look {
  const struct dv_palette *palette;
  enum dv_colouring colouring;
  bool no_boxes;       /* of heap blocks and ranges */
  bool no_grid;        /* of pages and lines */
  bool sharing;        /* mark lines that several threads touch */
  bool clock;          /* tell the time right of the data, if the log does */
};

#endif /* DV_LOOK_H */

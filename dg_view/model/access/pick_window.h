/* pick_window.h: of a long row of accesses, those around the best one.

   A pixel can have millions; only so many are kept as somebody will step
   through.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICK_WINDOW_H
#define DV_PICK_WINDOW_H

#include <glib.h>
#include <libdatagrind.h>

struct dv_pick_window {
  GArray *accesses;      /* struct dg_access; where there is a gap, two rows */
  guint gap;             /* index of the second row; 0: there is no gap */
  uint64_t first;        /* how many came before the first row */
  uint64_t after;        /* and before the second */
  uint64_t total;        /* that were added */
  guint best;            /* index of the best one */
  double badness;        /* of that; INFINITY without any */
};

void dv_pick_window_init (struct dv_pick_window *window);
void dv_pick_window_fini (struct dv_pick_window *window);
/* Adds the next access; the best is the first of those with the least
   badness.  */
void dv_pick_window_add (struct dv_pick_window *window,
                         const struct dg_access *access, double badness);
/* Leaves one row, which has the best one and at most `kept` accesses.  */
void dv_pick_window_close (struct dv_pick_window *window, guint kept);

#endif /* DV_PICK_WINDOW_H */

/* place_sums.h: adding up accesses by page and cache line, and by thread in
   these.

   Workers count in sheets.h.

   Memory: the sums take 80 bytes for a page, all of which are kept; and
   the same for a line, of which at most DV_MOST_LINES are: when there are
   more, the lighter half is forgotten, so that the sum of a line that comes
   back lacks what it had (see dv_tally.lines_lack).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PLACE_SUMS_H
#define DV_PLACE_SUMS_H

#include "sheets.h"

#define DV_MOST_LINES  (1280u * 1024)
/* As many are told, the heaviest.  */
#define DV_LISTED      10000

/* Of all workers.  */
struct dv_place_sums;

/* NULL: there is no memory.  */
struct dv_place_sums *dv_place_sums_new (const struct dv_scene *scene);
void dv_place_sums_free (struct dv_place_sums *sums);
/* Takes what a worker has counted, without clearing that.  Any thread.
   False: there is no memory, and the sums are good for nothing.  */
bool dv_place_sums_take (struct dv_place_sums *sums,
                         const struct dv_sheets *sheets);
/* Sets a tally's pages, lines, shares and their numbers.  Any thread.  False:
   there is no memory.  */
bool dv_place_sums_tell (struct dv_place_sums *sums, struct dv_tally *tally);

#endif /* DV_PLACE_SUMS_H */

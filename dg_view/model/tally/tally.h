/* tally.h: what the accesses of a rectangle of the plot add up to: by thread,
   call path, instruction, page, cache line and place of allocation.

   An access is in the rectangle if the instruction that made it is in the
   view's Y range, and one of its bytes in the X range; it counts as a whole.
   What the kernel reads and writes in system calls is not among them: it is
   not in the picture either.

   Made by decoding the chunks that the view needs, on all processors; where
   somebody wants partial results, code is counted first (tally_code.h).
   Names are looked up later, for what is shown.  Memory: see place_sums.h,
   site_sums.h and code_sums.h; together less than 200 MiB unless the view
   has millions of pages or call paths.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_H
#define DV_TALLY_H

#include "tally_state.h"

/* Called on the thread that makes the tally, some times a second, with what
   there is so far (done < 1; code_done may be 1), of chunks from all over the
   view; it takes a reference if it keeps it.  */
typedef void (*dv_tally_partial_fn) (void *user, struct dv_tally *tally);

/* workers: threads to use; 0: as many as there are processors, or half of
   that where the view has so many accesses that somebody else will want to
   use them meanwhile.  NULL and *err on failure; the scene must be of a log
   that was read, not of a glance.  partial and progress may be NULL; the
   latter stops it within some milliseconds.  */
struct dv_tally *dv_tally_new (struct dv_scene *scene,
                               const struct dv_view *view, unsigned workers,
                               dv_tally_partial_fn partial,
                               dg_progress_fn progress, void *user,
                               struct dg_error *err);
/* One that has the tables of code only, of sums that were made otherwise; its
   view is all of the scene.  */
struct dv_code_sums;
struct dv_tally *dv_tally_of_code (struct dv_scene *scene,
                                   struct dv_code_sums *sums);
struct dv_tally *dv_tally_ref (struct dv_tally *tally);
/* NULL is fine.  */
void dv_tally_unref (struct dv_tally *tally);

#endif /* DV_TALLY_H */

/* pair_counts.h: how many reads and writes of each of two logs lie under each
   pixel of a view; and what they add up to, by owner and by code.

   All accesses of the view are decoded, on all processors.  A draft is made
   from the index, as far as there is one: of each chunk, how often each line
   was touched, as if that had been all the time, and as if who had the line in
   the middle of the chunk had had it throughout.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_COUNTS_H
#define DV_PAIR_COUNTS_H

#include "model/tally/tally.h"
#include "pair.h"

#define DV_PAIR_MOST_SIDE 16384

/* By DG_ACC_READ, DG_ACC_WRITE.  */
struct dv_pair_cell {
  uint32_t count[2];
};

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_pair_counts {
  struct dv_pair *pair;
  struct dv_view view;             /* positions and moments */
  uint32_t width, height;          /* pixels */
  struct dv_pair_cell *cells[2];   /* of each log, rows from top to bottom */
  uint64_t most[2];                /* the largest reads + writes of a cell */
  struct dv_tally_count *owners[2];    /* by number of the owner */
  struct dv_tally *tallies[2];     /* code only; NULL: there is no such log, or
                                      it is a draft */
  bool is_draft;
};

/* The view must not be empty and lie within the pair's; sides from 1 to
   DV_PAIR_MOST_SIDE.  NULL and *err on failure.  */
struct dv_pair_counts *dv_pair_counts_new (struct dv_pair *pair,
                                           const struct dv_view *view,
                                           uint32_t width, uint32_t height,
                                           bool is_draft,
                                           dg_progress_fn progress, void *user,
                                           struct dg_error *err);
/* Whether so much would be decoded that a draft is worth it.  */
bool dv_pair_counts_wants_draft (const struct dv_pair *pair,
                                 const struct dv_view *view);
struct dv_pair_counts *dv_pair_counts_ref (struct dv_pair_counts *counts);
/* NULL is fine.  */
void dv_pair_counts_unref (struct dv_pair_counts *counts);

static inline uint64_t
dv_pair_counts_at (const struct dv_pair_counts *counts, unsigned side,
                   uint32_t x, uint32_t y)
{
  const struct dv_pair_cell *cell = counts->cells[side] == NULL ? NULL
    : &counts->cells[side][(size_t) y * counts->width + x];
  return cell == NULL ? 0 : (uint64_t) cell->count[0] + cell->count[1];
}

#endif /* DV_PAIR_COUNTS_H */

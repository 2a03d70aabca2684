/* reuse_front.h: the lines of an LRU stack that were touched last, in their
   order: most touches are of one of them.

   Each has a place, and each place a rank, its distance: 0 is the latest.  A
   touch of the line of rank r makes all lower ranks one more and its own 0,
   for all places at once, by a few vector instructions without a branch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REUSE_FRONT_H
#define DG_REUSE_FRONT_H

#include <stdint.h>
#include <string.h>

#define DG_REUSE_FRONT 32u
#define DG_FRONT_PART  16u

struct dg_reuse_slot;

/* Ranks, compared as signed numbers: any vector unit can do that.  */
typedef int8_t dg_front_part __attribute__ ((vector_size (DG_FRONT_PART)));

/* All zero is empty.  */
struct dg_reuse_front {
  union {
    dg_front_part parts[DG_REUSE_FRONT / DG_FRONT_PART];
    int8_t of[DG_REUSE_FRONT];
  } ranks;                 /* of each place; those of free ones are anything */
  struct dg_reuse_slot *slots[DG_REUSE_FRONT];   /* of each place */
  uint32_t n;              /* places that are taken: the first ones */
};

/* Zero in the middle: from `middle - place` on, zero at a place.  */
extern const int8_t dg_reuse_front_keep[2 * DG_REUSE_FRONT];

/* Touches the line of a place: the rank that it had.  */
static inline __attribute__ ((always_inline)) uint32_t
dg_reuse_front_touch (struct dg_reuse_front *front, uint32_t place)
{
  const int8_t *keep = dg_reuse_front_keep + DG_REUSE_FRONT - place;
  const int8_t rank = front->ranks.of[place];
  const dg_front_part ranks = (dg_front_part) { 0 } + rank;

  for (unsigned i = 0; i < DG_REUSE_FRONT / DG_FRONT_PART; i++) {
    const dg_front_part part = front->ranks.parts[i];
    dg_front_part kept;

    memcpy (&kept, keep + i * DG_FRONT_PART, sizeof kept);
    /* A comparison that holds is -1.  */
    front->ranks.parts[i] = (part - (part < ranks)) & kept;
  }
  return (uint32_t) rank;
}

/* The place of a rank that is taken.  */
static inline uint32_t
dg_reuse_front_place (const struct dg_reuse_front *front, uint32_t rank)
{
  const int8_t *at = memchr (front->ranks.of, (int) rank, front->n);

  return (uint32_t) (at - front->ranks.of);
}

/* A place for one more line, of the highest rank.  */
static inline uint32_t
dg_reuse_front_take (struct dg_reuse_front *front)
{
  front->ranks.of[front->n] = (int8_t) front->n;
  return front->n++;
}

#endif /* DG_REUSE_FRONT_H */

/* reuse_axis.h: a time axis on which lines stand in the order of their latest
   touches, and the question how many stand behind a moment: the line's
   distance in the LRU stack (Bennett and Kruskal, 1975).

   A bit for each moment, and counts of the bits of 512 moments, of 64 such
   blocks, and so on.  Counts are of blocks that are complete: what happens in
   the latest one, which is nearly everything, changes one word and asks at
   most eight.  When the axis is full, its owner closes the gaps (compaction:
   dg_reuse_axis_ranks tells each moment's new one), so that it is as long as
   there are lines, not touches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REUSE_AXIS_H
#define DG_REUSE_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DG_AXIS_BLOCK_SHIFT 9
#define DG_AXIS_BLOCK       (1u << DG_AXIS_BLOCK_SHIFT)
#define DG_AXIS_BLOCK_WORDS (DG_AXIS_BLOCK / 64)
#define DG_AXIS_FAN_SHIFT   6
#define DG_AXIS_LEVELS      5

/* All zero is an axis without room.  */
struct dg_reuse_axis {
  uint64_t *words;         /* bit i: a line stands at moment i */
  uint32_t *counts[DG_AXIS_LEVELS];    /* level 0: of blocks; each next one:
                                          of 64 of those below */
  unsigned levels;
  uint32_t size;           /* moments, a multiple of DG_AXIS_BLOCK */
  uint32_t now;            /* the next moment, <= size */
  uint32_t live;           /* lines that stand on it */
  uint32_t open;           /* of them, those of the block that `now` is in */
};

/* An empty axis with room for at least so many moments, at most 2^31: 0 or
   DG_ERR_NOMEM, and it is as it was.  */
int dg_reuse_axis_make (struct dg_reuse_axis *axis, uint32_t moments);
void dg_reuse_axis_fini (struct dg_reuse_axis *axis);
void dg_reuse_axis_clear (struct dg_reuse_axis *axis);

/* Of each word, how many lines stand before it: for dg_reuse_axis_rank.  To be
   freed with g_free; NULL: no memory.  */
uint32_t *dg_reuse_axis_ranks (const struct dg_reuse_axis *axis);

/* n lines stand at moments now .. now + n - 1, for which there is room.  */
void dg_reuse_axis_fill (struct dg_reuse_axis *axis, uint32_t n);

/* How many stand before moment t.  */
static inline uint32_t
dg_reuse_axis_rank (const struct dg_reuse_axis *axis, const uint32_t *ranks,
                    uint32_t t)
{
  const uint64_t below
    = axis->words[t >> 6] & ((UINT64_C (1) << (t & 63)) - 1);

  return ranks[t >> 6] + (uint32_t) __builtin_popcountll (below);
}

/* Lines that stand behind t in its own block, or before `end`.  */
static inline __attribute__ ((always_inline)) uint32_t
dg_reuse_axis_near (const struct dg_reuse_axis *axis, uint32_t t,
                    uint32_t end_word)
{
  const uint32_t word = t >> 6;
  uint32_t n;

  n = (uint32_t) __builtin_popcountll (axis->words[word] >> (t & 63) >> 1);
  for (uint32_t i = word + 1; i < end_word; i++)
    n += (uint32_t) __builtin_popcountll (axis->words[i]);
  return n;
}

/* How many stand behind t, which may be any earlier moment.  */
static inline __attribute__ ((always_inline)) uint32_t
dg_reuse_axis_behind (const struct dg_reuse_axis *axis, uint32_t t)
{
  uint32_t from = t >> DG_AXIS_BLOCK_SHIFT;
  uint32_t to = axis->now >> DG_AXIS_BLOCK_SHIFT;
  uint32_t n;

  if (__builtin_expect (from == to, 1))
    return dg_reuse_axis_near (axis, t, (axis->now + 63) >> 6);
  n = axis->open
      + dg_reuse_axis_near (axis, t, (from + 1) * DG_AXIS_BLOCK_WORDS);
  /* Up the levels, until both ends have the same parent.  */
  for (unsigned level = 0; level < axis->levels; level++) {
    const uint32_t *counts = axis->counts[level];
    const uint32_t parent = from >> DG_AXIS_FAN_SHIFT;
    const bool is_last = parent == to >> DG_AXIS_FAN_SHIFT
                         || level + 1 == axis->levels;
    const uint32_t end = is_last ? to : (parent + 1) << DG_AXIS_FAN_SHIFT;

    for (uint32_t i = from + 1; i < end; i++)
      n += counts[i];
    if (is_last)
      break;
    /* Blocks of the last parent that stand before `to`.  */
    for (uint32_t i = to >> DG_AXIS_FAN_SHIFT << DG_AXIS_FAN_SHIFT; i < to;
         i++)
      n += counts[i];
    from = parent;
    to >>= DG_AXIS_FAN_SHIFT;
  }
  return n;
}

/* The line at t leaves.  */
static inline __attribute__ ((always_inline)) void
dg_reuse_axis_take (struct dg_reuse_axis *axis, uint32_t t)
{
  uint32_t block = t >> DG_AXIS_BLOCK_SHIFT;

  axis->words[t >> 6] &= ~(UINT64_C (1) << (t & 63));
  axis->live--;
  if (__builtin_expect (block == axis->now >> DG_AXIS_BLOCK_SHIFT, 1)) {
    axis->open--;
    return;
  }
  for (unsigned level = 0; level < axis->levels; level++) {
    axis->counts[level][block]--;
    block >>= DG_AXIS_FAN_SHIFT;
  }
}

/* A line stands at `now`, for which there is room: the moment.  */
static inline __attribute__ ((always_inline)) uint32_t
dg_reuse_axis_put (struct dg_reuse_axis *axis)
{
  const uint32_t t = axis->now++;

  axis->words[t >> 6] |= UINT64_C (1) << (t & 63);
  axis->live++;
  axis->open++;
  if (__builtin_expect ((axis->now & (DG_AXIS_BLOCK - 1)) == 0, 0)) {
    uint32_t block = t >> DG_AXIS_BLOCK_SHIFT;

    for (unsigned level = 0; level < axis->levels; level++) {
      axis->counts[level][block] += axis->open;
      block >>= DG_AXIS_FAN_SHIFT;
    }
    axis->open = 0;
  }
  return t;
}

#endif /* DG_REUSE_AXIS_H */

/* patterns_moves.c: steps from address to address, and what they are called.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_moves.h"

#include "base/compare.h"

#include <glib.h>
#include <stdlib.h>

/* Fewer moves tell nothing.  */
#define FEWEST 16

void
dg_pattern_moves_add_stride (struct dg_pattern_moves *moves, int64_t bytes)
{
  struct dg_pattern_stride *free = NULL;

  for (int i = 0; i < DG_STRIDES; i++) {
    if (moves->strides[i].count == 0)
      free = &moves->strides[i];
    else if (moves->strides[i].bytes == bytes) {
      moves->strides[i].count++;
      return;
    }
  }
  if (free) {
    *free = (struct dg_pattern_stride) { .bytes = bytes, .count = 1 };
    return;
  }
  for (int i = 0; i < DG_STRIDES; i++)
    moves->strides[i].count--;
}

/* By count, the largest first; of equal ones, the shorter stride.  */
static int
compare_strides (const void *a, const void *b)
{
  const struct dg_pattern_stride *x = a, *y = b;

  return DG_COMPARE (y->count, x->count) ?: DG_COMPARE (x->bytes, y->bytes);
}

/* Mergeable summaries (Agarwal et al., 2012): add, then take off from all what
   the first one that has no place has.  */
static void
merge_strides (struct dg_pattern_stride *to,
               const struct dg_pattern_stride *from)
{
  struct dg_pattern_stride all[2 * DG_STRIDES] = { { 0 } };
  int n = DG_STRIDES;

  for (int i = 0; i < DG_STRIDES; i++)
    all[i] = to[i];
  for (int i = 0; i < DG_STRIDES; i++) {
    int j = 0;

    if (from[i].count == 0)
      continue;
    while (j < n && (all[j].count == 0 || all[j].bytes != from[i].bytes))
      j++;
    if (j < n)
      all[j].count += from[i].count;
    else
      all[n++] = from[i];
  }
  qsort (all, n, sizeof *all, compare_strides);
  for (int i = 0; i < DG_STRIDES; i++) {
    to[i] = all[i];
    to[i].count -= MIN (to[i].count, all[DG_STRIDES].count);
  }
}

void
dg_pattern_moves_merge (struct dg_pattern_moves *to,
                        const struct dg_pattern_moves *from)
{
  for (int i = 0; i < DG_MOVES; i++)
    to->moves[i] += from->moves[i];
  merge_strides (to->strides, from->strides);
}

uint64_t
dg_pattern_moves_total (const struct dg_pattern_moves *moves)
{
  uint64_t total = 0;

  for (int i = 0; i < DG_MOVES; i++)
    total += moves->moves[i];
  return total;
}

struct dg_pattern_stride
dg_pattern_moves_stride (const struct dg_pattern_moves *moves)
{
  struct dg_pattern_stride most = { 0 };

  for (int i = 0; i < DG_STRIDES; i++)
    if (moves->strides[i].count > 0
        && (most.count == 0
            || compare_strides (&moves->strides[i], &most) < 0))
      most = moves->strides[i];
  return most;
}

const char *
dg_pattern_name (enum dg_pattern pattern)
{
  static const char *const names[] = {
    [DG_PATTERN_FEW] = "few",
    [DG_PATTERN_STACK] = "stack",
    [DG_PATTERN_CONSTANT] = "constant",
    [DG_PATTERN_SEQUENTIAL] = "sequential",
    [DG_PATTERN_STRIDED] = "strided",
    [DG_PATTERN_LOCAL] = "local",
    [DG_PATTERN_CHASING] = "pointer-chasing",
    [DG_PATTERN_GATHER] = "gather",
    [DG_PATTERN_RANDOM] = "random",
    [DG_PATTERN_UNSURE] = "random or pointer-chasing",
    [DG_PATTERN_MIXED] = "mixed"
  };

  return names[pattern];
}

void
dg_pattern_chase_merge (struct dg_pattern_chase *to,
                        const struct dg_pattern_chase *from)
{
  to->known += from->known;
  to->chased += from->chased;
  to->gathered += from->gathered;
}

/* Of the moves that go somewhere, `part` is at least so many tenths.  */
static bool
is_most (uint64_t part, uint64_t total, unsigned tenths)
{
  return (double) part * 10 >= (double) total * tenths;
}

/* Steps that are made this often repeat; of a random walk, none is.  */
#define FEWEST_REPEATS 16

/* Moves by the few steps that repeat, at least: a walk that leaves many
   elements out hardly ever makes the same step twice in turn.  */
static uint64_t
moves_repeated (const struct dg_pattern_moves *moves, uint64_t moved)
{
  uint64_t repeated = 0;

  for (int i = 0; i < DG_STRIDES; i++)
    if (moves->strides[i].count * FEWEST_REPEATS >= moved)
      repeated += moves->strides[i].count;
  return repeated;
}

/* Of moves of which most go far.  */
static enum dg_pattern
pattern_far (const struct dg_pattern_chase *chase, uint64_t moved)
{
  if (!chase)
    return DG_PATTERN_RANDOM;
  if (!is_most (chase->known, moved, 9))
    return DG_PATTERN_UNSURE;
  return is_most (chase->chased + chase->gathered, moved, 5)
           ? DG_PATTERN_GATHER : DG_PATTERN_RANDOM;
}

enum dg_pattern
dg_pattern_of (const struct dg_pattern_moves *moves,
               const struct dg_pattern_chase *chase)
{
  const uint64_t *n = moves->moves;
  uint64_t total = dg_pattern_moves_total (moves),
           moved = total - n[DG_MOVE_SAME];
  bool steps_repeat;

  if (total < FEWEST)
    return DG_PATTERN_FEW;
  if (is_most (n[DG_MOVE_SAME], total, 9))
    return DG_PATTERN_CONSTANT;
  if (is_most (n[DG_MOVE_NEXT], moved, 7))
    return DG_PATTERN_SEQUENTIAL;
  if (is_most (n[DG_MOVE_NEXT] + n[DG_MOVE_STRIDE], moved, 6))
    return DG_PATTERN_STRIDED;
  if (chase && is_most (chase->chased, moved, 5))
    return DG_PATTERN_CHASING;
  if (is_most (n[DG_MOVE_NEAR] + n[DG_MOVE_NEXT], moved, 6))
    return DG_PATTERN_LOCAL;
  steps_repeat = is_most (moves_repeated (moves, moved), moved, 6);
  if (is_most (n[DG_MOVE_FAR], moved, 6)) {
    enum dg_pattern pattern = pattern_far (chase, moved);

    return pattern == DG_PATTERN_RANDOM && steps_repeat ? DG_PATTERN_STRIDED
                                                        : pattern;
  }
  return steps_repeat && is_most (n[DG_MOVE_FAR] + n[DG_MOVE_STRIDE], moved, 6)
           ? DG_PATTERN_STRIDED : DG_PATTERN_MIXED;
}

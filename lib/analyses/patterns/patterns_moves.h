/* patterns_moves.h: how the addresses that one place of the code uses move:
   by what steps, and what such steps are called.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_MOVES_H
#define DG_PATTERNS_MOVES_H

#include <stdbool.h>
#include <stdint.h>

/* What an access is to the one before it, of the same slot of a block and the
   same thread.  The first that fits.  */
enum dg_pattern_move {
  DG_MOVE_SAME,            /* the same address */
  DG_MOVE_NEXT,            /* the memory right behind or before it */
  DG_MOVE_STRIDE,          /* as far as from the one before that */
  DG_MOVE_NEAR,            /* less than DG_MOVE_NEAR_BYTES away */
  DG_MOVE_FAR,
  DG_MOVES
};
#define DG_MOVE_NEAR_BYTES 64

/* Strides that are counted; of more, those that are had most often stay, and
   what is told of each is at least 1 / (DG_STRIDES + 1) of all moves less than
   the truth at worst (Misra and Gries, "Finding repeated elements", 1982).  */
#define DG_STRIDES 4
struct dg_pattern_stride {
  int64_t bytes;           /* not 0 */
  uint64_t count;          /* 0: the place is free */
};

struct dg_pattern_moves {
  uint64_t moves[DG_MOVES];
  struct dg_pattern_stride strides[DG_STRIDES];
};

/* The step from one access of `size` bytes to the next; stride: of the step
   before, 0 if there was none.  */
static inline enum dg_pattern_move
dg_pattern_move_of (uint64_t from, uint64_t to, uint32_t size, int64_t stride)
{
  int64_t bytes = (int64_t) (to - from);

  if (bytes == 0)
    return DG_MOVE_SAME;
  if (bytes == (int64_t) size || bytes == -(int64_t) size)
    return DG_MOVE_NEXT;
  if (bytes == stride)
    return DG_MOVE_STRIDE;
  return bytes > -DG_MOVE_NEAR_BYTES && bytes < DG_MOVE_NEAR_BYTES
           ? DG_MOVE_NEAR
           : DG_MOVE_FAR;
}

void dg_pattern_moves_add_stride (struct dg_pattern_moves *moves,
                                  int64_t bytes);
static inline void
dg_pattern_moves_add (struct dg_pattern_moves *moves,
                      enum dg_pattern_move move, int64_t bytes)
{
  moves->moves[move]++;
  if (move != DG_MOVE_SAME)
    dg_pattern_moves_add_stride (moves, bytes);
}
/* Depends on the order in which several are merged.  */
void dg_pattern_moves_merge (struct dg_pattern_moves *to,
                             const struct dg_pattern_moves *from);
uint64_t dg_pattern_moves_total (const struct dg_pattern_moves *moves);
/* The stride that was had most often; count 0: there is none.  */
struct dg_pattern_stride
dg_pattern_moves_stride (const struct dg_pattern_moves *moves);

enum dg_pattern {
  DG_PATTERN_FEW,          /* too few moves to say */
  DG_PATTERN_STACK,        /* the thread's own stack, which moves with calls */
  DG_PATTERN_CONSTANT,     /* one address */
  DG_PATTERN_SEQUENTIAL,
  DG_PATTERN_STRIDED,
  DG_PATTERN_LOCAL,        /* back and forth within a few lines */
  DG_PATTERN_CHASING,      /* from one object to the next by pointers */
  DG_PATTERN_GATHER,       /* where another load's pointers or indices lead */
  DG_PATTERN_RANDOM,
  DG_PATTERN_UNSURE,       /* random or one of the two: the log is without
                              what would tell */
  DG_PATTERN_MIXED
};
const char *dg_pattern_name (enum dg_pattern pattern);

/* How the addresses of accesses that moved came about.  */
struct dg_pattern_chase {
  uint64_t known;          /* of so many it is known; of them: */
  uint64_t chased, gathered;
};
void dg_pattern_chase_merge (struct dg_pattern_chase *to,
                             const struct dg_pattern_chase *from);

/* All but DG_PATTERN_STACK.  chase may be NULL: they go by no pointers.  */
enum dg_pattern dg_pattern_of (const struct dg_pattern_moves *moves,
                               const struct dg_pattern_chase *chase);

#endif /* DG_PATTERNS_MOVES_H */

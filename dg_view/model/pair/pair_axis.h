/* pair_axis.h: the memory of two logs on one axis: what has the same name in
   both lies in the same place.

   Things are matched as dg diff matches rows (dg_align): by their names; of
   places of allocation in one function, by their order in the source and by
   how much they allocate, since lines move when a program is changed.  In the
   same build, lines decide.  Addresses do not matter.

   The blocks of a place of allocation have lanes, as many as there are blocks
   at the same time in one of the logs; each gets the first lane that is free.
   So what two runs allocate in the same order lies in the same lanes, also if
   it is larger in one of them.

   Of all else there are the bytes on pages that one of the logs touches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_AXIS_H
#define DV_PAIR_AXIS_H

#include "pair_things.h"

/* A thing of one log, or of both.  */
struct dv_pair_owner {
  uint64_t x0, x1;         /* positions [x0, x1) */
  enum dv_pair_kind kind;
  bool on[2];              /* which logs have it */
  const char *name, *where;    /* of the last log that has it */
  const char *file;        /* as the debug info has it; NULL */
  uint32_t line;
  uint64_t blocks[2];      /* of a place of allocation */
};

/* A log's part.  */
struct dv_pair_places {
  struct dv_pair_things *things;   /* NULL: there is no such log */
  uint32_t *owners;        /* of each thing, by number */
  uint64_t *of_block;      /* by block: the position of its first byte */
  uint64_t *of_extent;     /* likewise, by extent */
};

struct dv_pair_axis {
  struct dv_pair_places sides[2];
  GArray *owners;          /* struct dv_pair_owner, by position */
  uint64_t size;           /* positions [0, size) */
};

/* Takes the things over; things[1]: NULL: there is one log.  is_laid_over: all
   blocks of a place of allocation lie one over the other.  0 or
   DG_ERR_NOMEM: nothing is to be freed then.  */
int dv_pair_axis_init (struct dv_pair_axis *axis,
                       struct dv_pair_things *const things[2],
                       bool is_laid_over, struct dg_error *err);
void dv_pair_axis_fini (struct dv_pair_axis *axis);

static inline const struct dv_pair_owner *
dv_pair_axis_owner (const struct dv_pair_axis *axis, guint i)
{
  return &g_array_index (axis->owners, struct dv_pair_owner, i);
}

/* Whose a position is; DG_NONE: it is behind the end.  */
uint32_t dv_pair_axis_at (const struct dv_pair_axis *axis, uint64_t position);

/* For pair_lanes.c: gives the blocks of all places of allocation their
   positions, from `x` on, and sets those of their owners, which are in the
   order of the axis.  Returns where they end.  */
uint64_t dv_pair_lanes_set (struct dv_pair_axis *axis, guint first, guint end,
                            uint64_t x, bool is_laid_over);

#endif /* DV_PAIR_AXIS_H */

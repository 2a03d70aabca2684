/* position.h: where one is in a log: what stands before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_POSITION_H
#define DG_POSITION_H

#include "decode.h"

struct dg_position {
  uint64_t icount_base;    /* instructions that no run records; may wrap */
  bool recording;
  uint64_t bbdefs, contexts;
  struct dg_totals totals;
};

/* Behind the header.  */
static inline void
dg_position_init (struct dg_position *position)
{
  *position = (struct dg_position) { .recording = true,
                                     .totals.least = UINT64_MAX };
}

static inline uint64_t
dg_position_icount (const struct dg_position *position)
{
  return position->icount_base + position->totals.instructions;
}

/* The program has come to `icount`, recorded or not.  */
static inline void
dg_position_move (struct dg_position *position, uint64_t icount)
{
  position->icount_base = icount - position->totals.instructions;
}

/* Instruction counts stay below, so that sums of them cannot wrap.  */
#define DG_ICOUNT_MAX ((uint64_t) 1 << 62)

/* Passes a record that moves the position, which has been checked before; of
   other types it takes no notice.  */
static inline void
dg_position_pass (struct dg_position *position, uint8_t type,
                  const struct dg_fields *fields)
{
  if (type == DG_R_WINDOW) {
    position->recording = fields->words[0];
    dg_position_move (position, fields->words[2]);
  } else if (type == DG_R_CHUNK) {
    dg_position_move (position, fields->words[1]);
  } else if (type == DG_R_END) {
    dg_position_move (position, fields->words[3]);
  }
}

/* The moment of a record, for what it tells of.  */
struct dg_when {
  uint64_t icount;
  uint32_t *orders;        /* how many were given so far */
};
/* A record takes no more.  */
#define DG_ORDERS_EACH 2
static inline uint32_t
dg_when_order (const struct dg_when *when)
{
  return ++*when->orders;
}

#endif /* DG_POSITION_H */

/* pair_time.h: the time axis of two logs: instruction counts of each to common
   moments.

   Between two events that both logs have, the part that took more instructions
   is as long as it was, and the other one is stretched to that, so that phases
   stand side by side.  Without such events, it is the same for the logs as a
   whole.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_TIME_H
#define DV_PAIR_TIME_H

#include "model/log/scene.h"

/* The same moment, in each log and on the axis.  */
struct dv_pair_knot {
  uint64_t icount[2];
  uint64_t moment;
  const char *label;       /* of the event; NULL: none */
  bool is_end;             /* it ends there */
};

struct dv_pair_time {
  GArray *knots;           /* struct dv_pair_knot, ascending; at least 2, or
                              none: nothing happens in either log */
  guint events;            /* knots that are beginnings or ends of events */
  uint64_t length;         /* moments: [0, length) */
};

/* scenes[1]: NULL: there is one log.  */
void dv_pair_time_init (struct dv_pair_time *time,
                        struct dv_scene *const scenes[2]);
void dv_pair_time_fini (struct dv_pair_time *time);

/* A piece of the axis on which a log's time goes at one pace.  */
struct dv_pair_pace {
  uint64_t start, end;     /* icounts [start, end) */
  double moment;           /* of `start` */
  double ratio;            /* moments of an instruction */
};

/* The piece that an icount is in; those before and after the log belong to the
   first and the last piece.  */
struct dv_pair_pace dv_pair_time_pace (const struct dv_pair_time *time,
                                       unsigned side, uint64_t icount);
static inline double
dv_pair_pace_moment (const struct dv_pair_pace *pace, uint64_t icount)
{
  return pace->moment
         + (double) (int64_t) (icount - pace->start) * pace->ratio;
}

/* The icount of a log at a moment.  */
uint64_t dv_pair_time_icount (const struct dv_pair_time *time, unsigned side,
                              uint64_t moment);

#endif /* DV_PAIR_TIME_H */

/* filter_state.h: what a filter is made of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_STATE_H
#define DG_FILTER_STATE_H

#include <glib.h>

#include "base/progress.h"
#include "base/table.h"
#include "libdatagrind.h"
#include "filter_sites.h"
#include "space/space.h"

/* How a context meets the stack conditions of the events side.  */
enum dg_filter_verdict {
  VERDICT_NONE = 0,
  VERDICT_ALL = 1,  /* a caller does, or all instructions of the block do */
  VERDICT_SOME = 2, /* only code that is inlined into a part of the block */
  VERDICT_UNKNOWN = 3
};

struct dg_filter_span {
  uint64_t start, end;
};

/* What the conditions of a group say of code and moments.  */
struct dg_filter_code {
  bool is_asked;         /* there are such conditions */
  uint8_t *contexts;     /* verdicts; NULL without stack conditions */
  struct dg_table spans; /* struct dg_filter_span, of user events: ascending,
                            disjoint */
};

/* What they say of memory.  */
struct dg_filter_places {
  bool is_asked;
  const struct dg_cover *covers[3]; /* borrowed or own */
  int n_covers;
  struct dg_cover *own_cover;
};

/* Which threads are kept.  */
struct dg_filter_threads {
  bool is_asked;
  bool are_kept;          /* those of the list, else all others */
  struct dg_table numbers; /* uint32_t, ascending */
};

struct dg_filter {
  const struct dg_log *log;
  GArray *conditions[DG_N_GROUPS];
  struct dg_sites *sites;
  /* [0]: of what is to be met; [1]: of what may not be.  */
  struct dg_filter_code code[2];
  struct dg_filter_places places[2];
  struct dg_filter_threads threads;
  struct dg_symbols *symbols;
  GPtrArray **problems; /* strings, when they were asked for */
};

/* What making a filter has to do, and how far it is.  */
struct dg_filter_pace {
  struct dg_progress progress;
  uint64_t done, total;
};

static inline int
dg_filter_step (struct dg_filter_pace *pace, struct dg_error *err)
{
  return (pace->done++ & 63) == 0
           ? dg_progress_pace (&pace->progress, pace->done, pace->total, err)
           : 0;
}

/* ---- filter_places.c -------------------------------------------------- */

/* Fills filter->places[is_not]; space may be NULL.  0 or an error.  */
int dg_filter_make_places (struct dg_filter *filter, int is_not,
                           const struct dg_space *space,
                           struct dg_filter_pace *pace, struct dg_error *err);

#endif /* DG_FILTER_STATE_H */

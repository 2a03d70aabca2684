/* filter_state.h: what a filter is made of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_STATE_H
#define DG_FILTER_STATE_H

#include <glib.h>

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

struct dg_filter {
  const struct dg_log *log;
  GArray *conditions[2]; /* by enum dg_side */
  struct dg_sites *sites;
  uint8_t *contexts;     /* verdicts; NULL without stack conditions */
  struct dg_table spans; /* struct dg_filter_span, of user events: ascending,
                            disjoint */
  const struct dg_cover *covers[3]; /* of ranges, borrowed or own */
  int n_covers;
  struct dg_cover *own_cover;
  struct dg_symbols *symbols;
  GPtrArray **problems; /* strings, when they were asked for */
};

#endif /* DG_FILTER_STATE_H */

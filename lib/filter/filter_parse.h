/* filter_parse.h: the text of --events and --ranges as conditions, and
   whether a name meets one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_PARSE_H
#define DG_FILTER_PARSE_H

#include "libdatagrind.h"

#include <glib.h>

enum dg_side { DG_SIDE_EVENTS, DG_SIDE_RANGES };

enum dg_filter_condition_kind {
  DG_COND_FN,
  DG_COND_FILE,
  DG_COND_DSO,
  DG_COND_USER,
  DG_COND_RANGE,
  DG_COND_MALLOC
};

struct dg_filter_condition {
  enum dg_filter_condition_kind kind;
  char *name; /* NULL for DG_COND_RANGE and DG_COND_MALLOC */
  bool is_met; /* by something that was looked at so far */
};

/* An array of struct dg_filter_condition that frees its names; empty for NULL
   and
   "".  NULL on failure: DG_ERR_FILTER, with the column in err->offset.  */
GArray *dg_filter_parse (enum dg_side side, const char *text,
                         struct dg_error *err);

/* Does a call stack decide it?  */
bool
dg_filter_condition_has_stack (const struct dg_filter_condition *condition);

/* Does this frame meet it?  For the kinds that a stack decides.  */
bool
dg_filter_condition_meets_frame (const struct dg_filter_condition *condition,
                                 const struct dg_frame *frame);

#endif /* DG_FILTER_PARSE_H */

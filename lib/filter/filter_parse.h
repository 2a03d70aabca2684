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
  DG_COND_MALLOC,
  DG_COND_THREAD,
  DG_COND_VAR,
  DG_COND_ADDR
};

/* What a condition is for.  */
enum dg_filter_group {
  DG_GROUP_EVENTS,     /* one of them is to hold */
  DG_GROUP_RANGES,
  DG_GROUP_NOT_EVENTS, /* none of them may hold */
  DG_GROUP_NOT_RANGES,
  DG_N_GROUPS
};

struct dg_filter_condition {
  enum dg_filter_condition_kind kind;
  bool is_not;          /* written with "not" */
  bool is_met;          /* by something that was looked at so far */
  char *name;           /* NULL for DG_COND_RANGE and DG_COND_MALLOC */
  uint64_t start, end;  /* DG_COND_ADDR: the addresses start to end - 1 */
};

/* An array of struct dg_filter_condition that frees its names; empty for NULL
   and "".  NULL on failure: DG_ERR_FILTER, with the column in err->offset.  */
GArray *dg_filter_parse (enum dg_side side, const char *text,
                         struct dg_error *err);

static inline enum dg_filter_group
dg_filter_group_of (enum dg_side side, bool is_not)
{
  if (is_not)
    return side == DG_SIDE_EVENTS ? DG_GROUP_NOT_EVENTS : DG_GROUP_NOT_RANGES;
  return side == DG_SIDE_EVENTS ? DG_GROUP_EVENTS : DG_GROUP_RANGES;
}

/* Of an array of conditions: is one of this kind, does a call stack decide
   one, is one about this label?  */
bool dg_filter_has_kind (const GArray *conditions,
                         enum dg_filter_condition_kind kind);
bool dg_filter_has_stack (const GArray *conditions);
bool dg_filter_has_label (const GArray *conditions, const char *label);

/* Whether the text begins as a condition with a name does.  */
bool dg_filter_begins_condition (const char *text);

/* "fn:" and so on; "range" and "malloc" as they are.  */
const char *dg_filter_kind_word (enum dg_filter_condition_kind kind);

/* Does this thread meet it, by its number or its name?  */
bool
dg_filter_condition_meets_thread (const struct dg_filter_condition *condition,
                                  const struct dg_thread *thread);

/* Does a call stack decide it?  */
bool
dg_filter_condition_has_stack (const struct dg_filter_condition *condition);

/* Does this frame meet it?  For the kinds that a stack decides.  */
bool
dg_filter_condition_meets_frame (const struct dg_filter_condition *condition,
                                 const struct dg_frame *frame);

#endif /* DG_FILTER_PARSE_H */

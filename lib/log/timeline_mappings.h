/* timeline_mappings.h: the timeline of the program's memory mappings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_MAPPINGS_H
#define DG_TIMELINE_MAPPINGS_H

#include "base/arena.h"
#include "format/decode.h"
#include "format/position.h"
#include "stacks.h"
#include "base/table.h"

/* All zero, but for the pointers, is empty.  */
struct dg_timeline_mappings {
  struct dg_table *mappings; /* struct dg_mapping; the caller's */
  struct dg_table *changes;  /* struct dg_page_change; the caller's */
  struct dg_stacks *stacks;  /* the caller's */
  struct dg_arena *arena;    /* for strings; the caller's */
  GTree *live;               /* those not ended, which never overlap */
  bool is_change;            /* the last record made one */
};

/* Each takes the fields of the record it is named after: 0 or DG_ERR_NOMEM;
   dg_timeline_mappings_stack those of a MAP_STACK that follows one of the
   others. Records about no bytes change nothing. What the range covered of
   older mappings ends; what is left of them goes on as mappings of their own,
   which begin at this moment.  */
int dg_timeline_mappings_map (struct dg_timeline_mappings *mappings,
                              const struct dg_fields *fields,
                              const struct dg_when *when,
                              struct dg_error *err);
int dg_timeline_mappings_unmap (struct dg_timeline_mappings *mappings,
                                const struct dg_fields *fields,
                                const struct dg_when *when,
                                struct dg_error *err);
int dg_timeline_mappings_stack (struct dg_timeline_mappings *mappings,
                                const struct dg_fields *fields,
                                struct dg_error *err);

void dg_timeline_mappings_fini (struct dg_timeline_mappings *mappings);

#endif /* DG_TIMELINE_MAPPINGS_H */

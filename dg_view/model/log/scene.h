/* scene.h: the accesses that are to be seen: a log through a filter, and
   the axes that follow from it.

   Made once for each log and filter, from the index if there is one that can
   tell, else by one pass over all accesses; never changed afterwards, so that
   any thread may use it.  No drawing here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SCENE_H
#define DV_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "data.h"
#include "layout.h"
#include "viewport.h"

struct dv_scene {
  struct dv_data *data;
  char *events, *ranges;       /* the conditions, "" without */
  struct dg_filter *filter;    /* NULL: everything */
  struct dv_layout layout;     /* of the pages that are touched */
  struct dv_view full;         /* all of it; empty if nothing matches */
  uint64_t accesses;           /* that match */
  /* Which pages the accesses of a chunk touch: bit i of a chunk's words is
     the page at position i << page_shift.  NULL if that would be too much to
     keep, or if the index knows it.  */
  uint64_t *chunk_pages;
  size_t words_per_chunk;
  gpointer areas;              /* atomic: kept by areas.c */
  gpointer block_groups;       /* atomic: kept by overlay.c */
};

/* NULL and *err on failure: DG_ERR_FILTER, DG_ERR_CANCELLED, DG_ERR_IO...  */
struct dv_scene *dv_scene_new (struct dv_data *data, const char *events,
                               const char *ranges, dg_progress_fn progress,
                               void *user, struct dg_error *err);
struct dv_scene *dv_scene_ref (struct dv_scene *scene);
void dv_scene_unref (struct dv_scene *scene);

/* Why there is nothing to be seen in it: translated.  */
const char *dv_scene_nothing (const struct dv_scene *scene);

/* The conditions on code alone: what is executed does not depend on which
   memory is to be seen.  *filter: NULL: everything; *made: to be freed with
   dg_filter_free after use.  0 or an error.  */
int dv_scene_code_filter (const struct dv_scene *scene,
                          const struct dg_filter **filter,
                          struct dg_filter **made, struct dg_error *err);
/* The instructions of a view, from *start up to, but not including, *end.  A
   view of all accesses has all instructions, also those before the first
   access and after the last; NULL: the same.  */
void dv_scene_time (const struct dv_scene *scene, const struct dv_view *view,
                    uint64_t *start, uint64_t *end);
/* The N with which the time model executes one stretch in N of these
   instructions: 1, or more for a large run as a whole, which then takes some
   seconds.  */
uint64_t dv_scene_time_sample (const struct dv_scene *scene, uint64_t start,
                               uint64_t end);

/* Whether chunk i can have accesses in the view.  */
bool dv_scene_chunk_matters (const struct dv_scene *scene, size_t i,
                             const struct dv_view *view);

/* The access that slot number `slot` of a run made.  */
static inline struct dg_access
dv_run_access (const struct dg_run *run, unsigned slot)
{
  const struct dg_slot *s = &run->bbdef->slots[slot];
  return (struct dg_access){
    .icount = run->icount + s->iseq,
    .address = run->addresses[s->entry],
    .instruction = run->bbdef->instrs[s->iseq].address,
    .size = s->size,
    .context = run->context,
    .thread = run->thread,
    .kind = s->kind,
  };
}

#endif /* DV_SCENE_H */

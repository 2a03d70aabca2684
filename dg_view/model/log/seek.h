/* seek.h: the next access, or the last one before, that touches some memory
   or is one of those that stand out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SEEK_H
#define DV_SEEK_H

#include "highlight.h"
#include "scene.h"

struct dv_seek {
  struct dv_scene *scene;         /* of a log that was read, not a glance */
  bool backward;
  /* From here on, without: whatever comes behind this access, or behind
     (before) all of its icount if it is not among the accesses.  An address
     of 0: from the icount on, with it.  */
  struct dg_access from;
  /* To this memory, [low, high) ...  */
  uint64_t low, high;
  /* ... and, if it is not NULL, of these.  */
  struct dv_highlight *highlight;
};

/* The access goes to *found.  1; 0 if there is none; negative and *err on
   failure.  Decodes only chunks that can have it, on all processors, the
   nearest first.  */
int dv_seek_run (const struct dv_seek *seek, struct dg_access *found,
                 dg_progress_fn progress, void *user, struct dg_error *err);

/* Whether two are the same access of a log (or cannot be distinguished).  */
bool dv_seek_same_access (const struct dg_access *a,
                          const struct dg_access *b);

/* Whether a chunk may have accesses to [low, high), by the index; memory of
   many lines is not asked for.  */
bool dv_seek_may_touch (struct dg_index *index, uint64_t low, uint64_t high,
                        size_t chunk);

#endif /* DV_SEEK_H */

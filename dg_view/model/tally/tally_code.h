/* tally_code.h: the code of a view is counted before its memory.

   How often each block ran on each call path is known many times sooner than
   where all its accesses went: addresses need not be decoded, and archives
   give runs that are alike once.  So for a view of all memory the tables of
   functions, lines of source, call paths and threads are there when those of
   pages, cache lines and places of allocation have just begun.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_CODE_H
#define DV_TALLY_CODE_H

#include "code_sums.h"

/* Whether the view's accesses can be counted in this way: it has all memory,
   and no filter, of which accesses are asked one by one.  */
bool dv_tally_code_is_apart (const struct dv_scene *scene,
                             const struct dv_view *view);
/* Adds the accesses of some chunks (size_t) that are in the view to the sums:
   0, or < 0 and *err.  progress may be NULL.  */
int dv_tally_code_count (const struct dv_scene *scene,
                         const struct dv_view *view, const GArray *chunks,
                         unsigned workers, struct dv_code_sums *sums,
                         dg_progress_fn progress, void *user,
                         struct dg_error *err);

#endif /* DV_TALLY_CODE_H */

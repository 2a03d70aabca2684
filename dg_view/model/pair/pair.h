/* pair.h: two logs, before and after, on common axes; or one, by owners
   instead of addresses.

   Never changed once it was made: any thread may use it.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_H
#define DV_PAIR_H

#include "model/log/viewport.h"
#include "pair_axis.h"
#include "pair_time.h"

struct dv_pair {
  struct dv_scene *scenes[2];      /* [1]: NULL: there is one log */
  bool is_laid_over;               /* blocks of a place lie one over the
                                      other */
  struct dv_pair_axis axis;        /* X */
  struct dv_pair_time time;        /* Y */
  struct dv_view full;             /* positions and moments; empty: there is
                                      nothing */
};

/* after: NULL: there is one log.  The scenes must be of logs that were read
   with their space.  NULL and *err when it was cancelled, or when there is no
   memory.  */
struct dv_pair *dv_pair_new (struct dv_scene *before, struct dv_scene *after,
                             bool is_laid_over, dg_progress_fn progress,
                             void *user, struct dg_error *err);
struct dv_pair *dv_pair_ref (struct dv_pair *pair);
/* NULL is fine.  */
void dv_pair_unref (struct dv_pair *pair);

static inline unsigned
dv_pair_sides (const struct dv_pair *pair)
{
  return pair->scenes[1] != NULL ? 2 : 1;
}

#endif /* DV_PAIR_H */

/* completion.h: what a condition of a filter can be completed to: what the log
   has, the best first.

   Gathered in the background, since names come from debug information; what
   there is so far can be asked meanwhile.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPLETION_H
#define DV_COMPLETION_H

#include "data.h"

enum dv_completion_side { DV_COMPLETION_EVENTS, DV_COMPLETION_RANGES };

/* Reference counted, for any thread.  */
struct dv_completion;

/* Of a log that was read, or NULL: only keywords are known.  */
struct dv_completion *dv_completion_new (struct dv_data *data);
struct dv_completion *dv_completion_ref (struct dv_completion *complete);
/* NULL is fine.  */
void dv_completion_unref (struct dv_completion *complete);
struct dv_data *dv_completion_data (const struct dv_completion *complete);

/* Gathers; once, on a thread of its own.  0, or DG_ERR_CANCELLED.  */
int dv_completion_gather (struct dv_completion *complete,
                          dg_progress_fn progress, void *user,
                          struct dg_error *err);

/* The best `most` conditions for what is typed so far of one, which may begin
   with "not": whole ones such as "fn:main", and words such as "fn:" that need
   a name.  Names that begin with what is typed come first, then those with a
   word that does, then those that contain it; shorter ones first.  An array of
   strings, which it owns.  */
GPtrArray *dv_completion_find (struct dv_completion *complete,
                             enum dv_completion_side side, const char *typed,
                             guint most);

/* "not fn:a" for "fn:a", and the other way round.  New.  */
char *dv_completion_negate (const char *condition);

#endif /* DV_COMPLETION_H */

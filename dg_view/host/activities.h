/* activities.h: what the background is doing for a window, how long that will
   take, and a button that ends it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ACTIVITIES_H
#define DV_ACTIVITIES_H

#include "host.h"
#include "jobs/job.h"

/* One at a time is told: the first of these that goes on, which the user waits
   for most.  */
enum dv_activity_kind {
  DV_ACTIVITY_LOADING,
  DV_ACTIVITY_SAVING,
  DV_ACTIVITY_DRAWING,
  DV_ACTIVITY_SEARCHING,
  DV_ACTIVITY_BOX,
  DV_ACTIVITY_TALLYING,
  DV_ACTIVITY_INDEXING,
  DV_N_ACTIVITIES
};

struct dv_activity {
  const char *name; /* N_ (); NULL: see `phase` */
  /* NULL: it does not go on.  */
  struct dv_job *const *job;
  void (*cancel) (void *user);
  void *user;
  const char *(*phase) (const void *user); /* translated */
};

struct dv_activities *dv_activities_new (struct dv_host *host);
/* The window is about to go.  */
void dv_activities_stop (struct dv_activities *progress);
void dv_activities_free (struct dv_activities *progress);
GtkWidget *dv_activities_widget (const struct dv_activities *progress);

/* A part tells of what it does; until the window is closed.  */
void dv_activities_add (struct dv_activities *progress,
                        enum dv_activity_kind kind,
                        const struct dv_activity *activity);
/* NULL: it does not go on.  */
struct dv_job *dv_activities_job (const struct dv_activities *progress,
                                  enum dv_activity_kind kind);
/* Something begins or ends: shows or hides it.  */
void dv_activities_watch (struct dv_activities *progress);

#endif /* DV_ACTIVITIES_H */

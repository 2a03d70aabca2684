/* count_costs.h: cycles and cache misses for the rows of a table of code.

   Estimated in the background, and only while the user wants them: a button
   says so.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COUNT_COSTS_H
#define DV_COUNT_COSTS_H

#include <gtk/gtk.h>

#include "jobs/job.h"
#include "model/tally/costs.h"

struct dv_count_costs {
  /* The caller's: there are other costs, or none, or more of the estimate is
     done.  */
  void (*changed) (void *user);
  void *user;

  GtkWidget *button;       /* to be put somewhere */
  struct dv_costs *costs;  /* of the tally; NULL: none yet, or not wanted */

  /* Only count_costs.c uses these.  */
  enum dv_rows_kind kind;
  struct dv_tally *tally;  /* that is shown; NULL: none */
  struct dv_job *job;      /* NULL: nothing is estimated */
  guint timer;             /* shows the progress; 0: none */
  char *failed;            /* why there are none; NULL: they did not fail */
};

/* To be zeroed but for changed and user.  */
void dv_count_costs_init (struct dv_count_costs *costs,
                          enum dv_rows_kind kind);
/* The widgets may be gone.  */
void dv_count_costs_fini (struct dv_count_costs *costs);

/* The tally of the rows that are shown; NULL: none.  */
void dv_count_costs_set_tally (struct dv_count_costs *costs,
                               struct dv_tally *tally);
bool dv_count_costs_are_wanted (const struct dv_count_costs *costs);
/* The sentence that a table shows about the estimates: how far they are, of
   which processor, or why there are none.  A new string; NULL: the user does
   not want estimates.  */
char *dv_count_costs_text (const struct dv_count_costs *costs);

#endif /* DV_COUNT_COSTS_H */

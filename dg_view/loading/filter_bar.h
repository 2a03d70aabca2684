/* filter_bar.h: the row with the conditions: two entries with chips that know
   what can be written there, and what was.

   Its action is filter, which goes there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FILTER_BAR_H
#define DV_FILTER_BAR_H

#include "host/host.h"

/* `apply`: the user wants what the entries say, which is well formed.  */
struct dv_filter_bar *dv_filter_bar_new (struct dv_host *host,
                                         void (*apply) (void *user),
                                         void *user);
void dv_filter_bar_free (struct dv_filter_bar *bar);
GtkWidget *dv_filter_bar_widget (const struct dv_filter_bar *bar);

const char *dv_filter_bar_events (const struct dv_filter_bar *bar);
const char *dv_filter_bar_ranges (const struct dv_filter_bar *bar);
/* As if the user had written that; NULL: as it is.  */
void dv_filter_bar_set (struct dv_filter_bar *bar, const char *events,
                        const char *ranges);
/* The entries say what the scene shows.  */
void dv_filter_bar_restore (struct dv_filter_bar *bar);
/* A load of what the entries say begins.  */
void dv_filter_bar_begin (struct dv_filter_bar *bar);
/* It has ended well, and the scene shows it: nothing is wrong, and the entries
   say what the scene shows.  One that was changed since dv_filter_bar_begin
   stays as it is: the user is writing there.  */
void dv_filter_bar_done (struct dv_filter_bar *bar);
/* What is wrong with the entries; NULL: nothing.  */
void dv_filter_bar_mark (struct dv_filter_bar *bar,
                         const struct dg_error *err);
/* Another log: other labels to complete conditions with.  */
void dv_filter_bar_update (struct dv_filter_bar *bar);

#endif /* DV_FILTER_BAR_H */

/* panes.h: the panels, beside and below the plot.

   A part of the window, see host.h; its actions are side-panel and tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PANES_H
#define DV_PANES_H

#include "host/host.h"
#include "panels/base/panel.h"

/* Puts the plot, the overview and all panels together; `changed`: other panels
   are seen.  */
struct dv_panes *dv_panes_new (struct dv_host *host, GtkWidget *plot,
                               GtkWidget *overview,
                               void (*changed) (void *user), void *user);
/* The window is about to go: remembers sizes and tabs.  */
void dv_panes_closed (struct dv_panes *panes);
/* The widgets are gone.  */
void dv_panes_free (struct dv_panes *panes);
GtkWidget *dv_panes_widget (const struct dv_panes *panes);
/* Buttons of panels that are folded away, for lack of room.  */
GtkWidget *dv_panes_folded_widget (const struct dv_panes *panes);

/* See struct dv_panel.  */
void dv_panes_show (struct dv_panes *panes, const struct dv_pick *pick,
                    const struct dv_answer *answer);
void dv_panes_show_source (struct dv_panes *panes, const char *file,
                           unsigned line);
/* The same, but only if the user has not closed what shows sources, and as
   long as there is room for them.  */
void dv_panes_offer_source (struct dv_panes *panes, const char *file,
                            unsigned line);
void dv_panes_show_tally (struct dv_panes *panes, struct dv_tally *tally);
/* The plot's scene or view is another; its look is.  */
void dv_panes_show_view (struct dv_panes *panes);
void dv_panes_show_look (struct dv_panes *panes);
void dv_panes_show_moment (struct dv_panes *panes, uint64_t icount);
/* Whether anything that shows tallies can be seen.  */
bool dv_panes_wants_tally (const struct dv_panes *panes);

#endif /* DV_PANES_H */

/* panel.h: what a side panel is.

   A new panel is one file in this folder, its line in panels.c and one in
   Makefile.am.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PANEL_H
#define DV_PANEL_H

#include <gtk/gtk.h>

#include "../inquiry.h"

/* What panels may ask the window for.  Outlives the panels.  */
struct dv_panel_host {
  void (*open_source) (void *user, const char *file, unsigned line);
  /* Makes an access the selected one.  */
  void (*select) (void *user, const struct dg_access *access);
  void *user;
};

struct dv_panel {
  const char *title;
  GtkWidget *(*make) (const struct dv_panel_host *host);
  /* What the user has pointed at; both may be NULL: nothing.  `pick` stays
     until the next call, the answer does not.  */
  void (*show) (GtkWidget *panel, const struct dv_pick *pick,
                const struct dv_answer *answer);
};

/* All panels, in the order of their tabs; NULL-terminated.  */
const struct dv_panel *const *dv_panels (void);

extern const struct dv_panel dv_panel_access;

#endif /* DV_PANEL_H */

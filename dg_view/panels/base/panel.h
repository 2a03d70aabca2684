/* panel.h: what a panel beside or below the plot is.

   A new panel is one file in this folder, which ends with its
   `const struct dv_panel dv_panel_NAME`, and its line in PANELS of
   Makefile.am, whose order is that of the tabs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PANEL_H
#define DV_PANEL_H

#include <gtk/gtk.h>

#include "model/log/highlight.h"
#include "jobs/inquiry.h"
#include "model/log/look.h"
#include "model/tally/tally.h"

/* What panels may ask the window for; on the main thread.  Outlives the
   panels.  */
struct dv_panel_host {
  /* Shows a place in the panels that show sources; FILE as the debug info has
     it, "" if it is not known.  */
  void (*show_source) (void *user, const char *file, unsigned line);
  /* Opens it in the user's editor.  */
  void (*edit_source) (void *user, const char *file, unsigned line);
  /* Makes an access the selected one.  */
  void (*select) (void *user, const struct dg_access *access);
  /* Makes accesses stand out in the plot, until another call; NULL: none.
     The caller keeps its reference.  */
  void (*highlight) (void *user, struct dv_highlight *highlight);
  /* Shows a part of the plot; the last view is remembered.  */
  void (*go_to) (void *user, const struct dv_view *view);
  /* Sets the conditions of the filter; NULL: as they are.  */
  void (*filter) (void *user, const char *events, const char *ranges);
  void *user;
  /* How the plot is drawn now.  */
  const struct dv_look *(*look) (void *user);
  /* As show_source, but not if the user has closed what shows sources.  */
  void (*offer_source) (void *user, const char *file, unsigned line);
  /* Where sources are looked for, see sourcemap.h; NULL-terminated, valid
     until the next change.  */
  const char *const *(*source_map) (void *user);
  /* Remembers one more pair "FROM=TO", instead of one with that FROM.  */
  void (*map_source) (void *user, const char *pair);
  /* The log that is shown; NULL: none that was read.  It is the window's.  */
  struct dv_data *(*data) (void *user);
  /* Draws a line in the plot at a moment, until another call; DG_NEVER:
     none.  */
  void (*point_at) (void *user, uint64_t icount);
};

enum dv_panel_place {
  DV_PANEL_SIDE,       /* right of the plot, above */
  DV_PANEL_SOURCE,     /* right of the plot, below */
  DV_PANEL_BOTTOM      /* below the plot; these show tallies */
};

struct dv_count_class;

struct dv_panel {
  const char *id;      /* a word that settings and actions use */
  const char *title;   /* N_ () */
  enum dv_panel_place place;
  bool is_picture;     /* of the instructions that the plot shows, as large as
                          can be; DV_PANEL_BOTTOM */
  /* A table of what the plot shows (count_list.h), which needs none of the
     functions; NULL: it is something else.  */
  const struct dv_count_class *table;
  GtkWidget *(*make) (const struct dv_panel_host *host);
  /* Each may be NULL.  */
  /* What the user has pointed at; both may be NULL: nothing.  `pick` stays
     until the next call, the answer does not.  */
  void (*show) (GtkWidget *panel, const struct dv_pick *pick,
                const struct dv_answer *answer);
  /* What the accesses in the plot add up to; NULL: not known (yet).  It may
     be partial, then another follows.  Only called for the panel that is
     seen; again when it comes to be seen.  To be kept, it must be
     referenced.  */
  void (*show_tally) (GtkWidget *panel, struct dv_tally *tally);
  /* The plot shows another part, or another log.  scene: NULL: none; view:
     NULL: no accesses, but there may be more in the log.  Only called for the
     panel that is seen; again when it comes to be seen.  To be kept, the scene
     must be referenced.  */
  void (*show_view) (GtkWidget *panel, struct dv_scene *scene,
                     const struct dv_view *view);
  /* The pointer is at that moment in the plot; DG_NEVER: it is not there.  */
  void (*show_moment) (GtkWidget *panel, uint64_t icount);
  /* The look of the plot is another.  */
  void (*show_look) (GtkWidget *panel);
  /* See dv_panel_host.show_source.  */
  void (*show_source) (GtkWidget *panel, const char *file, unsigned line);
};

/* All panels; NULL-terminated.  */
const struct dv_panel *const *dv_panels (void);

#endif /* DV_PANEL_H */

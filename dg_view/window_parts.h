/* window_parts.h: what the files of the window share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_WINDOW_PARTS_H
#define DV_WINDOW_PARTS_H

#include <gtk/gtk.h>

#include "canvas.h"
#include "options.h"
#include "panels/panel.h"

struct dv_window {
  const struct dv_options *options;
  int status;                     /* to exit with */
  GtkApplication *app;
  GtkWidget *window;              /* NULL once it is closed */
  GtkWidget *header;
  struct dv_canvas *canvas;

  /* Of loading.c.  */
  char *path;                     /* of the log that is shown or loaded */
  struct dv_data *data;           /* NULL: none yet */
  struct dv_job *load_job;        /* loading or filtering; NULL: neither */
  bool filtering;                 /* which of the two */
  struct dv_job *index_job;       /* indexing `data`; NULL: it is not */
  bool first_view;                /* the command line's is still due */
  GtkWidget *events, *ranges;     /* entries */
  GtkWidget *progress_box, *progress, *progress_text;
  guint progress_timer;
  GtkWidget *info_bar, *info_text, *info_button;

  /* Of window.c.  */
  GtkWidget *hover;
  GtkAdjustment *across, *down;   /* in positions and icounts */
  bool adjusting;                 /* the canvas moves the scrollbars now */
  struct dv_panel_host host;
  GtkWidget *notebook;            /* panels, as in dv_panels () */
  struct dv_pick *pick;
  struct dv_job *about_job;
};

/* toolbar.c: header bar, actions, shortcuts.  */
GtkWidget *dv_toolbar_new (struct dv_window *window);
/* Which actions are possible has changed.  */
void dv_toolbar_update (struct dv_window *window);

/* loading.c: the log and the filter, with their rows of the window.  */
GtkWidget *dv_loading_filter_bar (struct dv_window *window);
GtkWidget *dv_loading_progress (struct dv_window *window);
GtkWidget *dv_loading_info_bar (struct dv_window *window);
void dv_loading_open (struct dv_window *window, const char *path);
/* Shows or hides the progress of whatever is going on.  */
void dv_loading_watch (struct dv_window *window);
void dv_loading_stop (struct dv_window *window);

/* indexing.c: makes an index for the window's data if they lack one and it is
   worth it.  */
void dv_indexing_start (struct dv_window *window);
void dv_indexing_stop (struct dv_window *window);

/* window.c: nothing is selected any more.  */
void dv_window_forget_pick (struct dv_window *window);
/* A dialog with a message that needs no answer; returns when it is
   closed.  */
void dv_window_error (struct dv_window *window, const char *what,
                      const char *why);

#endif /* DV_WINDOW_PARTS_H */

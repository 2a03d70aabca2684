/* host.h: what the parts of a window share, and what they may ask of it.

   A part has a file and a struct of its own, which nobody else looks into:
   dv_PART_new makes it and adds its actions to the window, dv_PART_free drops
   what is going on; the widgets may be gone by then.  Parts know the host and
   parts of houses below theirs; window.c knows all of them, and tells them
   what happens.  All on the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HOST_H
#define DV_HOST_H

#include <gtk/gtk.h>

#include "canvas/canvas.h"
#include "model/user/choices.h"
#include "model/user/options.h"

struct dv_host {
  GtkApplication *app;
  GtkWidget *window; /* NULL once it is closed */
  GtkWidget *status; /* a label: the line below the plot */
  GtkWidget *error;  /* a dialog; NULL: none is open */
  const struct dv_options *options;
  struct dv_settings *settings;
  struct dv_choices *choices;
  struct dv_canvas *canvas;
  struct dv_info *info;
  struct dv_activities *progress;
  struct dv_selection *selection;

  /* Loading's.  */
  char *path;           /* of the log that is shown or loaded */
  struct dv_data *data; /* NULL: none yet */
  int exit_status;      /* of the program */

  /* What parts above do.  */
  void *user; /* of all that follow */
  /* Loads a log here, in a window of its own; this one again, see
     dv_loading_reload.  */
  void (*open) (void *user, const char *path);
  void (*open_another) (void *user, const char *path);
  void (*reload) (void *user);
  /* Compares the log that is shown with another, in a window of its own; NULL:
     shows it by owner.  */
  void (*compare) (void *user, const char *path);
  /* Sets the conditions and filters; NULL: as they are.  */
  void (*filter) (void *user, const char *events, const char *ranges);
  /* Shows a place in the panels that show sources; in the user's editor.  */
  void (*show_source) (void *user, const char *file, unsigned line);
  void (*edit_source) (void *user, const char *file, unsigned line);
  /* As show_source, but not if the user has closed what shows sources.  */
  void (*offer_source) (void *user, const char *file, unsigned line);
  /* What is selected is another: see struct dv_panel.  */
  void (*selected) (void *user, const struct dv_pick *pick,
                    const struct dv_answer *answer);
  /* The log, its filter, or all of it is another: the canvas has another
     scene (or none).  */
  void (*scene_changed) (void *user);
  /* The log, or the start page.  */
  void (*show_page) (void *user, bool log);
  /* What the window is called, and what stands in its header bar.  */
  void (*set_title) (void *user, const char *title, const char *heading,
                     const char *below);
};

/* Shows a part of the plot, remembering the last.  */
void dv_host_go_to (struct dv_host *host, const struct dv_view *view);
/* A line below the plot.  */
void dv_host_say (struct dv_host *host, const char *text);
/* Adds actions, whose functions get `user`.  */
void dv_host_add_actions (struct dv_host *host, const GActionEntry *actions,
                          guint n, void *user);
/* Whether an action is possible.  */
void dv_host_enable (struct dv_host *host, const char *action, bool enabled);
/* The state of an action, which it takes over; its function is not called.  */
void dv_host_set_state (struct dv_host *host, const char *action,
                        GVariant *state);
/* The bar below all: the line that dv_host_say sets, and `right` at its
   end.  */
GtkWidget *dv_host_status_bar (struct dv_host *host, GtkWidget *right);
/* Puts a text on the clipboard.  */
void dv_host_copy (struct dv_host *host, const char *text);
/* A dialog with a message that needs no answer.  Says nothing while another
   one is open.  */
void dv_host_error (struct dv_host *host, const char *what, const char *why);

#endif /* DV_HOST_H */

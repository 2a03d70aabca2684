/* window_parts.h: the window, for the files that it is made of.

   Each part has a file, which owns the part's state: its struct is known
   there only.  What happens to the window is told by window.c, which calls
   the parts' functions below.  All on the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_WINDOW_PARTS_H
#define DV_WINDOW_PARTS_H

#include <gtk/gtk.h>

#include "application.h"
#include "canvas.h"
#include "model/user/options.h"
#include "panels/panel.h"
#include "model/user/settings.h"

struct dv_window {
  struct dv_application *application;
  const struct dv_options *options;
  struct dv_settings *settings;   /* the application's */
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
  struct dv_load *load;           /* of load_job */
  struct dv_kept *kept;           /* for when the log is read again, or NULL */
  GtkWidget *progress_box, *progress, *progress_text, *progress_cancel;
  GtkWidget *follow_text;         /* of following.c */
  void (*info_accepted) (struct dv_window *window);
  guint progress_timer;
  GtkWidget *info_bar, *info_text, *info_button;

  /* Of window.c.  */
  GtkWidget *hover;
  GtkAdjustment *across, *down;   /* in positions and icounts */
  bool adjusting;                 /* the canvas moves the scrollbars now */
  struct dv_pick *pick;
  struct dv_job *about_job;
  GtkWidget *pages;               /* a stack: "log" and "start" */
  GtkWidget *error;               /* a dialog; NULL: none is open */
  GtkWidget *shortcuts;           /* a window; NULL: it was not shown yet */
  int usual_width, usual_height;  /* of the window when not maximised */
  char *noted_path;               /* the last one among the recent logs */

  /* Of opening.c.  */
  GtkNativeDialog *chooser;       /* NULL: it is not open */

  /* Of the files that are named after them; NULL before they are made.  */
  struct dv_bookmarks *bookmarks;
  struct dv_contextmenu *contextmenu;
  struct dv_export *export;
  struct dv_following *following;
  struct dv_menu *menu;
  struct dv_minimap *minimap;
  struct dv_panes *panes;
  struct dv_search *search;
  struct dv_start_page *start_page;
  struct dv_stepping *stepping;
  struct dv_tallying *tallying;
};

/* ---- window.c -------------------------------------------------------- */

/* Opens a window, with the start page.  */
struct dv_window *dv_window_new (struct dv_application *application,
                                 const struct dv_options *options);
/* After it was closed, or the program has ended.  */
void dv_window_free (struct dv_window *window);
/* Nothing is selected any more.  */
void dv_window_forget_pick (struct dv_window *window);
/* Makes an access the selected one.  */
void dv_window_select (struct dv_window *window,
                       const struct dg_access *access);
/* Shows a part of the plot, remembering the last.  */
void dv_window_go_to (struct dv_window *window, const struct dv_view *view);
/* Shows a file in the user's editor.  */
void dv_window_edit (struct dv_window *window, const char *file,
                     unsigned line);
/* A dialog with a message that needs no answer.  Says nothing while another
   one is open.  */
void dv_window_error (struct dv_window *window, const char *what,
                      const char *why);
/* The log, or the start page.  */
void dv_window_show_page (struct dv_window *window, bool log);
/* The log, its filter, or all of it is another: the canvas has another scene
   (or none).  */
void dv_window_scene_changed (struct dv_window *window);

/* ---- toolbar.c, shortcuts.c: header bar, menu, actions ---------------- */

GtkWidget *dv_toolbar_new (struct dv_window *window);
/* Which actions are possible has changed.  */
void dv_toolbar_update (struct dv_window *window);
void dv_toolbar_enable (struct dv_window *window, const char *action,
                        bool enabled);
/* Sets the keys of all actions of all parts.  */
void dv_shortcuts_init (struct dv_window *window);

/* ---- What the menu shows: files of these names ------------------------ */

void dv_shortcuts_show (struct dv_window *window);
void dv_preferences_show (struct dv_window *window);
void dv_about_show (struct dv_window *window);
/* The menu's button for the header bar.  */
GtkWidget *dv_menu_new (struct dv_window *window);
void dv_menu_free (struct dv_window *window);

/* ---- appearance.c: how the plot is drawn ------------------------------ */

void dv_appearance_init (struct dv_window *window);
/* By the choices and the theme.  */
struct dv_look dv_appearance_look (const struct dv_window *window);
/* They have changed.  */
void dv_appearance_update (struct dv_window *window);

/* ---- opening.c, start_page.c: getting at a log ------------------------ */

void dv_opening_init (struct dv_window *window);
/* The first here, the others in windows of their own; NULL-terminated.  */
void dv_opening_uris (struct dv_window *window, char **uris);
void dv_opening_free (struct dv_window *window);

GtkWidget *dv_start_page_new (struct dv_window *window);
/* It is about to be seen.  */
void dv_start_page_update (struct dv_window *window);
void dv_start_page_free (struct dv_window *window);

/* ---- panes.c: the panels, beside and below the plot ------------------- */

/* Puts the plot and all panels together.  */
GtkWidget *dv_panes_new (struct dv_window *window, GtkWidget *plot);
void dv_panes_free (struct dv_window *window);
/* See struct dv_panel.  */
void dv_panes_show (struct dv_window *window, const struct dv_pick *pick,
                    const struct dv_answer *answer);
void dv_panes_show_source (struct dv_window *window, const char *file,
                           unsigned line);
void dv_panes_show_tally (struct dv_window *window, struct dv_tally *tally);
/* The plot's scene or view is another; its look is.  */
void dv_panes_show_view (struct dv_window *window);
void dv_panes_show_look (struct dv_window *window);
void dv_panes_show_moment (struct dv_window *window, uint64_t icount);
/* Whether anything that shows tallies can be seen.  */
bool dv_panes_wants_tally (const struct dv_window *window);
/* The same, but only if the user has not closed what shows sources.  */
void dv_panes_offer_source (struct dv_window *window, const char *file,
                            unsigned line);
/* Of panes_host.c: what panels may ask the window for.  */
struct dv_panel_host dv_panes_host (struct dv_window *window);
/* The window is about to go: remembers sizes and tabs.  */
void dv_panes_closed (struct dv_window *window);

/* ---- loading.c: the log and the filter, with their rows --------------- */

GtkWidget *dv_loading_filter_bar (struct dv_window *window);
GtkWidget *dv_loading_progress (struct dv_window *window);
GtkWidget *dv_loading_info_bar (struct dv_window *window);
void dv_loading_open (struct dv_window *window, const char *path);
/* Sets the conditions and filters; NULL: as they are.  */
void dv_loading_filter (struct dv_window *window, const char *events,
                        const char *ranges);
/* Reads it again and keeps the view, the filter and, where the same access is
   there, the selection.  If that fails, the old picture stays.  */
void dv_loading_reload (struct dv_window *window);
/* A line above the plot; type: such as GTK_MESSAGE_INFO.  */
void dv_loading_tell (struct dv_window *window, GtkMessageType type,
                      const char *text);
/* The same with a button that calls `accepted`; both may be NULL.  */
void dv_loading_offer (struct dv_window *window, GtkMessageType type,
                       const char *text, const char *button,
                       void (*accepted) (struct dv_window *window));
/* That the log cannot be read any more: offers to load it again, unless a
   message that is there does, which then says why.  */
void dv_loading_tell_failed (struct dv_window *window, const char *text);
/* That the log is cut short or damaged, if it is.  */
void dv_loading_tell_flaw (struct dv_window *window);
/* Shows or hides the progress of whatever is going on.  */
void dv_loading_watch (struct dv_window *window);
void dv_loading_stop (struct dv_window *window);

/* ---- indexing.c ------------------------------------------------------ */

/* Makes an index for the window's data if they lack one and it is worth
   it.  */
void dv_indexing_start (struct dv_window *window);
void dv_indexing_stop (struct dv_window *window);

/* ---- Parts, each in the file of its name ------------------------------ */
/* init: makes the part's state and adds its actions to the window.
   view_changed, scene_changed: tells it.
   free: drops what is going on; the widgets may be gone.  */

/* The whole log, small, with what the plot shows of it.  */
void dv_minimap_init (struct dv_window *window);
GtkWidget *dv_minimap_widget (struct dv_window *window);
void dv_minimap_view_changed (struct dv_window *window);
void dv_minimap_scene_changed (struct dv_window *window);
void dv_minimap_free (struct dv_window *window);

/* Going to an address, an instruction, a function, a label.  */
void dv_search_init (struct dv_window *window);
GtkWidget *dv_search_widget (struct dv_window *window);
void dv_search_scene_changed (struct dv_window *window);
/* Whether something that stands out is in view may be another.  */
void dv_search_bright_changed (struct dv_window *window);
void dv_search_free (struct dv_window *window);

/* Views that were given a name, and the command line that shows this one.  */
void dv_bookmarks_init (struct dv_window *window);
/* Its button for the header bar.  */
GtkWidget *dv_bookmarks_widget (struct dv_window *window);
void dv_bookmarks_scene_changed (struct dv_window *window);
void dv_bookmarks_free (struct dv_window *window);

/* The tallies of what the plot shows, for the panels below it.  */
void dv_tallying_init (struct dv_window *window);
void dv_tallying_view_changed (struct dv_window *window);
void dv_tallying_scene_changed (struct dv_window *window);
/* Some panel came to be seen, or none is any more.  */
void dv_tallying_panel_changed (struct dv_window *window);
/* What is going on; NULL: nothing.  */
struct dv_job *dv_tallying_job (const struct dv_window *window);
/* The user does not want to know, of this view.  */
void dv_tallying_stop (struct dv_window *window);
void dv_tallying_free (struct dv_window *window);

/* A log that is still being written.  */
void dv_following_init (struct dv_window *window);
/* Whether the next log is to be read as one that grows.  */
bool dv_following_is_on (const struct dv_window *window);
/* Another log is about to be read; reading has ended, in whatever way.  */
void dv_following_opened (struct dv_window *window);
void dv_following_loaded (struct dv_window *window);
void dv_following_scene_changed (struct dv_window *window);
void dv_following_free (struct dv_window *window);

/* Saving the picture, or a part of the log.  */
void dv_export_init (struct dv_window *window);
/* What is being saved; NULL: nothing.  */
struct dv_job *dv_export_job (const struct dv_window *window);
void dv_export_cancel (struct dv_window *window);
void dv_export_scene_changed (struct dv_window *window);
void dv_export_free (struct dv_window *window);

#endif /* DV_WINDOW_PARTS_H */

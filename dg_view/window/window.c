/* window.c: the parts of the window together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window.h"

#include "chrome/appearance.h"
#include "chrome/contextmenu.h"
#include "chrome/editor.h"
#include "chrome/export.h"
#include "chrome/menu.h"
#include "chrome/recent.h"
#include "chrome/start_page.h"
#include "chrome/toolbar.h"
#include "find/bookmarks.h"
#include "find/search.h"
#include "host/info.h"
#include "host/activities.h"
#include "host/selection.h"
#include "i18n.h"
#include "loading/following.h"
#include "minimap.h"
#include "panes.h"
#include "rectangle.h"
#include "tallying.h"
#include "widgets/pieces.h"

#define USUAL_WIDTH  1280
#define USUAL_HEIGHT 820
#define LEAST_WIDTH  400
#define LEAST_HEIGHT 300
#define MOST_SIZE    16384

struct dv_window {
  struct dv_host host;
  struct dv_application *application;
  GtkWidget *header;
  GtkWidget *pages;              /* a stack: "log" and "start" */
  GtkAdjustment *across, *down;  /* in positions and icounts */
  bool adjusting;                /* the canvas moves the scrollbars now */
  int usual_width, usual_height; /* when it is not maximised */
  char *noted_path;              /* the last one among the recent logs */

  /* The parts; NULL before they are made, and once it is closed.  */
  struct dv_bookmarks *bookmarks;
  struct dv_contextmenu *contextmenu;
  struct dv_export *export;
  struct dv_following *following;
  struct dv_indexing *indexing;
  struct dv_loading *loading;
  struct dv_menu *menu;
  struct dv_minimap *minimap;
  struct dv_opening *opening;
  struct dv_panes *panes;
  struct dv_rectangle *rectangle;
  struct dv_search *search;
  struct dv_start_page *start_page;
  struct dv_stepping *stepping;
  struct dv_tallying *tallying;
};

/* ---- What parts ask for ---------------------------------------------- */

static void
open_log (void *user, const char *path)
{
  struct dv_window *window = user;
  dv_loading_open (window->loading, path);
}

static void
open_another (void *user, const char *path)
{
  const struct dv_window *window = user;
  dv_window_new (window->application, &window->application->further, path);
}

static void
compare (void *user, const char *path)
{
  const struct dv_window *window = user;
  dv_application_compare (window->application, &window->application->further,
                          window->host.path, path);
}

static void
reload (void *user)
{
  struct dv_window *window = user;
  dv_loading_reload (window->loading);
}

static void
filter (void *user, const char *events, const char *ranges)
{
  struct dv_window *window = user;
  dv_loading_filter (window->loading, events, ranges);
}

static void
show_source (void *user, const char *file, unsigned line)
{
  struct dv_window *window = user;
  dv_panes_show_source (window->panes, file, line);
}

static void
offer_source (void *user, const char *file, unsigned line)
{
  struct dv_window *window = user;
  dv_panes_offer_source (window->panes, file, line);
}

static void
edit_source (void *user, const char *file, unsigned line)
{
  struct dv_host *host = &((struct dv_window *) user)->host;
  const struct dv_choices *choices = host->choices;
  GError *error = NULL;
  if (*file == '\0') {
    dv_host_error (host, _ ("The source of this function is not known."),
                   _ ("Its module has no debug information, or it is not on "
                      "this machine."));
  } else if (!dv_editor_show (choices->editor,
                              (const char *const *) choices->source_map,
                              host->data, file, line, &error)) {
    dv_host_error (host, _ ("The source cannot be opened."), error->message);
    g_error_free (error);
  }
}

static void
selected (void *user, const struct dv_pick *pick,
          const struct dv_answer *answer)
{
  struct dv_window *window = user;
  dv_panes_show (window->panes, pick, answer);
}

static void
set_title (void *user, const char *title, const char *heading,
           const char *below)
{
  struct dv_window *window = user;
  gtk_window_set_title (GTK_WINDOW (window->host.window), title);
  gtk_header_bar_set_title (GTK_HEADER_BAR (window->header), heading);
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (window->header), below);
}

/* Once it is known to be one, and which.  */
static void
note_recent (struct dv_window *window)
{
  const struct dv_scene *scene = window->host.canvas->scene;
  if (scene == NULL || g_strcmp0 (window->host.path, window->noted_path) == 0)
    return;
  g_free (window->noted_path);
  window->noted_path = g_strdup (window->host.path);
  dv_recent_note (window->host.path,
                  dg_log_header (scene->data->log)->is_archive);
}

static void
show_page (void *user, bool log)
{
  struct dv_window *window = user;
  GtkStack *pages = GTK_STACK (window->pages);
  const char *page = log ? "log" : "start";
  if (!log)
    set_title (window, "Datagrind", "Datagrind", NULL);
  dv_start_page_show (window->start_page, !log);
  if (g_str_equal (gtk_stack_get_visible_child_name (pages), page))
    return;
  gtk_stack_set_visible_child_name (pages, page);
  if (log)
    gtk_widget_grab_focus (window->host.canvas->widget);
}

static void
scene_changed (void *user)
{
  struct dv_window *window = user;
  dv_canvas_set_highlight (window->host.canvas, NULL);
  dv_minimap_scene_changed (window->minimap);
  dv_contextmenu_scene_changed (window->contextmenu);
  dv_stepping_scene_changed (window->stepping);
  dv_search_scene_changed (window->search);
  dv_bookmarks_scene_changed (window->bookmarks);
  dv_tallying_scene_changed (window->tallying);
  dv_rectangle_changed (window->rectangle);
  dv_following_scene_changed (window->following);
  dv_export_scene_changed (window->export);
  note_recent (window);
  show_page (window, window->host.path != NULL);
}

/* ---- What the canvas tells ------------------------------------------- */

static void
picked (void *user, struct dv_inquiry *inquiry)
{
  struct dv_window *window = user;
  dv_selection_take (window->host.selection, inquiry);
  dv_stepping_go_on (window->stepping);
}

static void
unpicked (void *user)
{
  struct dv_window *window = user;
  if (window->stepping != NULL)
    dv_stepping_forget (window->stepping);
}

static void
hover (void *user, const char *text, uint64_t icount)
{
  struct dv_window *window = user;
  dv_host_say (&window->host, text);
  dv_panes_show_moment (window->panes, icount);
}

static void
busy (void *user, bool is_busy)
{
  struct dv_window *window = user;
  dv_activities_watch (window->host.progress);
}

/* No dialog: nobody asked for this picture just now, there may be many that
   fail, and what is typed meanwhile is meant for the window.  */
static void
failed (void *user, const struct dg_error *err)
{
  struct dv_window *window = user;
  char *text =
    g_strdup_printf (_ ("The picture cannot be drawn. (%s)"), err->message);
  dv_info_tell_failed (window->host.info, text);
  g_free (text);
}

static void
bright_changed (void *user)
{
  struct dv_window *window = user;
  if (window->search != NULL)
    dv_search_bright_changed (window->search);
}

static void
box_changed (void *user)
{
  struct dv_window *window = user;
  if (window->rectangle != NULL)
    dv_rectangle_changed (window->rectangle);
  if (window->tallying != NULL)
    dv_tallying_view_changed (window->tallying);
}

static void
look_changed (void *user)
{
  struct dv_window *window = user;
  dv_panes_show_look (window->panes);
}

static void
view_changed (void *user)
{
  struct dv_window *window = user;
  const struct dv_view *now = &window->host.canvas->viewport.now;
  const struct dv_view *full = &window->host.canvas->viewport.full;
  double width = (double) (now->x1 - now->x0);
  double height = (double) (now->y1 - now->y0);
  window->adjusting = true;
  gtk_adjustment_configure (window->across, (double) now->x0,
                            (double) full->x0, (double) full->x1, width / 10,
                            width * 0.9, width);
  gtk_adjustment_configure (window->down, (double) now->y0,
                            (double) full->y0, (double) full->y1,
                            height / 10, height * 0.9, height);
  window->adjusting = false;
  dv_toolbar_update (&window->host);
  if (window->minimap != NULL)
    dv_minimap_view_changed (window->minimap);
  if (window->tallying != NULL)
    dv_tallying_view_changed (window->tallying);
  dv_panes_show_view (window->panes);
  bright_changed (window);
}

static void
scrolled (struct dv_window *window)
{
  struct dv_viewport *viewport = &window->host.canvas->viewport;
  if (window->adjusting)
    return;
  struct dv_view view = viewport->now;
  uint64_t width = view.x1 - view.x0, height = view.y1 - view.y0;
  view.x0 = (uint64_t) gtk_adjustment_get_value (window->across);
  view.x1 = view.x0 + width;
  view.y0 = (uint64_t) gtk_adjustment_get_value (window->down);
  view.y1 = view.y0 + height;
  if (dv_viewport_show (viewport, &view, false))
    dv_canvas_view_changed (window->host.canvas);
}

/* ---- Making ---------------------------------------------------------- */

static GtkWidget *
new_plot (struct dv_window *window)
{
  struct dv_canvas_listener listener
    = {view_changed,   busy,         hover,       picked, unpicked, failed,
       bright_changed, look_changed, box_changed, window};
  struct dv_look look = dv_appearance_look (&window->host);
  window->host.canvas = dv_canvas_new (&listener, &look);
  window->across = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  window->down = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  g_signal_connect_swapped (window->across, "value-changed",
                            G_CALLBACK (scrolled), window);
  g_signal_connect_swapped (window->down, "value-changed",
                            G_CALLBACK (scrolled), window);
  GtkWidget *across = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL,
                                         window->across);
  GtkWidget *down = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL,
                                       window->down);
  dv_pieces_name (across, _ ("Addresses"));
  dv_pieces_name (down, _ ("Instructions"));
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_attach (GTK_GRID (grid), window->host.canvas->widget, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), down, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), across, 0, 1, 1, 1);
  return grid;
}

static GtkWidget *
new_status_bar (struct dv_window *window)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 16);
  dv_pieces_add (row, dv_panes_folded_widget (window->panes),
                 dv_following_widget (window->following),
                 dv_activities_widget (window->host.progress), NULL);
  return dv_host_status_bar (&window->host, row);
}

static void
panel_changed (void *user)
{
  struct dv_window *window = user;
  if (window->tallying != NULL)
    dv_tallying_panel_changed (window->tallying);
}

/* All of the window while a log is there, but for the header bar.  */
static GtkWidget *
new_log_page (struct dv_window *window)
{
  GtkWidget *plot = new_plot (window);
  window->panes =
    dv_panes_new (&window->host, plot, dv_minimap_widget (window->minimap),
                  panel_changed, window);
  window->tallying = dv_tallying_new (&window->host, window->panes);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  dv_pieces_add (box, dv_loading_filter_widget (window->loading),
                 dv_search_widget (window->search), NULL);
  gtk_box_pack_start (GTK_BOX (box), dv_panes_widget (window->panes), TRUE,
                      TRUE, 0);
  gtk_container_add (GTK_CONTAINER (box),
                     dv_rectangle_widget (window->rectangle));
  gtk_container_add (GTK_CONTAINER (box), new_status_bar (window));
  gtk_widget_show_all (box);
  return box;
}

/* ---- The window's size ------------------------------------------------ */

static void
set_size (struct dv_window *window)
{
  const struct dv_options *options = window->host.options;
  struct dv_settings *settings = window->host.settings;
  int width = dv_settings_number (settings, "width", USUAL_WIDTH);
  int height = dv_settings_number (settings, "height", USUAL_HEIGHT);
  bool given = options->width != 0;
  window->usual_width = given ? (int) options->width
                              : CLAMP (width, LEAST_WIDTH, MOST_SIZE);
  window->usual_height = given ? (int) options->height
                               : CLAMP (height, LEAST_HEIGHT, MOST_SIZE);
  gtk_window_set_default_size (GTK_WINDOW (window->host.window),
                               window->usual_width, window->usual_height);
  if (!given && dv_settings_flag (settings, "maximised", false))
    gtk_window_maximize (GTK_WINDOW (window->host.window));
}

static bool
is_stretched (const struct dv_window *window)
{
  GdkWindow *surface = gtk_widget_get_window (window->host.window);
  return surface != NULL
         && gdk_window_get_state (surface) & (GDK_WINDOW_STATE_MAXIMIZED
                                              | GDK_WINDOW_STATE_FULLSCREEN
                                              | GDK_WINDOW_STATE_TILED);
}

static void
resized (GtkWidget *widget, GdkRectangle *allocation, gpointer data)
{
  struct dv_window *window = data;
  if (!is_stretched (window))
    gtk_window_get_size (GTK_WINDOW (widget), &window->usual_width,
                         &window->usual_height);
}

static void
remember (struct dv_window *window)
{
  struct dv_settings *settings = window->host.settings;
  dv_panes_closed (window->panes);
  /* A size that was given is for this time.  */
  if (window->host.options->width == 0) {
    dv_settings_set_number (settings, "width", window->usual_width);
    dv_settings_set_number (settings, "height", window->usual_height);
    dv_settings_set_flag (
      settings, "maximised",
      gtk_window_is_maximized (GTK_WINDOW (window->host.window)));
  }
}

/* ---- Actions --------------------------------------------------------- */

static void
do_close (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  gtk_window_close (GTK_WINDOW (window->host.window));
}

void
dv_windows_close (struct dv_application *application)
{
  for (guint i = 0; i < application->windows->len; i++) {
    struct dv_window *each = g_ptr_array_index (application->windows, i);
    if (each->host.window != NULL)
      do_close (NULL, NULL, each);
  }
}

static void
do_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_window *window = data;
  dv_application_quit (window->application);
}

static const GActionEntry actions[] = {
  {"close", do_close},
  {"quit", do_quit},
};

/* ---- Life ------------------------------------------------------------ */

static gboolean
free_later (gpointer data)
{
  struct dv_window *window = data;
  g_ptr_array_remove (window->application->windows, window);
  return G_SOURCE_REMOVE;
}

/* The widgets are still there, and go now.  */
static void
closed (GtkWidget *widget, gpointer data)
{
  struct dv_window *window = data;
  struct dv_host *host = &window->host;
  if (host->window == NULL)
    return;
  remember (window);
  dv_activities_stop (host->progress);
  dv_selection_stop (host->selection);
  g_clear_pointer (&window->bookmarks, dv_bookmarks_free);
  g_clear_pointer (&window->export, dv_export_free);
  g_clear_pointer (&window->following, dv_following_free);
  g_clear_pointer (&window->loading, dv_loading_free);
  g_clear_pointer (&window->indexing, dv_indexing_free);
  g_clear_pointer (&window->menu, dv_menu_free);
  g_clear_pointer (&window->minimap, dv_minimap_free);
  g_clear_pointer (&window->opening, dv_opening_free);
  g_clear_pointer (&window->search, dv_search_free);
  g_clear_pointer (&window->contextmenu, dv_contextmenu_free);
  g_clear_pointer (&window->stepping, dv_stepping_free);
  g_clear_pointer (&window->start_page, dv_start_page_free);
  g_clear_pointer (&window->tallying, dv_tallying_free);
  g_clear_pointer (&window->rectangle, dv_rectangle_free);
  host->window = NULL;
  if (host->exit_status != 0)
    window->application->status = host->exit_status;
  g_idle_add (free_later, window);
}

static void
init_host (struct dv_window *window, const struct dv_options *options)
{
  struct dv_application *application = window->application;
  struct dv_host *host = &window->host;
  *host = (struct dv_host){
    .app = application->app,
    .window = gtk_application_window_new (application->app),
    .options = options,
    .settings = application->settings,
    .choices = &application->choices,
    .user = window,
    .open = open_log,
    .open_another = open_another,
    .compare = compare,
    .reload = reload,
    .filter = filter,
    .show_source = show_source,
    .offer_source = offer_source,
    .edit_source = edit_source,
    .selected = selected,
    .scene_changed = scene_changed,
    .show_page = show_page,
    .set_title = set_title,
  };
  host->info = dv_info_new (host);
  host->progress = dv_activities_new (host);
  host->selection = dv_selection_new (host);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), window);
}

static void
make_parts (struct dv_window *window)
{
  struct dv_host *host = &window->host;
  window->bookmarks = dv_bookmarks_new (host);
  window->export = dv_export_new (host);
  window->indexing = dv_indexing_new (host);
  window->loading = dv_loading_new (host, window->indexing);
  window->following =
    dv_following_new (host, window->loading, window->indexing);
  window->minimap = dv_minimap_new (host);
  window->opening = dv_opening_new (host);
  window->rectangle = dv_rectangle_new (host);
  window->contextmenu = dv_contextmenu_new (host);
  window->stepping = dv_stepping_new (host);
  window->search = dv_search_new (host, window->stepping);
  window->start_page = dv_start_page_new (window->opening);
  window->menu = dv_menu_new (host);
}

struct dv_window *
dv_window_new (struct dv_application *application,
               const struct dv_options *options, const char *path)
{
  struct dv_window *window = g_new0 (struct dv_window, 1);
  struct dv_host *host = &window->host;
  window->application = application;
  init_host (window, options);
  set_size (window);
  g_signal_connect (host->window, "size-allocate", G_CALLBACK (resized),
                    window);
  g_signal_connect (host->window, "destroy", G_CALLBACK (closed), window);

  make_parts (window);
  window->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (window->pages), new_log_page (window),
                       "log");
  gtk_stack_add_named (GTK_STACK (window->pages),
                       dv_start_page_widget (window->start_page), "start");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (box), dv_info_widget (host->info));
  gtk_box_pack_start (GTK_BOX (box), window->pages, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (host->window), box);
  dv_appearance_init (host);
  window->header = dv_toolbar_new (host, dv_menu_widget (window->menu),
                                   dv_bookmarks_widget (window->bookmarks));
  gtk_window_set_titlebar (GTK_WINDOW (host->window), window->header);
  dv_appearance_update (host);
  dv_toolbar_update (host);
  if (path == NULL)
    show_page (window, false);
  gtk_widget_show_all (host->window);
  g_ptr_array_add (application->windows, window);
  if (path != NULL) {
    dv_loading_open (window->loading, path);
    gtk_widget_grab_focus (host->canvas->widget);
  }
  return window;
}

void
dv_window_free (struct dv_window *window)
{
  struct dv_host *host = &window->host;
  dv_panes_free (window->panes);
  dv_selection_free (host->selection);
  dv_activities_free (host->progress);
  dv_info_free (host->info);
  dv_data_unref (host->data);
  g_free (host->path);
  g_free (window->noted_path);
  g_free (window);
}

void
dv_window_choices_changed (struct dv_window *window)
{
  dv_appearance_update (&window->host);
}

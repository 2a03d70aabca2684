/* window.c: the parts of the window together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window.h"

#include "editor.h"
#include "i18n.h"
#include "recent.h"
#include "stepping.h"
#include "window_parts.h"

#define USUAL_WIDTH  1280
#define USUAL_HEIGHT 820
#define LEAST_WIDTH  400
#define LEAST_HEIGHT 300
#define MOST_SIZE    16384

/* ---- Messages -------------------------------------------------------- */

/* People copy messages to ask others about them.  */
static void
make_selectable (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_LABEL (widget)) {
    gtk_label_set_selectable (GTK_LABEL (widget), TRUE);
    /* Names of files have no spaces.  */
    gtk_label_set_line_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD_CHAR);
  }
}

void
dv_window_error (struct dv_window *window, const char *what, const char *why)
{
  if (window->error != NULL)
    return;
  GtkWidget *dialog = gtk_message_dialog_new (
    GTK_WINDOW (window->window),
    GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_ERROR,
    GTK_BUTTONS_CLOSE, "%s", what);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            why);
  gtk_window_set_title (GTK_WINDOW (dialog), "Datagrind");
  gtk_container_foreach (
    GTK_CONTAINER (gtk_message_dialog_get_message_area (
      GTK_MESSAGE_DIALOG (dialog))), make_selectable, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  gtk_widget_grab_focus (gtk_dialog_get_widget_for_response (
    GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE));
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_widget_destroy),
                    NULL);
  window->error = dialog;
  g_signal_connect (dialog, "destroy", G_CALLBACK (gtk_widget_destroyed),
                    &window->error);
  gtk_widget_show (dialog);
}

void
dv_window_edit (struct dv_window *window, const char *file, unsigned line)
{
  const struct dv_choices *choices = &window->application->choices;
  GError *error = NULL;
  if (*file == '\0') {
    dv_window_error (window, _("The source of this function is not known."),
                     _("Its module has no debug information, or it is not on "
                       "this machine."));
  } else if (!dv_editor_show (choices->editor,
                              (const char *const *) choices->source_map,
                              window->data, file, line, &error)) {
    dv_window_error (window, _("The source cannot be opened."),
                     error->message);
    g_error_free (error);
  }
}

/* ---- Selection ------------------------------------------------------- */

void
dv_window_forget_pick (struct dv_window *window)
{
  dv_job_drop (window->about_job);
  window->about_job = NULL;
  struct dv_pick *pick = window->pick;
  window->pick = NULL;
  dv_panes_show (window, NULL, NULL);
  dv_canvas_set_mark (window->canvas, NULL);
  dv_pick_free (pick);
}

static void
picked (void *user, struct dv_inquiry *inquiry)
{
  struct dv_window *window = user;
  struct dv_pick *old = window->pick;
  dv_job_drop (window->about_job);
  window->about_job = NULL;
  window->pick = inquiry->pick;
  inquiry->pick = NULL;
  dv_panes_show (window, window->pick, inquiry->answer);
  dv_canvas_set_mark (window->canvas, inquiry->answer->is_nothing
                                      ? NULL : &inquiry->answer->access);
  dv_inquiry_free (inquiry);
  dv_pick_free (old);
  dv_stepping_go_on (window);
}

static void
unpicked (void *user)
{
  struct dv_window *window = user;
  if (window->stepping != NULL)
    dv_stepping_forget (window);
}

static void
about_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_window *window = user;
  struct dv_inquiry *inquiry = result;
  struct dv_pick *old = NULL;
  guint at;
  window->about_job = NULL;
  /* It need not be under the pixel that was pointed at.  */
  if (window->pick != NULL
      && !dv_pick_find (window->pick, &inquiry->answer->access, &at)) {
    old = window->pick;
    window->pick = NULL;
  }
  dv_panes_show (window, window->pick, inquiry->answer);
  dv_inquiry_free (inquiry);
  dv_pick_free (old);
}

/* It is the selected one from now on, for whatever begins there; what is known
   of it follows.  */
void
dv_window_select (struct dv_window *window, const struct dg_access *access)
{
  dv_canvas_set_mark (window->canvas, access);
  dv_job_drop (window->about_job);
  window->about_job = dv_inquiry_about (window->data, access, about_done,
                                        window);
}

void
dv_window_go_to (struct dv_window *window, const struct dv_view *view)
{
  if (dv_viewport_show (&window->canvas->viewport, view, true))
    dv_canvas_view_changed (window->canvas);
}

/* ---- What the canvas tells ------------------------------------------- */

static void
hover (void *user, const char *text, uint64_t icount)
{
  struct dv_window *window = user;
  gtk_label_set_text (GTK_LABEL (window->hover), text);
  dv_panes_show_moment (window, icount);
}

static void
busy (void *user, bool is_busy)
{
  dv_loading_watch (user);
}

/* No dialog: nobody asked for this picture just now, there may be many that
   fail, and what is typed meanwhile is meant for the window.  */
static void
failed (void *user, const struct dg_error *err)
{
  char *text = g_strdup_printf (_("The picture cannot be drawn. (%s)"),
                                err->message);
  dv_loading_tell_failed (user, text);
  g_free (text);
}

static void
bright_changed (void *user)
{
  dv_search_bright_changed (user);
}

static void
view_changed (void *user)
{
  struct dv_window *window = user;
  const struct dv_view *now = &window->canvas->viewport.now;
  const struct dv_view *full = &window->canvas->viewport.full;
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
  dv_toolbar_update (window);
  dv_minimap_view_changed (window);
  dv_tallying_view_changed (window);
  dv_panes_show_view (window);
  dv_search_bright_changed (window);
}

/* Once it is known to be one, and which.  */
static void
note_recent (struct dv_window *window)
{
  const struct dv_scene *scene = window->canvas->scene;
  if (scene == NULL || g_strcmp0 (window->path, window->noted_path) == 0)
    return;
  g_free (window->noted_path);
  window->noted_path = g_strdup (window->path);
  dv_recent_note (window->path,
                  dg_log_header (scene->data->log)->is_archive);
}

void
dv_window_show_page (struct dv_window *window, bool log)
{
  GtkStack *pages = GTK_STACK (window->pages);
  const char *page = log ? "log" : "start";
  if (!log) {
    gtk_window_set_title (GTK_WINDOW (window->window), "Datagrind");
    gtk_header_bar_set_title (GTK_HEADER_BAR (window->header), "Datagrind");
    gtk_header_bar_set_subtitle (GTK_HEADER_BAR (window->header), NULL);
    dv_start_page_update (window);
  }
  if (g_str_equal (gtk_stack_get_visible_child_name (pages), page))
    return;
  gtk_stack_set_visible_child_name (pages, page);
  if (log)
    gtk_widget_grab_focus (window->canvas->widget);
}

void
dv_window_scene_changed (struct dv_window *window)
{
  dv_canvas_set_highlight (window->canvas, NULL);
  dv_minimap_scene_changed (window);
  dv_search_scene_changed (window);
  dv_bookmarks_scene_changed (window);
  dv_tallying_scene_changed (window);
  dv_following_scene_changed (window);
  dv_export_scene_changed (window);
  note_recent (window);
  dv_window_show_page (window, window->path != NULL);
}

static void
scrolled (GtkAdjustment *adjustment, gpointer data)
{
  struct dv_window *window = data;
  struct dv_viewport *viewport = &window->canvas->viewport;
  if (window->adjusting)
    return;
  struct dv_view view = viewport->now;
  uint64_t width = view.x1 - view.x0, height = view.y1 - view.y0;
  view.x0 = (uint64_t) gtk_adjustment_get_value (window->across);
  view.x1 = view.x0 + width;
  view.y0 = (uint64_t) gtk_adjustment_get_value (window->down);
  view.y1 = view.y0 + height;
  if (dv_viewport_show (viewport, &view, false))
    dv_canvas_view_changed (window->canvas);
}

/* ---- Making ---------------------------------------------------------- */

static GtkWidget *
new_plot (struct dv_window *window)
{
  struct dv_canvas_listener listener = { view_changed, busy, hover, picked,
                                         unpicked, failed, bright_changed,
                                         window };
  struct dv_look look = dv_appearance_look (window);
  window->canvas = dv_canvas_new (&listener, &look);
  window->across = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  window->down = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  g_signal_connect (window->across, "value-changed", G_CALLBACK (scrolled),
                    window);
  g_signal_connect (window->down, "value-changed", G_CALLBACK (scrolled),
                    window);
  GtkWidget *across = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL,
                                         window->across);
  GtkWidget *down = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL,
                                       window->down);
  atk_object_set_name (gtk_widget_get_accessible (across), _("Addresses"));
  atk_object_set_name (gtk_widget_get_accessible (down), _("Instructions"));
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_attach (GTK_GRID (grid), window->canvas->widget, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), down, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), across, 0, 1, 1, 1);
  return grid;
}

static GtkWidget *
new_status_bar (struct dv_window *window)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_size_request (box, -1, 34);
  window->hover = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (window->hover), 0);
  gtk_label_set_ellipsize (GTK_LABEL (window->hover), PANGO_ELLIPSIZE_END);
  atk_object_set_description (gtk_widget_get_accessible (window->hover),
                              _("Under the pointer"));
  gtk_box_pack_start (GTK_BOX (box), window->hover, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (box), dv_loading_progress (window), FALSE,
                    FALSE, 0);
  return box;
}

/* All of the window while a log is there, but for the header bar.  */
static GtkWidget *
new_log_page (struct dv_window *window)
{
  GtkWidget *panes = dv_panes_new (window, new_plot (window));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (box), dv_loading_filter_bar (window));
  gtk_container_add (GTK_CONTAINER (box), dv_search_widget (window));
  gtk_box_pack_start (GTK_BOX (box), panes, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (box), new_status_bar (window));
  gtk_widget_show_all (box);
  return box;
}

/* ---- The window's size ------------------------------------------------ */

static void
set_size (struct dv_window *window)
{
  const struct dv_options *options = window->options;
  struct dv_settings *settings = window->settings;
  int width = dv_settings_number (settings, "width", USUAL_WIDTH);
  int height = dv_settings_number (settings, "height", USUAL_HEIGHT);
  bool given = options->width != 0;
  window->usual_width = given ? (int) options->width
                              : CLAMP (width, LEAST_WIDTH, MOST_SIZE);
  window->usual_height = given ? (int) options->height
                               : CLAMP (height, LEAST_HEIGHT, MOST_SIZE);
  gtk_window_set_default_size (GTK_WINDOW (window->window),
                               window->usual_width, window->usual_height);
  if (!given && dv_settings_flag (settings, "maximised", false))
    gtk_window_maximize (GTK_WINDOW (window->window));
}

static bool
is_stretched (const struct dv_window *window)
{
  GdkWindow *surface = gtk_widget_get_window (window->window);
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
  struct dv_settings *settings = window->settings;
  dv_panes_closed (window);
  /* A size that was given is for this time.  */
  if (window->options->width == 0) {
    dv_settings_set_number (settings, "width", window->usual_width);
    dv_settings_set_number (settings, "height", window->usual_height);
    dv_settings_set_flag (settings, "maximised", gtk_window_is_maximized (
      GTK_WINDOW (window->window)));
  }
}

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
  if (window->window == NULL)
    return;
  remember (window);
  dv_loading_stop (window);
  dv_job_drop (window->about_job);
  window->about_job = NULL;
  dv_bookmarks_free (window);
  dv_export_free (window);
  dv_following_free (window);
  dv_menu_free (window);
  dv_minimap_free (window);
  dv_opening_free (window);
  dv_search_free (window);
  dv_start_page_free (window);
  dv_tallying_free (window);
  window->window = NULL;
  if (window->status != 0)
    window->application->status = window->status;
  g_idle_add (free_later, window);
}

struct dv_window *
dv_window_new (struct dv_application *application,
               const struct dv_options *options)
{
  struct dv_window *window = g_new0 (struct dv_window, 1);
  window->application = application;
  window->options = options;
  window->settings = application->settings;
  window->app = application->app;
  window->first_view = true;
  window->window = gtk_application_window_new (window->app);
  set_size (window);
  g_signal_connect (window->window, "size-allocate", G_CALLBACK (resized),
                    window);
  g_signal_connect (window->window, "destroy", G_CALLBACK (closed), window);

  dv_bookmarks_init (window);
  dv_export_init (window);
  dv_following_init (window);
  dv_minimap_init (window);
  dv_opening_init (window);
  dv_search_init (window);
  dv_tallying_init (window);
  window->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (window->pages), new_log_page (window),
                       "log");
  gtk_stack_add_named (GTK_STACK (window->pages), dv_start_page_new (window),
                       "start");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (box), dv_loading_info_bar (window));
  gtk_box_pack_start (GTK_BOX (box), window->pages, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (window->window), box);
  dv_appearance_init (window);
  window->header = dv_toolbar_new (window);
  gtk_window_set_titlebar (GTK_WINDOW (window->window), window->header);
  dv_appearance_update (window);
  dv_toolbar_update (window);
  dv_window_show_page (window, false);
  gtk_widget_show_all (window->window);
  return window;
}

void
dv_window_free (struct dv_window *window)
{
  dv_panes_free (window);
  dv_pick_free (window->pick);
  dv_data_unref (window->data);
  g_free (window->noted_path);
  g_free (window->path);
  g_free (window);
}

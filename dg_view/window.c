/* window.c: the parts of the window together, and the program's life.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window.h"

#include "editor.h"
#include "i18n.h"
#include "window_parts.h"

#define USUAL_WIDTH  1280
#define USUAL_HEIGHT 820

/* ---- Messages -------------------------------------------------------- */

void
dv_window_error (struct dv_window *window, const char *what, const char *why)
{
  GtkWidget *dialog = gtk_message_dialog_new (
    GTK_WINDOW (window->window),
    GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_ERROR,
    GTK_BUTTONS_CLOSE, "%s", what);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            why);
  gtk_window_set_title (GTK_WINDOW (dialog), "Datagrind");
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_widget_destroy),
                    NULL);
  gtk_widget_show (dialog);
}

void
dv_window_edit (struct dv_window *window, const char *file, unsigned line)
{
  GError *error = NULL;
  if (*file == '\0') {
    dv_window_error (window, _("The source of this function is not known."),
                     _("Its module has no debug information, or it is not on "
                       "this machine."));
  } else if (!dv_editor_open (window->options->editor, file, line, &error)) {
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
  dv_canvas_set_mark (window->canvas, &inquiry->answer->access);
  dv_inquiry_free (inquiry);
  dv_pick_free (old);
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
  dv_canvas_set_mark (window->canvas, &inquiry->answer->access);
  dv_inquiry_free (inquiry);
  dv_pick_free (old);
}

void
dv_window_select (struct dv_window *window, const struct dg_access *access)
{
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
hover (void *user, const char *text)
{
  struct dv_window *window = user;
  gtk_label_set_text (GTK_LABEL (window->hover), text);
}

static void
busy (void *user, bool is_busy)
{
  dv_loading_watch (user);
}

static void
failed (void *user, const struct dg_error *err)
{
  dv_window_error (user, "The picture cannot be drawn.", err->message);
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

/* The desktop's theme is dark if its text is light.  */
static bool
is_dark (GtkWidget *widget)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA ink;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &ink);
  double light = 0.3 * ink.red + 0.6 * ink.green + 0.1 * ink.blue;
  return light > 0.5;
}

static struct dv_look
look_of (const struct dv_window *window)
{
  const struct dv_options *options = window->options;
  return (struct dv_look){
    .palette = dv_palette_find (options->palette, is_dark (window->window)),
    .colouring = options->by_thread ? DV_COLOUR_THREAD : DV_COLOUR_KIND,
  };
}

static void
style_updated (GtkWidget *widget, gpointer data)
{
  struct dv_window *window = data;
  if (window->canvas == NULL)
    return;
  struct dv_look look = window->canvas->look;
  look.palette = dv_palette_find (look.palette->name, is_dark (widget));
  dv_canvas_set_look (window->canvas, &look);
}

static GtkWidget *
new_plot (struct dv_window *window)
{
  struct dv_canvas_listener listener = { view_changed, busy, hover, picked,
                                         failed, window };
  struct dv_look look = look_of (window);
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
  atk_object_set_name (gtk_widget_get_accessible (across), "Addresses");
  atk_object_set_name (gtk_widget_get_accessible (down), "Instructions");
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
                              "Under the pointer");
  gtk_box_pack_start (GTK_BOX (box), window->hover, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (box), dv_loading_progress (window), FALSE,
                    FALSE, 0);
  return box;
}

static void
closed (GtkWidget *widget, gpointer data)
{
  struct dv_window *window = data;
  dv_loading_stop (window);
  dv_job_drop (window->about_job);
  window->about_job = NULL;
  dv_bookmarks_free (window);
  dv_export_free (window);
  dv_following_free (window);
  dv_minimap_free (window);
  dv_search_free (window);
  dv_tallying_free (window);
  window->window = NULL;
}

static void
set_theme (const struct dv_window *window)
{
  if (window->options->theme == DV_THEME_DESKTOP)
    return;
  g_object_set (gtk_settings_get_default (),
                "gtk-application-prefer-dark-theme",
                window->options->theme == DV_THEME_DARK, NULL);
}

static void
make_window (struct dv_window *window)
{
  const struct dv_options *options = window->options;
  set_theme (window);
  window->window = gtk_application_window_new (window->app);
  gtk_window_set_default_size (
    GTK_WINDOW (window->window),
    options->width != 0 ? (int) options->width : USUAL_WIDTH,
    options->height != 0 ? (int) options->height : USUAL_HEIGHT);
  gtk_window_set_title (GTK_WINDOW (window->window), "Datagrind");
  g_signal_connect (window->window, "destroy", G_CALLBACK (closed), window);
  g_signal_connect (window->window, "style-updated",
                    G_CALLBACK (style_updated), window);

  dv_bookmarks_init (window);
  dv_export_init (window);
  dv_following_init (window);
  dv_minimap_init (window);
  dv_search_init (window);
  dv_tallying_init (window);
  GtkWidget *panes = dv_panes_new (window, new_plot (window));
  window->header = dv_toolbar_new (window);
  gtk_window_set_titlebar (GTK_WINDOW (window->window), window->header);
  gtk_header_bar_set_title (GTK_HEADER_BAR (window->header), "Datagrind");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (box), dv_loading_filter_bar (window));
  gtk_container_add (GTK_CONTAINER (box), dv_loading_info_bar (window));
  gtk_container_add (GTK_CONTAINER (box), dv_search_widget (window));
  gtk_box_pack_start (GTK_BOX (box), panes, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (box), new_status_bar (window));
  gtk_container_add (GTK_CONTAINER (window->window), box);
  dv_toolbar_update (window);
  gtk_widget_show_all (window->window);
  gtk_widget_grab_focus (window->canvas->widget);
}

static void
activated (GApplication *app, gpointer data)
{
  struct dv_window *window = data;
  make_window (window);
  window->first_view = true;
  if (window->options->path != NULL)
    dv_loading_open (window, window->options->path);
  else
    dv_canvas_set_message (window->canvas, "Open a log with Ctrl+O.");
}

int
dv_window_run (const struct dv_options *options)
{
  struct dv_window window = { .options = options };
  if (!gtk_init_check (NULL, NULL)) {
    g_printerr ("dg_view: cannot open a display; --render draws without "
                "one\n");
    return 1;
  }
  window.settings = dv_settings_new ();
  window.app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect (window.app, "activate", G_CALLBACK (activated), &window);
  int status = g_application_run (G_APPLICATION (window.app), 0, NULL);
  g_object_unref (window.app);
  dv_panes_free (&window);
  dv_settings_free (window.settings);
  dv_pick_free (window.pick);
  dv_data_unref (window.data);
  g_free (window.path);
  return window.status != 0 ? window.status : status;
}

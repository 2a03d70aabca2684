/* compare_window.c: the window that compares: its parts together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "compare_window.h"

#include "chrome/appearance.h"
#include "chrome/editor.h"
#include "compare_load.h"
#include "compare_plot.h"
#include "compare_save.h"
#include "compare_tables.h"
#include "host/activities.h"
#include "host/info.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define USUAL_WIDTH   1280
#define USUAL_HEIGHT  900
#define TABLES_HEIGHT 220

struct dv_compare_window {
  struct dv_host host;             /* without a canvas */
  struct dv_compare_start start;
  char *paths[2];
  GtkWidget *header;
  struct dv_compare_plot plot;
  struct dv_compare_tables *tables;
  struct dv_compare_save *save;
  struct dv_job *load_job, *rows_job;      /* NULL: none */
  bool is_laid_over;
};

/* ---- Tables, in the background -------------------------------------- */

static void *
make_rows (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  return dv_pair_rows_new (input, progress, user, err);
}

static const struct dv_job_class rows_class = {
  make_rows, (GDestroyNotify) dv_pair_counts_unref,
  (GDestroyNotify) dv_pair_rows_unref };

static void
rows_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_compare_window *window = user;
  window->rows_job = NULL;
  dv_activities_watch (window->host.progress);
  dv_compare_tables_set (window->tables, result);
  dv_compare_tables_select (window->tables, window->plot.owner);
  if (result == NULL)
    dv_info_tell (window->host.info, GTK_MESSAGE_ERROR, err->message);
  dv_pair_rows_unref (result);
}

static void
cancel_rows (void *user)
{
  struct dv_compare_window *window = user;
  g_clear_pointer (&window->rows_job, dv_job_drop);
}

/* ---- What the plot tells -------------------------------------------- */

static void
view_changed (void *user)
{
  struct dv_compare_window *window = user;
  const struct dv_viewport *viewport = &window->plot.viewport;
  bool any = !dv_view_is_empty (&viewport->full);
  dv_host_enable (&window->host, "back", viewport->back->len > 0);
  dv_host_enable (&window->host, "forward", viewport->forward->len > 0);
  dv_host_enable (&window->host, "fit",
                  any && !dv_view_equal (&viewport->now, &viewport->full));
  dv_host_enable (&window->host, "save-picture", any);
}

static void
busy (void *user)
{
  struct dv_compare_window *window = user;
  dv_activities_watch (window->host.progress);
}

static void
pictured (void *user, struct dv_pair_counts *counts)
{
  struct dv_compare_window *window = user;
  g_clear_pointer (&window->rows_job, dv_job_drop);
  window->rows_job = dv_job_start (
    &rows_class, dv_pair_counts_ref (counts), rows_done, window);
  dv_activities_watch (window->host.progress);
}

static void
hover (void *user, const char *text)
{
  struct dv_compare_window *window = user;
  gtk_label_set_text (GTK_LABEL (window->host.status), text);
}

static void
pointed (void *user, uint32_t owner)
{
  struct dv_compare_window *window = user;
  dv_compare_plot_set_owner (&window->plot, owner);
  dv_compare_tables_select (window->tables, owner);
}

static void
failed (void *user, const struct dg_error *err)
{
  struct dv_compare_window *window = user;
  char *text =
    g_strdup_printf (_ ("The picture cannot be drawn. (%s)"), err->message);
  dv_info_tell (window->host.info, GTK_MESSAGE_ERROR, text);
  g_free (text);
}

static void
draw_again (void *user)
{
  struct dv_compare_window *window = user;
  dv_info_hide (window->host.info);
  dv_compare_plot_redraw (&window->plot);
}

static void
cancel_drawing (void *user)
{
  struct dv_compare_window *window = user;
  dv_compare_plot_cancel (&window->plot);
  dv_info_offer (window->host.info, GTK_MESSAGE_INFO,
                 _ ("Drawing was cancelled."), _ ("_Draw Again"), draw_again,
                 window);
}

/* ---- What the tables tell ------------------------------------------- */

static void
row_selected (void *user, uint32_t owner)
{
  struct dv_compare_window *window = user;
  dv_compare_plot_set_owner (&window->plot, owner);
}

static void
go_to (void *user, uint32_t owner)
{
  struct dv_compare_window *window = user;
  dv_compare_plot_go_to (&window->plot, owner);
}

static void
edit (void *user, const char *file, unsigned line)
{
  struct dv_compare_window *window = user;
  const struct dv_choices *choices = window->start.choices;
  const struct dv_pair *pair = window->plot.pair;
  GError *error = NULL;
  if (pair == NULL)
    return;
  const struct dv_scene *scene = pair->scenes[dv_pair_sides (pair) - 1];
  if (*file == '\0') {
    dv_host_error (&window->host, _ ("The source of this function is not "
                                     "known."),
                   _ ("Its module has no debug information, or it is not on "
                      "this machine."));
  } else if (!dv_editor_show (choices->editor,
                              (const char *const *) choices->source_map,
                              scene->data, file, line, &error)) {
    dv_host_error (&window->host, _ ("The source cannot be opened."),
                   error->message);
    g_error_free (error);
  }
}

/* ---- Loading -------------------------------------------------------- */

static void load (struct dv_compare_window *window);

static void
load_again (void *user)
{
  load (user);
}

static void
tell_flaws (struct dv_compare_window *window, const struct dv_pair *pair)
{
  for (unsigned s = 0; s < dv_pair_sides (pair); s++) {
    const struct dg_error *flaw = &pair->scenes[s]->data->flaw;
    if (flaw->code == 0)
      continue;
    char *name = g_filename_display_basename (window->paths[s]);
    char *text = g_strdup_printf (
      _ ("%s is not complete. Everything up to there is shown. (%s)"), name,
      flaw->message);
    dv_info_tell (window->host.info, GTK_MESSAGE_WARNING, text);
    g_free (text);
    g_free (name);
  }
}

static void
load_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_compare_window *window = user;
  struct dv_pair *pair = result;
  window->load_job = NULL;
  dv_activities_watch (window->host.progress);
  if (pair == NULL) {
    window->host.exit_status = err->code == DG_ERR_FILTER ? 2 : 1;
    dv_compare_plot_set_message (&window->plot, _ ("No logs are open."));
    dv_host_error (&window->host, _ ("The logs cannot be compared."),
                   err->message);
    return;
  }
  dv_info_hide (window->host.info);
  dv_compare_plot_set_pair (&window->plot, pair);
  tell_flaws (window, pair);
  gtk_widget_grab_focus (window->plot.area);
  dv_pair_unref (pair);
}

static void
cancel_load (void *user)
{
  struct dv_compare_window *window = user;
  g_clear_pointer (&window->load_job, dv_job_drop);
  dv_compare_plot_set_message (&window->plot, _ ("Loading was cancelled."));
  dv_info_offer (window->host.info, GTK_MESSAGE_INFO,
                 _ ("Loading was cancelled."), _ ("_Load Again"), load_again,
                 window);
}

static void
load (struct dv_compare_window *window)
{
  g_clear_pointer (&window->load_job, dv_job_drop);
  dv_info_hide (window->host.info);
  dv_compare_plot_set_message (&window->plot, NULL);
  window->load_job = dv_compare_load (
    (const char *const *) window->paths, window->plot.pair,
    window->start.options, window->is_laid_over, load_done, window);
  dv_activities_watch (window->host.progress);
}

/* ---- Actions -------------------------------------------------------- */

static void
do_travel (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_compare_window *window = data;
  struct dv_viewport *viewport = &window->plot.viewport;
  const char *name = g_action_get_name (G_ACTION (action));
  if (*name == 'b'   ? dv_viewport_back (viewport)
      : *name == 'f' && name[1] == 'o' ? dv_viewport_forward (viewport)
                                       : dv_viewport_fit (viewport))
    dv_compare_plot_view_changed (&window->plot);
}

static void
set_parts (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_compare_window *window = data;
  const char *name = g_variant_get_string (value, NULL);
  unsigned parts = DV_PAIR_ALL_PARTS;
  if (g_str_equal (name, "difference"))
    parts = 1u << DV_PAIR_DIFFERENCE;
  else if (g_str_equal (name, "logs"))
    parts = 1u << DV_PAIR_BEFORE | 1u << DV_PAIR_AFTER;
  g_simple_action_set_state (action, value);
  dv_compare_plot_set_parts (&window->plot, parts);
}

static void
set_over (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_compare_window *window = data;
  g_simple_action_set_state (action, value);
  window->is_laid_over = g_variant_get_boolean (value);
  load (window);
}

static void
do_swap (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_compare_window *window = data;
  struct dv_compare_start start = window->start;
  start.before = window->paths[1];
  start.after = window->paths[0];
  start.is_laid_over = window->is_laid_over;
  start.app = window->host.app;
  window->start.open (window->start.user, &start);
}

static void
do_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_compare_window *window = data;
  struct dv_pair_plot now = dv_compare_plot_now (&window->plot);
  dv_compare_save_ask (window->save, &now,
                       gtk_widget_get_allocated_width (window->plot.area),
                       gtk_widget_get_allocated_height (window->plot.area));
}

static void
do_close (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  dv_compare_window_close (data);
}

static void
do_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_compare_window *window = data;
  window->start.quit (window->start.user);
}

static const GActionEntry actions[] = {
  { "quit", do_quit },
  { "back", do_travel }, { "forward", do_travel }, { "fit", do_travel },
  { "save-picture", do_save }, { "close", do_close }, { "swap", do_swap },
  { "parts", NULL, "s", "'all'", set_parts },
  { "blocks-over", NULL, NULL, "false", set_over },
};

/* ---- Making --------------------------------------------------------- */

static GtkWidget *
new_button (const char *action, const char *icon, const char *tip)
{
  GtkWidget *button =
    gtk_button_new_from_icon_name (icon, GTK_ICON_SIZE_BUTTON);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_focus_on_click (button, FALSE);
  dv_pieces_tip (button, tip);
  return button;
}

static GtkWidget *
new_menu (bool has_two)
{
  GMenu *menu = g_menu_new (), *show = g_menu_new (), *more = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  if (has_two) {
    g_menu_append (show, _ ("_Both Logs and Difference"), "win.parts::all");
    g_menu_append (show, _ ("Both _Logs"), "win.parts::logs");
    g_menu_append (show, _ ("_Difference"), "win.parts::difference");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (show));
  }
  g_menu_append (more, _ ("Blocks One _Over the Other"), "win.blocks-over");
  if (has_two)
    g_menu_append (more, _ ("S_wap the Logs"), "win.swap");
  g_menu_append (more, _ ("Save _Picture…"), "win.save-picture");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_icon_name ("open-menu-symbolic",
                                                   GTK_ICON_SIZE_BUTTON));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (menu));
  dv_pieces_tip (button, _ ("Menu"));
  g_object_unref (menu);
  g_object_unref (show);
  g_object_unref (more);
  return button;
}

static GtkWidget *
new_header (struct dv_compare_window *window)
{
  GtkWidget *bar = gtk_header_bar_new ();
  char *names[2] = { g_filename_display_basename (window->paths[0]), NULL };
  const char *given = window->start.options->title;
  char *title;
  if (window->paths[1] != NULL)
    names[1] = g_filename_display_basename (window->paths[1]);
  /* TRANSLATORS: two logs that are compared.  */
  title = names[1] != NULL ? g_strdup_printf (_ ("%s → %s"), names[0],
                                              names[1])
                           : g_strdup_printf (_ ("%s by owner"), names[0]);
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  gtk_header_bar_set_title (GTK_HEADER_BAR (bar),
                            given != NULL ? given : title);
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (bar),
                               given != NULL ? title : NULL);
  gtk_window_set_title (GTK_WINDOW (window->host.window),
                        given != NULL ? given : title);
  GtkWidget *travel = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  dv_pieces_class (travel, "linked");
  dv_pieces_add (travel,
                 new_button ("win.back", "go-previous-symbolic",
                             _ ("Back to the last view (Alt+Left)")),
                 new_button ("win.forward", "go-next-symbolic",
                             _ ("Forward (Alt+Right)")), NULL);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), travel);
  gtk_header_bar_pack_start (
    GTK_HEADER_BAR (bar), new_button ("win.fit", "zoom-fit-best-symbolic",
                                      _ ("Show everything (Home)")));
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar),
                           new_menu (window->paths[1] != NULL));
  g_free (title);
  g_free (names[0]);
  g_free (names[1]);
  return bar;
}

static void
add_activities (struct dv_compare_window *window)
{
  struct dv_activities *progress = window->host.progress;
  const struct dv_activity loading = { N_ ("Reading the logs"),
                                       &window->load_job, cancel_load,
                                       window, NULL };
  const struct dv_activity drawing = { N_ ("Drawing"), &window->plot.job,
                                       cancel_drawing, window, NULL };
  const struct dv_activity tables = { N_ ("Looking up names"),
                                      &window->rows_job, cancel_rows, window,
                                      NULL };
  dv_activities_add (progress, DV_ACTIVITY_LOADING, &loading);
  dv_activities_add (progress, DV_ACTIVITY_SEARCHING, &drawing);
  dv_activities_add (progress, DV_ACTIVITY_TALLYING, &tables);
}

static const struct dv_palette *
palette_of (const struct dv_compare_window *window)
{
  return dv_appearance_look (&window->host).palette;
}

static void
style_updated (struct dv_compare_window *window)
{
  dv_compare_plot_set_palette (&window->plot, palette_of (window));
}

void
dv_compare_window_choices_changed (struct dv_compare_window *window)
{
  style_updated (window);
}

void
dv_compare_window_close (struct dv_compare_window *window)
{
  gtk_window_close (GTK_WINDOW (window->host.window));
}

/* ---- Life ----------------------------------------------------------- */

static gboolean
free_later (gpointer data)
{
  struct dv_compare_window *window = data;
  dv_compare_tables_free (window->tables);
  dv_compare_plot_fini (&window->plot);
  dv_activities_free (window->host.progress);
  dv_info_free (window->host.info);
  g_free (window->paths[0]);
  g_free (window->paths[1]);
  g_free (window);
  return G_SOURCE_REMOVE;
}

static void
closed (GtkWidget *widget, gpointer data)
{
  struct dv_compare_window *window = data;
  if (window->host.window == NULL)
    return;
  dv_activities_stop (window->host.progress);
  g_clear_pointer (&window->load_job, dv_job_drop);
  g_clear_pointer (&window->rows_job, dv_job_drop);
  dv_compare_plot_cancel (&window->plot);
  g_clear_pointer (&window->save, dv_compare_save_free);
  g_signal_handlers_disconnect_by_data (window->host.window, window);
  window->host.window = NULL;
  window->start.closed (window->start.user, window, window->host.exit_status);
  g_idle_add (free_later, window);
}

static GtkWidget *
new_content (struct dv_compare_window *window)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *tables = dv_compare_tables_widget (window->tables);
  gtk_widget_set_size_request (tables, -1, 100);
  gtk_paned_pack1 (GTK_PANED (paned), window->plot.area, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (paned), tables, FALSE, FALSE);
  gtk_container_add (GTK_CONTAINER (box),
                     dv_info_widget (window->host.info));
  gtk_box_pack_start (GTK_BOX (box), paned, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (box), dv_host_status_bar (
      &window->host, dv_activities_widget (window->host.progress)));
  return box;
}

static void
set_size (struct dv_compare_window *window)
{
  const struct dv_options *options = window->start.options;
  bool given = options->width != 0;
  gtk_window_set_default_size (
    GTK_WINDOW (window->host.window),
    given ? (int) options->width : USUAL_WIDTH,
    given ? (int) options->height : USUAL_HEIGHT);
}

struct dv_compare_window *
dv_compare_window_new (const struct dv_compare_start *start)
{
  struct dv_compare_window *window = g_new0 (struct dv_compare_window, 1);
  struct dv_host *host = &window->host;
  window->start = *start;
  window->paths[0] = g_strdup (start->before);
  window->paths[1] = g_strdup (start->after);
  window->start.before = window->start.after = NULL;
  window->is_laid_over = start->is_laid_over;
  host->app = start->app;
  host->window = gtk_application_window_new (start->app);
  host->options = start->options;
  host->settings = start->settings;
  host->choices = start->choices;
  host->info = dv_info_new (host);
  host->progress = dv_activities_new (host);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), window);
  dv_host_set_state (host, "blocks-over",
                     g_variant_new_boolean (window->is_laid_over));
  window->plot.listener = (struct dv_compare_listener){
    view_changed, busy, pictured, hover, pointed, failed, window };
  window->plot.palette = palette_of (window);
  dv_compare_plot_init (&window->plot);
  window->tables = dv_compare_tables_new (
    &(struct dv_compare_tables_listener){ row_selected, go_to, edit,
                                          window });
  window->save = dv_compare_save_new (host);
  add_activities (window);
  set_size (window);
  gtk_container_add (GTK_CONTAINER (host->window), new_content (window));
  window->header = new_header (window);
  gtk_window_set_titlebar (GTK_WINDOW (host->window), window->header);
  g_signal_connect (host->window, "destroy", G_CALLBACK (closed), window);
  g_signal_connect_swapped (host->window, "style-updated",
                            G_CALLBACK (style_updated), window);
  gtk_widget_show_all (host->window);
  view_changed (window);
  load (window);
  return window;
}

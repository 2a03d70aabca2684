/* loading.c: opening a log, opening it again, and filtering it, in the
   background; what is said when that fails.  The rows around the plot are
   loading_filter.c's, loading_info.c's and loading_progress.c's.

   Where the picture can be had at once, it is shown while the rest of the log
   is still being read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "loading_parts.h"

#include <string.h>

#include "i18n.h"
#include "model/log/scene.h"
#include "model/log/seek.h"
#include "model/access/select.h"

/* ---- Work ------------------------------------------------------------ */

enum phase { READING, EXPLAINING, FILTERING, COUNTING };

/* What a reload is to bring back.  */
struct dv_kept {
  struct dv_scene *scene;   /* that was shown */
  struct dv_view view;
  bool has_mark;
  struct dg_access mark;    /* the selected access */
};

struct dv_load {
  char *path;               /* to load; NULL: only filter `data` */
  bool glance;              /* a picture first, if there is an index */
  bool growing;             /* it is still being written, probably */
  struct dv_data *data;
  char *events, *ranges;
  bool has_mark;            /* see whether this access is there */
  struct dg_access mark;
  gint phase;               /* atomic: enum phase */
};

/* What comes of it.  */
struct loaded {
  struct dv_scene *scene;
  bool has_mark;
};

static void
load_free (void *memory)
{
  struct dv_load *load = memory;
  dv_data_unref (load->data);
  g_free (load->path);
  g_free (load->events);
  g_free (load->ranges);
  g_free (load);
}

static void
loaded_free (void *memory)
{
  struct loaded *loaded = memory;
  dv_scene_unref (loaded->scene);
  g_free (loaded);
}

/* Loading a log takes the first half of the progress, going through its
   accesses the second.  */
struct half {
  dg_progress_fn progress;
  void *user;
  bool second, only;
};

static int
half_progress (void *user, uint64_t done, uint64_t total)
{
  struct half *half = user;
  if (half->only)
    return half->progress (half->user, done, total);
  return half->progress (half->user, (half->second ? total : 0) + done,
                         2 * total);
}

static struct dv_scene *
glance (const struct dv_load *load, struct dg_error *err)
{
  if (!load->glance || *load->events != '\0' || *load->ranges != '\0')
    return NULL;
  struct dv_data *data = dv_data_glance (load->path);
  if (data == NULL)
    return NULL;
  struct dv_scene *scene = dv_scene_new (data, NULL, NULL, NULL, NULL, err);
  dv_data_unref (data);
  return scene;
}

static struct dv_scene *
load_scene (struct dv_load *load, struct half *half, struct dg_error *err)
{
  struct dv_scene *scene = glance (load, err);
  if (scene != NULL)
    return scene;
  if (load->path != NULL)
    load->data = load->growing
                   ? dv_data_new_growing (load->path, half_progress, half,
                                          err)
                   : dv_data_new (load->path, true, half_progress, half, err);
  if (load->data == NULL)
    return NULL;
  half->second = true;
  g_atomic_int_set (&load->phase,
                    *load->events != '\0' || *load->ranges != '\0'
                      ? FILTERING : COUNTING);
  return dv_scene_new (load->data, load->events, load->ranges, half_progress,
                       half, err);
}

static void *
run_load (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct dv_load *load = input;
  struct half half = { progress, user, false, load->path == NULL };
  struct dv_scene *scene = load_scene (load, &half, err);
  if (scene == NULL)
    return NULL;
  struct loaded *loaded = g_new0 (struct loaded, 1);
  loaded->scene = scene;
  loaded->has_mark = load->has_mark && !scene->data->is_glance
                     && dv_select_has (scene, &load->mark);
  return loaded;
}

static const struct dv_job_class load_class = {
  run_load, load_free, loaded_free
};

const char *
dv_loading_phase (const struct dv_window *window)
{
  switch (window->load != NULL ? g_atomic_int_get (&window->load->phase)
                               : READING) {
  case FILTERING:
    return _("Filtering");
  case COUNTING:
    return _("Searching for accessed pages");
  default:
    return _("Reading the log");
  }
}

/* ---- Results --------------------------------------------------------- */

static void
set_title (struct dv_window *window, const struct dv_data *data)
{
  char *file = g_filename_display_basename (window->path);
  char *program = data != NULL ? dv_data_program (data) : NULL;
  const char *name = window->options->title != NULL ? window->options->title
                     : program != NULL ? program : file;
  char *title = g_strdup_printf ("%s — %s", name, file);
  char *shown = g_filename_display_name (window->path);
  gtk_window_set_title (GTK_WINDOW (window->window),
                        strcmp (name, file) == 0 ? file : title);
  gtk_header_bar_set_title (GTK_HEADER_BAR (window->header), name);
  gtk_header_bar_set_subtitle (GTK_HEADER_BAR (window->header), shown);
  g_free (shown);
  g_free (title);
  g_free (program);
  g_free (file);
}

static void
forget_kept (struct dv_window *window)
{
  if (window->kept != NULL)
    dv_scene_unref (window->kept->scene);
  g_free (window->kept);
  window->kept = NULL;
}

/* What was shown stays, so that one look at a new state of the log that fails
   costs nothing.  */
static void
reload_failed (struct dv_window *window, const struct dg_error *err)
{
  char *text = g_strdup_printf (
    _("The log cannot be read again: %s. What was read before is shown."),
    err->message);
  forget_kept (window);
  dv_loading_offer (window, GTK_MESSAGE_ERROR, text, _("_Try Again"),
                    dv_loading_reload);
  g_free (text);
}

static void
load_failed (struct dv_window *window, const struct dg_error *err)
{
  if (err->code == DG_ERR_FILTER && window->canvas->scene != NULL) {
    dv_loading_mark_entries (window, err);
    dv_loading_tell (window, GTK_MESSAGE_ERROR, err->message);
    return;
  }
  if (window->canvas->scene != NULL) {
    reload_failed (window, err);
    return;
  }
  window->status = err->code == DG_ERR_FILTER ? 2 : 1;
  char *shown = g_filename_display_name (window->path);
  char *why = g_strdup_printf ("%s: %s", shown, err->message);
  dv_canvas_set_message (window->canvas, _("No log is open."));
  if (err->code != DG_ERR_FILTER)
    dv_window_show_page (window, false);
  dv_window_error (window, _("This log cannot be opened."),
                   err->code == DG_ERR_FILTER ? err->message : why);
  g_free (why);
  g_free (shown);
}

void
dv_loading_tell_flaw (struct dv_window *window)
{
  const struct dg_error *flaw = &window->data->flaw;
  if (flaw->code == 0)
    return;
  char *text = g_strdup_printf (
    flaw->code == DG_ERR_TRUNCATED
      ? _("The log is cut short. Everything up to there is shown. (%s)")
      : _("The log is damaged. Everything up to the damage is shown. (%s)"),
    flaw->message);
  dv_loading_tell (window, GTK_MESSAGE_WARNING, text);
  g_free (text);
}

/* The same view of a log that was opened again; the access that was selected,
   if it is still there.  */
static void
bring_back (struct dv_window *window, const struct loaded *loaded)
{
  struct dv_kept *kept = window->kept;
  struct dv_scene *scene = loaded->scene;
  struct dv_view view = dv_select_same (kept->scene, &kept->view, scene);
  dv_canvas_set_scene (window->canvas, scene, &view);
  dv_window_scene_changed (window);
  if (loaded->has_mark)
    dv_window_select (window, &kept->mark);
  if (!scene->data->is_glance)
    forget_kept (window);
}

/* The rest of a log of which there is a picture already.  */
static void
complete_glance (struct dv_window *window, const struct loaded *loaded)
{
  dv_canvas_set_message (window->canvas, NULL);
  dv_canvas_replace_scene (window->canvas, loaded->scene);
  dv_window_scene_changed (window);
  if (window->kept != NULL && loaded->has_mark)
    dv_window_select (window, &window->kept->mark);
  forget_kept (window);
}

static void
show_anew (struct dv_window *window, struct dv_scene *scene)
{
  struct dv_view view = { 0 };
  if (window->first_view
      && !dv_select_view (scene, window->options, &view)
      && scene->accesses > 0)
    dv_loading_tell (window, GTK_MESSAGE_INFO,
                     _("No accesses match --addresses and --instructions: "
                       "everything is shown."));
  window->first_view = false;
  dv_canvas_set_scene (window->canvas, scene, &view);
  dv_window_scene_changed (window);
}

static void start (struct dv_window *window, const char *path, bool glance);

/* Another log, or the same in another state.  */
static void
take_data (struct dv_window *window, struct dv_data *data)
{
  dv_indexing_stop (window);
  dv_data_unref (window->data);
  window->data = data->is_glance ? NULL : dv_data_ref (data);
  set_title (window, data);
  dv_loading_update_entries (window);
}

static void
load_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_window *window = user;
  struct loaded *loaded = result;
  window->load_job = NULL;
  window->load = NULL;
  dv_loading_watch (window);
  if (loaded == NULL) {
    load_failed (window, err);
    dv_following_loaded (window);
    return;
  }
  struct dv_scene *scene = loaded->scene, *before = window->canvas->scene;
  bool another = scene->data != window->data;
  if (another)
    take_data (window, scene->data);
  dv_loading_mark_entries (window, NULL);
  if (before != NULL && before->data->is_glance && scene->filter == NULL) {
    complete_glance (window, loaded);
  } else {
    dv_window_forget_pick (window);
    dv_canvas_set_message (window->canvas, NULL);
    if (window->kept != NULL)
      bring_back (window, loaded);
    else
      show_anew (window, scene);
    dv_loading_restore_entries (window);
  }
  if (scene->data->is_glance) {
    start (window, window->path, false);
  } else if (another) {
    if (!scene->data->is_growing || !dv_following_is_on (window))
      dv_loading_tell_flaw (window);
    if (!scene->data->is_growing)
      dv_indexing_start (window);
    dv_following_loaded (window);
  }
  loaded_free (loaded);
}

/* ---- Starting and stopping ------------------------------------------- */

static void
drop_load (struct dv_window *window)
{
  dv_job_drop (window->load_job);
  window->load_job = NULL;
  window->load = NULL;
}

static void
start (struct dv_window *window, const char *path, bool try_glance)
{
  struct dv_load *load = g_new0 (struct dv_load, 1);
  drop_load (window);
  dv_loading_mark_entries (window, NULL);
  load->path = g_strdup (path);
  load->growing = path != NULL && dv_following_is_on (window);
  load->glance = try_glance && !load->growing;
  if (path == NULL)
    load->data = dv_data_ref (window->data);
  load->events = g_strdup (gtk_entry_get_text (GTK_ENTRY (window->events)));
  load->ranges = g_strdup (gtk_entry_get_text (GTK_ENTRY (window->ranges)));
  if (window->kept != NULL && window->kept->has_mark) {
    load->has_mark = true;
    load->mark = window->kept->mark;
  }
  load->phase = path != NULL ? READING : FILTERING;
  window->filtering = path == NULL;
  window->load = load;
  window->load_job = dv_job_start (&load_class, load, load_done, window);
  dv_loading_watch (window);
}

void
dv_loading_open (struct dv_window *window, const char *path)
{
  char *name = g_strdup (path);
  dv_following_opened (window);
  forget_kept (window);
  dv_loading_hide_info (window);
  g_free (window->path);
  window->path = name;
  dv_indexing_stop (window);
  dv_data_unref (window->data);
  window->data = NULL;
  dv_window_forget_pick (window);
  dv_canvas_set_scene (window->canvas, NULL, NULL);
  dv_window_scene_changed (window);
  dv_canvas_set_message (window->canvas, NULL);
  set_title (window, NULL);
  start (window, window->path, true);
}

void
dv_loading_reload (struct dv_window *window)
{
  struct dv_canvas *canvas = window->canvas;
  if (window->path == NULL)
    return;
  if (canvas->scene == NULL) {
    char *path = g_strdup (window->path);
    dv_loading_open (window, path);
    g_free (path);
    return;
  }
  dv_loading_restore_entries (window);
  /* One that is still going on has kept what is to be brought back.  */
  if (window->kept == NULL) {
    window->kept = g_new0 (struct dv_kept, 1);
    window->kept->scene = dv_scene_ref (canvas->scene);
    window->kept->view = canvas->viewport.now;
    window->kept->has_mark = canvas->has_mark;
    window->kept->mark = canvas->mark;
  }
  dv_loading_hide_info (window);
  start (window, window->path, true);
}

void
dv_loading_apply (struct dv_window *window)
{
  dv_loading_hide_info (window);
  if (window->data != NULL) {
    forget_kept (window);
    start (window, NULL, false);
  } else if (window->path != NULL) {
    start (window, window->path, true);
  }
}

void
dv_loading_cancel (struct dv_window *window)
{
  drop_load (window);
  forget_kept (window);
  if (window->canvas->scene == NULL)
    dv_canvas_set_message (window->canvas, _("Loading was cancelled."));
  if (window->filtering)
    dv_loading_restore_entries (window);
  else
    dv_loading_offer (window, GTK_MESSAGE_INFO, _("Loading was cancelled."),
                      _("_Load Again"), dv_loading_reload);
  dv_following_loaded (window);
  dv_loading_watch (window);
}

void
dv_loading_stop (struct dv_window *window)
{
  drop_load (window);
  forget_kept (window);
  dv_indexing_stop (window);
  if (window->progress_timer != 0)
    g_source_remove (window->progress_timer);
  window->progress_timer = 0;
}

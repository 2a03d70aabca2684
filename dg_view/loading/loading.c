/* loading.c: opening a log, opening it again, and filtering it, in the
   background; what is said when that fails.

   Where the picture can be had at once, it is shown while the rest of the log
   is still being read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "loading.h"

#include <string.h>

#include "format.h"
#include "host/info.h"
#include "host/activities.h"
#include "host/selection.h"
#include "i18n.h"
#include "model/log/scene.h"
#include "model/log/seek.h"
#include "model/access/select.h"

/* ---- Work ------------------------------------------------------------ */

enum phase { READING, EXPLAINING, FILTERING, COUNTING };

/* What a reload is to bring back.  */
struct kept {
  struct dv_scene *scene; /* that was shown */
  struct dv_view view;
  bool has_mark;
  struct dg_access mark; /* the selected access */
};

struct load {
  char *path;   /* to load; NULL: only filter `data` */
  bool glance;  /* a picture first, if there is an index */
  bool growing; /* it is still being written, probably */
  struct dv_data *data;
  char *events, *ranges;
  bool has_mark; /* see whether this access is there */
  struct dg_access mark;
  gint phase; /* atomic: enum phase */
};

/* What comes of it.  */
struct loaded {
  struct dv_scene *scene;
  bool has_mark;
};

struct dv_loading {
  struct dv_host *host;
  struct dv_indexing *indexing;
  struct dv_filter_bar *bar;
  struct dv_loading_listener listener;
  struct dv_job *job; /* loading or filtering; NULL: neither */
  struct load *load;  /* of the job */
  struct kept *kept;  /* for when the log is read again, or NULL */
  bool first_view;    /* the command line's is still due */
};

static void
load_free (void *memory)
{
  struct load *load = memory;
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
glance (const struct load *load, struct dg_error *err)
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
load_scene (struct load *load, struct half *half, struct dg_error *err)
{
  struct dv_scene *scene = glance (load, err);
  if (scene != NULL)
    return scene;
  if (load->path != NULL)
    load->data = load->growing
                   ? dv_data_new_growing (load->path, half_progress, half, err)
                   : dv_data_new (load->path, true, half_progress, half, err);
  if (load->data == NULL)
    return NULL;
  half->second = true;
  g_atomic_int_set (&load->phase,
                    *load->events != '\0' || *load->ranges != '\0' ? FILTERING
                                                                   : COUNTING);
  return dv_scene_new (load->data, load->events, load->ranges, half_progress,
                       half, err);
}

static void *
run_load (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct load *load = input;
  struct half half = {progress, user, false, load->path == NULL};
  struct dv_scene *scene = load_scene (load, &half, err);
  if (scene == NULL)
    return NULL;
  struct loaded *loaded = g_new0 (struct loaded, 1);
  loaded->scene = scene;
  loaded->has_mark = load->has_mark && !scene->data->is_glance
                     && dv_select_has (scene, &load->mark);
  return loaded;
}

static const struct dv_job_class load_class = {run_load, load_free,
                                               loaded_free};

static const char *
phase_of (const void *user)
{
  const struct dv_loading *loading = user;
  switch (g_atomic_int_get (&loading->load->phase)) {
  case FILTERING:
    return _ ("Filtering");
  case COUNTING:
    return _ ("Searching for accessed pages");
  default:
    return _ ("Reading the log");
  }
}

/* ---- Results --------------------------------------------------------- */

static void
set_title (struct dv_host *host, const struct dv_data *data)
{
  char *file = g_filename_display_basename (host->path);
  char *program = data != NULL ? dv_data_program (data) : NULL;
  const char *name = host->options->title != NULL ? host->options->title
                     : program != NULL            ? program
                                                  : file;
  char *title = g_strdup_printf ("%s — %s", name, file);
  char *shown = dv_format_shown (host->path);
  host->set_title (host->user, strcmp (name, file) == 0 ? file : title, name,
                   shown);
  g_free (shown);
  g_free (title);
  g_free (program);
  g_free (file);
}

static void
forget_kept (struct dv_loading *loading)
{
  if (loading->kept != NULL)
    dv_scene_unref (loading->kept->scene);
  g_clear_pointer (&loading->kept, g_free);
}

/* What was shown stays, so that one look at a new state of the log that fails
   costs nothing.  */
static void
reload_failed (struct dv_loading *loading, const struct dg_error *err)
{
  struct dv_host *host = loading->host;
  char *text = g_strdup_printf (
    _ ("The log cannot be read again: %s. What was read before is shown."),
    err->message);
  forget_kept (loading);
  dv_info_offer_reload (host->info, GTK_MESSAGE_ERROR, text, _ ("_Try Again"));
  g_free (text);
}

static void
load_failed (struct dv_loading *loading, const struct dg_error *err)
{
  struct dv_host *host = loading->host;
  if (err->code == DG_ERR_FILTER && host->canvas->scene != NULL) {
    dv_filter_bar_mark (loading->bar, err);
    dv_info_tell (host->info, GTK_MESSAGE_ERROR, err->message);
    return;
  }
  if (host->canvas->scene != NULL) {
    reload_failed (loading, err);
    return;
  }
  host->exit_status = err->code == DG_ERR_FILTER ? 2 : 1;
  char *shown = dv_format_shown (host->path);
  char *why = g_strdup_printf ("%s: %s", shown, err->message);
  dv_canvas_set_message (host->canvas, _ ("No log is open."));
  if (err->code != DG_ERR_FILTER)
    host->show_page (host->user, false);
  dv_host_error (host, _ ("This log cannot be opened."),
                 err->code == DG_ERR_FILTER ? err->message : why);
  g_free (why);
  g_free (shown);
}

void
dv_loading_tell_flaw (struct dv_loading *loading)
{
  struct dv_host *host = loading->host;
  const struct dg_error *flaw = &host->data->flaw;
  if (flaw->code == 0)
    return;
  char *text = g_strdup_printf (
    flaw->code == DG_ERR_TRUNCATED
      ? _ ("The log is cut short. Everything up to there is shown. (%s)")
      : _ ("The log is damaged. Everything up to the damage is shown. (%s)"),
    flaw->message);
  dv_info_tell (host->info, GTK_MESSAGE_WARNING, text);
  g_free (text);
}

/* The same view of a log that was opened again; the access that was selected,
   if it is still there.  */
static void
bring_back (struct dv_loading *loading, const struct loaded *loaded)
{
  struct dv_host *host = loading->host;
  struct kept *kept = loading->kept;
  struct dv_scene *scene = loaded->scene;
  struct dv_view view = dv_select_same (kept->scene, &kept->view, scene);
  dv_canvas_set_scene (host->canvas, scene, &view);
  host->scene_changed (host->user);
  if (loaded->has_mark)
    dv_selection_set (host->selection, &kept->mark);
  if (!scene->data->is_glance)
    forget_kept (loading);
}

/* The rest of a log of which there is a picture already.  */
static void
complete_glance (struct dv_loading *loading, const struct loaded *loaded)
{
  struct dv_host *host = loading->host;
  dv_canvas_set_message (host->canvas, NULL);
  dv_canvas_replace_scene (host->canvas, loaded->scene);
  host->scene_changed (host->user);
  if (loading->kept != NULL && loaded->has_mark)
    dv_selection_set (host->selection, &loading->kept->mark);
  forget_kept (loading);
}

static void
show_anew (struct dv_loading *loading, struct dv_scene *scene)
{
  struct dv_host *host = loading->host;
  struct dv_view view = {0};
  if (loading->first_view && !dv_select_view (scene, host->options, &view)
      && scene->accesses > 0)
    dv_info_tell (host->info, GTK_MESSAGE_INFO,
                  _ ("No accesses match --addresses and --instructions: "
                     "everything is shown."));
  loading->first_view = false;
  dv_canvas_set_scene (host->canvas, scene, &view);
  host->scene_changed (host->user);
}

static void load_rest (struct dv_loading *loading);

/* Another log, or the same in another state.  */
static void
take_data (struct dv_loading *loading, struct dv_data *data)
{
  struct dv_host *host = loading->host;
  dv_indexing_stop (loading->indexing);
  dv_data_unref (host->data);
  host->data = data->is_glance ? NULL : dv_data_ref (data);
  set_title (host, data);
  dv_filter_bar_update (loading->bar);
}

static void
load_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_loading *loading = user;
  struct dv_host *host = loading->host;
  const struct dv_loading_listener *listener = &loading->listener;
  struct loaded *loaded = result;
  loading->job = NULL;
  loading->load = NULL;
  dv_activities_watch (host->progress);
  if (loaded == NULL) {
    load_failed (loading, err);
    listener->loaded (listener->user);
    return;
  }
  struct dv_scene *scene = loaded->scene, *before = host->canvas->scene;
  bool another = scene->data != host->data;
  if (another)
    take_data (loading, scene->data);
  if (before != NULL && before->data->is_glance && scene->filter == NULL) {
    complete_glance (loading, loaded);
  } else {
    dv_selection_forget (host->selection);
    dv_canvas_set_message (host->canvas, NULL);
    if (loading->kept != NULL)
      bring_back (loading, loaded);
    else
      show_anew (loading, scene);
  }
  dv_filter_bar_done (loading->bar);
  if (scene->data->is_glance) {
    load_rest (loading);
  } else if (another) {
    if (!scene->data->is_growing || !listener->grows (listener->user))
      dv_loading_tell_flaw (loading);
    if (!scene->data->is_growing)
      dv_indexing_start (loading->indexing);
    listener->loaded (listener->user);
  }
  loaded_free (loaded);
}

/* ---- Starting and stopping ------------------------------------------- */

bool
dv_loading_is_reading (const struct dv_loading *loading)
{
  return loading->load != NULL && loading->load->path != NULL;
}

static void
drop_load (struct dv_loading *loading)
{
  g_clear_pointer (&loading->job, dv_job_drop);
  loading->load = NULL;
}

static void
begin (struct dv_loading *loading, const char *path, bool try_glance,
       const char *events, const char *ranges)
{
  struct dv_host *host = loading->host;
  const struct dv_loading_listener *listener = &loading->listener;
  struct load *load = g_new0 (struct load, 1);
  drop_load (loading);
  load->path = g_strdup (path);
  load->growing = path != NULL && listener->grows (listener->user);
  load->glance = try_glance && !load->growing;
  if (path == NULL)
    load->data = dv_data_ref (host->data);
  load->events = g_strdup (events);
  load->ranges = g_strdup (ranges);
  if (loading->kept != NULL && loading->kept->has_mark) {
    load->has_mark = true;
    load->mark = loading->kept->mark;
  }
  load->phase = path != NULL ? READING : FILTERING;
  loading->load = load;
  loading->job = dv_job_start (&load_class, load, load_done, loading);
  dv_activities_watch (host->progress);
}

static void
start (struct dv_loading *loading, const char *path, bool try_glance)
{
  dv_filter_bar_mark (loading->bar, NULL);
  dv_filter_bar_begin (loading->bar);
  begin (loading, path, try_glance, dv_filter_bar_events (loading->bar),
         dv_filter_bar_ranges (loading->bar));
}

/* Of a log of which there is a picture, which has no conditions.  What may
   have been typed meanwhile is not finished.  */
static void
load_rest (struct dv_loading *loading)
{
  begin (loading, loading->host->path, false, "", "");
}

void
dv_loading_open (struct dv_loading *loading, const char *path)
{
  struct dv_host *host = loading->host;
  const struct dv_loading_listener *listener = &loading->listener;
  char *name = g_strdup (path);
  listener->opened (listener->user);
  forget_kept (loading);
  dv_info_hide (host->info);
  g_free (host->path);
  host->path = name;
  dv_indexing_stop (loading->indexing);
  g_clear_pointer (&host->data, dv_data_unref);
  dv_selection_forget (host->selection);
  dv_canvas_set_scene (host->canvas, NULL, NULL);
  host->scene_changed (host->user);
  dv_canvas_set_message (host->canvas, NULL);
  set_title (host, NULL);
  start (loading, host->path, true);
}

void
dv_loading_reload (struct dv_loading *loading)
{
  struct dv_host *host = loading->host;
  struct dv_canvas *canvas = host->canvas;
  if (host->path == NULL)
    return;
  if (canvas->scene == NULL) {
    dv_loading_open (loading, host->path);
    return;
  }
  dv_filter_bar_restore (loading->bar);
  /* One that is still going on has kept what is to be brought back.  */
  if (loading->kept == NULL) {
    loading->kept = g_new0 (struct kept, 1);
    loading->kept->scene = dv_scene_ref (canvas->scene);
    loading->kept->view = canvas->viewport.now;
    loading->kept->has_mark = canvas->has_mark;
    loading->kept->mark = canvas->mark;
  }
  dv_info_hide (host->info);
  start (loading, host->path, true);
}

/* Filters by what the entries say.  */
static void
apply (void *user)
{
  struct dv_loading *loading = user;
  struct dv_host *host = loading->host;
  dv_info_hide (host->info);
  if (host->data != NULL) {
    forget_kept (loading);
    start (loading, NULL, false);
  } else if (host->path != NULL) {
    start (loading, host->path, true);
  }
}

/* What was shown stays.  */
static void
cancel (void *user)
{
  struct dv_loading *loading = user;
  struct dv_host *host = loading->host;
  const struct dv_loading_listener *listener = &loading->listener;
  bool was_reading = dv_loading_is_reading (loading);
  drop_load (loading);
  forget_kept (loading);
  if (host->canvas->scene == NULL)
    dv_canvas_set_message (host->canvas, _ ("Loading was cancelled."));
  if (was_reading)
    dv_info_offer_reload (host->info, GTK_MESSAGE_INFO,
                          _ ("Loading was cancelled."), _ ("_Load Again"));
  else
    dv_filter_bar_restore (loading->bar);
  listener->loaded (listener->user);
  dv_activities_watch (host->progress);
}

/* ---- Life ------------------------------------------------------------ */

void
dv_loading_filter (struct dv_loading *loading, const char *events,
                   const char *ranges)
{
  dv_filter_bar_set (loading->bar, events, ranges);
}

GtkWidget *
dv_loading_filter_widget (const struct dv_loading *loading)
{
  return dv_filter_bar_widget (loading->bar);
}

void
dv_loading_listen (struct dv_loading *loading,
                   const struct dv_loading_listener *listener)
{
  loading->listener = *listener;
}

struct dv_loading *
dv_loading_new (struct dv_host *host, struct dv_indexing *indexing)
{
  struct dv_loading *loading = g_new0 (struct dv_loading, 1);
  const struct dv_activity activity = {NULL, &loading->job, cancel, loading,
                                       phase_of};
  loading->host = host;
  loading->indexing = indexing;
  loading->bar = dv_filter_bar_new (host, apply, loading);
  loading->first_view = true;
  dv_activities_add (host->progress, DV_ACTIVITY_LOADING, &activity);
  return loading;
}

void
dv_loading_free (struct dv_loading *loading)
{
  drop_load (loading);
  forget_kept (loading);
  dv_filter_bar_free (loading->bar);
  g_free (loading);
}

/* following.c: reading the log again: once, or while it is being written.

   The file is asked how long it is, about once a second: that works for every
   file system, while notifications do not come from other machines.  What was
   added is loaded and drawn in the background; the next time is put off so
   that all this takes a quarter of a processor at most.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "following.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <libdatagrind.h>

#include "host/info.h"
#include "host/activities.h"
#include "i18n.h"

#define TICK_MS    200
#define STEP_US    ((gint64) 1000000)
#define COST_RATIO 4
#define MOST_STEP_US ((gint64) 30 * 1000000)
/* After so long without anything new, somebody should be writing.  */
#define QUIET_US ((gint64) 3 * 1000000)
/* How often a log that ends early is looked at, whether it grows.  */
#define WATCH_MS 2000

struct dv_following {
  struct dv_host *host;
  struct dv_loading *loading;
  struct dv_indexing *indexing;
  GtkWidget *text; /* a label */
  bool is_on;
  struct dv_job *job;      /* reading what is new; NULL: not now */
  guint timer;             /* while it is on, and data can grow */
  gint64 began;            /* the last step, monotonic us */
  gint64 cpu;              /* when it did: of the process, us */
  gint64 cost;             /* what it took of that; < 0: it goes on */
  gint64 grown;            /* when something new came the last time */
  guint watch;             /* timer of the offer; 0: none is due */
  goffset size;            /* of the file that is watched */
};

/* ---- A step, in the background --------------------------------------- */

struct step {
  struct dv_data *data;
  char *events, *ranges;
};

struct stepped {
  struct dv_scene *scene;  /* NULL: nothing was added */
  enum dg_writer writer;   /* then */
};

static void
step_free (void *memory)
{
  struct step *step = memory;
  dv_data_unref (step->data);
  g_free (step->events);
  g_free (step->ranges);
  g_free (step);
}

static void
stepped_free (void *memory)
{
  struct stepped *stepped = memory;
  dv_scene_unref (stepped->scene);
  g_free (stepped);
}

static void *
run_step (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  const struct step *step = input;
  struct dv_data *grown = NULL;
  int code = dv_data_grow (step->data, progress, user, &grown, err);
  if (code < 0)
    return NULL;
  struct stepped *stepped = g_new0 (struct stepped, 1);
  if (code == 0) {
    stepped->writer = dg_log_writer (step->data->log);
    return stepped;
  }
  stepped->scene = dv_scene_new (grown, step->events, step->ranges, progress,
                                 user, err);
  dv_data_unref (grown);
  if (stepped->scene != NULL)
    return stepped;
  g_free (stepped);
  return NULL;
}

static const struct dv_job_class step_class = {
  run_step, step_free, stepped_free
};

/* ---- On and off ------------------------------------------------------ */

static void
show_text (struct dv_following *following)
{
  struct dv_host *host = following->host;
  const struct dg_log *log = host->data->log;
  char instructions[40], time[40];
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);
  dg_number_text_about (instructions, sizeof instructions,
                        dg_log_summary (log)->last_icount);
  if (n > 0)
    dg_number_text_ns (time, sizeof time, clock[n - 1].ns);
  char *text =
    n > 0 ? g_strdup_printf (_ ("Following: %s instructions, %s"),
                             instructions, time)
          : g_strdup_printf (_ ("Following: %s instructions"), instructions);
  gtk_label_set_text (GTK_LABEL (following->text), text);
  gtk_widget_show (following->text);
  g_free (text);
}

static void
set_state (struct dv_following *following, bool on)
{
  following->is_on = on;
  dv_host_set_state (following->host, "follow", g_variant_new_boolean (on));
}

static void
stop (struct dv_following *following)
{
  g_clear_handle_id (&following->timer, g_source_remove);
  if (following->host->window == NULL)
    return;
  gtk_widget_hide (following->text);
  set_state (following, false);
}

static void
stop_watch (struct dv_following *following)
{
  g_clear_handle_id (&following->watch, g_source_remove);
}

/* ---- Steps ----------------------------------------------------------- */

/* Reading or filtering.  */
static bool
is_loading (const struct dv_following *following)
{
  return dv_activities_job (following->host->progress, DV_ACTIVITY_LOADING)
         != NULL;
}

/* What this process has used, in us.  */
static gint64
cpu_time (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (gint64) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
         + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void
lost (struct dv_following *following, const struct dg_error *err)
{
  char *text = g_strdup_printf (
    _ ("The log cannot be followed any more: %s. What was read is shown."),
    err->message);
  stop (following);
  dv_info_offer_reload (following->host->info, GTK_MESSAGE_WARNING, text,
                        _ ("_Reload"));
  g_free (text);
}

static const char *
ended_text (void)
{
  return _ ("The recording has ended. All of it is shown.");
}

/* Nothing more is to come.  */
static void
ended (struct dv_following *following)
{
  struct dv_host *host = following->host;
  stop (following);
  if (host->data->flaw.code < 0)
    dv_loading_tell_flaw (following->loading);
  else
    dv_info_tell (host->info, GTK_MESSAGE_INFO, ended_text ());
  dv_indexing_start (following->indexing);
}

static void
nothing_new (struct dv_following *following, enum dg_writer writer)
{
  struct dv_host *host = following->host;
  if (writer != DG_WRITER_NONE
      || g_get_monotonic_time () - following->grown < QUIET_US)
    return;
  stop (following);
  dv_info_tell (host->info, GTK_MESSAGE_WARNING,
                _ ("The log is incomplete, and is no longer being written: "
                   "the program or its recording was stopped."));
}

static void
take_scene (struct dv_following *following, struct dv_scene *scene)
{
  struct dv_host *host = following->host;
  following->grown = g_get_monotonic_time ();
  dv_indexing_stop (following->indexing);
  dv_data_unref (host->data);
  host->data = dv_data_ref (scene->data);
  if (is_loading (following)) {
    /* Somebody filters what was there before.  */
    dv_loading_filter (following->loading, NULL, NULL);
  } else {
    dv_canvas_grow_scene (host->canvas, scene);
    host->scene_changed (host->user);
  }
  if (following->timer != 0)
    show_text (following);
  if (!scene->data->is_growing)
    ended (following);
}

static void
step_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_following *following = user;
  struct stepped *stepped = result;
  following->job = NULL;
  if (dv_loading_is_reading (following->loading)) {
    /* All of it is being read again.  */
    if (stepped != NULL)
      stepped_free (stepped);
    return;
  }
  if (stepped == NULL) {
    lost (following, err);
    return;
  }
  if (stepped->scene != NULL)
    take_scene (following, stepped->scene);
  else if (following->timer != 0)
    nothing_new (following, stepped->writer);
  stepped_free (stepped);
}

static void
start_step (struct dv_following *following)
{
  const struct dv_scene *scene = following->host->canvas->scene;
  struct step *step = g_new0 (struct step, 1);
  step->data = dv_data_ref (following->host->data);
  step->events = g_strdup (scene->events);
  step->ranges = g_strdup (scene->ranges);
  following->began = g_get_monotonic_time ();
  following->cpu = cpu_time ();
  following->cost = -1;
  following->job = dv_job_start (&step_class, step, step_done, following);
}

static bool
is_busy (const struct dv_following *following)
{
  const struct dv_host *host = following->host;
  return following->job != NULL || is_loading (following)
         || host->canvas->scene == NULL || host->canvas->picture_job != NULL
         || host->canvas->picture_timer != 0
         || dv_activities_job (host->progress, DV_ACTIVITY_TALLYING) != NULL
         || host->canvas->drag != DV_DRAG_NONE;
}

static gboolean
tick (gpointer data)
{
  struct dv_following *following = data;
  if (is_busy (following))
    return G_SOURCE_CONTINUE;
  /* With all that came of it.  */
  if (following->cost < 0)
    following->cost = cpu_time () - following->cpu;
  gint64 due = following->began + CLAMP (COST_RATIO * following->cost,
                                         STEP_US, MOST_STEP_US);
  if (g_get_monotonic_time () >= due)
    start_step (following);
  return G_SOURCE_CONTINUE;
}

static void
begin (struct dv_following *following)
{
  following->grown = g_get_monotonic_time ();
  if (following->timer == 0)
    following->timer = g_timeout_add (TICK_MS, tick, following);
  show_text (following);
}

/* ---- The offer ------------------------------------------------------- */

static void
accepted (void *user)
{
  struct dv_host *host = user;
  g_action_group_change_action_state (G_ACTION_GROUP (host->window), "follow",
                                      g_variant_new_boolean (TRUE));
}

static void
offer (struct dv_following *following)
{
  dv_info_offer (following->host->info, GTK_MESSAGE_INFO,
                 _ ("This log is still being written."), _ ("_Follow"),
                 accepted, following->host);
}

static goffset
file_size (const struct dv_host *host)
{
  struct stat status;
  return stat (host->path, &status) == 0 ? (goffset) status.st_size : -1;
}

static gboolean
watch (gpointer data)
{
  struct dv_following *following = data;
  goffset size = file_size (following->host);
  if (size <= following->size)
    return G_SOURCE_CONTINUE;
  following->watch = 0;
  offer (following);
  return G_SOURCE_REMOVE;
}

/* ---- What happens to the window -------------------------------------- */

static bool
grows (void *user)
{
  const struct dv_following *following = user;
  return following->is_on;
}

static void
opened (void *user)
{
  struct dv_following *following = user;
  bool is_first = following->host->path == NULL;
  stop_watch (following);
  g_clear_pointer (&following->job, dv_job_drop);
  /* --follow is for the log that stands beside it.  */
  if (!is_first)
    stop (following);
}

static void
loaded (void *user)
{
  struct dv_following *following = user;
  const struct dv_host *host = following->host;
  const struct dv_data *data = host->data;
  stop_watch (following);
  /* What it adds is to what was there before.  */
  g_clear_pointer (&following->job, dv_job_drop);
  if (data != NULL && following->is_on && data->is_growing) {
    begin (following);
    return;
  }
  if (following->is_on) {
    stop (following);
    if (data != NULL && data->flaw.code == 0)
      dv_info_tell (host->info, GTK_MESSAGE_INFO, ended_text ());
  }
  if (data == NULL || data->flaw.code != DG_ERR_TRUNCATED)
    return;
  if (dg_log_writer (data->log) == DG_WRITER_ACTIVE) {
    offer (following);
    return;
  }
  following->size = (goffset) dg_log_header (data->log)->file_size;
  following->watch = g_timeout_add (WATCH_MS, watch, following);
}

void
dv_following_scene_changed (struct dv_following *following)
{
  struct dv_host *host = following->host;
  bool is_there = host->canvas->scene != NULL;
  const struct dv_data *data = host->data;
  dv_host_enable (host, "reload", host->path != NULL);
  dv_host_enable (host, "follow",
                  is_there
                    && (data == NULL || data->flaw.code < 0 || data->is_growing
                        || following->is_on));
}

/* ---- Actions --------------------------------------------------------- */

static void
change_follow (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_following *following = data;
  const struct dv_host *host = following->host;
  bool on = g_variant_get_boolean (value);
  if (on == following->is_on)
    return;
  if (!on) {
    stop (following);
    return;
  }
  set_state (following, true);
  stop_watch (following);
  if (following->job != NULL)
    begin (following);
  else if (host->data != NULL && !is_loading (following)
           && dg_log_can_grow (host->data->log))
    begin (following);
  else
    dv_loading_reload (following->loading);
}

static void
do_reload (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_following *following = data;
  bool was_on = following->is_on;
  stop (following);
  /* What is read again is followed from there.  */
  if (was_on)
    set_state (following, true);
  dv_loading_reload (following->loading);
}

GtkWidget *
dv_following_widget (const struct dv_following *following)
{
  return following->text;
}

struct dv_following *
dv_following_new (struct dv_host *host, struct dv_loading *loading,
                  struct dv_indexing *indexing)
{
  const GActionEntry actions[] = {
    { "reload", do_reload },
    { "follow", NULL, NULL, "false", change_follow },
  };
  struct dv_following *following = g_new0 (struct dv_following, 1);
  const struct dv_loading_listener listener = {grows, opened, loaded,
                                               following};
  following->host = host;
  following->loading = loading;
  following->indexing = indexing;
  following->text = gtk_label_new (NULL);
  gtk_widget_set_no_show_all (following->text, TRUE);
  dv_loading_listen (loading, &listener);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), following);
  if (host->options->follow)
    set_state (following, true);
  dv_host_enable (host, "reload", false);
  dv_host_enable (host, "follow", false);
  return following;
}

void
dv_following_free (struct dv_following *following)
{
  stop_watch (following);
  dv_job_drop (following->job);
  if (following->timer != 0)
    g_source_remove (following->timer);
  g_free (following);
}

/* following.c: reading the log again: once, or while it is being written.

   The file is asked how long it is, about once a second: that works for every
   file system, while notifications do not come from other machines.  What was
   added is loaded and drawn in the background; the next time is put off so
   that all this takes a quarter of a processor at most.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <libdatagrind.h>

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
  struct dv_window *window;
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
  struct dv_window *window = following->window;
  const struct dg_log *log = window->data->log;
  char instructions[40], time[40];
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);
  dg_number_text_about (instructions, sizeof instructions,
                        dg_log_summary (log)->last_icount);
  if (n > 0)
    dg_number_text_ns (time, sizeof time, clock[n - 1].ns);
  char *text = n > 0
    ? g_strdup_printf (_("Following: %s instructions, %s"), instructions, time)
    : g_strdup_printf (_("Following: %s instructions"), instructions);
  gtk_label_set_text (GTK_LABEL (window->follow_text), text);
  gtk_widget_show (window->follow_text);
  g_free (text);
}

static void
set_state (struct dv_following *following, bool on)
{
  GAction *action = g_action_map_lookup_action (
    G_ACTION_MAP (following->window->window), "follow");
  following->is_on = on;
  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (on));
}

static void
stop (struct dv_following *following)
{
  if (following->timer != 0)
    g_source_remove (following->timer);
  following->timer = 0;
  if (following->window->window == NULL)
    return;
  gtk_widget_hide (following->window->follow_text);
  set_state (following, false);
}

static void
stop_watch (struct dv_following *following)
{
  if (following->watch != 0)
    g_source_remove (following->watch);
  following->watch = 0;
}

/* ---- Steps ----------------------------------------------------------- */

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
    _("The log cannot be followed any more: %s. What was read is shown."),
    err->message);
  stop (following);
  dv_loading_offer (following->window, GTK_MESSAGE_WARNING, text,
                    _("_Reload"), dv_loading_reload);
  g_free (text);
}

static const char *
ended_text (void)
{
  return _("The recording has ended. All of it is shown.");
}

/* Nothing more is to come.  */
static void
ended (struct dv_following *following)
{
  struct dv_window *window = following->window;
  stop (following);
  if (window->data->flaw.code < 0)
    dv_loading_tell_flaw (window);
  else
    dv_loading_tell (window, GTK_MESSAGE_INFO, ended_text ());
  dv_indexing_start (window);
}

static void
nothing_new (struct dv_following *following, enum dg_writer writer)
{
  struct dv_window *window = following->window;
  if (writer != DG_WRITER_NONE
      || g_get_monotonic_time () - following->grown < QUIET_US)
    return;
  stop (following);
  dv_loading_tell (window, GTK_MESSAGE_WARNING,
                   _("The log is incomplete, and is no longer being written: "
                     "the program or its recording was stopped."));
}

static void
take_scene (struct dv_following *following, struct dv_scene *scene)
{
  struct dv_window *window = following->window;
  following->grown = g_get_monotonic_time ();
  dv_data_unref (window->data);
  window->data = dv_data_ref (scene->data);
  if (window->load_job != NULL) {
    /* Somebody filters what was there before.  */
    dv_loading_filter (window, NULL, NULL);
  } else {
    dv_canvas_grow_scene (window->canvas, scene);
    dv_window_scene_changed (window);
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
  struct dv_window *window = following->window;
  struct stepped *stepped = result;
  following->job = NULL;
  if (window->load_job != NULL && !window->filtering) {
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
  const struct dv_scene *scene = following->window->canvas->scene;
  struct step *step = g_new0 (struct step, 1);
  step->data = dv_data_ref (following->window->data);
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
  const struct dv_window *window = following->window;
  return following->job != NULL || window->load_job != NULL
         || window->canvas->scene == NULL
         || window->canvas->picture_job != NULL
         || window->canvas->picture_timer != 0
         || dv_tallying_job (window) != NULL
         || window->canvas->drag != DV_DRAG_NONE;
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
accepted (struct dv_window *window)
{
  g_action_group_change_action_state (G_ACTION_GROUP (window->window),
                                      "follow", g_variant_new_boolean (TRUE));
}

static void
offer (struct dv_following *following)
{
  dv_loading_offer (following->window, GTK_MESSAGE_INFO,
                    _("This log is still being written."), _("_Follow"),
                    accepted);
}

static goffset
file_size (const struct dv_window *window)
{
  struct stat status;
  return stat (window->path, &status) == 0 ? (goffset) status.st_size : -1;
}

static gboolean
watch (gpointer data)
{
  struct dv_following *following = data;
  goffset size = file_size (following->window);
  if (size <= following->size)
    return G_SOURCE_CONTINUE;
  following->watch = 0;
  offer (following);
  return G_SOURCE_REMOVE;
}

/* ---- What happens to the window -------------------------------------- */

bool
dv_following_is_on (const struct dv_window *window)
{
  return window->following->is_on;
}

void
dv_following_opened (struct dv_window *window)
{
  struct dv_following *following = window->following;
  bool is_first = window->path == NULL;
  stop_watch (following);
  dv_job_drop (following->job);
  following->job = NULL;
  /* --follow is for the log that stands beside it.  */
  if (!is_first)
    stop (following);
}

void
dv_following_loaded (struct dv_window *window)
{
  struct dv_following *following = window->following;
  const struct dv_data *data = window->data;
  stop_watch (following);
  if (data != NULL && following->is_on && data->is_growing) {
    begin (following);
    return;
  }
  if (following->is_on) {
    stop (following);
    if (data != NULL && data->flaw.code == 0)
      dv_loading_tell (window, GTK_MESSAGE_INFO, ended_text ());
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
dv_following_scene_changed (struct dv_window *window)
{
  bool is_there = window->canvas->scene != NULL;
  const struct dv_data *data = window->data;
  dv_toolbar_enable (window, "reload", window->path != NULL);
  dv_toolbar_enable (window, "follow",
                     is_there && (data == NULL || data->flaw.code < 0
                                  || data->is_growing
                                  || window->following->is_on));
}

/* ---- Actions --------------------------------------------------------- */

static void
change_follow (GSimpleAction *action, GVariant *value, gpointer data)
{
  struct dv_window *window = data;
  struct dv_following *following = window->following;
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
  else if (window->data != NULL && window->load_job == NULL
           && dg_log_can_grow (window->data->log))
    begin (following);
  else
    dv_loading_reload (window);
}

static void
do_reload (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  bool was_on = window->following->is_on;
  stop (window->following);
  /* What is read again is followed from there.  */
  if (was_on)
    set_state (window->following, true);
  dv_loading_reload (window);
}

void
dv_following_init (struct dv_window *window)
{
  const GActionEntry actions[] = {
    { "reload", do_reload },
    { "follow", NULL, NULL, "false", change_follow },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (window->window), actions,
                                   G_N_ELEMENTS (actions), window);
  window->following = g_new0 (struct dv_following, 1);
  window->following->window = window;
  if (window->options->follow)
    set_state (window->following, true);
  dv_toolbar_enable (window, "reload", false);
  dv_toolbar_enable (window, "follow", false);
}

void
dv_following_free (struct dv_window *window)
{
  struct dv_following *following = window->following;
  if (following == NULL)
    return;
  stop_watch (following);
  dv_job_drop (following->job);
  if (following->timer != 0)
    g_source_remove (following->timer);
  g_free (following);
  window->following = NULL;
}

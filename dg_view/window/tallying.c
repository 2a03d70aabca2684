/* tallying.c: the tallies of what the plot shows, in the background.

   One is begun when the view has been at rest for a moment and its picture is
   there, and if some panel that shows tallies can be seen.  The latest ones
   are kept, for views that are returned to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tallying.h"

#include "host/info.h"
#include "host/activities.h"
#include "i18n.h"

#define REST_MS 200
#define KEPT    4

/* Partial tallies on their way to the main thread.  Reference counted.  */
struct channel {
  GMutex lock;
  struct dv_tally *latest;       /* not shown yet; NULL: none */
  struct dv_tallying *tallying;  /* NULL: nobody listens any more */
};

struct order {
  struct dv_scene *scene;
  struct dv_view view;
  struct channel *channel;
  dg_progress_fn progress;
  void *user;
};

struct dv_tallying {
  struct dv_host *host;
  struct dv_panes *panes;
  struct dv_job *job;            /* NULL: none */
  struct channel *channel;       /* of the job */
  struct dv_view view;           /* the same */
  struct dv_view last;           /* that was seen */
  guint timer;
  bool is_stopped;               /* the user does not want this view's */
  struct dv_tally *kept[KEPT];   /* of the scene, complete; latest first */
  struct dv_tally *shown;        /* that the panels have; NULL: none */
};

/* ---- The job --------------------------------------------------------- */

static void
channel_clear (void *memory)
{
  struct channel *channel = memory;
  dv_tally_unref (channel->latest);
  g_mutex_clear (&channel->lock);
}

static void
channel_unref (void *channel)
{
  g_atomic_rc_box_release_full (channel, channel_clear);
}

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_scene_unref (order->scene);
  channel_unref (order->channel);
  g_free (order);
}

static void
set_shown (struct dv_tallying *tallying, struct dv_tally *tally)
{
  if (tallying->shown == tally)
    return;
  dv_tally_unref (tallying->shown);
  tallying->shown = tally != NULL ? dv_tally_ref (tally) : NULL;
  dv_panes_show_tally (tallying->panes, tally);
}

static gboolean
partial_arrived (gpointer data)
{
  struct channel *channel = data;
  g_mutex_lock (&channel->lock);
  struct dv_tally *tally = channel->latest;
  channel->latest = NULL;
  g_mutex_unlock (&channel->lock);
  if (tally != NULL && channel->tallying != NULL)
    set_shown (channel->tallying, tally);
  dv_tally_unref (tally);
  return G_SOURCE_REMOVE;
}

static void
partial_made (void *user, struct dv_tally *tally)
{
  struct order *order = user;
  struct channel *channel = order->channel;
  g_mutex_lock (&channel->lock);
  bool is_due = channel->latest != NULL;
  dv_tally_unref (channel->latest);
  channel->latest = dv_tally_ref (tally);
  g_mutex_unlock (&channel->lock);
  if (!is_due)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, partial_arrived,
                     g_atomic_rc_box_acquire (channel), channel_unref);
}

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct order *order = user;
  return order->progress (order->user, done, total);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  struct order *order = input;
  order->progress = progress;
  order->user = user;
  return dv_tally_new (order->scene, &order->view, 0, partial_made,
                       note_progress, order, err);
}

static const struct dv_job_class order_class = {
  run_order, order_free, (GDestroyNotify) dv_tally_unref};

static void
end_job (struct dv_tallying *tallying)
{
  tallying->job = NULL;
  tallying->channel->tallying = NULL;
  channel_unref (tallying->channel);
  tallying->channel = NULL;
}

static void
drop_job (struct dv_tallying *tallying)
{
  if (tallying->job == NULL)
    return;
  dv_job_drop (tallying->job);
  end_job (tallying);
}

/* Takes it over.  */
static void
keep (struct dv_tallying *tallying, struct dv_tally *tally)
{
  dv_tally_unref (tallying->kept[KEPT - 1]);
  for (int i = KEPT - 1; i > 0; i--)
    tallying->kept[i] = tallying->kept[i - 1];
  tallying->kept[0] = tally;
}

static void
tally_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_tallying *tallying = user;
  struct dv_host *host = tallying->host;
  end_job (tallying);
  dv_activities_watch (host->progress);
  if (result == NULL) {
    tallying->is_stopped = true;
    set_shown (tallying, NULL);
    char *text = g_strdup_printf (
      _ ("The accesses in view cannot be counted. (%s)"), err->message);
    dv_info_tell_failed (host->info, text);
    g_free (text);
    return;
  }
  keep (tallying, result);
  set_shown (tallying, result);
}

static void
start_job (struct dv_tallying *tallying)
{
  struct dv_canvas *canvas = tallying->host->canvas;
  struct order *order = g_new0 (struct order, 1);
  tallying->channel = g_atomic_rc_box_new0 (struct channel);
  g_mutex_init (&tallying->channel->lock);
  tallying->channel->tallying = tallying;
  tallying->view = *dv_canvas_counted (canvas);
  order->scene = dv_scene_ref (canvas->scene);
  order->view = tallying->view;
  order->channel = g_atomic_rc_box_acquire (tallying->channel);
  tallying->job = dv_job_start (&order_class, order, tally_done, tallying);
  dv_activities_watch (tallying->host->progress);
}

/* ---- When it is due -------------------------------------------------- */

/* One that is kept of the view; it becomes the latest.  */
static struct dv_tally *
recall (struct dv_tallying *tallying)
{
  const struct dv_canvas *canvas = tallying->host->canvas;
  for (int i = 0; i < KEPT; i++) {
    struct dv_tally *tally = tallying->kept[i];
    if (tally == NULL || tally->scene != canvas->scene
        || !dv_view_equal (&tally->view, dv_canvas_counted (canvas)))
      continue;
    for (; i > 0; i--)
      tallying->kept[i] = tallying->kept[i - 1];
    return tallying->kept[0] = tally;
  }
  return NULL;
}

static void
stop_timer (struct dv_tallying *tallying)
{
  g_clear_handle_id (&tallying->timer, g_source_remove);
}

static gboolean
rested (gpointer data)
{
  struct dv_tallying *tallying = data;
  if (!dv_canvas_is_drawn (tallying->host->canvas))
    return G_SOURCE_CONTINUE;
  tallying->timer = 0;
  start_job (tallying);
  return G_SOURCE_REMOVE;
}

/* Of a large log that is being written, what is seen will be another in a
   second.  */
static bool
is_changing (const struct dv_canvas *canvas)
{
  const struct dv_scene *scene = canvas->scene;
  return scene->data->is_growing
         && canvas->viewport.now.y1 >= scene->full.y1
         && scene->accesses > scene->data->few;
}

/* The log has grown, but not where one looks.  */
static bool
is_still_right (const struct dv_tallying *tallying)
{
  const struct dv_canvas *canvas = tallying->host->canvas;
  const struct dv_view *now = dv_canvas_counted (canvas);
  if (!canvas->shown_is_right)
    return false;
  return (tallying->job != NULL && dv_view_equal (&tallying->view, now))
         || (tallying->shown != NULL
             && dv_view_equal (&tallying->shown->view, now));
}

/* Shows, begins or ends what is right now.  */
static void
update (struct dv_tallying *tallying)
{
  struct dv_host *host = tallying->host;
  const struct dv_canvas *canvas = host->canvas;
  bool possible = canvas != NULL && canvas->scene != NULL
                  && !canvas->scene->data->is_glance
                  && !dv_view_is_empty (dv_canvas_counted (canvas))
                  && !is_changing (canvas);
  if (possible && is_still_right (tallying))
    return;
  if (tallying->job != NULL && possible
      && dv_view_equal (&tallying->view, dv_canvas_counted (canvas))
      && dv_panes_wants_tally (tallying->panes))
    return;
  drop_job (tallying);
  stop_timer (tallying);
  dv_activities_watch (host->progress);
  if (!possible || tallying->is_stopped) {
    set_shown (tallying, NULL);
    return;
  }
  if (!dv_panes_wants_tally (tallying->panes))
    return;
  struct dv_tally *known = recall (tallying);
  if (known != NULL)
    set_shown (tallying, known);
  else
    tallying->timer = g_timeout_add (REST_MS, rested, tallying);
}

static void
forget (struct dv_tallying *tallying)
{
  drop_job (tallying);
  stop_timer (tallying);
  for (int i = 0; i < KEPT; i++)
    g_clear_pointer (&tallying->kept[i], dv_tally_unref);
  tallying->is_stopped = false;
}

void
dv_tallying_view_changed (struct dv_tallying *tallying)
{
  const struct dv_view *now = dv_canvas_counted (tallying->host->canvas);
  if (!dv_view_equal (&tallying->last, now))
    tallying->is_stopped = false;
  tallying->last = *now;
  update (tallying);
}

void
dv_tallying_scene_changed (struct dv_tallying *tallying)
{
  if (is_still_right (tallying))
    return;
  forget (tallying);
  set_shown (tallying, NULL);
  update (tallying);
}

void
dv_tallying_panel_changed (struct dv_tallying *tallying)
{
  update (tallying);
}

/* ---- Life ------------------------------------------------------------ */

/* The user does not want to know, of this view.  */
static void
cancel (void *user)
{
  struct dv_tallying *tallying = user;
  drop_job (tallying);
  tallying->is_stopped = true;
  set_shown (tallying, NULL);
}

struct dv_tallying *
dv_tallying_new (struct dv_host *host, struct dv_panes *panes)
{
  struct dv_tallying *tallying = g_new0 (struct dv_tallying, 1);
  const struct dv_activity activity = {N_ ("Counting"), &tallying->job, cancel,
                                       tallying};
  tallying->host = host;
  tallying->panes = panes;
  dv_activities_add (host->progress, DV_ACTIVITY_TALLYING, &activity);
  return tallying;
}

void
dv_tallying_free (struct dv_tallying *tallying)
{
  forget (tallying);
  dv_tally_unref (tallying->shown);
  g_free (tallying);
}

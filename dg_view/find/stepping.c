/* stepping.c: the next access, and the one before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stepping.h"

#include "i18n.h"
#include "host/activities.h"
#include "host/selection.h"

struct waiting {
  dv_stepping_fn step;
  void *user;
  bool backward;
};

struct dv_stepping {
  struct dv_host *host;
  struct dv_job *job;        /* looking for the next; NULL: not */
  const char *none;          /* what to say if there is none */
  GQueue waiting;            /* struct waiting *, the next one first */
};

/* ---- In the background ----------------------------------------------- */

static void
free_seek (void *memory)
{
  struct dv_seek *seek = memory;
  dv_scene_unref (seek->scene);
  dv_highlight_unref (seek->highlight);
  g_free (seek);
}

static void *
run_seek (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct dg_access *found = g_new0 (struct dg_access, 1);
  int code = dv_seek_run (input, found, progress, user, err);
  if (code == 1)
    return found;
  g_free (found);
  if (code == 0)
    *err = (struct dg_error){ .code = DG_OK };
  return NULL;
}

static const struct dv_job_class seek_class = { run_seek, free_seek, g_free };

/* The view moved so that the access is in its middle, on each axis on which it
   is not in it.  */
static void
reveal (struct dv_host *host, const struct dg_access *access)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view view = host->canvas->viewport.now;
  uint64_t x, width = view.x1 - view.x0, height = view.y1 - view.y0;
  dv_layout_position (&scene->layout, access->address, &x);
  if (x < view.x0 || x >= view.x1) {
    view.x0 = x - MIN (x, width / 2);
    view.x1 = view.x0 + width;
  }
  if (access->icount < view.y0 || access->icount >= view.y1) {
    view.y0 = access->icount - MIN (access->icount, height / 2);
    view.y1 = view.y0 + height;
  }
  dv_host_go_to (host, &view);
}

static void
show (struct dv_host *host, const struct dg_access *access)
{
  if (host->canvas->scene == NULL || host->data == NULL)
    return;
  dv_selection_set (host->selection, access);
  reveal (host, access);
}

static void
seek_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_stepping *stepping = user;
  struct dv_host *host = stepping->host;
  stepping->job = NULL;
  if (result != NULL) {
    show (host, result);
    g_free (result);
  } else if (err->code == DG_OK) {
    dv_host_say (host, stepping->none);
    gtk_widget_error_bell (host->canvas->widget);
  } else {
    dv_stepping_forget (stepping);
    dv_host_error (host, _ ("The log cannot be read."), err->message);
  }
  dv_stepping_go_on (stepping);
}

void
dv_stepping_seek (struct dv_stepping *stepping, const struct dv_seek *seek,
                  const char *none)
{
  struct dv_host *host = stepping->host;
  struct dv_seek *copy = g_new (struct dv_seek, 1);
  *copy = *seek;
  copy->scene = dv_scene_ref (host->canvas->scene);
  if (copy->highlight != NULL)
    dv_highlight_ref (copy->highlight);
  dv_job_drop (stepping->job);
  stepping->none = none;
  stepping->job = dv_job_start (&seek_class, copy, seek_done, stepping);
  dv_activities_watch (host->progress);
}

static void
stop (void *user)
{
  struct dv_stepping *stepping = user;
  g_clear_pointer (&stepping->job, dv_job_drop);
  dv_stepping_forget (stepping);
}

/* ---- One after another ------------------------------------------------ */

bool
dv_stepping_is_busy (const struct dv_stepping *stepping)
{
  return stepping->job != NULL
         || dv_canvas_is_picking (stepping->host->canvas);
}

void
dv_stepping_go_on (struct dv_stepping *stepping)
{
  GQueue *queue = &stepping->waiting;
  while (!g_queue_is_empty (queue) && !dv_stepping_is_busy (stepping)) {
    struct waiting *next = g_queue_pop_head (queue);
    next->step (next->user, next->backward);
    g_free (next);
  }
}

void
dv_stepping_take (struct dv_stepping *stepping, dv_stepping_fn step,
                  void *user, bool backward)
{
  struct waiting *waiting = g_new (struct waiting, 1);
  *waiting = (struct waiting){step, user, backward};
  g_queue_push_tail (&stepping->waiting, waiting);
  dv_stepping_go_on (stepping);
}

void
dv_stepping_forget (struct dv_stepping *stepping)
{
  g_queue_clear_full (&stepping->waiting, g_free);
}

/* ---- Actions --------------------------------------------------------- */

static void
step_in_pixel (void *user, bool backward)
{
  const struct dv_stepping *stepping = user;
  struct dv_host *host = stepping->host;
  struct dv_pick *pick = dv_selection_pick (host->selection);
  const struct dg_access *mark = &host->canvas->mark;
  if (pick == NULL || !host->canvas->has_mark)
    return;
  /* Some cannot be distinguished: the last one is where we were.  */
  guint at = pick->nearest;
  if (!dv_seek_same_access (
        &g_array_index (pick->accesses, struct dg_access, at), mark)
      && !dv_pick_find (pick, mark, &at))
    return;
  int64_t next = (int64_t) at + (backward ? -1 : 1);
  if (next < 0 || next >= (int64_t) pick->accesses->len) {
    gtk_widget_error_bell (host->canvas->widget);
    return;
  }
  pick->nearest = (guint) next;
  dv_selection_set (host->selection,
                    &g_array_index (pick->accesses, struct dg_access, next));
}

static void
step_in_time (void *user, bool backward)
{
  struct dv_stepping *stepping = user;
  const struct dv_host *host = stepping->host;
  const struct dg_access *mark = &host->canvas->mark;
  if (host->data == NULL || host->canvas->scene == NULL
      || !host->canvas->has_mark)
    return;
  uint64_t line = (uint64_t) 1 << host->data->line_shift;
  struct dv_seek seek = { .backward = backward, .from = *mark };
  seek.low = mark->address & ~(line - 1);
  seek.high = ((mark->address + mark->size - 1) | (line - 1)) + 1;
  if (seek.high == 0)
    seek.high = UINT64_MAX;
  dv_stepping_seek (stepping, &seek,
                    backward ? _ ("No earlier access to this cache line.")
                             : _ ("No later access to this cache line."));
}

static void
do_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  dv_stepping_take (
    data, g_str_has_suffix (name, "-access") ? step_in_pixel : step_in_time,
    data, g_str_has_prefix (name, "previous-"));
}

static void
do_clear (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_stepping *) data)->host;
  stop (data);
  dv_canvas_stop_pick (host->canvas);
  dv_selection_forget (host->selection);
  dv_canvas_set_highlight (host->canvas, NULL);
}

struct dv_stepping *
dv_stepping_new (struct dv_host *host)
{
  static const GActionEntry actions[] = {
    {"next-access", do_step},      {"previous-access", do_step},
    {"next-touch", do_step},       {"previous-touch", do_step},
    {"clear-selection", do_clear},
  };
  struct dv_stepping *stepping = g_new0 (struct dv_stepping, 1);
  const struct dv_activity activity = {N_ ("Searching"), &stepping->job, stop,
                                       stepping};
  stepping->host = host;
  g_queue_init (&stepping->waiting);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), stepping);
  dv_activities_add (host->progress, DV_ACTIVITY_SEARCHING, &activity);
  return stepping;
}

void
dv_stepping_scene_changed (struct dv_stepping *stepping)
{
  stop (stepping);
}

void
dv_stepping_free (struct dv_stepping *stepping)
{
  stop (stepping);
  g_free (stepping);
}

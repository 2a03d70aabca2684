/* stepping.c: the next access, and the one before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stepping.h"

#include "i18n.h"
#include "job.h"

struct waiting {
  dv_step step;
  bool backward;
};

struct dv_stepping {
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

static void
seek_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_window *window = user;
  struct dv_stepping *stepping = window->stepping;
  stepping->job = NULL;
  if (result != NULL) {
    dv_stepping_show (window, result);
    g_free (result);
  } else if (err->code == DG_OK) {
    gtk_label_set_text (GTK_LABEL (window->hover), stepping->none);
    gtk_widget_error_bell (window->canvas->widget);
  } else {
    dv_stepping_forget (window);
    dv_window_error (window, _("The log cannot be read."), err->message);
  }
  dv_stepping_go_on (window);
}

void
dv_stepping_seek (struct dv_window *window, const struct dv_seek *seek,
                  const char *none)
{
  struct dv_stepping *stepping = window->stepping;
  struct dv_seek *copy = g_new (struct dv_seek, 1);
  *copy = *seek;
  copy->scene = dv_scene_ref (window->canvas->scene);
  if (copy->highlight != NULL)
    dv_highlight_ref (copy->highlight);
  dv_job_drop (stepping->job);
  stepping->none = none;
  stepping->job = dv_job_start (&seek_class, copy, seek_done, window);
  dv_loading_watch (window);
}

void
dv_stepping_stop (struct dv_window *window)
{
  dv_job_drop (window->stepping->job);
  window->stepping->job = NULL;
  dv_stepping_forget (window);
}

struct dv_job *
dv_stepping_job (const struct dv_window *window)
{
  return window->stepping->job;
}

/* ---- One after another ------------------------------------------------ */

bool
dv_stepping_is_busy (const struct dv_window *window)
{
  return window->stepping->job != NULL
         || dv_canvas_is_picking (window->canvas);
}

void
dv_stepping_go_on (struct dv_window *window)
{
  GQueue *queue = &window->stepping->waiting;
  while (!g_queue_is_empty (queue) && !dv_stepping_is_busy (window)) {
    struct waiting *next = g_queue_pop_head (queue);
    next->step (window, next->backward);
    g_free (next);
  }
}

void
dv_stepping_take (struct dv_window *window, dv_step step, bool backward)
{
  struct waiting *waiting = g_new (struct waiting, 1);
  *waiting = (struct waiting){ step, backward };
  g_queue_push_tail (&window->stepping->waiting, waiting);
  dv_stepping_go_on (window);
}

void
dv_stepping_forget (struct dv_window *window)
{
  g_queue_clear_full (&window->stepping->waiting, g_free);
}

/* ---- Showing --------------------------------------------------------- */

/* The view moved so that the access is in its middle, on each axis on which it
   is not in it.  */
static void
reveal (struct dv_window *window, const struct dg_access *access)
{
  const struct dv_scene *scene = window->canvas->scene;
  struct dv_view view = window->canvas->viewport.now;
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
  dv_window_go_to (window, &view);
}

void
dv_stepping_show (struct dv_window *window, const struct dg_access *access)
{
  if (window->canvas->scene == NULL || window->data == NULL)
    return;
  dv_window_select (window, access);
  reveal (window, access);
}

/* ---- Actions --------------------------------------------------------- */

static void
step_in_pixel (struct dv_window *window, bool backward)
{
  struct dv_pick *pick = window->pick;
  const struct dg_access *mark = &window->canvas->mark;
  if (pick == NULL || !window->canvas->has_mark)
    return;
  /* Some cannot be distinguished: the last one is where we were.  */
  guint at = pick->nearest;
  if (!dv_same_access (&g_array_index (pick->accesses, struct dg_access, at),
                       mark)
      && !dv_pick_find (pick, mark, &at))
    return;
  int64_t next = (int64_t) at + (backward ? -1 : 1);
  if (next < 0 || next >= (int64_t) pick->accesses->len) {
    gtk_widget_error_bell (window->canvas->widget);
    return;
  }
  pick->nearest = (guint) next;
  dv_window_select (window, &g_array_index (pick->accesses, struct dg_access,
                                            next));
}

static void
do_next_access (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  dv_stepping_take (data, step_in_pixel, false);
}

static void
do_previous_access (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  dv_stepping_take (data, step_in_pixel, true);
}

static void
step_in_time (struct dv_window *window, bool backward)
{
  const struct dg_access *mark = &window->canvas->mark;
  if (window->data == NULL || window->canvas->scene == NULL
      || !window->canvas->has_mark)
    return;
  uint64_t line = (uint64_t) 1 << window->data->line_shift;
  struct dv_seek seek = { .backward = backward, .from = *mark };
  seek.low = mark->address & ~(line - 1);
  seek.high = ((mark->address + mark->size - 1) | (line - 1)) + 1;
  if (seek.high == 0)
    seek.high = UINT64_MAX;
  dv_stepping_seek (window, &seek,
                    backward ? _("No earlier access to this cache line.")
                             : _("No later access to this cache line."));
}

static void
do_next_touch (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  dv_stepping_take (data, step_in_time, false);
}

static void
do_previous_touch (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  dv_stepping_take (data, step_in_time, true);
}

static void
do_clear (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_window *window = data;
  dv_stepping_stop (window);
  dv_canvas_stop_pick (window->canvas);
  dv_window_forget_pick (window);
  dv_canvas_set_highlight (window->canvas, NULL);
}

void
dv_stepping_init (struct dv_window *window)
{
  static const GActionEntry actions[] = {
    { "next-access", do_next_access },
    { "previous-access", do_previous_access },
    { "next-touch", do_next_touch },
    { "previous-touch", do_previous_touch },
    { "clear-selection", do_clear },
  };
  window->stepping = g_new0 (struct dv_stepping, 1);
  g_queue_init (&window->stepping->waiting);
  g_action_map_add_action_entries (G_ACTION_MAP (window->window), actions,
                                   G_N_ELEMENTS (actions), window);
}

void
dv_stepping_scene_changed (struct dv_window *window)
{
  dv_stepping_stop (window);
}

void
dv_stepping_free (struct dv_window *window)
{
  dv_stepping_stop (window);
  g_free (window->stepping);
  window->stepping = NULL;
}

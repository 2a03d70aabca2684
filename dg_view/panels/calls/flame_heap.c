/* flame_heap.c: see flame_heap.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flame_heap.h"

#include "i18n.h"
#include "model/calls/calls_text.h"

/* Between two looks at the progress.  */
#define PROGRESS_MS 200

static void start_job (struct dv_flame_heap *heap);

/* ---- In the background ------------------------------------------------- */

struct order {
  struct dv_scene *scene;
  uint64_t start, end;
  bool is_time;
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_scene_unref (order->scene);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  return order->is_time
           ? dv_calltree_time_new (order->scene, order->start, order->end, 0,
                                   progress, user, err)
           : dv_calltree_heap_new (order->scene->data, order->start,
                                   order->end, 0, progress, user, err);
}

static void
show (struct dv_flame_heap *heap, struct dv_calltree *tree)
{
  dv_flame_view_set_tree (&heap->view, tree);
  dv_pieces_note_take (heap->note, dv_calls_summary (tree));
  if (tree->n > 1)
    dv_pieces_hinted_show (&heap->hinted);
  else
    dv_pieces_hinted_say (&heap->hinted,
                          heap->is_time
                            ? _ ("No instructions are in view.")
                            : _ ("No heap blocks are allocated in view."));
  heap->view.changed (heap->view.user);
}

/* "Estimating cycles… 34 %".  */
static gboolean
show_progress (gpointer user)
{
  struct dv_flame_heap *heap = user;
  char share[20];
  dg_number_text_percent (share, sizeof share, dv_job_fraction (heap->job));
  /* Translators: a share.  */
  char *text = g_strdup_printf (_ ("Estimating cycles… %s"), share);
  dv_pieces_note_set (heap->note, text);
  g_free (text);
  return G_SOURCE_CONTINUE;
}

static void
stop_progress (struct dv_flame_heap *heap)
{
  if (heap->timer != 0)
    g_source_remove (heap->timer);
  heap->timer = 0;
}

static void
drop_job (struct dv_flame_heap *heap)
{
  stop_progress (heap);
  g_clear_pointer (&heap->job, dv_job_drop);
  heap->is_due = false;
}

static void
job_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_flame_heap *heap = user;
  bool again = heap->is_due;
  stop_progress (heap);
  heap->job = NULL;
  heap->is_due = false;
  if (result != NULL) {
    show (heap, result);
    dv_calltree_unref (result);
  } else if (heap->view.tree == NULL) {
    char *text = g_strdup_printf (
      "%s (%s)", _ ("The call tree cannot be built."), err->message);
    dv_pieces_hinted_say (&heap->hinted, text);
    g_free (text);
  }
  if (again)
    start_job (heap);
}

static void
start_job (struct dv_flame_heap *heap)
{
  static const struct dv_job_class class = {
    run_order, order_free, (GDestroyNotify) dv_calltree_unref};
  if (!heap->is_wanted || heap->scene == NULL || heap->scene->data->is_glance)
    return;
  heap->is_made = true;
  if (heap->is_time)
    drop_job (heap);
  heap->is_due = heap->job != NULL;
  if (heap->job != NULL)
    return;
  struct order *order = g_new (struct order, 1);
  *order = (struct order){dv_scene_ref (heap->scene), heap->start, heap->end,
                          heap->is_time};
  if (heap->view.tree == NULL)
    dv_pieces_hinted_say (&heap->hinted,
                          heap->is_time
                            ? _ ("How long a processor takes is estimated…")
                            : _ ("Looking up names…"));
  heap->job = dv_job_start (&class, order, job_done, heap);
  if (heap->is_time)
    heap->timer = g_timeout_add (PROGRESS_MS, show_progress, heap);
}

/* ---- What is wanted ---------------------------------------------------- */

/* What is there is of another log.  */
static void
forget (struct dv_flame_heap *heap)
{
  drop_job (heap);
  dv_flame_view_set_tree (&heap->view, NULL);
  dv_pieces_note_set (heap->note, "");
  dv_pieces_hinted_say (&heap->hinted,
                        _ ("This panel will show the calls in the part of "
                           "the plot in view."));
}

void
dv_flame_heap_set_view (struct dv_flame_heap *heap, struct dv_scene *scene,
                        const struct dv_view *view)
{
  struct dv_scene *old = heap->scene;
  uint64_t start = 0, end = UINT64_MAX;
  /* There may be more of the heap than of accesses.  */
  if (scene != NULL)
    dv_scene_time (scene, view, &start, &end);
  bool is_same_log = old != NULL && scene != NULL
                     && (heap->is_time ? old == scene
                                       : old->data == scene->data);
  if (is_same_log && start == heap->start && end == heap->end)
    return;
  heap->scene = scene != NULL ? dv_scene_ref (scene) : NULL;
  heap->start = start;
  heap->end = end;
  heap->is_made = false;
  if (!is_same_log)
    forget (heap);
  dv_scene_unref (old);
  start_job (heap);
}

void
dv_flame_heap_want (struct dv_flame_heap *heap, bool is_wanted)
{
  heap->is_wanted = is_wanted;
  if (!is_wanted && heap->is_time && heap->job != NULL) {
    drop_job (heap);
    heap->is_made = false;
  }
  if (!heap->is_made)
    start_job (heap);
}

/* ---- Life -------------------------------------------------------------- */

void
dv_flame_heap_init (struct dv_flame_heap *heap)
{
  heap->view.weight = heap->is_time ? DV_CALL_CYCLES : DV_CALL_ALLOCATED;
  dv_flame_view_init (&heap->view);
  dv_pieces_name (heap->view.area,
                  heap->is_time ? _ ("Flame graph of cycles")
                                : _ ("Flame graph of allocations"));
  dv_pieces_hinted_init (&heap->hinted, heap->view.scrolled);
  heap->note = dv_pieces_note_new (
    heap->is_time ? _ ("Cycles of the flame graph")
                  : _ ("Allocations of the flame graph"), 1);
  forget (heap);
}

void
dv_flame_heap_fini (struct dv_flame_heap *heap)
{
  drop_job (heap);
  dv_flame_view_fini (&heap->view);
  g_clear_pointer (&heap->scene, dv_scene_unref);
}

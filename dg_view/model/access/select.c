/* select.c: addresses and instruction counts to a view; views of one scene in
   another.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "select.h"

#include <glib.h>

bool
dv_select_view (const struct dv_scene *scene,
                const struct dv_options *options, struct dv_view *view)
{
  const struct dv_view *full = &scene->full;
  struct dv_view wanted = *full;
  if (!dv_view_is_empty (full)) {
    dv_layout_position (&scene->layout, options->address_start, &wanted.x0);
    if (options->address_end != UINT64_MAX)
      dv_layout_position (&scene->layout, options->address_end, &wanted.x1);
    wanted.y0 = MAX (full->y0, options->instruction_start);
    wanted.y1 = MIN (full->y1, options->instruction_end);
  }
  if (dv_view_is_empty (&wanted)) {
    *view = (struct dv_view){ 0 };
    return false;
  }
  *view = dv_view_clamp (wanted, full);
  return true;
}

/* ---- From one scene to another --------------------------------------- */

struct dv_view
dv_select_place (const struct dv_scene *before, const struct dv_view *view,
                 const struct dv_scene *scene)
{
  const struct dv_layout *from = &before->layout, *to = &scene->layout;
  struct dv_view place = *view;
  dv_layout_position (to, dv_layout_address (from, view->x0), &place.x0);
  dv_layout_position (to, dv_layout_address (from, view->x1 - 1), &place.x1);
  place.x1++;
  return place;
}

static void
same_addresses (const struct dv_scene *before, const struct dv_view *view,
                const struct dv_scene *scene, struct dv_view *out)
{
  if (view->x0 <= before->full.x0 && view->x1 >= before->full.x1)
    return;
  struct dv_view place = dv_select_place (before, view, scene);
  out->x0 = place.x0;
  out->x1 = place.x1;
}

static void
same_instructions (const struct dv_scene *before, const struct dv_view *view,
                   const struct dv_scene *scene, struct dv_view *out)
{
  const struct dv_view *old = &before->full, *new = &scene->full;
  if (view->y0 <= old->y0 && view->y1 >= old->y1)
    return;
  uint64_t height = view->y1 - view->y0;
  if (view->y1 >= old->y1 && new->y1 > old->y1) {
    out->y0 = new->y1 - new->y0 > height ? new->y1 - height : new->y0;
    return;
  }
  out->y0 = CLAMP (view->y0, new->y0, new->y1);
  out->y1 = CLAMP (view->y1, new->y0, new->y1);
}

struct dv_view
dv_select_same (const struct dv_scene *before, const struct dv_view *view,
                const struct dv_scene *scene)
{
  struct dv_view same = scene->full;
  if (dv_view_is_empty (&scene->full) || dv_view_is_empty (view))
    return scene->full;
  same_addresses (before, view, scene, &same);
  same_instructions (before, view, scene, &same);
  /* What was there is not there any more.  */
  if (same.x0 >= same.x1) {
    same.x0 = scene->full.x0;
    same.x1 = scene->full.x1;
  }
  if (same.y0 >= same.y1) {
    same.y0 = scene->full.y0;
    same.y1 = scene->full.y1;
  }
  return dv_view_clamp (same, &scene->full);
}

bool
dv_select_is_same (const struct dv_scene *before, const struct dv_view *view,
                   const struct dv_scene *scene)
{
  const struct dv_layout *a = &before->layout, *b = &scene->layout;
  if (view->y1 >= before->full.y1 || a->n != b->n || a->size != b->size)
    return false;
  for (size_t i = 0; i < a->n; i++)
    if (a->segments[i].address != b->segments[i].address
        || a->segments[i].size != b->segments[i].size)
      return false;
  return true;
}

/* ---- Accesses -------------------------------------------------------- */

/* Contexts may have other numbers.  */
static bool
is_access (const struct dg_access *a, const struct dg_access *b)
{
  return a->icount == b->icount && a->address == b->address
         && a->instruction == b->instruction && a->size == b->size
         && a->thread == b->thread && a->kind == b->kind;
}

bool
dv_select_has (const struct dv_scene *scene, const struct dg_access *access)
{
  const struct dg_log *log = scene->data->log;
  struct dg_access out[1024];
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  while (n > 0 && chunks[n - 1].icount > access->icount)
    n--;
  if (n == 0)
    return false;
  struct dg_reader *reader = dg_reader_new (log, n - 1, n, NULL);
  bool found = false;
  ptrdiff_t got = 1;
  while (reader != NULL && !found && got > 0) {
    got = dg_reader_accesses (reader, out, G_N_ELEMENTS (out), NULL);
    for (ptrdiff_t i = 0; i < got && !found; i++)
      found = is_access (&out[i], access);
  }
  dg_reader_free (reader);
  return found;
}

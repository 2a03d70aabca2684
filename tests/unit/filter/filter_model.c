/* filter_model.c: what passes a filter, found by plain evaluation of each
   condition.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_model.h"

#include <stdlib.h>
#include <string.h>

#include "filter/filter_parse.h"

static bool
name_fits (const char *name, const char *function)
{
  size_t n = strlen (name);

  if (function == NULL)
    return false;
  /* Enough for the names above.  */
  return strcmp (name, function) == 0
         || (strncmp (function, name, n) == 0 && function[n] == '('
             && strcmp (name + MAX (n, 8) - 8, "operator") != 0 && n > 0);
}

static bool
path_fits (const char *name, const char *path)
{
  char *with_slash = g_strconcat ("/", name, NULL);
  bool fits =
    path != NULL
    && (strcmp (name, path) == 0 || g_str_has_suffix (path, with_slash)
        || (name[0] == '/' && g_str_has_suffix (path, name)));

  g_free (with_slash);
  return fits;
}

static bool
site_fits (struct dg_symbols *symbols, const struct dg_filter_condition *c,
           uint64_t site, uint64_t icount)
{
  struct dg_frame frames[8];
  size_t n = dg_symbols_frames (symbols, site, icount, frames, 8);

  for (size_t i = 0; i < n; i++) {
    if ((c->kind == DG_COND_FN && name_fits (c->name, frames[i].function))
        || (c->kind == DG_COND_FILE && path_fits (c->name, frames[i].file))
        || (c->kind == DG_COND_DSO && path_fits (c->name, frames[i].module)))
      return true;
  }
  return false;
}

static bool
event_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_access *a)
{
  const struct dg_context *context = &w->contexts[a->context];

  if (c->kind == DG_COND_THREAD)
    return (uint32_t) atoi (c->name) == a->thread
           || strcmp (w->threads[a->thread - 1].name, c->name) == 0;
  if (c->kind == DG_COND_USER) {
    for (size_t i = 0; i < N_EVENTS; i++)
      if (strcmp (w->events[i].label, c->name) == 0
          && w->events[i].start_icount <= a->icount
          && a->icount < w->events[i].end_icount)
        return true;
    return false;
  }
  if (site_fits (&w->symbols, c, a->instruction, a->icount))
    return true;
  for (uint32_t i = context->path; i != 0 && i != DG_NONE;
       i = w->paths[i].parent)
    if (site_fits (&w->symbols, c, w->paths[i].site, a->icount))
      return true;
  return false;
}

static bool
lies_over (const struct dg_access *a, uint64_t address, uint64_t size,
           uint64_t start, uint64_t end)
{
  return a->address < address + size && address < a->address + a->size
         && size > 0 && start <= a->icount && a->icount < end;
}

static bool
block_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_block *b)
{
  if (c->kind == DG_COND_MALLOC)
    return true;
  if (c->kind != DG_COND_FN && c->kind != DG_COND_FILE
      && c->kind != DG_COND_DSO)
    return false;
  for (size_t k = 0; k < b->alloc_stack.n; k++)
    if (site_fits (&w->symbols, c, b->alloc_stack.sites[k], b->alloc_icount))
      return true;
  return false;
}

static bool
range_holds (struct world *w, const struct dg_filter_condition *c,
             const struct dg_access *a)
{
  if (c->kind == DG_COND_ADDR)
    return lies_over (a, c->start, c->end - c->start, 0, DG_NEVER);
  for (size_t i = 0; c->kind == DG_COND_VAR && i < N_DATA; i++) {
    const struct dg_data_symbol *d = &w->symbols.data[i];

    if (strcmp (d->name, c->name) == 0
        && lies_over (a, d->address, d->size, d->start_icount,
                      d->end_icount))
      return true;
  }
  for (size_t i = 0; i < N_BLOCKS; i++) {
    const struct dg_block *b = &w->blocks[i];

    if (lies_over (a, b->address, b->size, b->alloc_icount, b->free_icount)
        && block_holds (w, c, b))
      return true;
  }
  for (size_t i = 0; i < N_RANGES; i++) {
    const struct dg_range *r = &w->ranges[i];

    if (lies_over (a, r->address, r->size, r->start_icount, r->end_icount)
        && (c->kind == DG_COND_RANGE
            || (c->kind == DG_COND_USER && strcmp (c->name, r->label) == 0)))
      return true;
  }
  return false;
}

/* One of those of `all` that are for this holds, or there are none.  */
static bool
any_holds (struct world *w, const GArray *all, const struct dg_access *a,
           bool of_events, bool of_threads)
{
  bool any = false;

  for (guint i = 0; i < all->len; i++) {
    const struct dg_filter_condition *c
      = &g_array_index (all, struct dg_filter_condition, i);

    if (c->is_not || (c->kind == DG_COND_THREAD) != of_threads)
      continue;
    any = true;
    if (of_events ? event_holds (w, c, a) : range_holds (w, c, a))
      return true;
  }
  return !any;
}

static bool
is_excluded (struct world *w, const GArray *all, const struct dg_access *a,
             bool of_events)
{
  for (guint i = 0; i < all->len; i++) {
    const struct dg_filter_condition *c
      = &g_array_index (all, struct dg_filter_condition, i);

    if (c->is_not
        && (of_events ? event_holds (w, c, a) : range_holds (w, c, a)))
      return true;
  }
  return false;
}

bool
passes (struct world *w, const GArray *events, const GArray *ranges,
        const struct dg_access *a)
{
  return any_holds (w, events, a, true, true)
         && any_holds (w, events, a, true, false)
         && any_holds (w, ranges, a, false, false)
         && !is_excluded (w, events, a, true)
         && !is_excluded (w, ranges, a, false);
}

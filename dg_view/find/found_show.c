/* found_show.c: showing what a search has found.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>
#include <libdatagrind.h>

#include "found.h"
#include "format.h"
#include "i18n.h"

/* How much is shown around what has no size of its own.  */
#define AROUND_BYTES        (16 * 1024)
#define AROUND_INSTRUCTIONS 100000
/* Events or ranges of one label that are framed at once.  */
#define MAX_BOXES 1000

/* ---- Numbers --------------------------------------------------------- */

/* [*start, *start + span) with `middle` in it, as far as 0 allows.  */
static void
centre (uint64_t middle, uint64_t span, uint64_t *start, uint64_t *end)
{
  *start = middle - MIN (middle, span / 2);
  *end = *start + span;
}

/* A bit more than [start, end), so that its ends can be seen.  */
static void
around (uint64_t start, uint64_t end, uint64_t least, uint64_t *from,
        uint64_t *to)
{
  uint64_t span = end > start ? end - start : 0;
  uint64_t more = MAX (span / 16, span < least ? (least - span) / 2 : 0);
  *from = start - MIN (start, more);
  *to = end > UINT64_MAX - more ? UINT64_MAX : end + more;
}

static void
frame (struct dv_host *host, const char *label, const struct dv_view *box)
{
  struct dv_highlight *highlight = dv_highlight_new (label);
  dv_highlight_add_box (highlight, box);
  dv_highlight_finish (highlight);
  dv_canvas_set_highlight (host->canvas, highlight);
  dv_highlight_unref (highlight);
}

/* The nearest address that is shown.  */
static uint64_t
nearest_address (const struct dv_layout *layout, uint64_t address,
                 uint64_t position)
{
  if (position >= layout->size)
    return dv_layout_address (layout, layout->size - 1);
  uint64_t after = dv_layout_address (layout, position);
  if (position == 0)
    return after;
  uint64_t before = dv_layout_address (layout, position - 1);
  return address - before < after - address ? before : after;
}

static char *
show_address (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view view = host->canvas->viewport.now;
  uint64_t address = found->start, position;
  char *text = NULL;
  if (!dv_layout_position (&scene->layout, address, &position)) {
    address = nearest_address (&scene->layout, address, position);
    dv_layout_position (&scene->layout, address, &position);
    char wanted[40], nearest[40];
    g_snprintf (wanted, sizeof wanted, DV_ADDRESS, found->start);
    g_snprintf (nearest, sizeof nearest, DV_ADDRESS, address);
    text = g_strdup_printf (_ ("%s is not on a page in this picture; the "
                               "nearest address is %s"),
                            wanted, nearest);
  }
  uint64_t line = (uint64_t) 1 << scene->data->line_shift;
  struct dv_view box = { position & ~(line - 1), (position | (line - 1)) + 1,
                         scene->full.y0, scene->full.y1 };
  frame (host, found->title, &box);
  centre (position, MIN (view.x1 - view.x0, AROUND_BYTES), &view.x0,
          &view.x1);
  dv_host_go_to (host, &view);
  return text;
}

static char *
show_addresses (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_layout *layout = &host->canvas->scene->layout;
  struct dv_view view = host->canvas->viewport.now;
  dv_layout_position (layout, found->start, &view.x0);
  view.x1 = layout->size;
  if (found->end != UINT64_MAX)
    dv_layout_position (layout, found->end, &view.x1);
  if (view.x0 >= view.x1) {
    uint64_t address = nearest_address (layout, found->start, view.x0);
    dv_layout_position (layout, address, &view.x0);
    centre (view.x0, AROUND_BYTES, &view.x0, &view.x1);
    dv_host_go_to (host, &view);
    char nearest[40];
    g_snprintf (nearest, sizeof nearest, DV_ADDRESS, address);
    return g_strdup_printf (_ ("None of that is in the picture; the nearest "
                               "address is %s"),
                            nearest);
  }
  dv_host_go_to (host, &view);
  return NULL;
}

static char *
beyond (const struct dv_view *full)
{
  char from[40], to[40];
  dg_number_text (from, sizeof from, full->y0);
  dg_number_text (to, sizeof to, full->y1 - 1);
  return g_strdup_printf (_ ("The log has accesses by instructions %s to %s"),
                          from, to);
}

static char *
show_icount (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_view *full = &host->canvas->scene->full;
  struct dv_view view = host->canvas->viewport.now;
  uint64_t icount = CLAMP (found->start, full->y0, full->y1 - 1);
  struct dv_view box = { full->x0, full->x1, icount, icount + 1 };
  frame (host, found->title, &box);
  centre (icount, MIN (view.y1 - view.y0, AROUND_INSTRUCTIONS), &view.y0,
          &view.y1);
  dv_host_go_to (host, &view);
  return icount == found->start ? NULL : beyond (full);
}

static char *
show_icounts (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_view *full = &host->canvas->scene->full;
  struct dv_view view = host->canvas->viewport.now;
  view.y0 = MAX (found->start, full->y0);
  view.y1 = MIN (found->end, full->y1);
  if (view.y0 >= view.y1)
    return beyond (full);
  dv_host_go_to (host, &view);
  return NULL;
}

/* ---- Memory with a lifetime ------------------------------------------ */

/* Of addresses and icounts, as far as they are shown.  */
static bool
box_of (const struct dv_scene *scene, uint64_t address, uint64_t size,
        uint64_t start, uint64_t end, struct dv_view *box)
{
  uint64_t last = address > UINT64_MAX - size ? UINT64_MAX : address + size;
  dv_layout_position (&scene->layout, address, &box->x0);
  dv_layout_position (&scene->layout, last, &box->x1);
  box->y0 = MAX (start, scene->full.y0);
  box->y1 = MIN (end, scene->full.y1);
  return !dv_view_is_empty (box);
}

static void
show_box (struct dv_host *host, const struct dv_view *box)
{
  struct dv_view view;
  around (box->x0, box->x1, 64, &view.x0, &view.x1);
  around (box->y0, box->y1, 64, &view.y0, &view.y1);
  dv_host_go_to (host, &view);
}

static char *
show_block (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view box;
  struct dg_block_extent b
    = dg_log_block_extent (scene->data->log, found->block);
  if (!box_of (scene, b.address, b.size, b.alloc_icount, b.free_icount,
               &box))
    return g_strdup (_ ("No access to this block is in the picture"));
  frame (host, found->title, &box);
  show_box (host, &box);
  return NULL;
}

/* ---- Names ----------------------------------------------------------- */

/* The event or range with index i, if it is the label's; false if it is
   another's, or nothing of it is shown.  */
static bool
label_box (const struct dv_scene *scene, const struct dv_match *match,
           size_t i, struct dv_view *box)
{
  const struct dg_log *log = scene->data->log;
  size_t n;
  if (match->kind == DV_NAME_EVENT) {
    const struct dg_event *event = &dg_log_events (log, &n)[i];
    *box = scene->full;
    box->y0 = MAX (box->y0, event->start_icount);
    box->y1 = MIN (box->y1, MAX (event->end_icount,
                                 event->start_icount + 1));
    return strcmp (event->label, match->name) == 0
           && !dv_view_is_empty (box);
  }
  const struct dg_range *range = &dg_log_ranges (log, &n)[i];
  return strcmp (range->label, match->name) == 0
         && strcmp (range->type, match->file) == 0
         && box_of (scene, range->address, range->size, range->start_icount,
                    range->end_icount, box);
}

static size_t
count_of (const struct dv_scene *scene, const struct dv_match *match)
{
  size_t n;
  if (match->kind == DV_NAME_EVENT)
    dg_log_events (scene->data->log, &n);
  else
    dg_log_ranges (scene->data->log, &n);
  return n;
}

static void
frame_all (struct dv_host *host, const struct dv_match *match)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_highlight *highlight = dv_highlight_new (match->name);
  size_t n = count_of (scene, match);
  guint framed = 0;
  struct dv_view box;
  for (size_t i = match->first; i < n && framed < MAX_BOXES; i++)
    if (label_box (scene, match, i, &box)) {
      dv_highlight_add_box (highlight, &box);
      framed++;
    }
  dv_highlight_finish (highlight);
  dv_canvas_set_highlight (host->canvas, highlight);
  dv_highlight_unref (highlight);
}

/* The first one; again: the next, and the first after the last.  */
static char *
show_label (struct dv_host *host, struct dv_found *found, bool again,
            bool backward)
{
  const struct dv_scene *scene = host->canvas->scene;
  size_t n = count_of (scene, &found->match);
  size_t step = again ? backward ? n - 1 : 1 : 0;
  size_t at = (found->turn + step) % n;
  struct dv_view box;
  if (!again)
    frame_all (host, &found->match);
  for (size_t tries = 0; tries < n; tries++) {
    if (label_box (scene, &found->match, at, &box)) {
      found->turn = (uint32_t) at;
      if (found->match.kind == DV_NAME_EVENT) {
        struct dv_view view = host->canvas->viewport.now;
        around (box.y0, box.y1, 64, &view.y0, &view.y1);
        dv_host_go_to (host, &view);
      } else {
        show_box (host, &box);
      }
      return NULL;
    }
    at = (at + (backward ? n - 1 : 1)) % n;
  }
  return g_strdup (_ ("None of that is in the picture"));
}

static char *
show_thread (struct dv_host *host, const struct dv_found *found)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view view = host->canvas->viewport.now, box;
  size_t n;
  const struct dg_thread *thread = &dg_log_threads (scene->data->log,
                                                    &n)[found->match.first];
  uint64_t start = MAX (thread->start_icount, scene->full.y0);
  uint64_t end = MIN (thread->end_icount, scene->full.y1);
  if (start >= end)
    return g_strdup (_ ("None of that is in the picture"));
  if (thread->stack_low < thread->stack_high
      && box_of (scene, thread->stack_low,
                 thread->stack_high - thread->stack_low, start, end, &box))
    frame (host, found->title, &box);
  around (start, end, 64, &view.y0, &view.y1);
  dv_host_go_to (host, &view);
  return NULL;
}

bool
dv_found_stands_out (const struct dv_found *found)
{
  return found->kind == DV_FOUND_NAME && found->match.kind != DV_NAME_EVENT
         && found->match.kind != DV_NAME_RANGE
         && found->match.kind != DV_NAME_THREAD;
}

char *
dv_found_bright_text (const struct dv_host *host)
{
  switch (dv_canvas_bright (host->canvas)) {
  case DV_BRIGHT_SOME:
    return g_strdup (_ ("Its accesses are highlighted; Enter goes to the next "
                        "one"));
  case DV_BRIGHT_NONE:
    return g_strdup (_ ("None of its accesses is in view; Enter goes to the "
                        "next one"));
  case DV_BRIGHT_DUE:
    return g_strdup (_ ("Searching for its accesses in view…"));
  case DV_BRIGHT_NOT_KNOWN:
    break;
  }
  return g_strdup (_ ("Enter goes to its next access"));
}

/* Functions and modules: they stand out; again: the next access in these
   addresses, or, if none is to be seen there, in any.  */
static char *
show_code (struct dv_host *host, struct dv_stepping *stepping,
           struct dv_names *names, const struct dv_found *found, bool again,
           bool backward)
{
  struct dv_canvas *canvas = host->canvas;
  struct dv_highlight *highlight = dv_names_highlight (names, &found->match);
  const struct dv_view *now = &canvas->viewport.now;
  const struct dv_layout *layout = &canvas->scene->layout;
  if (!again) {
    dv_canvas_set_highlight (canvas, highlight);
    dv_highlight_unref (highlight);
    return dv_found_bright_text (host);
  }
  bool anywhere = dv_canvas_bright (canvas) == DV_BRIGHT_NONE;
  struct dv_seek seek = { .backward = backward, .highlight = highlight };
  seek.low = dv_layout_address (layout, now->x0);
  seek.high = dv_layout_address (layout, now->x1 - 1) + 1;
  if (anywhere) {
    seek.low = 0;
    seek.high = UINT64_MAX;
  }
  seek.from.icount = backward ? now->y1 - 1 : now->y0;
  const struct dg_access *mark = &canvas->mark;
  if (canvas->has_mark && mark->icount >= now->y0 && mark->icount < now->y1)
    seek.from = *mark;
  if (seek.low < seek.high)
    dv_stepping_seek (
      stepping, &seek,
      anywhere ? (backward ? _ ("No earlier access.") : _ ("No later access."))
               : (backward ? _ ("No earlier access in these addresses.")
                           : _ ("No later access in these addresses.")));
  dv_highlight_unref (highlight);
  return NULL;
}

char *
dv_found_choose (struct dv_host *host, struct dv_stepping *stepping,
                 struct dv_names *names, struct dv_found *found, bool again,
                 bool backward)
{
  const struct dv_scene *scene = host->canvas->scene;
  if (scene == NULL || dv_view_is_empty (&scene->full))
    return NULL;
  switch (found->kind) {
  case DV_FOUND_ADDRESS:
    return show_address (host, found);
  case DV_FOUND_ADDRESSES:
    return show_addresses (host, found);
  case DV_FOUND_ICOUNT:
    return show_icount (host, found);
  case DV_FOUND_ICOUNTS:
    return show_icounts (host, found);
  case DV_FOUND_BLOCK:
    return show_block (host, found);
  case DV_FOUND_NAME: break;
  }
  switch (found->match.kind) {
  case DV_NAME_EVENT: case DV_NAME_RANGE:
    return show_label (host, found, again, backward);
  case DV_NAME_THREAD:
    return show_thread (host, found);
  default:
    return show_code (host, stepping, names, found, again, backward);
  }
}

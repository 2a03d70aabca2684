/* axis.c: ticks of addresses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "axis.h"

#include "order.h"
#include "format.h"

#include <math.h>
#include <string.h>

/* Segment starts that compete for a label.  */
#define MAX_STARTS 512

/* A tick, and how much room the segment has that it begins.  */
struct candidate {
  struct dv_tick tick;
  double room;
};

/* The largest first.  */
DV_DEFINE_COMPARE (compare_rooms, struct candidate, -x->room)

DV_DEFINE_COMPARE (compare_pixels, struct dv_tick, x->pixel)

static void
set_address (struct dv_tick *tick, uint64_t address, double pixel)
{
  tick->value = address;
  tick->pixel = pixel;
  g_snprintf (tick->label, sizeof tick->label, DV_ADDRESS, address);
}

/* Adds the tick unless its label would touch another.  */
static void
place (GArray *ticks, const struct dv_tick *tick, double char_width)
{
  double half = (double) strlen (tick->label) * char_width / 2;
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *other = &g_array_index (ticks, struct dv_tick, i);
    double other_half = (double) strlen (other->label) * char_width / 2;
    if (fabs (other->pixel - tick->pixel)
        < half + other_half + 2 * char_width)
      return;
  }
  g_array_append_val (ticks, *tick);
}

/* The part of a segment that is in view.  */
static bool
visible_part (const struct dv_segment *segment, const struct dv_view *view,
              uint64_t *start, uint64_t *end)
{
  *start = MAX (segment->position, view->x0);
  *end = MIN (segment->position + segment->size, view->x1);
  return *start < *end;
}

static void
place_starts (GArray *ticks, const struct dv_layout *layout,
              const struct dv_view *view, double scale, double char_width)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  const struct dv_segment *end = layout->segments + layout->n;
  const struct dv_segment *s = dv_layout_segment (layout, view->x0);
  for (; s < end && s->position < view->x1; s++) {
    uint64_t first, last;
    if (s->position < view->x0 || !visible_part (s, view, &first, &last))
      continue;
    struct candidate start = { .room = (double) (last - first) * scale };
    set_address (&start.tick, s->address,
                 (double) (s->position - view->x0) * scale);
    g_array_append_val (starts, start);
  }
  g_array_sort (starts, compare_rooms);
  for (guint i = 0; i < MIN (starts->len, MAX_STARTS); i++)
    place (ticks, &g_array_index (starts, struct candidate, i).tick,
           char_width);
  g_array_unref (starts);
}

static void
place_round (GArray *ticks, const struct dv_layout *layout,
             const struct dv_view *view, double scale, double char_width)
{
  uint64_t step = 8;
  while ((double) step * scale < 20 * char_width && step < UINT64_MAX / 4)
    step *= 2;
  const struct dv_segment *end = layout->segments + layout->n;
  const struct dv_segment *s = dv_layout_segment (layout, view->x0);
  for (; s < end && s->position < view->x1; s++) {
    uint64_t first, last;
    if (!visible_part (s, view, &first, &last))
      continue;
    uint64_t address = s->address + (first - s->position);
    uint64_t size = last - first;
    uint64_t skip = -address & (step - 1);
    for (; skip < size; skip += step) {
      struct dv_tick tick;
      set_address (&tick, address + skip,
                   (double) (first + skip - view->x0) * scale);
      place (ticks, &tick, char_width);
    }
  }
}

GArray *
dv_axis_addresses (const struct dv_layout *layout, const struct dv_view *view,
                   double pixels, double char_width)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (struct dv_tick));
  if (layout->n == 0 || view->x0 >= view->x1 || pixels <= 0)
    return ticks;
  double scale = pixels / (double) (view->x1 - view->x0);
  place_starts (ticks, layout, view, scale, char_width);
  place_round (ticks, layout, view, scale, char_width);
  g_array_sort (ticks, compare_pixels);
  return ticks;
}

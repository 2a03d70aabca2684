/* bands.c: the strips beside the data: events along the time, user ranges
   along the addresses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <math.h>
#include <string.h>

#include "drawing.h"

#define LANES      4
#define LANE_WIDTH 7
#define LABEL_HIGH 13
#define LABEL_LEFT 8
/* Beyond these a strip would only be a blur, and slow.  */
#define MAX_EVENTS 200000
#define MAX_RANGES 5000
#define MAX_LABELS 200

/* Asked of the summary, so that the data area stays where it is when the rest
   of the log comes.  */
bool
dv_bands_has_events (const struct dv_scene *scene)
{
  return dg_log_summary (scene->data->log)->events_started > 0;
}

bool
dv_bands_has_ranges (const struct dv_scene *scene)
{
  return dg_log_summary (scene->data->log)->ranges_tracked > 0;
}

/* Events are ordered by their beginning: a lane is free when its last one
   has ended.  Those that find none share the last lane.  */
static unsigned
take_lane (uint64_t ends[LANES], const struct dg_event *event)
{
  unsigned lane = 0;
  while (lane + 1 < LANES && ends[lane] > event->start_icount)
    lane++;
  ends[lane] = MAX (ends[lane], event->end_icount);
  return lane;
}

static void
draw_event (struct dv_drawing *drawing, const struct dg_event *event,
            unsigned lane, double *label_y)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_plot_area *area = &drawing->area;
  double top = fmax (dv_drawing_y (drawing, event->start_icount), area->y);
  double bottom = fmin (dv_drawing_y (drawing, event->end_icount),
                        area->y + area->height);
  double x = dv_drawing_right (drawing) + LABEL_LEFT + lane * LANE_WIDTH;
  double y = floor (top) + 0.5;
  double height = fmax (1, floor (bottom - top) - 1);
  dv_set_colour (drawing->cr, &palette->event, 0.9);
  cairo_rectangle (drawing->cr, x, y, 3, height);
  cairo_fill (drawing->cr);

  /* Where it begins, since that is the order in which they come; below the
     label before, as long as the event is still there.  */
  double middle = y + fmin (height, LABEL_HIGH) / 2;
  middle = fmax (middle, *label_y + LABEL_HIGH);
  if (middle > y + height)
    return;
  double left = dv_drawing_right (drawing) + LABEL_LEFT
                + LANES * LANE_WIDTH;
  dv_text_draw (&drawing->text, left, middle, 0, drawing->width - left - 4,
                DV_STYLE_NORMAL, &palette->ink, event->label);
  *label_y = middle;
}

static void
draw_events (struct dv_drawing *drawing)
{
  const struct dv_view *view = &drawing->plot->view;
  size_t n;
  const struct dg_event *events
    = dg_log_events (drawing->plot->scene->data->log, &n);
  uint64_t ends[LANES] = { 0 };
  double label_y = 0;
  for (size_t i = 0; i < MIN (n, MAX_EVENTS); i++) {
    if (events[i].start_icount >= view->y1)
      break;
    unsigned lane = take_lane (ends, &events[i]);
    if (events[i].end_icount > view->y0)
      draw_event (drawing, &events[i], lane, &label_y);
  }
}

struct band {
  double left, right;
  const char *label;
};

static bool
is_drawn (const GArray *bands, const struct band *band)
{
  for (guint i = 0; i < bands->len; i++) {
    const struct band *other = &g_array_index (bands, struct band, i);
    if (other->left == band->left && other->right == band->right
        && strcmp (other->label, band->label) == 0)
      return true;
  }
  return false;
}

/* A range's label stands over it, if it is alone there.  */
static void
draw_range (struct dv_drawing *drawing, GArray *bands,
            const struct band *band)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_plot_area *area = &drawing->area;
  double right = fmax (band->right, band->left + 1);
  dv_set_colour (drawing->cr, &palette->range, 0.9);
  cairo_rectangle (drawing->cr, band->left, area->y - 5, right - band->left,
                   3);
  cairo_fill (drawing->cr);

  double width = dv_text_width (&drawing->text, DV_STYLE_SMALL, band->label);
  double room = band->right - band->left;
  struct band label = *band;
  if (width > room && room < 40) {
    label.left = fmax ((band->left + band->right - width) / 2, area->x);
    label.right = label.left + width;
  }
  if (label.left < area->x || label.right > drawing->width)
    return;
  for (guint i = 0; i < bands->len; i++) {
    const struct band *other = &g_array_index (bands, struct band, i);
    if (label.left < other->right + 6 && other->left - 6 < label.right)
      return;
  }
  g_array_append_val (bands, label);
  dv_text_draw (&drawing->text, (label.left + label.right) / 2, area->y - 13,
                0.5, fmin (width + 1, label.right - label.left + 1),
                DV_STYLE_SMALL, &palette->ink, band->label);
}

static void
draw_ranges (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_layout *layout = &plot->scene->layout;
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (plot->scene->data->log, &n);
  GArray *bands = g_array_new (FALSE, FALSE, sizeof (struct band));
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (struct band));
  for (size_t i = 0; i < MIN (n, MAX_RANGES); i++) {
    const struct dg_range *range = &ranges[i];
    uint64_t x0, x1;
    if (range->start_icount >= plot->view.y1
        || range->end_icount <= plot->view.y0)
      continue;
    dv_layout_position (layout, range->address, &x0);
    dv_layout_position (layout, range->address + range->size, &x1);
    x0 = MAX (x0, plot->view.x0);
    x1 = MIN (x1, plot->view.x1);
    if (x0 >= x1)
      continue;
    struct band band = { dv_drawing_x (drawing, x0),
                         dv_drawing_x (drawing, x1), range->label };
    if (bands->len >= MAX_LABELS || is_drawn (bands, &band))
      continue;
    g_array_append_val (bands, band);
    draw_range (drawing, labels, &band);
  }
  g_array_unref (labels);
  g_array_unref (bands);
}

void
dv_bands_draw (struct dv_drawing *drawing)
{
  const struct dv_scene *scene = drawing->plot->scene;
  if (dv_bands_has_ranges (scene))
    draw_ranges (drawing);
  if (dv_bands_has_events (scene)
      && dv_drawing_right (drawing) + DV_EVENT_STRIP <= drawing->width + 1)
    draw_events (drawing);
}

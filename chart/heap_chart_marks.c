/* heap_chart_marks.c: what stands out in a picture of the heap: the peak, the
   user's events, a band, a moment.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_chart_parts.h"

#include <math.h>
#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"

/* More lanes than anybody gives.  */
#define MOST_LANES 8
/* Of an event that lasts for no pixel.  */
#define LEAST_WIDTH 5
/* From this width on an event has its name in it.  */
#define NAME_WIDTH 26

/* ---- Events ----------------------------------------------------------- */

/* The first lane that is free there, and what would be taken in it.  */
static unsigned
find_lane (double *ends, unsigned lanes, double x, double width)
{
  for (unsigned lane = 0; lane < lanes; lane++)
    if (x + 0.5 >= ends[lane]) {
      ends[lane] = x + width;
      return lane;
    }
  return MOST_LANES;
}

GArray *
dv_heap_spans (const struct dv_heap_chart *chart, double x, double width,
               unsigned lanes, unsigned *needed)
{
  const struct dg_curve *curve = chart->curve;
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (struct dv_heap_span));
  double ends[MOST_LANES];
  size_t n;
  const struct dg_event *events = dg_log_events (curve->log, &n);
  lanes = MIN (lanes, MOST_LANES);
  if (needed != NULL)
    *needed = 0;
  for (unsigned i = 0; i < MOST_LANES; i++)
    ends[i] = x;
  for (size_t i = 0; i < curve->n_events; i++) {
    const struct dg_event *event = events + curve->events[i];
    struct dv_heap_span span = { .event = curve->events[i] };
    span.x = x + width * dg_curve_position (curve, event->start_icount);
    span.width = x + width * dg_curve_position (curve, event->end_icount)
                 - span.x;
    span.width = fmax (span.width, LEAST_WIDTH);
    span.x = fmin (span.x, x + width - span.width);
    span.lane = find_lane (ends, lanes, span.x, span.width);
    if (span.lane == MOST_LANES)
      continue;
    if (needed != NULL)
      *needed = MAX (*needed, span.lane + 1);
    g_array_append_val (spans, span);
  }
  return spans;
}

static void
draw_event (struct dv_heap_drawing *drawing, const struct dv_heap_span *span,
            const struct dg_event *event)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dv_palette *palette = drawing->chart->palette;
  double y = layout->lanes_y + span->lane * layout->lane_height;
  double height = layout->lane_height - 3;
  struct dv_rgb fill = dv_palette_blend (&palette->back, &palette->event,
                                         0.22);
  double width = fmax (span->width - 1, LEAST_WIDTH - 1);
  dv_heap_round (drawing->cr, span->x, y, width, height,
                 fmin (3, width / 2));
  dv_heap_set_colour (drawing->cr, &fill, 1);
  cairo_fill_preserve (drawing->cr);
  dv_heap_set_colour (drawing->cr, &palette->event, 0.8);
  cairo_set_line_width (drawing->cr, 0.8);
  cairo_stroke (drawing->cr);
  if (span->width >= NAME_WIDTH)
    dv_text_draw (&drawing->text, span->x + 5, y + height / 2, 0,
                  span->width - 8, DV_STYLE_SMALL, &palette->ink,
                  event->label);
  /* Where it begins and ends, down through the data.  */
  dv_heap_set_colour (drawing->cr, &palette->event, 0.35);
  y += height;
  cairo_rectangle (drawing->cr, span->x, y, 1,
                   layout->y + layout->area_height - y);
  if (span->width > LEAST_WIDTH && event->end_icount
                                     < drawing->chart->curve->end_icount)
    cairo_rectangle (drawing->cr, span->x + span->width - 1, y, 1,
                     layout->y + layout->area_height - y);
  cairo_fill (drawing->cr);
}

void
dv_heap_events_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  size_t n;
  const struct dg_event *events
    = dg_log_events (drawing->chart->curve->log, &n);
  if (layout->lanes == 0)
    return;
  GArray *spans = dv_heap_spans (drawing->chart, layout->x,
                                 layout->area_width, layout->lanes, NULL);
  for (guint i = 0; i < spans->len; i++) {
    const struct dv_heap_span *span
      = &g_array_index (spans, struct dv_heap_span, i);
    draw_event (drawing, span, events + span->event);
  }
  g_array_unref (spans);
}

/* ---- Bands ------------------------------------------------------------ */

static void
draw_gaps (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dg_curve *curve = drawing->chart->curve;
  const struct dv_palette *palette = drawing->chart->palette;
  for (size_t i = 0; i < curve->n_gaps; i++) {
    double left = dv_heap_chart_x (drawing->chart, layout,
                                   curve->gaps[i].start_icount);
    double right = dv_heap_chart_x (drawing->chart, layout,
                                    curve->gaps[i].end_icount);
    const char *name = _ ("accesses not recorded");
    dv_heap_set_colour (drawing->cr, &palette->ink, 0.07);
    cairo_rectangle (drawing->cr, left, layout->y, right - left,
                     layout->area_height);
    cairo_fill (drawing->cr);
    if (dv_text_width (&drawing->text, DV_STYLE_SMALL, name) + 10
          < right - left
        && layout->area_height > 60)
      dv_text_draw (&drawing->text, (left + right) / 2, layout->y + 8, 0.5, 0,
                    DV_STYLE_SMALL, &palette->faint, name);
  }
}

static void
draw_band (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_chart *chart = drawing->chart;
  const struct dv_heap_layout *layout = drawing->layout;
  double left = dv_heap_chart_x (chart, layout, chart->band_start);
  double right = fmax (dv_heap_chart_x (chart, layout, chart->band_end),
                       left + 1);
  /* What is outside steps back.  */
  dv_heap_set_colour (drawing->cr, &chart->palette->back, 0.6);
  cairo_rectangle (drawing->cr, layout->x, layout->y, left - layout->x,
                   layout->area_height);
  cairo_rectangle (drawing->cr, right, layout->y,
                   layout->x + layout->area_width - right,
                   layout->area_height);
  cairo_fill (drawing->cr);
  dv_heap_set_colour (drawing->cr, &chart->palette->ink, 0.6);
  cairo_rectangle (drawing->cr, floor (left), layout->y, 1,
                   layout->area_height);
  cairo_rectangle (drawing->cr, floor (right) - 1, layout->y, 1,
                   layout->area_height);
  cairo_fill (drawing->cr);
}

void
dv_heap_bands_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_chart *chart = drawing->chart;
  const struct dv_heap_layout *layout = drawing->layout;
  draw_gaps (drawing);
  if (chart->has_band)
    draw_band (drawing);
  if (chart->has_mark && chart->mark >= chart->curve->start_icount
      && chart->mark < chart->curve->end_icount) {
    dv_heap_set_colour (drawing->cr, &chart->palette->ink, 0.9);
    cairo_rectangle (drawing->cr,
                     floor (dv_heap_chart_x (chart, layout, chart->mark)),
                     layout->y, 1, layout->area_height);
    cairo_fill (drawing->cr);
  }
}

/* ---- The peak --------------------------------------------------------- */

static void
draw_label (struct dv_heap_drawing *drawing, double x, double y)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dg_curve *curve = drawing->chart->curve;
  const struct dv_palette *palette = drawing->chart->palette;
  char bytes[40], moment[40];
  dv_format_bytes (bytes, sizeof bytes, curve->peak_bytes);
  dg_number_text (moment, sizeof moment, curve->peak_icount);
  char *text =
    g_strdup_printf (_ ("Peak: %s after %s instructions"), bytes, moment);
  double width = dv_text_width (&drawing->text, DV_STYLE_NORMAL, text);
  /* A shorter one where there is no room.  */
  if (width + 16 > layout->area_width) {
    g_free (text);
    text = g_strdup_printf (_ ("Peak: %s"), bytes);
    width = dv_text_width (&drawing->text, DV_STYLE_NORMAL, text);
  }
  if (width + 16 <= layout->area_width && y - layout->y >= 9) {
    double left = x + 8;
    if (left + width + 6 > layout->x + layout->area_width)
      left = x - 8 - width;
    left = CLAMP (left, layout->x + 6,
                  layout->x + layout->area_width - width - 6);
    double middle = fmax (y - 10, layout->y + 8);
    dv_heap_round (drawing->cr, left - 5, middle - 8, width + 10, 16, 4);
    dv_heap_set_colour (drawing->cr, &palette->back, 0.82);
    cairo_fill (drawing->cr);
    dv_text_draw (&drawing->text, left, middle, 0, 0, DV_STYLE_NORMAL,
                  &palette->ink, text);
  }
  g_free (text);
}

void
dv_heap_peak_draw (struct dv_heap_drawing *drawing)
{
  const struct dv_heap_layout *layout = drawing->layout;
  const struct dg_curve *curve = drawing->chart->curve;
  const struct dv_palette *palette = drawing->chart->palette;
  double bottom = layout->y + layout->area_height;
  if (curve->peak_bytes == 0) {
    dv_text_draw (&drawing->text, layout->x + layout->area_width / 2,
                  layout->y + layout->area_height / 2, 0.5, layout->area_width,
                  DV_STYLE_NORMAL, &palette->faint,
                  _ ("The heap is empty here."));
    return;
  }
  double place = ((double) curve->peak_column + 0.5)
                 / (double) curve->n_columns;
  double x = layout->x + place * layout->area_width;
  double y = dv_heap_chart_y (layout, (double) curve->peak_bytes);
  static const double dashes[] = { 3, 3 };
  dv_heap_set_colour (drawing->cr, &palette->ink, 0.55);
  cairo_set_line_width (drawing->cr, 1);
  cairo_set_dash (drawing->cr, dashes, 2, 0);
  cairo_move_to (drawing->cr, floor (x) + 0.5, y);
  cairo_line_to (drawing->cr, floor (x) + 0.5, bottom);
  cairo_stroke (drawing->cr);
  cairo_set_dash (drawing->cr, NULL, 0, 0);
  draw_label (drawing, x, y);
  cairo_arc (drawing->cr, x, y, 3.5, 0, 2 * G_PI);
  dv_heap_set_colour (drawing->cr, &palette->back, 1);
  cairo_fill (drawing->cr);
  cairo_arc (drawing->cr, x, y, 2.5, 0, 2 * G_PI);
  dv_heap_set_colour (drawing->cr, &palette->ink, 1);
  cairo_fill (drawing->cr);
}

/* boxes.c: frames over the data: heap blocks, user ranges, and what stands
   out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <math.h>

#include "drawing.h"
#include "format.h"
#include "model/picture/overlay.h"

#define MAX_LABELS     60
#define MAX_HIGHLIGHTS 4000
#define LABEL_HIGH     15
/* Smaller ones would not be found.  */
#define LEAST_HIGHLIGHT 5

struct frame {
  double x0, x1, y0, y1;
};

/* A part of the plot in the picture, just outside of the data area where it
   goes on.  */
static struct frame
frame_of (const struct dv_drawing *drawing, uint64_t x0, uint64_t x1,
          uint64_t y0, uint64_t y1)
{
  const struct dv_plot_area *area = &drawing->area;
  return (struct frame){
    fmax (dv_drawing_x (drawing, x0), area->x - 2),
    fmin (dv_drawing_x (drawing, x1), area->x + area->width + 2),
    fmax (dv_drawing_y (drawing, y0), area->y - 2),
    fmin (dv_drawing_y (drawing, y1), area->y + area->height + 2)
  };
}

static bool
box_frame (const struct dv_drawing *drawing, const struct dv_box *box,
           struct frame *frame)
{
  *frame = frame_of (drawing, box->x0, box->x1, box->y0, box->y1);
  return frame->x1 - frame->x0 >= 3 && frame->y1 - frame->y0 >= 3;
}

static void
add_frame (cairo_t *cr, const struct frame *f)
{
  cairo_rectangle (cr, floor (f->x0) + 0.5, floor (f->y0) + 0.5,
                   floor (f->x1) - floor (f->x0) - 1,
                   floor (f->y1) - floor (f->y0) - 1);
}

/* All of a kind at once, as that is faster by far.  */
static void
draw_kind (struct dv_drawing *drawing, enum dv_box_kind kind,
           const struct dv_rgb *colour, double alpha)
{
  const GArray *boxes = drawing->plot->picture->boxes;
  struct frame frame;
  for (guint i = 0; i < boxes->len; i++) {
    const struct dv_box *box = &g_array_index (boxes, struct dv_box, i);
    if (box->kind == kind && box_frame (drawing, box, &frame))
      add_frame (drawing->cr, &frame);
  }
  dv_set_colour (drawing->cr, colour, alpha);
  cairo_stroke (drawing->cr);
}

/* ---- Labels ---------------------------------------------------------- */

static bool
overlaps (const GArray *labels, const struct frame *label)
{
  for (guint i = 0; i < labels->len; i++) {
    const struct frame *other = &g_array_index (labels, struct frame, i);
    if (label->x0 < other->x1 && other->x0 < label->x1
        && label->y0 < other->y1 && other->y0 < label->y1)
      return true;
  }
  return false;
}

static void
box_text (const struct dv_drawing *drawing, const struct dv_box *box,
          char *text, size_t size)
{
  const struct dg_log *log = drawing->plot->scene->data->log;
  size_t n;
  if (box->kind == DV_BOX_RANGE)
    g_strlcpy (text, dg_log_ranges (log, &n)[box->index].label, size);
  else
    dv_format_bytes (text, size, dg_log_block_extent (log, box->index).size);
}

/* In the corner of a box that has room for it.  */
static void
draw_label (struct dv_drawing *drawing, const struct dv_box *box,
            GArray *labels)
{
  const struct dv_palette *palette = drawing->plot->look.palette;
  const struct dv_plot_area *area = &drawing->area;
  struct frame frame;
  char text[64];
  if (!box_frame (drawing, box, &frame))
    return;
  double x0 = fmax (frame.x0, area->x), y0 = fmax (frame.y0, area->y);
  double room = fmin (frame.x1, area->x + area->width) - x0 - 6;
  if (room < 28 || fmin (frame.y1, area->y + area->height) - y0
                   < 2 * LABEL_HIGH)
    return;
  box_text (drawing, box, text, sizeof text);
  double width = dv_text_width (&drawing->text, DV_STYLE_SMALL, text);
  struct frame label = { x0 + 2, x0 + width + 8, y0 + 2,
                         y0 + 2 + LABEL_HIGH };
  if (width > room || overlaps (labels, &label))
    return;
  g_array_append_val (labels, label);
  dv_set_colour (drawing->cr, &palette->area, 0.7);
  cairo_rectangle (drawing->cr, label.x0, label.y0, label.x1 - label.x0,
                   LABEL_HIGH);
  cairo_fill (drawing->cr);
  dv_text_draw (&drawing->text, label.x0 + 3, label.y0 + LABEL_HIGH / 2.0, 0,
                0, DV_STYLE_SMALL, &palette->message, text);
}

static void
draw_labels (struct dv_drawing *drawing)
{
  const GArray *boxes = drawing->plot->picture->boxes;
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (struct frame));
  for (guint i = 0; i < boxes->len && labels->len < MAX_LABELS; i++)
    draw_label (drawing, &g_array_index (boxes, struct dv_box, i), labels);
  g_array_unref (labels);
}

/* ---- What stands out ------------------------------------------------- */

static void
widen (double *start, double *end)
{
  double lack = LEAST_HIGHLIGHT - (*end - *start);
  if (lack > 0) {
    *start -= lack / 2;
    *end += lack / 2;
  }
}

static void
draw_highlights (struct dv_drawing *drawing, const GArray *boxes)
{
  const struct dv_view *view = &drawing->plot->view;
  const struct dv_palette *palette = drawing->plot->look.palette;
  cairo_t *cr = drawing->cr;
  for (guint i = 0; i < MIN (boxes->len, MAX_HIGHLIGHTS); i++) {
    const struct dv_view *box = &g_array_index (boxes, struct dv_view, i);
    if (box->x1 <= view->x0 || box->x0 >= view->x1 || box->y1 <= view->y0
        || box->y0 >= view->y1)
      continue;
    struct frame frame = frame_of (drawing, box->x0, box->x1, box->y0,
                                   box->y1);
    widen (&frame.x0, &frame.x1);
    widen (&frame.y0, &frame.y1);
    add_frame (cr, &frame);
  }
  cairo_set_line_width (cr, 4);
  dv_set_colour (cr, &palette->area, 0.7);
  cairo_stroke_preserve (cr);
  cairo_set_line_width (cr, 2);
  dv_set_colour (cr, &palette->highlight, 1);
  cairo_stroke (cr);
}

void
dv_boxes_draw (struct dv_drawing *drawing)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_palette *palette = plot->look.palette;
  cairo_set_line_width (drawing->cr, 1);
  if (plot->picture != NULL && plot->picture->boxes != NULL
      && !plot->look.no_boxes) {
    draw_kind (drawing, DV_BOX_BLOCK, &palette->block, 0.45);
    draw_kind (drawing, DV_BOX_RANGE, &palette->range, 0.8);
    draw_labels (drawing);
  }
  if (plot->highlight != NULL && plot->highlight->boxes != NULL)
    draw_highlights (drawing, plot->highlight->boxes);
}

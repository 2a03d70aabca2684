/* canvas_box.c: a rectangle that is selected, without zooming to it: by a drag
   with Shift, or with the keyboard from one corner to the other.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "canvas_parts.h"

#include <math.h>

void
dv_canvas_set_box (struct dv_canvas *canvas, const struct dv_view *box,
                   bool counts)
{
  static const struct dv_view nothing = { 0 };
  bool was_empty = dv_view_is_empty (&canvas->box);
  canvas->box = box != NULL ? *box : nothing;
  canvas->counts_box = counts && !dv_view_is_empty (&canvas->box);
  canvas->has_corner = false;
  gtk_widget_queue_draw (canvas->widget);
  if (!was_empty || !dv_view_is_empty (&canvas->box))
    canvas->listener.box_changed (canvas->listener.user);
}

const struct dv_view *
dv_canvas_counted (const struct dv_canvas *canvas)
{
  return canvas->counts_box ? &canvas->box : &canvas->viewport.now;
}

/* ---- Drawing --------------------------------------------------------- */

/* Where [from, to) of an axis is that shows [first, end); false: outside.  */
static bool
place (uint64_t from, uint64_t to, uint64_t first, uint64_t end, double low,
       double length, double *start, double *size)
{
  if (to <= first || from >= end)
    return false;
  double scale = length / (double) (end - first);
  double a = (double) (MAX (from, first) - first) * scale;
  double b = (double) (MIN (to, end) - first) * scale;
  *start = low + a;
  *size = fmax (b - a, 2);
  return true;
}

static bool
area_of (const struct dv_canvas *canvas, const struct dv_view *box,
         struct dv_plot_area *out)
{
  struct dv_plot_area area = dv_canvas_area (canvas);
  const struct dv_view *now = &canvas->viewport.now;
  return place (box->x0, box->x1, now->x0, now->x1, area.x, area.width,
                &out->x, &out->width)
         && place (box->y0, box->y1, now->y0, now->y1, area.y, area.height,
                   &out->y, &out->height);
}

/* From the corner to the cursor, with both.  */
static bool
box_of_corner (const struct dv_canvas *canvas, struct dv_view *box)
{
  double x, y;
  uint64_t position, icount;
  if (!canvas->has_corner || !canvas->has_cursor
      || !dv_canvas_point (canvas, &x, &y)
      || !dv_canvas_at (canvas, x, y, &position, &icount))
    return false;
  *box = (struct dv_view){MIN (position, canvas->corner_x),
                          MAX (position, canvas->corner_x) + 1,
                          MIN (icount, canvas->corner_y),
                          MAX (icount, canvas->corner_y) + 1};
  return true;
}

void
dv_canvas_draw_box (const struct dv_canvas *canvas, cairo_t *cr)
{
  struct dv_plot_area area;
  struct dv_view box;
  if (box_of_corner (canvas, &box) && area_of (canvas, &box, &area)) {
    char *text = dv_canvas_band_text (&box);
    dv_canvas_draw_band (canvas, cr, &area, true, text);
    g_free (text);
  } else if (!dv_view_is_empty (&canvas->box)
             && area_of (canvas, &canvas->box, &area)) {
    dv_canvas_draw_band (canvas, cr, &area, true, NULL);
  }
}

/* ---- The keyboard ---------------------------------------------------- */

bool
dv_canvas_mark_corner (struct dv_canvas *canvas)
{
  struct dv_view box;
  double x, y;
  if (!canvas->has_cursor || !dv_canvas_point (canvas, &x, &y))
    return false;
  if (box_of_corner (canvas, &box)) {
    dv_canvas_set_box (canvas, &box, canvas->counts_box);
    return true;
  }
  canvas->has_corner
    = dv_canvas_at (canvas, x, y, &canvas->corner_x, &canvas->corner_y);
  gtk_widget_queue_draw (canvas->widget);
  return canvas->has_corner;
}

bool
dv_canvas_leave_box (struct dv_canvas *canvas)
{
  if (canvas->has_corner) {
    canvas->has_corner = false;
    gtk_widget_queue_draw (canvas->widget);
    return true;
  }
  if (dv_view_is_empty (&canvas->box))
    return false;
  dv_canvas_set_box (canvas, NULL, false);
  return true;
}

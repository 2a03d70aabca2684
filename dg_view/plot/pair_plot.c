/* pair_plot.c: drawing two logs and their difference.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_plot.h"

#include <math.h>

#include "format.h"
#include "drawing.h"
#include "i18n.h"
#include "ticks.h"

/* Above each part: which it is.  */
#define CAPTION 18
/* Beside the data: the counts of the other log; labels of events.  */
#define RIGHT   76
#define TICK    5
#define APART   40
/* Below the data: brackets with the names of owners.  */
#define NAMES   8
#define BELOW   44
/* How much an image of another view may be enlarged.  */
#define MAX_STRETCH 16
#define TILE  11
#define SPACE 14

struct drawing {
  const struct dv_pair_plot *plot;
  cairo_t *cr;
  struct dv_text text;
  struct dv_plot_area areas[DV_PAIR_PARTS];
  double width, height;
};

/* ---- Places --------------------------------------------------------- */

unsigned
dv_pair_plot_parts (const struct dv_pair *pair, unsigned wanted)
{
  bool is_one = pair != NULL && pair->scenes[1] == NULL;
  unsigned parts = is_one ? 1u << DV_PAIR_BEFORE
                          : wanted & DV_PAIR_ALL_PARTS;
  return parts != 0 ? parts : DV_PAIR_ALL_PARTS;
}

void
dv_pair_plot_areas (const struct dv_pair *pair, unsigned parts,
                    bool has_title, double width, double height,
                    struct dv_plot_area areas[DV_PAIR_PARTS])
{
  double y = DV_HEADER + (has_title ? 6 : 0), n = 0;
  parts = dv_pair_plot_parts (pair, parts);
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    n += parts >> i & 1;
  double each = floor (fmax (1, (height - y - BELOW) / n - CAPTION));
  for (int i = 0; i < DV_PAIR_PARTS; i++) {
    bool is_shown = (parts >> i & 1) != 0;
    y += is_shown ? CAPTION : 0;
    areas[i] = (struct dv_plot_area){
      DV_LEFT, y, fmax (1, floor (width - DV_LEFT - RIGHT)),
      is_shown ? each : 0 };
    y += areas[i].height;
  }
}

static bool
is_shown (const struct drawing *drawing, int part)
{
  return drawing->areas[part].height > 0;
}

static double
x_of (const struct drawing *drawing, double position)
{
  const struct dv_view *view = &drawing->plot->view;
  return drawing->areas[0].x
         + (position - (double) view->x0) * drawing->areas[0].width
           / (double) (view->x1 - view->x0);
}

static double
y_of (const struct drawing *drawing, int part, double moment)
{
  const struct dv_view *view = &drawing->plot->view;
  const struct dv_plot_area *area = &drawing->areas[part];
  return area->y
         + (moment - (double) view->y0) * area->height
           / (double) (view->y1 - view->y0);
}

static void
fill (const struct drawing *drawing, double x, double y, double width,
      double height, const struct dv_rgb *colour, double alpha)
{
  dv_set_colour (drawing->cr, colour, alpha);
  cairo_rectangle (drawing->cr, x, y, width, height);
  cairo_fill (drawing->cr);
}

/* ---- Data ----------------------------------------------------------- */

/* The image of what is shown, or of another view until there is one.  */
static void
draw_image (struct drawing *drawing, int part)
{
  const struct dv_pair_picture *picture = drawing->plot->picture;
  cairo_t *cr = drawing->cr;
  if (picture == NULL || picture->images[part] == NULL)
    return;
  const struct dv_view *of = &picture->counts->view;
  double scale, unused;
  cairo_surface_get_device_scale (picture->images[part], &scale, &unused);
  double width = picture->counts->width / scale;
  double height = picture->counts->height / scale;
  double x0 = x_of (drawing, (double) of->x0);
  double x1 = x_of (drawing, (double) of->x1);
  double y0 = y_of (drawing, part, (double) of->y0);
  double y1 = y_of (drawing, part, (double) of->y1);
  if (x1 - x0 > MAX_STRETCH * width || y1 - y0 > MAX_STRETCH * height)
    return;
  cairo_save (cr);
  cairo_translate (cr, x0, y0);
  cairo_scale (cr, (x1 - x0) / width, (y1 - y0) / height);
  cairo_set_source_surface (cr, picture->images[part], 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* Lines between owners, as long as there are few.  */
static void
draw_borders (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[part];
  const GArray *owners = plot->pair->axis.owners;
  double last = area->x;
  guint first = dv_pair_axis_at (&plot->pair->axis, plot->view.x0);
  for (guint i = first; i < owners->len; i++) {
    const struct dv_pair_owner *owner =
      dv_pair_axis_owner (&plot->pair->axis, i);
    double x = floor (x_of (drawing, (double) owner->x1));
    if (owner->x1 >= plot->view.x1)
      break;
    if (x - last >= 6)
      fill (drawing, x, area->y, 1, area->height, &plot->palette->page, 0.35);
    if (x - last >= 6)
      last = x;
  }
}

/* Where an event of both logs begins or ends.  */
static void
draw_knots (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[part];
  const GArray *knots = plot->pair->time.knots;
  double last = -100;
  for (guint i = 0; i < knots->len; i++) {
    const struct dv_pair_knot *knot =
      &g_array_index (knots, struct dv_pair_knot, i);
    double y = floor (y_of (drawing, part, (double) knot->moment));
    if (knot->label == NULL || knot->moment < plot->view.y0
        || knot->moment >= plot->view.y1 || y - last < 3)
      continue;
    fill (drawing, area->x, y, area->width, 1, &plot->palette->event, 0.5);
    last = y;
  }
}

static void
draw_owner (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[part];
  if (plot->owner >= plot->pair->axis.owners->len)
    return;
  const struct dv_pair_owner *owner =
    dv_pair_axis_owner (&plot->pair->axis, plot->owner);
  double x0 = fmax (x_of (drawing, (double) owner->x0), area->x);
  double x1 = fmin (x_of (drawing, (double) owner->x1), area->x + area->width);
  if (x1 < x0)
    return;
  dv_set_colour (drawing->cr, &plot->palette->highlight, 1);
  cairo_set_line_width (drawing->cr, 2);
  cairo_rectangle (drawing->cr, x0, area->y + 1, fmax (x1 - x0, 2),
                   area->height - 2);
  cairo_stroke (drawing->cr);
}

static void
draw_data (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[part];
  cairo_t *cr = drawing->cr;
  cairo_save (cr);
  cairo_rectangle (cr, area->x, area->y, area->width, area->height);
  cairo_clip (cr);
  dv_set_colour (cr, &plot->palette->area, 1);
  cairo_paint (cr);
  if (plot->pair != NULL && !dv_view_is_empty (&plot->view)) {
    draw_image (drawing, part);
    draw_borders (drawing, part);
    draw_knots (drawing, part);
    draw_owner (drawing, part);
  }
  cairo_restore (cr);
  dv_set_colour (cr, &plot->palette->frame, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, area->x - 0.5, area->y - 0.5, area->width + 1,
                   area->height + 1);
  cairo_stroke (cr);
}

/* ---- Time ----------------------------------------------------------- */

/* Instruction counts of a log, left or right of a part.  */
static void
draw_counts (struct drawing *drawing, int part, unsigned side, bool is_right)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_pair_time *time = &plot->pair->time;
  const struct dv_plot_area *area = &drawing->areas[part];
  double x = is_right ? area->x + area->width + 1 : area->x - TICK;
  double last = -APART;
  for (guint i = 1; i < time->knots->len; i++) {
    const struct dv_pair_knot *to =
      &g_array_index (time->knots, struct dv_pair_knot, i);
    uint64_t from = MAX (to[-1].moment, plot->view.y0);
    uint64_t end = MIN (to->moment, plot->view.y1);
    if (from >= end)
      continue;
    uint64_t first = dv_pair_time_icount (time, side, from);
    uint64_t behind = dv_pair_time_icount (time, side, end);
    double top = y_of (drawing, part, (double) from);
    double high = y_of (drawing, part, (double) end) - top;
    if (first >= behind || high < APART / 2)
      continue;
    GArray *ticks = dv_ticks_counts (first, behind, high, APART);
    for (guint k = 0; k < ticks->len; k++) {
      const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, k);
      double y = floor (top + tick->pixel);
      if (y - last < APART / 2)
        continue;
      fill (drawing, x, y, TICK - 1, 1, &plot->palette->faint, 1);
      dv_text_draw (&drawing->text, is_right ? x + TICK + 1 : x - 3,
                    CLAMP (y, area->y + 5, area->y + area->height - 5),
                    is_right ? 0 : 1, 0, DV_STYLE_SMALL,
                    is_right ? &plot->palette->faint : &plot->palette->ink,
                    tick->label);
      last = y;
    }
    g_array_unref (ticks);
  }
}

/* Names of events, right of the parts that have no counts there.  */
static void
draw_labels (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[part];
  const GArray *knots = plot->pair->time.knots;
  double last = -100, x = area->x + area->width + 5;
  for (guint i = 0; i < knots->len; i++) {
    const struct dv_pair_knot *knot =
      &g_array_index (knots, struct dv_pair_knot, i);
    double y = y_of (drawing, part, (double) knot->moment);
    if (knot->label == NULL || knot->is_end || knot->moment < plot->view.y0
        || knot->moment >= plot->view.y1 || y - last < 13)
      continue;
    char *label = dv_format_shown (knot->label);
    dv_text_draw (&drawing->text, x,
                  CLAMP (y, area->y + 6, area->y + area->height - 6), 0,
                  drawing->width - x - 3, DV_STYLE_SMALL,
                  &plot->palette->event, label);
    g_free (label);
    last = y;
  }
}

/* ---- Owners --------------------------------------------------------- */

static void
draw_name (struct drawing *drawing, double top, double left, double right,
           const char *name)
{
  const struct dv_palette *palette = drawing->plot->palette;
  double x = floor (left) + 1, width = floor (right) - x;
  if (width < 1)
    return;
  fill (drawing, x, top, width, 1, &palette->faint, 0.6);
  if (width > 4) {
    fill (drawing, x, top - 2, 1, 2, &palette->faint, 0.6);
    fill (drawing, x + width - 1, top - 2, 1, 2, &palette->faint, 0.6);
  }
  if (width < 26)
    return;
  double length = dv_text_width (&drawing->text, DV_STYLE_SMALL, name);
  dv_text_draw (&drawing->text, x + width / 2, top + 9, 0.5,
                length > width ? width : 0, DV_STYLE_SMALL, &palette->ink,
                name);
}

/* Offsets in blocks that lie one over the other.  */
static void
draw_offsets (struct drawing *drawing, double top,
              const struct dv_pair_owner *owner)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_view *view = &plot->view;
  uint64_t from = MAX (owner->x0, view->x0), end = MIN (owner->x1, view->x1);
  double left = x_of (drawing, (double) from);
  double width = x_of (drawing, (double) end) - left;
  if (owner->kind != DV_PAIR_HEAP || !plot->pair->is_laid_over || width < 90)
    return;
  GArray *ticks = dv_ticks_counts (from - owner->x0, end - owner->x0, width,
                                   44);
  for (guint i = 0; i < ticks->len; i++) {
    const struct dv_tick *tick = &g_array_index (ticks, struct dv_tick, i);
    double x = floor (left + tick->pixel);
    char *label = g_strconcat ("+", tick->label, NULL);
    double half = dv_text_width (&drawing->text, DV_STYLE_SMALL, label) / 2;
    fill (drawing, x, top - 7, 1, 4, &plot->palette->faint, 1);
    if (x - half > left - 4 && x + half < left + width)
      dv_text_draw (&drawing->text, x, top + 21, 0.5, 0, DV_STYLE_SMALL,
                    &plot->palette->faint, label);
    g_free (label);
  }
  g_array_unref (ticks);
}

static void
draw_owners (struct drawing *drawing, double bottom)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_plot_area *area = &drawing->areas[0];
  const struct dv_pair_axis *axis = &plot->pair->axis;
  double top = bottom + NAMES, done = -1;
  for (guint i = dv_pair_axis_at (axis, plot->view.x0); i < axis->owners->len;
       i++) {
    const struct dv_pair_owner *owner = dv_pair_axis_owner (axis, i);
    if (owner->x0 >= plot->view.x1)
      break;
    double left = fmax (x_of (drawing, (double) owner->x0), area->x);
    double right = fmin (x_of (drawing, (double) owner->x1),
                         area->x + area->width);
    /* Many that share a pixel are one stroke.  */
    if (right - left < 1 && right < done + 1)
      continue;
    draw_name (drawing, top, left, fmax (right, left + 2), owner->name);
    draw_offsets (drawing, top, owner);
    done = right;
  }
  dv_text_draw (&drawing->text, area->x + area->width / 2, bottom + 36, 0.5,
                0, DV_STYLE_NORMAL, &plot->palette->faint,
                plot->pair->is_laid_over
                  ? _ ("Memory by owner; blocks lie one over the other →")
                  : _ ("Memory by owner →"));
}

/* ---- Around --------------------------------------------------------- */

struct square {
  const char *text;
  const struct dv_rgb *colour;
};

/* From the right; returns where they begin.  */
static double
draw_squares (struct drawing *drawing, const struct square *squares, int n,
              double x, double y, double least)
{
  for (int i = n; i-- > 0;) {
    double length = dv_text_width (&drawing->text, DV_STYLE_SMALL,
                                   squares[i].text);
    if (x - length - 5 - TILE < least)
      break;
    dv_text_draw (&drawing->text, x, y, 1, 0, DV_STYLE_SMALL,
                  &drawing->plot->palette->ink, squares[i].text);
    x = floor (x - length - 5);
    fill (drawing, x - TILE, y - 5, TILE, TILE, &drawing->plot->palette->frame,
          1);
    fill (drawing, x - TILE + 1, y - 4, TILE - 2, TILE - 2, squares[i].colour,
          1);
    x -= TILE + SPACE;
  }
  return x;
}

/* Which part it is, with its colours.  */
static void
draw_caption (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_palette *p = plot->palette;
  const struct dv_plot_area *area = &drawing->areas[part];
  const struct square kinds[] = { { _ ("read"), &p->read },
                                  { _ ("write"), &p->write },
                                  { _ ("both"), &p->both } };
  const struct square logs[] = { { _ ("only before"), &p->before },
                                 { _ ("only after"), &p->after },
                                 { _ ("both"), &p->same } };
  bool is_difference = part == DV_PAIR_DIFFERENCE;
  bool is_one = plot->pair != NULL && plot->pair->scenes[1] == NULL;
  double y = area->y - CAPTION / 2, right = area->x + area->width;
  char *text = is_difference ? g_strdup (_ ("Difference"))
    : is_one ? g_strdup (plot->names[0])
    : g_strdup_printf (part == DV_PAIR_BEFORE ? _ ("Before: %s")
                                              : _ ("After: %s"),
                       plot->names[part] != NULL ? plot->names[part] : "");
  double length = dv_text_width (&drawing->text, DV_STYLE_NORMAL, text);
  double left = fmin (area->x + length, area->x + area->width * 0.5);
  right = draw_squares (drawing, is_difference ? logs : kinds, 3, right, y,
                        left + 10);
  dv_text_draw (&drawing->text, area->x, y, 0, right - area->x,
                DV_STYLE_NORMAL, &p->ink, text);
  g_free (text);
}

static void
draw_header (struct drawing *drawing)
{
  const struct dv_pair_plot *plot = drawing->plot;
  const struct dv_palette *palette = plot->palette;
  double right = drawing->areas[0].x + drawing->areas[0].width;
  const char *how = plot->pair == NULL || plot->pair->scenes[1] == NULL ? NULL
    : plot->pair->time.events > 0 ? _ ("time aligned by events")
    : _ ("time scaled as a whole");
  if (how != NULL) {
    dv_text_draw (&drawing->text, right, 13, 1, 0, DV_STYLE_SMALL,
                  &palette->faint, how);
    right -= dv_text_width (&drawing->text, DV_STYLE_SMALL, how) + SPACE;
  }
  if (plot->title != NULL)
    dv_text_draw (&drawing->text, DV_MARGIN, 15, 0, right - DV_MARGIN,
                  DV_STYLE_TITLE, &palette->ink, plot->title);
  else
    dv_text_draw (&drawing->text, DV_MARGIN, 13, 0, right - DV_MARGIN,
                  DV_STYLE_SMALL, &palette->faint,
                  _ ("Instructions executed ↓"));
}

static void
draw_part (struct drawing *drawing, int part)
{
  const struct dv_pair_plot *plot = drawing->plot;
  bool has_data = plot->pair != NULL && !dv_view_is_empty (&plot->view);
  draw_data (drawing, part);
  draw_caption (drawing, part);
  if (!has_data)
    return;
  draw_counts (drawing, part, part == DV_PAIR_AFTER, false);
  if (part == DV_PAIR_DIFFERENCE)
    draw_counts (drawing, part, 1, true);
  else
    draw_labels (drawing, part);
}

void
dv_pair_plot_draw (const struct dv_pair_plot *plot, cairo_t *cr, double width,
                   double height, GString *svg)
{
  struct drawing drawing = { .plot = plot, .cr = cr, .width = width,
                             .height = height };
  double bottom = 0;
  dv_pair_plot_areas (plot->pair, plot->parts, plot->title != NULL, width,
                      height, drawing.areas);
  dv_text_init (&drawing.text, cr, svg);
  dv_set_colour (cr, &plot->palette->back, 1);
  cairo_paint (cr);
  draw_header (&drawing);
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    if (is_shown (&drawing, i)) {
      draw_part (&drawing, i);
      bottom = drawing.areas[i].y + drawing.areas[i].height;
    }
  if (plot->pair != NULL && !dv_view_is_empty (&plot->view))
    draw_owners (&drawing, bottom);
  if (plot->message != NULL)
    for (int i = 0; i < DV_PAIR_PARTS; i++)
      if (is_shown (&drawing, i)) {
        const struct dv_plot_area *area = &drawing.areas[i];
        dv_text_draw (&drawing.text, area->x + area->width / 2,
                      area->y + area->height / 2, 0.5, area->width,
                      DV_STYLE_NORMAL, &plot->palette->message,
                      plot->message);
        break;
      }
  dv_text_fini (&drawing.text);
}

/* legend.c: what the colours mean.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <math.h>
#include <libdatagrind.h>

#include "drawing.h"
#include "format.h"
#include "i18n.h"
#include "model/picture/paint.h"
#include "model/log/order.h"

#define TILE  11
#define SPACE 14

struct legend {
  struct dv_drawing *drawing;
  const struct dv_palette *palette;
  double x, y;                /* parts are added left of x */
  double least;               /* and not left of this */
};

static double
part_width (struct legend *legend, const char *text)
{
  return dv_text_width (&legend->drawing->text, DV_STYLE_NORMAL, text) + 5
         + TILE + SPACE;
}

/* Whether there is room for a part with a tile; most can be missed.  */
static bool
has_room (struct legend *legend, const char *text)
{
  return legend->x - part_width (legend, text) >= legend->least;
}

static void
add_text (struct legend *legend, const char *text)
{
  dv_text_draw (&legend->drawing->text, legend->x, legend->y, 1, 0,
                DV_STYLE_NORMAL, &legend->palette->ink, text);
  legend->x -= dv_text_width (&legend->drawing->text, DV_STYLE_NORMAL, text)
               + 5;
}

static void
add_tile (struct legend *legend, const struct dv_rgb *colour)
{
  cairo_t *cr = legend->drawing->cr;
  /* With an edge: it may have the colour of what is around it.  */
  dv_set_colour (cr, &legend->palette->frame, 1);
  cairo_rectangle (cr, floor (legend->x) - TILE, legend->y - 5, TILE, TILE);
  cairo_fill (cr);
  dv_set_colour (cr, colour, 1);
  cairo_rectangle (cr, floor (legend->x) - TILE + 1, legend->y - 4, TILE - 2,
                   TILE - 2);
  cairo_fill (cr);
}

static void
add_square (struct legend *legend, const struct dv_rgb *colour,
            const char *text)
{
  if (!has_room (legend, text))
    return;
  add_text (legend, text);
  add_tile (legend, colour);
  legend->x -= TILE + SPACE;
}

/* A piece of the data area with a line down its middle.  */
static void
add_line (struct legend *legend, const struct dv_rgb *colour,
          const char *text)
{
  cairo_t *cr = legend->drawing->cr;
  if (!has_room (legend, text))
    return;
  add_text (legend, text);
  add_tile (legend, &legend->palette->area);
  dv_set_colour (cr, colour, 0.9);
  cairo_rectangle (cr, floor (legend->x) - 6, legend->y - 5, 1, TILE);
  cairo_fill (cr);
  legend->x -= TILE + SPACE;
}

/* The same with a frame.  */
static void
add_frame (struct legend *legend, const struct dv_rgb *colour,
           const char *text)
{
  cairo_t *cr = legend->drawing->cr;
  if (!has_room (legend, text))
    return;
  add_text (legend, text);
  add_tile (legend, &legend->palette->area);
  dv_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, floor (legend->x) - TILE + 1, legend->y - 4,
                   TILE - 2, TILE - 2);
  cairo_stroke (cr);
  legend->x -= TILE + SPACE;
}

static void
add_density (struct legend *legend, uint64_t max)
{
  const struct dv_palette *palette = legend->palette;
  bool by_thread = legend->drawing->plot->look.colouring == DV_COLOUR_THREAD;
  char most[32], *text;
  if (max < 2)
    return;
  dg_number_text_about (most, sizeof most, max);
  /* TRANSLATORS: from one access under a pixel to so many.  */
  text = g_strdup_printf (_ ("1 to %s per pixel"), most);
  const int steps = 8, step = 5;
  double width = dv_text_width (&legend->drawing->text, DV_STYLE_NORMAL,
                                text) + 5 + steps * step + SPACE;
  if (legend->x - width >= legend->least) {
    add_text (legend, text);
    for (int i = 0; i < steps; i++) {
      double at = dv_paint_density (1, max);
      struct dv_rgb c = dv_palette_blend (
        &palette->area, by_thread ? &palette->unknown : &palette->both,
        at + (1 - at) * i / (steps - 1));
      dv_set_colour (legend->drawing->cr, &c, 1);
      cairo_rectangle (legend->drawing->cr,
                       floor (legend->x) - (steps - i) * step,
                       legend->y - 5, step, TILE);
      cairo_fill (legend->drawing->cr);
    }
    legend->x -= steps * step + SPACE;
  }
  g_free (text);
}

/* ---- Threads --------------------------------------------------------- */

static char *
thread_text (const struct dv_scene *scene, uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (scene->data->log, number);
  if (thread != NULL && *thread->name != '\0') {
    char *name = dv_format_shown (thread->name);
    /* TRANSLATORS: a thread's number and name.  */
    char *text = g_strdup_printf (_ ("%u %s"), number, name);
    g_free (name);
    return text;
  }
  return g_strdup_printf (_ ("thread %u"), number);
}

DV_DEFINE_COMPARE (compare_numbers, uint32_t, *x)

/* As many of the threads in view as have room, of those with the most pixels,
   by number.  */
static void
add_threads (struct legend *legend, const GArray *threads)
{
  const struct dv_scene *scene = legend->drawing->plot->scene;
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  double room = legend->x - legend->least;
  if (threads->len > 1) {
    room -= part_width (legend, _ ("several"));
    add_square (legend, &legend->palette->mixed, _ ("several"));
  }
  for (guint i = 0; i < threads->len; i++) {
    uint32_t thread = g_array_index (threads, uint32_t, i);
    char *text = thread_text (scene, thread);
    room -= part_width (legend, text);
    g_free (text);
    if (room < (i + 1 < threads->len ? 40 : 0))
      break;
    g_array_append_val (shown, thread);
  }
  if (shown->len < threads->len) {
    /* TRANSLATORS: so many more threads.  */
    char *more = g_strdup_printf (_ ("+%u"), threads->len - shown->len);
    add_text (legend, more);
    legend->x -= SPACE;
    g_free (more);
  }
  g_array_sort (shown, compare_numbers);
  for (guint i = shown->len; i-- > 0;) {
    uint32_t thread = g_array_index (shown, uint32_t, i);
    struct dv_rgb colour = dv_palette_thread (legend->palette, thread);
    char *text = thread_text (scene, thread);
    add_square (legend, &colour, text);
    g_free (text);
  }
  g_array_unref (shown);
}

/* ---- Caches ---------------------------------------------------------- */

/* From good to bad.  */
static void
add_heat (struct legend *legend)
{
  const struct dv_palette *palette = legend->palette;
  cairo_t *cr = legend->drawing->cr;
  const int steps = 12, step = 6;
  const char *good, *bad;
  switch (legend->drawing->plot->look.colouring) {
  case DV_COLOUR_MISS:
    good = _ ("cache hits");
    bad = _ ("misses");
    break;
  case DV_COLOUR_REUSE:
    good = _ ("reused soon");
    bad = _ ("late or never");
    break;
  default:
    good = _ ("whole line used");
    bad = _ ("little of it");
  }
  add_text (legend, bad);
  for (int i = 0; i < steps; i++) {
    struct dv_rgb c = dv_paint_heat (palette, (double) i / (steps - 1));
    dv_set_colour (cr, &c, 1);
    cairo_rectangle (cr, floor (legend->x) - (steps - i) * step,
                     legend->y - 5, step, TILE);
    cairo_fill (cr);
  }
  legend->x = floor (legend->x) - steps * step - 5;
  add_text (legend, good);
  legend->x -= SPACE;
}

/* ---- All ------------------------------------------------------------- */

static void
add_highlight (struct legend *legend)
{
  const struct dv_highlight *highlight = legend->drawing->plot->highlight;
  if (highlight == NULL || highlight->label == NULL)
    return;
  char *label = dv_format_shown (highlight->label);
  if (g_utf8_strlen (label, -1) > 40) {
    char *head = g_utf8_substring (label, 0, 39);
    g_free (label);
    label = g_strconcat (head, "…", NULL);
    g_free (head);
  }
  add_frame (legend, &legend->palette->highlight, label);
  g_free (label);
}

static void
add_sharing (struct legend *legend)
{
  const struct dv_drawing *drawing = legend->drawing;
  if (drawing->has_false_sharing)
    add_square (legend, &legend->palette->false_shared, _ ("false sharing"));
  if (drawing->has_sharing)
    add_square (legend, &legend->palette->shared, _ ("shared line"));
}

double
dv_legend_draw (struct dv_drawing *drawing, double y)
{
  const struct dv_plot *plot = drawing->plot;
  const struct dv_palette *palette = plot->look.palette;
  struct legend legend = { drawing, palette, drawing->width - DV_MARGIN, y,
                           DV_MARGIN };
  const struct dv_raster *raster
    = plot->picture != NULL ? plot->picture->raster : NULL;
  if (raster != NULL && raster->heat != NULL) {
    add_heat (&legend);
  } else if (raster != NULL && raster->threads != NULL) {
    if (plot->title != NULL)
      legend.least = drawing->width * 0.25;
    add_threads (&legend, raster->threads);
  } else {
    add_square (&legend, &palette->both, _ ("both"));
    add_square (&legend, &palette->write, _ ("write"));
    add_square (&legend, &palette->read, _ ("read"));
  }
  if (plot->title != NULL)
    legend.least = drawing->width * 0.3;
  add_highlight (&legend);
  if (raster != NULL && raster->heat == NULL)
    add_density (&legend, raster->max);
  add_sharing (&legend);
  if (drawing->lines)
    add_line (&legend, &palette->line, _ ("cache line"));
  if (drawing->pages)
    add_line (&legend, &palette->page, _ ("page"));
  if (drawing->gaps)
    add_line (&legend, &palette->gap, _ ("addresses omitted"));
  return legend.x;
}

/* text.h: text in a picture, as text.

   cairo turns text into outlines when it writes SVG; there the texts are
   gathered instead and put into the file as <text> elements.  Everywhere
   else Pango draws them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TEXT_H
#define DV_TEXT_H

#include <stdbool.h>

#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>

#include "palette.h"

struct dv_text {
  cairo_t *cr;
  PangoLayout *layout;
  GString *svg;          /* NULL: draw */
};

enum dv_style {
  DV_STYLE_NORMAL = 0,
  DV_STYLE_SMALL = 1,
  DV_STYLE_TITLE = 2,
  /* With one of the above:  */
  DV_STYLE_UPRIGHT = 4,  /* turned to read upwards */
  DV_STYLE_MIDDLE = 8    /* cut in the middle */
};

/* svg: where to gather, or NULL.  The context must outlive the text.  */
void dv_text_init (struct dv_text *text, cairo_t *cr, GString *svg);
void dv_text_fini (struct dv_text *text);

/* One line; (x, y) is at the fraction `align` of its length (0 its start, 1
   its end) and in the middle of its height.  Cut at `room` pixels, if that
   is not 0; an ellipsis stands for the rest, at the end unless the style says
   otherwise.  */
void dv_text_draw (struct dv_text *text, double x, double y, double align,
                   double room, enum dv_style style,
                   const struct dv_rgb *colour, const char *string);
double dv_text_width (struct dv_text *text, enum dv_style style,
                      const char *string);

#endif /* DV_TEXT_H */

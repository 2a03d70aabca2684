/* text.c: drawing text, or gathering it for SVG.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "text.h"

#include <math.h>

#include <pango/pangocairo.h>

#include "format.h"

/* Characters of a text.  More than fit into any picture; laying out a text
   takes time, and a log can have labels of many kilobytes.  */
#define MOST 2000

static double
style_size (enum dv_style style)
{
  return style & DV_STYLE_TITLE ? 14 : style & DV_STYLE_SMALL ? 10 : 11;
}

void
dv_text_init (struct dv_text *text, cairo_t *cr, GString *svg)
{
  text->cr = cr;
  text->layout = pango_cairo_create_layout (cr);
  /* As a screen is set up would be no twin of what a file gets.  */
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_ON);
  pango_cairo_context_set_font_options (
    pango_layout_get_context (text->layout), options);
  cairo_font_options_destroy (options);
  text->svg = svg;
}

void
dv_text_fini (struct dv_text *text)
{
  g_object_unref (text->layout);
}

static void
set_string (struct dv_text *text, enum dv_style style, double room,
            const char *string)
{
  PangoFontDescription *font = pango_font_description_new ();
  pango_font_description_set_family (font, "sans-serif");
  pango_font_description_set_absolute_size (font, style_size (style)
                                                  * PANGO_SCALE);
  if (style & DV_STYLE_TITLE)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (text->layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (text->layout, TRUE);
  pango_layout_set_ellipsize (text->layout,
                              room <= 0 ? PANGO_ELLIPSIZE_NONE
                              : style & DV_STYLE_MIDDLE
                                ? PANGO_ELLIPSIZE_MIDDLE
                                : PANGO_ELLIPSIZE_END);
  pango_layout_set_width (text->layout,
                          room > 0 ? (int) (room * PANGO_SCALE) : -1);
  char *label = dv_format_label (string, MOST);
  pango_layout_set_text (text->layout, label, -1);
  g_free (label);
}

double
dv_text_width (struct dv_text *text, enum dv_style style, const char *string)
{
  int width, height;
  set_string (text, style, 0, string);
  pango_layout_get_size (text->layout, &width, &height);
  return (double) width / PANGO_SCALE;
}

/* At most so many characters of a label.  */
static char *
shorten (const char *label, size_t most, enum dv_style style)
{
  if (!(style & DV_STYLE_MIDDLE))
    return dv_format_label (label, most);
  size_t n = (size_t) g_utf8_strlen (label, -1);
  if (n <= most)
    return g_strdup (label);
  /* The ellipsis is one of them.  */
  size_t head = most / 2, tail = most - head - (most > head);
  const char *first = g_utf8_offset_to_pointer (label, (glong) head);
  const char *last = g_utf8_offset_to_pointer (label, (glong) (n - tail));
  return g_strdup_printf ("%.*s…%s", (int) (first - label), label, last);
}

/* As many characters as fit.  */
static char *
cut (struct dv_text *text, enum dv_style style, double room,
     const char *string)
{
  char *label = dv_format_label (string, MOST);
  if (room <= 0 || dv_text_width (text, style, label) <= room)
    return label;
  /* The most that fit, and the fewest that do not.  */
  size_t fit = 1, more = (size_t) g_utf8_strlen (label, -1);
  while (fit + 1 < more) {
    size_t middle = fit + (more - fit) / 2;
    char *shorter = shorten (label, middle, style);
    if (dv_text_width (text, style, shorter) <= room)
      fit = middle;
    else
      more = middle;
    g_free (shorter);
  }
  char *shorter = shorten (label, fit, style);
  g_free (label);
  return shorter;
}

static void
gather (struct dv_text *text, double x, double y, double align, double room,
        enum dv_style style, const struct dv_rgb *colour, const char *string)
{
  static const char *const anchors[] = { "start", "middle", "end" };
  char number[4][G_ASCII_DTOSTR_BUF_SIZE];
  double size = style_size (style);
  char *shorter = cut (text, style, room, string);
  char *escaped = g_markup_escape_text (shorter, -1);
  g_ascii_formatd (number[0], sizeof number[0], "%.1f", x);
  g_ascii_formatd (number[1], sizeof number[1], "%.1f", y);
  g_ascii_formatd (number[2], sizeof number[2], "%g", size);
  g_ascii_formatd (number[3], sizeof number[3], "%.1f", size * 0.36);
  g_string_append_printf (
    text->svg,
    "<text transform=\"translate(%s %s)%s\" y=\"%s\" text-anchor=\"%s\" "
    "font-family=\"sans-serif\" font-size=\"%s\"%s "
    "fill=\"#%02x%02x%02x\">%s</text>\n",
    number[0], number[1], style & DV_STYLE_UPRIGHT ? " rotate(-90)" : "",
    number[3], anchors[align < 0.25 ? 0 : align > 0.75 ? 2 : 1], number[2],
    style & DV_STYLE_TITLE ? " font-weight=\"bold\"" : "",
    (unsigned) lround (colour->r * 255), (unsigned) lround (colour->g * 255),
    (unsigned) lround (colour->b * 255), escaped);
  g_free (escaped);
  g_free (shorter);
}

void
dv_text_draw (struct dv_text *text, double x, double y, double align,
              double room, enum dv_style style, const struct dv_rgb *colour,
              const char *string)
{
  if (text->svg != NULL) {
    gather (text, x, y, align, room, style, colour, string);
    return;
  }
  set_string (text, style, room, string);
  PangoRectangle ink, box;
  pango_layout_get_extents (text->layout, &ink, &box);
  double width = (double) box.width / PANGO_SCALE;
  double height = (double) box.height / PANGO_SCALE;
  cairo_save (text->cr);
  cairo_set_source_rgb (text->cr, colour->r, colour->g, colour->b);
  cairo_translate (text->cr, x, y);
  if (style & DV_STYLE_UPRIGHT)
    cairo_rotate (text->cr, -G_PI / 2);
  /* On whole pixels, where letters are sharp.  */
  double left = -width * align - (double) box.x / PANGO_SCALE;
  double top = -height / 2;
  if (style & DV_STYLE_UPRIGHT)
    cairo_move_to (text->cr, y - round (y - left), round (x + top) - x);
  else
    cairo_move_to (text->cr, round (x + left) - x, round (y + top) - y);
  pango_cairo_show_layout (text->cr, text->layout);
  cairo_restore (text->cr);
}

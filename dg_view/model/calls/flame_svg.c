/* flame_svg.c: writing a flame graph as SVG.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flame_svg.h"

#include <libdatagrind.h>

#include "calls_text.h"

#define ROW     18           /* pixels */
#define HEAD    36           /* above the rows */
#define MARGIN  8
#define LETTER  6.7          /* of the font below */
#define FONT    "font-family=\"monospace\" font-size=\"11\""

/* Numbers as SVG has them, whatever the locale.  */
static void
add_number (GString *svg, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (text, sizeof text, "%.2f", value);
  g_string_append_printf (svg, " %s=\"%s\"", name, text);
}

static void
add_colour (GString *svg, const struct dv_rgb *colour)
{
  g_string_append_printf (svg, " fill=\"#%02x%02x%02x\"",
                          (unsigned) (colour->r * 255 + 0.5),
                          (unsigned) (colour->g * 255 + 0.5),
                          (unsigned) (colour->b * 255 + 0.5));
}

/* Controls, which names of functions could have, are not allowed even
   escaped.  */
static void
add_text (GString *svg, const char *text)
{
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar u = g_utf8_get_char (c);
    char letter[7] = { 0 };
    g_unichar_to_utf8 (u < 0x20 || u == 0xfffe || u == 0xffff ? '?' : u,
                       letter);
    char *escaped = g_markup_escape_text (letter, -1);
    g_string_append (svg, escaped);
    g_free (escaped);
  }
}

static void
add_label (GString *svg, const char *label, const struct dv_flame_box *box,
           double y, const struct dv_rgb *ink)
{
  glong room = (glong) ((box->x1 - box->x0 - 6) / LETTER);
  if (room < 3)
    return;
  g_string_append (svg, "<text");
  add_number (svg, "x", MARGIN + box->x0 + 3);
  add_number (svg, "y", y + ROW - 5);
  add_colour (svg, ink);
  g_string_append_c (svg, '>');
  if (g_utf8_strlen (label, -1) > room) {
    char *start = g_utf8_substring (label, 0, room - 1);
    add_text (svg, start);
    g_string_append (svg, "…");
    g_free (start);
  } else {
    add_text (svg, label);
  }
  g_string_append (svg, "</text>");
}

static void
add_frame (GString *svg, const struct dv_flame_layout *layout,
           const struct dv_flame_box *box, double y)
{
  const struct dv_calltree *tree = layout->tree;
  const char *label = dv_calltree_label (tree, box->node);
  struct dv_rgb colour = dv_flame_colour (tree, box->node, false);
  struct dv_rgb ink = dv_flame_ink (&colour);
  uint64_t n = dv_call_node_all (&tree->nodes[box->node], layout->weight);
  char number[40], share[20];
  dg_number_text (number, sizeof number, n);
  dv_calls_share (share, sizeof share, n,
                  dv_call_node_all (&tree->nodes[0], layout->weight));
  g_string_append (svg, "<g><title>");
  add_text (svg, label);
  g_string_append_printf (svg, ": %s", number);
  if (*share != '\0') {
    g_string_append (svg, " (");
    add_text (svg, share);
    g_string_append_c (svg, ')');
  }
  g_string_append (svg, "</title><rect");
  add_number (svg, "x", MARGIN + box->x0);
  add_number (svg, "y", y);
  add_number (svg, "width", MAX (box->x1 - box->x0 - 0.5, 0.5));
  add_number (svg, "height", ROW - 1);
  add_colour (svg, &colour);
  g_string_append (svg, " rx=\"1\"/>");
  add_label (svg, label, box, y, &ink);
  g_string_append (svg, "</g>\n");
}

char *
dv_flame_svg (const struct dv_flame_layout *layout, const char *title,
              bool root_below)
{
  guint rows = dv_flame_layout_rows (layout);
  double width = layout->width + 2 * MARGIN;
  double height = HEAD + rows * (double) ROW + MARGIN;
  GString *svg = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  add_number (svg, "width", width);
  add_number (svg, "height", height);
  g_string_append (svg, " " FONT ">\n<rect width=\"100%\" height=\"100%\" "
                        "fill=\"#ffffff\"/>\n<text x=\"8\" y=\"22\" "
                        "font-family=\"sans-serif\" font-size=\"15\" "
                        "fill=\"#202020\">");
  add_text (svg, title);
  g_string_append (svg, "</text>\n");
  for (guint row = 0; row < rows; row++) {
    guint first, end;
    double y = HEAD + ROW * (double) (root_below ? rows - 1 - row : row);
    dv_flame_layout_row (layout, row, &first, &end);
    for (guint i = first; i < end; i++)
      add_frame (svg, layout, dv_flame_layout_box (layout, i), y);
  }
  g_string_append (svg, "</svg>\n");
  return g_string_free (svg, FALSE);
}

/* source_gutter.c: counts of accesses beside a source's lines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "source_gutter.h"

#include <libdatagrind.h>

#include "model/calls/calls_text.h"
#include "i18n.h"

#define WIDEST  "999.9 M"      /* that a count may be */
#define PADDING 4              /* pixels beside it */

struct source_gutter {
  GtkSourceGutterRenderer parent;
  struct dv_source_lines *lines;
  PangoLayout *text;
};

struct source_gutter_class {
  GtkSourceGutterRendererClass parent;
};

typedef struct source_gutter SourceGutter;
typedef struct source_gutter_class SourceGutterClass;
GType source_gutter_get_type (void);
G_DEFINE_TYPE (SourceGutter, source_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER)

static const struct dv_tally_count *
count_at (GtkSourceGutterRenderer *renderer, GtkTextIter *iter)
{
  return dv_source_lines_find (((struct source_gutter *) renderer)->lines,
                               (uint32_t) gtk_text_iter_get_line (iter) + 1);
}

/* As long as the line's share of the heaviest line.  */
static void
draw_bar (GtkWidget *view, cairo_t *cr, const GdkRectangle *cell,
          double share)
{
  GtkStyleContext *style = gtk_widget_get_style_context (view);
  GdkRGBA colour;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &colour);
  gtk_style_context_lookup_color (style, "theme_selected_bg_color", &colour);
  double width = MAX (share * cell->width, 2);
  cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue,
                         0.35 + 0.35 * share);
  cairo_rectangle (cr, cell->x + cell->width - width, cell->y + 1, width,
                   cell->height - 2);
  cairo_fill (cr);
}

static void
source_gutter_draw (GtkSourceGutterRenderer *renderer, cairo_t *cr,
                    GdkRectangle *background, GdkRectangle *cell,
                    GtkTextIter *start, GtkTextIter *end,
                    GtkSourceGutterRendererState state)
{
  struct source_gutter *gutter = (struct source_gutter *) renderer;
  GTK_SOURCE_GUTTER_RENDERER_CLASS (source_gutter_parent_class)
    ->draw (renderer, cr, background, cell, start, end, state);
  const struct dv_tally_count *count = count_at (renderer, start);
  if (count == NULL)
    return;
  GtkWidget *view = GTK_WIDGET (gtk_source_gutter_renderer_get_view (
    renderer));
  GtkStyleContext *style = gtk_widget_get_style_context (view);
  uint64_t n = dv_tally_count_accesses (count);
  char number[40];
  int width, height;
  dg_number_text_about (number, sizeof number, n);
  draw_bar (view, cr, cell, dv_calls_fraction (n, gutter->lines->most));
  if (gutter->text == NULL)
    gutter->text = gtk_widget_create_pango_layout (view, NULL);
  pango_layout_set_text (gutter->text, number, -1);
  pango_layout_get_pixel_size (gutter->text, &width, &height);
  /* The scheme's colour for line numbers is too faint for these.  */
  GdkRGBA ink;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &ink);
  gtk_style_context_lookup_color (style, "theme_text_color", &ink);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_move_to (cr, cell->x + cell->width - width - PADDING,
                 cell->y + (cell->height - height) / 2);
  pango_cairo_show_layout (cr, gutter->text);
}

static gboolean
source_gutter_query_tooltip (GtkSourceGutterRenderer *renderer,
                             GtkTextIter *iter, GdkRectangle *area, gint x,
                             gint y, GtkTooltip *tooltip)
{
  struct source_gutter *gutter = (struct source_gutter *) renderer;
  const struct dv_tally_count *count = count_at (renderer, iter);
  char reads[40], writes[40], share[20];
  if (count == NULL)
    return FALSE;
  dg_number_text (reads, sizeof reads, count->reads);
  dg_number_text (writes, sizeof writes, count->writes);
  dv_calls_share (share, sizeof share, dv_tally_count_accesses (count),
                  gutter->lines->all);
  /* Translators: numbers of a source line, and a share such as 43.2 %.  */
  char *text = g_strdup_printf (_ ("%s reads, %s writes\n%s of the accesses "
                                   "in view"),
                                reads, writes, share);
  gtk_tooltip_set_text (tooltip, text);
  g_free (text);
  return TRUE;
}

static void
source_gutter_finalize (GObject *object)
{
  struct source_gutter *gutter = (struct source_gutter *) object;
  dv_source_lines_free (gutter->lines);
  g_clear_object (&gutter->text);
  G_OBJECT_CLASS (source_gutter_parent_class)->finalize (object);
}

static void
source_gutter_class_init (SourceGutterClass *class)
{
  GtkSourceGutterRendererClass *renderer
    = GTK_SOURCE_GUTTER_RENDERER_CLASS (class);
  G_OBJECT_CLASS (class)->finalize = source_gutter_finalize;
  renderer->draw = source_gutter_draw;
  renderer->query_tooltip = source_gutter_query_tooltip;
}

static void
source_gutter_init (SourceGutter *gutter)
{
}

GtkSourceGutterRenderer *
dv_source_gutter_new (GtkSourceView *view)
{
  GtkSourceGutterRenderer *renderer = g_object_new (
    source_gutter_get_type (), NULL);
  GtkSourceGutter *gutter = gtk_source_view_get_gutter (
    view, GTK_TEXT_WINDOW_LEFT);
  gtk_source_gutter_insert (gutter, renderer, 0);
  gtk_source_gutter_renderer_set_visible (renderer, FALSE);
  return renderer;
}

void
dv_source_gutter_set (GtkSourceGutterRenderer *renderer,
                      struct dv_source_lines *lines)
{
  struct source_gutter *gutter = (struct source_gutter *) renderer;
  dv_source_lines_free (gutter->lines);
  gutter->lines = lines;
  /* The font may be another by now.  */
  g_clear_object (&gutter->text);
  if (lines != NULL) {
    GtkWidget *view = GTK_WIDGET (gtk_source_gutter_renderer_get_view (
      renderer));
    PangoLayout *text = gtk_widget_create_pango_layout (view, WIDEST);
    int width;
    pango_layout_get_pixel_size (text, &width, NULL);
    gtk_source_gutter_renderer_set_size (renderer, width + 2 * PADDING);
    g_object_unref (text);
  }
  gtk_source_gutter_renderer_set_visible (renderer, lines != NULL
                                                    && lines->lines->len > 0);
  gtk_source_gutter_renderer_queue_draw (renderer);
}

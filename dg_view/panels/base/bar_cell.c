/* bar_cell.c: text over a bar.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bar_cell.h"

#include <stdbool.h>

#define MARGIN 2.5           /* pixels above and below the bar */

struct bar_cell {
  GtkCellRendererText parent;
  double share;
};

struct bar_cell_class {
  GtkCellRendererTextClass parent;
};

typedef struct bar_cell BarCell;
typedef struct bar_cell_class BarCellClass;
GType bar_cell_get_type (void);
G_DEFINE_TYPE (BarCell, bar_cell, GTK_TYPE_CELL_RENDERER_TEXT)

void
dv_bar_cell_set (GtkCellRenderer *cell, double share)
{
  ((struct bar_cell *) cell)->share = share;
}

/* The theme's colour for what is selected, and on rows that are selected that
   of their text.  */
static void
set_colour (GtkWidget *widget, cairo_t *cr, GtkCellRendererState flags)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA colour;
  bool is_selected = (flags & GTK_CELL_RENDERER_SELECTED) != 0;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &colour);
  gtk_style_context_lookup_color (style,
                                  is_selected ? "theme_selected_fg_color"
                                              : "theme_selected_bg_color",
                                  &colour);
  cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue,
                         is_selected ? 0.3 : 0.45);
}

static void
bar_cell_render (GtkCellRenderer *renderer, cairo_t *cr, GtkWidget *widget,
                 const GdkRectangle *background, const GdkRectangle *area,
                 GtkCellRendererState flags)
{
  struct bar_cell *cell = (struct bar_cell *) renderer;
  double share = CLAMP (cell->share, 0, 1);
  if (share > 0) {
    double width = MAX (area->width * share, 1);
    bool mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    cairo_save (cr);
    set_colour (widget, cr, flags);
    cairo_rectangle (cr, area->x + (mirrored ? area->width - width : 0),
                     area->y + MARGIN, width, area->height - 2 * MARGIN);
    cairo_fill (cr);
    cairo_restore (cr);
  }
  GTK_CELL_RENDERER_CLASS (bar_cell_parent_class)
    ->render (renderer, cr, widget, background, area, flags);
}

static void
bar_cell_class_init (BarCellClass *class)
{
  GTK_CELL_RENDERER_CLASS (class)->render = bar_cell_render;
}

static void
bar_cell_init (BarCell *cell)
{
  g_object_set (cell, "xalign", 1.0, "xpad", 6, NULL);
}

GtkCellRenderer *
dv_bar_cell_new (void)
{
  return g_object_new (bar_cell_get_type (), NULL);
}

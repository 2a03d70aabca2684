/* tree_cell.c: names in a tree.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tree_cell.h"

#define ARROW       16         /* pixels that it may use */
#define STEP        14         /* of each of the first levels */
#define STEPS       8          /* levels that are as wide as that */
#define SMALL_STEP  3          /* of each further level */

struct tree_cell {
  GtkCellRendererText parent;
  int depth;
  bool has_children;
};

struct tree_cell_class {
  GtkCellRendererTextClass parent;
};

typedef struct tree_cell TreeCell;
typedef struct tree_cell_class TreeCellClass;
GType tree_cell_get_type (void);
G_DEFINE_TYPE (TreeCell, tree_cell, GTK_TYPE_CELL_RENDERER_TEXT)

int
dv_tree_cell_margin (int depth)
{
  return ARROW + STEP * MIN (depth, STEPS)
         + SMALL_STEP * MAX (depth - STEPS, 0);
}

void
dv_tree_cell_set (GtkCellRenderer *renderer, int depth, bool has_children)
{
  struct tree_cell *cell = (struct tree_cell *) renderer;
  cell->depth = depth;
  cell->has_children = has_children;
}

static void
draw_arrow (GtkCellRenderer *renderer, cairo_t *cr, GtkWidget *widget,
            const GdkRectangle *area, double x, bool is_mirrored)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  gboolean is_expanded;
  g_object_get (renderer, "is-expanded", &is_expanded, NULL);
  double size = MIN (ARROW - 4, area->height);
  double angle = is_expanded ? G_PI : is_mirrored ? 1.5 * G_PI : 0.5 * G_PI;
  gtk_render_arrow (style, cr, angle, x + (ARROW - size) / 2,
                    area->y + (area->height - size) / 2, size);
}

static void
tree_cell_render (GtkCellRenderer *renderer, cairo_t *cr, GtkWidget *widget,
                  const GdkRectangle *background, const GdkRectangle *area,
                  GtkCellRendererState flags)
{
  struct tree_cell *cell = (struct tree_cell *) renderer;
  bool is_mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int margin = MIN (dv_tree_cell_margin (cell->depth), area->width);
  GdkRectangle text = *area;
  text.width -= margin;
  if (!is_mirrored)
    text.x += margin;
  if (cell->has_children)
    draw_arrow (renderer, cr, widget, area,
                is_mirrored ? text.x + text.width : text.x - ARROW,
                is_mirrored);
  GTK_CELL_RENDERER_CLASS (tree_cell_parent_class)
    ->render (renderer, cr, widget, background, &text, flags);
}

static void
tree_cell_get_preferred_width (GtkCellRenderer *renderer, GtkWidget *widget,
                               gint *minimum, gint *natural)
{
  struct tree_cell *cell = (struct tree_cell *) renderer;
  int margin = dv_tree_cell_margin (cell->depth);
  GTK_CELL_RENDERER_CLASS (tree_cell_parent_class)
    ->get_preferred_width (renderer, widget, minimum, natural);
  if (minimum != NULL)
    *minimum += margin;
  if (natural != NULL)
    *natural += margin;
}

static void
tree_cell_class_init (TreeCellClass *class)
{
  GtkCellRendererClass *renderer = GTK_CELL_RENDERER_CLASS (class);
  renderer->render = tree_cell_render;
  renderer->get_preferred_width = tree_cell_get_preferred_width;
}

static void
tree_cell_init (TreeCell *cell)
{
}

GtkCellRenderer *
dv_tree_cell_new (void)
{
  return g_object_new (tree_cell_get_type (), NULL);
}

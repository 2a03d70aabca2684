/* tree_cell.c: names in a tree.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tree_cell.h"

#define ARROW       16         /* pixels that it may use */
#define STEP        14         /* of each of the first levels */
#define STEPS       8          /* levels that are as wide as that */
#define SMALL_STEP  3          /* of each further level */

enum { PROPERTY_DEPTH = 1, PROPERTY_HAS_CHILDREN };

struct tree_cell {
  GtkCellRendererText parent;
  int depth;
  gboolean has_children;
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

static void
tree_cell_set_property (GObject *object, guint id, const GValue *value,
                        GParamSpec *spec)
{
  struct tree_cell *cell = (struct tree_cell *) object;
  if (id == PROPERTY_DEPTH)
    cell->depth = g_value_get_int (value);
  else if (id == PROPERTY_HAS_CHILDREN)
    cell->has_children = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
tree_cell_get_property (GObject *object, guint id, GValue *value,
                        GParamSpec *spec)
{
  struct tree_cell *cell = (struct tree_cell *) object;
  if (id == PROPERTY_DEPTH)
    g_value_set_int (value, cell->depth);
  else if (id == PROPERTY_HAS_CHILDREN)
    g_value_set_boolean (value, cell->has_children);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
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
  GObjectClass *object = G_OBJECT_CLASS (class);
  GtkCellRendererClass *renderer = GTK_CELL_RENDERER_CLASS (class);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  object->set_property = tree_cell_set_property;
  object->get_property = tree_cell_get_property;
  renderer->render = tree_cell_render;
  renderer->get_preferred_width = tree_cell_get_preferred_width;
  g_object_class_install_property (
    object, PROPERTY_DEPTH,
    g_param_spec_int ("depth", NULL, NULL, 0, G_MAXINT, 0, flags));
  g_object_class_install_property (
    object, PROPERTY_HAS_CHILDREN,
    g_param_spec_boolean ("has-children", NULL, NULL, FALSE, flags));
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

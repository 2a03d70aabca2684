/* flame_view.c: a flame graph that can be walked through.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flame_view.h"

#include <gdk/gdkkeysyms.h>

#include "model/calls/calls_text.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define SPACE 4                /* pixels of a row around its text */
#define SCALE 0.9              /* of the text, so that more rows are seen */

/* ---- Layout ------------------------------------------------------------ */

static struct dv_flame_layout *
layout_of (struct dv_flame_view *view)
{
  int width = gtk_widget_get_allocated_width (view->area);
  if (view->layout != NULL && view->layout->width != MAX (width, 1)) {
    g_clear_pointer (&view->layout, dv_flame_layout_free);
  }
  if (view->layout == NULL && view->tree != NULL)
    view->layout = dv_flame_layout_new (view->tree, view->zoom, view->weight,
                                        width, 1);
  return view->layout;
}

/* As high as it must be.  */
static void
set_height (struct dv_flame_view *view)
{
  struct dv_flame_layout *layout = layout_of (view);
  int rows = layout != NULL ? (int) dv_flame_layout_rows (layout) : 0;
  gtk_widget_set_size_request (view->area, -1,
                               rows * view->look.row_height);
  gtk_widget_queue_draw (view->area);
}

static void
lay_out_again (struct dv_flame_view *view)
{
  g_clear_pointer (&view->layout, dv_flame_layout_free);
  set_height (view);
}

static void
set_font (struct dv_flame_view *view)
{
  GtkStyleContext *style = gtk_widget_get_style_context (view->area);
  GdkRGBA ink;
  int height;
  gtk_style_context_get_color (style, gtk_style_context_get_state (style),
                               &ink);
  view->look.is_dark = 0.3 * ink.red + 0.6 * ink.green + 0.1 * ink.blue > 0.5;
  view->look.accent = ink;
  gtk_style_context_lookup_color (style, "theme_selected_bg_color",
                                  &view->look.accent);
  g_clear_object (&view->look.text);
  view->look.text = gtk_widget_create_pango_layout (view->area, "Ag");
  PangoAttrList *attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (SCALE));
  pango_layout_set_attributes (view->look.text, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (view->look.text, NULL, &height);
  view->look.row_height = height + SPACE;
}

static void
style_updated (GtkWidget *area, gpointer data)
{
  set_font (data);
  set_height (data);
}

static gboolean
width_changed (gpointer data)
{
  struct dv_flame_view *view = data;
  view->width_source = 0;
  set_height (view);
  return G_SOURCE_REMOVE;
}

/* Another width may have room for other rows, but a widget cannot ask for
   another height while it is given a size.  */
static void
size_allocated (GtkWidget *area, GdkRectangle *size, gpointer data)
{
  struct dv_flame_view *view = data;
  if (view->layout != NULL && view->layout->width != MAX (size->width, 1)
      && view->width_source == 0)
    view->width_source = g_idle_add (width_changed, view);
}

static gboolean
draw (GtkWidget *area, cairo_t *cr, gpointer data)
{
  struct dv_flame_view *view = data;
  struct dv_flame_layout *layout = layout_of (view);
  if (layout == NULL)
    return FALSE;
  view->look.matches = view->matches;
  dv_flame_draw (cr, layout, &view->look);
  dv_pieces_draw_focus (area, cr);
  return FALSE;
}

/* ---- Zooming and selecting --------------------------------------------- */

/* For those who cannot see it.  */
static void
describe (struct dv_flame_view *view)
{
  uint32_t node = view->look.selected;
  if (view->tree == NULL || node == DV_CALL_NONE) {
    dv_pieces_describe (view->area, _ ("No frame is selected"));
    return;
  }
  if (view->look.changes != NULL) {
    char *change = dv_call_change_text (&view->look.changes[node]);
    char *both = g_strdup_printf (
      "%s, %s", dv_calltree_label (view->tree, node), change);
    dv_pieces_describe (view->area, both);
    g_free (both);
    g_free (change);
    return;
  }
  char share[20];
  dv_calls_share (share, sizeof share,
                  dv_call_node_all (&view->tree->nodes[node], view->weight),
                  dv_call_node_all (&view->tree->nodes[0], view->weight));
  /* Translators: a function's name, and its share such as 43.2 %.  */
  char *text = g_strdup_printf (_ ("%s, %s of everything in view"),
                                dv_calltree_label (view->tree, node), share);
  dv_pieces_describe (view->area, text);
  g_free (text);
}

/* Scrolls the selected frame into view.  */
static void
scroll_to (struct dv_flame_view *view, uint32_t node)
{
  struct dv_flame_layout *layout = layout_of (view);
  guint row;
  if (layout == NULL
      || dv_flame_layout_find (layout, node, &row) == DV_FLAME_NONE)
    return;
  double y = dv_flame_row_y (layout, &view->look, row);
  gtk_adjustment_clamp_page (
    gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (view->scrolled)), y, y + view->look.row_height);
}

void
dv_flame_view_select (struct dv_flame_view *view, uint32_t node)
{
  view->look.selected = node;
  describe (view);
  if (node != DV_CALL_NONE)
    scroll_to (view, node);
  gtk_widget_queue_draw (view->area);
  view->changed (view->user);
}

void
dv_flame_view_zoom (struct dv_flame_view *view, uint32_t node)
{
  view->zoom = node;
  lay_out_again (view);
  dv_flame_view_select (view, node);
}

/* ---- Other trees ------------------------------------------------------- */

/* The node of `tree` with the path that `node` has in `old`.  */
static uint32_t
same_node (const struct dv_calltree *tree, const struct dv_calltree *old,
           uint32_t node)
{
  uint32_t parent = old->nodes[node].parent;
  if (parent == DV_CALL_NONE)
    return 0;
  uint32_t above = same_node (tree, old, parent);
  if (above == DV_CALL_NONE)
    return DV_CALL_NONE;
  uint64_t key = dv_calltree_function (old, old->nodes[node].function)->key;
  for (uint32_t child = dv_calltree_child (tree, above);
       child != DV_CALL_NONE; child = dv_calltree_next (tree, child))
    if (dv_calltree_function (tree, tree->nodes[child].function)->key == key)
      return child;
  return DV_CALL_NONE;
}

void
dv_flame_view_set_tree (struct dv_flame_view *view, struct dv_calltree *tree)
{
  struct dv_calltree *old = view->tree;
  uint32_t zoom = 0, selected = DV_CALL_NONE;
  if (old != NULL && tree != NULL) {
    zoom = same_node (tree, old, view->zoom);
    if (view->look.selected != DV_CALL_NONE)
      selected = same_node (tree, old, view->look.selected);
  }
  view->tree = tree != NULL ? dv_calltree_ref (tree) : NULL;
  view->zoom = zoom != DV_CALL_NONE ? zoom : 0;
  view->look.selected = selected;
  view->look.hover = DV_CALL_NONE;
  g_clear_pointer (&view->matches, g_free);
  dv_calltree_unref (old);
  lay_out_again (view);
  describe (view);
}

void
dv_flame_view_set_weight (struct dv_flame_view *view,
                          enum dv_call_weight weight)
{
  view->weight = weight;
  lay_out_again (view);
  describe (view);
}

void
dv_flame_view_set_root_below (struct dv_flame_view *view, bool root_below)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (view->scrolled));
  view->look.root_below = root_below;
  gtk_widget_set_valign (view->area, root_below ? GTK_ALIGN_END
                                                : GTK_ALIGN_START);
  gtk_adjustment_set_value (adjustment,
                            root_below ? gtk_adjustment_get_upper (adjustment)
                                       : 0);
  gtk_widget_queue_draw (view->area);
}

void
dv_flame_view_search (struct dv_flame_view *view, const char *text)
{
  uint32_t n;
  g_clear_pointer (&view->matches, g_free);
  if (view->tree != NULL && *text != '\0')
    view->matches = dv_calltree_match (view->tree, text, &n);
  gtk_widget_queue_draw (view->area);
}

/* ---- Pointer ----------------------------------------------------------- */

static uint32_t
node_at (struct dv_flame_view *view, double x, double y)
{
  struct dv_flame_layout *layout = layout_of (view);
  if (layout == NULL)
    return DV_CALL_NONE;
  guint box = dv_flame_layout_at (
    layout, dv_flame_row_at (layout, &view->look, y), x);
  return box != DV_FLAME_NONE ? dv_flame_layout_box (layout, box)->node
                              : DV_CALL_NONE;
}

static void
set_hover (struct dv_flame_view *view, uint32_t node)
{
  if (node == view->look.hover)
    return;
  view->look.hover = node;
  gtk_widget_queue_draw (view->area);
  gtk_widget_trigger_tooltip_query (view->area);
}

static gboolean
pointer_moved (GtkWidget *area, GdkEventMotion *event, gpointer data)
{
  struct dv_flame_view *view = data;
  set_hover (view, node_at (view, event->x, event->y));
  return FALSE;
}

static gboolean
pointer_left (GtkWidget *area, GdkEventCrossing *event, gpointer data)
{
  set_hover (data, DV_CALL_NONE);
  return FALSE;
}

static gboolean
button_pressed (GtkWidget *area, GdkEventButton *event, gpointer data)
{
  struct dv_flame_view *view = data;
  uint32_t node = node_at (view, event->x, event->y);
  gtk_widget_grab_focus (area);
  if (gdk_event_triggers_context_menu ((GdkEvent *) event)) {
    if (node != DV_CALL_NONE)
      dv_flame_view_select (view, node);
    view->menu (view->user, (GdkEvent *) event, NULL);
    return TRUE;
  }
  if (event->button != GDK_BUTTON_PRIMARY || event->type != GDK_BUTTON_PRESS)
    return FALSE;
  if (node != DV_CALL_NONE)
    dv_flame_view_zoom (view, node);
  else
    dv_flame_view_select (view, DV_CALL_NONE);
  return TRUE;
}

static gboolean
query_tooltip (GtkWidget *area, int x, int y, gboolean by_key,
               GtkTooltip *tooltip, gpointer data)
{
  struct dv_flame_view *view = data;
  uint32_t node = by_key ? view->look.selected : node_at (view, x, y);
  if (view->tree == NULL || node == DV_CALL_NONE)
    return FALSE;
  if (view->look.changes != NULL) {
    char *change = dv_call_change_text (&view->look.changes[node]);
    char *both = g_markup_printf_escaped (
      "<b>%s</b>\n%s", dv_calltree_label (view->tree, node), change);
    gtk_tooltip_set_markup (tooltip, both);
    g_free (both);
    g_free (change);
    return TRUE;
  }
  const struct dv_call_node *n = &view->tree->nodes[node];
  struct dv_calls_subject subject = { view->tree, n->function, n->line,
                                      n->file, &n->self, &n->all };
  char *text = dv_call_weighs_time (view->weight)
                 ? dv_calls_time_tip (view->tree, node)
               : dv_call_weighs_heap (view->weight)
                 ? dv_calls_heap_tip (view->tree, node)
                 : dv_calls_tip (&subject);
  gtk_tooltip_set_markup (tooltip, text);
  g_free (text);
  return TRUE;
}

/* ---- Keys -------------------------------------------------------------- */

static void
step (struct dv_flame_view *view, enum dv_flame_step direction)
{
  uint32_t node = view->look.selected;
  if (node == DV_CALL_NONE)
    dv_flame_view_select (view, view->zoom);
  else
    dv_flame_view_select (view, dv_flame_layout_step (layout_of (view), node,
                                                      direction));
}

/* Out of the zoomed frame: to its caller, or to everything; when there is
   nothing to leave, what is selected is given up.  */
static void
leave (struct dv_flame_view *view, bool all)
{
  if (view->zoom != 0)
    dv_flame_view_zoom (view,
                        all ? 0 : view->tree->nodes[view->zoom].parent);
  else
    dv_flame_view_select (view, DV_CALL_NONE);
}

static gboolean
key_pressed (GtkWidget *area, GdkEventKey *event, gpointer data)
{
  struct dv_flame_view *view = data;
  bool below = view->look.root_below;
  if (view->tree == NULL
      || (event->state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  switch (event->keyval) {
  case GDK_KEY_Left:
    step (view, DV_FLAME_PREVIOUS);
    return TRUE;
  case GDK_KEY_Right:
    step (view, DV_FLAME_NEXT);
    return TRUE;
  case GDK_KEY_Up:
    step (view, below ? DV_FLAME_CALLEE : DV_FLAME_CALLER);
    return TRUE;
  case GDK_KEY_Down:
    step (view, below ? DV_FLAME_CALLER : DV_FLAME_CALLEE);
    return TRUE;
  case GDK_KEY_Home:
    dv_flame_view_select (view, 0);
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_space:
    if (view->look.selected != DV_CALL_NONE)
      dv_flame_view_zoom (view, view->look.selected);
    return TRUE;
  case GDK_KEY_BackSpace:
    leave (view, false);
    return TRUE;
  case GDK_KEY_Escape:
    leave (view, true);
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
popup_menu (GtkWidget *area, gpointer data)
{
  struct dv_flame_view *view = data;
  GdkRectangle place = { 0, 0, 1, 1 };
  struct dv_flame_layout *layout = layout_of (view);
  guint row, box = layout == NULL || view->look.selected == DV_CALL_NONE
    ? DV_FLAME_NONE
    : dv_flame_layout_find (layout, view->look.selected, &row);
  if (box != DV_FLAME_NONE) {
    place.x = (int) dv_flame_layout_box (layout, box)->x0;
    place.y = (int) dv_flame_row_y (layout, &view->look, row);
    place.height = view->look.row_height;
  }
  view->menu (view->user, NULL, &place);
  return TRUE;
}

/* ---- Making ------------------------------------------------------------ */

void
dv_flame_view_init (struct dv_flame_view *view)
{
  GtkWidget *area = gtk_drawing_area_new ();
  view->area = area;
  view->scrolled = dv_pieces_scrolled_down_new (area);
  gtk_widget_set_can_focus (area, TRUE);
  gtk_widget_set_has_tooltip (area, TRUE);
  gtk_widget_set_valign (area, GTK_ALIGN_START);
  gtk_widget_add_events (area, GDK_BUTTON_PRESS_MASK | GDK_POINTER_MOTION_MASK
                               | GDK_LEAVE_NOTIFY_MASK | GDK_KEY_PRESS_MASK);
  dv_pieces_name (area, _ ("Flame graph"));
  view->look.hover = view->look.selected = DV_CALL_NONE;
  set_font (view);
  describe (view);
  g_signal_connect (area, "draw", G_CALLBACK (draw), view);
  g_signal_connect (area, "style-updated", G_CALLBACK (style_updated), view);
  g_signal_connect_after (area, "size-allocate", G_CALLBACK (size_allocated),
                          view);
  g_signal_connect (area, "motion-notify-event", G_CALLBACK (pointer_moved),
                    view);
  g_signal_connect (area, "leave-notify-event", G_CALLBACK (pointer_left),
                    view);
  g_signal_connect (area, "button-press-event", G_CALLBACK (button_pressed),
                    view);
  g_signal_connect (area, "query-tooltip", G_CALLBACK (query_tooltip), view);
  g_signal_connect (area, "key-press-event", G_CALLBACK (key_pressed), view);
  g_signal_connect (area, "popup-menu", G_CALLBACK (popup_menu), view);
}

void
dv_flame_view_fini (struct dv_flame_view *view)
{
  g_clear_handle_id (&view->width_source, g_source_remove);
  dv_flame_layout_free (view->layout);
  dv_calltree_unref (view->tree);
  g_clear_object (&view->look.text);
  g_free (view->matches);
}

/* stack_view.c: a call stack as a list, with its menu.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "stack_view.h"

#include "panel_menu.h"
#include "table_pieces.h"
#include "format.h"
#include "i18n.h"
#include "widgets/pieces.h"

enum { COLUMN_FUNCTION, COLUMN_WHERE, COLUMN_TIP, COLUMN_FILE, COLUMN_LINE,
       N_COLUMNS };

struct stack_view {
  const struct dv_panel_host *host;
  GtkWidget *view;
  bool is_filling;          /* the selection is not the user's now */
  char *text;               /* all of it, to be copied */
};

static struct stack_view *
of (GtkWidget *view)
{
  return g_object_get_data (G_OBJECT (view), "stack-view");
}

static void
free_view (gpointer data)
{
  struct stack_view *stack = data;
  g_free (stack->text);
  g_free (stack);
}

/* ---- What is selected ------------------------------------------------ */

/* The source of the selected frame; NULL: none is.  To be freed.  */
static char *
selected_source (const struct stack_view *stack, guint *line)
{
  GtkTreeSelection *selection
    = gtk_tree_view_get_selection (GTK_TREE_VIEW (stack->view));
  GtkTreeModel *model;
  GtkTreeIter iter;
  char *file = NULL;
  if (gtk_tree_selection_get_selected (selection, &model, &iter))
    gtk_tree_model_get (model, &iter, COLUMN_FILE, &file, COLUMN_LINE, line,
                        -1);
  return file;
}

static void
show_selected (struct stack_view *stack)
{
  guint line;
  char *file = selected_source (stack, &line);
  if (file != NULL)
    stack->host->show_source (stack->host->user, file, line);
  g_free (file);
}

static void
edit_selected (struct stack_view *stack)
{
  guint line;
  char *file = selected_source (stack, &line);
  if (file != NULL)
    stack->host->edit_source (stack->host->user, file, line);
  g_free (file);
}

static void
selection_changed (struct stack_view *stack)
{
  if (!stack->is_filling)
    show_selected (stack);
}

/* ---- Menu ------------------------------------------------------------ */

static void
copy_frame_chosen (struct stack_view *stack)
{
  GtkTreeSelection *selection
    = gtk_tree_view_get_selection (GTK_TREE_VIEW (stack->view));
  GtkTreeModel *model;
  GtkTreeIter iter;
  char *function, *where;
  if (!gtk_tree_selection_get_selected (selection, &model, &iter))
    return;
  gtk_tree_model_get (model, &iter, COLUMN_FUNCTION, &function, COLUMN_WHERE,
                      &where, -1);
  char *text = *where != '\0' ? g_strdup_printf ("%s (%s)", function, where)
                              : g_strdup (function);
  dv_panel_menu_copy (stack->view, text);
  g_free (text);
  g_free (function);
  g_free (where);
}

static void
copy_stack_chosen (void *user)
{
  const struct stack_view *stack = user;
  if (stack->text != NULL)
    dv_panel_menu_copy (stack->view, stack->text);
}

static void
popup (void *user, const GdkEvent *event)
{
  struct stack_view *stack = user;
  guint line;
  char *file = selected_source (stack, &line);
  bool has_source = file != NULL && *file != '\0';
  GtkWidget *menu = dv_panel_menu_new (stack->view);
  GdkRectangle place = dv_table_selected_place (GTK_TREE_VIEW (stack->view));
  dv_panel_menu_add (menu, _ ("_Show Source"), has_source,
                     G_CALLBACK (show_selected), stack);
  dv_panel_menu_add (menu, _ ("Open in _Editor"), has_source,
                     G_CALLBACK (edit_selected), stack);
  dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("_Copy Frame"), file != NULL,
                     G_CALLBACK (copy_frame_chosen), stack);
  dv_panel_menu_add (menu, _ ("Copy S_tack"), stack->text != NULL,
                     G_CALLBACK (copy_stack_chosen), stack);
  dv_panel_menu_popup (menu, event, &place);
  g_free (file);
}

/* Again: it may show another now.  */
static gboolean
pressed (GtkWidget *widget, GdkEventButton *event, gpointer data)
{
  struct stack_view *stack = data;
  GtkTreeView *view = GTK_TREE_VIEW (widget);
  GtkTreePath *path;
  if (event->type != GDK_BUTTON_PRESS || event->button != 1
      || event->window != gtk_tree_view_get_bin_window (view)
      || !gtk_tree_view_get_path_at_pos (view, (int) event->x, (int) event->y,
                                         &path, NULL, NULL, NULL))
    return FALSE;
  if (gtk_tree_selection_path_is_selected (gtk_tree_view_get_selection (view),
                                           path))
    show_selected (stack);
  gtk_tree_path_free (path);
  return FALSE;
}

/* ---- Making and filling ---------------------------------------------- */

static void
add_column (GtkWidget *view, const char *title, int column)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  /* However long a file's name is: the plot keeps its room.  */
  g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, NULL);
  GtkTreeViewColumn *c = gtk_tree_view_column_new_with_attributes (
    title, cell, "text", column, NULL);
  gtk_tree_view_column_set_expand (c, TRUE);
  gtk_tree_view_column_set_resizable (c, TRUE);
  gtk_tree_view_append_column (GTK_TREE_VIEW (view), c);
}

GtkWidget *
dv_stack_view_new (const struct dv_panel_host *host, const char *name)
{
  struct stack_view *stack = g_new0 (struct stack_view, 1);
  GtkListStore *store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING,
                                            G_TYPE_STRING, G_TYPE_STRING,
                                            G_TYPE_STRING, G_TYPE_UINT);
  GtkWidget *view = gtk_tree_view_new_with_model (GTK_TREE_MODEL (store));
  g_object_unref (store);
  stack->host = host;
  stack->view = view;
  g_object_set_data_full (G_OBJECT (view), "stack-view", stack, free_view);
  add_column (view, _ ("Function"), COLUMN_FUNCTION);
  add_column (view, _ ("Source"), COLUMN_WHERE);
  gtk_tree_view_set_tooltip_column (GTK_TREE_VIEW (view), COLUMN_TIP);
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (view), FALSE);
  dv_pieces_name (view, name);
  g_signal_connect_swapped (view, "row-activated", G_CALLBACK (edit_selected),
                            stack);
  g_signal_connect (view, "button-press-event", G_CALLBACK (pressed), stack);
  dv_table_connect_menu (view, popup, copy_stack_chosen, stack);
  g_signal_connect_swapped (gtk_tree_view_get_selection (GTK_TREE_VIEW (view)),
                            "changed", G_CALLBACK (selection_changed), stack);
  return view;
}

void
dv_stack_append_text (GString *text, const GPtrArray *stack)
{
  for (guint i = 0; stack != NULL && i < stack->len; i++) {
    const struct dv_frame *frame = g_ptr_array_index (stack, i);
    g_string_append_printf (text, DV_ADDRESS " %s", frame->address,
                            frame->function);
    if (*frame->where != '\0')
      g_string_append_printf (text, " (%s)", frame->where);
    g_string_append_c (text, '\n');
  }
}

static char *
frame_tip (const struct dv_frame *frame)
{
  GString *text = g_string_new (frame->function);
  char *address = g_strdup_printf (DV_ADDRESS, frame->address);
  if (frame->inlined)
    g_string_append_printf (text, " %s", _ ("(inlined)"));
  g_string_append_c (text, '\n');
  g_string_append_printf (text, _ ("%s in %s"), address,
                          *frame->module != '\0' ? frame->module
                                                 : _ ("unknown module"));
  if (*frame->file != '\0')
    g_string_append_printf (text, "\n%s", frame->file);
  char *tip = g_markup_escape_text (text->str, -1);
  g_string_free (text, TRUE);
  g_free (address);
  return tip;
}

void
dv_stack_view_fill (GtkWidget *view, const GPtrArray *stack)
{
  struct stack_view *self = of (view);
  GtkListStore *store
    = GTK_LIST_STORE (gtk_tree_view_get_model (GTK_TREE_VIEW (view)));
  GString *text = g_string_new (NULL);
  self->is_filling = true;
  gtk_list_store_clear (store);
  for (guint i = 0; stack != NULL && i < stack->len; i++) {
    const struct dv_frame *frame = g_ptr_array_index (stack, i);
    char *tip = frame_tip (frame);
    gtk_list_store_insert_with_values (
      store, NULL, -1, COLUMN_FUNCTION, frame->function, COLUMN_WHERE,
      frame->where, COLUMN_TIP, tip, COLUMN_FILE, frame->file, COLUMN_LINE,
      frame->line, -1);
    g_free (tip);
  }
  self->is_filling = false;
  dv_stack_append_text (text, stack);
  g_free (self->text);
  self->text = g_string_free (text, FALSE);
}

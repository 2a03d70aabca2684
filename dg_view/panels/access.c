/* access.c: the panel that explains the selected access: itself, its call
   stack, whose memory it is, and where that was allocated.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panel.h"

#include <dg_record.h>

#include "../format.h"
#include "../i18n.h"
#include "../seek.h"

enum { COLUMN_FUNCTION, COLUMN_WHERE, COLUMN_TIP, COLUMN_FILE, COLUMN_LINE,
       N_COLUMNS };

enum field { FIELD_ADDRESS, FIELD_KIND, FIELD_PLACE, FIELD_COUNT,
             FIELD_THREAD, FIELD_OWNER, FIELD_BLOCK, FIELD_OFFSET,
             FIELD_LIFE, FIELD_RANGE, N_FIELDS };

static const struct {
  const char *name;
  bool memory;          /* in the second grid */
} fields[N_FIELDS] = {
  { "Address", false },     { "Access", false },    { "By", false },
  { "Instruction", false }, { "Thread", false },    { "Memory", true },
  { "Block", true },        { "Offset", true },     { "Lifetime", true },
  { "Range", true },
};

struct access_panel {
  const struct dv_panel_host *host;
  const struct dv_pick *pick;
  guint at;                         /* index in the pick */
  GtkWidget *root, *hint, *content;
  GtkWidget *position, *previous, *next;
  GtkWidget *names[N_FIELDS], *values[N_FIELDS];
  GtkWidget *stack, *alloc_stack, *alloc_box;
};

/* ---- Stacks ---------------------------------------------------------- */

static void
row_activated (GtkTreeView *view, GtkTreePath *path,
               GtkTreeViewColumn *column, gpointer data)
{
  struct access_panel *panel = data;
  GtkTreeModel *model = gtk_tree_view_get_model (view);
  GtkTreeIter iter;
  char *file;
  guint line;
  if (!gtk_tree_model_get_iter (model, &iter, path))
    return;
  gtk_tree_model_get (model, &iter, COLUMN_FILE, &file, COLUMN_LINE, &line,
                      -1);
  panel->host->edit_source (panel->host->user, file, line);
  g_free (file);
}

static void
add_column (GtkWidget *view, const char *title, int column, bool expand)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  g_object_set (cell, "ellipsize",
                expand ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE, NULL);
  GtkTreeViewColumn *c = gtk_tree_view_column_new_with_attributes (
    title, cell, "text", column, NULL);
  gtk_tree_view_column_set_expand (c, expand);
  gtk_tree_view_column_set_resizable (c, TRUE);
  gtk_tree_view_append_column (GTK_TREE_VIEW (view), c);
}

static GtkWidget *
new_stack (struct access_panel *panel, const char *name)
{
  GtkListStore *store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING,
                                            G_TYPE_STRING, G_TYPE_STRING,
                                            G_TYPE_STRING, G_TYPE_UINT);
  GtkWidget *view = gtk_tree_view_new_with_model (GTK_TREE_MODEL (store));
  g_object_unref (store);
  add_column (view, "Function", COLUMN_FUNCTION, true);
  add_column (view, "Source", COLUMN_WHERE, false);
  gtk_tree_view_set_tooltip_column (GTK_TREE_VIEW (view), COLUMN_TIP);
  gtk_tree_view_set_enable_search (GTK_TREE_VIEW (view), FALSE);
  atk_object_set_name (gtk_widget_get_accessible (view), name);
  g_signal_connect (view, "row-activated", G_CALLBACK (row_activated), panel);
  return view;
}

static void
fill_stack (GtkWidget *view, const GPtrArray *stack)
{
  GtkListStore *store
    = GTK_LIST_STORE (gtk_tree_view_get_model (GTK_TREE_VIEW (view)));
  gtk_list_store_clear (store);
  for (guint i = 0; stack != NULL && i < stack->len; i++) {
    const struct dv_frame *frame = g_ptr_array_index (stack, i);
    char *tip = g_markup_printf_escaped (
      "%s%s\n0x%" G_GINT64_MODIFIER "x in %s%s%s", frame->function,
      frame->inlined ? " (inlined)" : "", frame->address,
      *frame->module != '\0' ? frame->module : "no known module",
      *frame->file != '\0' ? "\n" : "", frame->file);
    gtk_list_store_insert_with_values (
      store, NULL, -1, COLUMN_FUNCTION, frame->function, COLUMN_WHERE,
      frame->where, COLUMN_TIP, tip, COLUMN_FILE, frame->file, COLUMN_LINE,
      frame->line, -1);
    g_free (tip);
  }
}

/* ---- Fields ---------------------------------------------------------- */

/* An empty text hides the field.  */
static void
set_field (struct access_panel *panel, enum field field, char *text)
{
  bool visible = text != NULL && *text != '\0';
  gtk_label_set_text (GTK_LABEL (panel->values[field]),
                      visible ? text : "");
  gtk_widget_set_visible (panel->values[field], visible);
  gtk_widget_set_visible (panel->names[field], visible);
  g_free (text);
}

static void
set_access (struct access_panel *panel, const struct dv_answer *answer)
{
  const struct dg_access *access = &answer->access;
  char number[40];
  set_field (panel, FIELD_ADDRESS,
             g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", access->address));
  set_field (panel, FIELD_KIND,
             g_strdup_printf ("%s of %u byte%s",
                              access->kind == DG_ACC_WRITE ? "write" : "read",
                              access->size, access->size == 1 ? "" : "s"));
  set_field (panel, FIELD_PLACE, g_strdup (answer->place));
  dv_format_exact (number, sizeof number, access->icount);
  set_field (panel, FIELD_COUNT, g_strdup (number));
  set_field (panel, FIELD_THREAD, g_strdup (answer->thread));
}

static char *
block_text (const struct dg_block *block)
{
  char size[40];
  dv_format_exact (size, sizeof size, block->size);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x, %s bytes",
                          block->address, size);
}

static char *
life_text (const struct dg_block *block)
{
  char start[40], end[40] = "the end";
  dv_format_exact (start, sizeof start, block->alloc_icount);
  if (block->free_icount != DG_NEVER)
    dv_format_exact (end, sizeof end, block->free_icount);
  return g_strdup_printf ("instruction %s to %s", start, end);
}

static char *
range_text (const struct dv_answer *answer)
{
  char size[40];
  dv_format_exact (size, sizeof size, answer->range_size);
  return g_strdup_printf ("%s%s%s%s at 0x%" G_GINT64_MODIFIER "x, %s bytes, "
                          "offset %" G_GUINT64_FORMAT,
                          answer->range_label,
                          *answer->range_type != '\0' ? " (" : "",
                          answer->range_type,
                          *answer->range_type != '\0' ? ")" : "",
                          answer->range_address, size, answer->range_offset);
}

static void
set_memory (struct access_panel *panel, const struct dv_answer *answer)
{
  bool block = answer->has_block;
  set_field (panel, FIELD_OWNER, g_strdup (answer->owner));
  set_field (panel, FIELD_BLOCK, block ? block_text (&answer->block) : NULL);
  set_field (panel, FIELD_OFFSET,
             block ? g_strdup_printf ("%" G_GUINT64_FORMAT " (0x%"
                                      G_GINT64_MODIFIER "x)",
                                      answer->block_offset,
                                      answer->block_offset)
                   : NULL);
  set_field (panel, FIELD_LIFE, block ? life_text (&answer->block) : NULL);
  set_field (panel, FIELD_RANGE,
             answer->has_range ? range_text (answer) : NULL);
  gtk_widget_set_visible (panel->alloc_box, block);
  fill_stack (panel->alloc_stack, answer->alloc_stack);
}

/* ---- Previous and next ----------------------------------------------- */

static void
set_position (struct access_panel *panel)
{
  const struct dv_pick *pick = panel->pick;
  char total[40], text[100];
  guint kept = pick != NULL ? pick->accesses->len : 0;
  dv_format_exact (total, sizeof total, pick != NULL ? pick->total : 0);
  if (kept == 0)
    *text = '\0';
  else if (pick->total == 1)
    g_snprintf (text, sizeof text, "The only access under this pixel");
  else
    g_snprintf (text, sizeof text, "Access %u of %s under this pixel",
                panel->at + 1, total);
  gtk_label_set_text (GTK_LABEL (panel->position), text);
  gtk_widget_set_sensitive (panel->previous, panel->at > 0);
  gtk_widget_set_sensitive (panel->next, panel->at + 1 < kept);
}

static void
step (struct access_panel *panel, int by)
{
  if (panel->pick == NULL)
    return;
  panel->at = (guint) ((int) panel->at + by);
  set_position (panel);
  panel->host->select (panel->host->user,
                       &g_array_index (panel->pick->accesses,
                                       struct dg_access, panel->at));
}

static void
previous_clicked (GtkButton *button, gpointer data)
{
  step (data, -1);
}

static void
next_clicked (GtkButton *button, gpointer data)
{
  step (data, 1);
}

/* ---- Making and showing ---------------------------------------------- */

static GtkWidget *
new_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (NULL);
  char *markup = g_markup_printf_escaped ("<b>%s</b>", text);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  g_free (markup);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_top (label, 6);
  return label;
}

static GtkWidget *
new_step_button (struct access_panel *panel, const char *icon,
                 const char *tip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon,
                                                     GTK_ICON_SIZE_BUTTON);
  gtk_widget_set_tooltip_text (button, tip);
  atk_object_set_name (gtk_widget_get_accessible (button), tip);
  g_signal_connect (button, "clicked", clicked, panel);
  return button;
}

static GtkWidget *
new_grid (struct access_panel *panel, bool memory)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (int i = 0; i < N_FIELDS; i++) {
    if (fields[i].memory != memory)
      continue;
    GtkWidget *name = gtk_label_new (fields[i].name);
    GtkWidget *value = gtk_label_new (NULL);
    gtk_style_context_add_class (gtk_widget_get_style_context (name),
                                 "dim-label");
    gtk_label_set_xalign (GTK_LABEL (name), 1);
    gtk_label_set_yalign (GTK_LABEL (name), 0);
    gtk_label_set_xalign (GTK_LABEL (value), 0);
    gtk_label_set_selectable (GTK_LABEL (value), TRUE);
    gtk_label_set_line_wrap (GTK_LABEL (value), TRUE);
    gtk_label_set_line_wrap_mode (GTK_LABEL (value),
                                  PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_hexpand (value, TRUE);
    gtk_widget_set_can_focus (value, FALSE);
    atk_object_set_description (gtk_widget_get_accessible (value),
                                fields[i].name);
    gtk_grid_attach (GTK_GRID (grid), name, 0, i, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), value, 1, i, 1, 1);
    panel->names[i] = name;
    panel->values[i] = value;
  }
  return grid;
}

static GtkWidget *
in_frame (GtkWidget *child)
{
  GtkWidget *frame = gtk_frame_new (NULL);
  gtk_container_add (GTK_CONTAINER (frame), child);
  return frame;
}

static GtkWidget *
new_content (struct access_panel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  panel->position = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (panel->position), 0);
  gtk_label_set_ellipsize (GTK_LABEL (panel->position), PANGO_ELLIPSIZE_END);
  panel->previous = new_step_button (panel, "go-up-symbolic",
                                     "Previous access",
                                     G_CALLBACK (previous_clicked));
  panel->next = new_step_button (panel, "go-down-symbolic", "Next access",
                                 G_CALLBACK (next_clicked));
  gtk_box_pack_start (GTK_BOX (row), panel->position, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), panel->previous, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), panel->next, FALSE, FALSE, 0);

  panel->stack = new_stack (panel, "Call stack");
  panel->alloc_stack = new_stack (panel, "Allocation stack");
  panel->alloc_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_container_add (GTK_CONTAINER (panel->alloc_box),
                     new_heading ("Allocated by"));
  gtk_container_add (GTK_CONTAINER (panel->alloc_box),
                     in_frame (panel->alloc_stack));
  GtkWidget *parts[] = {
    row, new_grid (panel, false), new_heading ("Call stack"),
    in_frame (panel->stack), new_heading ("Memory"), new_grid (panel, true),
    panel->alloc_box,
  };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_container_add (GTK_CONTAINER (box), parts[i]);
  return box;
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct access_panel *panel = g_new0 (struct access_panel, 1);
  panel->host = host;
  panel->root = gtk_stack_new ();
  panel->hint = gtk_label_new ("Click in the plot to see what\n"
                               "accessed memory there.");
  gtk_label_set_justify (GTK_LABEL (panel->hint), GTK_JUSTIFY_CENTER);
  gtk_style_context_add_class (gtk_widget_get_style_context (panel->hint),
                               "dim-label");
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_container_add (GTK_CONTAINER (scrolled), new_content (panel));
  panel->content = scrolled;
  gtk_container_add (GTK_CONTAINER (panel->root), panel->hint);
  gtk_container_add (GTK_CONTAINER (panel->root), scrolled);
  g_object_set_data_full (G_OBJECT (panel->root), "panel", panel, g_free);
  gtk_widget_show_all (panel->root);
  return panel->root;
}

static void
show (GtkWidget *widget, const struct dv_pick *pick,
      const struct dv_answer *answer)
{
  struct access_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  if (pick != panel->pick && pick != NULL)
    panel->at = pick->nearest;
  else if (pick != NULL && answer != NULL
           && !dv_same_access (&g_array_index (pick->accesses,
                                               struct dg_access, panel->at),
                               &answer->access))
    dv_pick_find (pick, &answer->access, &panel->at);
  panel->pick = pick;
  gtk_stack_set_visible_child (GTK_STACK (panel->root),
                               answer != NULL ? panel->content
                                              : panel->hint);
  if (answer == NULL)
    return;
  set_position (panel);
  set_access (panel, answer);
  fill_stack (panel->stack, answer->stack);
  set_memory (panel, answer);
}

const struct dv_panel dv_panel_access = {
  .id = "access",
  .title = N_("Access"),
  .place = DV_PANEL_SIDE,
  .make = make,
  .show = show
};

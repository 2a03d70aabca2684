/* calls.c: the panel with the call tree of what the plot shows: from callers
   to callees, or from each function that accesses memory to its callers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include <gdk/gdkkeysyms.h>

#include "panels/base/panel_menu.h"
#include "calls_table.h"
#include "model/calls/calls_text.h"
#include "calls_view.h"
#include "i18n.h"
#include "widgets/pieces.h"
#include "panels/base/table_pieces.h"
#include "panels/base/tally_view.h"

struct calls_panel {
  const struct dv_panel_host *host;
  GtkWidget *root;
  struct dv_tally_view shown;
  GtkWidget *callers, *search;
  struct dv_calls_view view;
  struct dv_calltree *tree;    /* what is shown; NULL: nothing */
  enum dv_call_order order;
};

static struct dv_callrows *
rows_of (const struct calls_panel *panel)
{
  return dv_calls_view_rows (&panel->view);
}

static uint32_t
row_of (const struct calls_panel *panel)
{
  return dv_calls_view_row (&panel->view);
}

/* ---- What the window is told ------------------------------------------ */

static void
show_highlight (void *user)
{
  struct calls_panel *panel = user;
  uint32_t row = row_of (panel);
  struct dv_highlight *highlight
    = row != 0 ? dv_callrows_highlight (rows_of (panel), row) : NULL;
  panel->host->highlight (panel->host->user, highlight);
  dv_highlight_unref (highlight);
}

static void
show_source (struct calls_panel *panel)
{
  uint32_t row = row_of (panel);
  if (row == 0)
    return;
  const struct dv_callrow *r = dv_callrows_row (rows_of (panel), row);
  panel->host->show_source (panel->host->user,
                            r->file != NULL ? r->file : "", r->line);
}

/* ---- Showing trees ---------------------------------------------------- */

/* The tree with rows in the order and direction that are wanted now.  */
static void
fill (struct calls_panel *panel)
{
  bool are_callers = gtk_toggle_button_get_active (
    GTK_TOGGLE_BUTTON (panel->callers));
  dv_calls_view_set (&panel->view,
                     dv_callrows_new (panel->tree, are_callers,
                                      panel->order));
  dv_calls_table_set_direction (panel->view.table, are_callers);
  /* The same path may have contexts that it had not before.  */
  if (panel->view.key != 0 && panel->tree->tally->code_done >= 1)
    show_highlight (panel);
}

static bool
show_tree (void *user, void *made)
{
  struct calls_panel *panel = user;
  struct dv_calltree *old = panel->tree, *tree = made;
  if (tree == NULL) {
    dv_calls_view_set (&panel->view, NULL);
    g_clear_pointer (&panel->tree, dv_calltree_unref);
    return false;
  }
  if (old == NULL
      || old->tally->scene->data->log != tree->tally->scene->data->log)
    dv_calls_view_start_afresh (&panel->view);
  panel->tree = dv_calltree_ref (tree);
  fill (panel);
  dv_calltree_unref (old);
  dv_pieces_note_take (panel->shown.note, dv_calls_summary (tree));
  return tree->n > 1;
}

static const struct dv_tally_view_class shown_class = {
  dv_calltree_make, (GDestroyNotify) dv_calltree_unref, show_tree,
  N_ ("The call tree cannot be built."), ~0u};

static void
show_tally (GtkWidget *widget, struct dv_tally *tally)
{
  struct calls_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  dv_tally_view_set (&panel->shown, tally);
}

/* ---- Toolbar ---------------------------------------------------------- */

static void
direction_toggled (struct calls_panel *panel)
{
  if (panel->tree == NULL)
    return;
  /* Paths of the two directions have nothing in common.  */
  dv_calls_view_start_afresh (&panel->view);
  panel->host->highlight (panel->host->user, NULL);
  fill (panel);
}

static void
order_changed (void *user, enum dv_call_order order)
{
  struct calls_panel *panel = user;
  panel->order = order;
  if (panel->tree != NULL)
    fill (panel);
}

static void
find (struct calls_panel *panel, bool from_here, bool backwards)
{
  const char *text = gtk_entry_get_text (GTK_ENTRY (panel->search));
  dv_pieces_error (panel->search, false);
  if (panel->tree == NULL || *text == '\0')
    return;
  struct dv_callrows *rows = rows_of (panel);
  uint32_t n, row = from_here ? row_of (panel) : 0;
  uint8_t *matches = dv_calltree_match (panel->tree, text, &n);
  uint32_t found = DV_CALL_NONE;
  if (row != 0)
    found = dv_callrows_find (rows, row, matches, backwards);
  if (found == DV_CALL_NONE)
    found = dv_callrows_find (rows, DV_CALL_NONE, matches, backwards);
  g_free (matches);
  dv_pieces_error (panel->search, found == DV_CALL_NONE);
  if (found != DV_CALL_NONE)
    dv_calls_view_select (&panel->view, found, true);
}

static void
search_changed (GtkSearchEntry *entry, gpointer data)
{
  find (data, false, false);
}

static void
search_next (GtkWidget *entry, gpointer data)
{
  find (data, true, false);
}

static void
search_previous (GtkWidget *entry, gpointer data)
{
  find (data, true, true);
}

static void
search_stopped (GtkSearchEntry *entry, gpointer data)
{
  struct calls_panel *panel = data;
  gtk_entry_set_text (GTK_ENTRY (entry), "");
  gtk_widget_grab_focus (panel->view.table);
}

static gboolean
search_key (GtkWidget *entry, GdkEventKey *event, gpointer data)
{
  bool is_enter = event->keyval == GDK_KEY_Return
                  || event->keyval == GDK_KEY_KP_Enter;
  if (!is_enter || (event->state & GDK_SHIFT_MASK) == 0)
    return FALSE;
  search_previous (entry, data);
  return TRUE;
}

static GtkWidget *
new_direction (struct calls_panel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *callees =
    gtk_radio_button_new_with_mnemonic (NULL, _ ("C_allees"));
  panel->callers = gtk_radio_button_new_with_mnemonic_from_widget (
    GTK_RADIO_BUTTON (callees), _ ("Calle_rs"));
  GtkWidget *buttons[] = { callees, panel->callers };
  for (int i = 0; i < 2; i++) {
    gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (buttons[i]), FALSE);
    gtk_container_add (GTK_CONTAINER (box), buttons[i]);
  }
  gtk_widget_set_tooltip_text (callees, _ ("From each function to those that "
                                           "it called"));
  gtk_widget_set_tooltip_text (panel->callers, _ ("From the functions that "
                                                  "access memory to their "
                                                  "callers"));
  dv_pieces_class (box, "linked");
  g_signal_connect_swapped (panel->callers, "toggled",
                            G_CALLBACK (direction_toggled), panel);
  return box;
}

static GtkWidget *
new_toolbar (struct calls_panel *panel)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_container_set_border_width (GTK_CONTAINER (bar), 4);
  panel->search = gtk_search_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (panel->search),
                                  _ ("Find a function"));
  gtk_entry_set_width_chars (GTK_ENTRY (panel->search), 22);
  gtk_widget_set_tooltip_text (panel->search, _ ("Enter: next match, "
                                                 "Shift+Enter: previous "
                                                 "match"));
  dv_pieces_name (panel->search, _ ("Find a function in the calls"));
  g_signal_connect (panel->search, "search-changed",
                    G_CALLBACK (search_changed), panel);
  g_signal_connect (panel->search, "activate", G_CALLBACK (search_next),
                    panel);
  g_signal_connect (panel->search, "next-match", G_CALLBACK (search_next),
                    panel);
  g_signal_connect (panel->search, "previous-match",
                    G_CALLBACK (search_previous), panel);
  g_signal_connect (panel->search, "stop-search",
                    G_CALLBACK (search_stopped), panel);
  g_signal_connect (panel->search, "key-press-event", G_CALLBACK (search_key),
                    panel);
  dv_pieces_add (bar, new_direction (panel), panel->search, NULL);
  gtk_box_pack_start (GTK_BOX (bar), panel->shown.note, TRUE, TRUE, 0);
  return bar;
}

/* ---- Menu and keys ---------------------------------------------------- */

static void
menu_filter (struct calls_panel *panel)
{
  uint32_t row = row_of (panel);
  char *condition = row == 0 ? NULL : dv_calltree_condition (
    panel->tree, dv_callrows_row (rows_of (panel), row)->function);
  if (condition != NULL)
    panel->host->filter (panel->host->user, condition, NULL);
  g_free (condition);
}

static void
menu_copy (void *user)
{
  struct calls_panel *panel = user;
  uint32_t row = row_of (panel);
  if (row != 0)
    dv_panel_menu_copy (panel->view.table,
                        dv_callrows_label (rows_of (panel), row));
}

/* One function on each line, the row's last.  */
static void
menu_copy_path (struct calls_panel *panel)
{
  const struct dv_callrows *rows = rows_of (panel);
  GString *text = g_string_new (NULL);
  for (uint32_t row = row_of (panel); row != 0;
       row = dv_callrows_row (rows, row)->parent) {
    g_string_prepend_c (text, '\n');
    g_string_prepend (text, dv_callrows_label (rows, row));
  }
  if (text->len > 0)
    dv_panel_menu_copy (panel->view.table, text->str);
  g_string_free (text, TRUE);
}

static void
menu_heaviest (struct calls_panel *panel)
{
  if (rows_of (panel) != NULL)
    dv_calls_view_select (
      &panel->view, dv_calls_view_expand_heaviest (&panel->view,
                                                   row_of (panel)), true);
}

static void
menu_collapse (struct calls_panel *panel)
{
  dv_calls_view_collapse_all (&panel->view);
}

static void
popup (void *user, const GdkEvent *event)
{
  struct calls_panel *panel = user;
  struct dv_callrows *rows = rows_of (panel);
  uint32_t row = row_of (panel);
  if (rows == NULL)
    return;
  char *condition = row == 0 ? NULL : dv_calltree_condition (
    panel->tree, dv_callrows_row (rows, row)->function);
  bool has_source = row != 0 && dv_callrows_row (rows, row)->file != NULL;
  GtkWidget *menu = dv_panel_menu_new (panel->view.table);
  dv_panel_menu_add (menu, _ ("Show _Only This Function"), condition != NULL,
                     G_CALLBACK (menu_filter), panel);
  dv_panel_menu_add (menu, _ ("Show _Source"), has_source,
                     G_CALLBACK (show_source), panel);
  dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("_Copy Name"), row != 0, G_CALLBACK (menu_copy),
                     panel);
  dv_panel_menu_add (menu, _ ("Copy Call _Path"), row != 0,
                     G_CALLBACK (menu_copy_path), panel);
  dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("Expand _Heaviest Path"), true,
                     G_CALLBACK (menu_heaviest), panel);
  dv_panel_menu_add (menu, _ ("Collapse _All"), true,
                     G_CALLBACK (menu_collapse), panel);
  g_free (condition);
  GdkRectangle place = { 0, 0, 1, 1 };
  if (row != 0)
    place = dv_calls_view_place (&panel->view, row);
  dv_panel_menu_popup (menu, event, &place);
}

/* ---- Making ----------------------------------------------------------- */

static void
panel_free (gpointer data)
{
  struct calls_panel *panel = data;
  dv_tally_view_fini (&panel->shown);
  dv_calls_view_fini (&panel->view);
  dv_calltree_unref (panel->tree);
  g_free (panel);
}

static GtkWidget *
new_table (struct calls_panel *panel)
{
  GtkWidget *table = dv_calls_table_new (order_changed, panel);
  dv_pieces_name (table, _ ("Calls"));
  g_signal_connect_swapped (table, "row-activated", G_CALLBACK (show_source),
                            panel);
  dv_table_connect_menu (table, popup, menu_copy, panel);
  return table;
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct calls_panel *panel = g_new0 (struct calls_panel, 1);
  panel->host = host;
  panel->view.selected = show_highlight;
  panel->view.user = panel;
  dv_calls_view_init (&panel->view, new_table (panel));
  dv_tally_view_init (
    &panel->shown, &shown_class, 0, panel->view.scrolled,
    dv_pieces_note_new (_ ("Accesses of the call tree"), 1),
    N_ ("This table will show the calls in the part of the plot in view."),
    panel);
  panel->root = dv_pieces_panel_new (
    new_toolbar (panel), panel->shown.hinted.stack, panel, panel_free);
  return panel->root;
}

const struct dv_panel dv_panel_calls = {.id = "calls",
                                        .title = N_ ("Calls"),
                                        .place = DV_PANEL_BOTTOM,
                                        .make = make,
                                        .show_tally = show_tally};

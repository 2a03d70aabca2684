/* flame.c: the panel with a flame graph of what the plot shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include <string.h>

#include "format.h"
#include "panels/base/panel_menu.h"
#include "panels/base/tally_view.h"
#include "model/calls/calls_text.h"
#include "model/calls/flame_svg.h"
#include "flame_heap.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define SVG_WIDTH      1200
#define FOLDED_BYTES   ((size_t) 16 << 20)

struct flame_panel {
  const struct dv_panel_host *host;
  GtkWidget *root;
  struct dv_tally_view shown;
  GtkWidget *search, *matched, *all;
  GtkWidget *graphs;               /* a stack: "accesses", "heap", "time" */
  struct dv_flame_view accesses;
  struct dv_flame_heap heap, time;
  struct dv_flame_view *view;      /* the one of these that is to be seen */
  struct dv_pieces_chooser saving;
};

static const char *const weights[DV_N_CALL_WEIGHTS] = {
  N_ ("Accesses"), N_ ("Reads"), N_ ("Writes"), N_ ("Bytes"),
  N_ ("Allocated bytes"), N_ ("Allocated blocks"), N_ ("Temporary blocks"),
  N_ ("Leaked bytes"), N_ ("Cycles"), N_ ("Cycles of memory"),
  N_ ("L1 misses"), N_ ("L2 misses"), N_ ("L3 misses")};

/* ---- What is shown ----------------------------------------------------- */

/* How much of the zoomed frame the search has found.  */
static void
show_matched (struct flame_panel *panel)
{
  const struct dv_flame_view *view = panel->view;
  char share[20];
  if (view->tree == NULL || view->matches == NULL) {
    gtk_label_set_text (GTK_LABEL (panel->matched), "");
    return;
  }
  uint64_t whole = dv_call_node_all (&view->tree->nodes[view->zoom],
                                     view->weight);
  dv_calls_share (share, sizeof share,
                  dv_calltree_matched (view->tree, view->zoom, view->matches,
                                       view->weight), whole);
  /* Translators: a share; what was looked for has that much.  */
  char *text =
    g_strdup_printf (_ ("%s found"), *share != '\0' ? share : "0 %");
  gtk_label_set_text (GTK_LABEL (panel->matched), text);
  g_free (text);
}

static void
look_for (struct flame_panel *panel)
{
  dv_flame_view_search (panel->view, gtk_entry_get_text (
    GTK_ENTRY (panel->search)));
  show_matched (panel);
}

static void
show_highlight (struct flame_panel *panel)
{
  uint32_t node = panel->view->look.selected;
  struct dv_highlight *highlight
    = node != DV_CALL_NONE && node != 0 && panel->view->tree->tally != NULL
      ? dv_calltree_highlight (panel->view->tree, node) : NULL;
  panel->host->highlight (panel->host->user, highlight);
  dv_highlight_unref (highlight);
}

static void
view_changed (void *user)
{
  struct flame_panel *panel = user;
  gtk_widget_set_sensitive (panel->all, panel->view->zoom != 0);
  show_matched (panel);
  show_highlight (panel);
}

/* There is another tree; the search goes on.  */
static void
heap_changed (void *user)
{
  struct flame_panel *panel = user;
  if (panel->view == &panel->accesses)
    return;
  look_for (panel);
  view_changed (panel);
}

static bool
show_tree (void *user, void *made)
{
  struct flame_panel *panel = user;
  struct dv_calltree *tree = made;
  bool is_seen = panel->view == &panel->accesses;
  bool had_selection = panel->accesses.look.selected != DV_CALL_NONE;
  dv_flame_view_set_tree (&panel->accesses, tree);
  if (is_seen)
    look_for (panel);
  if (tree == NULL)
    return false;
  if (is_seen)
    gtk_widget_set_sensitive (panel->all, panel->view->zoom != 0);
  dv_pieces_note_take (panel->shown.note, dv_calls_summary (tree));
  if (is_seen && had_selection && tree->tally->code_done >= 1)
    show_highlight (panel);
  return tree->n > 1;
}

static const struct dv_tally_view_class shown_class = {
  dv_calltree_make, (GDestroyNotify) dv_calltree_unref, show_tree,
  N_ ("The call tree cannot be built."), ~0u};

static void
show_tally (GtkWidget *widget, struct dv_tally *tally)
{
  struct flame_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  dv_tally_view_set (&panel->shown, tally);
}

static void
show_view (GtkWidget *widget, struct dv_scene *scene,
           const struct dv_view *view)
{
  struct flame_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  dv_flame_heap_set_view (&panel->heap, scene, view);
  dv_flame_heap_set_view (&panel->time, scene, view);
}

/* ---- Menu -------------------------------------------------------------- */

static const struct dv_call_node *
selected_node (const struct flame_panel *panel)
{
  uint32_t node = panel->view->look.selected;
  return panel->view->tree != NULL && node != DV_CALL_NONE
         ? &panel->view->tree->nodes[node] : NULL;
}

static void
menu_zoom (struct flame_panel *panel)
{
  if (selected_node (panel) != NULL)
    dv_flame_view_zoom (panel->view, panel->view->look.selected);
}

static void
menu_filter (struct flame_panel *panel)
{
  const struct dv_call_node *node = selected_node (panel);
  char *condition = node == NULL ? NULL
    : dv_calltree_condition (panel->view->tree, node->function);
  if (condition != NULL)
    panel->host->filter (panel->host->user, condition, NULL);
  g_free (condition);
}

static void
menu_source (struct flame_panel *panel)
{
  const struct dv_call_node *node = selected_node (panel);
  if (node != NULL)
    panel->host->show_source (panel->host->user,
                              node->file != NULL ? node->file : "",
                              node->line);
}

static void
menu_copy (struct flame_panel *panel)
{
  if (selected_node (panel) != NULL)
    dv_panel_menu_copy (panel->view->area,
                        dv_calltree_label (panel->view->tree,
                                           panel->view->look.selected));
}

static void
menu_folded (struct flame_panel *panel)
{
  const struct dv_flame_view *view = panel->view;
  bool whole;
  if (view->tree == NULL)
    return;
  dv_panel_menu_take (view->area,
                      dv_calltree_folded (view->tree, view->zoom, view->weight,
                                          FOLDED_BYTES, &whole));
  if (!whole)
    dv_pieces_tell (
      panel->root, GTK_MESSAGE_INFO, _ ("Only a part was copied."),
      _ ("The clipboard has the 16 MiB with the heaviest call paths. "
         "Zoom into a frame to copy all of its paths."));
}

static void
save_svg (void *user, const char *path)
{
  struct flame_panel *panel = user;
  const struct dv_flame_view *view = panel->view;
  struct dg_error error;
  /* The log may be gone by now.  */
  if (view->tree == NULL)
    return;
  char *program = dv_data_program (view->tree->data != NULL
                                     ? view->tree->data
                                     : view->tree->tally->scene->data);
  char *summary = dv_calls_summary (view->tree);
  char *title = program != NULL
                ? g_strdup_printf ("%s — %s", program, summary)
                : g_strdup (summary);
  struct dv_flame_layout *layout
    = dv_flame_layout_new (view->tree, view->zoom, view->weight, SVG_WIDTH,
                           0.5);
  char *svg = dv_flame_svg (layout, title, view->look.root_below);
  if (dg_output_save (path, svg, strlen (svg), &error) < 0) {
    char *shown = dv_format_shown (path);
    char *why = g_strdup_printf ("%s: %s", shown, error.message);
    dv_pieces_tell (panel->root, GTK_MESSAGE_ERROR,
                    _ ("The picture cannot be saved."), why);
    g_free (why);
    g_free (shown);
  }
  g_free (svg);
  dv_flame_layout_free (layout);
  g_free (title);
  g_free (summary);
  g_free (program);
}

static void
menu_save (struct flame_panel *panel)
{
  if (panel->view->tree != NULL)
    dv_pieces_chooser_save (&panel->saving, panel->root,
                            _ ("Save the Flame Graph"), "flame.svg");
}

static void
show_menu (void *user, const GdkEvent *event, const GdkRectangle *place)
{
  struct flame_panel *panel = user;
  const struct dv_call_node *node = selected_node (panel);
  if (panel->view->tree == NULL)
    return;
  char *condition = node == NULL ? NULL
    : dv_calltree_condition (panel->view->tree, node->function);
  GtkWidget *menu = dv_panel_menu_new (panel->view->area);
  dv_panel_menu_add (menu, _ ("_Zoom In"),
                     node != NULL
                       && panel->view->look.selected != panel->view->zoom,
                     G_CALLBACK (menu_zoom), panel);
  dv_panel_menu_add (menu, _ ("Show _Only This Function"), condition != NULL,
                     G_CALLBACK (menu_filter), panel);
  dv_panel_menu_add (menu, _ ("Show _Source"),
                     node != NULL && node->file != NULL,
                     G_CALLBACK (menu_source), panel);
  dv_panel_menu_separate (menu);
  dv_panel_menu_add (menu, _ ("_Copy Name"), node != NULL,
                     G_CALLBACK (menu_copy), panel);
  dv_panel_menu_add (menu, _ ("Copy _Folded Stacks"), true,
                     G_CALLBACK (menu_folded), panel);
  dv_panel_menu_add (menu, _ ("Save as S_VG…"), true, G_CALLBACK (menu_save),
                     panel);
  dv_panel_menu_popup (menu, event, place);
  g_free (condition);
}

/* ---- Toolbar ----------------------------------------------------------- */

static void
weight_changed (GtkComboBox *combo, gpointer data)
{
  struct flame_panel *panel = data;
  enum dv_call_weight weight = gtk_combo_box_get_active (combo);
  bool is_heap = dv_call_weighs_heap (weight);
  bool is_time = dv_call_weighs_time (weight);
  panel->view = is_heap   ? &panel->heap.view
                : is_time ? &panel->time.view
                          : &panel->accesses;
  gtk_stack_set_visible_child_name (GTK_STACK (panel->graphs),
                                    is_heap   ? "heap"
                                    : is_time ? "time" : "accesses");
  gtk_widget_set_visible (panel->shown.note, !is_heap && !is_time);
  gtk_widget_set_visible (panel->heap.note, is_heap);
  gtk_widget_set_visible (panel->time.note, is_time);
  dv_flame_view_set_weight (panel->view, weight);
  dv_flame_heap_want (&panel->heap, is_heap);
  dv_flame_heap_want (&panel->time, is_time);
  look_for (panel);
  view_changed (panel);
}

static void
below_toggled (GtkToggleButton *button, gpointer data)
{
  struct flame_panel *panel = data;
  bool is_below = gtk_toggle_button_get_active (button);
  dv_flame_view_set_root_below (&panel->accesses, is_below);
  dv_flame_view_set_root_below (&panel->heap.view, is_below);
  dv_flame_view_set_root_below (&panel->time.view, is_below);
}

static void
all_clicked (struct flame_panel *panel)
{
  if (panel->view->tree != NULL)
    dv_flame_view_zoom (panel->view, 0);
  gtk_widget_grab_focus (panel->view->area);
}

static void
more_clicked (struct flame_panel *panel)
{
  show_menu (panel, NULL, NULL);
}

static void
search_stopped (GtkSearchEntry *entry, gpointer data)
{
  struct flame_panel *panel = data;
  gtk_entry_set_text (GTK_ENTRY (entry), "");
  gtk_widget_grab_focus (panel->view->area);
}

static GtkWidget *
new_choice (struct flame_panel *panel)
{
  GtkWidget *combo = dv_pieces_combo_new (weights, DV_N_CALL_WEIGHTS, 0,
                                          G_CALLBACK (weight_changed), panel);
  dv_pieces_tip (combo, _ ("What the widths show"));
  return combo;
}

static GtkWidget *
new_search (struct flame_panel *panel)
{
  panel->search = gtk_search_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (panel->search),
                                  _ ("Mark functions"));
  gtk_entry_set_width_chars (GTK_ENTRY (panel->search), 16);
  dv_pieces_name (panel->search, _ ("Mark functions in the flame graph"));
  g_signal_connect_swapped (panel->search, "search-changed",
                            G_CALLBACK (look_for), panel);
  g_signal_connect (panel->search, "stop-search",
                    G_CALLBACK (search_stopped), panel);
  return panel->search;
}

static GtkWidget *
new_toolbar (struct flame_panel *panel)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *below = gtk_toggle_button_new_with_mnemonic (_ ("_Upwards"));
  gtk_container_set_border_width (GTK_CONTAINER (bar), 4);
  gtk_widget_set_tooltip_text (below, _ ("Draw callers at the bottom"));
  g_signal_connect (below, "toggled", G_CALLBACK (below_toggled), panel);
  panel->all = dv_pieces_button_new ("zoom-fit-best-symbolic",
                                     _ ("Show all frames (Escape)"),
                                     G_CALLBACK (all_clicked), panel);
  gtk_widget_set_sensitive (panel->all, FALSE);
  panel->matched = dv_pieces_note_new (_ ("Share of marked functions"), 0);
  gtk_label_set_ellipsize (GTK_LABEL (panel->matched), PANGO_ELLIPSIZE_NONE);
  dv_pieces_add (bar, new_choice (panel), below, panel->all,
                 new_search (panel), panel->matched, NULL);
  gtk_box_pack_end (GTK_BOX (bar),
                    dv_pieces_button_new ("view-more-symbolic",
                                          _ ("Actions for the selected frame"),
                                          G_CALLBACK (more_clicked), panel),
                    FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (bar), panel->shown.note, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (bar), panel->heap.note, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (bar), panel->time.note, TRUE, TRUE, 0);
  gtk_widget_set_no_show_all (panel->heap.note, TRUE);
  gtk_widget_set_no_show_all (panel->time.note, TRUE);
  return bar;
}

/* ---- Making ------------------------------------------------------------ */

static void
panel_free (gpointer data)
{
  struct flame_panel *panel = data;
  dv_pieces_chooser_fini (&panel->saving);
  dv_tally_view_fini (&panel->shown);
  dv_flame_view_fini (&panel->accesses);
  dv_flame_heap_fini (&panel->heap);
  dv_flame_heap_fini (&panel->time);
  g_free (panel);
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct flame_panel *panel = g_new0 (struct flame_panel, 1);
  panel->host = host;
  panel->saving.chosen = save_svg;
  panel->saving.user = panel;
  panel->view = &panel->accesses;
  panel->accesses.changed = view_changed;
  panel->time.is_time = true;
  panel->heap.view.changed = panel->time.view.changed = heap_changed;
  panel->accesses.menu = panel->heap.view.menu = panel->time.view.menu
    = show_menu;
  panel->accesses.user = panel->heap.view.user = panel->time.view.user
    = panel;
  dv_flame_view_init (&panel->accesses);
  dv_tally_view_init (
    &panel->shown, &shown_class, 0, panel->accesses.scrolled,
    dv_pieces_note_new (_ ("Accesses of the flame graph"), 1),
    N_ ("This panel will show the calls in the part of the plot in view."),
    panel);
  dv_flame_heap_init (&panel->heap);
  dv_flame_heap_init (&panel->time);
  panel->graphs = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (panel->graphs), panel->shown.hinted.stack,
                       "accesses");
  gtk_stack_add_named (GTK_STACK (panel->graphs), panel->heap.hinted.stack,
                       "heap");
  gtk_stack_add_named (GTK_STACK (panel->graphs), panel->time.hinted.stack,
                       "time");
  panel->root = dv_pieces_panel_new (new_toolbar (panel), panel->graphs,
                                     panel, panel_free);
  return panel->root;
}

const struct dv_panel dv_panel_flame = {.id = "flame",
                                        .title = N_ ("Flame Graph"),
                                        .place = DV_PANEL_BOTTOM,
                                        .make = make,
                                        .show_tally = show_tally,
                                        .show_view = show_view};

/* heap_panel.c: the panel with the heap over time: the bytes that are alive at
   the instructions that the plot shows, by who allocated them.

   It follows the plot, and what is selected here is selected there: a span of
   the picture is one of the plot's instructions, a moment is a line in the
   plot, and the blocks of a series are framed there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_menu.h"

#include "model/log/gap_text.h"
#include "model/heap/heap_text.h"
#include "i18n.h"
#include "panels/base/stack_view.h"

#define CHART_SHARE  0.52      /* of the width, at first */
#define STACK_WIDTH  150

/* By enum dg_curve_by.  */
static const char *const kinds[] = {N_ ("By site"), N_ ("By function"),
                                    N_ ("By module"), N_ ("By allocator"),
                                    N_ ("By thread")};

/* So many series are told one by one.  */
static const struct {
  uint32_t n;
  const char *label;
} counts[] = {
  {5, N_ ("5 largest")},
  {10, N_ ("10 largest")},
  {20, N_ ("20 largest")},
  {50, N_ ("50 largest")},
};
#define USUAL_COUNT 1

/* ---- What the window is told ------------------------------------------- */

/* Shows the instructions [start, end) in the plot, where the addresses stay as
   they are.  */
static void
go_to (struct heap_panel *panel, uint64_t start, uint64_t end)
{
  struct dv_view view = panel->work.view;
  if (!panel->work.has_view)
    return;
  view.y0 = start;
  view.y1 = end;
  view = dv_view_clamp (view, &panel->work.scene->full);
  panel->host->go_to (panel->host->user, &view);
}

static void
go_to_all (void *user)
{
  struct heap_panel *panel = user;
  if (panel->work.scene != NULL)
    go_to (panel, panel->work.scene->full.y0, panel->work.scene->full.y1);
}

/* ---- What is chosen ----------------------------------------------------- */

static void
mark (struct heap_panel *panel)
{
  dv_heap_view_mark (&panel->view, dv_heap_work_moment (&panel->work),
                     panel->work.selected);
}

/* The button of the preset is pressed.  */
static void
show_preset (struct heap_panel *panel)
{
  panel->is_pressing = true;
  for (int i = DV_HEAP_AT_PEAK; i <= DV_HEAP_TEMPORARY; i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (panel->presets[i]),
                                  i == (int) panel->work.preset);
  panel->is_pressing = false;
}

/* What the rows are to be of.  */
static void
set_preset (struct heap_panel *panel, enum dv_heap_preset preset,
            uint64_t moment)
{
  bool was_temporary = panel->work.preset == DV_HEAP_TEMPORARY;
  dv_heap_work_set_moment (&panel->work, preset, moment);
  show_preset (panel);
  if (preset == DV_HEAP_TEMPORARY || was_temporary)
    dv_heap_table_sort (&panel->table, preset == DV_HEAP_TEMPORARY
                                         ? DV_HEAP_N_TEMPORARY
                                         : DV_HEAP_BYTES);
}

static void
choose (struct heap_panel *panel, uint64_t moment, uint32_t id)
{
  bool is_other = id != panel->work.selected;
  /* Another row, or none, at the same moment leaves a preset as it is.  */
  if (panel->work.preset == DV_HEAP_ANY
      || (moment != panel->work.moment
          && moment != dv_heap_work_moment (&panel->work)))
    set_preset (panel, DV_HEAP_ANY, moment);
  dv_heap_work_select (&panel->work, id);
  dv_heap_table_select (&panel->table, id);
  mark (panel);
  const struct dv_heap_row *row = dv_heap_work_row (&panel->work);
  if (is_other && row != NULL && row->file != NULL)
    panel->host->offer_source (panel->host->user, row->file, row->line);
}

static void
picked (void *user, uint64_t moment, uint32_t id)
{
  choose (user, moment, id);
}

static void
row_selected (void *user, uint32_t id)
{
  struct heap_panel *panel = user;
  choose (panel, panel->work.moment, id);
}

static void
row_activated (void *user)
{
  dv_heap_menu_show_source (user);
}

static void
zoomed (void *user, uint64_t start, uint64_t end)
{
  go_to (user, start, end);
}

/* Moves the plot so far that it has the moment.  */
static void
go_to_moment (struct heap_panel *panel, uint64_t moment)
{
  const struct dv_view *view = &panel->work.view;
  if (!panel->work.has_view || (moment >= view->y0 && moment < view->y1))
    return;
  uint64_t span = view->y1 - view->y0;
  uint64_t start = moment - MIN (moment, span / 2);
  go_to (panel, start, start + span);
}

/* The peak is the true one, of the whole log; temporary blocks have no moment
   of their own.  */
static void
go_to_preset (void *user, enum dv_heap_preset preset)
{
  struct heap_panel *panel = user;
  const struct dv_heap_curve *curve = panel->work.curve;
  if (curve == NULL)
    return;
  uint64_t moment = curve->heap->peak_icount;
  if (preset == DV_HEAP_AT_EXIT)
    moment = dg_log_summary (curve->heap->data->log)->last_icount;
  if (preset == DV_HEAP_TEMPORARY)
    moment = panel->work.moment;
  else
    go_to_moment (panel, moment);
  set_preset (panel, preset, moment);
  mark (panel);
}

/* Pressed again, a button is let go of.  */
static void
preset_toggled (GtkToggleButton *button, gpointer data)
{
  struct heap_panel *panel = data;
  enum dv_heap_preset preset = DV_HEAP_ANY;
  if (panel->is_pressing)
    return;
  for (int i = DV_HEAP_AT_PEAK; i <= DV_HEAP_TEMPORARY; i++)
    if (panel->presets[i] == GTK_WIDGET (button)
        && gtk_toggle_button_get_active (button))
      preset = (enum dv_heap_preset) i;
  if (preset == DV_HEAP_ANY || panel->work.curve == NULL)
    set_preset (panel, DV_HEAP_ANY, panel->work.moment);
  else
    go_to_preset (panel, preset);
}

/* ---- What is shown ------------------------------------------------------ */

static void
show_note (struct heap_panel *panel)
{
  char *text = panel->work.rows != NULL ? dv_heap_summary (panel->work.rows)
                                        : g_strdup ("");
  if (panel->work.rows != NULL && panel->work.scene != NULL)
    text = dv_gap_before (panel->work.scene->data, text);
  dv_pieces_note_set (panel->note, text);
  /* For those who cannot see it.  */
  dv_pieces_describe (panel->view.area, text);
  g_free (text);
}

static void
pointed (void *user, const struct dv_heap_hit *hit)
{
  struct heap_panel *panel = user;
  if (hit == NULL || hit->place == DV_HEAP_LEGEND
      || panel->view.curve == NULL) {
    panel->host->point_at (panel->host->user, DG_NEVER);
    show_note (panel);
    return;
  }
  char *text = dv_heap_line (panel->view.curve, hit->series, hit->column);
  dv_pieces_note_set (panel->note, text);
  panel->host->point_at (panel->host->user, hit->icount);
  g_free (text);
}

static void
say_none (struct heap_panel *panel, const struct dv_data *data)
{
  char *gap = dv_gap_text (data);
  char *text = g_strconcat (
    _ ("The log contains no heap blocks: the program allocated none, or its "
       "allocations were not recorded."),
    gap != NULL ? "\n" : NULL, gap, NULL);
  dv_pieces_hinted_say (&panel->hinted, text);
  g_free (text);
  g_free (gap);
}

static void
show_hint (struct heap_panel *panel)
{
  const struct dv_scene *scene = panel->work.scene;
  if (scene == NULL || scene->data->is_glance)
    dv_pieces_hinted_say (&panel->hinted,
                          _ ("This panel will show the heap over "
                             "time."));
  else if (!dv_heap_has_blocks (scene->data))
    say_none (panel, scene->data);
  else
    dv_pieces_hinted_say (&panel->hinted, _ ("Analysing the heap…"));
}

static void
curve_changed (void *user)
{
  struct heap_panel *panel = user;
  struct dv_heap_curve *curve = panel->work.curve;
  dv_heap_view_set (&panel->view, curve);
  mark (panel);
  if (curve != NULL)
    dv_pieces_hinted_show (&panel->hinted);
  else
    show_hint (panel);
}

static void
rows_changed (void *user)
{
  struct heap_panel *panel = user;
  dv_heap_table_set (&panel->table, panel->work.rows);
  if (panel->work.rows == NULL) {
    dv_heap_table_select (&panel->table, DG_NONE);
    show_preset (panel);
  }
  mark (panel);
  show_note (panel);
}

static void
selection_changed (void *user, struct dv_highlight *highlight,
                   const GPtrArray *stack)
{
  struct heap_panel *panel = user;
  panel->host->highlight (panel->host->user, highlight);
  dv_stack_view_fill (panel->stack, stack);
  gtk_widget_set_visible (panel->stack_box, stack != NULL);
}

static void
failed (void *user, const struct dg_error *err)
{
  struct heap_panel *panel = user;
  if (err->code == DG_ERR_CANCELLED || panel->work.curve != NULL)
    return;
  char *text =
    g_strdup_printf (_ ("The heap cannot be shown. (%s)"), err->message);
  dv_pieces_hinted_say (&panel->hinted, text);
  g_free (text);
}

static struct heap_panel *
of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "panel");
}

static void
show_view (GtkWidget *widget, struct dv_scene *scene,
           const struct dv_view *view)
{
  struct heap_panel *panel = of (widget);
  dv_heap_work_set_view (&panel->work, scene, view);
  if (panel->work.curve == NULL)
    show_hint (panel);
}

static void
show_moment (GtkWidget *widget, uint64_t icount)
{
  dv_heap_view_point_at (&of (widget)->view, icount);
}

static void
show_look (GtkWidget *widget)
{
  struct heap_panel *panel = of (widget);
  const struct dv_look *look = panel->host->look (panel->host->user);
  dv_heap_view_set_palette (&panel->view, look->palette);
  gtk_widget_queue_draw (panel->table.view.table);
}

static void
resized (void *user, uint32_t columns)
{
  struct heap_panel *panel = user;
  dv_heap_work_set_columns (&panel->work, columns);
}

/* That of the picture; only series that stand there by themselves have
   one.  */
static bool
colour_of (void *user, const struct dv_heap_row *row, struct dv_rgb *colour)
{
  struct heap_panel *panel = user;
  const struct dv_heap_curve *curve = panel->view.curve;
  uint32_t series = curve != NULL ? dv_heap_curve_find (curve, row->id)
                                  : DG_NONE;
  if (series == DG_NONE || panel->view.chart.palette == NULL)
    return false;
  struct dv_rgb *colours = g_new (struct dv_rgb, curve->curve->n_series);
  dv_heap_chart_colours (curve->curve, panel->view.chart.palette, colours);
  *colour = colours[series];
  g_free (colours);
  return true;
}

/* ---- Toolbar ------------------------------------------------------------ */

static void
view_menu (void *user, const GdkEvent *event, const GdkRectangle *place)
{
  struct heap_panel *panel = user;
  dv_heap_menu_popup (panel, panel->view.area, event, place);
}

static void
table_menu (void *user, const GdkEvent *event, const GdkRectangle *place)
{
  struct heap_panel *panel = user;
  dv_heap_menu_popup (panel, panel->table.view.table, event, place);
}

static void
more_clicked (struct heap_panel *panel)
{
  view_menu (panel, NULL, NULL);
}

static void
series_changed (GtkComboBox *combo, gpointer data)
{
  struct heap_panel *panel = data;
  int by = gtk_combo_box_get_active (GTK_COMBO_BOX (panel->by));
  int count = gtk_combo_box_get_active (GTK_COMBO_BOX (panel->count));
  dv_heap_work_set_series (&panel->work, (enum dg_curve_by) by,
                           counts[count].n);
}

/* One of them, or none, is pressed.  */
static GtkWidget *
new_presets (struct heap_panel *panel)
{
  static const struct {
    const char *label, *tip;   /* N_ () */
  } texts[] = {
    [DV_HEAP_AT_PEAK] = {N_ ("Pea_k"),
                         N_ ("Blocks alive at the peak of the whole log "
                             "(P)")},
    [DV_HEAP_AT_EXIT] = {N_ ("At E_xit"),
                         N_ ("Blocks that are never freed (E)")},
    [DV_HEAP_TEMPORARY] = {N_ ("Temporar_y"),
                           N_ ("Blocks that the next call of an allocator "
                               "frees (T)")},
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (box), "linked");
  for (int i = DV_HEAP_AT_PEAK; i <= DV_HEAP_TEMPORARY; i++) {
    GtkWidget *button
      = gtk_toggle_button_new_with_mnemonic (_ (texts[i].label));
    gtk_widget_set_tooltip_text (button, _ (texts[i].tip));
    g_signal_connect (button, "toggled", G_CALLBACK (preset_toggled), panel);
    gtk_container_add (GTK_CONTAINER (box), button);
    panel->presets[i] = button;
  }
  return box;
}

static GtkWidget *
new_toolbar (struct heap_panel *panel)
{
  const char *labels[G_N_ELEMENTS (counts)];
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    labels[i] = counts[i].label;
  gtk_container_set_border_width (GTK_CONTAINER (bar), 4);
  panel->by =
    dv_pieces_combo_new (kinds, G_N_ELEMENTS (kinds), DG_CURVE_BY_SITE,
                         G_CALLBACK (series_changed), panel);
  dv_pieces_tip (panel->by, _ ("What each area stands for"));
  panel->count =
    dv_pieces_combo_new (labels, G_N_ELEMENTS (counts), USUAL_COUNT,
                         G_CALLBACK (series_changed), panel);
  dv_pieces_tip (panel->count, _ ("Number of areas"));
  panel->note = dv_pieces_note_new (_ ("The heap at the selected time"), 1);
  dv_pieces_add (bar, panel->by, panel->count, new_presets (panel),
                 dv_pieces_button_new ("zoom-fit-best-symbolic",
                                       _ ("Show all instructions (0)"),
                                       G_CALLBACK (go_to_all), panel),
                 NULL);
  gtk_box_pack_end (GTK_BOX (bar),
                    dv_pieces_button_new ("view-more-symbolic",
                                          _ ("Actions for the heap"),
                                          G_CALLBACK (more_clicked), panel),
                    FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (bar), panel->note, TRUE, TRUE, 0);
  return bar;
}

/* ---- Making ------------------------------------------------------------- */

static void
panel_free (gpointer data)
{
  struct heap_panel *panel = data;
  dv_heap_menu_fini (panel);
  dv_heap_work_fini (&panel->work);
  dv_heap_view_fini (&panel->view);
  dv_heap_table_fini (&panel->table);
  g_free (panel);
}

/* The first time, when it is known how wide they are.  */
static void
panes_allocated (GtkWidget *panes, GdkRectangle *size, gpointer data)
{
  struct heap_panel *panel = data;
  if (panel->is_placed || size->width <= 1)
    return;
  panel->is_placed = true;
  gtk_paned_set_position (GTK_PANED (panes),
                          (int) (CHART_SHARE * size->width));
}

static GtkWidget *
new_panes (struct heap_panel *panel)
{
  GtkWidget *right = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  panel->stack = dv_stack_view_new (panel->host, _ ("Allocated by"));
  panel->stack_box = dv_pieces_scrolled_new (panel->stack);
  gtk_widget_show (panel->stack);
  gtk_widget_set_size_request (panel->stack_box, STACK_WIDTH, -1);
  gtk_widget_set_no_show_all (panel->stack_box, TRUE);
  gtk_paned_pack1 (GTK_PANED (right), panel->table.view.scrolled, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (right), panel->stack_box, FALSE, FALSE);
  panel->panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_pack1 (GTK_PANED (panel->panes), panel->view.area, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (panel->panes), right, TRUE, FALSE);
  g_signal_connect_after (panel->panes, "size-allocate",
                          G_CALLBACK (panes_allocated), panel);
  return panel->panes;
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct heap_panel *panel = g_new0 (struct heap_panel, 1);
  panel->host = host;
  panel->work = (struct dv_heap_work){
    .curve_changed = curve_changed, .rows_changed = rows_changed,
    .selection_changed = selection_changed, .failed = failed, .user = panel,
  };
  panel->view = (struct dv_heap_view){
    .pointed = pointed, .picked = picked, .zoomed = zoomed,
    .wants_all = go_to_all, .wants_preset = go_to_preset, .menu = view_menu,
    .resized = resized, .user = panel,
  };
  panel->table = (struct dv_heap_table){
    .selected = row_selected, .activated = row_activated, .menu = table_menu,
    .colour = colour_of, .user = panel,
  };
  dv_heap_work_init (&panel->work);
  dv_heap_view_init (&panel->view);
  dv_heap_table_init (&panel->table);
  dv_heap_menu_init (panel);
  dv_pieces_hinted_init (&panel->hinted, new_panes (panel));
  dv_heap_work_set_series (&panel->work, DG_CURVE_BY_SITE,
                           counts[USUAL_COUNT].n);
  panel->root = dv_pieces_panel_new (new_toolbar (panel), panel->hinted.stack,
                                     panel, panel_free);
  show_hint (panel);
  return panel->root;
}

const struct dv_panel dv_panel_heap_panel = {.id = "heap",
                                             .title = N_ ("Heap"),
                                             .place = DV_PANEL_BOTTOM,
                                             .is_picture = true,
                                             .make = make,
                                             .show_view = show_view,
                                             .show_moment = show_moment,
                                             .show_look = show_look};

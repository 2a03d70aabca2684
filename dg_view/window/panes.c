/* panes.c: the panels, beside and below the plot, and how much room they have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panes.h"

#include "i18n.h"
#include "panels/count/count_list.h"
#include "panes_host.h"
#include "rooms.h"
#include "widgets/pieces.h"

#define N_PLACES    DV_N_PLACES
#define PLOT_WIDTH  240
#define PLOT_HEIGHT 160

struct dv_panes {
  struct dv_host *host;
  GtkWidget *root;
  struct dv_panel_host panel_host;
  void (*changed) (void *user); /* which panels are seen */
  void *user;
  GtkWidget *notebooks[N_PLACES];   /* by enum dv_panel_place */
  struct dv_rooms rooms;            /* likewise; SIDE: with the minimap */
  GtkWidget **widgets;              /* as in dv_panels () */
  struct dv_tally *tally;           /* the last one; NULL: none */
  GtkWidget *folded;                /* buttons of panels without room */
  GtkWidget *unfold[N_PLACES];      /* these; NULL: it has none */
  enum { SOURCE_OFFERED, SOURCE_ASKED, SOURCE_CLOSED } source;   /* by the
                                       user; at first, it is only offered */
  guint source_timer;               /* it is about to be seen; 0: not */
};

/* By enum dv_panel_place.  */
static const struct {
  const char *name, *size_setting, *tab_setting;
  int size;
} usual[N_PLACES] = {
  {N_ ("Side panel"), "side-width", "side-tab", 340},
  {N_ ("Source"), "source-height", "source-tab", 0},
  {N_ ("Tables below"), "tables-height", "tables-tab", 200},
};

/* ---- What panels are told --------------------------------------------- */

void
dv_panes_show (struct dv_panes *panes, const struct dv_pick *pick,
               const struct dv_answer *answer)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show != NULL)
      panels[i]->show (panes->widgets[i], pick, answer);
}

static bool
shows_tallies (const struct dv_panel *panel)
{
  return panel->table != NULL || panel->show_tally != NULL;
}

static void
show_tally (const struct dv_panes *panes, int i, struct dv_tally *tally)
{
  const struct dv_panel *panel = dv_panels ()[i];
  if (panel->table != NULL)
    dv_count_list_show_tally (panes->widgets[i], tally);
  else
    panel->show_tally (panes->widgets[i], tally);
}

/* Its notebook shows it, and can be seen.  */
static bool
is_seen (const struct dv_panes *panes, int i)
{
  GtkWidget *notebook = panes->notebooks[dv_panels ()[i]->place];
  int page = gtk_notebook_page_num (GTK_NOTEBOOK (notebook),
                                    panes->widgets[i]);
  return gtk_widget_get_visible (notebook)
         && gtk_notebook_get_current_page (GTK_NOTEBOOK (notebook)) == page;
}

void
dv_panes_show_tally (struct dv_panes *panes, struct dv_tally *tally)
{
  const struct dv_panel *const *panels = dv_panels ();
  struct dv_tally *old = panes->tally;
  panes->tally = tally != NULL ? dv_tally_ref (tally) : NULL;
  for (int i = 0; panels[i] != NULL; i++)
    if (shows_tallies (panels[i]) && is_seen (panes, i))
      show_tally (panes, i, tally);
  dv_tally_unref (old);
}

static void
show_view (struct dv_panes *panes, int i)
{
  struct dv_canvas *canvas = panes->host->canvas;
  const struct dv_panel *panel = dv_panels ()[i];
  if (panel->show_view == NULL || !is_seen (panes, i))
    return;
  panel->show_view (panes->widgets[i], canvas->scene,
                    dv_canvas_has_view (canvas) ? &canvas->viewport.now
                                                : NULL);
}

void
dv_panes_show_view (struct dv_panes *panes)
{
  for (int i = 0; dv_panels ()[i] != NULL; i++)
    show_view (panes, i);
}

void
dv_panes_show_look (struct dv_panes *panes)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_look != NULL)
      panels[i]->show_look (panes->widgets[i]);
}

void
dv_panes_show_moment (struct dv_panes *panes, uint64_t icount)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_moment != NULL && is_seen (panes, i))
      panels[i]->show_moment (panes->widgets[i], icount);
}

bool
dv_panes_wants_tally (const struct dv_panes *panes)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (shows_tallies (panels[i]) && is_seen (panes, i))
      return true;
  return false;
}

/* A panel came to be seen: it has missed the last tally, or view.  */
static void
refresh (struct dv_panes *panes, enum dv_panel_place place)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++) {
    if (panels[i]->place != place || !is_seen (panes, i))
      continue;
    if (shows_tallies (panels[i]))
      show_tally (panes, i, panes->tally);
    show_view (panes, i);
  }
  panes->changed (panes->user);
}

static guint
double_click_ms (GtkWidget *widget)
{
  int ms;
  g_object_get (gtk_widget_get_settings (widget), "gtk-double-click-time",
                &ms, NULL);
  return (guint) CLAMP (ms, 0, 2000);
}

static gboolean
source_due (gpointer data)
{
  struct dv_panes *panes = data;
  panes->source_timer = 0;
  dv_rooms_want_source (&panes->rooms, true, panes->source == SOURCE_ASKED);
  refresh (panes, DV_PANEL_SOURCE);
  return G_SOURCE_REMOVE;
}

static void
set_source (struct dv_panes *panes, const char *file, unsigned line)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_source != NULL)
      panels[i]->show_source (panes->widgets[i], file, line);
}

static bool
has_source (const struct dv_panes *panes, const char *file)
{
  GtkWidget *notebook = panes->notebooks[DV_PANEL_SOURCE];
  return *file != '\0'
         && gtk_notebook_get_n_pages (GTK_NOTEBOOK (notebook)) > 0;
}

/* Sources have no room before there is one to show; and then not at once, so
   that nothing moves away under a double click.  */
static void
give_source_room (struct dv_panes *panes)
{
  if (panes->rooms.places[DV_PANEL_SOURCE].is_wanted)
    dv_rooms_want_source (&panes->rooms, true, panes->source == SOURCE_ASKED);
  else if (panes->source_timer == 0)
    panes->source_timer = g_timeout_add (
      double_click_ms (panes->notebooks[DV_PANEL_SOURCE]), source_due, panes);
}

void
dv_panes_show_source (struct dv_panes *panes, const char *file, unsigned line)
{
  set_source (panes, file, line);
  if (!has_source (panes, file))
    return;
  panes->source = SOURCE_ASKED;
  give_source_room (panes);
}

/* The page of the tables that is in front decides how much room they have. */
static void
tell_rooms (struct dv_panes *panes, GtkWidget *page)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panes->widgets[i] == page && panels[i]->place == DV_PANEL_BOTTOM)
      dv_rooms_set_picture (&panes->rooms, panels[i]->is_picture);
}

static void
page_switched (GtkNotebook *notebook, GtkWidget *page, guint number,
               gpointer data)
{
  struct dv_panes *panes = data;
  tell_rooms (panes, page);
  for (int place = 0; place < N_PLACES; place++)
    if (panes->notebooks[place] == GTK_WIDGET (notebook))
      refresh (panes, (enum dv_panel_place) place);
}

void
dv_panes_offer_source (struct dv_panes *panes, const char *file, unsigned line)
{
  if (panes->source == SOURCE_CLOSED)
    return;
  set_source (panes, file, line);
  if (has_source (panes, file))
    give_source_room (panes);
}

/* ---- What is seen ----------------------------------------------------- */

static void
set_seen (struct dv_panes *panes, GSimpleAction *action, GVariant *value,
          enum dv_panel_place place)
{
  bool seen = g_variant_get_boolean (value);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (panes->host->window));
  GtkWidget *child = panes->rooms.places[place].child;
  /* It is not to be seen for lack of room: who asks for it wants that.  */
  if (!seen && panes->rooms.places[place].is_dropped) {
    dv_rooms_want (&panes->rooms, place, true);
    refresh (panes, place);
    return;
  }
  g_simple_action_set_state (action, value);
  if (!seen && focus != NULL && gtk_widget_is_ancestor (focus, child))
    gtk_widget_grab_focus (panes->host->canvas->widget);
  dv_rooms_want (&panes->rooms, place, seen);
  dv_settings_set_flag (panes->host->settings,
                        g_action_get_name (G_ACTION (action)), seen);
  refresh (panes, place);
}

static void
set_side (GSimpleAction *action, GVariant *value, gpointer data)
{
  set_seen (data, action, value, DV_PANEL_SIDE);
}

static void
set_tables (GSimpleAction *action, GVariant *value, gpointer data)
{
  set_seen (data, action, value, DV_PANEL_BOTTOM);
}

/* Brings the history of the selected line to the front.  */
static void
show_history (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_panes *panes = data;
  GtkNotebook *notebook
    = GTK_NOTEBOOK (panes->notebooks[DV_PANEL_BOTTOM]);
  GAction *tables = g_action_map_lookup_action (
    G_ACTION_MAP (panes->host->window), "tables");
  for (int i = 0; dv_panels ()[i] != NULL; i++)
    if (g_str_equal (dv_panels ()[i]->id, "history"))
      gtk_notebook_set_current_page (
        notebook, gtk_notebook_page_num (notebook, panes->widgets[i]));
  set_seen (panes, G_SIMPLE_ACTION (tables), g_variant_new_boolean (true),
            DV_PANEL_BOTTOM);
}

static const GActionEntry actions[] = {
  { "side-panel", NULL, NULL, "true", set_side },
  { "tables", NULL, NULL, "true", set_tables },
  { "line-history", show_history },
};

/* As they were left.  */
static void
restore_seen (struct dv_panes *panes)
{
  const enum dv_panel_place of_action[] = { DV_PANEL_SIDE, DV_PANEL_BOTTOM };
  for (guint i = 0; i < G_N_ELEMENTS (of_action); i++) {
    GtkWidget *child = panes->rooms.places[of_action[i]].child;
    bool seen =
      dv_settings_flag (panes->host->settings, actions[i].name, true);
    GAction *action = g_action_map_lookup_action (
      G_ACTION_MAP (panes->host->window), actions[i].name);
    g_simple_action_set_state (G_SIMPLE_ACTION (action),
                               g_variant_new_boolean (seen));
    gtk_widget_show_all (child);
    gtk_widget_set_no_show_all (child, TRUE);
    gtk_widget_set_visible (child, seen);
    panes->rooms.places[of_action[i]].is_wanted = seen;
  }
}

/* Only panels without room have buttons.  One that goes away leaves the
   keyboard to what it has shown.  */
static void
show_folded (struct dv_panes *panes)
{
  for (int place = 0; place < N_PLACES; place++) {
    GtkWidget *button = panes->unfold[place];
    bool is_folded = panes->rooms.places[place].is_dropped;
    if (button == NULL || gtk_widget_get_visible (button) == is_folded)
      continue;
    if (gtk_widget_has_focus (button))
      gtk_widget_child_focus (panes->rooms.places[place].child,
                              GTK_DIR_TAB_FORWARD);
    gtk_widget_set_visible (button, is_folded);
  }
}

/* A panel was shown or hidden for the sake of the plot's room.  */
static void
rooms_changed (void *user)
{
  struct dv_panes *panes = user;
  show_folded (panes);
  refresh (panes, DV_PANEL_SIDE);
  refresh (panes, DV_PANEL_BOTTOM);
}

static void
source_closed (struct dv_panes *panes)
{
  panes->source = SOURCE_CLOSED;
  dv_rooms_want_source (&panes->rooms, false, false);
}

/* ---- Making ---------------------------------------------------------- */

/* To switch the action of a panel that has no room gives it some.  */
static GtkWidget *
new_folded (struct dv_panes *panes)
{
  static const struct {
    enum dv_panel_place place;
    const char *label, *tip, *action; /* N_ (), N_ () */
  } buttons[] = {
    {DV_PANEL_BOTTOM, N_ ("Tables"), N_ ("Show the tables (Ctrl+F9)"),
     "win.tables"},
    {DV_PANEL_SIDE, N_ ("Side panel"), N_ ("Show the side panel (F9)"),
     "win.side-panel"},
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++) {
    GtkWidget *button = gtk_button_new_with_label (_ (buttons[i].label));
    gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
    dv_pieces_tip (button, _ (buttons[i].tip));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button),
                                    buttons[i].action);
    gtk_widget_show_all (button);
    gtk_widget_set_no_show_all (button, TRUE);
    gtk_widget_hide (button);
    gtk_container_add (GTK_CONTAINER (box), button);
    panes->unfold[buttons[i].place] = button;
  }
  return box;
}

static GtkWidget *
new_paned (struct dv_panes *panes, enum dv_panel_place number,
           GtkOrientation orientation, GtkWidget *first, GtkWidget *second)
{
  GtkWidget *paned = gtk_paned_new (orientation);
  gtk_paned_pack1 (GTK_PANED (paned), first, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (paned), second, number == DV_PANEL_SOURCE,
                   FALSE);
  dv_rooms_place_init (&panes->rooms.places[number], paned, second,
                       dv_settings_number (panes->host->settings,
                                           usual[number].size_setting,
                                           usual[number].size),
                       usual[number].size);
  return paned;
}

/* Hides what the tabs belong to.  */
static void
add_close_button (struct dv_panes *panes, GtkWidget *notebook,
                  enum dv_panel_place place)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic",
                                                     GTK_ICON_SIZE_MENU);
  const char *tip = place == DV_PANEL_SOURCE ? _ ("Hide the source")
                    : place == DV_PANEL_SIDE ? _ ("Hide the side panel (F9)")
                                             : _ ("Hide the tables (Ctrl+F9)");
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_focus_on_click (button, FALSE);
  dv_pieces_tip (button, tip);
  if (place == DV_PANEL_SOURCE)
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (source_closed),
                              panes);
  else
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button),
                                    place == DV_PANEL_SIDE ? "win.side-panel"
                                                           : "win.tables");
  gtk_notebook_set_action_widget (GTK_NOTEBOOK (notebook), button,
                                  GTK_PACK_END);
  gtk_widget_show_all (button);
}

/* Where the tabs are hidden, GTK has no name for the page.  */
static void
name_page (GtkWidget *notebook, int page, const char *title)
{
  AtkObject *accessible = atk_object_ref_accessible_child (
    gtk_widget_get_accessible (notebook), page);
  if (accessible == NULL)
    return;
  atk_object_set_name (accessible, title);
  g_object_unref (accessible);
}

static void
fill_notebook (struct dv_panes *panes, GtkWidget *notebook,
               enum dv_panel_place place)
{
  const struct dv_panel *const *panels = dv_panels ();
  char *tab =
    dv_settings_text (panes->host->settings, usual[place].tab_setting);
  int current = 0;
  for (int i = 0; panels[i] != NULL; i++) {
    if (panels[i]->place != place)
      continue;
    panes->widgets[i] =
      panels[i]->table != NULL
        ? dv_count_list_new (panels[i]->table, &panes->panel_host)
        : panels[i]->make (&panes->panel_host);
    gtk_widget_show_all (panes->widgets[i]);
    int page =
      gtk_notebook_append_page (GTK_NOTEBOOK (notebook), panes->widgets[i],
                                gtk_label_new (_ (panels[i]->title)));
    name_page (notebook, page, _ (panels[i]->title));
    if (g_strcmp0 (tab, panels[i]->id) == 0)
      current = page;
  }
  gtk_notebook_set_current_page (GTK_NOTEBOOK (notebook), current);
  g_free (tab);
}

static GtkWidget *
new_notebook (struct dv_panes *panes, enum dv_panel_place place)
{
  GtkWidget *notebook = gtk_notebook_new ();
  panes->notebooks[place] = notebook;
  dv_pieces_name (notebook, _ (usual[place].name));
  fill_notebook (panes, notebook, place);
  int pages = gtk_notebook_get_n_pages (GTK_NOTEBOOK (notebook));
  gtk_notebook_set_scrollable (GTK_NOTEBOOK (notebook), TRUE);
  gtk_notebook_set_show_border (GTK_NOTEBOOK (notebook), FALSE);
  bool has_tabs = pages > 1 || place != DV_PANEL_SIDE;
  gtk_notebook_set_show_tabs (GTK_NOTEBOOK (notebook), has_tabs);
  /* Beside the tabs.  Without them it could not be seen, and GTK would give
     it the focus all the same.  */
  if (has_tabs)
    add_close_button (panes, notebook, place);
  if (pages == 0 || place == DV_PANEL_SOURCE)
    gtk_widget_set_no_show_all (notebook, TRUE);
  g_signal_connect_after (notebook, "switch-page", G_CALLBACK (page_switched),
                          panes);
  return notebook;
}

GtkWidget *
dv_panes_folded_widget (const struct dv_panes *panes)
{
  return panes->folded;
}

GtkWidget *
dv_panes_widget (const struct dv_panes *panes)
{
  return panes->root;
}

struct dv_panes *
dv_panes_new (struct dv_host *host, GtkWidget *plot, GtkWidget *overview,
              void (*changed) (void *user), void *user)
{
  struct dv_panes *panes = g_new0 (struct dv_panes, 1);
  int n = 0;
  while (dv_panels ()[n] != NULL)
    n++;
  panes->host = host;
  panes->changed = changed;
  panes->user = user;
  panes->widgets = g_new0 (GtkWidget *, n + 1);
  panes->panel_host = dv_panes_host (host);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), panes);
  GtkWidget *side = new_notebook (panes, DV_PANEL_SIDE);
  GtkWidget *source = new_notebook (panes, DV_PANEL_SOURCE);
  GtkWidget *bottom = new_notebook (panes, DV_PANEL_BOTTOM);
  gtk_widget_set_size_request (plot, PLOT_WIDTH, PLOT_HEIGHT);
  dv_rooms_init (&panes->rooms, host, rooms_changed, panes);
  GtkWidget *right = new_paned (panes, DV_PANEL_SOURCE,
                                GTK_ORIENTATION_VERTICAL, side, source);
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (column), overview);
  gtk_box_pack_start (GTK_BOX (column), right, TRUE, TRUE, 0);
  GtkWidget *left = new_paned (panes, DV_PANEL_BOTTOM,
                               GTK_ORIENTATION_VERTICAL, plot, bottom);
  GtkWidget *all = new_paned (panes, DV_PANEL_SIDE,
                              GTK_ORIENTATION_HORIZONTAL, left, column);
  restore_seen (panes);
  tell_rooms (panes, gtk_notebook_get_nth_page (
    GTK_NOTEBOOK (bottom),
    gtk_notebook_get_current_page (GTK_NOTEBOOK (bottom))));
  /* What was in front when the window was closed is not asked for now, unless
     the other one was folded away.  */
  panes->rooms.last =
    dv_settings_flag (host->settings, "side-folded", false)
      ? DV_PANEL_BOTTOM : DV_PANEL_SIDE;
  panes->folded = new_folded (panes);
  dv_rooms_watch (&panes->rooms);
  panes->root = all;
  return panes;
}

static void
save (struct dv_panes *panes)
{
  const struct dv_panel *const *panels = dv_panels ();
  dv_settings_set_flag (panes->host->settings, "side-folded",
                        panes->rooms.places[DV_PANEL_SIDE].is_dropped);
  for (int place = 0; place < N_PLACES; place++) {
    int size = dv_rooms_place_chosen (&panes->rooms.places[place]);
    GtkNotebook *notebook = GTK_NOTEBOOK (panes->notebooks[place]);
    GtkWidget *page = gtk_notebook_get_nth_page (
      notebook, gtk_notebook_get_current_page (notebook));
    if (size != 0)
      dv_settings_set_number (panes->host->settings, usual[place].size_setting,
                              size);
    for (int i = 0; panels[i] != NULL; i++)
      if (page != NULL && panes->widgets[i] == page)
        dv_settings_set_text (panes->host->settings, usual[place].tab_setting,
                              panels[i]->id);
  }
}

void
dv_panes_closed (struct dv_panes *panes)
{
  save (panes);
  dv_rooms_fini (&panes->rooms);
  g_clear_handle_id (&panes->source_timer, g_source_remove);
  /* GTK would look for the tab of a page that is removed, if anybody watches
     the accessible objects.  */
  for (int place = 0; place < N_PLACES; place++)
    gtk_notebook_set_show_tabs (GTK_NOTEBOOK (panes->notebooks[place]), FALSE);
}

void
dv_panes_free (struct dv_panes *panes)
{
  dv_tally_unref (panes->tally);
  g_free (panes->widgets);
  g_free (panes);
}

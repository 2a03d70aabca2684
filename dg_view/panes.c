/* panes.c: the panels, beside and below the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "i18n.h"
#include "window_parts.h"

#define SIDE_WIDTH    360
#define BOTTOM_HEIGHT 220
#define N_PLACES      3

struct dv_panes {
  struct dv_window *window;
  struct dv_panel_host host;
  GtkWidget *notebooks[N_PLACES];   /* by enum dv_panel_place */
  GtkWidget **widgets;              /* as in dv_panels () */
  struct dv_tally *tally;           /* the last one; NULL: none */
};

/* ---- What panels ask for ---------------------------------------------- */

static void
host_show_source (void *user, const char *file, unsigned line)
{
  dv_panes_show_source (user, file, line);
}

static void
host_edit_source (void *user, const char *file, unsigned line)
{
  dv_window_edit (user, file, line);
}

static void
host_select (void *user, const struct dg_access *access)
{
  dv_window_select (user, access);
}

static void
host_highlight (void *user, struct dv_highlight *highlight)
{
  struct dv_window *window = user;
  dv_canvas_set_highlight (window->canvas, highlight);
}

static void
host_go_to (void *user, const struct dv_view *view)
{
  dv_window_go_to (user, view);
}

static void
host_filter (void *user, const char *events, const char *ranges)
{
  dv_loading_filter (user, events, ranges);
}

/* ---- What panels are told --------------------------------------------- */

void
dv_panes_show (struct dv_window *window, const struct dv_pick *pick,
               const struct dv_answer *answer)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show != NULL)
      panels[i]->show (window->panes->widgets[i], pick, answer);
}

void
dv_panes_show_source (struct dv_window *window, const char *file,
                      unsigned line)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_source != NULL)
      panels[i]->show_source (window->panes->widgets[i], file, line);
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
dv_panes_show_tally (struct dv_window *window, struct dv_tally *tally)
{
  struct dv_panes *panes = window->panes;
  const struct dv_panel *const *panels = dv_panels ();
  struct dv_tally *old = panes->tally;
  panes->tally = tally != NULL ? dv_tally_ref (tally) : NULL;
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_tally != NULL && is_seen (panes, i))
      panels[i]->show_tally (panes->widgets[i], tally);
  dv_tally_unref (old);
}

bool
dv_panes_wants_tally (const struct dv_window *window)
{
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panels[i]->show_tally != NULL && is_seen (window->panes, i))
      return true;
  return false;
}

static void
page_switched (GtkNotebook *notebook, GtkWidget *page, guint number,
               gpointer data)
{
  struct dv_window *window = data;
  struct dv_panes *panes = window->panes;
  const struct dv_panel *const *panels = dv_panels ();
  for (int i = 0; panels[i] != NULL; i++)
    if (panes->widgets[i] == page && panels[i]->show_tally != NULL)
      panels[i]->show_tally (page, panes->tally);
  dv_tallying_panel_changed (window);
}

/* ---- Making ---------------------------------------------------------- */

static GtkWidget *
new_notebook (struct dv_window *window, enum dv_panel_place place)
{
  struct dv_panes *panes = window->panes;
  const struct dv_panel *const *panels = dv_panels ();
  GtkWidget *notebook = gtk_notebook_new ();
  panes->notebooks[place] = notebook;
  for (int i = 0; panels[i] != NULL; i++) {
    if (panels[i]->place != place)
      continue;
    panes->widgets[i] = panels[i]->make (&panes->host);
    gtk_notebook_append_page (GTK_NOTEBOOK (notebook), panes->widgets[i],
                              gtk_label_new (_(panels[i]->title)));
  }
  gtk_notebook_set_scrollable (GTK_NOTEBOOK (notebook), TRUE);
  gtk_notebook_set_show_border (GTK_NOTEBOOK (notebook), FALSE);
  int pages = gtk_notebook_get_n_pages (GTK_NOTEBOOK (notebook));
  gtk_notebook_set_show_tabs (GTK_NOTEBOOK (notebook), pages > 1);
  gtk_widget_set_no_show_all (notebook, pages == 0);
  g_signal_connect_after (notebook, "switch-page",
                          G_CALLBACK (page_switched), window);
  return notebook;
}

GtkWidget *
dv_panes_new (struct dv_window *window, GtkWidget *plot)
{
  struct dv_panes *panes = g_new0 (struct dv_panes, 1);
  int n = 0;
  while (dv_panels ()[n] != NULL)
    n++;
  window->panes = panes;
  panes->window = window;
  panes->widgets = g_new0 (GtkWidget *, n + 1);
  panes->host = (struct dv_panel_host){
    host_show_source, host_edit_source, host_select, host_highlight,
    host_go_to, host_filter, window
  };
  GtkWidget *side = new_notebook (window, DV_PANEL_SIDE);
  GtkWidget *source = new_notebook (window, DV_PANEL_SOURCE);
  GtkWidget *bottom = new_notebook (window, DV_PANEL_BOTTOM);
  gtk_widget_set_size_request (side, SIDE_WIDTH, -1);
  gtk_widget_set_size_request (bottom, -1, BOTTOM_HEIGHT);

  GtkWidget *right = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_pack1 (GTK_PANED (right), side, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (right), source, TRUE, FALSE);
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (column), dv_minimap_widget (window));
  gtk_box_pack_start (GTK_BOX (column), right, TRUE, TRUE, 0);
  GtkWidget *left = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_pack1 (GTK_PANED (left), plot, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (left), bottom, FALSE, FALSE);
  GtkWidget *all = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_pack1 (GTK_PANED (all), left, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (all), column, FALSE, FALSE);
  return all;
}

void
dv_panes_free (struct dv_window *window)
{
  struct dv_panes *panes = window->panes;
  if (panes == NULL)
    return;
  dv_tally_unref (panes->tally);
  g_free (panes->widgets);
  g_free (panes);
  window->panes = NULL;
}

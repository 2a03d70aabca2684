/* linehistory.c: the panel with all accesses to a cache line: the one of the
   access, or the address, that was pointed at.

   It is read in the background when the panel is seen, a page of rows at a
   time; the first and the last row lead to more.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include <string.h>

#include <dg_record.h>

#include "format.h"
#include "i18n.h"
#include "jobs/job.h"
#include "model/access/history.h"
#include "model/log/seek.h"
#include "panels/base/row_table.h"
#include "widgets/pieces.h"

#define PROGRESS_MS 250

/* What rows are known by that are not accesses.  */
#define EARLIER 1
#define LATER   UINT64_MAX

enum column { WHO, KIND, THREAD, FIELD, ADDRESS, WHEN, N_COLUMNS };

struct panel {
  const struct dv_panel_host *host;
  struct dv_row_table table;
  struct dv_pieces_hinted hinted;
  GtkWidget *root, *note, *cancel;
  struct dv_scene *scene;            /* that is shown; NULL: none */
  bool has_point;
  struct dg_access point;            /* that was pointed at */
  struct dv_history_page *page;      /* NULL: nothing is shown */
  struct dv_job *job;                /* reading another; NULL: not */
  struct {                           /* what was read last, or tried to */
    bool is_set;
    uint64_t low;
    struct dg_access point;
  } asked;                           /* of the scene */
  guint timer;                       /* while it is read */
  guint idle;                        /* the selected row is to be seen */
};

/* ---- Rows ------------------------------------------------------------ */

static bool
has_earlier (const struct panel *panel)
{
  return panel->page->first > 0;
}

static uint64_t
n_later (const struct panel *panel)
{
  const struct dv_history_page *page = panel->page;
  return page->history->total - page->first - page->rows->len;
}

/* NULL: it leads to more.  */
static const struct dv_history_row *
row_of (const struct panel *panel, guint row)
{
  if (has_earlier (panel) && row-- == 0)
    return NULL;
  return row < panel->page->rows->len
           ? &g_array_index (panel->page->rows, struct dv_history_row, row)
           : NULL;
}

static bool
is_earlier (const struct panel *panel, guint row)
{
  return has_earlier (panel) && row == 0;
}

static guint
n_rows (const struct panel *panel)
{
  return panel->page->rows->len + has_earlier (panel) + (n_later (panel) > 0);
}

static struct dv_row_column
column (const void *user, guint number)
{
  static const struct dv_row_column columns[N_COLUMNS] = {
    { N_ ("Who"), N_ ("The innermost function"), 200,
      .shorten = PANGO_ELLIPSIZE_MIDDLE },
    { N_ ("Kind"), NULL, 130, .shorten = PANGO_ELLIPSIZE_END },
    { N_ ("Thread"), NULL, 100, .shorten = PANGO_ELLIPSIZE_END },
    { N_ ("Field"), N_ ("Or whose memory it is"), 220,
      .shorten = PANGO_ELLIPSIZE_MIDDLE },
    { N_ ("Address"), NULL, 130, .is_number = true },
    { N_ ("When"), N_ ("Instructions executed before"), 120,
      .is_number = true } };
  return columns[number];
}

static char *
kind_text (const struct dg_access *access)
{
  const char *format
    = access->kind == DG_ACC_WRITE
        ? ngettext ("write of %u byte", "write of %u bytes", access->size)
        : ngettext ("read of %u byte", "read of %u bytes", access->size);
  return g_strdup_printf (format, access->size);
}

static char *
more_text (const struct panel *panel, guint row)
{
  bool earlier = is_earlier (panel, row);
  uint64_t n = earlier ? panel->page->first : n_later (panel);
  char number[DG_NUMBER_TEXT];
  dg_number_text (number, sizeof number, n);
  return g_strdup_printf (earlier ? ngettext ("%s earlier access…",
                                              "%s earlier accesses…", n)
                                  : ngettext ("%s later access…",
                                              "%s later accesses…", n),
                          number);
}

static char *
text (const void *user, guint number, guint column)
{
  const struct panel *panel = user;
  const struct dv_history_row *row = row_of (panel, number);
  char figure[DG_NUMBER_TEXT];
  if (row == NULL)
    return column == WHO ? more_text (panel, number) : g_strdup ("");
  switch (column) {
  case WHEN:
    dg_number_text (figure, sizeof figure, row->access.icount);
    return g_strdup (figure);
  case THREAD: return g_strdup (row->thread);
  case KIND: return kind_text (&row->access);
  case ADDRESS: return g_strdup_printf (DV_ADDRESS, row->access.address);
  case FIELD: return g_strdup (row->field);
  default: return g_strdup (row->who);
  }
}

static double
share (const void *user, guint row)
{
  return 0;
}

static int
order (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* What leads to more stays at its end.  */
static int
compare (const void *user, guint a, guint b, guint column)
{
  const struct panel *panel = user;
  const struct dv_history_row *x = row_of (panel, a), *y = row_of (panel, b);
  if (x == NULL || y == NULL)
    return order (a, b);
  switch (column) {
  case THREAD: return order (x->access.thread, y->access.thread);
  case KIND:
    return order (x->access.kind, y->access.kind)
           ?: order (x->access.size, y->access.size);
  case ADDRESS: return order (x->access.address, y->access.address);
  case FIELD: return g_utf8_collate (x->field, y->field);
  case WHO: return g_utf8_collate (x->who, y->who);
  default: return order (a, b);
  }
}

static char *
tip (const void *user, guint number)
{
  const struct panel *panel = user;
  const struct dv_history_row *row = row_of (panel, number);
  return row != NULL ? g_strdup_printf ("%s\n%s", row->who, row->field)
                     : g_strdup (_ ("Press Enter, or click twice"));
}

static void
names (const void *user, guint number, const char *names[2])
{
  const struct dv_history_row *row = row_of (user, number);
  names[0] = row != NULL ? row->who : "";
  names[1] = row != NULL ? row->field : "";
}

static uint64_t
key (const void *user, guint number)
{
  const struct panel *panel = user;
  if (row_of (panel, number) == NULL)
    return is_earlier (panel, number) ? EARLIER : LATER;
  return panel->page->first + number - has_earlier (panel) + 2;
}

/* ---- Reading --------------------------------------------------------- */

struct demand {
  struct dv_scene *scene;
  struct dv_history *history; /* NULL: it is to be counted */
  uint64_t low, high, first;
  struct dg_access at;
};

static void
demand_free (void *memory)
{
  struct demand *demand = memory;
  dv_scene_unref (demand->scene);
  dv_history_unref (demand->history);
  g_free (demand);
}

static void *
run_demand (void *input, dg_progress_fn progress, void *user,
            struct dg_error *err)
{
  struct demand *demand = input;
  return demand->history != NULL
           ? dv_history_page (demand->history, demand->first, DV_HISTORY_ROWS,
                              progress, user, err)
           : dv_history_new (demand->scene, demand->low, demand->high,
                             &demand->at, DV_HISTORY_ROWS, progress, user,
                             err);
}

static void
stop (struct panel *panel)
{
  g_clear_pointer (&panel->job, dv_job_drop);
  g_clear_handle_id (&panel->timer, g_source_remove);
  gtk_widget_hide (panel->cancel);
}

/* Which rows there are, of how many.  */
static void
say_what (struct panel *panel)
{
  const struct dv_history *history = panel->page->history;
  char all[DG_NUMBER_TEXT], reads[DG_NUMBER_TEXT], writes[DG_NUMBER_TEXT];
  char first[DG_NUMBER_TEXT], last[DG_NUMBER_TEXT];
  dg_number_text (all, sizeof all, history->total);
  dg_number_text (reads, sizeof reads, history->reads);
  dg_number_text (writes, sizeof writes, history->writes);
  dg_number_text (first, sizeof first, panel->page->first + 1);
  dg_number_text (last, sizeof last,
                  panel->page->first + panel->page->rows->len);
  dv_pieces_note_take (
    panel->note,
    history->total <= panel->page->rows->len
      ? g_strdup_printf (_ ("Line at 0x%llx, accesses: %s (reads: %s, "
                            "writes: %s)"),
                         (unsigned long long) history->low, all, reads,
                         writes)
      : g_strdup_printf (_ ("Line at 0x%llx, accesses: %s (reads: %s, "
                            "writes: %s), shown: %s to %s"),
                         (unsigned long long) history->low, all, reads,
                         writes, first, last));
}

/* Of the access that is selected in the plot.  */
static void
show_point (struct panel *panel)
{
  guint row;
  bool found = panel->page != NULL
               && dv_history_find (panel->page, &panel->point, &row);
  dv_row_table_select (
    &panel->table,
    found ? panel->page->first + row + 2 : 0);
}

/* Once the table has its size.  */
static gboolean
see_point (gpointer data)
{
  struct panel *panel = data;
  panel->idle = 0;
  panel->table.key = 0;
  show_point (panel);
  return G_SOURCE_REMOVE;
}

static void
arrived (void *user, void *result, const struct dg_error *err)
{
  struct panel *panel = user;
  struct dv_history_page *old = panel->page;
  panel->job = NULL;
  stop (panel);
  if (result == NULL) {
    char *text = g_strdup_printf (_ ("The history cannot be read. (%s)"),
                                  err->message);
    dv_pieces_note_take (panel->note, text);
    return;
  }
  panel->page = result;
  panel->table.key = 0;
  dv_row_table_set (&panel->table, n_rows (panel));
  dv_history_page_free (old);
  say_what (panel);
  if (panel->page->history->total > 0)
    dv_pieces_hinted_show (&panel->hinted);
  else
    dv_pieces_hinted_say (&panel->hinted,
                          panel->scene->filter != NULL
                            ? _ ("No accesses match the filters.")
                            : _ ("No access touches this cache line."));
  show_point (panel);
  if (panel->idle == 0)
    panel->idle = g_idle_add_full (G_PRIORITY_LOW, see_point, panel, NULL);
}

static gboolean
say_progress (gpointer data)
{
  struct panel *panel = data;
  char share[DG_NUMBER_TEXT];
  dv_format_about_percent (share, sizeof share, dv_job_fraction (panel->job));
  dv_pieces_note_take (
    panel->note, g_strdup_printf (_ ("Reading the history… %s"), share));
  return G_SOURCE_CONTINUE;
}

/* Takes the demand over.  */
static void
start (struct panel *panel, struct demand *demand)
{
  static const struct dv_job_class class
    = { run_demand, demand_free, (void (*) (void *)) dv_history_page_free };
  stop (panel);
  panel->job = dv_job_start (&class, demand, arrived, panel);
  panel->timer = g_timeout_add (PROGRESS_MS, say_progress, panel);
  gtk_widget_show (panel->cancel);
}

static void
cancelled (struct panel *panel)
{
  stop (panel);
  dv_pieces_note_set (panel->note, _ ("Reading the history was cancelled."));
}

/* ---- What it is about ------------------------------------------------ */

static uint64_t
line_of (const struct panel *panel, uint64_t address)
{
  return address >> panel->scene->data->line_shift
                    << panel->scene->data->line_shift;
}

static bool
is_of_point (const struct panel *panel)
{
  const struct dv_history_page *page = panel->page;
  guint row;
  return page != NULL && page->history->scene == panel->scene
         && page->history->low == line_of (panel, panel->point.address)
         && (panel->point.size == 0
             || dv_history_find (page, &panel->point, &row));
}

/* Once for each point, whether it was found or not, or cancelled: the view is
   shown at each step of a zoom, and another page may have been gone to.  */
static bool
is_asked (const struct panel *panel)
{
  return panel->asked.is_set
         && panel->asked.low == line_of (panel, panel->point.address)
         && panel->asked.point.size == panel->point.size
         && dv_seek_same_access (&panel->asked.point, &panel->point);
}

static void
clear (struct panel *panel)
{
  stop (panel);
  panel->asked.is_set = false;
  panel->table.key = 0;
  panel->table.n_rows = 0;
  dv_row_table_set (&panel->table, 0);
  g_clear_pointer (&panel->page, dv_history_page_free);
  dv_pieces_note_set (panel->note, "");
  dv_pieces_hinted_say (&panel->hinted,
                        _ ("Click in the plot to see all accesses to the "
                           "cache line there."));
}

static void
update (struct panel *panel)
{
  if (!gtk_widget_get_mapped (panel->root) || panel->scene == NULL
      || panel->scene->data->is_glance || !panel->has_point)
    return;
  uint64_t line = line_of (panel, panel->point.address);
  if (is_asked (panel)) {
    show_point (panel);
    return;
  }
  panel->asked.is_set = true;
  panel->asked.low = line;
  panel->asked.point = panel->point;
  if (is_of_point (panel)) {
    stop (panel);
    say_what (panel);
    show_point (panel);
    return;
  }
  struct demand *demand = g_new0 (struct demand, 1);
  uint64_t size = (uint64_t) 1 << panel->scene->data->line_shift;
  demand->scene = dv_scene_ref (panel->scene);
  demand->at = panel->point;
  demand->low = line;
  demand->high = line > UINT64_MAX - size ? UINT64_MAX : line + size;
  start (panel, demand);
}

static void
show (GtkWidget *root, const struct dv_pick *pick,
      const struct dv_answer *answer)
{
  struct panel *panel = g_object_get_data (G_OBJECT (root), "panel");
  if (answer == NULL) {
    panel->has_point = false;
    return;
  }
  panel->has_point = true;
  panel->point = answer->access;
  if (answer->is_nothing)
    panel->point.size = 0;
  update (panel);
}

static void
show_view (GtkWidget *root, struct dv_scene *scene,
           const struct dv_view *view)
{
  struct panel *panel = g_object_get_data (G_OBJECT (root), "panel");
  struct dv_scene *old = panel->scene;
  if (scene == old) {
    update (panel);
    return;
  }
  panel->scene = scene != NULL ? dv_scene_ref (scene) : NULL;
  clear (panel);
  dv_scene_unref (old);
  update (panel);
}

static void
selected (void *user)
{
  struct panel *panel = user;
  guint number;
  if (!dv_row_table_selected (&panel->table, &number))
    return;
  const struct dv_history_row *row = row_of (panel, number);
  if (row == NULL)
    return;
  panel->point = row->access;
  panel->host->select (panel->host->user, &row->access);
}

static void
activated (void *user)
{
  struct panel *panel = user;
  guint number;
  if (!dv_row_table_selected (&panel->table, &number)
      || row_of (panel, number) != NULL)
    return;
  struct demand *demand = g_new0 (struct demand, 1);
  const struct dv_history_page *page = panel->page;
  demand->scene = dv_scene_ref (panel->scene);
  demand->history = dv_history_ref (page->history);
  demand->first = !is_earlier (panel, number) ? page->first + page->rows->len
                  : page->first > DV_HISTORY_ROWS
                    ? page->first - DV_HISTORY_ROWS : 0;
  start (panel, demand);
}

/* ---- Making ---------------------------------------------------------- */

static void
panel_free (gpointer memory)
{
  struct panel *panel = memory;
  g_clear_pointer (&panel->job, dv_job_drop);
  g_clear_handle_id (&panel->timer, g_source_remove);
  g_clear_handle_id (&panel->idle, g_source_remove);
  dv_history_page_free (panel->page);
  dv_scene_unref (panel->scene);
  dv_row_table_fini (&panel->table);
  g_free (panel);
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  static const struct dv_row_table_class table_class = {
    .column = column, .text = text, .share = share, .compare = compare,
    .tip = tip, .names = names, .key = key, .selected = selected,
    .activated = activated };
  struct panel *panel = g_new0 (struct panel, 1);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  panel->host = host;
  panel->note = dv_pieces_note_new (_ ("What the history shows"), 0);
  gtk_widget_set_hexpand (panel->note, TRUE);
  panel->cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  gtk_widget_set_no_show_all (panel->cancel, TRUE);
  g_signal_connect_swapped (panel->cancel, "clicked", G_CALLBACK (cancelled),
                            panel);
  dv_pieces_add (row, panel->note, panel->cancel, NULL);
  dv_pieces_margins (row, 8, 8, 4, 4);
  panel->table.is_ascending = true;
  dv_row_table_init (&panel->table, &table_class, N_COLUMNS, WHEN,
                     _ ("History of this line"), panel);
  dv_pieces_hinted_init (&panel->hinted, panel->table.scrolled);
  panel->root = dv_pieces_panel_new (row, panel->hinted.stack, panel,
                                     panel_free);
  clear (panel);
  return panel->root;
}

const struct dv_panel dv_panel_linehistory = { .id = "history",
                                               .title = N_ ("History"),
                                               .place = DV_PANEL_BOTTOM,
                                               .make = make,
                                               .show = show,
                                               .show_view = show_view };

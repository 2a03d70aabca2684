/* search.c: the bar in which to search: going to an address, an instruction, a
   function, a label.

   What can be found is gathered once for each log, in the background, and
   searched from the first moment on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "search.h"

#include <string.h>
#include <libdatagrind.h>

#include "format.h"
#include "found.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define LIST_WIDTH  620
#define LIST_HEIGHT 380
/* Of each kind; who wants others types more.  */
#define MOST_ROWS   30
#define REFRESH_MS  250

struct dv_search {
  struct dv_host *host;
  struct dv_stepping *stepping;
  GtkWidget *bar, *entry, *status, *spinner, *popover, *list;
  struct dv_names *names;        /* of the window's data; NULL: none yet */
  struct dv_job *gathering;      /* filling them; NULL: it is done */
  struct dv_job *lookup;         /* of heap blocks by address */
  guint refresh;                 /* timer, while gathering */
  GPtrArray *found;              /* struct dv_found *, as in the list */
  guint64 total;                 /* names that match, listed or not */
  struct dv_found *last;         /* chosen last, in `found`; NULL: none */
  bool tells_choice;             /* the status is about what was chosen */
  bool tells_bright;             /* ... and about what stands out */
  bool enter_waits;              /* for something to be found */
};

/* ---- The list -------------------------------------------------------- */

static GtkWidget *
new_row (struct dv_found *found)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *title =
    dv_pieces_label_new (found->title, DV_LEFT | DV_SHORTEN_MIDDLE);
  GtkWidget *detail =
    dv_pieces_label_new (found->detail, DV_SHORTEN_MIDDLE | DV_DIM);
  dv_pieces_margins (box, 12, 12, 3, 3);
  gtk_label_set_xalign (GTK_LABEL (detail), 1);
  gtk_box_pack_start (GTK_BOX (box), title, TRUE, TRUE, 0);
  gtk_box_pack_end (GTK_BOX (box), detail, FALSE, FALSE, 0);
  gtk_label_set_max_width_chars (GTK_LABEL (detail), 46);
  gtk_container_add (GTK_CONTAINER (row), box);
  gtk_widget_set_tooltip_text (row, found->title);
  dv_pieces_name (row, found->title);
  if (found->detail != NULL)
    dv_pieces_describe (row, found->detail);
  g_object_set_data (G_OBJECT (row), "found", found);
  gtk_widget_show_all (row);
  return row;
}

static const struct dv_found *
found_of (GtkListBoxRow *row)
{
  return row != NULL ? g_object_get_data (G_OBJECT (row), "found") : NULL;
}

static void
set_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const struct dv_found *found = found_of (row), *last = found_of (before);
  if (last != NULL && strcmp (found->group, last->group) == 0) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  GtkWidget *label = dv_pieces_label_new (NULL, DV_LEFT | DV_SHORTEN | DV_DIM);
  char *markup = g_markup_printf_escaped ("<small><b>%s</b></small>",
                                          found->group);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  g_free (markup);
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_top (label, before != NULL ? 9 : 6);
  gtk_widget_set_margin_bottom (label, 3);
  gtk_widget_show (label);
  gtk_list_box_row_set_header (row, label);
}

/* Takes the array over; what was selected, if it is still there, stays.  */
static void
fill_list (struct dv_search *search, GPtrArray *found)
{
  GtkListBox *list = GTK_LIST_BOX (search->list);
  const struct dv_found *old
    = found_of (gtk_list_box_get_selected_row (list));
  char *title = old != NULL ? g_strdup (old->title) : NULL;
  dv_pieces_clear (search->list);
  g_ptr_array_unref (search->found);
  search->found = found;
  search->last = NULL;
  search->tells_choice = false;
  for (guint i = 0; i < found->len; i++) {
    struct dv_found *one = g_ptr_array_index (found, i);
    GtkWidget *row = new_row (one);
    gtk_list_box_insert (list, row, -1);
    if (i == 0 || (title != NULL && strcmp (title, one->title) == 0))
      gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row));
  }
  g_free (title);
}

static void
set_status (struct dv_search *search, const char *text)
{
  search->tells_bright = false;
  dv_pieces_note_set (search->status, text);
}

/* How much there is, and whether there will be more.  What was said of a
   choice stays: results that come later are not about it.  */
static void
tell_status (struct dv_search *search)
{
  const char *text = gtk_entry_get_text (GTK_ENTRY (search->entry));
  char number[40], shown[160] = "";
  if (search->tells_choice)
    return;
  dg_number_text (number, sizeof number, search->total);
  if (search->gathering != NULL && search->names != NULL) {
    dv_format_about_percent (number, sizeof number,
                             dv_job_fraction (search->gathering));
    g_snprintf (shown, sizeof shown, _ ("Reading names… %s"), number);
  } else if (*text != '\0' && search->found->len == 0
           && search->lookup == NULL)
    g_snprintf (shown, sizeof shown, "%s",
                search->host->data == NULL ? _ ("The log is still being read")
                                           : _ ("No results"));
  else if (search->total > search->found->len)
    g_snprintf (shown, sizeof shown, _ ("The best of %s results"), number);
  set_status (search, shown);
}

static void
show_list (struct dv_search *search, bool show)
{
  gtk_widget_set_visible (search->popover,
                          show && search->found->len > 0
                          && gtk_widget_has_focus (search->entry));
}

/* ---- Searching ------------------------------------------------------- */

static void choose_waiting (struct dv_search *search);

static void
blocks_found (void *user, void *result, const struct dg_error *err)
{
  struct dv_search *search = user;
  GPtrArray *blocks = result;
  search->lookup = NULL;
  for (guint i = 0; blocks != NULL && i < blocks->len; i++) {
    struct dv_found *one = g_ptr_array_index (blocks, i);
    gtk_list_box_insert (GTK_LIST_BOX (search->list), new_row (one), -1);
    g_ptr_array_add (search->found, one);
  }
  if (blocks != NULL) {
    g_ptr_array_set_free_func (blocks, NULL);
    g_ptr_array_unref (blocks);
  }
  GtkListBox *list = GTK_LIST_BOX (search->list);
  if (gtk_list_box_get_selected_row (list) == NULL)
    gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, 0));
  tell_status (search);
  if (gtk_widget_get_visible (search->popover))
    show_list (search, true);
  choose_waiting (search);
}

/* From the beginning, for what the entry says.  */
static void
find (struct dv_search *search)
{
  struct dv_host *host = search->host;
  const char *text = gtk_entry_get_text (GTK_ENTRY (search->entry));
  GPtrArray *found = dv_found_new ();
  struct dv_query query;
  g_clear_pointer (&search->lookup, dv_job_drop);
  search->total = 0;
  dv_query_parse (&query, text);
  if (dv_canvas_has_view (host->canvas))
    dv_found_add_numbers (found, host, &query);
  if (search->names != NULL)
    search->total = dv_found_add_names (found, search->names, &query,
                                        MOST_ROWS);
  fill_list (search, found);
  if (query.has_address && host->data != NULL)
    search->lookup =
      dv_found_blocks (host->data, query.address, blocks_found, search);
  dv_query_clear (&query);
  tell_status (search);
}

/* ---- Names ----------------------------------------------------------- */

static void *
run_gathering (void *input, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  return dv_names_gather (input, progress, user, err) == 0
         ? dv_names_ref (input) : NULL;
}

static void
stop_refresh (struct dv_search *search)
{
  g_clear_handle_id (&search->refresh, g_source_remove);
  gtk_spinner_stop (GTK_SPINNER (search->spinner));
}

/* What came meanwhile joins the list.  */
static void
refresh_list (struct dv_search *search)
{
  struct dv_query query;
  guint64 total = 0;
  dv_query_parse (&query, gtk_entry_get_text (GTK_ENTRY (search->entry)));
  GArray *matches = dv_names_find (search->names, &query, 1, &total);
  g_array_unref (matches);
  dv_query_clear (&query);
  bool is_open = gtk_widget_get_visible (search->popover);
  if (total != search->total && search->last == NULL) {
    find (search);
    show_list (search, is_open || gtk_widget_has_focus (search->entry));
  }
  tell_status (search);
  choose_waiting (search);
}

static gboolean
refresh (gpointer data)
{
  refresh_list (data);
  return G_SOURCE_CONTINUE;
}

static void
gathered (void *user, void *result, const struct dg_error *err)
{
  struct dv_search *search = user;
  search->gathering = NULL;
  dv_names_unref (result);
  stop_refresh (search);
  refresh_list (search);
}

static void forget_names (struct dv_search *search);

static void
start_gathering (struct dv_search *search)
{
  static const struct dv_job_class class = {run_gathering,
                                            (GDestroyNotify) dv_names_unref,
                                            (GDestroyNotify) dv_names_unref};
  struct dv_data *data = search->host->data;
  if (data == NULL
      || (search->names != NULL && dv_names_data (search->names) == data))
    return;
  forget_names (search);
  search->names = dv_names_new (data);
  search->gathering = dv_job_start (&class, dv_names_ref (search->names),
                                    gathered, search);
  search->refresh = g_timeout_add (REFRESH_MS, refresh, search);
  gtk_spinner_start (GTK_SPINNER (search->spinner));
}

/* Of another log.  */
static void
forget_names (struct dv_search *search)
{
  dv_job_drop (search->gathering);
  dv_job_drop (search->lookup);
  search->gathering = search->lookup = NULL;
  if (search->bar != NULL) {
    stop_refresh (search);
    fill_list (search, dv_found_new ());
    show_list (search, false);
  }
  g_clear_pointer (&search->names, dv_names_unref);
}

/* ---- Choosing -------------------------------------------------------- */

static void choose (struct dv_search *search, struct dv_found *found,
                    bool backward);

static void
choose_again (void *user, bool backward)
{
  struct dv_search *search = user;
  if (search->last != NULL)
    choose (search, search->last, backward);
}

static void
choose (struct dv_search *search, struct dv_found *found, bool backward)
{
  bool again = search->last == found;
  /* From where the one before this leads.  */
  if (again && dv_stepping_is_busy (search->stepping)) {
    dv_stepping_take (search->stepping, choose_again, search, backward);
    return;
  }
  char *text = dv_found_choose (search->host, search->stepping, search->names,
                                found, again, backward);
  search->last = found;
  search->tells_choice = false;
  tell_status (search);
  if (text != NULL)
    set_status (search, text);
  search->tells_choice = text != NULL;
  search->tells_bright = !again && dv_found_stands_out (found);
  g_free (text);
  show_list (search, false);
}

void
dv_search_bright_changed (struct dv_search *search)
{
  if (!search->tells_bright)
    return;
  char *text = dv_found_bright_text (search->host);
  set_status (search, text);
  search->tells_bright = true;
  g_free (text);
}

static struct dv_found *
selected (struct dv_search *search)
{
  GtkListBoxRow *row
    = gtk_list_box_get_selected_row (GTK_LIST_BOX (search->list));
  return row != NULL ? g_object_get_data (G_OBJECT (row), "found") : NULL;
}

static void
row_activated (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
  choose (data, g_object_get_data (G_OBJECT (row), "found"), false);
}

/* Enter can be quicker than what is being read.  */
static bool
may_come (const struct dv_search *search)
{
  return *gtk_entry_get_text (GTK_ENTRY (search->entry)) != '\0'
         && (search->gathering != NULL || search->lookup != NULL
             || search->host->data == NULL);
}

/* Something may have been found meanwhile.  */
static void
choose_waiting (struct dv_search *search)
{
  struct dv_found *found = selected (search);
  if (!search->enter_waits || (found == NULL && may_come (search)))
    return;
  search->enter_waits = false;
  if (found != NULL)
    choose (search, found, false);
  else
    gtk_widget_error_bell (search->entry);
}

static void
activated (GtkEntry *entry, gpointer data)
{
  struct dv_search *search = data;
  struct dv_found *found = selected (search);
  search->enter_waits = found == NULL && may_come (search);
  if (found != NULL)
    choose (search, found, false);
  else if (!search->enter_waits)
    gtk_widget_error_bell (search->entry);
}

/* Up and down in the list, while one is typing.  */
static void
move_selection (struct dv_search *search, int by)
{
  GtkListBox *list = GTK_LIST_BOX (search->list);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
  int at = row != NULL ? gtk_list_box_row_get_index (row) + by : 0;
  if (!gtk_widget_get_visible (search->popover))
    at = row != NULL ? gtk_list_box_row_get_index (row) : 0;
  row = gtk_list_box_get_row_at_index (
    list, CLAMP (at, 0, MAX (0, (int) search->found->len - 1)));
  if (row == NULL)
    return;
  gtk_list_box_select_row (list, row);
  show_list (search, true);
  GtkAdjustment *down = gtk_list_box_get_adjustment (list);
  GtkAllocation place;
  gtk_widget_get_allocation (GTK_WIDGET (row), &place);
  if (down != NULL)
    gtk_adjustment_clamp_page (down, place.y, place.y + place.height);
}

static void
close_bar (struct dv_search *search)
{
  show_list (search, false);
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (search->bar), FALSE);
  gtk_widget_grab_focus (search->host->canvas->widget);
}

static gboolean
key_pressed (GtkWidget *widget, GdkEventKey *event, gpointer data)
{
  struct dv_search *search = data;
  switch (event->keyval) {
  case GDK_KEY_Up: case GDK_KEY_KP_Up: move_selection (search, -1); break;
  case GDK_KEY_Down: case GDK_KEY_KP_Down: move_selection (search, 1); break;
  case GDK_KEY_Page_Up: move_selection (search, -8); break;
  case GDK_KEY_Page_Down: move_selection (search, 8); break;
  case GDK_KEY_Escape:
    if (gtk_widget_get_visible (search->popover))
      show_list (search, false);
    else
      close_bar (search);
    break;
  default: return FALSE;
  }
  return TRUE;
}

static void
text_changed (struct dv_search *search)
{
  search->enter_waits = false;
  find (search);
  show_list (search, true);
}

static gboolean
focus_left (GtkWidget *widget, GdkEventFocus *event, gpointer data)
{
  struct dv_search *search = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (search->host->window));
  if (focus == NULL || !gtk_widget_is_ancestor (focus, search->popover))
    show_list (search, false);
  return FALSE;
}

/* ---- Actions --------------------------------------------------------- */

static void
do_search (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_search *search = data;
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (search->bar), TRUE);
  /* Keys that are still on their way go there, though it is just coming to
     be seen.  */
  gtk_widget_realize (search->entry);
  gtk_widget_grab_focus (search->entry);
  gtk_editable_select_region (GTK_EDITABLE (search->entry), 0, -1);
  start_gathering (search);
  if (search->found->len == 0)
    find (search);
}

static void
do_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_search *search = data;
  const char *name = g_action_get_name (G_ACTION (action));
  struct dv_found *found = search->last != NULL ? search->last
                                                : selected (search);
  if (found != NULL)
    choose (search, found, strcmp (name, "search-previous") == 0);
  else
    do_search (NULL, NULL, search);
}

/* ---- Making ---------------------------------------------------------- */

struct dv_search *
dv_search_new (struct dv_host *host, struct dv_stepping *stepping)
{
  static const GActionEntry actions[] = {
    {"search", do_search},
    {"go-to", do_search},
    {"search-next", do_again},
    {"search-previous", do_again},
  };
  struct dv_search *search = g_new0 (struct dv_search, 1);
  search->host = host;
  search->stepping = stepping;
  search->found = dv_found_new ();
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), search);
  return search;
}

void
dv_search_free (struct dv_search *search)
{
  search->bar = NULL;
  if (search->refresh != 0)
    g_source_remove (search->refresh);
  forget_names (search);
  g_ptr_array_unref (search->found);
  g_free (search);
}

void
dv_search_scene_changed (struct dv_search *search)
{
  const struct dv_host *host = search->host;
  /* Of a log that grows, the names of a moment ago will do until one searches
     again; or the list would be made again under the hands.  */
  if (search->names != NULL && host->data != NULL && host->data->is_growing
      && strcmp (dg_log_path (dv_names_data (search->names)->log),
                 dg_log_path (host->data->log))
           == 0)
    return;
  if (search->names != NULL && dv_names_data (search->names) != host->data)
    forget_names (search);
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (search->bar))) {
    start_gathering (search);
    find (search);
    choose_waiting (search);
  }
}

static GtkWidget *
new_popover (struct dv_search *search)
{
  GtkWidget *popover = gtk_popover_new (search->entry);
  search->list = gtk_list_box_new ();
  gtk_list_box_set_header_func (GTK_LIST_BOX (search->list), set_header,
                                NULL, NULL);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (search->list),
                                   GTK_SELECTION_BROWSE);
  dv_pieces_name (search->list, _ ("Results"));
  g_signal_connect (search->list, "row-activated",
                    G_CALLBACK (row_activated), search);
  GtkWidget *scrolled =
    dv_pieces_scrolled_list_new (search->list, LIST_WIDTH, LIST_HEIGHT);
  gtk_container_add (GTK_CONTAINER (popover), scrolled);
  gtk_widget_show_all (scrolled);
  gtk_popover_set_modal (GTK_POPOVER (popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (popover), GTK_POS_BOTTOM);
  return popover;
}

GtkWidget *
dv_search_widget (struct dv_search *search)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  search->bar = gtk_search_bar_new ();
  search->entry = gtk_search_entry_new ();
  search->status = dv_pieces_note_new (_ ("Search status"), 0);
  search->spinner = gtk_spinner_new ();
  gtk_entry_set_width_chars (GTK_ENTRY (search->entry), 20);
  gtk_entry_set_max_width_chars (GTK_ENTRY (search->entry), 48);
  gtk_entry_set_placeholder_text (
    GTK_ENTRY (search->entry),
    _ ("Function, label, 0x address, instruction count, or A..B"));
  gtk_widget_set_tooltip_text (
    search->entry, _ ("A function, a label, a thread or module; an address "
                      "such as 0x4a65420; an instruction count such as 12.5M; "
                      "0x4a60000..0x4a70000 or 1M..2M"));
  dv_pieces_name (search->entry, _ ("Search"));
  /* Mostly as wide, so that the entry stays where it is.  */
  gtk_label_set_width_chars (GTK_LABEL (search->status), 30);
  gtk_label_set_max_width_chars (GTK_LABEL (search->status), 50);
  dv_pieces_add (box, search->entry, search->spinner, search->status, NULL);
  gtk_container_add (GTK_CONTAINER (search->bar), box);
  gtk_search_bar_set_show_close_button (GTK_SEARCH_BAR (search->bar), TRUE);
  search->popover = new_popover (search);
  g_signal_connect_swapped (search->entry, "changed",
                            G_CALLBACK (text_changed), search);
  g_signal_connect (search->entry, "activate", G_CALLBACK (activated),
                    search);
  g_signal_connect (search->entry, "key-press-event",
                    G_CALLBACK (key_pressed), search);
  g_signal_connect (search->entry, "focus-out-event",
                    G_CALLBACK (focus_left), search);
  return search->bar;
}

/* bookmarks.c: views that were given a name, and the command line that shows
   this one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bookmarks.h"

#include <string.h>
#include <libdatagrind.h>

#include "found.h"
#include "model/user/bookmark.h"
#include "model/user/command.h"
#include "format.h"
#include "i18n.h"
#include "widgets/pieces.h"

#define LIST_WIDTH  420
#define LIST_HEIGHT 360
/* Those that have a key.  */
#define N_KEYS 9

struct dv_bookmarks {
  struct dv_host *host;
  GtkWidget *button, *popover, *list, *entry, *add, *empty;
  char *id;                      /* of the recording; NULL: none is shown */
  GPtrArray *bookmarks;          /* struct dv_bookmark * */
  struct dv_bookmark *pending;   /* to be shown when the filter has been
                                    applied; in `bookmarks`; NULL: none */
};

/* ---- What is seen ---------------------------------------------------- */

/* The recording, whatever form and name its file has; else the file.  */
static char *
log_id (const struct dv_host *host)
{
  const struct dv_scene *scene = host->canvas->scene;
  if (scene == NULL || host->path == NULL)
    return NULL;
  const struct dg_process *process = dg_log_process (scene->data->log);
  if (process != NULL && process->wall_ns != 0)
    return g_strdup_printf ("process %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                            " %" G_GUINT64_FORMAT " %s", process->pid,
                            process->start_ticks, process->wall_ns,
                            process->exe);
  char *path = g_canonicalize_filename (host->path, NULL);
  char *id = g_strconcat ("file ", path, NULL);
  g_free (path);
  return id;
}

/* The texts are the scene's.  */
static struct dv_bookmark
bookmark_of_view (const struct dv_host *host, char *name)
{
  const struct dv_canvas *canvas = host->canvas;
  const struct dv_view *now = &canvas->viewport.now;
  struct dv_bookmark bookmark = {
    .name = name, .events = canvas->scene->events,
    .ranges = canvas->scene->ranges,
    .colouring = canvas->look.colouring,
  };
  dv_command_addresses (canvas->scene, now, &bookmark.address_start,
                        &bookmark.address_end);
  dv_command_instructions (canvas->scene, now, &bookmark.icount_start,
                           &bookmark.icount_end);
  return bookmark;
}

/* Whose memory all of the view's width is, if it is somebody's; else the
   first address.  New.  */
static char *
suggest_memory (const struct dv_host *host, const struct dv_view *now)
{
  const struct dv_layout *layout = &host->canvas->scene->layout;
  uint64_t first = dv_layout_address (layout, now->x0);
  if (host->data != NULL) {
    uint64_t last = dv_layout_address (layout, now->x1 - 1);
    uint64_t middle = now->y0 + (now->y1 - now->y0) / 2;
    char *name = dv_answer_owner (host->data, first, middle);
    char *other = dv_answer_owner (host->data, last, middle);
    /* Without the offset.  */
    char *plus = strstr (name, " + "), *other_plus = strstr (other, " + ");
    if (plus != NULL)
      *plus = '\0';
    if (other_plus != NULL)
      *other_plus = '\0';
    bool same = strcmp (name, other) == 0;
    g_free (other);
    if (same)
      return name;
    g_free (name);
  }
  return g_strdup_printf (DV_ADDRESS "…", first);
}

/* "parse_number, 1.2 M to 3.4 M": what stands out, else the memory, and when.
   New.  */
static char *
suggest_name (const struct dv_host *host)
{
  const struct dv_canvas *canvas = host->canvas;
  const struct dv_view *now = &canvas->viewport.now;
  const struct dv_scene *scene = canvas->scene;
  char from[40], to[40], *what = NULL, *name;
  if (canvas->highlight != NULL && canvas->highlight->label != NULL)
    what = g_strdup (canvas->highlight->label);
  else if (now->x1 - now->x0 < scene->full.x1 - scene->full.x0)
    what = suggest_memory (host, now);
  dg_number_text_about (from, sizeof from, now->y0);
  dg_number_text_about (to, sizeof to, now->y1);
  bool all = now->y1 - now->y0 >= scene->full.y1 - scene->full.y0;
  if (what == NULL && all)
    name = g_strdup (*scene->events != '\0'   ? scene->events
                     : *scene->ranges != '\0' ? scene->ranges
                                              : _ ("Everything"));
  else if (all)
    name = g_strdup (what);
  else if (what == NULL)
    name = g_strdup_printf (_ ("Instructions %s to %s"), from, to);
  else
    name = g_strdup_printf (_ ("%s, %s to %s"), what, from, to);
  g_free (what);
  return name;
}

/* Which part of the log it shows, in a line.  New.  */
static char *
detail_of (const struct dv_bookmark *b)
{
  GString *text = g_string_new (NULL);
  char from[40], to[40];
  if (b->address_start != 0 || b->address_end != UINT64_MAX)
    g_string_append_printf (text, DV_ADDRESS "…", b->address_start);
  if (b->icount_start != 0 || b->icount_end != UINT64_MAX) {
    dg_number_text_about (from, sizeof from, b->icount_start);
    dg_number_text_about (to, sizeof to, b->icount_end);
    g_string_append_printf (text, "%s%s…%s", text->len > 0 ? "   ·   " : "",
                            from, b->icount_end != UINT64_MAX ? to : "");
  }
  dv_found_append (text, b->events);
  dv_found_append (text, b->ranges);
  if (text->len == 0)
    g_string_append (text, _ ("everything"));
  return g_string_free (text, FALSE);
}

/* ---- Going there ----------------------------------------------------- */

static void
show_view (struct dv_host *host, const struct dv_bookmark *b)
{
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_view view = scene->full;
  if (dv_view_is_empty (&scene->full))
    return;
  dv_layout_position (&scene->layout, b->address_start, &view.x0);
  if (b->address_end != UINT64_MAX)
    dv_layout_position (&scene->layout, b->address_end, &view.x1);
  view.y0 = CLAMP (b->icount_start, view.y0, view.y1);
  view.y1 = CLAMP (b->icount_end, view.y0, view.y1);
  dv_host_go_to (host, &view);
}

static void
go_to (struct dv_bookmarks *bookmarks, struct dv_bookmark *b)
{
  struct dv_host *host = bookmarks->host;
  const struct dv_scene *scene = host->canvas->scene;
  GActionGroup *actions = G_ACTION_GROUP (host->window);
  if (scene == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (bookmarks->popover));
  if (host->canvas->look.colouring != b->colouring)
    g_action_group_change_action_state (
      actions, "colour",
      g_variant_new_string (dv_colouring_name (b->colouring)));
  if (strcmp (scene->events, b->events) == 0
      && strcmp (scene->ranges, b->ranges) == 0) {
    show_view (host, b);
    gtk_widget_grab_focus (host->canvas->widget);
  } else {
    bookmarks->pending = b;
    host->filter (host->user, b->events, b->ranges);
  }
}

/* ---- The list -------------------------------------------------------- */

static void fill_list (struct dv_bookmarks *bookmarks);

/* The list is what the file is to say.  */
static void
save (struct dv_bookmarks *bookmarks)
{
  struct dv_host *host = bookmarks->host;
  GError *error = NULL;
  char *path = dv_bookmark_path ();
  if (bookmarks->id != NULL
      && !dv_bookmark_save (path, bookmarks->id, host->path,
                            bookmarks->bookmarks, &error)) {
    dv_host_error (host, _ ("The bookmarks cannot be saved."), error->message);
    g_error_free (error);
  }
  g_free (path);
}

static guint
index_of (GtkWidget *row)
{
  return (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
}

static GtkWidget *
row_of (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_BOX_ROW);
}

static void
remove_row (struct dv_bookmarks *bookmarks, GtkWidget *row)
{
  guint i = index_of (row);
  if (g_ptr_array_index (bookmarks->bookmarks, i) == bookmarks->pending)
    bookmarks->pending = NULL;
  g_ptr_array_remove_index (bookmarks->bookmarks, i);
  save (bookmarks);
  fill_list (bookmarks);
  GtkListBoxRow *next = gtk_list_box_get_row_at_index (
    GTK_LIST_BOX (bookmarks->list),
    (int) MIN (i, bookmarks->bookmarks->len - 1));
  gtk_widget_grab_focus (next != NULL ? GTK_WIDGET (next)
                                      : bookmarks->entry);
}

static void
remove_clicked (GtkButton *button, gpointer data)
{
  remove_row (data, row_of (GTK_WIDGET (button)));
}

/* The row's name becomes an entry.  */
static void
rename_row (GtkWidget *row)
{
  GtkWidget *stack = g_object_get_data (G_OBJECT (row), "stack");
  GtkWidget *entry = g_object_get_data (G_OBJECT (row), "entry");
  gtk_stack_set_visible_child (GTK_STACK (stack), entry);
  gtk_widget_grab_focus (entry);
}

static void
rename_clicked (GtkButton *button, gpointer data)
{
  rename_row (row_of (GTK_WIDGET (button)));
}

static void
end_rename (struct dv_bookmarks *bookmarks, GtkWidget *entry, bool keep)
{
  GtkWidget *row = row_of (entry);
  guint i = index_of (row);
  struct dv_bookmark *b = g_ptr_array_index (bookmarks->bookmarks, i);
  char *name = dv_bookmark_name (gtk_entry_get_text (GTK_ENTRY (entry)));
  if (keep && *name != '\0' && strcmp (name, b->name) != 0) {
    g_free (b->name);
    b->name = g_strdup (name);
    save (bookmarks);
  }
  g_free (name);
  fill_list (bookmarks);
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (
    GTK_LIST_BOX (bookmarks->list), (int) i)));
}

static void
renamed (GtkEntry *entry, gpointer data)
{
  end_rename (data, GTK_WIDGET (entry), true);
}

static gboolean
rename_key (GtkWidget *entry, GdkEventKey *event, gpointer data)
{
  if (event->keyval != GDK_KEY_Escape)
    return FALSE;
  end_rename (data, entry, false);
  return TRUE;
}

static gboolean
list_key (GtkWidget *list, GdkEventKey *event, gpointer data)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (list));
  GtkWidget *focus = gtk_container_get_focus_child (GTK_CONTAINER (list));
  if (row == NULL || focus != GTK_WIDGET (row))
    return FALSE;
  GtkWidget *entry = g_object_get_data (G_OBJECT (row), "entry");
  if (gtk_widget_has_focus (entry))
    return FALSE;
  if (event->keyval == GDK_KEY_F2)
    rename_row (GTK_WIDGET (row));
  else if (event->keyval == GDK_KEY_Delete)
    remove_row (data, GTK_WIDGET (row));
  else
    return FALSE;
  return TRUE;
}

static GtkWidget *
new_icon_button (const char *icon, const char *what, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon,
                                                     GTK_ICON_SIZE_BUTTON);
  char *full = g_strdup_printf ("%s: %s", what, name);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, what);
  dv_pieces_name (button, full);
  g_free (full);
  return button;
}

static GtkWidget *
new_texts (const struct dv_bookmark *b)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  char *detail = detail_of (b);
  char *small = g_markup_printf_escaped ("<small>%s</small>", detail);
  GtkWidget *labels[] = { gtk_label_new (b->name), gtk_label_new (NULL) };
  gtk_label_set_markup (GTK_LABEL (labels[1]), small);
  dv_pieces_class (labels[1], "dim-label");
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
    gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars (GTK_LABEL (labels[i]), 40);
    gtk_container_add (GTK_CONTAINER (box), labels[i]);
  }
  g_free (small);
  g_free (detail);
  return box;
}

static GtkWidget *
new_row (struct dv_bookmarks *bookmarks, const struct dv_bookmark *b, guint i)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *stack = gtk_stack_new (), *entry = gtk_entry_new ();
  GtkWidget *texts = new_texts (b);
  char number[24] = "";
  if (i < N_KEYS)
    g_snprintf (number, sizeof number, _ ("Alt+%u"), i + 1);
  GtkWidget *key = dv_pieces_label_new (number, DV_DIM);
  GtkWidget *rename =
    new_icon_button ("document-edit-symbolic", _ ("Rename (F2)"), b->name);
  GtkWidget *remove =
    new_icon_button ("edit-delete-symbolic", _ ("Remove (Delete)"), b->name);
  gtk_entry_set_text (GTK_ENTRY (entry), b->name);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  dv_pieces_name (entry, _ ("New name"));
  dv_pieces_add (stack, texts, entry, NULL);
  dv_pieces_margins (box, 12, 6, 4, 4);
  gtk_box_pack_start (GTK_BOX (box), stack, TRUE, TRUE, 0);
  dv_pieces_add (box, key, rename, remove, NULL);
  gtk_container_add (GTK_CONTAINER (row), box);
  g_object_set_data (G_OBJECT (row), "stack", stack);
  g_object_set_data (G_OBJECT (row), "entry", entry);
  dv_pieces_name (row, b->name);
  g_signal_connect (rename, "clicked", G_CALLBACK (rename_clicked),
                    bookmarks);
  g_signal_connect (remove, "clicked", G_CALLBACK (remove_clicked),
                    bookmarks);
  g_signal_connect (entry, "activate", G_CALLBACK (renamed), bookmarks);
  g_signal_connect (entry, "key-press-event", G_CALLBACK (rename_key),
                    bookmarks);
  gtk_widget_show_all (row);
  return row;
}

static void
fill_list (struct dv_bookmarks *bookmarks)
{
  GtkContainer *list = GTK_CONTAINER (bookmarks->list);
  dv_pieces_clear (bookmarks->list);
  for (guint i = 0; i < bookmarks->bookmarks->len; i++)
    gtk_container_add (list, new_row (
      bookmarks, g_ptr_array_index (bookmarks->bookmarks, i), i));
  char name[24];
  for (guint i = 0; i < N_KEYS; i++) {
    g_snprintf (name, sizeof name, "bookmark-%u", i + 1);
    dv_host_enable (bookmarks->host, name, i < bookmarks->bookmarks->len);
  }
}

static void
row_activated (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
  struct dv_bookmarks *bookmarks = data;
  guint i = index_of (GTK_WIDGET (row));
  go_to (bookmarks, g_ptr_array_index (bookmarks->bookmarks, i));
}

/* ---- Adding ---------------------------------------------------------- */

static void
add (struct dv_bookmarks *bookmarks)
{
  struct dv_host *host = bookmarks->host;
  if (bookmarks->id == NULL || !dv_canvas_has_view (host->canvas))
    return;
  char *name = g_strdup (gtk_entry_get_text (GTK_ENTRY (bookmarks->entry)));
  struct dv_bookmark b = bookmark_of_view (host, name);
  if (dv_bookmark_add (bookmarks->bookmarks, &b)) {
    save (bookmarks);
    fill_list (bookmarks);
    gtk_popover_popdown (GTK_POPOVER (bookmarks->popover));
    gtk_widget_grab_focus (host->canvas->widget);
  } else {
    gtk_widget_error_bell (bookmarks->entry);
  }
  g_free (name);
}

/* Before the popover is seen.  */
static void
shown (GtkWidget *popover, gpointer data)
{
  struct dv_bookmarks *bookmarks = data;
  struct dv_host *host = bookmarks->host;
  bool can = bookmarks->id != NULL && dv_canvas_has_view (host->canvas)
             && bookmarks->bookmarks->len < DV_BOOKMARK_MOST;
  char *name = can ? suggest_name (host) : g_strdup ("");
  gtk_entry_set_text (GTK_ENTRY (bookmarks->entry), name);
  gtk_widget_set_sensitive (bookmarks->entry, can);
  gtk_widget_set_sensitive (bookmarks->add, can);
  g_free (name);
}

/* ---- Actions --------------------------------------------------------- */

static void
do_add (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_bookmarks *bookmarks = data;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (bookmarks->button), TRUE);
  gtk_widget_grab_focus (bookmarks->entry);
  gtk_editable_select_region (GTK_EDITABLE (bookmarks->entry), 0, -1);
}

static void
do_go_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_bookmarks *bookmarks = data;
  const char *name = g_action_get_name (G_ACTION (action));
  guint i = (guint) (strrchr (name, '-')[1] - '1');
  if (i < bookmarks->bookmarks->len)
    go_to (bookmarks, g_ptr_array_index (bookmarks->bookmarks, i));
}

static void
do_copy_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_host *host = ((struct dv_bookmarks *) data)->host;
  const struct dv_canvas *canvas = host->canvas;
  if (!dv_canvas_has_view (canvas) || host->path == NULL)
    return;
  char *path = g_canonicalize_filename (host->path, NULL);
  char *line = dv_command_line (canvas->scene, &canvas->viewport.now,
                                &canvas->look, path);
  dv_host_copy (host, line);
  dv_host_say (host, _ ("The command line for this view is in the "
                        "clipboard."));
  g_free (line);
  g_free (path);
}

/* ---- Life ------------------------------------------------------------ */

void
dv_bookmarks_set_keys (GtkApplication *app)
{
  for (guint i = 1; i <= N_KEYS; i++) {
    char name[28], key[12];
    const char *keys[] = {key, NULL};
    g_snprintf (name, sizeof name, "win.bookmark-%u", i);
    g_snprintf (key, sizeof key, "<Alt>%u", i);
    gtk_application_set_accels_for_action (app, name, keys);
  }
}

struct dv_bookmarks *
dv_bookmarks_new (struct dv_host *host)
{
  const GActionEntry actions[] = { { "bookmark-add", do_add },
                                   { "copy-command", do_copy_command } };
  struct dv_bookmarks *bookmarks = g_new0 (struct dv_bookmarks, 1);
  bookmarks->host = host;
  bookmarks->bookmarks = dv_bookmark_list_new ();
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), bookmarks);
  for (guint i = 0; i < N_KEYS; i++) {
    char name[24];
    g_snprintf (name, sizeof name, "bookmark-%u", i + 1);
    const GActionEntry entry = { name, do_go_to };
    dv_host_add_actions (host, &entry, 1, bookmarks);
    dv_host_enable (host, name, false);
  }
  return bookmarks;
}

void
dv_bookmarks_free (struct dv_bookmarks *bookmarks)
{
  g_ptr_array_unref (bookmarks->bookmarks);
  g_free (bookmarks->id);
  g_free (bookmarks);
}

void
dv_bookmarks_scene_changed (struct dv_bookmarks *bookmarks)
{
  struct dv_host *host = bookmarks->host;
  const struct dv_scene *scene = host->canvas->scene;
  struct dv_bookmark *pending = bookmarks->pending;
  char *id = log_id (host);
  bookmarks->pending = NULL;
  if (g_strcmp0 (id, bookmarks->id) != 0) {
    char *path = dv_bookmark_path ();
    g_ptr_array_unref (bookmarks->bookmarks);
    bookmarks->bookmarks =
      id != NULL ? dv_bookmark_load (path, id) : dv_bookmark_list_new ();
    g_free (bookmarks->id);
    bookmarks->id = g_strdup (id);
    fill_list (bookmarks);
    g_free (path);
  } else if (pending != NULL && scene != NULL
             && strcmp (scene->events, pending->events) == 0
             && strcmp (scene->ranges, pending->ranges) == 0) {
    show_view (host, pending);
  }
  g_free (id);
}

static GtkWidget *
new_list (struct dv_bookmarks *bookmarks)
{
  bookmarks->list = gtk_list_box_new ();
  bookmarks->empty =
    dv_pieces_label_new (_ ("This log has no bookmarks yet."), DV_DIM);
  g_object_set (bookmarks->empty, "margin", 18, NULL);
  gtk_widget_show (bookmarks->empty);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (bookmarks->list),
                                bookmarks->empty);
  dv_pieces_name (bookmarks->list, _ ("Bookmarks"));
  g_signal_connect (bookmarks->list, "row-activated",
                    G_CALLBACK (row_activated), bookmarks);
  g_signal_connect (bookmarks->list, "key-press-event",
                    G_CALLBACK (list_key), bookmarks);
  GtkWidget *scrolled =
    dv_pieces_scrolled_list_new (bookmarks->list, LIST_WIDTH, LIST_HEIGHT);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scrolled),
                                       GTK_SHADOW_IN);
  return scrolled;
}

GtkWidget *
dv_bookmarks_widget (struct dv_bookmarks *bookmarks)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *popover = gtk_popover_new (button);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  bookmarks->button = button;
  bookmarks->popover = popover;
  bookmarks->entry = gtk_entry_new ();
  bookmarks->add = gtk_button_new_with_mnemonic (_ ("_Add"));
  dv_pieces_class (bookmarks->add, "suggested-action");
  gtk_entry_set_placeholder_text (GTK_ENTRY (bookmarks->entry),
                                  _ ("Name of this view"));
  dv_pieces_name (bookmarks->entry, _ ("Name of this view"));
  gtk_box_pack_start (GTK_BOX (row), bookmarks->entry, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (row), bookmarks->add);
  dv_pieces_add (box, row, new_list (bookmarks), NULL);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  gtk_widget_show_all (box);
  gtk_container_add (GTK_CONTAINER (popover), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_button_set_image (
    GTK_BUTTON (button),
    gtk_image_new_from_icon_name ("user-bookmarks-symbolic",
                                  GTK_ICON_SIZE_BUTTON));
  gtk_widget_set_tooltip_text (button, _ ("Bookmarks (Ctrl+D)"));
  gtk_widget_set_focus_on_click (button, FALSE);
  dv_pieces_name (button, _ ("Bookmarks (Ctrl+D)"));
  g_signal_connect (popover, "show", G_CALLBACK (shown), bookmarks);
  g_signal_connect_swapped (bookmarks->add, "clicked", G_CALLBACK (add),
                            bookmarks);
  g_signal_connect_swapped (bookmarks->entry, "activate", G_CALLBACK (add),
                            bookmarks);
  return button;
}

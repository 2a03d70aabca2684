/* chip_entry.c: chips and the entry behind them.

   Chips are buttons: a click, or Enter, edits; the cross, Delete or Backspace
   removes; the menu key, or the other mouse button, opens a menu that negates,
   too.  They scroll where there is no room for all of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "chip_entry.h"

#include <stdlib.h>
#include <string.h>

#include <libdatagrind.h>

#include "i18n.h"
#include "model/log/completion.h"
#include "widgets/pieces.h"

#define MOST_CHARS 36
#define LEAST_TYPED 14

struct dv_chip_entry {
  struct dv_chip_entry_owner owner;
  GtkWidget *box, *scrolled, *row, *entry, *menu;
  char *hint, *text;
  GPtrArray *chips;     /* struct chip, as in the row */
  guint changes;        /* of the text and of the chips, so far */
};

struct chip {
  struct dv_chip_entry *chips;
  GtkWidget *widget, *button; /* a box, and what edits in it */
  char *text;
};

static void
chip_free (void *memory)
{
  struct chip *chip = memory;
  g_free (chip->text);
  g_free (chip);
}

/* ---- Chips ------------------------------------------------------------- */

static void
update_hint (struct dv_chip_entry *chips)
{
  gtk_widget_set_visible (chips->scrolled, chips->chips->len > 0);
  gtk_entry_set_placeholder_text (GTK_ENTRY (chips->entry),
                                  chips->chips->len > 0
                                    ? _ ("and…") : chips->hint);
}

/* Its items know a chip, so it does not stay when chips go.  */
static void
close_menu (struct dv_chip_entry *chips)
{
  if (chips->menu == NULL)
    return;
  gtk_menu_popdown (GTK_MENU (chips->menu));
  gtk_widget_destroy (chips->menu);
}

/* The keyboard goes to the chip that comes to stand there, or to the entry. */
static void
remove_chip (struct chip *chip)
{
  struct dv_chip_entry *chips = chip->chips;
  guint at = 0;
  g_ptr_array_find (chips->chips, chip, &at);
  GtkWidget *widget = chip->widget;
  close_menu (chips);
  g_ptr_array_remove_index (chips->chips, at);
  chips->changes++;
  if (at < chips->chips->len)
    gtk_widget_grab_focus (
      ((struct chip *) chips->chips->pdata[at])->button);
  else
    gtk_entry_grab_focus_without_selecting (GTK_ENTRY (chips->entry));
  gtk_widget_destroy (widget);
  update_hint (chips);
}

static void
drop (struct chip *chip)
{
  struct dv_chip_entry *chips = chip->chips;
  remove_chip (chip);
  chips->owner.changed (chips->owner.user, false);
}

/* Back to where it is typed; what stands there becomes a chip before.  If it
   cannot become one, it is not lost: the owner says what is wrong with it.  */
static void
edit (struct chip *chip)
{
  struct dv_chip_entry *chips = chip->chips;
  if (!dv_chip_entry_finish (chips)) {
    chips->owner.changed (chips->owner.user, false);
    return;
  }
  char *text = g_strdup (chip->text);
  remove_chip (chip);
  gtk_entry_set_text (GTK_ENTRY (chips->entry), text);
  gtk_entry_grab_focus_without_selecting (GTK_ENTRY (chips->entry));
  gtk_editable_set_position (GTK_EDITABLE (chips->entry), -1);
  g_free (text);
}

static void
show_text (struct chip *chip)
{
  char *remove = g_strdup_printf (_ ("Remove %s"), chip->text);
  GtkWidget *label = gtk_bin_get_child (GTK_BIN (chip->button));
  GtkWidget *cross = g_object_get_data (G_OBJECT (chip->widget), "cross");
  gtk_label_set_text (GTK_LABEL (label), chip->text);
  gtk_widget_set_tooltip_text (chip->button, chip->text);
  dv_pieces_name (chip->button, chip->text);
  dv_pieces_tip (cross, remove);
  g_free (remove);
}

static void
negate (struct chip *chip)
{
  struct dv_chip_entry *chips = chip->chips;
  char *text = dv_completion_negate (chip->text);
  g_free (chip->text);
  chip->text = text;
  show_text (chip);
  chips->changes++;
  chips->owner.changed (chips->owner.user, false);
}

static void
add_item (GtkWidget *menu, const char *label, GCallback activated,
          struct chip *chip)
{
  GtkWidget *item = gtk_menu_item_new_with_mnemonic (label);
  g_signal_connect_swapped (item, "activate", activated, chip);
  gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
}

static gboolean
pop_up (struct chip *chip)
{
  struct dv_chip_entry *chips = chip->chips;
  bool is_not = g_str_has_prefix (chip->text, "not ");
  close_menu (chips);
  chips->menu = gtk_menu_new ();
  g_signal_connect (chips->menu, "destroy", G_CALLBACK (gtk_widget_destroyed),
                    &chips->menu);
  add_item (chips->menu, _ ("_Edit"), G_CALLBACK (edit), chip);
  add_item (chips->menu,
            is_not ? _ ("It _Must Hold") : _ ("It Must _Not Hold"),
            G_CALLBACK (negate), chip);
  add_item (chips->menu, _ ("_Remove"), G_CALLBACK (drop), chip);
  gtk_menu_attach_to_widget (GTK_MENU (chips->menu), chips->box, NULL);
  gtk_widget_show_all (chips->menu);
  gtk_menu_popup_at_widget (GTK_MENU (chips->menu), chip->button,
                            GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST,
                            NULL);
  return TRUE;
}

static gboolean
chip_pressed (GtkWidget *button, GdkEventButton *event, gpointer data)
{
  return gdk_event_triggers_context_menu ((const GdkEvent *) event)
         && pop_up (data);
}

static gboolean
chip_key (GtkWidget *button, GdkEventKey *event, gpointer data)
{
  struct chip *chip = data;
  switch (event->keyval) {
  case GDK_KEY_Delete: case GDK_KEY_KP_Delete: case GDK_KEY_BackSpace:
    drop (chip);
    return TRUE;
  case GDK_KEY_exclam: case GDK_KEY_n:
    negate (chip);
    return TRUE;
  default:
    return FALSE;
  }
}

static void
add_chip (struct dv_chip_entry *chips, char *text)
{
  struct chip *chip = g_new0 (struct chip, 1);
  GtkWidget *label = dv_pieces_label_new (NULL, DV_SHORTEN_MIDDLE);
  chip->chips = chips;
  chip->text = text;
  chip->widget = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  dv_pieces_class (chip->widget, GTK_STYLE_CLASS_LINKED);
  chip->button = gtk_button_new ();
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  /* Names without an end make no chip of no width.  */
  gtk_label_set_width_chars (GTK_LABEL (label),
                             (int) MIN (g_utf8_strlen (text, -1), 16));
  gtk_container_add (GTK_CONTAINER (chip->button), label);
  GtkWidget *cross = gtk_button_new_from_icon_name ("window-close-symbolic",
                                                    GTK_ICON_SIZE_BUTTON);
  g_object_set_data (G_OBJECT (chip->widget), "cross", cross);
  dv_pieces_describe (chip->button, _ ("Condition"));
  gtk_widget_add_events (chip->button, GDK_BUTTON_PRESS_MASK);
  g_signal_connect_swapped (chip->button, "clicked", G_CALLBACK (edit), chip);
  g_signal_connect_swapped (cross, "clicked", G_CALLBACK (drop), chip);
  g_signal_connect (chip->button, "button-press-event",
                    G_CALLBACK (chip_pressed), chip);
  g_signal_connect_swapped (chip->button, "popup-menu", G_CALLBACK (pop_up),
                            chip);
  g_signal_connect (chip->button, "key-press-event", G_CALLBACK (chip_key),
                    chip);
  dv_pieces_add (chip->widget, chip->button, cross, NULL);
  show_text (chip);
  gtk_widget_show_all (chip->widget);
  gtk_container_add (GTK_CONTAINER (chips->row), chip->widget);
  g_ptr_array_add (chips->chips, chip);
  chips->changes++;
  update_hint (chips);
}

static void
add_chips (struct dv_chip_entry *chips, const char *conditions)
{
  char *one;
  for (size_t i = 0; (one = dg_filter_condition_text (conditions, i)) != NULL;
       i++) {
    add_chip (chips, g_strdup (one));
    free (one);
  }
}

/* ---- The entry --------------------------------------------------------- */

static const char *
typed (const struct dv_chip_entry *chips)
{
  return gtk_entry_get_text (GTK_ENTRY (chips->entry));
}

bool
dv_chip_entry_finish (struct dv_chip_entry *chips)
{
  char *text = g_strstrip (g_strdup (typed (chips)));
  bool is_good
    = *text == '\0' || chips->owner.is_good (chips->owner.user, text);
  if (*text != '\0' && is_good) {
    add_chips (chips, text);
    gtk_entry_set_text (GTK_ENTRY (chips->entry), "");
  }
  g_free (text);
  return is_good;
}

/* A comma finishes a condition, unless a backslash stands before it.  */
static gboolean
entry_key (GtkWidget *entry, GdkEventKey *event, gpointer data)
{
  struct dv_chip_entry *chips = data;
  const char *text = typed (chips);
  size_t n = strlen (text);
  int at = gtk_editable_get_position (GTK_EDITABLE (entry));
  bool at_start
    = at == 0
      && !gtk_editable_get_selection_bounds (GTK_EDITABLE (entry), NULL, NULL);
  struct chip *last = chips->chips->len > 0
                        ? chips->chips->pdata[chips->chips->len - 1] : NULL;
  switch (event->keyval) {
  case GDK_KEY_comma:
    if (at != g_utf8_strlen (text, -1) || n == 0 || text[n - 1] == '\\'
        || !chips->owner.is_good (chips->owner.user, text))
      return FALSE;
    dv_chip_entry_finish (chips);
    return TRUE;
  case GDK_KEY_BackSpace:
    if (!at_start || last == NULL)
      return FALSE;
    /* With something behind it, the chip is not joined to that.  */
    if (n > 0)
      drop (last);
    else
      edit (last);
    return TRUE;
  case GDK_KEY_Left: case GDK_KEY_KP_Left:
    if (!at_start || last == NULL || (event->state & GDK_SHIFT_MASK) != 0)
      return FALSE;
    gtk_widget_grab_focus (last->button);
    return TRUE;
  default:
    return FALSE;
  }
}

static void
activated (GtkEntry *entry, gpointer data)
{
  struct dv_chip_entry *chips = data;
  dv_chip_entry_finish (chips);
  chips->owner.changed (chips->owner.user, true);
}

static void
cleared (GtkEntry *entry, GtkEntryIconPosition position, GdkEvent *event,
         gpointer data)
{
  struct dv_chip_entry *chips = data;
  dv_chip_entry_set (chips, "");
  chips->owner.changed (chips->owner.user, true);
}

/* ---- Completing -------------------------------------------------------- */

static gboolean
matches (GtkEntryCompletion *completion, const gchar *key, GtkTreeIter *at,
         gpointer data)
{
  return TRUE;
}

/* Whether the list has just these.  */
static bool
is_offered (GtkTreeModel *model, const GPtrArray *all)
{
  GtkTreeIter at;
  guint n = 0;
  bool is_more = gtk_tree_model_get_iter_first (model, &at), is_same = true;
  for (; is_more && is_same; is_more = gtk_tree_model_iter_next (model, &at)) {
    char *text = NULL;
    gtk_tree_model_get (model, &at, 0, &text, -1);
    is_same = n < all->len && g_strcmp0 (text, all->pdata[n]) == 0;
    n++;
    g_free (text);
  }
  return is_same && n == all->len;
}

guint
dv_chip_entry_changes (const struct dv_chip_entry *chips)
{
  return chips->changes;
}

static void
text_changed (struct dv_chip_entry *chips)
{
  chips->changes++;
  dv_chip_entry_refresh (chips);
}

void
dv_chip_entry_refresh (struct dv_chip_entry *chips)
{
  GtkEntryCompletion *completion
    = gtk_entry_get_completion (GTK_ENTRY (chips->entry));
  GtkListStore *store
    = GTK_LIST_STORE (gtk_entry_completion_get_model (completion));
  if (*typed (chips) == '\0') {
    gtk_list_store_clear (store);
    return;
  }
  GPtrArray *all = chips->owner.complete (chips->owner.user, typed (chips));
  if (is_offered (GTK_TREE_MODEL (store), all)) {
    g_ptr_array_unref (all);
    return;
  }
  gtk_list_store_clear (store);
  for (guint i = 0; i < all->len; i++)
    gtk_list_store_insert_with_values (store, NULL, -1, 0,
                                       g_ptr_array_index (all, i), -1);
  g_ptr_array_unref (all);
}

/* What needs more is typed on; what does not is wanted now.  */
static gboolean
selected (GtkEntryCompletion *completion, GtkTreeModel *model,
          GtkTreeIter *at, gpointer data)
{
  struct dv_chip_entry *chips = data;
  char *text = NULL;
  gtk_tree_model_get (model, at, 0, &text, -1);
  gtk_entry_set_text (GTK_ENTRY (chips->entry), text);
  gtk_editable_set_position (GTK_EDITABLE (chips->entry), -1);
  if (chips->owner.is_good (chips->owner.user, text))
    activated (GTK_ENTRY (chips->entry), chips);
  g_free (text);
  return TRUE;
}

static void
add_completion (struct dv_chip_entry *chips)
{
  GtkEntryCompletion *completion = gtk_entry_completion_new ();
  GtkListStore *store = gtk_list_store_new (1, G_TYPE_STRING);
  /* Before the completion looks at it.  */
  g_signal_connect_swapped (chips->entry, "changed",
                            G_CALLBACK (text_changed), chips);
  gtk_entry_completion_set_model (completion, GTK_TREE_MODEL (store));
  gtk_entry_completion_set_text_column (completion, 0);
  gtk_entry_completion_set_match_func (completion, matches, NULL, NULL);
  gtk_entry_completion_set_popup_set_width (completion, FALSE);
  g_signal_connect (completion, "match-selected", G_CALLBACK (selected),
                    chips);
  gtk_entry_set_completion (GTK_ENTRY (chips->entry), completion);
  g_object_unref (store);
  g_object_unref (completion);
}

/* ---- All of it --------------------------------------------------------- */

const char *
dv_chip_entry_text (struct dv_chip_entry *chips)
{
  GString *all = g_string_new (NULL);
  char *last = g_strstrip (g_strdup (typed (chips)));
  for (guint i = 0; i < chips->chips->len; i++) {
    const struct chip *chip = g_ptr_array_index (chips->chips, i);
    g_string_append_printf (all, "%s%s", i > 0 ? "," : "", chip->text);
  }
  if (*last != '\0')
    g_string_append_printf (all, "%s%s", all->len > 0 ? "," : "", last);
  g_free (last);
  g_free (chips->text);
  chips->text = g_string_free (all, FALSE);
  return chips->text;
}

void
dv_chip_entry_set (struct dv_chip_entry *chips, const char *conditions)
{
  close_menu (chips);
  dv_pieces_clear (chips->row);
  g_ptr_array_set_size (chips->chips, 0);
  gtk_entry_set_text (GTK_ENTRY (chips->entry), "");
  if (*conditions != '\0'
      && !chips->owner.is_good (chips->owner.user, conditions))
    gtk_entry_set_text (GTK_ENTRY (chips->entry), conditions);
  else
    add_chips (chips, conditions);
  update_hint (chips);
}

GtkWidget *
dv_chip_entry_widget (const struct dv_chip_entry *chips)
{
  return chips->box;
}

GtkWidget *
dv_chip_entry_entry (const struct dv_chip_entry *chips)
{
  return chips->entry;
}

static gboolean
focused (GtkWidget *entry, GdkEventFocus *event, gpointer data)
{
  struct dv_chip_entry *chips = data;
  chips->owner.entered (chips->owner.user);
  return FALSE;
}

static GtkWidget *
new_entry (struct dv_chip_entry *chips, const char *name)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_icon_from_icon_name (GTK_ENTRY (entry),
                                     GTK_ENTRY_ICON_SECONDARY,
                                     "edit-clear-symbolic");
  gtk_entry_set_icon_tooltip_text (GTK_ENTRY (entry), GTK_ENTRY_ICON_SECONDARY,
                                   _ ("Clear the filters"));
  gtk_entry_set_width_chars (GTK_ENTRY (entry), LEAST_TYPED);
  gtk_widget_set_hexpand (entry, TRUE);
  dv_pieces_name (entry, name);
  g_signal_connect (entry, "key-press-event", G_CALLBACK (entry_key), chips);
  g_signal_connect (entry, "activate", G_CALLBACK (activated), chips);
  g_signal_connect (entry, "icon-press", G_CALLBACK (cleared), chips);
  g_signal_connect (entry, "focus-in-event", G_CALLBACK (focused), chips);
  return entry;
}

struct dv_chip_entry *
dv_chip_entry_new (const struct dv_chip_entry_owner *owner, const char *name,
                   const char *hint)
{
  struct dv_chip_entry *chips = g_new0 (struct dv_chip_entry, 1);
  chips->owner = *owner;
  chips->hint = g_strdup (hint);
  chips->chips = g_ptr_array_new_with_free_func (chip_free);
  chips->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  chips->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  chips->scrolled = dv_pieces_scrolled_new (chips->row);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (chips->scrolled),
                                  GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (
    GTK_SCROLLED_WINDOW (chips->scrolled), TRUE);
  gtk_widget_set_no_show_all (chips->scrolled, TRUE);
  gtk_widget_show_all (chips->row);
  chips->entry = new_entry (chips, name);
  add_completion (chips);
  dv_pieces_add (chips->box, chips->scrolled, chips->entry, NULL);
  gtk_widget_set_hexpand (chips->box, TRUE);
  update_hint (chips);
  return chips;
}

void
dv_chip_entry_free (struct dv_chip_entry *chips)
{
  close_menu (chips);
  g_ptr_array_unref (chips->chips);
  g_free (chips->hint);
  g_free (chips->text);
  g_free (chips);
}

/* filter_bar.c: entries for conditions, and what they can be completed with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_bar.h"

#include <string.h>

#include "host/info.h"
#include "i18n.h"
#include "model/user/command.h"
#include "widgets/pieces.h"

/* So many labels of one kind are offered, and so many filters kept.  */
#define MOST_LABELS  300
#define MOST_LENGTH  200   /* bytes of a label */
#define MOST_FILTERS 20
/* Events that are looked at for their labels.  */
#define MOST_EVENTS  20000

/* What the setting is called that keeps the filters used last.  */
#define EVENTS_SETTING "last-events"
#define RANGES_SETTING "last-ranges"

struct dv_filter_bar {
  struct dv_host *host;
  GtkWidget *box, *events, *ranges; /* the last two are entries */
  void (*apply) (void *user);
  void *user;
};

enum { COLUMN_TEXT, COLUMN_IS_WHOLE, N_COLUMNS };

/* ---- What can be written --------------------------------------------- */

static void
add (GtkListStore *store, const char *text, bool is_whole)
{
  GtkTreeIter at;
  gtk_list_store_append (store, &at);
  gtk_list_store_set (store, &at, COLUMN_TEXT, text, COLUMN_IS_WHOLE,
                      is_whole, -1);
}

/* A condition for a label, once.  */
static void
add_label (GtkListStore *store, GHashTable *seen, const char *prefix,
           const char *label)
{
  char *text = dv_command_condition (prefix, label);
  if (text != NULL && strlen (label) <= MOST_LENGTH
      && g_hash_table_size (seen) < 2 * MOST_LABELS
      && g_hash_table_add (seen, g_strdup (text)))
    add (store, text, false);
  g_free (text);
}

static void
add_labels (GtkListStore *store, const struct dg_log *log, bool of_events)
{
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            NULL);
  size_t n_events, n_ranges, n_modules;
  const struct dg_event *events = dg_log_events (log, &n_events);
  const struct dg_range *ranges = dg_log_ranges (log, &n_ranges);
  const struct dg_module *modules = dg_log_modules (log, &n_modules);
  for (size_t i = 0; of_events && i < MIN (n_events, MOST_EVENTS)
                     && g_hash_table_size (seen) < MOST_LABELS; i++)
    add_label (store, seen, "user:", events[i].label);
  for (size_t i = 0; !of_events && i < MIN (n_ranges, MOST_EVENTS)
                     && g_hash_table_size (seen) < MOST_LABELS; i++)
    add_label (store, seen, "user:", ranges[i].label);
  for (size_t i = 0; i < n_modules; i++) {
    char *base = g_path_get_basename (modules[i].file);
    add_label (store, seen, "dso:", base);
    g_free (base);
  }
  g_hash_table_unref (seen);
}

static void
fill (struct dv_host *host, GtkWidget *entry, const char *setting,
      bool of_events)
{
  static const char *const kinds[] = { "fn:", "file:", "dso:", "user:",
                                       "malloc", "range" };
  GtkEntryCompletion *completion
    = gtk_entry_get_completion (GTK_ENTRY (entry));
  GtkListStore *store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING,
                                            G_TYPE_BOOLEAN);
  char **last = dv_settings_texts (host->settings, setting);
  for (guint i = 0; last != NULL && last[i] != NULL; i++)
    add (store, last[i], true);
  g_strfreev (last);
  for (guint i = 0; i < (of_events ? 4u : 6u); i++)
    add (store, kinds[i], false);
  if (host->data != NULL)
    add_labels (store, host->data->log, of_events);
  gtk_entry_completion_set_model (completion, GTK_TREE_MODEL (store));
  g_object_unref (store);
}

void
dv_filter_bar_update (struct dv_filter_bar *bar)
{
  fill (bar->host, bar->events, EVENTS_SETTING, true);
  fill (bar->host, bar->ranges, RANGES_SETTING, false);
}

/* ---- Completing ------------------------------------------------------ */

/* The last condition of a text begins here.  */
static const char *
last_condition (const char *text)
{
  const char *begin = text;
  for (; *text != '\0'; text++) {
    if (*text == '\\' && text[1] != '\0')
      text++;
    else if (*text == ',')
      begin = text + 1;
  }
  while (*begin == ' ')
    begin++;
  return begin;
}

static bool
begins_with (const char *text, const char *start)
{
  return g_ascii_strncasecmp (text, start, strlen (start)) == 0;
}

/* `key` is folded; what the entry holds is not.  */
static gboolean
matches (GtkEntryCompletion *completion, const gchar *key, GtkTreeIter *at,
         gpointer data)
{
  const char *typed = gtk_entry_get_text (
    GTK_ENTRY (gtk_entry_completion_get_entry (completion)));
  const char *condition = last_condition (typed);
  char *text = NULL;
  gboolean is_whole = FALSE;
  gtk_tree_model_get (gtk_entry_completion_get_model (completion), at,
                      COLUMN_TEXT, &text, COLUMN_IS_WHOLE, &is_whole, -1);
  const char *start = is_whole ? typed : condition;
  bool match = text != NULL && *start != '\0' && begins_with (text, start)
               && strlen (text) > strlen (start);
  g_free (text);
  return match;
}

static gboolean
selected (GtkEntryCompletion *completion, GtkTreeModel *model,
          GtkTreeIter *at, gpointer data)
{
  GtkEntry *entry = GTK_ENTRY (gtk_entry_completion_get_entry (completion));
  const char *typed = gtk_entry_get_text (entry);
  const char *condition = last_condition (typed);
  char *text = NULL;
  gboolean is_whole = FALSE;
  gtk_tree_model_get (model, at, COLUMN_TEXT, &text, COLUMN_IS_WHOLE,
                      &is_whole, -1);
  char *kept = is_whole ? g_strdup ("")
                        : g_strndup (typed, (gsize) (condition - typed));
  char *whole = g_strconcat (kept, text, NULL);
  gtk_entry_set_text (entry, whole);
  gtk_editable_set_position (GTK_EDITABLE (entry), -1);
  g_free (whole);
  g_free (kept);
  g_free (text);
  return TRUE;
}

static void
add_completion (GtkWidget *entry)
{
  GtkEntryCompletion *completion = gtk_entry_completion_new ();
  gtk_entry_set_completion (GTK_ENTRY (entry), completion);
  gtk_entry_completion_set_text_column (completion, COLUMN_TEXT);
  gtk_entry_completion_set_match_func (completion, matches, NULL, NULL);
  gtk_entry_completion_set_popup_set_width (completion, FALSE);
  g_signal_connect (completion, "match-selected", G_CALLBACK (selected),
                    NULL);
  g_object_unref (completion);
}

/* Keeps a filter that was used, the latest first.  */
static void
remember (struct dv_host *host, const char *setting, const char *text)
{
  char **old = dv_settings_texts (host->settings, setting);
  GPtrArray *texts = g_ptr_array_new ();
  g_ptr_array_add (texts, (gpointer) text);
  for (guint i = 0; old != NULL && old[i] != NULL
                    && texts->len < MOST_FILTERS; i++)
    if (!g_str_equal (old[i], text))
      g_ptr_array_add (texts, old[i]);
  g_ptr_array_add (texts, NULL);
  if (*text != '\0')
    dv_settings_set_texts (host->settings, setting,
                           (const char *const *) texts->pdata);
  g_ptr_array_unref (texts);
  g_strfreev (old);
}

/* ---- Entries --------------------------------------------------------- */

void
dv_filter_bar_restore (struct dv_filter_bar *bar)
{
  const struct dv_scene *scene = bar->host->canvas->scene;
  if (scene == NULL)
    return;
  gtk_entry_set_text (GTK_ENTRY (bar->events), scene->events);
  gtk_entry_set_text (GTK_ENTRY (bar->ranges), scene->ranges);
}

static void
mark (GtkWidget *entry, const char *usual_tip, const char *wrong)
{
  dv_pieces_error (entry, wrong != NULL);
  gtk_widget_set_tooltip_text (entry, wrong != NULL ? wrong : usual_tip);
  dv_pieces_describe (entry, wrong != NULL ? wrong : "");
}

static const char *
events_tip (void)
{
  return _ ("Show only accesses by: fn:FUNCTION, file:SOURCE, dso:MODULE, "
            "user:EVENT, separated by commas");
}

static const char *
ranges_tip (void)
{
  return _ ("Show only accesses to: malloc, range, user:RANGE, or memory "
            "allocated by fn:FUNCTION, file:SOURCE, dso:MODULE, separated by "
            "commas");
}

/* The library's message begins with the side.  */
static bool
is_of_ranges (const struct dg_error *err)
{
  return g_str_has_prefix (err->message, "--ranges");
}

void
dv_filter_bar_mark (struct dv_filter_bar *bar, const struct dg_error *err)
{
  bool of_ranges = err != NULL && is_of_ranges (err);
  mark (bar->events, events_tip (),
        err != NULL && !of_ranges ? err->message : NULL);
  mark (bar->ranges, ranges_tip (),
        err != NULL && of_ranges ? err->message : NULL);
}

/* What cannot be understood is known at once, and the keys that follow still
   go where it stands, to mend it.  */
static bool
is_good (struct dv_filter_bar *bar)
{
  struct dg_error err = { 0 };
  if (dg_filter_check (gtk_entry_get_text (GTK_ENTRY (bar->events)),
                       gtk_entry_get_text (GTK_ENTRY (bar->ranges)), &err)
      == 0)
    return true;
  dv_filter_bar_mark (bar, &err);
  dv_info_tell (bar->host->info, GTK_MESSAGE_ERROR, err.message);
  GtkWidget *wrong = is_of_ranges (&err) ? bar->ranges : bar->events;
  if (!gtk_widget_has_focus (wrong))
    gtk_entry_grab_focus_without_selecting (GTK_ENTRY (wrong));
  gtk_widget_error_bell (wrong);
  return false;
}

static void
activated (GtkEntry *entry, gpointer data)
{
  struct dv_filter_bar *bar = data;
  struct dv_host *host = bar->host;
  if (!is_good (bar))
    return;
  remember (host, EVENTS_SETTING,
            gtk_entry_get_text (GTK_ENTRY (bar->events)));
  remember (host, RANGES_SETTING,
            gtk_entry_get_text (GTK_ENTRY (bar->ranges)));
  bar->apply (bar->user);
  gtk_widget_grab_focus (host->canvas->widget);
}

static void
cleared (GtkEntry *entry, GtkEntryIconPosition position, GdkEvent *event,
         gpointer data)
{
  gtk_entry_set_text (entry, "");
  activated (entry, data);
}

void
dv_filter_bar_set (struct dv_filter_bar *bar, const char *events,
                   const char *ranges)
{
  if (events != NULL)
    gtk_entry_set_text (GTK_ENTRY (bar->events), events);
  if (ranges != NULL)
    gtk_entry_set_text (GTK_ENTRY (bar->ranges), ranges);
  activated (NULL, bar);
}

const char *
dv_filter_bar_events (const struct dv_filter_bar *bar)
{
  return gtk_entry_get_text (GTK_ENTRY (bar->events));
}

const char *
dv_filter_bar_ranges (const struct dv_filter_bar *bar)
{
  return gtk_entry_get_text (GTK_ENTRY (bar->ranges));
}

/* ---- Making ---------------------------------------------------------- */

static GtkWidget *
new_entry (struct dv_filter_bar *bar, const char *name, const char *hint,
           const char *tip, const char *text)
{
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), hint);
  gtk_entry_set_text (GTK_ENTRY (entry), text != NULL ? text : "");
  gtk_entry_set_icon_from_icon_name (GTK_ENTRY (entry),
                                     GTK_ENTRY_ICON_SECONDARY,
                                     "edit-clear-symbolic");
  gtk_entry_set_icon_tooltip_text (GTK_ENTRY (entry), GTK_ENTRY_ICON_SECONDARY,
                                   _ ("Clear the filters"));
  gtk_widget_set_tooltip_text (entry, tip);
  gtk_widget_set_hexpand (entry, TRUE);
  dv_pieces_name (entry, name);
  add_completion (entry);
  g_signal_connect (entry, "activate", G_CALLBACK (activated), bar);
  g_signal_connect (entry, "icon-press", G_CALLBACK (cleared), bar);
  return entry;
}

static void
do_filter (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_filter_bar *bar = data;
  gtk_widget_grab_focus (bar->events);
}

GtkWidget *
dv_filter_bar_widget (const struct dv_filter_bar *bar)
{
  return bar->box;
}

struct dv_filter_bar *
dv_filter_bar_new (struct dv_host *host, void (*apply) (void *user),
                   void *user)
{
  static const GActionEntry actions[] = {{"filter", do_filter}};
  struct dv_filter_bar *bar = g_new0 (struct dv_filter_bar, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  bar->host = host;
  bar->box = box;
  bar->apply = apply;
  bar->user = user;
  gtk_container_set_border_width (GTK_CONTAINER (box), 6);
  bar->events = new_entry (bar, _ ("Events"),
                           _ ("everything — or fn:, file:, dso:, user:"),
                           events_tip (), host->options->events);
  bar->ranges =
    new_entry (bar, _ ("Ranges"),
               _ ("all memory — or malloc, range, user:, fn:, file:, dso:"),
               ranges_tip (), host->options->ranges);
  GtkWidget *events_label = gtk_label_new_with_mnemonic (_ ("_Events"));
  GtkWidget *ranges_label = gtk_label_new_with_mnemonic (_ ("_Ranges"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (events_label), bar->events);
  gtk_label_set_mnemonic_widget (GTK_LABEL (ranges_label), bar->ranges);
  dv_pieces_add (box, events_label, bar->events, ranges_label, bar->ranges,
                 NULL);
  dv_filter_bar_update (bar);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), bar);
  return bar;
}

void
dv_filter_bar_free (struct dv_filter_bar *bar)
{
  g_free (bar);
}

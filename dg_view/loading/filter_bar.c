/* filter_bar.c: conditions as chips, and what they can be completed with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_bar.h"

#include <string.h>

#include "chip_entry.h"
#include "host/info.h"
#include "i18n.h"
#include "jobs/job.h"
#include "model/log/completion.h"
#include "widgets/pieces.h"

/* So many filters are kept, and so many conditions offered.  */
#define MOST_FILTERS 20
#define MOST_OFFERED 12
#define REFRESH_MS 300

/* What the setting is called that keeps the filters used last.  */
#define EVENTS_SETTING "last-events"
#define RANGES_SETTING "last-ranges"

struct side {
  struct dv_filter_bar *bar;
  enum dv_completion_side which;
  const char *setting;
  struct dv_chip_entry *chips;
  guint changes;                /* of the chips, when a load began */
};

struct dv_filter_bar {
  struct dv_host *host;
  GtkWidget *box;
  struct side events, ranges;
  struct dv_completion *complete; /* of the window's data */
  struct dv_job *gathering;     /* filling it; NULL: it is done, or was not
                                   begun */
  bool is_gathered;             /* it was begun, at least */
  guint refresh;                /* timer, while gathering */
  void (*apply) (void *user);
  void *user;
};

/* ---- What can be written --------------------------------------------- */

static void
stop_gathering (struct dv_filter_bar *bar)
{
  g_clear_pointer (&bar->gathering, dv_job_drop);
  g_clear_handle_id (&bar->refresh, g_source_remove);
}

void
dv_filter_bar_update (struct dv_filter_bar *bar)
{
  struct dv_host *host = bar->host;
  if (bar->complete != NULL
      && dv_completion_data (bar->complete) == host->data)
    return;
  stop_gathering (bar);
  g_clear_pointer (&bar->complete, dv_completion_unref);
  bar->complete = dv_completion_new (host->data);
  bar->is_gathered = false;
}

static void *
run_gathering (void *input, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  return dv_completion_gather (input, progress, user, err) == 0
           ? dv_completion_ref (input) : NULL;
}

/* The other one is refreshed when something is typed there.  */
static void
refresh_focused (struct dv_filter_bar *bar)
{
  if (bar->host->window == NULL)
    return;
  if (gtk_widget_is_focus (dv_chip_entry_entry (bar->events.chips)))
    dv_chip_entry_refresh (bar->events.chips);
  if (gtk_widget_is_focus (dv_chip_entry_entry (bar->ranges.chips)))
    dv_chip_entry_refresh (bar->ranges.chips);
}

static gboolean
refresh (gpointer data)
{
  refresh_focused (data);
  return G_SOURCE_CONTINUE;
}

static void
gathered (void *user, void *result, const struct dg_error *err)
{
  struct dv_filter_bar *bar = user;
  bar->gathering = NULL;
  stop_gathering (bar);
  refresh_focused (bar);
  dv_completion_unref (result);
}

/* Who looks at it may want names.  */
static void
entered (void *user)
{
  struct side *side = user;
  struct dv_filter_bar *bar = side->bar;
  static const struct dv_job_class class
    = {run_gathering, (GDestroyNotify) dv_completion_unref,
       (GDestroyNotify) dv_completion_unref};
  dv_filter_bar_update (bar);
  if (bar->is_gathered || bar->host->data == NULL
      || bar->host->data->is_glance)
    return;
  bar->is_gathered = true;
  bar->gathering
    = dv_job_start (&class, dv_completion_ref (bar->complete), gathered, bar);
  bar->refresh = g_timeout_add (REFRESH_MS, refresh, bar);
}

/* What was used last, if it is more than one condition, comes last.  */
static GPtrArray *
complete (void *user, const char *typed)
{
  struct side *side = user;
  struct dv_filter_bar *bar = side->bar;
  GPtrArray *all = dv_completion_find (bar->complete, side->which, typed,
                                       MOST_OFFERED);
  char **last = dv_settings_texts (bar->host->settings, side->setting);
  for (guint i = 0; last != NULL && last[i] != NULL; i++)
    if (g_str_has_prefix (last[i], typed) && strlen (last[i]) > strlen (typed)
        && !g_ptr_array_find_with_equal_func (all, last[i], g_str_equal,
                                              NULL))
      g_ptr_array_add (all, g_strdup (last[i]));
  g_strfreev (last);
  return all;
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

static void
restore (const struct side *side, const char *conditions)
{
  if (strcmp (dv_chip_entry_text (side->chips), conditions) != 0)
    dv_chip_entry_set (side->chips, conditions);
  dv_chip_entry_finish (side->chips);
}

void
dv_filter_bar_restore (struct dv_filter_bar *bar)
{
  const struct dv_scene *scene = bar->host->canvas->scene;
  if (scene == NULL)
    return;
  restore (&bar->events, scene->events);
  restore (&bar->ranges, scene->ranges);
}

static void
mark (const struct side *side, const char *usual_tip, const char *wrong)
{
  GtkWidget *entry = dv_chip_entry_entry (side->chips);
  dv_pieces_error (entry, wrong != NULL);
  gtk_widget_set_tooltip_text (entry, wrong != NULL ? wrong : usual_tip);
  dv_pieces_describe (entry, wrong != NULL ? wrong : "");
}

static const char *
events_tip (void)
{
  return _ ("Show only accesses by: fn:FUNCTION, file:SOURCE, dso:MODULE, "
            "user:EVENT, thread:NAME; \"not\" before one: all others");
}

static const char *
ranges_tip (void)
{
  return _ ("Show only accesses to: malloc, range, user:RANGE, var:VARIABLE, "
            "addr:START..END, or memory allocated by fn:FUNCTION, "
            "file:SOURCE, dso:MODULE; \"not\" before one: all others");
}

void
dv_filter_bar_begin (struct dv_filter_bar *bar)
{
  bar->events.changes = dv_chip_entry_changes (bar->events.chips);
  bar->ranges.changes = dv_chip_entry_changes (bar->ranges.chips);
}

static void
done (const struct side *side, const char *usual_tip, const char *conditions)
{
  if (dv_chip_entry_changes (side->chips) != side->changes)
    return;
  mark (side, usual_tip, NULL);
  restore (side, conditions);
}

void
dv_filter_bar_done (struct dv_filter_bar *bar)
{
  const struct dv_scene *scene = bar->host->canvas->scene;
  done (&bar->events, events_tip (), scene->events);
  done (&bar->ranges, ranges_tip (), scene->ranges);
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
  mark (&bar->events, events_tip (),
        err != NULL && !of_ranges ? err->message : NULL);
  mark (&bar->ranges, ranges_tip (),
        err != NULL && of_ranges ? err->message : NULL);
}

static bool
can_be_understood (void *user, const char *conditions)
{
  const struct side *side = user;
  bool of_events = side->which == DV_COMPLETION_EVENTS;
  return dg_filter_check (of_events ? conditions : NULL,
                          of_events ? NULL : conditions, NULL)
         == 0;
}

/* What cannot be understood is known at once, and the keys that follow still
   go where it stands, to mend it.  */
static bool
is_good (struct dv_filter_bar *bar)
{
  struct dg_error err = { 0 };
  if (dg_filter_check (dv_filter_bar_events (bar), dv_filter_bar_ranges (bar),
                       &err)
      == 0)
    return true;
  dv_filter_bar_mark (bar, &err);
  dv_info_tell (bar->host->info, GTK_MESSAGE_ERROR, err.message);
  const struct side *side = is_of_ranges (&err) ? &bar->ranges : &bar->events;
  GtkWidget *wrong = dv_chip_entry_entry (side->chips);
  if (!gtk_widget_has_focus (wrong))
    gtk_entry_grab_focus_without_selecting (GTK_ENTRY (wrong));
  gtk_widget_error_bell (wrong);
  return false;
}

static void
changed (void *user, bool leave)
{
  struct side *side = user;
  struct dv_filter_bar *bar = side->bar;
  struct dv_host *host = bar->host;
  dv_chip_entry_finish (bar->events.chips);
  dv_chip_entry_finish (bar->ranges.chips);
  if (!is_good (bar))
    return;
  remember (host, EVENTS_SETTING, dv_filter_bar_events (bar));
  remember (host, RANGES_SETTING, dv_filter_bar_ranges (bar));
  bar->apply (bar->user);
  if (leave)
    gtk_widget_grab_focus (host->canvas->widget);
}

void
dv_filter_bar_set (struct dv_filter_bar *bar, const char *events,
                   const char *ranges)
{
  if (events != NULL)
    dv_chip_entry_set (bar->events.chips, events);
  if (ranges != NULL)
    dv_chip_entry_set (bar->ranges.chips, ranges);
  changed (&bar->events, true);
}

const char *
dv_filter_bar_events (const struct dv_filter_bar *bar)
{
  return dv_chip_entry_text (bar->events.chips);
}

const char *
dv_filter_bar_ranges (const struct dv_filter_bar *bar)
{
  return dv_chip_entry_text (bar->ranges.chips);
}

/* ---- Making ---------------------------------------------------------- */

static void
add_side (struct dv_filter_bar *bar, struct side *side, const char *label,
          const char *name, const char *hint, const char *text)
{
  const struct dv_chip_entry_owner owner
    = {can_be_understood, changed, complete, entered, side};
  GtkWidget *widget = gtk_label_new_with_mnemonic (label);
  side->bar = bar;
  side->chips = dv_chip_entry_new (&owner, name, hint);
  dv_chip_entry_set (side->chips, text != NULL ? text : "");
  gtk_label_set_mnemonic_widget (GTK_LABEL (widget),
                                 dv_chip_entry_entry (side->chips));
  dv_pieces_add (bar->box, widget, dv_chip_entry_widget (side->chips), NULL);
}

static void
do_filter (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const struct dv_filter_bar *bar = data;
  gtk_widget_grab_focus (dv_chip_entry_entry (bar->events.chips));
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
  bar->host = host;
  bar->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  bar->apply = apply;
  bar->user = user;
  bar->events.which = DV_COMPLETION_EVENTS;
  bar->events.setting = EVENTS_SETTING;
  bar->ranges.which = DV_COMPLETION_RANGES;
  bar->ranges.setting = RANGES_SETTING;
  gtk_container_set_border_width (GTK_CONTAINER (bar->box), 6);
  dv_filter_bar_update (bar);
  add_side (bar, &bar->events, _ ("_Events"), _ ("Events"),
            _ ("everything — or fn:, file:, dso:, user:, thread:"),
            host->options->events);
  add_side (bar, &bar->ranges, _ ("_Ranges"), _ ("Ranges"),
            _ ("all memory — or malloc, range, user:, var:, addr:, fn:"),
            host->options->ranges);
  dv_filter_bar_mark (bar, NULL);
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), bar);
  return bar;
}

void
dv_filter_bar_free (struct dv_filter_bar *bar)
{
  stop_gathering (bar);
  dv_completion_unref (bar->complete);
  dv_chip_entry_free (bar->events.chips);
  dv_chip_entry_free (bar->ranges.chips);
  g_free (bar);
}

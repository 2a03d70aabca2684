/* count_costs.c: see count_costs.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_costs.h"

#include "i18n.h"
#include "widgets/pieces.h"

/* Between two looks at the progress.  */
#define PROGRESS_MS 200

/* ---- In the background ------------------------------------------------- */

struct order {
  struct dv_tally *tally;
  enum dv_rows_kind kind;
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  dv_tally_unref (order->tally);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  const struct order *order = input;
  return dv_costs_new (order->tally, order->kind, progress, user, err);
}

static gboolean
show_progress (gpointer user)
{
  struct dv_count_costs *costs = user;
  costs->changed (costs->user);
  return G_SOURCE_CONTINUE;
}

static void
stop_timer (struct dv_count_costs *costs)
{
  if (costs->timer != 0)
    g_source_remove (costs->timer);
  costs->timer = 0;
}

static void
job_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_count_costs *costs = user;
  stop_timer (costs);
  costs->job = NULL;
  costs->costs = result;
  if (result == NULL)
    costs->failed = g_strdup (err->message);
  costs->changed (costs->user);
}

static void
forget (struct dv_count_costs *costs)
{
  stop_timer (costs);
  g_clear_pointer (&costs->job, dv_job_drop);
  g_clear_pointer (&costs->costs, dv_costs_unref);
  g_clear_pointer (&costs->failed, g_free);
}

/* A tally that is not complete is followed by another of the same view.  */
static void
start (struct dv_count_costs *costs)
{
  static const struct dv_job_class class = {
    run_order, order_free, (GDestroyNotify) dv_costs_unref};
  if (costs->tally == NULL || costs->tally->code_done < 1
      || !dv_count_costs_are_wanted (costs) || costs->job != NULL
      || costs->costs != NULL || costs->failed != NULL)
    return;
  struct order *order = g_new (struct order, 1);
  *order = (struct order){dv_tally_ref (costs->tally), costs->kind};
  costs->job = dv_job_start (&class, order, job_done, costs);
  costs->timer = g_timeout_add (PROGRESS_MS, show_progress, costs);
}

/* ---- What is wanted ---------------------------------------------------- */

bool
dv_count_costs_are_wanted (const struct dv_count_costs *costs)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (costs->button));
}

static void
toggled (struct dv_count_costs *costs)
{
  if (dv_count_costs_are_wanted (costs))
    start (costs);
  else
    forget (costs);
  costs->changed (costs->user);
}

void
dv_count_costs_set_tally (struct dv_count_costs *costs, struct dv_tally *tally)
{
  struct dv_tally *old = costs->tally;
  if (old == NULL || tally == NULL || !dv_tally_has_same_time (old, tally))
    forget (costs);
  costs->tally = tally != NULL ? dv_tally_ref (tally) : NULL;
  dv_tally_unref (old);
  start (costs);
}

/* ---- Texts ------------------------------------------------------------- */

static char *
source_text (const struct dv_costs *costs)
{
  char number[40];
  if (costs->sample == 1)
    /* Translators: the name of a processor.  */
    return g_strdup_printf (_ ("estimated cycles of %s"), costs->machine);
  dg_number_text (number, sizeof number, costs->sample);
  return g_strdup_printf (
    _ ("estimated cycles of %s, from one of %s parts of the run"),
    costs->machine, number);
}

char *
dv_count_costs_text (const struct dv_count_costs *costs)
{
  char share[20];
  if (!dv_count_costs_are_wanted (costs))
    return NULL;
  if (costs->costs != NULL)
    return source_text (costs->costs);
  if (costs->failed != NULL)
    /* Translators: the reason follows.  */
    return g_strdup_printf (_ ("cycles are not known: %s"), costs->failed);
  dg_number_text_percent (share, sizeof share,
                          costs->job != NULL ? dv_job_fraction (costs->job)
                                             : 0);
  /* Translators: a share.  */
  return g_strdup_printf (_ ("Estimating cycles… %s"), share);
}

/* ---- Life -------------------------------------------------------------- */

void
dv_count_costs_init (struct dv_count_costs *costs, enum dv_rows_kind kind)
{
  costs->kind = kind;
  costs->button = gtk_toggle_button_new_with_label (_ ("Cycles"));
  gtk_button_set_relief (GTK_BUTTON (costs->button), GTK_RELIEF_NONE);
  gtk_widget_set_tooltip_text (
    costs->button, _ ("Estimate how many cycles and cache misses the code in "
                      "view takes"));
  g_signal_connect_swapped (costs->button, "toggled", G_CALLBACK (toggled),
                            costs);
}

void
dv_count_costs_fini (struct dv_count_costs *costs)
{
  forget (costs);
  g_clear_pointer (&costs->tally, dv_tally_unref);
}

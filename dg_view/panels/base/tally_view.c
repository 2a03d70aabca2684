/* tally_view.c: see tally_view.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_view.h"

#include "i18n.h"

struct order {
  const struct dv_tally_view_class *class;
  struct dv_tally *tally;
  unsigned kind;
  void *made; /* NULL: not yet */
};

static void
order_free (void *memory)
{
  struct order *order = memory;
  if (order->made != NULL)
    order->class->free (order->made);
  dv_tally_unref (order->tally);
  g_free (order);
}

static void *
run_order (void *input, dg_progress_fn progress, void *user,
           struct dg_error *err)
{
  struct order *order = input;
  order->made =
    order->class->make (order->tally, order->kind, progress, user, err);
  return order->made != NULL ? order : NULL;
}

static const struct dv_job_class order_class = {run_order, order_free, NULL};

static void made (void *user, void *result, const struct dg_error *err);

/* Takes the tally over.  */
static void
start (struct dv_tally_view *view, struct dv_tally *tally)
{
  struct order *order = g_new (struct order, 1);
  *order = (struct order){view->class, dv_tally_ref (tally), view->kind, NULL};
  dv_tally_unref (view->tally);
  view->tally = tally;
  view->job = dv_job_start (&order_class, order, made, view);
}

/* What is shown stays.  */
static void
say_error (struct dv_tally_view *view, const struct dg_error *err)
{
  char *text =
    g_strdup_printf ("%s (%s)", _ (view->class->failed), err->message);
  if (view->is_filled)
    dv_pieces_note_set (view->note, text);
  else
    dv_pieces_hinted_say (&view->hinted, text);
  g_free (text);
}

static void
made (void *user, void *result, const struct dg_error *err)
{
  struct dv_tally_view *view = user;
  const struct order *order = result;
  struct dv_tally *next = view->next;
  view->job = NULL;
  view->next = NULL;
  if (next != NULL)
    start (view, next);
  if (order == NULL) {
    say_error (view, err);
    return;
  }
  view->is_filled = true;
  if (view->class->show (view->user, order->made))
    dv_pieces_hinted_show (&view->hinted);
  else
    dv_pieces_hinted_say (&view->hinted, _ ("There are no accesses in view."));
}

/* Whether what comes of this tally is there, or is being made, already.  */
static bool
has_all_of (const struct dv_tally_view *view, const struct dv_tally *tally)
{
  const struct dv_tally *last = view->next != NULL ? view->next : view->tally;
  return last != NULL && (view->class->code_kinds >> view->kind & 1) != 0
         && dv_tally_has_same_code (last, tally);
}

void
dv_tally_view_set (struct dv_tally_view *view, struct dv_tally *tally)
{
  if (tally == NULL) {
    dv_tally_view_fini (view);
    view->is_filled = false;
    view->class->show (view->user, NULL);
    dv_pieces_note_set (view->note, "");
    dv_pieces_hinted_say (&view->hinted, _ (view->hint));
    return;
  }
  if (tally == view->tally || tally == view->next
      || has_all_of (view, tally))
    return;
  if (view->job != NULL && view->tally->scene == tally->scene) {
    dv_tally_unref (view->next);
    view->next = dv_tally_ref (tally);
    return;
  }
  dv_tally_view_fini (view);
  if (!view->is_filled)
    dv_pieces_hinted_say (&view->hinted, _ ("Looking up names…"));
  start (view, dv_tally_ref (tally));
}

void
dv_tally_view_init (struct dv_tally_view *view,
                    const struct dv_tally_view_class *class, unsigned kind,
                    GtkWidget *content, GtkWidget *note, const char *hint,
                    void *user)
{
  view->class = class;
  view->kind = kind;
  view->note = note;
  view->hint = hint;
  view->user = user;
  dv_pieces_hinted_init (&view->hinted, content);
  dv_pieces_hinted_say (&view->hinted, _ (hint));
}

void
dv_tally_view_fini (struct dv_tally_view *view)
{
  g_clear_pointer (&view->job, dv_job_drop);
  g_clear_pointer (&view->tally, dv_tally_unref);
  g_clear_pointer (&view->next, dv_tally_unref);
}

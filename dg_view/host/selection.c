/* selection.c: the selected access, and asking what it is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "selection.h"

struct dv_selection {
  struct dv_host *host;
  struct dv_pick *pick;
  struct dv_job *job; /* asking about one access; NULL: not */
};

static void
show (struct dv_selection *selection, const struct dv_answer *answer)
{
  struct dv_host *host = selection->host;
  host->selected (host->user, selection->pick, answer);
}

void
dv_selection_stop (struct dv_selection *selection)
{
  g_clear_pointer (&selection->job, dv_job_drop);
}

/* The panels have seen another one before the old goes.  */
static void
set_pick (struct dv_selection *selection, struct dv_pick *pick,
          const struct dv_answer *answer)
{
  struct dv_pick *old = selection->pick;
  selection->pick = pick;
  show (selection, answer);
  if (old != pick)
    dv_pick_free (old);
}

void
dv_selection_forget (struct dv_selection *selection)
{
  dv_selection_stop (selection);
  set_pick (selection, NULL, NULL);
  dv_canvas_set_mark (selection->host->canvas, NULL);
}

void
dv_selection_take (struct dv_selection *selection, struct dv_inquiry *inquiry)
{
  const struct dv_answer *answer = inquiry->answer;
  dv_selection_stop (selection);
  set_pick (selection, inquiry->pick, answer);
  inquiry->pick = NULL;
  dv_canvas_set_mark (selection->host->canvas,
                      answer->is_nothing ? NULL : &answer->access);
  dv_inquiry_free (inquiry);
}

static void
answered (void *user, void *result, const struct dg_error *err)
{
  struct dv_selection *selection = user;
  struct dv_inquiry *inquiry = result;
  struct dv_pick *pick = selection->pick;
  guint at;
  selection->job = NULL;
  /* It need not be under the pixel that was pointed at.  */
  if (pick != NULL && !dv_pick_find (pick, &inquiry->answer->access, &at))
    pick = NULL;
  set_pick (selection, pick, inquiry->answer);
  dv_inquiry_free (inquiry);
}

/* It is the selected one from now on, for whatever begins there.  */
void
dv_selection_set (struct dv_selection *selection,
                  const struct dg_access *access)
{
  struct dv_host *host = selection->host;
  dv_canvas_set_mark (host->canvas, access);
  dv_selection_stop (selection);
  selection->job = dv_inquiry_about (host->data, access, answered, selection);
}

struct dv_pick *
dv_selection_pick (const struct dv_selection *selection)
{
  return selection->pick;
}

struct dv_selection *
dv_selection_new (struct dv_host *host)
{
  struct dv_selection *selection = g_new0 (struct dv_selection, 1);
  selection->host = host;
  return selection;
}

void
dv_selection_free (struct dv_selection *selection)
{
  dv_pick_free (selection->pick);
  g_free (selection);
}

/* calls_job.c: call trees in the background.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_job.h"

#include "i18n.h"

static void *
run (void *input, dg_progress_fn progress, void *user, struct dg_error *err)
{
  return dv_calltree_new (input, 0, progress, user, err);
}

static const struct dv_job_class tree_class = {
  run, (GDestroyNotify) dv_tally_unref, (GDestroyNotify) dv_calltree_unref};

static void
done (void *user, void *result, const struct dg_error *err);

static void
start (struct dv_calls_job *calls, struct dv_tally *tally)
{
  dv_tally_unref (calls->tally);
  calls->tally = tally;
  calls->job = dv_job_start (&tree_class, dv_tally_ref (tally), done, calls);
}

static void
say_error (struct dv_calls_job *calls, const struct dg_error *err)
{
  char *text =
    g_strdup_printf (_ ("The call tree cannot be built. (%s)"), err->message);
  calls->failed (calls->user, text);
  g_free (text);
}

static void
done (void *user, void *result, const struct dg_error *err)
{
  struct dv_calls_job *calls = user;
  struct dv_tally *next = calls->next;
  calls->job = NULL;
  calls->next = NULL;
  if (next != NULL)
    start (calls, next);
  if (result != NULL)
    calls->ready (calls->user, result);
  else
    say_error (calls, err);
  dv_calltree_unref (result);
}

void
dv_calls_job_set (struct dv_calls_job *calls, struct dv_tally *tally)
{
  if (tally == NULL) {
    dv_calls_job_fini (calls);
    return;
  }
  if (tally == calls->tally)
    return;
  if (calls->job != NULL && calls->tally->scene == tally->scene) {
    dv_tally_unref (calls->next);
    calls->next = dv_tally_ref (tally);
    return;
  }
  dv_calls_job_fini (calls);
  start (calls, dv_tally_ref (tally));
}

void
dv_calls_job_fini (struct dv_calls_job *calls)
{
  g_clear_pointer (&calls->job, dv_job_drop);
  g_clear_pointer (&calls->tally, dv_tally_unref);
  g_clear_pointer (&calls->next, dv_tally_unref);
}

/* indexing.c: making the index of a log in the background, for this time and,
   where its folder can be written, for the next.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "indexing.h"

#include <stdlib.h>

#include "host/activities.h"
#include "i18n.h"

struct dv_indexing {
  struct dv_host *host;
  struct dv_job *job; /* indexing the host's data; NULL: it is not */
};

static void *
run_indexing (void *input, dg_progress_fn progress, void *user,
              struct dg_error *err)
{
  const struct dg_log *log = ((struct dv_data *) input)->log;
  struct dg_index *index;
  char *path = dg_index_sidecar (log);
  /* Half of the machine: somebody is looking at the picture.  */
  dg_index_build (log, path, MAX (g_get_num_processors () / 2, 1), progress,
                  user, &index, err);
  free (path);
  return index;
}

static const struct dv_job_class indexing_class = {
  run_indexing, (GDestroyNotify) dv_data_unref,
  (GDestroyNotify) dg_index_close};

/* Without an index everything works, if more slowly: nothing is said.  */
static void
indexing_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_indexing *indexing = user;
  indexing->job = NULL;
  if (result != NULL)
    dv_data_set_index (indexing->host->data, result);
}

void
dv_indexing_start (struct dv_indexing *indexing)
{
  struct dv_host *host = indexing->host;
  dv_indexing_stop (indexing);
  if (host->data == NULL || !dv_data_wants_index (host->data))
    return;
  indexing->job = dv_job_start (&indexing_class, dv_data_ref (host->data),
                                indexing_done, indexing);
  dv_activities_watch (host->progress);
}

void
dv_indexing_stop (struct dv_indexing *indexing)
{
  g_clear_pointer (&indexing->job, dv_job_drop);
}

/* ---- Life ------------------------------------------------------------ */

static void
cancel (void *user)
{
  dv_indexing_stop (user);
}

struct dv_indexing *
dv_indexing_new (struct dv_host *host)
{
  struct dv_indexing *indexing = g_new0 (struct dv_indexing, 1);
  const struct dv_activity activity = {N_ ("Indexing"), &indexing->job, cancel,
                                       indexing};
  indexing->host = host;
  dv_activities_add (host->progress, DV_ACTIVITY_INDEXING, &activity);
  return indexing;
}

void
dv_indexing_free (struct dv_indexing *indexing)
{
  dv_indexing_stop (indexing);
  g_free (indexing);
}

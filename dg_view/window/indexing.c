/* indexing.c: making the index of a log in the background, for this time and,
   where its folder can be written, for the next.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "window_parts.h"

#include <stdlib.h>

struct indexing {
  struct dv_data *data;
};

static void
indexing_free (void *memory)
{
  struct indexing *indexing = memory;
  dv_data_unref (indexing->data);
  g_free (indexing);
}

static void
index_free (void *index)
{
  dg_index_close (index);
}

static void *
run_indexing (void *input, dg_progress_fn progress, void *user,
              struct dg_error *err)
{
  struct indexing *indexing = input;
  const struct dg_log *log = indexing->data->log;
  struct dg_index *index;
  char *path = dg_index_sidecar (log);
  /* Half of the machine: somebody is looking at the picture.  */
  dg_index_build (log, path, MAX (g_get_num_processors () / 2, 1), progress,
                  user, &index, err);
  free (path);
  return index;
}

static const struct dv_job_class indexing_class = {
  run_indexing, indexing_free, index_free
};

/* Without an index everything works, if more slowly: nothing is said.  */
static void
indexing_done (void *user, void *result, const struct dg_error *err)
{
  struct dv_window *window = user;
  window->index_job = NULL;
  if (result != NULL)
    dv_data_set_index (window->data, result);
}

void
dv_indexing_start (struct dv_window *window)
{
  dv_indexing_stop (window);
  if (window->data == NULL || !dv_data_wants_index (window->data))
    return;
  struct indexing *indexing = g_new0 (struct indexing, 1);
  indexing->data = dv_data_ref (window->data);
  window->index_job = dv_job_start (&indexing_class, indexing, indexing_done,
                                    window);
  dv_loading_watch (window);
}

void
dv_indexing_stop (struct dv_window *window)
{
  dv_job_drop (window->index_job);
  window->index_job = NULL;
}

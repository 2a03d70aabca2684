/* py_handle.c: a loaded log that Python objects and streams keep together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_handle.h"

#include <stdlib.h>

/* Only counts, so that tests can prove that nothing is left.  */
static atomic_size_t n_handles;

struct py_handle *
py_handle_new (struct dg_log *log, const char *const *source_paths,
               struct dg_error *err)
{
  struct py_handle *handle = calloc (1, sizeof *handle);

  if (!handle) {
    *err = (struct dg_error) { .code = DG_ERR_NOMEM,
                               .message = "out of memory" };
    dg_log_close (log);
    return NULL;
  }
  handle->shared = dg_arrow_shared_new (log, source_paths, err);
  if (!handle->shared) {
    dg_log_close (log);
    free (handle);
    return NULL;
  }
  handle->log = log;
  atomic_init (&handle->references, 1);
  atomic_fetch_add (&n_handles, 1);
  return handle;
}

struct py_handle *
py_handle_keep (struct py_handle *handle)
{
  atomic_fetch_add_explicit (&handle->references, 1, memory_order_relaxed);
  return handle;
}

void
py_handle_drop (struct py_handle *handle)
{
  if (!handle
      || atomic_fetch_sub_explicit (&handle->references, 1,
                                    memory_order_acq_rel) > 1)
    return;
  dg_arrow_shared_free (handle->shared);
  dg_log_close (handle->log);
  free (handle);
  atomic_fetch_sub (&n_handles, 1);
}

size_t
py_handle_count (void)
{
  return atomic_load (&n_handles);
}

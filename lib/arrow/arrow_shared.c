/* arrow_shared.c: what streams of one log share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_shared.h"

#include <glib.h>

#include "base/error.h"
#include "variables/variables.h"

struct dg_arrow_shared {
  gatomicrefcount users;
  const struct dg_log *log;
  char **source_paths;
  /* Held while one of these is made.  */
  GMutex mutex;
  struct dg_symbols *symbols;
  struct dg_space *space;
  struct dg_variables *variables;
  struct dg_index *index;
  bool has_no_index;
};

struct dg_arrow_shared *
dg_arrow_shared_new (const struct dg_log *log,
                     const char *const *source_paths, struct dg_error *err)
{
  struct dg_arrow_shared *shared = g_try_new0 (struct dg_arrow_shared, 1);

  if (!shared) {
    dg_error_nomem (err);
    return NULL;
  }
  g_atomic_ref_count_init (&shared->users);
  g_mutex_init (&shared->mutex);
  shared->log = log;
  shared->source_paths = g_strdupv ((char **) source_paths);
  return shared;
}

struct dg_arrow_shared *
dg_arrow_shared_keep (struct dg_arrow_shared *shared)
{
  g_atomic_ref_count_inc (&shared->users);
  return shared;
}

void
dg_arrow_shared_free (struct dg_arrow_shared *shared)
{
  if (!shared || !g_atomic_ref_count_dec (&shared->users))
    return;
  dg_variables_free (shared->variables);
  dg_space_free (shared->space);
  dg_symbols_free (shared->symbols);
  dg_index_close (shared->index);
  g_mutex_clear (&shared->mutex);
  g_strfreev (shared->source_paths);
  g_free (shared);
}

const struct dg_log *
dg_arrow_shared_log (const struct dg_arrow_shared *shared)
{
  return shared->log;
}

/* ---- With the mutex held ---- */

static struct dg_symbols *
make_symbols (struct dg_arrow_shared *shared, struct dg_error *err)
{
  if (!shared->symbols)
    shared->symbols
      = dg_symbols_new (shared->log,
                        (const char *const *) shared->source_paths, err);
  return shared->symbols;
}

static struct dg_space *
make_space (struct dg_arrow_shared *shared, dg_progress_fn progress,
            void *user, struct dg_error *err)
{
  if (!shared->space)
    shared->space = dg_space_build (shared->log, progress, user, err);
  return shared->space;
}

/* ---- For all ---- */

struct dg_symbols *
dg_arrow_shared_symbols (struct dg_arrow_shared *shared, struct dg_error *err)
{
  struct dg_symbols *symbols;

  g_mutex_lock (&shared->mutex);
  symbols = make_symbols (shared, err);
  g_mutex_unlock (&shared->mutex);
  return symbols;
}

const struct dg_space *
dg_arrow_shared_space (struct dg_arrow_shared *shared, dg_progress_fn progress,
                       void *user, struct dg_error *err)
{
  const struct dg_space *space;

  g_mutex_lock (&shared->mutex);
  space = make_space (shared, progress, user, err);
  g_mutex_unlock (&shared->mutex);
  return space;
}

struct dg_variables *
dg_arrow_shared_variables (struct dg_arrow_shared *shared,
                           dg_progress_fn progress, void *user,
                           struct dg_error *err)
{
  struct dg_variables *variables;

  g_mutex_lock (&shared->mutex);
  if (!shared->variables && make_symbols (shared, err)
      && make_space (shared, progress, user, err))
    shared->variables = dg_variables_new (shared->log, shared->symbols,
                                          shared->space, NULL, 0, err);
  variables = shared->variables;
  g_mutex_unlock (&shared->mutex);
  return variables;
}

/* Accesses of no bytes are in no line, but at an address that may be asked
   for.  Recorders make none; other writers may.  */
static bool
has_no_bytes (const struct dg_log *log)
{
  uint64_t n = dg_log_summary (log)->bbdefs;

  for (uint32_t i = 0; i < n; i++) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (log, i);

    for (unsigned k = 0; k < bbdef->n_slots; k++)
      if (bbdef->slots[k].size == 0)
        return true;
  }
  return false;
}

struct dg_index *
dg_arrow_shared_index (struct dg_arrow_shared *shared)
{
  struct dg_index *index;

  g_mutex_lock (&shared->mutex);
  if (!shared->index && !shared->has_no_index)
    shared->has_no_index
      = has_no_bytes (shared->log)
        || dg_index_open (shared->log, &shared->index, NULL) < 0;
  index = shared->index;
  g_mutex_unlock (&shared->mutex);
  return index;
}

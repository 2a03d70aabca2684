/* index_grow.c: the index of a log that has grown.

   Chunks that were complete before have the lists that they had; an archive
   brings those of the new ones, for a raw log they are made, in memory.
   Decoded lists that nobody uses just now go over to the new index, or else a
   picture would read them all again each time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>

#include "base/error.h"
#include "index.h"
#include "index_build.h"
#include "archive/index_levels.h"

/* ---- What goes over ---- */

/* Chunks of an index that are not going to change: a raw log's last one goes
   on.  */
static size_t
final_chunks (const struct dg_index *index, const struct dg_log *log)
{
  size_t n = index->n_chunks;

  return log->header.is_archive || n == 0 ? n : n - 1;
}

static bool
is_final (unsigned level, size_t i, size_t n_final)
{
  return (i + 1) << (level * DG_INDEX_FAN_SHIFT) <= n_final;
}

/* Of one list: under the lock of `from`; nobody else has `to` yet.  */
static void
move_entry (struct dg_index *to, struct dg_index_ref *to_ref,
            struct dg_index *from, struct dg_index_ref *from_ref)
{
  struct dg_index_entry *entry = from_ref->entry;
  size_t bytes;

  if (!entry || entry->users > 0 || to_ref->entry)
    return;
  bytes = dg_index_entry_bytes (entry);
  g_queue_unlink (&from->kept, &entry->link);
  from->kept_bytes -= bytes;
  from_ref->entry = NULL;
  entry->ref = to_ref;
  to_ref->entry = entry;
  g_queue_push_tail_link (&to->kept, &entry->link);
  to->kept_bytes += bytes;
}

static void
take_over (struct dg_index *to, struct dg_index *from, size_t n_final)
{
  unsigned n_levels = MIN (to->n_levels, from->n_levels);

  g_mutex_lock (&from->lock);
  for (unsigned k = 0; k < n_levels; k++)
    for (size_t i = 0; i < from->levels[k].n && is_final (k, i, n_final); i++)
      move_entry (to, &to->levels[k].refs[i], from, &from->levels[k].refs[i]);
  g_mutex_unlock (&from->lock);
}

/* ---- Lists of a raw log ---- */

static void
share_lists (struct dg_index *to, const struct dg_index *from,
             size_t n_final)
{
  for (size_t i = 0; i < n_final; i++) {
    const struct dg_index_ref *ref = &from->levels[0].refs[i];

    if (ref->where != DG_INDEX_IN_MEMORY)
      continue;
    to->levels[0].refs[i].where = DG_INDEX_IN_MEMORY;
    to->levels[0].refs[i].bytes = g_bytes_ref (ref->bytes);
    to->bytes += g_bytes_get_size (ref->bytes);
  }
}

static int
take_list (void *user, size_t chunk, const void *bytes, size_t n,
           struct dg_error *err)
{
  struct dg_index *index = user;

  if (index->bytes + n > DG_INDEX_MEMORY_BYTES)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "the index would take more than "
                         "%" PRIu64 " MB of memory",
                         DG_INDEX_MEMORY_BYTES >> 20);
  return dg_index_set_memory (index, 0, chunk, bytes, n, err);
}

static int
grow_in_memory (const struct dg_log *log, struct dg_index *before,
                unsigned workers, dg_progress_fn progress, void *user,
                struct dg_index **index, struct dg_error *err)
{
  size_t n_final = before ? final_chunks (before, log) : 0;
  int code;

  *index = dg_index_new (log->contents.chunks.n, err);
  if (!*index)
    return DG_ERR_NOMEM;
  dg_index_set_starts (*index, log);
  if (before)
    share_lists (*index, before, n_final);
  code = dg_index_scan (log, n_final, workers, take_list, *index, progress,
                        user, err);
  if (code < 0) {
    dg_index_close (*index);
    *index = NULL;
  }
  return code;
}

int
dg_index_grow (const struct dg_log *log, struct dg_index *before,
               unsigned workers, dg_progress_fn progress, void *user,
               struct dg_index **index, struct dg_error *err)
{
  int code;

  *index = NULL;
  if (before && (before->n_chunks > log->contents.chunks.n
                 || (before->origin != DG_INDEX_MEMORY)
                      != log->header.is_archive))
    before = NULL;
  if (log->header.is_archive)
    code = dg_index_open (log, index, err);
  else
    code = grow_in_memory (log, before, workers, progress, user, index, err);
  if (code == 0 && before)
    take_over (*index, before, final_chunks (before, log));
  return code;
}

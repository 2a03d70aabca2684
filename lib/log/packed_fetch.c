/* packed_fetch.c: the chunks of an archive for loading it: read, checked and
   decompressed by several threads, and given out in their order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_fetch.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"

#define WORKERS_MAX 64u
/* How far workers may be ahead; this bounds the memory that is used.  */
#define AHEAD(workers) ((size_t) (workers) + 2)

struct slot {
  struct dg_packed_fetched fetched;
  bool is_ready;
};

struct dg_packed_fetch {
  const struct dg_source *source;
  const struct dg_archive *archive;
  struct slot *slots;      /* chunk i is in slot i % n_slots */
  size_t n_slots;
  size_t first;            /* chunk */
  size_t given;            /* chunks given out so far, with those before */
  unsigned n_threads;
  GThread **threads;
  struct dg_table room;    /* without threads */
  GMutex mutex;
  GCond changed;
  /* Guarded by the mutex, with the slots' is_ready.  */
  size_t next;             /* chunk to be taken by a worker */
  size_t done;             /* chunks that the caller has finished with */
  bool stops;
};

static int
read_optional (struct dg_packed_fetch *fetch, const struct dg_part *part,
               enum dg_part_type type, struct dg_table *buffer,
               struct dg_error *err)
{
  buffer->n = 0;
  if (part->size == 0)
    return 0;
  return dg_archive_read (fetch->source, part, type, buffer, err);
}

static void
fetch_chunk (struct dg_packed_fetch *fetch, size_t index,
             struct dg_packed_fetched *out, struct dg_table *room)
{
  const struct dg_chunk_entry *chunk
    = (struct dg_chunk_entry *) fetch->archive->chunks.items + index;

  out->err.code = 0;
  if (read_optional (fetch, &chunk->definitions, DG_PART_DEFINITIONS,
                     &out->definitions, &out->err) < 0
      || read_optional (fetch, &chunk->records, DG_PART_RECORDS,
                        &out->records, &out->err) < 0)
    return;
  dg_archive_check (fetch->source, &chunk->runs, DG_PART_RUNS, room,
                    &out->err);
}

static gpointer
work (gpointer data)
{
  struct dg_packed_fetch *fetch = data;
  struct dg_table room = { 0 };
  size_t n = fetch->archive->chunks.n;

  g_mutex_lock (&fetch->mutex);
  while (!fetch->stops && fetch->next < n) {
    size_t index = fetch->next;
    struct slot *slot = &fetch->slots[index % fetch->n_slots];

    if (index >= fetch->done + fetch->n_slots) {
      g_cond_wait (&fetch->changed, &fetch->mutex);
      continue;
    }
    fetch->next++;
    g_mutex_unlock (&fetch->mutex);
    fetch_chunk (fetch, index, &slot->fetched, &room);
    g_mutex_lock (&fetch->mutex);
    slot->is_ready = true;
    g_cond_broadcast (&fetch->changed);
  }
  g_mutex_unlock (&fetch->mutex);
  dg_table_fini (&room);
  return NULL;
}

struct dg_packed_fetch *
dg_packed_fetch_new (const struct dg_source *source,
                     const struct dg_archive *archive, size_t first,
                     unsigned workers, struct dg_error *err)
{
  struct dg_packed_fetch *fetch = g_try_new0 (struct dg_packed_fetch, 1);

  if (!fetch) {
    dg_error_nomem (err);
    return NULL;
  }
  if (workers > WORKERS_MAX)
    workers = WORKERS_MAX;
  if (workers > archive->chunks.n - first)
    workers = archive->chunks.n - first;
  fetch->source = source;
  fetch->first = fetch->given = fetch->next = fetch->done = first;
  fetch->archive = archive;
  fetch->n_slots = workers > 1 ? AHEAD (workers) : 1;
  fetch->slots = g_new0 (struct slot, fetch->n_slots);
  fetch->threads = g_new0 (GThread *, workers + 1);
  g_mutex_init (&fetch->mutex);
  g_cond_init (&fetch->changed);
  while (workers > 1 && fetch->n_threads < workers) {
    GThread *thread = g_thread_try_new ("dg-fetch", work, fetch, NULL);

    /* Those that there are do it all; without any, the caller does.  */
    if (!thread)
      break;
    fetch->threads[fetch->n_threads++] = thread;
  }
  return fetch;
}

const struct dg_packed_fetched *
dg_packed_fetch_next (struct dg_packed_fetch *fetch)
{
  size_t index = fetch->given++;
  struct slot *slot = &fetch->slots[index % fetch->n_slots];

  if (fetch->n_threads == 0) {
    fetch_chunk (fetch, index, &slot->fetched, &fetch->room);
    return &slot->fetched;
  }
  g_mutex_lock (&fetch->mutex);
  /* The one before is no longer used.  */
  if (index > fetch->first)
    fetch->slots[(index - 1) % fetch->n_slots].is_ready = false;
  fetch->done = index;
  g_cond_broadcast (&fetch->changed);
  while (!slot->is_ready)
    g_cond_wait (&fetch->changed, &fetch->mutex);
  g_mutex_unlock (&fetch->mutex);
  return &slot->fetched;
}

void
dg_packed_fetch_free (struct dg_packed_fetch *fetch)
{
  if (!fetch)
    return;
  g_mutex_lock (&fetch->mutex);
  fetch->stops = true;
  g_cond_broadcast (&fetch->changed);
  g_mutex_unlock (&fetch->mutex);
  for (unsigned i = 0; i < fetch->n_threads; i++)
    g_thread_join (fetch->threads[i]);
  for (size_t i = 0; i < fetch->n_slots; i++) {
    dg_table_fini (&fetch->slots[i].fetched.definitions);
    dg_table_fini (&fetch->slots[i].fetched.records);
  }
  dg_table_fini (&fetch->room);
  g_mutex_clear (&fetch->mutex);
  g_cond_clear (&fetch->changed);
  g_free (fetch->threads);
  g_free (fetch->slots);
  g_free (fetch);
}

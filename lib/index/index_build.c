/* index_build.c: making the index of a log from its accesses.

   Workers take one chunk after the other; the caller's thread takes what they
   made in the order of the chunks, so that the result does not depend on who
   was faster.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_build.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "index_sink.h"
#include "archive/index_levels.h"
#include "archive/lines.h"

#define MAX_WORKERS 64
/* Chunks that may be ready before it is their turn, for each worker.  */
#define AHEAD 4
#define PROGRESS_US 40000

/* What a worker makes of a chunk.  */
struct piece {
  bool ready;
  int code;
  struct dg_error error;
  struct dg_table bytes;   /* as dg_lines_write made them */
};

struct build {
  const struct dg_log *log;
  size_t n_chunks;
  const struct dg_chunk *chunks;
  size_t first;            /* chunk */
  dg_index_take_fn take;
  void *take_user;
  dg_progress_fn progress;
  void *user;
  gint64 last_progress;
  struct piece *pieces;    /* of chunk c: c % ahead */
  size_t ahead;
  GMutex lock;             /* guards what follows and piece->ready */
  GCond changed;
  size_t next;             /* the first chunk that nobody has begun */
  size_t taken;            /* chunks that the caller has taken */
  bool stop;
};

/* ---- Workers ---- */

static int
add_run (struct dg_lines *lines, const struct dg_run *run,
         struct dg_error *err)
{
  const struct dg_slot *slot = run->bbdef->slots, *end = slot + run->n_slots;

  for (; slot < end; slot++) {
    uint64_t address = run->addresses[slot->entry];
    int code;

    if (address == 0 || slot->size == 0)
      continue;
    code = dg_lines_add (lines, address, slot->size, slot->kind, err);
    if (code < 0)
      return code;
  }
  return 0;
}

static int
add_chunk (const struct dg_log *log, size_t chunk, struct dg_lines *lines,
           struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, chunk, chunk + 1, err);
  struct dg_run run;
  int code;

  if (!reader)
    return DG_ERR_NOMEM;
  while ((code = dg_reader_run (reader, &run, err)) == 1) {
    code = add_run (lines, &run, err);
    if (code < 0)
      break;
  }
  dg_reader_free (reader);
  return code;
}

static int
make_piece (const struct build *build, size_t chunk, struct dg_lines *lines,
            struct piece *piece)
{
  const struct dg_summary *summary = dg_log_summary (build->log);
  const struct dg_chunk *begin = &build->chunks[chunk], *end = begin + 1;
  uint64_t accesses = chunk + 1 < build->n_chunks
                        ? end->reads + end->writes : summary->accesses;
  const struct dg_line_count *counts;
  struct dg_error *err = &piece->error;
  uint64_t mask = build->log->format.word_size == 4 ? UINT32_MAX : UINT64_MAX;
  size_t n;
  int code;

  piece->bytes.n = 0;
  dg_lines_begin (lines, mask);
  code = add_chunk (build->log, chunk, lines, err);
  if (code == 0)
    code = dg_lines_end (lines, &counts, &n, err);
  if (code == 0)
    code = dg_lines_write_chunk (counts, n,
                                 accesses - begin->reads - begin->writes,
                                 &piece->bytes, err);
  return code;
}

/* The next chunk, when there is room for its result; false at the end.  */
static bool
next_chunk (struct build *build, size_t *chunk)
{
  bool more;

  g_mutex_lock (&build->lock);
  while (!build->stop && build->next < build->n_chunks
         && build->next >= build->taken + build->ahead)
    g_cond_wait (&build->changed, &build->lock);
  more = !build->stop && build->next < build->n_chunks;
  if (more)
    *chunk = build->next++;
  g_mutex_unlock (&build->lock);
  return more;
}

static gpointer
work (gpointer user)
{
  struct build *build = user;
  struct dg_error why = { 0 };
  struct dg_lines *lines = dg_lines_new (&why);
  size_t chunk;

  while (next_chunk (build, &chunk)) {
    struct piece *piece = &build->pieces[chunk % build->ahead];

    if (lines) {
      piece->code = make_piece (build, chunk, lines, piece);
    } else {
      piece->code = why.code;
      piece->error = why;
    }
    g_mutex_lock (&build->lock);
    piece->ready = true;
    g_cond_broadcast (&build->changed);
    g_mutex_unlock (&build->lock);
  }
  dg_lines_free (lines);
  return NULL;
}

/* ---- The caller's thread ---- */

static int
tell_progress (struct build *build, size_t done, struct dg_error *err)
{
  uint64_t total = build->log->source.size;
  gint64 now = g_get_monotonic_time ();

  if (!build->progress
      || (done < build->n_chunks && now - build->last_progress < PROGRESS_US))
    return 0;
  build->last_progress = now;
  if (build->progress (build->user,
                       done < build->n_chunks ? build->chunks[done].offset
                                              : total, total) != 0)
    return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
  return 0;
}

static int
wait_for (struct build *build, struct piece *piece, size_t chunk,
          struct dg_error *err)
{
  int code = 0;

  g_mutex_lock (&build->lock);
  while (code == 0 && !piece->ready) {
    g_cond_wait_until (&build->changed, &build->lock,
                       g_get_monotonic_time () + PROGRESS_US);
    g_mutex_unlock (&build->lock);
    code = tell_progress (build, chunk, err);
    g_mutex_lock (&build->lock);
  }
  g_mutex_unlock (&build->lock);
  return code;
}

/* Takes all pieces in order.  */
static int
take_pieces (struct build *build, struct dg_error *err)
{
  int code = 0;

  for (size_t c = build->first; code == 0 && c < build->n_chunks; c++) {
    struct piece *piece = &build->pieces[c % build->ahead];

    code = wait_for (build, piece, c, err);
    if (code == 0 && piece->code < 0)
      code = dg_error_copy (err, &piece->error);
    if (code < 0)
      break;
    code = build->take (build->take_user, c, piece->bytes.items,
                        piece->bytes.n, err);
    if (code == 0)
      code = tell_progress (build, c + 1, err);
    g_mutex_lock (&build->lock);
    piece->ready = false;
    build->taken++;
    g_cond_broadcast (&build->changed);
    g_mutex_unlock (&build->lock);
  }
  return code;
}

static int
run (struct build *build, unsigned workers, struct dg_error *err)
{
  GThread *threads[MAX_WORKERS];
  unsigned n = 0;
  int code;

  build->ahead = (size_t) workers * AHEAD;
  build->pieces = g_new0 (struct piece, build->ahead);
  g_mutex_init (&build->lock);
  g_cond_init (&build->changed);
  while (n < workers) {
    threads[n] = g_thread_try_new ("dg-index", work, build, NULL);
    if (!threads[n])
      break;
    n++;
  }
  code = n > 0 ? take_pieces (build, err)
               : dg_error_set (err, DG_ERR_NOMEM, "cannot start a thread");
  g_mutex_lock (&build->lock);
  build->stop = true;
  g_cond_broadcast (&build->changed);
  g_mutex_unlock (&build->lock);
  while (n > 0)
    g_thread_join (threads[--n]);
  for (size_t i = 0; i < build->ahead; i++)
    dg_table_fini (&build->pieces[i].bytes);
  g_free (build->pieces);
  g_mutex_clear (&build->lock);
  g_cond_clear (&build->changed);
  return code;
}

int
dg_index_scan (const struct dg_log *log, size_t first, unsigned workers,
               dg_index_take_fn take, void *take_user,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct build build = { .log = log, .first = first, .next = first,
                         .taken = first, .take = take,
                         .take_user = take_user, .progress = progress,
                         .user = user };

  build.chunks = dg_log_chunks (log, &build.n_chunks);
  build.last_progress = g_get_monotonic_time ();
  if (workers == 0)
    workers = g_get_num_processors ();
  workers = CLAMP (workers, 1, MAX_WORKERS);
  if (workers > build.n_chunks - first)
    workers = MAX (build.n_chunks - first, 1);
  return run (&build, workers, err);
}

static int
take_list (void *user, size_t chunk, const void *bytes, size_t n,
           struct dg_error *err)
{
  return dg_index_sink_add (user, chunk, bytes, n, err);
}

int
dg_index_build (const struct dg_log *log, const char *path, unsigned workers,
                dg_progress_fn progress, void *user, struct dg_index **index,
                struct dg_error *err)
{
  struct dg_index_sink sink;
  int code;

  *index = NULL;
  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  code = dg_index_sink_init (&sink, log, path, err);
  if (code == 0)
    code = dg_index_scan (log, 0, workers, take_list, &sink, progress, user,
                          err);
  if (code == 0)
    code = dg_index_sink_finish (&sink, index, err);
  dg_index_sink_fini (&sink);
  return code;
}

/* index_build.c: making the index of a log from its accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_build.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress.h"
#include "index_sink.h"
#include "base/ordered.h"
#include "index_build.h"
#include "archive/index_levels.h"
#include "archive/lines.h"

struct build {
  const struct dg_log *log;
  size_t n_chunks;
  const struct dg_chunk *chunks;
  size_t first, done;      /* chunks */
  dg_index_take_fn take;
  void *take_user;
  struct dg_progress progress;
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

/* What a worker needs for itself: the lines of a chunk.  */
static void *
state_new (void *user, struct dg_error *err)
{
  return dg_lines_new (err);
}

static void
state_free (void *lines)
{
  dg_lines_free (lines);
}

/* The lines of a chunk, as dg_lines_write makes them.  */
static int
work (void *user, void *lines, size_t job, void *result, struct dg_error *err)
{
  const struct build *build = user;
  const struct dg_summary *summary = dg_log_summary (build->log);
  size_t chunk = build->first + job;
  const struct dg_chunk *begin = &build->chunks[chunk], *end = begin + 1;
  uint64_t accesses = chunk + 1 < build->n_chunks
                        ? end->reads + end->writes : summary->accesses;
  const struct dg_line_count *counts;
  struct dg_table *bytes = result;
  uint64_t mask = build->log->format.word_size == 4 ? UINT32_MAX : UINT64_MAX;
  size_t n;
  int code;

  bytes->n = 0;
  dg_lines_begin (lines, mask);
  code = add_chunk (build->log, chunk, lines, err);
  if (code == 0)
    code = dg_lines_end (lines, &counts, &n, err);
  if (code == 0)
    code = dg_lines_write_chunk (counts, n,
                                 accesses - begin->reads - begin->writes,
                                 bytes, err);
  return code;
}

static void
result_fini (void *result)
{
  dg_table_fini (result);
}

/* ---- The caller's thread ---- */

static int
pace (void *user, struct dg_error *err)
{
  const struct build *build = user;
  uint64_t total = build->log->source.size;

  return dg_progress_tell (&build->progress,
                           build->done < build->n_chunks
                             ? build->chunks[build->done].offset : total,
                           total, err);
}

static int
take (void *user, size_t job, void *result, struct dg_error *err)
{
  struct build *build = user;
  const struct dg_table *bytes = result;
  int code = build->take (build->take_user, build->first + job, bytes->items,
                          bytes->n, err);

  build->done = build->first + job + 1;
  /* At the end, all is said to be done.  */
  return code == 0 && build->done == build->n_chunks ? pace (build, err)
                                                     : code;
}

int
dg_index_scan (const struct dg_log *log, size_t first, unsigned workers,
               dg_index_take_fn take_lists, void *take_user,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct build build = { .log = log, .first = first, .done = first,
                         .take = take_lists, .take_user = take_user,
                         .progress = { progress, user, 0 } };
  struct dg_ordered ordered = { .workers = workers,
                                .name = "dg-index",
                                .result_size = sizeof (struct dg_table),
                                .user = &build,
                                .state_new = state_new,
                                .state_free = state_free,
                                .work = work,
                                .take = take,
                                .result_fini = result_fini,
                                .pace = pace };

  build.chunks = dg_log_chunks (log, &build.n_chunks);
  ordered.jobs = build.n_chunks - first;
  return dg_ordered_run (&ordered, err);
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

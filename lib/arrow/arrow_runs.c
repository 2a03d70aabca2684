/* arrow_runs.c: the table of runs of superblocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "arrow_chunks.h"
#include "arrow_rows.h"
#include "base/error.h"
#include "dg_record.h"

static const struct dg_arrow_column runs_columns[] = {
  { "run", "L", 0, "its number in the log, from 0" },
  { "icount", "L", 0, "instructions executed before it" },
  { "thread", "I", 0, "number of the thread" },
  { "context", "I", 0, "row of contexts" },
  { "superblock", "I", 0, "its number" },
  { "address", "L", DG_ARROW_ADDRESS, "of its first instruction" },
  { "instructions", "I", 0, "executed" },
  { "reads", "I", 0, "accesses that were made" },
  { "writes", "I", 0, "accesses that were made" }
};

struct runs {
  struct dg_arrow_asked *asked;
  struct dg_arrow_chunks chunks;
  struct dg_reader *reader;        /* NULL: no chunk is open */
  uint64_t number;                 /* of the next run */
};

static void *
open_runs (struct dg_arrow_asked *asked, struct dg_error *err)
{
  struct runs *runs = g_try_new0 (struct runs, 1);

  if (runs) {
    runs->asked = asked;
    runs->chunks.asked = asked;
  } else {
    dg_error_nomem (err);
  }
  return runs;
}

static void
close_runs (void *self)
{
  struct runs *runs = self;

  dg_reader_free (runs->reader);
  g_free (runs);
}

/* 1, 0, < 0.  */
static int
open_chunk (struct runs *runs, struct dg_error *err)
{
  const struct dg_log *log = runs->asked->log;
  size_t n, chunk;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);
  int code = dg_progress_pace (&runs->asked->progress, runs->chunks.next,
                               runs->asked->query.end_chunk, err);

  if (code == 0)
    code = dg_arrow_chunks_next (&runs->chunks, &chunk, err);
  if (code <= 0)
    return code;
  runs->number = chunks[chunk].runs;
  runs->reader = dg_reader_new (log, chunk, chunk + 1, err);
  return runs->reader ? 1 : DG_ERR_NOMEM;
}

static void
count_kinds (const struct dg_run *run, uint64_t *reads, uint64_t *writes)
{
  *reads = *writes = 0;
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];

    if (run->addresses[slot->entry] != 0)
      *(slot->kind == DG_ACC_WRITE ? writes : reads) += 1;
  }
}

static bool
put_run (const struct runs *runs, const struct dg_run *run,
         struct dg_arrow_array *const *columns)
{
  struct dg_arrow_row row = { columns };
  const struct dg_bbdef *bbdef = run->bbdef;
  uint64_t reads, writes;

  if (!dg_arrow_query_has_thread (runs->asked, run->thread)
      || !dg_arrow_query_has_time (runs->asked, run->icount,
                                   run->icount + run->n_instrs))
    return false;
  count_kinds (run, &reads, &writes);
  dg_arrow_row_number (&row, runs->number - 1);
  dg_arrow_row_number (&row, run->icount);
  dg_arrow_row_number (&row, run->thread);
  dg_arrow_row_number (&row, run->context);
  dg_arrow_row_number (&row, bbdef->number);
  dg_arrow_row_number (&row, bbdef->n_instrs > 0 ? bbdef->instrs[0].address
                                                 : 0);
  dg_arrow_row_number (&row, run->n_instrs);
  dg_arrow_row_number (&row, reads);
  dg_arrow_row_number (&row, writes);
  return true;
}

static ptrdiff_t
next_runs (void *self, struct dg_arrow_array *const *columns, size_t max,
           struct dg_error *err)
{
  struct runs *runs = self;
  size_t n = 0;
  int code = 1;

  while (n < max) {
    struct dg_run run;

    if (!runs->reader) {
      if (n > 0)
        break;
      code = open_chunk (runs, err);
      if (code <= 0)
        return code;
    }
    code = dg_reader_run (runs->reader, &run, err);
    if (code < 0)
      return n > 0 ? (ptrdiff_t) n : code;
    if (code == 0) {
      g_clear_pointer (&runs->reader, dg_reader_free);
      continue;
    }
    runs->number++;
    n += put_run (runs, &run, columns);
  }
  return n;
}

static size_t
most_runs (const void *self)
{
  const struct runs *runs = self;

  return dg_log_summary (runs->asked->log)->runs;
}

const struct dg_arrow_source dg_arrow_source_runs = {
  { "runs", "runs of superblocks, in the order of the log", runs_columns,
    G_N_ELEMENTS (runs_columns),
    DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_CHUNKS },
  open_runs, NULL, next_runs, close_runs, most_runs
};

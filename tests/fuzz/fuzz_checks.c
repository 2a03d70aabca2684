/* fuzz_checks.c: any bytes as a log or an archive: open, load, read in every
   way, feed to analyses, ask who owns addresses, filter.  Symbols are not
   asked: they would open files that the bytes name.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive_summary.h"
#include "feed/feed.h"
#include "fuzz.h"
#include "log/bundled.h"
#include "log/log.h"

/* What readers found, which the summary has to say too.  */
struct sums {
  uint64_t runs, instructions, accesses;
  uint64_t sps;            /* of their values */
};

static void
add_sps (const struct dg_run *run, struct sums *sums)
{
  const struct dg_sp_entry *sps = run->bbdef->sps;

  MUST (run->n_sps <= run->bbdef->n_sps);
  for (unsigned i = 0; i < run->n_sps; i++) {
    MUST (sps[i].iseq < run->n_instrs);
    sums->sps += run->addresses[sps[i].entry];
  }
}

/* Loading an archive does not decode its runs, so they may turn out to be
   damaged: false.  */
static bool
read_runs (const struct dg_log *log, size_t first, size_t end,
           struct sums *sums)
{
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, first, end, &err);
  struct dg_run run;
  int code;

  MUST (reader);
  while ((code = dg_reader_run (reader, &run, &err)) > 0) {
    MUST (run.n_slots <= run.bbdef->n_slots);
    MUST (run.n_instrs <= run.bbdef->n_instrs);
    sums->runs++;
    sums->instructions += run.n_instrs;
    for (unsigned i = 0; i < run.n_slots; i++)
      sums->accesses += run.addresses[run.bbdef->slots[i].entry] != 0;
    add_sps (&run, sums);
  }
  MUST (code == 0 || (log->header.is_archive && code == DG_ERR_DAMAGED));
  dg_reader_free (reader);
  return code == 0;
}

static void
check_reading (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  struct sums whole = { 0 }, parts = { 0 };
  size_t n;

  MUST (s->reads + s->writes == s->accesses);
  if (!read_runs (log, 0, SIZE_MAX, &whole))
    return;
  MUST (whole.runs == s->runs);
  MUST (log->header.is_archive || whole.instructions == s->instructions);
  MUST (log->header.is_archive || whole.accesses == s->accesses);
  MUST (dg_log_chunks (log, &n) || log->header.is_archive);
  for (size_t i = 0; i < n && n < 1000; i++)
    MUST (read_runs (log, i, i + 1, &parts));
  MUST (n >= 1000 || memcmp (&whole, &parts, sizeof whole) == 0);
}

/* What analyses are given of all chunks; false: some are damaged.  */
static bool
feed (const struct dg_feed_plan *plan, struct sums *sums)
{
  struct dg_error err = { 0 };
  struct dg_feeder *feeder = dg_feeder_new (plan, &err);
  struct dg_batch batch;
  size_t n;
  int code = 0;

  MUST (feeder);
  MUST (dg_log_chunks (plan->log, &n) || plan->log->header.is_archive);
  for (size_t i = 0; i < n && code == 0; i++) {
    code = dg_feeder_open (feeder, i, &err);
    while (code == 0 && (code = dg_feeder_next (feeder, &batch, &err)) > 0) {
      code = 0;
      MUST (batch.n_runs > 0);
      for (size_t k = 0; k < batch.n_runs; k++) {
        const struct dg_run *run = &batch.runs[k];

        MUST (run->n_slots <= run->bbdef->n_slots);
        MUST (run->n_instrs <= run->bbdef->n_instrs);
        MUST (run->first_instr < run->n_instrs);
        sums->runs++;
        sums->instructions += run->n_instrs - run->first_instr;
        for (unsigned j = 0; j < run->n_slots; j++)
          sums->accesses += !run->addresses
                            || run->addresses[run->bbdef->slots[j].entry] != 0;
        if (run->addresses)
          add_sps (run, sums);
      }
    }
  }
  MUST (code == 0
        || (plan->log->header.is_archive && code == DG_ERR_DAMAGED));
  dg_feeder_free (feeder);
  return code == 0;
}

/* As readers read it.  What only the heads of runs tell, the sums of a chunk
   must tell, too: that is what dg_log_verify looks at.  */
/* Runs that are alike are as many as those that are read one by one, unless
   some of them are wrong.  */
static void
check_alike (const struct dg_log *log, const struct sums *read)
{
  struct dg_alike *alike = dg_alike_new (log, NULL);
  uint64_t instructions = 0, times;
  bool is_good = true;
  size_t n_chunks;
  struct dg_run run;

  dg_log_chunks (log, &n_chunks);
  MUST (alike != NULL);
  for (size_t i = 0; i < n_chunks; i++) {
    int code = dg_alike_open (alike, i, NULL);

    if (code == 0)
      while ((code = dg_alike_next (alike, &run, &times, NULL)) > 0) {
        MUST (times > 0 && run.bbdef != NULL);
        instructions += times * (run.n_instrs - run.first_instr);
      }
    is_good &= code == 0;
  }
  if (is_good && read != NULL)
    MUST (instructions == read->instructions);
  dg_alike_free (alike);
}

static void
check_feeding (const struct dg_log *log)
{
  struct sums read = { 0 }, fed = { 0 }, heads = { 0 }, part = { 0 };
  struct dg_feed_plan plan = { .log = log, .end_icount = DG_NEVER,
                               .needs_addresses = true,
                               .needs_contexts = true };
  bool is_good = read_runs (log, 0, SIZE_MAX, &read);
  uint64_t ends[] = { 3, 4, 50, 60, 1000 };

  MUST (feed (&plan, &fed) == is_good);
  MUST (!is_good || (fed.instructions == read.instructions
                     && fed.accesses == read.accesses
                     && fed.sps == read.sps));
  plan.needs_addresses = plan.needs_contexts = false;
  if (feed (&plan, &heads) && is_good)
    MUST (heads.instructions == read.instructions
          && heads.accesses >= read.accesses);
  check_alike (log, is_good ? &read : NULL);
  plan.start_icount = 2;
  plan.ends = ends;
  plan.n_ends = 5;
  feed (&plan, &part);
  plan.needs_addresses = true;
  feed (&plan, &part);
}

/* What streams of Arrow hand out is freed at once; that it is right is for
   others to show.  */
static void
check_streams (const struct dg_log *log)
{
  static const char *const tables[] = { "accesses", "runs", "contexts",
                                        "blocks", "threads", "modules",
                                        "mappings", "ranges", "events",
                                        "chunks" };

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++) {
    const struct dg_arrow_query query = { .size = sizeof query,
                                          .table = tables[i] };
    struct dg_arrow_status status = { .size = sizeof status };
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    int code;

    MUST (dg_arrow_open (log, &query, &stream, NULL) == 0);
    while ((code = stream.get_next (&stream, &batch)) == 0 && batch.release)
      batch.release (&batch);
    MUST (dg_arrow_status (&stream, &status, NULL) == 0);
    MUST (code == 0
          || (log->header.is_archive && status.error.code == DG_ERR_DAMAGED));
    MUST (i > 0 || code != 0
          || status.rows == dg_log_summary (log)->accesses
          || log->header.is_archive);
    stream.release (&stream);
  }
}

/* Everything that is asked must answer.  */
static void
check_definitions (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  uint64_t stack[DG_STACK_MAX];
  uint64_t sum = 0;

  for (uint32_t i = 0; i < s->bbdefs; i++) {
    const struct dg_bbdef *b = dg_log_bbdef (log, i);

    for (unsigned j = 0; j < b->n_slots; j++) {
      MUST (b->slots[j].iseq < b->n_instrs);
      MUST (b->slots[j].entry < b->n_entries);
      sum += b->instrs[b->slots[j].iseq].address;
    }
    for (unsigned j = 0; j < b->n_sps; j++) {
      MUST (b->sps[j].iseq < b->n_instrs);
      MUST (b->sps[j].entry < b->n_entries);
    }
  }
  for (uint32_t i = 0; i < s->contexts; i++) {
    const struct dg_context c = dg_log_context (log, i);

    MUST (c.bbdef < s->bbdefs);
    MUST (c.path < dg_log_n_call_paths (log));
    for (unsigned j = dg_log_context_stack (log, i, stack); j-- > 0;)
      sum += stack[j];
  }
  for (uint32_t i = 0; i < dg_log_n_call_paths (log); i++) {
    const struct dg_call_path path = dg_log_call_path (log, i);

    MUST (path.parent < i || path.parent == DG_NONE);
    sum += dg_log_path_sites (log, i, stack, DG_STACK_MAX);
  }
  /* So that nothing of it is left out.  */
  if (sum == 42)
    g_debug ("42");
}

/* The moment of a step.  */
static uint64_t
moment_of (const struct dg_log *log, const struct dg_replay_step *step)
{
  size_t n, i = step->index;

  switch (step->kind) {
  case DG_REPLAY_ALLOC: return dg_log_block (log, i).alloc_icount;
  case DG_REPLAY_FREE: return dg_log_block (log, i).free_icount;
  case DG_REPLAY_PAGES: return dg_log_page_changes (log, &n)[i].icount;
  case DG_REPLAY_EVENT_START: return dg_log_events (log, &n)[i].start_icount;
  case DG_REPLAY_EVENT_END: return dg_log_events (log, &n)[i].end_icount;
  case DG_REPLAY_WINDOW: return dg_log_windows (log, &n)[i].icount;
  case DG_REPLAY_STACK_POINTER:
    return dg_log_stack_pointers (log, &n)[i].icount;
  case DG_REPLAY_POOL_START: return dg_log_pools (log, &n)[i].start_icount;
  default: return dg_log_pools (log, &n)[i].end_icount;
  }
}

/* What has an order is there once, and time does not go back.  */
static void
check_order (const struct dg_log *log)
{
  size_t n, n_steps, n_pools, wanted = 0;
  struct dg_replay_step *steps;
  struct dg_error err;
  uint64_t last = 0;
  const struct dg_event *e;
  const struct dg_mempool *p;

  MUST (dg_log_replay (log, UINT32_MAX, &steps, &n_steps, &err) == 0);
  for (size_t i = 0; i < n_steps; i++) {
    uint64_t moment = moment_of (log, &steps[i]);

    MUST (moment >= last && moment != DG_NEVER);
    last = moment;
  }
  free (steps);
  dg_log_pools (log, &n_pools);
  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    const struct dg_block b = dg_log_block (log, i);

    wanted += 1 + (b.free_icount != DG_NEVER);
    MUST (b.pool <= n_pools);
  }
  for (e = dg_log_events (log, &n); n > 0; n--, e++)
    wanted += 1 + (e->end_icount != DG_NEVER);
  for (p = dg_log_pools (log, &n); n > 0; n--, p++)
    wanted += 1 + (p->end_icount != DG_NEVER);
  dg_log_page_changes (log, &n);
  wanted += n;
  dg_log_windows (log, &n);
  wanted += n;
  dg_log_stack_pointers (log, &n);
  MUST (wanted + n == n_steps);
}

static void
check_timelines (const struct dg_log *log)
{
  size_t n, length = 0;
  const struct dg_event *e = dg_log_events (log, &n);

  for (size_t i = 0; i < n; i++) {
    MUST (e[i].start_icount <= e[i].end_icount);
    MUST (i == 0 || e[i].start_icount >= e[i - 1].start_icount);
    length += strlen (e[i].label);
  }

  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    const struct dg_block_extent b = dg_log_block_extent (log, i);

    MUST (b.alloc_icount <= b.free_icount);
  }
  const struct dg_mapping *m = dg_log_mappings (log, &n);

  for (size_t i = 0; i < n; i++) {
    MUST (m[i].start_icount <= m[i].end_icount);
    length += strlen (m[i].file);
  }
  const struct dg_module *o = dg_log_modules (log, &n);

  for (size_t i = 0; i < n; i++)
    length += strlen (o[i].file) + strlen (o[i].soname);
  MUST (dg_log_threads (log, &n) && n == dg_log_summary (log)->threads);
  const struct dg_process *p = dg_log_process (log);

  for (uint32_t i = 0; p && i < p->argc; i++)
    length += strlen (p->argv[i]);
  if (length == SIZE_MAX)
    g_debug ("long");
  check_order (log);
}

/* All records, of a loaded or unloaded log; returns where that ended.  */
static uint64_t
read_records (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_record r;
  uint64_t offset = DG_HEADER_SIZE;
  size_t length = 0;
  int code;

  if (!reader && log->header.is_archive && !log->is_loaded)
    return log->header.file_size;
  MUST (reader);
  while ((code = dg_reader_record (reader, &r, &err)) > 0) {
    MUST (r.offset >= offset);
    offset = log->header.is_archive ? r.offset : r.offset + r.length;
    for (uint32_t i = 0; i < r.n_strings; i++)
      length += strlen (r.strings[i]);
    for (uint32_t i = 0; i < r.n_words; i++)
      length ^= r.words[i];
  }
  MUST (!log->is_loaded || code == 0
        || (log->header.is_archive && code == DG_ERR_DAMAGED));
  if (length == 42)
    g_debug ("42");
  dg_reader_free (reader);
  return code < 0 ? err.offset : log->header.file_size;
}

static void
check_filter (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_space *space = dg_space_new (log, &err);
  struct dg_filter *filter;
  struct dg_reader *reader;
  struct dg_access out[256];
  struct dg_owner owner;
  uint64_t kept = 0;
  ptrdiff_t n;

  MUST (space);
  filter = dg_filter_new (log, NULL, space, "user:a,user:phase",
                          "malloc,user:a,range", NULL, NULL, &err);
  MUST (filter);
  reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  MUST (reader);
  while ((n = dg_reader_accesses (reader, out, 256, &err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++) {
      dg_space_find (space, out[i].address, out[i].icount, &owner);
      kept += dg_filter_access (filter, &out[i]);
      kept += dg_filter_run (filter, out[i].context, out[i].icount);
    }
  MUST (n == 0 || (log->header.is_archive && n == DG_ERR_DAMAGED));
  if (kept == 42)
    g_debug ("42");
  dg_reader_free (reader);
  dg_filter_free (filter);
  dg_space_free (space);
}

static int
open_and_load (const uint8_t *bytes, size_t n, unsigned workers,
               struct dg_log **log, struct dg_error *err)
{
  int code = dg_log_open_memory ("fuzz", bytes, n, log, err);

  MUST ((code == 0) == (*log != NULL));
  if (code < 0)
    return code;
  (*log)->part_min_bytes = 1;
  code = dg_log_load (*log, workers, NULL, NULL, err);
  MUST (code == 0 || code == DG_ERR_DAMAGED || code == DG_ERR_TRUNCATED);
  MUST (code == 0 || err->offset == dg_log_summary (*log)->good_bytes);
  return code;
}

/* More workers find the same.  */
static void
check_workers (const uint8_t *bytes, size_t n, int code,
               const struct dg_error *expected, const struct dg_log *one)
{
  struct dg_error err;
  struct dg_log *log;

  MUST (open_and_load (bytes, n, 3, &log, &err) == code);
  MUST (code == 0 || strcmp (err.message, expected->message) == 0);
  MUST (memcmp (dg_log_summary (log), dg_log_summary (one),
                sizeof (struct dg_summary)) == 0);
  dg_log_close (log);
}

/* What an archive verifies as can be read.  */
/* Of a log that brings some: what can be read of them.  */
static void
check_files (const struct dg_log *log)
{
  const struct dg_table *files = dg_bundled_files (log);
  const struct dg_bundle_file *all = files ? files->items : NULL;
  struct dg_error err;

  for (size_t i = 0; files && i < files->n; i++) {
    int fd = dg_bundled_open (log, &all[i], &err);

    if (fd >= 0)
      close (fd);
    else
      MUST (fd == DG_ERR_DAMAGED || fd == DG_ERR_IO || fd == DG_ERR_NOMEM);
  }
}

static void
check_verify (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  struct sums sums = { 0 };
  struct dg_error err;
  int code = dg_log_verify (log, 2, NULL, NULL, &err);

  MUST (code == 0 || (log->header.is_archive && code == DG_ERR_DAMAGED));
  if (code < 0)
    return;
  MUST (read_runs (log, 0, SIZE_MAX, &sums));
  MUST (sums.runs == s->runs && sums.instructions == s->instructions
        && sums.accesses == s->accesses);
}

/* What SUMMARY alone says is what all of it says, but for types of records
   that its writer did not know.  */
static void
check_summary (const uint8_t *bytes, size_t n, int code,
               const struct dg_log *one)
{
  struct dg_error err;
  struct dg_log *log;
  int summary_code;

  MUST (dg_log_open_memory ("fuzz", bytes, n, &log, &err) == 0);
  summary_code = dg_log_load_summary (log, 1, NULL, NULL, &err);
  /* It does not look at chunks, and so not at what is wrong there.  */
  if (code == 0) {
    MUST (summary_code == 0);
    MUST (dg_archive_summary_differs (dg_log_summary (log),
                                      dg_log_summary (one))
          == NULL);
    MUST (dg_log_summary (log)->good_bytes
          == dg_log_summary (one)->good_bytes);
  }
  MUST (dg_log_load (log, 1, NULL, NULL, &err) == code);
  MUST (memcmp (dg_log_summary (log), dg_log_summary (one),
                sizeof (struct dg_summary)) == 0);
  dg_log_close (log);
}

void
dg_fuzz_check (const uint8_t *bytes, size_t n)
{
  struct dg_error err;
  struct dg_log *log;
  uint64_t stop;
  int code = dg_log_open_memory ("fuzz", bytes, n, &log, &err);

  if (code < 0)
    return;
  stop = read_records (log);
  dg_log_close (log);
  code = open_and_load (bytes, n, 1, &log, &err);
  MUST (log->header.is_archive
        || stop >= dg_log_summary (log)->good_bytes);
  check_reading (log);
  check_feeding (log);
  check_streams (log);
  check_definitions (log);
  check_timelines (log);
  read_records (log);
  check_filter (log);
  if (code == 0)
    check_verify (log);
  check_files (log);
  check_workers (bytes, n, code, &err, log);
  check_summary (bytes, n, code, log);
  dg_log_close (log);
}

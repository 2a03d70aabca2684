/* calls_chrome.c: calls, events of the program and the size of its heap over
   time, in the JSON that Chrome's and Perfetto's viewers read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include "calls_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/error.h"

#define HEAP_STEPS 1000

struct writer {
  struct calls *calls;
  FILE *file;
  const struct dg_clock *clock;        /* NULL: instructions */
  size_t n_clock;
  uint64_t end_icount;
  bool has_item;
};

/* ---- JSON ---- */

/* Microseconds, in whole numbers: readers add them up as floating-point ones,
   of which fractions that should be the same are not.  */
static void
write_time (FILE *file, const char *key, uint64_t us)
{
  fprintf (file, ",\"%s\":%" PRIu64, key, us);
}

static void
begin_item (struct writer *writer, const char *phase, const char *name,
            uint32_t thread)
{
  fputs (writer->has_item ? ",\n{\"ph\":\"" : "\n{\"ph\":\"", writer->file);
  fprintf (writer->file, "%s\",\"pid\":1,\"tid\":%" PRIu32 ",\"name\":", phase,
           thread);
  calls_walk_text (writer->file, name);
  writer->has_item = true;
}

/* ---- Time ---- */

/* By the clock, in ns.  Never goes back.  */
static uint64_t
ns_of (const struct writer *writer, uint64_t icount)
{
  size_t low;
  const struct dg_clock *a, *b;

  low = DG_BISECT (0, writer->n_clock, i, writer->clock[i].icount <= icount);
  if (low == 0)
    return writer->clock[0].ns;
  a = &writer->clock[low - 1];
  if (low == writer->n_clock)
    return a->ns;
  b = a + 1;
  if (b->ns <= a->ns)
    return a->ns;
  return a->ns + (uint64_t) ((unsigned __int128) (b->ns - a->ns)
                             * (icount - a->icount)
                             / (b->icount - a->icount));
}

/* In us; without a clock, an instruction takes one.  Never goes back, so that
   what is within another span stays there.  */
static uint64_t
time_of (const struct writer *writer, uint64_t icount)
{
  return writer->clock == NULL ? icount : ns_of (writer, icount) / 1000;
}

/* ---- Tracks ---- */

static void
write_names (struct writer *writer)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (writer->calls->log, &n);
  const struct dg_process *process = dg_log_process (writer->calls->log);

  begin_item (writer, "M", "process_name", 0);
  fputs (",\"args\":{\"name\":", writer->file);
  calls_walk_text (writer->file, process != NULL && process->exe[0] != '\0'
                            ? process->exe : "program");
  fputs ("}}", writer->file);
  for (size_t i = 0; i < n; i++) {
    char *name = threads[i].name[0] != '\0'
                 ? g_strdup_printf ("thread %" PRIu32 " (%s)",
                                    threads[i].number, threads[i].name)
                 : g_strdup_printf ("thread %" PRIu32, threads[i].number);
    begin_item (writer, "M", "thread_name", threads[i].number);
    fputs (",\"args\":{\"name\":", writer->file);
    calls_walk_text (writer->file, name);
    fputs ("}}", writer->file);
    g_free (name);
  }
}

static void
write_args (const struct writer *writer, const struct calls_kept_span *span)
{
  const struct calls *calls = writer->calls;

  if (writer->clock == NULL && calls->meter == NULL)
    return;
  fprintf (writer->file, ",\"args\":{\"instructions\":%" PRIu64,
           span->end_icount - span->start_icount);
  if (writer->clock != NULL)
    fprintf (writer->file, ",\"ns\":%" PRIu64,
             ns_of (writer, span->end_icount)
               - ns_of (writer, span->start_icount));
  if (calls->meter != NULL)
    fprintf (writer->file, ",\"%s\":%" PRIu64,
             calls_weight_key (calls->weight),
             calls_shown (calls, span->end_own - span->start_own));
  putc ('}', writer->file);
}

static int
write_calls (struct writer *writer, struct dg_report *report,
             struct dg_error *err)
{
  struct calls *calls = writer->calls;
  const struct calls_spans *spans = &calls->spans;

  for (size_t i = 0; i < spans->n; i++) {
    const struct calls_kept_span *span = &spans->spans[i];
    uint64_t start = time_of (writer, span->start_icount);
    begin_item (writer, "X",
                calls_code_function (calls->code, span->function).label,
                span->thread);
    fputs (",\"cat\":\"call\"", writer->file);
    write_time (writer->file, "ts", start);
    write_time (writer->file, "dur",
                time_of (writer, span->end_icount) - start);
    write_args (writer, span);
    putc ('}', writer->file);
    if ((i & 4095) == 0
        && dg_report_pace (report, i, spans->n, err) < 0)
      return DG_ERR_CANCELLED;
  }
  return 0;
}

/* The program's events belong to no thread, and may overlap.  */
static int
write_events (struct writer *writer, size_t *left_out, struct dg_error *err)
{
  const struct calls *calls = writer->calls;
  size_t n;
  const struct dg_event *events = dg_log_events (calls->log, &n);
  struct calls_spans spans;
  int result = 0;

  calls_spans_init (&spans, calls->spans.limit, 0);
  for (size_t i = 0; i < n && i < UINT32_MAX; i++) {
    const struct calls_kept_span span = {
      events[i].start_icount, MIN (events[i].end_icount, writer->end_icount),
      0, 0, (uint32_t) i, 0, 0
    };
    calls_spans_add (&spans, &span);
  }
  calls_spans_limit (&spans);
  calls_spans_sort (&spans);
  if (spans.has_failed)
    result = dg_error_nomem (err);
  for (size_t i = 0; i < spans.n && result == 0; i++)
    for (unsigned end = 0; end < 2; end++) {
      const struct calls_kept_span *span = &spans.spans[i];
      begin_item (writer, end ? "e" : "b", events[span->function].label, 0);
      fprintf (writer->file, ",\"cat\":\"event\",\"id\":%zu", i + 1);
      write_time (writer->file, "ts",
                  time_of (writer,
                           end ? span->end_icount : span->start_icount));
      putc ('}', writer->file);
    }
  *left_out = (size_t) spans.n_left_out;
  calls_spans_fini (&spans);
  return result;
}

/* The size of the heap within one of equal steps of time.  */
struct heap_step {
  uint64_t index;
  int64_t least, most, last;
  uint64_t least_icount, most_icount, last_icount;
};

static void
write_bytes (struct writer *writer, uint64_t icount, int64_t bytes)
{
  begin_item (writer, "C", "heap", 0);
  write_time (writer->file, "ts", time_of (writer, icount));
  fprintf (writer->file, ",\"args\":{\"bytes\":%" PRId64 "}}", bytes);
}

/* The least, the most, and what is left: nothing that is in between is drawn
   at this scale.  before: bytes at the end of the last step.  */
static void
write_heap_step (struct writer *writer, const struct heap_step *step,
                 int64_t before)
{
  bool has_least = step->least < MIN (before, step->last);
  bool has_most = step->most > MAX (before, step->last);
  bool is_least_first = step->least_icount < step->most_icount;

  if (has_least && is_least_first)
    write_bytes (writer, step->least_icount, step->least);
  if (has_most)
    write_bytes (writer, step->most_icount, step->most);
  if (has_least && !is_least_first)
    write_bytes (writer, step->least_icount, step->least);
  write_bytes (writer, step->last_icount, step->last);
}

static void
take_heap_step (struct heap_step *step, uint64_t icount, int64_t bytes)
{
  if (bytes < step->least) {
    step->least = bytes;
    step->least_icount = icount;
  }
  if (bytes > step->most) {
    step->most = bytes;
    step->most_icount = icount;
  }
  step->last = bytes;
  step->last_icount = icount;
}

/* Whether a block that was freed is at once another one, by realloc: there
   was never less between the two.  */
static bool
is_moved (const struct dg_log *log, const struct dg_replay_step *step)
{
  struct dg_block_extent old;
  struct dg_block new;

  if (step[0].kind != DG_REPLAY_FREE || step[1].kind != DG_REPLAY_ALLOC)
    return false;
  old = dg_log_block_extent (log, step[0].index);
  new = dg_log_block (log, step[1].index);
  return new.old_address != 0 && new.old_address == old.address
         && old.free_icount == new.alloc_icount;
}

/* Bytes that are allocated.  */
static int
write_heap (struct writer *writer, struct dg_error *err)
{
  const struct dg_log *log = writer->calls->log;
  size_t n;
  uint64_t length = writer->end_icount / HEAP_STEPS + 1;
  struct heap_step step = { .index = 0 };
  struct dg_replay_step *steps;
  int64_t bytes = 0, before = 0;

  if (dg_log_replay (log,
                     1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps, &n,
                     err) < 0)
    return err->code;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (log, steps[i].index);
    bool is_alloc = steps[i].kind == DG_REPLAY_ALLOC;
    uint64_t icount = is_alloc ? block.alloc_icount : block.free_icount;

    /* Chunks of pools are parts of blocks.  */
    if (block.kind == DG_BLOCK_POOL_CHUNK)
      continue;
    if (icount / length != step.index) {
      if (step.last_icount > 0 || step.last > 0)
        write_heap_step (writer, &step, before);
      before = bytes;
      step = (struct heap_step) { icount / length, bytes, bytes, bytes,
                                  icount, icount, icount };
    }
    /* Sizes in a damaged log can be anything.  */
    bytes = (int64_t) ((uint64_t) bytes
                       + (is_alloc ? block.size : -block.size));
    if (i + 1 == n || !is_moved (log, &steps[i]))
      take_heap_step (&step, icount, bytes);
  }
  if (n > 0)
    write_heap_step (writer, &step, before);
  free (steps);
  return 0;
}

int
calls_write_chrome (struct calls *calls, struct dg_report *report,
                    struct dg_error *err)
{
  struct writer writer = {
    .calls = calls, .file = dg_report_file (report, calls->chrome, err),
    .end_icount = dg_log_summary (calls->log)->last_icount
  };
  size_t events_left_out = 0;
  int result;

  if (writer.file == NULL)
    return DG_ERR_IO;
  if (calls->has_clock)
    writer.clock = dg_log_clock (calls->log, &writer.n_clock);
  calls_spans_limit (&calls->spans);
  if (calls->spans.has_failed)
    return dg_error_nomem (err);
  calls_spans_sort (&calls->spans);
  fputs ("{\"traceEvents\":[", writer.file);
  write_names (&writer);
  result = write_calls (&writer, report, err);
  if (result == 0)
    result = write_events (&writer, &events_left_out, err);
  if (result == 0)
    result = write_heap (&writer, err);
  fputs ("\n]}\n", writer.file);
  if (calls->spans.n_left_out > 0)
    dg_report_note (report, "%s: %" PRIu64 " calls of less than %" PRIu64
                            " instructions are omitted (--spans=N).",
                    calls->chrome, calls->spans.n_left_out,
                    calls->spans.shortest);
  if (events_left_out > 0)
    dg_report_note (report, "%s: the shortest %zu events are omitted.",
                    calls->chrome, events_left_out);
  return result;
}

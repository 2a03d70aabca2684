/* allocs_history.c: `dg allocs history`: allocations and frees in order, of
   one log or several.

   Adjacent logs of one run (from `dg cut`) are one history: records that
   several of them have, such as blocks that existed at the start of a part,
   are shown once.  They are identified by sequence numbers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"

#include "dg_record.h"
#include "base/json_text.h"

#include <limits.h>
#include <stdlib.h>

/* ---- One log ---------------------------------------------------------- */

/* Its records, from the first or from the last, and the next one to show.  */
struct stream {
  const struct allocs_log *log;
  bool is_over;
  int status;              /* CLI_OK, or the exit status after a message */
  bool has_next;
  struct allocs_record next;
  struct allocs_stream forward;
  struct dg_replay_step *steps;    /* backward */
  size_t n_left;
};

/* CLI_OK, or the exit status after a message.  */
static int
stream_init (struct stream *stream, const struct allocs_log *log)
{
  struct dg_error error;

  *stream = (struct stream){.log = log, .status = CLI_OK};
  if (log->options->is_stream)
    return allocs_stream_init (&stream->forward, log);
  return dg_log_replay (log->log.log,
                        1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE,
                        &stream->steps, &stream->n_left, &error)
             < 0
           ? cli_fail ("%s: %s", log->log.path, error.message)
           : CLI_OK;
}

static void
stream_fini (struct stream *stream)
{
  allocs_stream_fini (&stream->forward);
  free (stream->steps);
}

static bool
read_backward (struct stream *stream)
{
  const struct dg_replay_step *step;
  struct allocs_record *record = &stream->next;

  if (stream->n_left == 0)
    return false;
  step = &stream->steps[--stream->n_left];
  *record = (struct allocs_record){.log = stream->log,
                                   .index = step->index,
                                   .is_free = step->kind == DG_REPLAY_FREE};
  record->is_freed =
    !record->is_free && allocs_block (record).free_icount != DG_NEVER;
  return true;
}

static bool
read_forward (struct stream *stream)
{
  int code = allocs_stream_next (&stream->forward, &stream->next);

  if (code < 0)
    stream->status = CLI_FAILURE;
  return code > 0;
}

/* The next record, without consuming it; false at the end.  A block that
   another one replaced was not freed.  */
static bool
stream_peek (struct stream *stream, struct allocs_record *record)
{
  bool is_forward = stream->log->options->is_stream;

  while (!stream->has_next && !stream->is_over) {
    stream->is_over =
      !(is_forward ? read_forward (stream) : read_backward (stream));
    stream->has_next = !stream->is_over
                       && (!stream->next.is_free || !stream->log->has_details
                           || allocs_block (&stream->next).free_seqno != 0);
  }
  *record = stream->next;
  return stream->has_next;
}

/* The record stays valid until the next stream_peek.  */
static void
stream_consume (struct stream *stream)
{
  stream->has_next = false;
}

/* ---- A run ------------------------------------------------------------ */

/* Logs of one run, side by side.  */
struct merge {
  struct stream *streams;
  size_t n;
};

/* Does x come before y?  */
static bool
is_before (const struct allocs_record *x, const struct allocs_record *y,
           bool is_reverse)
{
  return is_reverse ? allocs_seqno (x) > allocs_seqno (y)
                    : allocs_seqno (x) < allocs_seqno (y);
}

/* The next record of all logs, of equal ones that of the first log: false at
   the end.  */
static bool
merge_next (struct merge *merge, struct allocs_record *record)
{
  struct allocs_record other;
  struct stream *streams = merge->streams;
  bool has_one = false;

  if (merge->n == 1) {
    has_one = stream_peek (&streams[0], record);
    stream_consume (&streams[0]);
    return has_one;
  }
  for (size_t i = 0; i < merge->n; i++)
    if (stream_peek (&streams[i], &other)
        && (!has_one
            || is_before (&other, record,
                          streams[i].log->options->is_reverse))) {
      *record = other;
      has_one = true;
    }
  for (size_t i = 0; has_one && i < merge->n; i++)
    if (stream_peek (&streams[i], &other)
        && allocs_seqno (&other) == allocs_seqno (record)) {
      record->is_freed = record->is_freed || other.is_freed;
      stream_consume (&streams[i]);
    }
  return has_one;
}

static void
merge_fini (struct merge *merge)
{
  for (size_t i = 0; i < merge->n; i++)
    stream_fini (&merge->streams[i]);
  g_free (merge->streams);
}

/* CLI_OK, or the exit status after a message.  */
static int
merge_init (struct merge *merge, const struct allocs_log *logs, size_t n)
{
  int status = CLI_OK;

  merge->streams = g_new0 (struct stream, n);
  for (merge->n = 0; merge->n < n && status == CLI_OK; merge->n++)
    status = stream_init (&merge->streams[merge->n], &logs[merge->n]);
  if (status != CLI_OK)
    merge_fini (merge);
  return status;
}

/* At the end: whether all could be read.  */
static int
merge_status (const struct merge *merge)
{
  int status = CLI_OK;

  for (size_t i = 0; i < merge->n && status == CLI_OK; i++)
    status = merge->streams[i].status;
  return status;
}

/* ---- Completeness ------------------------------------------------------  */

/* Whether the log ends where the recording ended.  */
static bool
is_whole (const struct allocs_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log->log.log);
  int why = summary->end_why;

  return log->log.error.code == 0 && summary->complete != DG_COMPLETE_NO
         && why != DG_END_OUTPUT && why != DG_END_MAX_SIZE
         && why != DG_END_CUT;
}

/* Whether it contains objects from before its start, but not their
   history.  */
static bool
has_begun_late (const struct allocs_log *log)
{
  const struct dg_process *process = dg_log_process (log->log.log);
  size_t n;
  const struct dg_window_change *windows =
    dg_log_windows (log->log.log, &n);

  if (process != NULL && (process->flags & DG_PROCESS_FORKED) != 0)
    return true;
  /* Sequence numbers are more exact.  */
  for (size_t i = 0; i < n && !log->has_details; i++)
    if (windows[i].why == DG_WINDOW_CUT)
      return true;
  return false;
}

/* Whether all sequence numbers from 1 on exist, including those of records
   without a block: frees of blocks that were replaced.  */
static bool
has_all_records (const struct allocs_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log->log.log);

  return summary->heap_allocs + summary->heap_frees >= log->last_seqno;
}

bool
allocs_is_complete (const struct allocs_log *logs, size_t n)
{
  struct allocs_record record;
  struct merge merge;
  uint64_t seen = 0, last = 0;

  if (!is_whole (&logs[n - 1]))
    return false;
  for (size_t i = 0; i < n; i++)
    if (has_begun_late (&logs[i])
        || logs[i].log.error.code == DG_ERR_DAMAGED)
      return false;
  if (!logs[0].has_details)
    return n == 1;
  if (n == 1)
    return has_all_records (&logs[0]);
  if (merge_init (&merge, logs, n) != CLI_OK)
    return false;
  while (merge_next (&merge, &record)) {
    seen++;
    last = MAX (last, allocs_seqno (&record));
  }
  merge_fini (&merge);
  return seen == last;
}

/* ---- The sub-command -------------------------------------------------- */

struct writer {
  struct output *out;
  const struct allocs_options *options;
  bool has_record;
};

static int
put_run (struct writer *writer, const struct allocs_log *logs, size_t n)
{
  const struct allocs_options *options = writer->options;
  struct allocs_record record;
  struct merge merge;
  int status = merge_init (&merge, logs, n);

  if (status != CLI_OK)
    return status;
  while (merge_next (&merge, &record) && !output_failed (writer->out)) {
    if (!allocs_filter_passes (&options->filter, &record))
      continue;
    if (options->as_json)
      allocs_json_record (writer->out, &record, true, !writer->has_record);
    else
      allocs_put_record (writer->out, &record, true);
    writer->has_record = true;
  }
  status = merge_status (&merge);
  merge_fini (&merge);
  return status;
}

/* The number of logs from here on that are of one run.  Without sequence
   numbers, 1.  */
static size_t
run_length (const struct allocs_log *logs, size_t n)
{
  size_t length = 1;

  while (length < n && logs[0].has_details && logs[length].has_details
         && allocs_log_is_same_run (&logs[0], &logs[length]))
    length++;
  return length;
}

static bool
all_are_complete (const struct allocs_log *logs, size_t n)
{
  for (size_t i = 0; i < n; i += run_length (logs + i, n - i))
    if (!allocs_is_complete (logs + i, run_length (logs + i, n - i)))
      return false;
  return true;
}

static void
put_head (struct writer *writer, const struct allocs_log *logs, size_t n)
{
  struct output *out = writer->out;
  bool is_complete = all_are_complete (logs, n);

  if (!writer->options->as_json) {
    if (!is_complete)
      output_text (out, "Caution: history is incomplete.\n\n");
    return;
  }
  allocs_json_begin (out, "history");
  allocs_json_key (out, "logs", false);
  output_text (out, "[");
  for (size_t i = 0; i < n; i++) {
    output_text (out, i > 0 ? ", " : "");
    json_text_string (out, logs[i].log.path);
  }
  output_text (out, "]");
  allocs_json_string (out, "time_unit", writer->options->in_ms ? "ms" : "i");
  allocs_json_key (out, "has_whole_history", false);
  output_text (out, is_complete ? "true" : "false");
  allocs_json_key (out, "event_list", false);
  output_text (out, "[");
}

/* All runs, in the order of the logs or against it.  */
static int
put_history (struct writer *writer, const struct allocs_log *logs, size_t n)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (size_t));
  int status = CLI_OK;

  for (size_t i = 0; i < n; i += run_length (logs + i, n - i))
    g_array_append_val (starts, i);
  put_head (writer, logs, n);
  for (guint k = 0; k < starts->len && status == CLI_OK; k++) {
    guint place = writer->options->is_reverse ? starts->len - 1 - k : k;
    size_t i = g_array_index (starts, size_t, place);

    status = put_run (writer, logs + i, run_length (logs + i, n - i));
  }
  if (writer->options->as_json)
    output_text (writer->out, "]}\n");
  g_array_unref (starts);
  return status;
}

int
allocs_history (const struct cli_command *command, int argc, char **argv)
{
  struct allocs_options options;
  struct allocs_log *logs = NULL;
  size_t n = 0;
  int status = allocs_options_parse (
    &options, command,
    ALLOCS_HAS_REVERSE | ALLOCS_HAS_FILTER | ALLOCS_HAS_FORMAT
      | ALLOCS_HAS_NAMES | ALLOCS_HAS_TIME,
    1, 1, INT_MAX, &argc, argv);

  /* From the last record on, all are needed first.  */
  options.is_stream = options.looks_ahead = !options.is_reverse;
  if (status < 0) {
    logs = g_new0 (struct allocs_log, argc);
    status = CLI_OK;
    for (int i = 1; i < argc && status == CLI_OK; i++)
      if (allocs_log_open (&logs[n], &options, argv[i], &status))
        n++;
    if (status == CLI_OK) {
      struct output out;
      struct writer writer = {.out = &out, .options = &options};
      int finished;

      output_init (&out);
      allocs_fit (&options, &out);
      status = put_history (&writer, logs, n);
      finished = output_finish (&out);
      status = status != CLI_OK ? status : finished;
    }
    while (n-- > 0)
      status = allocs_log_finish (&logs[n], status);
    g_free (logs);
  }
  allocs_options_fini (&options);
  return status;
}

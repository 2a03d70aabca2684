/* packed_summary.c: dg_log_load_summary for archives: what SUMMARY tells,
   without looking at the chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_summary.h"

#include <glib.h>
#include <signal.h>

#include "base/error.h"
#include "packed.h"
#include "timeline.h"

/* The PROCESS record, as if it were the log's only one.  */
static int
take_process (struct dg_log *log, const struct dg_table *bytes,
              struct dg_error *err)
{
  struct dg_timeline timeline;
  struct dg_position position;
  struct dg_fields fields = { 0 };
  struct dg_head head;
  int code;

  if (bytes->n == 0)
    return 0;
  if (!dg_decode_head (&log->format, bytes->items, bytes->n, &head)
      || head.type != DG_R_PROCESS || head.length != bytes->n - head.size)
    return dg_error_set (err, DG_ERR_DAMAGED, "this is not a PROCESS record");
  dg_position_init (&position);
  code = dg_timeline_init (&timeline, &log->contents, DG_BLOCKS_NONE, 0,
                           err);
  if (code == 0)
    code = dg_decode_fields (&log->format, &head,
                             (const uint8_t *) bytes->items + head.size, 0,
                             &fields, err);
  if (code == 0)
    code = dg_timeline_apply (&timeline, &position, DG_R_PROCESS, &fields, 0,
                              1, err);
  dg_fields_fini (&fields);
  dg_timeline_fini (&timeline);
  /* Of threads, only their number is known.  */
  dg_table_fini (&log->contents.threads);
  return code;
}

static int
take_chunks (struct dg_log *log, const struct dg_archive *archive,
             struct dg_error *err)
{
  const struct dg_chunk_entry *entry = archive->chunks.items;
  struct dg_table *chunks = &log->contents.chunks;

  for (size_t i = 0; i < archive->chunks.n; i++) {
    const struct dg_chunk_start *start = &entry[i].start;
    struct dg_chunk *chunk = dg_table_add (chunks, sizeof *chunk);

    if (!chunk)
      return dg_error_nomem (err);
    *chunk = (struct dg_chunk) {
      .offset = entry[i].runs.offset, .icount = start->icount,
      .accesses = start->entries, .runs = start->runs,
      .instructions = start->instructions, .reads = start->reads,
      .writes = start->writes, .bbdefs = start->bbdefs,
      .contexts = start->contexts, .thread = start->thread,
      .recording = start->recording
    };
  }
  return 0;
}

int
dg_packed_take_summary (struct dg_log *log, const struct dg_archive *archive,
                        struct dg_error *err)
{
  struct dg_contents *contents = &log->contents;
  const struct dg_summary *summary = &archive->summary;
  enum dg_complete complete = DG_COMPLETE_UNKNOWN;
  int code = take_process (log, &archive->process, err);

  if (code == 0)
    code = take_chunks (log, archive, err);
  if (code < 0)
    return code;
  if (summary->end_why >= 0)
    complete = summary->end_why == DG_END_OUTPUT ? DG_COMPLETE_NO
                                                 : DG_COMPLETE_YES;
  else if (contents->has_process)
    complete = DG_COMPLETE_NO;
  if (summary->complete != complete)
    return dg_error_set (err, DG_ERR_DAMAGED, "it contradicts itself");
  contents->summary = *summary;
  contents->summary.good_bytes = log->source.size;
  return 0;
}

int
dg_packed_load_summary (struct dg_log *log, struct dg_error *err)
{
  struct dg_archive *archive;
  int code = dg_archive_open (&log->source, &archive, err);

  if (code < 0)
    return code;
  /* Why an archive ends early is known when its last records are read.  */
  if (!archive->has_footer || archive->tail.n > 0) {
    dg_archive_free (archive);
    return 0;
  }
  log->contents.packed = dg_packed_new (archive, err);
  if (!log->contents.packed) {
    dg_archive_free (archive);
    return DG_ERR_NOMEM;
  }
  log->contents.packed->n_chunks = archive->chunks.n;
  code = dg_packed_take_summary (log, archive, err);
  if (code == DG_ERR_DAMAGED)
    return 0;
  if (code < 0)
    return code;
  /* Which instruction it was may be in the records.  */
  if (log->contents.summary.end_why == DG_END_SIGNAL
      && log->contents.summary.exit_code == SIGILL)
    return 0;
  if (log->contents.summary.end_why < 0 && log->contents.has_process)
    return dg_error_at (err, DG_ERR_TRUNCATED, log->source.size,
                        "the log has no end record: it was cut short");
  return 1;
}

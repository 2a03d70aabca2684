/* index_sink.c: where the lists of a new index go: to a sidecar, to memory,
   or to both, as long as it is not known that the file will be complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_sink.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_part.h"
#include "archive/archive_write.h"
#include "base/error.h"
#include "base/foreign.h"
#include "archive/lines.h"
#include "log/packed.h"

/* Of zstd: a higher level would take longer than reading the log.  */
#define LEVEL 3

/* ---- The file ---- */

static void
drop_file (struct dg_index_sink *sink)
{
  dg_archive_abandon (sink->writer);
  sink->writer = NULL;
  dg_output_close (sink->output);
  sink->output = NULL;
}

/* The file is given up; the index stays in memory if it is still there.  */
static int
give_up (struct dg_index_sink *sink, const struct dg_error *why,
         struct dg_error *err)
{
  drop_file (sink);
  if (!sink->in_memory)
    return dg_error_copy (err, why);
  if (!sink->index->note)
    sink->index->note = g_strdup (why->message);
  return 0;
}

/* Who may read the log may read the index: of what it says, too.  Where the
   log's mode cannot be known, only its owner.  */
static int
mode_of (const struct dg_log *log)
{
  struct stat status;

  return log->source.fd >= 0 && fstat (log->source.fd, &status) == 0
           ? (int) (status.st_mode & 0644) : 0600;
}

/* A new file beside the log, at `path` or where links there lead.  */
static int
create (struct dg_index_sink *sink, const char *path, struct dg_error *err)
{
  const struct dg_log *log = sink->log;
  struct dg_archive_head head = { .word_size = log->format.word_size,
                                  .big_endian = log->format.big_endian,
                                  .origin = DG_ORIGIN_SIDECAR };
  struct dg_error why;
  int code;

  if (dg_output_check (path, false, &why) < 0
      || dg_foreign_check_links (path, true, &why) < 0)
    return dg_error_set (err, why.code, "%s: %s", sink->path, why.message);
  code = dg_index_mtime (log, &head.log_mtime_ns, &head.log_size, err);
  if (code < 0)
    return code;
  if (head.log_size != log->source.size)
    return dg_error_set (err, DG_ERR_INVALID,
                         "the log has changed since it was opened");
  sink->mtime_ns = head.log_mtime_ns;
  code = dg_output_open (path, mode_of (log), &sink->output, &why);
  if (code < 0)
    return dg_error_set (err, code, "%s: %s", sink->path, why.message);
  return dg_archive_create_in (dg_output_fd (sink->output), &head, LEVEL,
                               &sink->writer, err);
}

int
dg_index_sink_init (struct dg_index_sink *sink, const struct dg_log *log,
                    const char *path, struct dg_error *err)
{
  struct dg_error why = { 0 };
  size_t n;

  memset (sink, 0, sizeof *sink);
  sink->log = log;
  sink->chunks = dg_log_chunks (log, &n);
  sink->in_memory = true;
  sink->memory_bytes = DG_INDEX_MEMORY_BYTES;
  sink->index = dg_index_new (n, err);
  if (!sink->index)
    return DG_ERR_NOMEM;
  dg_index_set_starts (sink->index, log);
  sink->levels = dg_index_levels_new (err);
  if (!sink->levels)
    return DG_ERR_NOMEM;
  if (!path)
    return 0;
  /* Where links lead, which stay, as with all that is written.  */
  sink->path = dg_output_path (path);
  return create (sink, path, &why) < 0 ? give_up (sink, &why, err) : 0;
}

void
dg_index_sink_fini (struct dg_index_sink *sink)
{
  drop_file (sink);
  dg_index_levels_free (sink->levels);
  dg_index_close (sink->index);
  g_free (sink->path);
  memset (sink, 0, sizeof *sink);
}

/* ---- Lists ---- */

/* Keeps a list in memory, as long as that is needed and not too much.  */
static int
remember (struct dg_index_sink *sink, unsigned level, size_t i,
          const void *bytes, size_t n, struct dg_error *err)
{
  struct dg_index *index = sink->index, *empty;
  int code;

  if (!sink->in_memory)
    return 0;
  if (index->bytes + n <= sink->memory_bytes) {
    code = dg_index_set_memory (index, level, i, bytes, n, err);
    if (code == 0 || !sink->writer)
      return code;
  }
  if (!sink->writer)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "the index would take more than "
                         "%" PRIu64 " MB of memory",
                         sink->memory_bytes >> 20);
  /* The file has it all.  */
  empty = dg_index_new (index->n_chunks, err);
  if (!empty)
    return DG_ERR_NOMEM;
  sink->in_memory = false;
  dg_index_close (index);
  sink->index = empty;
  return 0;
}

/* What stands before a chunk, or before the end of the log.  */
static struct dg_chunk_start
start_of (const struct dg_index_sink *sink, size_t i)
{
  const struct dg_summary *summary = dg_log_summary (sink->log);
  struct dg_chunk_start start = { .icount = summary->last_icount,
                                  .instructions = summary->instructions,
                                  .reads = summary->reads,
                                  .writes = summary->writes,
                                  .runs = summary->runs,
                                  .bbdefs = summary->bbdefs,
                                  .contexts = summary->contexts,
                                  .thread = 1 };
  const struct dg_chunk *chunk = &sink->chunks[i];

  if (i < sink->index->n_chunks)
    start = (struct dg_chunk_start) { .icount = chunk->icount,
                                      .instructions = chunk->instructions,
                                      .reads = chunk->reads,
                                      .writes = chunk->writes,
                                      .runs = chunk->runs,
                                      .bbdefs = chunk->bbdefs,
                                      .contexts = chunk->contexts,
                                      .thread = chunk->thread,
                                      .recording = chunk->recording };
  return start;
}

static int
write_chunk (struct dg_index_sink *sink, size_t i, const void *bytes,
             size_t n, struct dg_error *err)
{
  struct dg_chunk_start next = start_of (sink, i + 1);
  struct dg_archive_chunk chunk = { .start = start_of (sink, i),
                                    .lines = bytes, .lines_size = n };

  chunk.totals.runs = next.runs - chunk.start.runs;
  chunk.totals.instructions = next.instructions - chunk.start.instructions;
  chunk.totals.reads = next.reads - chunk.start.reads;
  chunk.totals.writes = next.writes - chunk.start.writes;
  chunk.totals.min_address = UINT64_MAX;
  return dg_archive_add_chunk (sink->writer, &chunk, err);
}

static int
add_coarse (void *user, unsigned level, uint64_t first, const void *bytes,
            size_t n, struct dg_error *err)
{
  struct dg_index_sink *sink = user;
  size_t i = first >> (level * DG_INDEX_FAN_SHIFT);
  struct dg_error why = { 0 };
  int code = 0;

  if (sink->writer && n > 0
      && dg_archive_add_lines (sink->writer, level, first, bytes, n, &why) < 0)
    code = give_up (sink, &why, err);
  if (code == 0)
    code = remember (sink, level, i, bytes, n, err);
  return code;
}

int
dg_index_sink_add (struct dg_index_sink *sink, size_t chunk,
                   const void *bytes, size_t n, struct dg_error *err)
{
  struct dg_error why = { 0 };
  int code = 0;

  if (sink->writer && write_chunk (sink, chunk, bytes, n, &why) < 0)
    code = give_up (sink, &why, err);
  if (code == 0)
    code = remember (sink, 0, chunk, bytes, n, err);
  if (code == 0)
    code = dg_index_levels_add (sink->levels, bytes, n, err);
  if (code == 0)
    code = dg_index_levels_emit (sink->levels, add_coarse, sink, err);
  return code;
}

/* ---- The end ---- */

/* The log is as it was, or the index is of none.  */
static int
check_log (const struct dg_index_sink *sink, struct dg_error *err)
{
  int64_t mtime_ns;
  uint64_t size;
  int code = dg_index_mtime (sink->log, &mtime_ns, &size, err);

  if (code == 0 && (mtime_ns != sink->mtime_ns
                    || size != sink->log->source.size))
    code = dg_error_set (err, DG_ERR_INVALID,
                         "the log has changed while it was read");
  return code;
}

/* The log's PROCESS record, which stands among its first ones, if it has one,
   appended to *bytes.  */
static int
find_process (const struct dg_log *log, struct dg_table *bytes,
              struct dg_error *err)
{
  const struct dg_packed *packed = log->contents.packed;
  const struct dg_table *own = packed ? &packed->archive->process : NULL;
  struct dg_reader *reader;
  struct dg_record record;
  struct dg_head head;
  uint8_t first[DG_HEAD_MAX];
  int code = own ? dg_table_reserve (bytes, 1, own->n) : 0;

  if (own && code == 0 && own->n > 0)
    memcpy (bytes->items, own->items, own->n);
  if (own) {
    bytes->n = own->n;
    return code == 0 ? 0 : dg_error_nomem (err);
  }
  if (!log->contents.has_process)
    return 0;
  reader = dg_reader_new (log, 0, 1, err);
  if (!reader)
    return DG_ERR_NOMEM;
  while ((code = dg_reader_record (reader, &record, err)) == 1
         && record.type != DG_R_PROCESS)
    continue;
  dg_reader_free (reader);
  if (code <= 0)
    return code;
  code = dg_archive_bytes (&log->source, record.offset, first, sizeof first,
                           err);
  if (code < 0 || !dg_decode_head (&log->format, first, sizeof first, &head))
    return code;
  if (dg_table_reserve (bytes, 1, head.size + head.length) < 0)
    return dg_error_nomem (err);
  bytes->n = head.size + head.length;
  return dg_archive_bytes (&log->source, record.offset, bytes->items, bytes->n,
                           err);
}

static int
finish_file (struct dg_index_sink *sink, struct dg_index **index,
             struct dg_error *err)
{
  struct dg_chunk_start end = start_of (sink, sink->index->n_chunks);
  struct dg_archive_writer *writer = sink->writer;
  struct dg_table process = { 0 };
  struct dg_error why;
  int code = find_process (sink->log, &process, err);

  if (code == 0)
    code = check_log (sink, err);
  if (code < 0) {
    dg_table_fini (&process);
    return code;
  }
  sink->writer = NULL;
  code = dg_archive_finish (writer, dg_log_summary (sink->log), &end,
                            process.items, process.n, err);
  dg_table_fini (&process);
  if (code < 0)
    return code;
  code = dg_output_commit (sink->output, &why);
  dg_output_close (sink->output);
  sink->output = NULL;
  if (code < 0)
    return dg_error_set (err, code, "%s: %s", sink->path, why.message);
  code = dg_index_open_sidecar (sink->log, sink->path, index, err);
  /* It may be good nonetheless if it could not be read just now.  */
  if (code < 0 && code != DG_ERR_IO && code != DG_ERR_NOMEM)
    unlink (sink->path);
  return code;
}

int
dg_index_sink_finish (struct dg_index_sink *sink, struct dg_index **index,
                      struct dg_error *err)
{
  struct dg_error why = { 0 };
  int code = dg_index_levels_finish (sink->levels, add_coarse, sink, err);

  if (code == 0 && sink->writer) {
    if (finish_file (sink, index, &why) == 0)
      return 0;
    code = give_up (sink, &why, err);
  }
  if (code < 0)
    return code;
  *index = sink->index;
  sink->index = NULL;
  return 0;
}

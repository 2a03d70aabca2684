/* reader.c: the runs and accesses of a log, in order.  reader_record.c reads
   all records.

   A log was checked when it was loaded.  The file may have changed since, so
   everything that is used is checked again; what is not used is passed over
   unseen.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reader.h"

#include <glib.h>
#include <inttypes.h>

#include "base/error.h"

#define MIN_ACCESSES 256

static void
set_bounds (struct dg_reader *reader, size_t first, size_t end)
{
  const struct dg_log *log = reader->log;
  const struct dg_table *table = &log->contents.chunks;
  const struct dg_chunk *chunks = table->items;
  uint64_t start = DG_HEADER_SIZE, stop = log->source.size;

  reader->thread = 1;
  if (log->is_loaded) {
    stop = log->contents.summary.good_bytes;
    if (end < table->n)
      stop = chunks[end].offset;
    start = stop;
  }
  if (first < MIN (end, table->n)) {
    start = chunks[first].offset;
    reader->thread = chunks[first].thread;
    reader->position.recording = chunks[first].recording;
    dg_position_move (&reader->position, chunks[first].icount);
  }
  dg_stream_init (&reader->stream, &log->source, start, stop);
}

/* An archive that is not loaded is, for this reader alone: what its first
   chunk needs may be all over it.  */
static int
load_own (struct dg_reader *reader, struct dg_error *err)
{
  struct dg_log *own = g_try_new0 (struct dg_log, 1);
  int code;

  if (!own)
    return dg_error_nomem (err);
  reader->own = own;
  own->ops = reader->log->ops;
  own->source = reader->log->source;
  own->header = reader->log->header;
  own->format = reader->log->format;
  own->blocks = DG_BLOCKS_NONE;
  code = dg_log_load (own, 1, NULL, NULL, &reader->own_end);
  if (!own->is_loaded)
    return dg_error_copy (err, &reader->own_end);
  if (code == 0)
    reader->own_end.code = 0;
  reader->log = own;
  return 0;
}

static int
open_packed (struct dg_reader *reader, size_t first, size_t end,
             struct dg_error *err)
{
  int code = reader->log->is_loaded ? 0 : load_own (reader, err);

  if (code < 0)
    return code;
  reader->packed = dg_packed_reader_new (reader->log, first, end, err);
  return reader->packed ? 0 : DG_ERR_NOMEM;
}

struct dg_reader *
dg_reader_new (const struct dg_log *log, size_t first_chunk, size_t end_chunk,
               struct dg_error *err)
{
  size_t n_chunks = log->contents.chunks.n;
  struct dg_reader *reader;

  if (first_chunk > (log->is_loaded ? n_chunks : 0)
      || end_chunk < first_chunk) {
    dg_error_set (err, DG_ERR_INVALID, "chunks %zu to %zu of %zu",
                  first_chunk, end_chunk, n_chunks);
    return NULL;
  }
  reader = g_try_new0 (struct dg_reader, 1);
  if (!reader) {
    dg_error_nomem (err);
    return NULL;
  }
  reader->log = log;
  if (log->header.is_archive) {
    if (open_packed (reader, first_chunk, end_chunk, err) == 0)
      return reader;
    dg_reader_free (reader);
    return NULL;
  }
  reader->addresses = g_try_new (uint64_t, log->contents.defs.max_entries + 1);
  if (!reader->addresses) {
    g_free (reader);
    dg_error_nomem (err);
    return NULL;
  }
  reader->contexts = dg_defs_run_contexts (&log->contents.defs);
  dg_position_init (&reader->position);
  set_bounds (reader, first_chunk, end_chunk);
  return reader;
}

void
dg_reader_free (struct dg_reader *reader)
{
  if (!reader)
    return;
  dg_packed_reader_free (reader->packed);
  if (reader->own) {
    /* The file is the other's.  */
    reader->own->source = (struct dg_source) { .fd = -1 };
    dg_log_close (reader->own);
  }
  dg_stream_fini (&reader->stream);
  dg_fields_fini (&reader->fields);
  dg_table_fini (&reader->values);
  g_free (reader->addresses);
  g_free (reader);
}

int
dg_reader_head (struct dg_reader *reader, struct dg_head *head,
                struct dg_error *err)
{
  struct dg_stream *stream = &reader->stream;
  uint64_t left = stream->end - stream->offset;
  int code = 0;

  if (left == 0)
    return 0;
  if (stream->avail < DG_HEAD_MAX)
    code = dg_stream_fill (stream, DG_HEAD_MAX, err);
  if (code < 0)
    return code;
  if (!dg_decode_head (&reader->log->format, stream->at, stream->avail, head))
    return dg_error_at (err, DG_ERR_TRUNCATED, stream->offset,
                        "the log ends within a record's length");
  if (head->length > left - head->size)
    return dg_error_at (err, DG_ERR_TRUNCATED, stream->offset,
                        "the log ends within a record of type %u and %"
                        PRIu64 " bytes", head->type, head->length);
  if (stream->avail < head->size + head->length
      && dg_decode_is_known (head->type))
    code = dg_stream_fill (stream, head->size + head->length, err);
  return code < 0 ? code : 1;
}

int
dg_reader_pass (struct dg_reader *reader, const struct dg_head *head,
                bool decoded, struct dg_error *err)
{
  struct dg_stream *stream = &reader->stream;

  switch (head->type) {
  case DG_R_THREAD_SWITCH:
  case DG_R_WINDOW:
  case DG_R_CHUNK:
  case DG_R_END:
    if (!decoded) {
      int code = dg_decode_fields (&reader->log->format, head,
                                   stream->at + head->size, stream->offset,
                                   &reader->fields, err);
      if (code < 0)
        return code;
    }
    dg_position_pass (&reader->position, head->type, &reader->fields);
    if (head->type == DG_R_THREAD_SWITCH)
      reader->thread = reader->fields.words[0];
    break;
  default:
    break;
  }
  dg_stream_skip (stream, head->size + head->length);
  return 0;
}

/* The next run, if it is there as a whole.  */
static bool
take_run (struct dg_reader *reader, struct dg_run *out)
{
  struct dg_stream *stream = &reader->stream;
  size_t size = dg_decode_run (&reader->log->format, &reader->contexts,
                               stream->at, stream->avail, out,
                               reader->addresses);

  if (size == 0)
    return false;
  out->icount = dg_position_icount (&reader->position);
  out->thread = reader->thread;
  reader->position.totals.instructions += out->n_instrs;
  dg_stream_skip (stream, size);
  return true;
}

/* Passes what is not a run, and makes a run available.  1, 0 at the end,
   < 0 an error.  */
static int
find_run (struct dg_reader *reader, struct dg_error *err)
{
  const struct dg_stream *stream = &reader->stream;
  struct dg_head head;
  int code;

  while ((code = dg_reader_head (reader, &head, err)) > 0
         && head.type != DG_R_BBRUN) {
    code = dg_reader_pass (reader, &head, false, err);
    if (code < 0)
      return code;
  }
  if (code <= 0)
    return code;
  code = dg_decode_check_run (&reader->log->format, &reader->contexts,
                              stream->at + head.size, head.length,
                              stream->offset, err);
  return code < 0 ? code : 1;
}

int
dg_reader_run (struct dg_reader *reader, struct dg_run *run,
               struct dg_error *err)
{
  int code;

  if (reader->packed) {
    code = dg_packed_reader_run (reader->packed, run, err);
    if (code > 0 && reader->wants_values)
      reader->run = *run;
    return code;
  }
  while (!take_run (reader, run)) {
    code = find_run (reader, err);
    if (code <= 0)
      return code;
  }
  if (reader->wants_values)
    reader->run = *run;
  return 1;
}

/* What is left of the latest run, as far as there is room.  */
static size_t
take_accesses (struct dg_reader *reader, struct dg_access *out, size_t max)
{
  const struct dg_run run = reader->run;
  unsigned i;
  size_t n = 0;

  for (i = reader->slot; i < run.n_slots && n < max; i++) {
    const struct dg_slot *slot = &run.bbdef->slots[i];
    uint64_t address = run.addresses[slot->entry];

    if (address == 0)
      continue;
    out[n++] = (struct dg_access) {
      .icount = run.icount + slot->iseq,
      .address = address,
      .instruction = run.bbdef->instrs[slot->iseq].address,
      .size = slot->size,
      .context = run.context,
      .thread = run.thread,
      .kind = slot->kind
    };
  }
  reader->slot = i;
  return n;
}

ptrdiff_t
dg_reader_accesses (struct dg_reader *reader, struct dg_access *out,
                    size_t max, struct dg_error *err)
{
  struct dg_run *run = &reader->run;
  size_t n = 0;

  if (max < MIN_ACCESSES)
    return dg_error_set (err, DG_ERR_INVALID,
                         "there is room for %zu accesses, but %d is the "
                         "minimum", max,
                         MIN_ACCESSES);
  if (reader->packed)
    return dg_packed_reader_accesses (reader->packed, out, max, err);
  for (;;) {
    int code;

    n += take_accesses (reader, out + n, max - n);
    if (reader->slot < run->n_slots)
      return n;
    reader->slot = 0;
    run->n_slots = 0;
    /* An error comes after what stands before it.  */
    code = dg_reader_run (reader, run, n > 0 ? NULL : err);
    if (code <= 0)
      return n > 0 ? (ptrdiff_t) n : code;
  }
}

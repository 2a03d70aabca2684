/* reader.c: the runs and accesses of a log, in order.  record.c reads all
   records.

   A log was checked when it was loaded.  The file may have changed since, so
   everything that is used is checked again; what is not used is passed over
   unseen.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reader.h"

#include <glib.h>
#include <inttypes.h>

#include "error.h"

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
  dg_stream_fini (&reader->stream);
  dg_fields_fini (&reader->fields);
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

/* Room for n addresses.  */
static int
make_room (struct dg_reader *reader, size_t n, struct dg_error *err)
{
  size_t room = MAX (n, 256);

  if (n <= reader->addresses_room)
    return 0;
  g_free (reader->addresses);
  reader->addresses_room = 0;
  reader->addresses = g_try_new (uint64_t, room);
  if (!reader->addresses)
    return dg_error_nomem (err);
  reader->addresses_room = room;
  return 0;
}

/* Takes the run whose head this is.  */
static int
take_run (struct dg_reader *reader, const struct dg_head *head,
          struct dg_run *out, struct dg_error *err)
{
  const struct dg_format *format = &reader->log->format;
  const uint8_t *payload = reader->stream.at + head->size;
  const struct dg_definition *definition;
  struct dg_run_fields run;
  int code;

  code = dg_decode_check_run (format, &reader->contexts, payload,
                              head->length, reader->stream.offset, &run, err);
  if (code == 0)
    code = make_room (reader, run.n_entries, err);
  if (code < 0)
    return code;
  dg_decode_addresses (format, payload, &run, reader->addresses);
  definition = reader->contexts.items[run.context];
  out->icount = dg_position_icount (&reader->position);
  out->context = run.context;
  out->thread = reader->thread;
  out->n_instrs = run.n_instrs;
  out->n_slots = dg_shape_slots (definition, run.n_entries);
  out->bbdef = &definition->bbdef;
  out->addresses = reader->addresses;
  reader->position.totals.instructions += run.n_instrs;
  dg_stream_skip (&reader->stream, head->size + head->length);
  return 0;
}

int
dg_reader_run (struct dg_reader *reader, struct dg_run *run,
               struct dg_error *err)
{
  struct dg_head head;
  int code;

  while ((code = dg_reader_head (reader, &head, err)) > 0) {
    if (head.type == DG_R_BBRUN) {
      code = take_run (reader, &head, run, err);
      return code < 0 ? code : 1;
    }
    code = dg_reader_pass (reader, &head, false, err);
    if (code < 0)
      return code;
  }
  return code;
}

ptrdiff_t
dg_reader_accesses (struct dg_reader *reader, struct dg_access *out,
                    size_t max, struct dg_error *err)
{
  struct dg_run *run = &reader->run;
  size_t n = 0;

  if (max < MIN_ACCESSES)
    return dg_error_set (err, DG_ERR_INVALID,
                         "room for %zu accesses, %d is the least", max,
                         MIN_ACCESSES);
  for (;;) {
    for (; reader->slot < run->n_slots && n < max; reader->slot++) {
      const struct dg_slot *slot = &run->bbdef->slots[reader->slot];
      uint64_t address = run->addresses[slot->entry];

      if (address == 0)
        continue;
      out[n++] = (struct dg_access) {
        .icount = run->icount + slot->iseq,
        .address = address,
        .instruction = run->bbdef->instrs[slot->iseq].address,
        .size = slot->size,
        .context = run->context,
        .thread = run->thread,
        .kind = slot->kind
      };
    }
    if (reader->slot < run->n_slots)
      return n;
    /* An error comes after what stands before it.  */
    int code = dg_reader_run (reader, run, n > 0 ? NULL : err);

    reader->slot = 0;
    if (code <= 0) {
      run->n_slots = 0;
      return n > 0 ? (ptrdiff_t) n : code;
    }
  }
}

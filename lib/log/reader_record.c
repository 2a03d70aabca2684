/* reader_record.c: dg_reader_record: every record of a log, unchanged.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>

#include "base/error.h"
#include "reader.h"

/* Indices need no loaded log to be checked: what may be named stands
   before.  */
static int
check_index (struct dg_reader *reader, const struct dg_head *head,
             struct dg_error *err)
{
  struct dg_position *position = &reader->position;
  uint64_t offset = reader->stream.offset, index;

  if (head->type == DG_R_BBDEF)
    position->bbdefs++;
  if (head->type != DG_R_CONTEXT && head->type != DG_R_BBRUN)
    return 0;
  index = reader->fields.words[0];
  if (head->type == DG_R_CONTEXT && index >= position->bbdefs)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "CONTEXT names block %" PRIu64 ", only %" PRIu64
                        " are defined",
                        index, position->bbdefs);
  if (head->type == DG_R_BBRUN && index >= position->contexts)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN names context %" PRIu64 ", only %" PRIu64
                        " are defined",
                        index, position->contexts);
  if (head->type == DG_R_CONTEXT)
    position->contexts++;
  return 0;
}

static int
decode (struct dg_reader *reader, const struct dg_head *head,
        struct dg_error *err)
{
  struct dg_stream *stream = &reader->stream;
  const uint8_t *payload = stream->at + head->size;
  int code;

  code = dg_decode_fields (&reader->log->format, head, payload, stream->offset,
                           &reader->fields, err);
  if (code < 0)
    return code;
  if (!reader->log->is_loaded)
    return check_index (reader, head, err);
  if (head->type != DG_R_BBRUN)
    return 0;
  return dg_decode_check_run (&reader->log->format, &reader->contexts, payload,
                              head->length, stream->offset, err);
}

/* That of a record of unknown type is there only for those who ask.  */
static int
find_payload (struct dg_reader *reader, const struct dg_head *head,
              struct dg_error *err)
{
  struct dg_stream *stream = &reader->stream;
  int code = 0;

  reader->payload = NULL;
  if (head->length > reader->payload_max)
    return 0;
  if (stream->avail < head->size + head->length)
    code = dg_stream_fill (stream, head->size + head->length, err);
  reader->payload = stream->at + head->size;
  return code;
}

const uint8_t *
dg_reader_payload (const struct dg_reader *reader)
{
  return reader->packed
           ? dg_packed_reader_payload (reader->packed, reader->payload_max)
           : reader->payload;
}

/* Of an archive that was loaded for this, what that came to is told behind
   its last good record.  */
static int
next_packed (struct dg_reader *reader, struct dg_record *rec,
             struct dg_error *err)
{
  int code = dg_packed_reader_record (reader->packed, rec, err);

  if (code == 0 && reader->own && reader->own_end.code < 0)
    return dg_error_copy (err, &reader->own_end);
  return code;
}

int
dg_reader_record (struct dg_reader *reader, struct dg_record *rec,
                  struct dg_error *err)
{
  struct dg_fields *fields = &reader->fields;
  struct dg_stream *stream = &reader->stream;
  struct dg_head head;
  int code;

  if (reader->packed)
    return next_packed (reader, rec, err);
  code = dg_reader_head (reader, &head, err);
  if (code <= 0)
    return code;
  if (head.type == DG_R_HEADER)
    return dg_error_at (err, DG_ERR_DAMAGED, stream->offset,
                        "there is a second HEADER");
  fields->n_words = fields->n_strings = 0;
  fields->n_behind = 0;
  if (dg_decode_is_known (head.type)) {
    code = decode (reader, &head, err);
    if (code < 0)
      return code;
  } else {
    code = find_payload (reader, &head, err);
    if (code < 0)
      return code;
  }
  *rec = (struct dg_record){.offset = stream->offset,
                            .length = head.length,
                            .type = head.type,
                            .n_words = fields->n_words,
                            .n_strings = fields->n_strings,
                            .words = fields->words,
                            .strings = fields->strings,
                            .behind = fields->behind,
                            .n_behind = fields->n_behind};
  if (head.type == DG_R_BBRUN) {
    rec->icount = dg_position_icount (&reader->position);
    reader->position.totals.instructions += fields->words[1];
    dg_stream_skip (stream, head.size + head.length);
  } else {
    code = dg_reader_pass (reader, &head, true, err);
    rec->icount = dg_position_icount (&reader->position);
  }
  rec->thread = reader->thread;
  return code < 0 ? code : 1;
}

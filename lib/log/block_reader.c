/* block_reader.c: heap blocks as a stream: a timeline of its own is given the
   records that heap blocks and orders depend on, and forgets what is freed.

   From an archive, only the records of each chunk are read, not its runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "archive/archive_part.h"
#include "archive/records.h"
#include "base/error.h"
#include "block_reader.h"
#include "log.h"
#include "packed.h"
#include "timeline.h"

struct item_step {
  struct dg_block_step step;
  uint32_t item;               /* of the timeline's store */
};

struct dg_block_reader {
  const struct dg_log *log;
  struct dg_contents contents; /* that the timeline fills */
  struct dg_timeline timeline;
  struct dg_position position;
  /* Where the timeline is, in its own count: as in packed_load.c.  */
  uint64_t moment;
  struct dg_table steps;       /* struct item_step: of the last record */
  size_t next;                 /* of these */
  bool is_over;
  /* Of a raw log.  */
  struct dg_reader *records;
  /* Of an archive.  */
  size_t chunk;                /* the next one */
  struct dg_table bytes;       /* of the records of the one before */
  struct dg_records_reader entries;
  uint64_t n_left;             /* entries of that chunk, at the most */
  uint64_t runs;               /* of that chunk, before the last record */
  struct dg_fields fields;
};

/* A dg_timeline_heap_watch_fn.  */
static int
add_step (void *user, size_t index, bool is_free)
{
  struct dg_block_reader *reader = user;
  struct item_step *added = dg_table_add (&reader->steps, sizeof *added);

  if (!added)
    return DG_ERR_NOMEM;
  added->step.is_free = is_free;
  added->step.block = dg_store_get (&reader->contents.blocks, index);
  added->item = (uint32_t) index;
  return 0;
}

static void
clear (struct dg_block_reader *reader)
{
  dg_reader_free (reader->records);
  dg_timeline_fini (&reader->timeline);
  dg_contents_fini (&reader->contents);
  dg_table_fini (&reader->steps);
  dg_table_fini (&reader->bytes);
  dg_fields_fini (&reader->fields);
}

void
dg_block_reader_free (struct dg_block_reader *reader)
{
  if (!reader)
    return;
  clear (reader);
  g_free (reader);
}

/* At the start of the log; all else is empty.  */
static int
begin (struct dg_block_reader *reader, struct dg_error *err)
{
  const struct dg_log *log = reader->log;
  int code = dg_timeline_init (&reader->timeline, &reader->contents,
                               DG_BLOCKS_LIVE, DG_NEVER, err);

  dg_position_init (&reader->position);
  reader->timeline.heap.watch = add_step;
  reader->timeline.heap.watch_user = reader;
  if (code == 0 && !log->header.is_archive) {
    reader->records = dg_reader_new (log, 0, SIZE_MAX, err);
    code = reader->records ? 0 : DG_ERR_NOMEM;
  }
  return code;
}

struct dg_block_reader *
dg_block_reader_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_block_reader *reader = g_try_new0 (struct dg_block_reader, 1);

  if (!reader) {
    dg_error_nomem (err);
    return NULL;
  }
  reader->log = log;
  if (begin (reader, err) == 0)
    return reader;
  dg_block_reader_free (reader);
  return NULL;
}

int
dg_block_reader_restart (struct dg_block_reader *reader, struct dg_error *err)
{
  const struct dg_log *log = reader->log;
  struct dg_stacks stacks = reader->timeline.stacks;
  struct dg_arena arena = reader->contents.arena;
  int code;

  reader->timeline.stacks = (struct dg_stacks) { 0 };
  reader->contents.arena = (struct dg_arena) { 0 };
  clear (reader);
  *reader = (struct dg_block_reader) { .log = log, .contents.arena = arena };
  code = begin (reader, err);
  dg_stacks_fini (&reader->timeline.stacks);
  reader->timeline.stacks = stacks;
  return code;
}


/* ---- Records ---- */

/* Whether heap blocks, or the orders of records, depend on it.  */
static bool
matters (uint8_t type)
{
  switch (type) {
  case DG_R_MALLOC_BLOCK:
  case DG_R_FREE_BLOCK:
  case DG_R_HEAP_ALLOC:
  case DG_R_HEAP_FREE:
  case DG_R_POOL:
  case DG_R_POOL_BLOCK:
  case DG_R_TRACK_RANGE:
  case DG_R_UNTRACK_RANGE:
  case DG_R_START_EVENT:
  case DG_R_END_EVENT:
  case DG_R_MAP:
  case DG_R_UNMAP:
  case DG_R_STACK_POINTER:
  case DG_R_WINDOW:
    return true;
  default:
    return false;
  }
}

/* The position passes other records that move it: they were checked when the
   log was loaded.  */
static int
apply (struct dg_block_reader *reader, uint8_t type,
       const struct dg_fields *fields, struct dg_error *err)
{
  if (matters (type))
    return dg_timeline_apply (&reader->timeline, &reader->position, type,
                              fields, reader->moment, reader->moment + 1,
                              err);
  dg_position_pass (&reader->position, type, fields);
  return 0;
}

/* The next record of a raw log: 1, 0, < 0.  */
static int
read_raw (struct dg_block_reader *reader, struct dg_error *err)
{
  struct dg_record record;
  int code = dg_reader_record (reader->records, &record, err);

  if (code <= 0)
    return code;
  reader->moment++;
  if (!matters (record.type))
    return 1;
  dg_position_move (&reader->position, record.icount);
  code = apply (reader, record.type,
                &(struct dg_fields) { .words = (uint64_t *) record.words,
                                      .strings =
                                        (const char **) record.strings,
                                      .n_words = record.n_words,
                                      .n_strings = record.n_strings },
                err);
  return code < 0 ? code : 1;
}

/* ---- Archives ---- */

/* The records of the next chunk: 1, 0 if there is none, < 0.  */
static int
open_chunk (struct dg_block_reader *reader, struct dg_error *err)
{
  const struct dg_packed *packed = reader->log->contents.packed;
  const struct dg_chunk_entry *chunk;
  int code = 0;

  if (reader->chunk == packed->n_chunks)
    return 0;
  chunk = (const struct dg_chunk_entry *) packed->archive->chunks.items
          + reader->chunk;
  /* Details follow in the next chunk, if no run stands between.  */
  if (reader->chunk++ > 0)
    reader->moment += chunk[-1].totals.runs > reader->runs;
  reader->bytes.n = 0;
  if (chunk->records.size > 0)
    code = dg_archive_read (&reader->log->source, &chunk->records,
                            DG_PART_RECORDS, &reader->bytes, err);
  if (code < 0)
    return code;
  dg_records_begin (&reader->entries, &reader->log->format,
                    reader->bytes.items, reader->bytes.n);
  reader->n_left = reader->chunk == packed->n_chunks ? packed->end_entries
                                                     : UINT64_MAX;
  reader->runs = 0;
  reader->position.totals.instructions = 0;
  reader->position.recording = chunk->start.recording;
  dg_position_move (&reader->position, chunk->start.icount);
  return 1;
}

static int
take_entry (struct dg_block_reader *reader,
            const struct dg_records_entry *entry, struct dg_error *err)
{
  const struct dg_format *format = &reader->log->format;
  struct dg_head head;
  int code;

  if (entry->kind != DG_ENTRY_RECORD)
    return 0;
  reader->moment += entry->at.runs > reader->runs;
  reader->runs = entry->at.runs;
  reader->position.totals.instructions = entry->at.instructions;
  dg_decode_head (format, entry->record, entry->size, &head);
  if (!matters (head.type) && head.type != DG_R_CHUNK
      && head.type != DG_R_END)
    return 0;
  code = dg_decode_fields (format, &head, entry->record + head.size,
                           reader->moment, &reader->fields, err);
  return code < 0 ? code : apply (reader, head.type, &reader->fields, err);
}

/* The next entry of an archive: 1, 0, < 0.  */
static int
read_packed (struct dg_block_reader *reader, struct dg_error *err)
{
  struct dg_records_entry entry;
  int code = 0;

  while (code == 0) {
    if (reader->n_left > 0)
      code = dg_records_next (&reader->entries, &entry, err);
    if (code == 0) {
      int opened = open_chunk (reader, err);

      if (opened <= 0)
        return opened;
    }
  }
  if (code < 0)
    return code;
  reader->n_left--;
  reader->moment++;
  code = take_entry (reader, &entry, err);
  return code < 0 ? code : 1;
}

/* ---- Steps ---- */

/* The next record, or what is known at the end: 1, 0, < 0.  */
static int
read_on (struct dg_block_reader *reader, struct dg_error *err)
{
  int code;

  if (reader->is_over)
    return 0;
  code = reader->records ? read_raw (reader, err) : read_packed (reader, err);
  if (code != 0)
    return code;
  reader->is_over = true;
  return dg_timeline_heap_finish (&reader->timeline.heap) < 0
           ? dg_error_nomem (err) : 1;
}

int
dg_block_reader_next_item (struct dg_block_reader *reader,
                           struct dg_block_step *step, uint32_t *item,
                           struct dg_error *err)
{
  const struct item_step *next;
  int code = 1;

  while (reader->next == reader->steps.n && code > 0) {
    reader->next = reader->steps.n = 0;
    code = read_on (reader, err);
  }
  if (code <= 0)
    return code;
  next = (const struct item_step *) reader->steps.items + reader->next++;
  *step = next->step;
  *item = next->item;
  return 1;
}

int
dg_block_reader_next (struct dg_block_reader *reader,
                      struct dg_block_step *step, struct dg_error *err)
{
  uint32_t item;

  return dg_block_reader_next_item (reader, step, &item, err);
}

/* pack_log_raw.c: pieces of a raw log -> chunks of an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "pack_log.h"
#include "base/stream.h"

/* So many words are packed at a time; they stay in the cache until then.  */
#define WORDS ((size_t) 16 << 10)
#define ROOM  (WORDS + 1 + DG_DECODE_WORDS_EACH)
/* A piece is not begun with more than this, to keep memory in bounds where
   there are few accesses.  */
#define PIECE_BYTES ((uint64_t) 12 << 20)

struct worker {
  struct dg_packer *packer;
  struct dg_stream stream;
  struct dg_fields fields;
  uint64_t *words;
};

/* A piece being packed.  */
struct piece {
  const struct dg_pack_log *pack;
  const struct dg_format *format;
  struct worker *worker;
  struct dg_pack_result *result;
  struct dg_run_contexts contexts;
  size_t n_words;          /* that are not packed yet */
  uint64_t runs;           /* so far, these included */
  uint64_t icount_base;    /* icount less the piece's instructions */
};

/* ---- Pieces ---- */

static int
add_piece (struct dg_pack_log *pack, const struct dg_chunk *chunk,
           uint64_t end, struct dg_error *err)
{
  struct dg_pack_piece *piece = dg_table_add (&pack->pieces, sizeof *piece);

  if (!piece)
    return dg_error_nomem (err);
  piece->offset = chunk->offset;
  piece->end = end;
  piece->start = (struct dg_chunk_start) {
    .icount = chunk->icount, .instructions = chunk->instructions,
    .reads = chunk->reads, .writes = chunk->writes,
    .entries = chunk->accesses, .runs = chunk->runs,
    .bbdefs = chunk->bbdefs, .contexts = chunk->contexts,
    .thread = chunk->thread, .recording = chunk->recording
  };
  return 0;
}

/* Chunks of a raw log are smaller: some make a piece, until the next would
   make it longer than is wanted by more than it is shorter now.  */
int
dg_pack_raw_plan (struct dg_pack_log *pack, struct dg_error *err)
{
  const struct dg_chunk *chunks = pack->log->contents.chunks.items;
  size_t n = pack->log->contents.chunks.n, first = 0;
  uint64_t end = pack->log->contents.summary.good_bytes;
  const uint64_t wanted = pack->log->piece_accesses;
  int code = 0;

  for (size_t i = 1; i < n && code == 0; i++) {
    const struct dg_chunk *chunk = &chunks[i], *from = &chunks[first];
    uint64_t accesses = chunk->accesses - from->accesses;
    uint64_t runs = chunk->runs - from->runs;
    uint64_t next = chunk->accesses - chunks[i - 1].accesses;

    if (accesses + next / 2 < wanted && runs < wanted
        && chunk->offset - from->offset < PIECE_BYTES)
      continue;
    code = add_piece (pack, from, chunk->offset, err);
    first = i;
  }
  return code < 0 ? code : add_piece (pack, &chunks[first], end, err);
}

/* ---- Workers ---- */

void *
dg_pack_raw_new (void *user, struct dg_error *err)
{
  const struct dg_pack_log *pack = user;
  size_t room = ROOM + pack->log->contents.defs.max_entries + 1;
  struct worker *worker = g_try_new0 (struct worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  dg_stream_init (&worker->stream, &pack->log->source, 0, 0);
  worker->packer = dg_packer_new (pack->level, err);
  worker->words = g_try_new (uint64_t, room);
  if (worker->packer && worker->words)
    return worker;
  if (worker->packer)
    dg_error_nomem (err);
  dg_pack_raw_free (worker);
  return NULL;
}

void
dg_pack_raw_free (void *state)
{
  struct worker *worker = state;

  dg_packer_free (worker->packer);
  dg_stream_fini (&worker->stream);
  dg_fields_fini (&worker->fields);
  g_free (worker->words);
  g_free (worker);
}

static int
changed (const struct piece *piece, struct dg_error *err)
{
  return dg_error_at (err, DG_ERR_IO, piece->worker->stream.offset,
                      "the log has changed since it was loaded");
}

/* ---- Runs ---- */

static int
flush (struct piece *piece, struct dg_error *err)
{
  size_t n = piece->n_words;

  piece->n_words = 0;
  return n > 0 ? dg_packer_runs (piece->worker->packer, piece->worker->words,
                                 n, err)
               : 0;
}

static int
add_entry (struct piece *piece, struct dg_records_entry *entry,
           struct dg_error *err)
{
  entry->at.runs = piece->runs;
  return dg_records_add (&piece->result->records, entry, err);
}

/* A length of 255 in the head where a shorter form would do.  */
static int
add_long (struct piece *piece, struct dg_error *err)
{
  struct dg_records_entry entry = { .kind = DG_ENTRY_LONG };

  return add_entry (piece, &entry, err);
}

/* One run that is available, as words, of whatever kind.  1; 0 if it is not
   all there, or not valid.  */
static int
take_any_run (struct piece *piece, struct dg_error *err)
{
  struct dg_stream *stream = &piece->worker->stream;
  const struct dg_pack_names *names = &piece->pack->names;
  const unsigned word_size = piece->format->word_size;
  uint64_t *words = piece->worker->words;
  struct dg_run run;
  size_t size = dg_decode_run (piece->format, &piece->contexts, stream->at,
                               stream->avail, &run,
                               words + piece->n_words + 1), length;
  unsigned n_entries;
  uint64_t head;
  bool is_long;

  if (size == 0)
    return 0;
  is_long = stream->at[1] == DG_LENGTH_EXTENDED;
  length = size - (is_long ? DG_HEAD_MAX : 2);
  n_entries = (length - 1) / word_size - 1;
  head = names->heads[run.context].word;
  if (n_entries != run.bbdef->n_entries
      || run.n_instrs != run.bbdef->n_instrs)
    head = dg_pack_names_part (names, piece->pack->log, run.context,
                               run.n_instrs, n_entries);
  if (head == 0)
    return changed (piece, err);
  if (is_long && length < DG_LENGTH_EXTENDED && add_long (piece, err) < 0)
    return DG_ERR_NOMEM;
  words[piece->n_words] = head;
  piece->n_words += 1 + n_entries;
  piece->runs++;
  dg_stream_skip (stream, size);
  return 1;
}

/* The runs that are available, as words.  */
static int
take_runs (struct piece *piece, struct dg_error *err)
{
  struct dg_stream *stream = &piece->worker->stream;
  uint64_t *words = piece->worker->words;
  int more = 1;

  while (more > 0) {
    size_t n_words, n_runs;

    if (piece->n_words >= WORDS) {
      int code = flush (piece, err);

      if (code < 0)
        return code;
    }
    dg_stream_skip (stream, dg_decode_words (piece->format,
                                             piece->pack->names.heads,
                                             piece->contexts.n, stream->at,
                                             stream->avail,
                                             words + piece->n_words,
                                             ROOM - piece->n_words,
                                             &n_words, &n_runs));
    piece->n_words += n_words;
    piece->runs += n_runs;
    /* It stopped for lack of room, or at something else.  */
    if (piece->n_words < WORDS)
      more = take_any_run (piece, err);
  }
  return more;
}

/* ---- Other records ---- */

static int
take_block (struct piece *piece, struct dg_error *err)
{
  struct dg_records_entry entry = { .kind = DG_ENTRY_BBDEF,
                                    .number = piece->result->bbdefs };

  if (piece->result->bbdefs++ >= piece->pack->log->contents.defs.bbdefs.n)
    return changed (piece, err);
  return add_entry (piece, &entry, err);
}

static int
take_context (struct piece *piece, struct dg_error *err)
{
  const struct dg_table *contexts = &piece->pack->log->contents.defs.contexts;
  struct dg_records_entry entry = { .kind = DG_ENTRY_CONTEXT };
  uint32_t number = piece->result->contexts;

  if (piece->result->contexts++ >= contexts->n)
    return changed (piece, err);
  entry.number = ((const struct dg_context *) contexts->items)[number].bbdef;
  entry.node = dg_pack_names_node (&piece->pack->names, number);
  return add_entry (piece, &entry, err);
}

/* Notes what the record changes for those that follow.  */
static int
pass (struct piece *piece, const struct dg_head *head, struct dg_error *err)
{
  const struct dg_stream *stream = &piece->worker->stream;
  struct dg_pack_result *result = piece->result;
  struct dg_fields *fields = &piece->worker->fields;
  uint64_t instructions
    = dg_packer_totals (piece->worker->packer)->instructions;
  int code;

  switch (head->type) {
  case DG_R_THREAD_SWITCH:
  case DG_R_WINDOW:
  case DG_R_CHUNK:
  case DG_R_END:
    code = dg_decode_fields (piece->format, head, stream->at + head->size,
                             stream->offset, fields, err);
    if (code < 0)
      return code;
    break;
  case DG_R_PROCESS:
    if (dg_table_reserve (&result->process, 1, head->size + head->length) < 0)
      return dg_error_nomem (err);
    result->process.n = head->size + head->length;
    memcpy (result->process.items, stream->at, result->process.n);
    return 0;
  default:
    return 0;
  }
  if (head->type == DG_R_THREAD_SWITCH) {
    result->thread = fields->words[0];
  } else if (head->type == DG_R_WINDOW) {
    result->recording = fields->words[0];
    piece->icount_base = fields->words[2] - instructions;
  } else {
    unsigned icount = head->type == DG_R_CHUNK ? 1 : 3;

    piece->icount_base = fields->words[icount] - instructions;
  }
  return 0;
}

/* Any other record, as it stands.  */
static int
take_record (struct piece *piece, const struct dg_head *head,
             struct dg_error *err)
{
  struct dg_records_entry entry = { .kind = DG_ENTRY_RECORD };
  int code = flush (piece, err);

  if (code == 0)
    code = pass (piece, head, err);
  if (code < 0)
    return code;
  entry.at = dg_records_place (dg_packer_totals (piece->worker->packer));
  entry.record = piece->worker->stream.at;
  entry.size = head->size + head->length;
  return dg_records_add (&piece->result->records, &entry, err);
}

/* The record at the stream's offset, or a run that was not all there.  */
static int
take_next (struct piece *piece, struct dg_error *err)
{
  struct dg_stream *stream = &piece->worker->stream;
  uint64_t left = stream->end - stream->offset, size;
  struct dg_head head;
  int code = dg_stream_fill (stream, DG_HEAD_MAX, err);

  if (code < 0)
    return code;
  if (!dg_decode_head (piece->format, stream->at, stream->avail, &head)
      || head.type == DG_R_HEADER || head.length > left - head.size)
    return changed (piece, err);
  size = head.size + head.length;
  code = dg_stream_fill (stream, size, err);
  if (code < 0)
    return code;
  if (head.type == DG_R_BBRUN) {
    uint64_t before = piece->runs;

    code = take_runs (piece, err);
    return code == 0 && piece->runs == before ? changed (piece, err) : code;
  }
  if (head.type != DG_R_BBDEF && head.type != DG_R_CONTEXT) {
    code = take_record (piece, &head, err);
  } else {
    if (head.size == DG_HEAD_MAX && head.length < DG_LENGTH_EXTENDED)
      code = add_long (piece, err);
    if (code == 0)
      code = head.type == DG_R_BBDEF ? take_block (piece, err)
                                     : take_context (piece, err);
  }
  if (code == 0)
    dg_stream_skip (stream, size);
  return code;
}

/* ---- A piece ---- */

static int
pack_piece (struct piece *piece, struct dg_error *err)
{
  struct worker *worker = piece->worker;
  struct dg_pack_result *result = piece->result;
  struct dg_stream *stream = &worker->stream;
  int code = dg_packer_begin (worker->packer, &piece->pack->names.view,
                              piece->pack->address_mask, err);

  while (code == 0 && stream->offset < stream->end) {
    code = take_runs (piece, err);
    if (code == 0 && stream->offset < stream->end)
      code = take_next (piece, err);
  }
  if (code == 0)
    code = flush (piece, err);
  if (code == 0)
    code = dg_packer_end (worker->packer, &result->runs, NULL, NULL, err);
  if (code < 0)
    return code;
  result->totals = *dg_packer_totals (worker->packer);
  result->icount = piece->icount_base + result->totals.instructions;
  return piece->pack->no_index
           ? 0 : dg_pack_result_lines (result, worker->packer, err);
}

int
dg_pack_raw_work (void *user, void *state, size_t job, void *out,
                  struct dg_error *err)
{
  const struct dg_pack_log *pack = user;
  const struct dg_pack_piece *place
    = (const struct dg_pack_piece *) pack->pieces.items + job;
  struct dg_pack_result *result = out;
  struct worker *worker = state;
  struct piece piece = {
    .pack = pack, .format = &pack->log->format, .worker = worker,
    .result = result,
    .contexts = dg_defs_run_contexts (&pack->log->contents.defs),
    .icount_base = place->start.icount
  };

  dg_stream_move (&worker->stream, place->offset, place->end);
  dg_records_start (&result->records);
  result->definitions.n = result->lines.n = result->runs.n = 0;
  result->process.n = 0;
  result->bbdefs = place->start.bbdefs;
  result->contexts = place->start.contexts;
  result->thread = place->start.thread;
  result->recording = place->start.recording;
  /* All definitions come with the first chunk.  */
  if (job == 0) {
    int code = dg_program_write (&pack->names.program, pack->names.first,
                                 &result->definitions, err);
    if (code < 0)
      return code;
  }
  return pack_piece (&piece, err);
}

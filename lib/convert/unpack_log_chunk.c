/* unpack_log_chunk.c: a chunk of an archive -> the bytes that a raw log has
   for it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "format/encode.h"
#include "base/error.h"
#include "archive/records.h"
#include "archive/values.h"
#include "unpack_log.h"

/* So many words are unpacked at a time: they stay in the cache, and there is
   room for the longest run.  */
#define WORDS ((size_t) DG_UNPACK_ROOM)
#define RUNS  4096

/* What the runs of one head of the chunk have in common.  */
struct shape {
  uint32_t context;
  uint16_t n_entries;
  uint8_t n_instrs;
  bool is_copy;            /* the words are the addresses, and no others */
};

struct worker {
  struct dg_unpacker *unpacker;
  struct dg_table runs, records;   /* bytes of these parts */
  struct dg_fields fields;
  uint64_t *words;
  uint32_t *numbers;       /* of the runs' heads */
  uint64_t *addresses;     /* of one run */
  struct dg_table shapes;  /* struct shape: of each head, from 1 */
  /* Of an archive with values.  */
  struct dg_values_unpacker *values; /* NULL: it has none */
  struct dg_table payload; /* bytes of VALUES, then of a record */
};

/* A chunk being unpacked.  */
struct chunk {
  const struct dg_unpack_log *unpack;
  const struct dg_format *format;
  struct worker *worker;
  struct dg_unpack_result *result;
  struct dg_chunk_start now;   /* what stands before the next record */
  uint64_t end_runs;           /* where the next entry of RECORDS stands */
  uint64_t entries;            /* of RECORDS that are good */
  bool is_long;                /* the next run or definition is */
  size_t next_marker;          /* where one is due */
  bool has_values;             /* runs are followed by them */
};

void *
dg_unpack_log_new (void *user, struct dg_error *err)
{
  const struct dg_unpack_log *unpack = user;
  struct worker *worker = g_try_new0 (struct worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  worker->unpacker = dg_unpacker_new (
    unpack->packed->archive->head.version, err);
  if (unpack->packed->archive->head.has_values) {
    worker->values = dg_values_unpacker_new (err);
    if (!worker->values) {
      dg_unpack_log_free (worker);
      return NULL;
    }
  }
  worker->words = g_try_new (uint64_t, WORDS);
  worker->addresses = g_try_new (uint64_t, DG_ENTRIES_MAX);
  worker->numbers = g_try_new (uint32_t, RUNS);
  if (worker->unpacker && worker->words && worker->addresses
      && worker->numbers)
    return worker;
  if (worker->unpacker)
    dg_error_nomem (err);
  dg_unpack_log_free (worker);
  return NULL;
}

void
dg_unpack_log_free (void *state)
{
  struct worker *worker = state;

  dg_unpacker_free (worker->unpacker);
  dg_values_unpacker_free (worker->values);
  dg_table_fini (&worker->payload);
  dg_table_fini (&worker->runs);
  dg_table_fini (&worker->records);
  dg_fields_fini (&worker->fields);
  g_free (worker->words);
  g_free (worker->addresses);
  g_free (worker->numbers);
  dg_table_fini (&worker->shapes);
  g_free (worker);
}

/* ---- Markers ---- */

/* Here a CHUNK or END will stand whose `back` depends on chunks before.  */
static int
note_back (struct chunk *chunk, struct dg_error *err)
{
  size_t *place = dg_table_add (&chunk->result->backs, sizeof *place);

  if (!place)
    return dg_error_nomem (err);
  *place = chunk->result->bytes.n;
  return 0;
}

static int
add_marker (struct chunk *chunk, struct dg_error *err)
{
  const struct dg_chunk_start *now = &chunk->now;
  const uint64_t quads[] = { 0, now->icount, now->instructions, now->entries,
                             now->runs, now->bbdefs, now->contexts,
                             now->thread, now->recording };
  struct dg_table *bytes = &chunk->result->bytes;
  int code = note_back (chunk, err);

  if (code < 0)
    return code;
  if (dg_encode_quads (bytes, chunk->format, DG_R_CHUNK, NULL, 0, quads,
                       G_N_ELEMENTS (quads)) < 0)
    return dg_error_nomem (err);
  chunk->next_marker = bytes->n + DG_CHUNK_BYTES;
  return 0;
}

/* ---- Runs ---- */

static bool
is_copy (const struct dg_program_block *block,
         const struct dg_program_variant *variant)
{
  for (unsigned i = 0; i < variant->n_entries; i++)
    if (block->entries[i].word != i || block->entries[i].disp != 0)
      return false;
  return variant->n_words == variant->n_entries;
}

/* The shapes of the heads that the chunk has met by now.  */
static int
add_shapes (const struct chunk *chunk, struct dg_error *err)
{
  const struct dg_packed *packed = chunk->unpack->packed;
  struct dg_table *shapes = &chunk->worker->shapes;
  size_t n = dg_unpacker_heads (chunk->worker->unpacker);

  while (shapes->n < n) {
    uint64_t head = dg_unpacker_head (chunk->worker->unpacker, shapes->n);
    const struct dg_program_variant *variant
      = &packed->view.variants[dg_run_variant (head)];
    struct shape *shape = dg_table_add (shapes, sizeof *shape);

    if (!shape)
      return dg_error_nomem (err);
    if (shapes->n == 1)
      continue;
    shape->context = dg_packed_context (packed, variant->block,
                                        dg_run_node (head));
    if (shape->context == DG_NONE)
      return dg_error_set (err, DG_ERR_DAMAGED, "a run has no context");
    shape->n_entries = variant->n_entries;
    shape->n_instrs = variant->n_instrs;
    shape->is_copy = is_copy (packed->view.blocks[variant->block], variant);
  }
  return 0;
}

/* The addresses of a run that does not hold them as they are.  Returns where
   the next run begins.  */
static const uint64_t *
find_addresses (const struct chunk *chunk, const uint64_t *run)
{
  const struct dg_program_view *view = &chunk->unpack->packed->view;
  const struct dg_program_variant *variant
    = &view->variants[dg_run_variant (*run)];

  dg_unpack_addresses (view->blocks[variant->block], variant, run + 1,
                       chunk->unpack->address_mask, chunk->worker->addresses);
  return run + 1 + variant->n_words;
}

/* The values of a run's entries as the payload of a RUN_VALUES; 0: no access
   was made.  */
static size_t
fill_payload (const struct dg_program_entry *entries, unsigned n,
              const uint64_t *addresses, const struct dg_values_of_run *values,
              uint8_t *payload)
{
  size_t n_known = (n + 7) / 8;
  uint8_t *known = payload + 1, *at = known + n_known;
  bool all = true, any = false;

  memset (payload, 0, 1 + n_known);
  for (unsigned i = 0; i < n; i++) {
    unsigned size = entries[i].size;

    if (addresses[i] == 0 || size == 0)
      continue;
    any = true;
    if (values->at[i] == DG_VALUE_NONE) {
      all = false;
      continue;
    }
    known[i / 8] |= 1 << i % 8;
    memcpy (at, values->bytes + values->at[i], size);
    at += size;
  }
  if (!all)
    return at - payload;
  payload[0] = 1;
  memmove (known, known + n_known, at - (known + n_known));
  return any ? at - n_known - payload : 0;
}

static int
put_values (struct chunk *chunk, const uint64_t *run,
            const uint64_t *addresses, struct dg_error *err)
{
  struct worker *worker = chunk->worker;
  const struct dg_program_view *view = &chunk->unpack->packed->view;
  const struct dg_program_variant *variant
    = &view->variants[dg_run_variant (*run)];
  const struct dg_program_block *block = view->blocks[variant->block];
  unsigned n = variant->n_entries;
  struct dg_values_of_run values;
  size_t size;
  int code = dg_values_unpacker_run (worker->values, run, &values, err);

  if (code < 0)
    return code;
  if (dg_table_reserve (&worker->payload, 1,
                        1 + (n + 7) / 8 + n * (size_t) DG_VALUE_MAX) < 0)
    return dg_error_nomem (err);
  size = fill_payload (block->entries, n, addresses, &values,
                       worker->payload.items);
  if (size > 0
      && dg_encode_payload (&chunk->result->bytes, chunk->format,
                            DG_R_RUN_VALUES, worker->payload.items, size) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* n runs as records.  */
static int
put_runs (struct chunk *chunk, size_t n, struct dg_error *err)
{
  struct dg_table *bytes = &chunk->result->bytes;
  const struct shape *shapes = chunk->worker->shapes.items;
  const uint32_t *numbers = chunk->worker->numbers;
  const uint64_t *words = chunk->worker->words;
  const struct dg_format format = *chunk->format;
  uint64_t instructions = 0, entries = 0;

  for (size_t i = 0; i < n; i++) {
    const struct shape *shape = &shapes[numbers[i]];
    const uint64_t *addresses = words + 1, *run = words;
    uint8_t *at = dg_encode_room (bytes,
                                  dg_encode_run_size (shape->n_entries));

    if (!at)
      return dg_error_nomem (err);
    if (shape->is_copy) {
      words += 1 + shape->n_entries;
    } else {
      words = find_addresses (chunk, words);
      addresses = chunk->worker->addresses;
    }
    at = dg_encode_run (at, &format, shape->context, shape->n_instrs,
                        addresses, shape->n_entries, chunk->is_long);
    bytes->n = at - (uint8_t *) bytes->items;
    chunk->is_long = false;
    if (chunk->has_values) {
      int code = put_values (chunk, run, addresses, err);

      if (code < 0)
        return code;
    }
    instructions += shape->n_instrs;
    entries += shape->n_entries;
  }
  chunk->now.instructions += instructions;
  chunk->now.icount += instructions;
  chunk->now.entries += entries;
  chunk->now.runs += n;
  return 0;
}

/* The runs up to the next entry of RECORDS.  Without one, all: 0 at the
   end.  */
static int
take_runs (struct chunk *chunk, struct dg_error *err)
{
  struct worker *worker = chunk->worker;

  while (chunk->now.runs < chunk->end_runs) {
    uint64_t wanted = chunk->end_runs - chunk->now.runs;
    ptrdiff_t got;
    size_t n;
    int code = 0;

    if (chunk->unpack->is_live
        && chunk->result->bytes.n >= chunk->next_marker)
      code = add_marker (chunk, err);
    if (code < 0)
      return code;
    got = dg_unpacker_numbered (worker->unpacker, worker->words, WORDS,
                                MIN (wanted, RUNS), &n, worker->numbers, err);
    if (got <= 0)
      return got;
    code = add_shapes (chunk, err);
    if (code == 0)
      code = put_runs (chunk, got, err);
    if (code < 0)
      return code;
  }
  return 0;
}

/* ---- Other records ---- */

/* A record as it stands in RECORDS.  */
static int
take_record (struct chunk *chunk, const struct dg_records_entry *entry,
             struct dg_error *err)
{
  struct dg_fields *fields = &chunk->worker->fields;
  struct dg_chunk_start *now = &chunk->now;
  struct dg_head head;
  int code = 0;

  dg_decode_head (chunk->format, entry->record, entry->size, &head);
  if (chunk->unpack->is_live
      && (head.type == DG_R_THREAD_SWITCH || head.type == DG_R_WINDOW
          || head.type == DG_R_END || head.type == DG_R_CHUNK)) {
    code = dg_decode_fields (chunk->format, &head, entry->record + head.size,
                             0, fields, err);
    if (code < 0)
      return code;
    if (head.type == DG_R_THREAD_SWITCH) {
      now->thread = fields->words[0];
    } else if (head.type == DG_R_WINDOW) {
      now->recording = fields->words[0];
      now->icount = fields->words[2];
    } else {
      now->icount = fields->words[head.type == DG_R_END ? 3 : 1];
      code = note_back (chunk, err);
    }
  }
  if (code == 0
      && dg_encode_bytes (&chunk->result->bytes, entry->record, entry->size)
           < 0)
    code = dg_error_nomem (err);
  return code;
}

static int
take_definition (struct chunk *chunk, const struct dg_records_entry *entry,
                 struct dg_error *err)
{
  const struct dg_log *log = chunk->unpack->log;
  const struct dg_defs *defs = &log->contents.defs;
  struct dg_table *bytes = &chunk->result->bytes;
  bool is_long = chunk->is_long;
  int code;

  chunk->is_long = false;
  if (entry->kind == DG_ENTRY_BBDEF) {
    if (chunk->now.bbdefs >= defs->bbdefs.n)
      return dg_error_set (err, DG_ERR_DAMAGED, "too many BBDEF");
    code = dg_encode_bbdef (bytes, chunk->format,
                            dg_log_bbdef (log, chunk->now.bbdefs++), is_long);
  } else if (chunk->now.contexts >= defs->contexts.n) {
    return dg_error_set (err, DG_ERR_DAMAGED, "too many CONTEXT");
  } else {
    uint64_t stack[DG_STACK_MAX];
    uint32_t number = chunk->now.contexts++;
    uint32_t n = dg_log_context_stack (log, number, stack);

    code = dg_encode_context (bytes, chunk->format,
                              dg_log_context (log, number).bbdef, stack, n,
                              is_long);
  }
  return code < 0 ? dg_error_nomem (err) : 0;
}

static int
take_entry (struct chunk *chunk, const struct dg_records_entry *entry,
            struct dg_error *err)
{
  switch (entry->kind) {
  case DG_ENTRY_RECORD: return take_record (chunk, entry, err);
  case DG_ENTRY_LONG: chunk->is_long = true; return 0;
  default: return take_definition (chunk, entry, err);
  }
}

/* ---- A chunk ---- */

static int
unpack_chunk (struct chunk *chunk, struct dg_error *err)
{
  struct worker *worker = chunk->worker;
  uint64_t first_run = chunk->now.runs, left = chunk->entries;
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  int code, more = 0;

  code = dg_unpacker_begin (worker->unpacker, &chunk->unpack->packed->view,
                            (uint8_t *) worker->runs.items + DG_RUNS_HEAD,
                            worker->runs.n - DG_RUNS_HEAD, err);
  if (code < 0)
    return code;
  dg_records_begin (&reader, chunk->format, worker->records.items,
                    worker->records.n);
  while (left-- > 0 && (more = dg_records_next (&reader, &entry, err)) > 0) {
    chunk->end_runs = first_run + entry.at.runs;
    code = take_runs (chunk, err);
    if (code == 0)
      code = take_entry (chunk, &entry, err);
    if (code < 0)
      return code;
  }
  chunk->end_runs = chunk->unpack->packed->end_run;
  return more < 0 ? more : take_runs (chunk, err);
}

static int
read_part (const struct chunk *chunk, const struct dg_part *part,
           enum dg_part_type type, struct dg_table *bytes,
           struct dg_error *err)
{
  bytes->n = 0;
  if (part->size == 0)
    return 0;
  return dg_archive_read (&chunk->unpack->log->source, part, type, bytes, err);
}

static int
begin_values (struct chunk *chunk, const struct dg_part *part,
              struct dg_error *err)
{
  struct worker *worker = chunk->worker;
  int code;

  chunk->has_values = worker->values && part->size > 0;
  if (!chunk->has_values)
    return 0;
  code = read_part (chunk, part, DG_PART_VALUES, &worker->payload, err);
  if (code < 0)
    return code;
  return dg_values_unpacker_begin (worker->values,
                                   &chunk->unpack->packed->view,
                                   chunk->format, worker->payload.items,
                                   worker->payload.n, err);
}

int
dg_unpack_log_work (void *user, void *state, size_t job, void *out,
                    struct dg_error *err)
{
  const struct dg_unpack_log *unpack = user;
  const struct dg_chunk_entry *entry
    = (const struct dg_chunk_entry *) unpack->packed->archive->chunks.items
      + job;
  struct worker *worker = state;
  struct chunk chunk = { .unpack = unpack, .format = &unpack->log->format,
                         .worker = worker, .result = out,
                         .now = entry->start, .entries = UINT64_MAX };
  int code;

  if (job + 1 == unpack->packed->n_chunks)
    chunk.entries = unpack->packed->end_entries;

  /* Where the last marker is in the chunk before is not known here: this one
     has its own, before its first run.  */
  if (job == 0)
    chunk.next_marker = DG_CHUNK_BYTES;
  chunk.result->bytes.n = chunk.result->backs.n = 0;
  worker->shapes.n = 0;
  code = read_part (&chunk, &entry->records, DG_PART_RECORDS,
                    &worker->records, err);
  if (code == 0)
    code = read_part (&chunk, &entry->runs, DG_PART_RUNS, &worker->runs, err);
  if (code == 0)
    code = begin_values (&chunk, &entry->values, err);
  return code < 0 ? code : unpack_chunk (&chunk, err);
}

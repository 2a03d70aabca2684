/* unpack_log_chunk.c: a chunk of an archive -> the bytes that a raw log has
   for it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "encode.h"
#include "error.h"
#include "records.h"
#include "unpack_log.h"

/* So many words are unpacked at a time: they stay in the cache, and there is
   room for the longest run.  */
#define WORDS ((size_t) DG_UNPACK_ROOM)
#define RUNS  4096

/* What the runs of one head have in common, in a small table; all that there
   is waits in the log's own.  Blocks that were defined one after the other,
   as those of a function are, have their slots side by side for each call
   path: then few lines of the cache hold what is used now.  */
#define SLOT_BITS  14
#define GROUP_BITS 3
struct slot {
  uint64_t head;           /* 0: none, as there is no variant 0 */
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
  uint64_t *addresses;     /* of one run */
  struct slot *slots;
};

/* A chunk being unpacked.  */
struct chunk {
  const struct dg_unpack_log *unpack;
  const struct dg_format *format;
  struct worker *worker;
  struct dg_unpack_result *result;
  struct dg_chunk_start now;   /* what stands before the next record */
  uint64_t end_runs;           /* where the next entry of RECORDS stands */
  bool is_long;                /* the next run or definition is */
  size_t next_marker;          /* where one is due */
};

void *
dg_unpack_log_new (void *user, struct dg_error *err)
{
  struct worker *worker = g_try_new0 (struct worker, 1);

  (void) user;
  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  worker->unpacker = dg_unpacker_new (err);
  worker->words = g_try_new (uint64_t, WORDS);
  worker->addresses = g_try_new (uint64_t, DG_ENTRIES_MAX);
  worker->slots = g_try_new0 (struct slot, 1 << SLOT_BITS);
  if (worker->unpacker && worker->words && worker->addresses && worker->slots)
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
  dg_table_fini (&worker->runs);
  dg_table_fini (&worker->records);
  dg_fields_fini (&worker->fields);
  g_free (worker->words);
  g_free (worker->addresses);
  g_free (worker->slots);
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

static int
fill_slot (const struct chunk *chunk, struct slot *slot, uint64_t head,
           struct dg_error *err)
{
  const struct dg_packed *packed = chunk->unpack->packed;
  const struct dg_program_variant *variant
    = &packed->view.variants[dg_run_variant (head)];
  uint32_t context = dg_packed_context (packed, variant->block,
                                        dg_run_node (head));

  if (context == DG_NONE)
    return dg_error_set (err, DG_ERR_DAMAGED, "a run is of no context");
  *slot = (struct slot) {
    .head = head, .context = context, .n_entries = variant->n_entries,
    .n_instrs = variant->n_instrs,
    .is_copy = is_copy (packed->view.blocks[variant->block], variant)
  };
  return 0;
}

static inline struct slot *
slot_for (const struct worker *worker, uint64_t head)
{
  uint64_t key = head >> (DG_RUN_LENGTH_BITS + GROUP_BITS);
  uint64_t group = key * UINT64_C (0x9e3779b97f4a7c15)
                   >> (64 - SLOT_BITS + GROUP_BITS);
  unsigned place = head >> DG_RUN_LENGTH_BITS & ((1 << GROUP_BITS) - 1);

  return &worker->slots[group << GROUP_BITS | place];
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

/* Runs as records, from n words on.  */
static int
put_runs (struct chunk *chunk, const uint64_t *words, size_t n,
          struct dg_error *err)
{
  struct dg_table *bytes = &chunk->result->bytes;
  const struct dg_format format = *chunk->format;
  uint64_t instructions = 0, entries = 0;
  const uint64_t *end = words + n;

  while (words < end) {
    struct slot *slot = slot_for (chunk->worker, *words);
    const uint64_t *addresses = words + 1;
    uint8_t *at;

    if (G_UNLIKELY (slot->head != *words)) {
      int code = fill_slot (chunk, slot, *words, err);

      if (code < 0)
        return code;
    }
    if (slot->is_copy) {
      words += 1 + slot->n_entries;
    } else {
      words = find_addresses (chunk, words);
      addresses = chunk->worker->addresses;
    }
    at = dg_encode_room (bytes, dg_encode_run_size (slot->n_entries));
    if (!at)
      return dg_error_nomem (err);
    at = dg_encode_run (at, &format, slot->context, slot->n_instrs,
                        addresses, slot->n_entries, chunk->is_long);
    bytes->n = at - (uint8_t *) bytes->items;
    chunk->is_long = false;
    instructions += slot->n_instrs;
    entries += slot->n_entries;
  }
  chunk->now.instructions += instructions;
  chunk->now.icount += instructions;
  chunk->now.entries += entries;
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
    got = dg_unpacker_runs (worker->unpacker, worker->words, WORDS,
                            MIN (wanted, RUNS), &n, err);
    if (got <= 0)
      return got;
    code = put_runs (chunk, worker->words, n, err);
    if (code < 0)
      return code;
    chunk->now.runs += got;
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
  } else {
    if (chunk->now.contexts >= defs->contexts.n)
      return dg_error_set (err, DG_ERR_DAMAGED, "too many CONTEXT");
    code = dg_encode_context (bytes, chunk->format,
                              dg_log_context (log, chunk->now.contexts++),
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
  uint64_t first_run = chunk->now.runs;
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  int code, more;

  code = dg_unpacker_begin (worker->unpacker, &chunk->unpack->packed->view,
                            (uint8_t *) worker->runs.items + DG_RUNS_HEAD,
                            worker->runs.n - DG_RUNS_HEAD, err);
  if (code < 0)
    return code;
  dg_records_begin (&reader, chunk->format, worker->records.items,
                    worker->records.n);
  while ((more = dg_records_next (&reader, &entry, err)) > 0) {
    chunk->end_runs = first_run + entry.at.runs;
    code = take_runs (chunk, err);
    if (code == 0)
      code = take_entry (chunk, &entry, err);
    if (code < 0)
      return code;
  }
  chunk->end_runs = UINT64_MAX;
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
                         .now = entry->start };
  int code;

  /* Where the last marker is in the chunk before is not known here: this one
     has its own, before its first run.  */
  if (job == 0)
    chunk.next_marker = DG_CHUNK_BYTES;
  chunk.result->bytes.n = chunk.result->backs.n = 0;
  code = read_part (&chunk, &entry->records, DG_PART_RECORDS,
                    &worker->records, err);
  if (code == 0)
    code = read_part (&chunk, &entry->runs, DG_PART_RUNS, &worker->runs, err);
  return code < 0 ? code : unpack_chunk (&chunk, err);
}

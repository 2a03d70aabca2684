/* packed_read.c: the runs, accesses and records of an archive, in order.

   Runs are decoded some hundred at a time, which stay in the first cache; and
   what a run's head stands for is looked up once in each chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_read.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "packed_chunk.h"
#include "format/position.h"
#include "archive/records.h"

/* Runs that are decoded at a time.  */
#define BATCH 512

/* What a head of the chunk stands for.  */
struct head {
  const struct dg_packed_block *of;   /* NULL: nothing */
  uint32_t context;
  uint16_t n_slots, n_sps, n_entries, n_words;
  uint8_t n_instrs;
};

struct dg_packed_reader {
  const struct dg_log *log;
  struct dg_packed *packed;
  uint64_t mask;           /* of addresses */
  size_t next, end;        /* chunks */
  struct dg_packed_chunk chunk; /* that is being read */
  struct dg_table heads;   /* struct head, by number */
  struct dg_packed_values *values; /* NULL: not wanted */
  uint64_t *addresses;     /* of the latest run; room for any */
  struct dg_records_place passed; /* of the chunk's runs, as records */
  /* The latest run, for accesses.  */
  struct dg_run latest;
  const struct dg_packed_slot *slots;
  const uint64_t *latest_words;
  unsigned slot;
  /* For records.  */
  struct dg_table records;
  struct dg_records_reader entries;
  struct dg_records_entry entry;
  bool has_entry;
  uint64_t n_entries, max_entries;
  struct dg_position position;
  struct dg_fields fields;
};

/* ---- Chunks ---- */

struct dg_packed_reader *
dg_packed_reader_new (const struct dg_log *log, size_t first, size_t end,
                      struct dg_error *err)
{
  struct dg_packed *packed = log->contents.packed;
  struct dg_packed_reader *reader;

  reader = g_try_new0 (struct dg_packed_reader, 1);
  if (!reader) {
    dg_error_nomem (err);
    return NULL;
  }
  reader->log = log;
  reader->packed = packed;
  reader->mask = log->format.word_size == 8 ? UINT64_MAX : UINT32_MAX;
  reader->end = MIN (end, packed->n_chunks);
  reader->next = MIN (first, reader->end);
  dg_position_init (&reader->position);
  if (dg_packed_chunk_init (&reader->chunk, log, true, BATCH, err) < 0) {
    dg_packed_reader_free (reader);
    return NULL;
  }
  reader->addresses = g_try_new (uint64_t, log->contents.defs.max_entries + 1);
  if (!reader->addresses) {
    dg_packed_reader_free (reader);
    dg_error_nomem (err);
    return NULL;
  }
  return reader;
}

void
dg_packed_reader_free (struct dg_packed_reader *reader)
{
  if (!reader)
    return;
  dg_packed_chunk_fini (&reader->chunk);
  dg_table_fini (&reader->records);
  dg_fields_fini (&reader->fields);
  dg_table_fini (&reader->heads);
  g_free (reader->addresses);
  dg_packed_values_free (reader->values);
  g_free (reader);
}

/* Begins with the next chunk: 1, 0 if there is none, < 0.  */
static int
open_chunk (struct dg_packed_reader *reader, struct dg_error *err)
{
  int code;

  if (reader->next == reader->end)
    return 0;
  code = dg_packed_chunk_open (&reader->chunk, reader->next, err);
  if (code == 0)
    code = dg_packed_chunk_begin (&reader->chunk, err);
  if (code < 0) {
    reader->chunk.entry = NULL;
    return code;
  }
  if (reader->values)
    dg_packed_values_open (reader->values, reader->chunk.entry);
  reader->next++;
  memset (&reader->passed, 0, sizeof reader->passed);
  reader->heads.n = 0;
  return 1;
}

/* ---- Batches of runs ---- */

/* Looks up what the heads stand for that the chunk has not had before.  */
static int
see_heads (struct dg_packed_reader *reader, struct dg_error *err)
{
  const struct dg_packed_chunk *chunk = &reader->chunk;
  size_t n = dg_unpacker_heads (chunk->unpacker), i = reader->heads.n;
  struct head *head;

  if (n > reader->heads.room
      && dg_table_reserve (&reader->heads, sizeof *head, n + n / 2 + 64) < 0)
    return dg_error_nomem (err);
  head = reader->heads.items;
  if (i == 0)
    head[i++].of = NULL;
  while (i < n) {
    size_t end = dg_packed_chunk_call (chunk, i, n);

    for (; i < end; i++) {
      uint32_t context;
      const struct dg_packed_variant *variant =
        dg_packed_chunk_head (chunk, i, &context);

      if (!variant) {
        head[i] = (struct head){.of = NULL};
        continue;
      }
      head[i] = (struct head){.of = variant->of,
                              .context = context,
                              .n_instrs = variant->n_instrs,
                              .n_slots = variant->n_slots,
                              .n_sps = variant->n_sps,
                              .n_entries = variant->n_entries,
                              .n_words = variant->n_words};
    }
  }
  reader->heads.n = i;
  return 0;
}

/* Decodes the next runs of the chunk, at most `max`: 1, 0 at its end, < 0. */
static int
decode (struct dg_packed_reader *reader, uint64_t max, struct dg_error *err)
{
  int code = dg_packed_chunk_unpack (&reader->chunk, max, err);

  if (code > 0 && see_heads (reader, err) < 0)
    return DG_ERR_NOMEM;
  return code;
}

/* Makes runs available that no move separates: 1, 0 at the end, < 0.  */
static int
next_batch (struct dg_packed_reader *reader, struct dg_error *err)
{
  for (;;) {
    int code;

    if (reader->chunk.entry) {
      code = decode (reader, dg_packed_chunk_left (&reader->chunk), err);
      if (code != 0)
        return code;
    }
    code = open_chunk (reader, err);
    if (code <= 0)
      return code;
  }
}

/* ---- Runs ---- */

/* What the next run is of; NULL: an error.  */
static inline const struct head *
see_head (struct dg_packed_reader *reader, struct dg_error *err)
{
  const struct head *head =
    (const struct head *) reader->heads.items + *reader->chunk.number;

  if (G_LIKELY (head->of))
    return head;
  dg_packed_chunk_no_context (&reader->chunk, err);
  return NULL;
}

/* Takes the next run: all of it but its addresses.  Returns the
   words; [0] is the head's place, which is 0 then.  */
static inline const uint64_t *
take_run (struct dg_packed_reader *reader, const struct head *head,
          struct dg_run *run)
{
  uint64_t *words = reader->chunk.at;

  run->icount = reader->chunk.icount;
  run->context = head->context;
  run->thread = reader->chunk.thread;
  run->n_instrs = head->n_instrs;
  run->n_slots = head->n_slots;
  run->first_instr = 0;
  run->n_sps = head->n_sps;
  run->bbdef = head->of->bbdef;
  run->addresses = reader->addresses;
  *words = 0;
  __builtin_prefetch (((const struct head *) reader->heads
                         .items)[reader->chunk.number[DG_PACKED_AHEAD]]
                        .of);
  reader->chunk.number++;
  reader->chunk.at = words + 1 + head->n_words;
  reader->chunk.icount += head->n_instrs;
  return words;
}

static inline uint64_t
address_of (const uint64_t *words, const struct dg_packed_slot *slot,
            uint64_t mask)
{
  uint64_t value = words[slot->word], address = (value + slot->disp) & mask;

  /* Without a branch: guards are as they happen to be.  */
  return (slot->guarded & (value == 0)) ? 0 : address;
}

static void
fill_addresses (struct dg_packed_reader *reader, const struct head *head,
                const uint64_t *words)
{
  const struct dg_program_entry *entry = head->of->entries;
  uint64_t *out = reader->addresses, mask = reader->mask;

  for (unsigned i = 0; i < head->n_entries; i++)
    out[i] = dg_program_address (&entry[i], words + 1, mask);
}

int
dg_packed_reader_run (struct dg_packed_reader *reader, struct dg_run *run,
                      struct dg_error *err)
{
  const struct head *head;
  uint64_t *words, word;

  if (reader->chunk.at == reader->chunk.stop) {
    int code = next_batch (reader, err);

    if (code <= 0)
      return code;
  }
  head = see_head (reader, err);
  if (!head)
    return err ? err->code : DG_ERR_DAMAGED;
  words = reader->chunk.at;
  word = words[0];
  fill_addresses (reader, head, take_run (reader, head, run));
  if (reader->values) {
    words[0] = word;
    dg_packed_values_run (reader->values, words);
  }
  return 1;
}

int
dg_packed_reader_want_values (struct dg_packed_reader *reader,
                              struct dg_error *err)
{
  if (!reader->values)
    reader->values = dg_packed_values_new (reader->log, err);
  return reader->values ? 0 : DG_ERR_NOMEM;
}

struct dg_packed_values *
dg_packed_reader_values (struct dg_packed_reader *reader)
{
  return reader->values;
}

/* ---- Accesses ---- */

/* What is left of the latest run, which has more accesses than there was
   room for, as far as there is.  */
static size_t
take_rest (struct dg_packed_reader *reader, struct dg_access *out, size_t max)
{
  const struct dg_run *run = &reader->latest;
  unsigned i;
  size_t n = 0;

  for (i = reader->slot; i < run->n_slots && n < max; i++) {
    const struct dg_packed_slot *slot = &reader->slots[i];
    uint64_t address = address_of (reader->latest_words, slot, reader->mask);

    out[n] = (struct dg_access) {
      .icount = run->icount + slot->iseq, .address = address,
      .instruction = slot->instruction, .size = slot->size,
      .context = run->context, .thread = run->thread, .kind = slot->kind
    };
    n += address != 0;
  }
  reader->slot = i;
  if (i == run->n_slots)
    reader->latest.n_slots = reader->slot = 0;
  return n;
}

/* Accesses of the runs that are there, while there is room for all of a
   run's; *failed: of the next one, nothing is known.  What the loop needs is
   in variables, since for all that a compiler knows, `out` might be anywhere
   in the reader.  */
static size_t
take_accesses (struct dg_packed_reader *reader, struct dg_access *out,
               size_t max, bool *failed)
{
  const struct head *heads = reader->heads.items, *head;
  const uint32_t *number = reader->chunk.number, thread = reader->chunk.thread;
  const uint64_t mask = reader->mask;
  uint64_t *at = reader->chunk.at, *const stop = reader->chunk.stop;
  uint64_t icount = reader->chunk.icount;
  size_t n = 0;

  for (; at < stop; number++) {
    head = &heads[*number];
    if (G_UNLIKELY (!head->of)) {
      *failed = true;
      break;
    }
    if (G_UNLIKELY (head->n_slots > max - n))
      break;
    __builtin_prefetch (heads[number[DG_PACKED_AHEAD]].of);
    *at = 0;
    for (unsigned i = 0; i < head->n_slots; i++) {
      const struct dg_packed_slot *slot = &head->of->slots[i];
      uint64_t address = address_of (at, slot, mask);

      out[n] = (struct dg_access) {
        .icount = icount + slot->iseq,
        .address = address,
        .instruction = slot->instruction,
        .size = slot->size,
        .context = head->context,
        .thread = thread,
        .kind = slot->kind
      };
      n += address != 0;
    }
    at += 1 + head->n_words;
    icount += head->n_instrs;
  }
  reader->chunk.number = number;
  reader->chunk.at = at;
  reader->chunk.icount = icount;
  return n;
}

ptrdiff_t
dg_packed_reader_accesses (struct dg_packed_reader *reader,
                           struct dg_access *out, size_t max,
                           struct dg_error *err)
{
  bool failed = false;
  size_t n = 0;

  for (;;) {
    int code;

    if (reader->latest.n_slots > 0)
      n += take_rest (reader, out + n, max - n);
    n += take_accesses (reader, out + n, max - n, &failed);
    if (failed)
      return n > 0 ? (ptrdiff_t) n
                   : dg_packed_chunk_no_context (&reader->chunk, err);
    if (reader->chunk.at < reader->chunk.stop) {
      const struct head *head;

      /* A run that has more than there is room for.  */
      if (n > 0)
        return n;
      head = see_head (reader, err);
      reader->latest_words = take_run (reader, head, &reader->latest);
      reader->slots = head->of->slots;
      continue;
    }
    /* An error comes after what stands before it.  */
    code = next_batch (reader, n > 0 ? NULL : err);
    if (code <= 0)
      return n > 0 ? (ptrdiff_t) n : code;
  }
}

/* ---- Records ---- */

/* Room for n words of a record.  */
static int
make_words (struct dg_packed_reader *reader, size_t n, struct dg_error *err)
{
  struct dg_fields *fields = &reader->fields;

  fields->n_words = n;
  fields->n_strings = 0;
  if (n <= fields->words_room)
    return 0;
  g_free (fields->words);
  fields->words_room = 0;
  fields->words = g_try_new (uint64_t, n);
  if (!fields->words)
    return dg_error_nomem (err);
  fields->words_room = n;
  return 0;
}

static int
give_definition (struct dg_packed_reader *reader, struct dg_record *rec,
                 struct dg_error *err)
{
  const struct dg_program_block *block
    = reader->packed->view.blocks[reader->entry.number];
  unsigned word_size = reader->log->format.word_size;
  uint64_t *word;
  int code = make_words (reader, 2 + 2 * block->n_instrs
                                 + 3 * block->n_entries, err);

  if (code < 0)
    return code;
  word = reader->fields.words;
  *word++ = block->n_instrs;
  *word++ = block->n_entries;
  for (unsigned i = 0; i < block->n_instrs; i++) {
    *word++ = block->instrs[i].address;
    *word++ = block->instrs[i].size;
  }
  for (unsigned i = 0; i < block->n_entries; i++) {
    *word++ = block->entries[i].kind;
    *word++ = block->entries[i].size;
    *word++ = block->entries[i].iseq;
  }
  rec->type = DG_R_BBDEF;
  rec->length = 1 + word_size + block->n_instrs * (word_size + 1)
                + 3 * (uint64_t) block->n_entries;
  return 1;
}

static int
give_context (struct dg_packed_reader *reader, struct dg_record *rec,
              struct dg_error *err)
{
  const struct dg_packed *packed = reader->packed;
  uint32_t number = dg_packed_context
    (packed, ((uint32_t *) packed->blocks.items)[reader->entry.number],
     reader->entry.node);
  unsigned word_size = reader->log->format.word_size;
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack;
  int code;

  if (number == DG_NONE)
    return dg_packed_chunk_no_context (&reader->chunk, err);
  n_stack = dg_log_context_stack (reader->log, number, stack);
  code = make_words (reader, 2 + n_stack, err);
  if (code < 0)
    return code;
  reader->fields.words[0] = dg_log_context (reader->log, number).bbdef;
  reader->fields.words[1] = n_stack;
  memcpy (reader->fields.words + 2, stack, n_stack * sizeof *stack);
  rec->type = DG_R_CONTEXT;
  rec->length = 1 + word_size + n_stack * word_size;
  return 1;
}

/* Adds a run to what stands before the next record.  */
static void
pass_run (struct dg_records_place *passed, const struct head *head,
          const uint64_t *addresses)
{
  const struct dg_packed_slot *slots = head->of->slots;
  const struct dg_slot *entries = head->of->bbdef->slots;

  passed->runs++;
  passed->instructions += head->n_instrs;
  passed->entries += head->n_entries;
  for (unsigned i = 0; i < head->n_slots; i++)
    if (addresses[entries[i].entry] != 0) {
      passed->reads += slots[i].kind == DG_ACC_READ;
      passed->writes += slots[i].kind == DG_ACC_WRITE;
    }
}

static int
give_run (struct dg_packed_reader *reader, struct dg_record *rec,
          struct dg_error *err)
{
  unsigned word_size = reader->log->format.word_size;
  const struct head *head = see_head (reader, err);
  struct dg_run run;
  int code;

  if (!head)
    return err ? err->code : DG_ERR_DAMAGED;
  fill_addresses (reader, head, take_run (reader, head, &run));
  code = make_words (reader, 2 + head->n_entries, err);
  if (code < 0)
    return code;
  reader->fields.words[0] = run.context;
  reader->fields.words[1] = run.n_instrs;
  memcpy (reader->fields.words + 2, reader->addresses,
          head->n_entries * sizeof *reader->addresses);
  rec->type = DG_R_BBRUN;
  rec->length = 1 + word_size + (uint64_t) head->n_entries * word_size;
  rec->icount = dg_position_icount (&reader->position);
  reader->position.totals.instructions += run.n_instrs;
  pass_run (&reader->passed, head, reader->addresses);
  return 1;
}

static int
give_record (struct dg_packed_reader *reader, struct dg_record *rec,
             struct dg_error *err)
{
  const struct dg_records_entry *entry = &reader->entry;
  struct dg_fields *fields = &reader->fields;
  const struct dg_format *format = &reader->log->format;
  struct dg_head head;
  int code;

  dg_decode_head (format, entry->record, entry->size, &head);
  if (!dg_records_is_at (entry, &reader->passed))
    return dg_packed_chunk_damaged (&reader->chunk,
                                    "a record is not where it says", err);
  fields->n_words = fields->n_strings = 0;
  fields->n_behind = 0;
  rec->type = head.type;
  rec->length = head.length;
  if (!dg_decode_is_known (head.type))
    return 1;
  code = dg_decode_fields (format, &head, entry->record + head.size,
                           reader->chunk.entry->records.offset, fields, err);
  if (code < 0)
    return code;
  rec->behind = fields->behind;
  rec->n_behind = fields->n_behind;
  dg_position_pass (&reader->position, head.type, fields);
  if (head.type == DG_R_THREAD_SWITCH)
    reader->chunk.thread = fields->words[0];
  return 1;
}

/* The next chunk with its records: 1, 0, < 0.  */
static int
open_records (struct dg_packed_reader *reader, struct dg_error *err)
{
  const struct dg_packed *packed = reader->packed;
  const struct dg_chunk_entry *chunk;
  int code = open_chunk (reader, err);

  if (code <= 0)
    return code;
  chunk = reader->chunk.entry;
  reader->records.n = 0;
  if (chunk->records.size > 0)
    code = dg_archive_read (&reader->log->source, &chunk->records,
                            DG_PART_RECORDS, &reader->records, err);
  if (code < 0)
    return code;
  dg_records_begin (&reader->entries, &reader->log->format,
                    reader->records.items, reader->records.n);
  reader->has_entry = false;
  reader->n_entries = 0;
  reader->max_entries = reader->next == packed->n_chunks ? packed->end_entries
                                                         : UINT64_MAX;
  reader->position.totals.instructions = 0;
  reader->position.recording = chunk->start.recording;
  dg_position_move (&reader->position, chunk->start.icount);
  return 1;
}

/* Reads the entry that comes next, if there is one.  */
static int
see_entry (struct dg_packed_reader *reader, struct dg_error *err)
{
  struct dg_error why = { 0 };
  int code;

  if (reader->has_entry || reader->n_entries == reader->max_entries)
    return 0;
  code = dg_records_next (&reader->entries, &reader->entry, &why);
  reader->has_entry = code > 0;
  reader->n_entries += code > 0;
  if (code >= 0)
    return 0;
  dg_error_place (&why, reader->chunk.entry->records.offset);
  return dg_error_copy (err, &why);
}

const uint8_t *
dg_packed_reader_payload (const struct dg_packed_reader *reader, uint64_t max)
{
  const struct dg_records_entry *entry = &reader->entry;
  struct dg_head head;

  dg_decode_head (&reader->log->format, entry->record, entry->size, &head);
  return head.length <= max ? entry->record + head.size : NULL;
}

static int
give_entry (struct dg_packed_reader *reader, struct dg_record *rec,
            struct dg_error *err)
{
  reader->has_entry = false;
  switch (reader->entry.kind) {
  case DG_ENTRY_RECORD:
    return give_record (reader, rec, err);
  case DG_ENTRY_BBDEF:
    if (reader->entry.number >= reader->packed->view.n.blocks)
      return dg_packed_chunk_no_context (&reader->chunk, err);
    return give_definition (reader, rec, err);
  case DG_ENTRY_CONTEXT:
    if (reader->entry.number >= reader->packed->blocks.n)
      return dg_packed_chunk_no_context (&reader->chunk, err);
    return give_context (reader, rec, err);
  default:
    return 0;
  }
}

/* What comes next in the chunk: 1, 0 at its end, < 0.  */
static int
next_in_chunk (struct dg_packed_reader *reader, struct dg_record *rec,
               struct dg_error *err)
{
  int code;

  for (;;) {
    code = see_entry (reader, err);
    if (code < 0)
      return code;
    if (reader->has_entry && reader->entry.at.runs <= reader->passed.runs) {
      code = give_entry (reader, rec, err);
      /* 0: of this one, nothing is shown.  */
      if (code != 0)
        return code;
      continue;
    }
    if (reader->chunk.at == reader->chunk.stop) {
      code = decode (reader, UINT64_MAX, err);
      if (code < 0)
        return code;
      if (code == 0 && reader->has_entry)
        return dg_packed_chunk_damaged (
          &reader->chunk, "a record comes after more runs than there are",
          err);
      if (code == 0)
        return 0;
    }
    return give_run (reader, rec, err);
  }
}

int
dg_packed_reader_record (struct dg_packed_reader *reader,
                         struct dg_record *rec, struct dg_error *err)
{
  int code;

  memset (rec, 0, sizeof *rec);
  while (!reader->chunk.entry
         || (code = next_in_chunk (reader, rec, err)) == 0) {
    code = open_records (reader, err);
    if (code <= 0)
      return code;
  }
  if (code < 0)
    return code;
  rec->offset = reader->chunk.entry->runs.offset;
  if (rec->type != DG_R_BBRUN)
    rec->icount = dg_position_icount (&reader->position);
  rec->thread = reader->chunk.thread;
  rec->n_words = reader->fields.n_words;
  rec->n_strings = reader->fields.n_strings;
  rec->words = reader->fields.words;
  rec->strings = reader->fields.strings;
  return 1;
}

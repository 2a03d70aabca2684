/* builder.c: builds an archive from packed chunks, in their order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "builder.h"

#include <glib.h>
#include <string.h>

#include "builder_contexts.h"
#include "base/error.h"
#include "index_levels.h"

/* What SUMMARY may take: in all, and for each chunk.  */
#define SUMMARY_BYTES 2048
#define CHUNK_BYTES 256
/* A chunk of two records.  */
#define END_BYTES 1024
/* How many meetings ahead memory is fetched.  */
#define AHEAD 12

struct dg_builder {
  struct dg_format format;
  struct dg_archive_writer *writer;
  struct dg_index_levels *levels; /* NULL: no index */
  uint64_t max_bytes;
  uint64_t n_chunks;
  struct dg_chunk_start at; /* behind the last chunk */
  struct dg_builder_contexts contexts;
  struct dg_records records; /* of a chunk with new definitions */
  struct dg_table copy;      /* of a record that is completed */
  struct dg_table process;   /* bytes */

  /* For the summary.  */
  struct dg_tally tally; /* sums; its table stays empty */
  uint64_t min_address, max_address;
  GHashTable *threads; /* numbers that records name */
  bool first_ran;      /* thread 1 has runs */
  bool has_end;        /* the last record is an END: */
  uint64_t end_runs;   /* of its chunk before it */
  uint8_t end_why, end_code;
  uint64_t lost_calls;
};

/* ---- Chunks before they are added ---- */

void
dg_builder_chunk_clear (struct dg_builder_chunk *chunk)
{
  memset (&chunk->totals, 0, sizeof chunk->totals);
  chunk->definitions.n = 0;
  chunk->runs.n = 0;
  chunk->lines.n = 0;
  chunk->meetings.n = 0;
  chunk->skips.n = 0;
  chunk->skipped = 0;
  dg_records_start (&chunk->records);
  dg_tally_clear (&chunk->tally);
}

void
dg_builder_chunk_fini (struct dg_builder_chunk *chunk)
{
  dg_table_fini (&chunk->definitions);
  dg_table_fini (&chunk->runs);
  dg_table_fini (&chunk->lines);
  dg_table_fini (&chunk->meetings);
  dg_table_fini (&chunk->skips);
  dg_table_fini (&chunk->records.bytes);
  dg_tally_fini (&chunk->tally);
}

/* ---- Beginning ---- */

struct dg_builder *
dg_builder_new (const struct dg_builder_options *options, struct dg_error *err)
{
  struct dg_archive_head head = {.word_size = options->format.word_size,
                                 .big_endian = options->format.big_endian,
                                 .origin = DG_ORIGIN_LIVE};
  struct dg_builder *assembly = g_try_new0 (struct dg_builder, 1);

  if (!assembly) {
    dg_error_nomem (err);
    return NULL;
  }
  assembly->format = options->format;
  assembly->max_bytes = options->max_bytes;
  assembly->at.thread = 1;
  assembly->at.recording = 1;
  assembly->min_address = UINT64_MAX;
  assembly->threads = g_hash_table_new (NULL, NULL);
  if (options->has_index) {
    assembly->levels = dg_index_levels_new (err);
    if (!assembly->levels)
      goto fail;
  }
  if (dg_archive_create (options->path, &head, options->level,
                         &assembly->writer, err)
      < 0)
    goto fail;
  return assembly;

fail:
  dg_builder_free (assembly);
  return NULL;
}

void
dg_builder_free (struct dg_builder *assembly)
{
  if (!assembly)
    return;
  if (assembly->writer)
    dg_archive_abandon (assembly->writer);
  dg_index_levels_free (assembly->levels);
  dg_builder_contexts_fini (&assembly->contexts);
  dg_table_fini (&assembly->records.bytes);
  dg_table_fini (&assembly->copy);
  dg_table_fini (&assembly->process);
  dg_tally_fini (&assembly->tally);
  g_hash_table_destroy (assembly->threads);
  g_free (assembly);
}

static int
set_bytes (struct dg_table *table, const void *bytes, size_t size,
           struct dg_error *err)
{
  if (dg_table_reserve (table, 1, size) < 0)
    return dg_error_nomem (err);
  memcpy (table->items, bytes, size);
  table->n = size;
  return 0;
}

int
dg_builder_set_process (struct dg_builder *assembly, const void *record,
                        size_t size, struct dg_error *err)
{
  return set_bytes (&assembly->process, record, size, err);
}

const struct dg_chunk_start *
dg_builder_position (const struct dg_builder *assembly)
{
  return &assembly->at;
}

uint64_t
dg_builder_size (const struct dg_builder *assembly)
{
  return dg_archive_size (assembly->writer);
}

/* ---- Records that tell what the recorder did not know ---- */

static void
put_quads (uint8_t *at, const uint64_t *quads, size_t n)
{
  memcpy (at, quads, n * sizeof *quads);
}

/* `entry` is a WINDOW or END; it gets a copy of its record, completed.
   skipped: instructions of the chunk before it that are not recorded.  */
static int
complete (struct dg_builder *assembly, struct dg_records_entry *entry,
          uint64_t skipped, struct dg_error *err)
{
  const struct dg_chunk_start *at = &assembly->at;
  const struct dg_records_place *place = &entry->at;
  uint64_t icount = at->icount + place->instructions + skipped;
  uint8_t *payload;
  int code = set_bytes (&assembly->copy, entry->record, entry->size, err);

  if (code < 0)
    return code;
  entry->record = assembly->copy.items;
  payload = (uint8_t *) assembly->copy.items + 2;
  if (entry->record[0] == DG_R_WINDOW) {
    put_quads (payload + 2, &icount, 1);
    return 0;
  }
  /* `back` is for the one who unpacks: it depends on where CHUNKs stand.  */
  put_quads (
    payload + 2,
    (const uint64_t[]){0, icount, at->instructions + place->instructions,
                       at->reads + place->reads, at->writes + place->writes,
                       at->runs + place->runs, assembly->contexts.n_blocks,
                       assembly->contexts.n},
    8);
  return 0;
}

/* What an END says, and what a WINDOW changes.  */
static void
note_record (struct dg_builder *assembly, const struct dg_records_entry *entry)
{
  const uint8_t *payload = entry->record + 2;

  assembly->has_end = entry->record[0] == DG_R_END;
  if (assembly->has_end) {
    assembly->end_runs = entry->at.runs;
    assembly->end_why = payload[0];
    assembly->end_code = payload[1];
    memcpy (&assembly->lost_calls, payload + 2 + 11 * 8, 8);
  } else if (entry->record[0] == DG_R_WINDOW) {
    assembly->at.recording = payload[0];
  }
}

/* ---- Definitions ---- */

static int
add_record (struct dg_builder *assembly, struct dg_records_entry *entry,
            const uint64_t **skips, const uint64_t *skips_end,
            struct dg_error *err)
{
  uint8_t type = entry->record[0];

  if ((type == DG_R_WINDOW || type == DG_R_END) && *skips < skips_end) {
    int code = complete (assembly, entry, *(*skips)++, err);

    if (code < 0)
      return code;
  }
  note_record (assembly, entry);
  return dg_records_add (&assembly->records, entry, err);
}

/* The context of a pair that was not met before, and its block if that is
   new: both stand before the first run that needs them.  */
static int
add_context (struct dg_builder *assembly,
             const struct dg_pack_new_context *meeting, struct dg_error *err)
{
  struct dg_records_entry entry = {.at.runs = meeting->run};
  uint32_t number;
  int code =
    dg_builder_contexts_define (&assembly->contexts, meeting->block, &number);

  if (code < 0)
    return dg_error_nomem (err);
  if (code > 0) {
    entry.kind = DG_ENTRY_BBDEF;
    entry.number = meeting->block;
    code = dg_records_add (&assembly->records, &entry, err);
    if (code < 0)
      return code;
  }
  entry.kind = DG_ENTRY_CONTEXT;
  entry.number = number;
  entry.node = meeting->node;
  return dg_records_add (&assembly->records, &entry, err);
}

/* Those meetings that are new come to the front: *n of them.  */
static int
take_new_meetings (struct dg_builder *assembly, struct dg_builder_chunk *chunk,
                   size_t *n, struct dg_error *err)
{
  struct dg_pack_new_context *meetings = chunk->meetings.items;

  *n = 0;
  for (size_t i = 0; i < chunk->meetings.n; i++) {
    int code;

    if (i + AHEAD < chunk->meetings.n)
      dg_builder_contexts_prefetch (&assembly->contexts,
                                    meetings[i + AHEAD].block,
                                    meetings[i + AHEAD].node);
    code = dg_builder_contexts_add (&assembly->contexts, meetings[i].block,
                                    meetings[i].node);
    if (code < 0)
      return dg_error_nomem (err);
    if (code > 0)
      meetings[(*n)++] = meetings[i];
  }
  return 0;
}

/* The chunk's records once more, with definitions between them and with what
   was left open filled in.  */
static int
merge_records (struct dg_builder *assembly, struct dg_builder_chunk *chunk,
               size_t n_new, struct dg_error *err)
{
  const struct dg_pack_new_context *meeting = chunk->meetings.items;
  const struct dg_pack_new_context *end = meeting + n_new;
  const uint64_t *skips = chunk->skips.items;
  const uint64_t *skips_end = skips + chunk->skips.n;
  size_t n_contexts = assembly->contexts.n;
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  int code;

  /* Counts up as contexts are placed, for an END among them.  */
  assembly->contexts.n -= n_new;
  dg_records_start (&assembly->records);
  dg_records_begin (&reader, &assembly->format, chunk->records.bytes.items,
                    chunk->records.bytes.n);
  do {
    code = dg_records_next (&reader, &entry, err);
    while (code >= 0 && meeting < end
           && (code == 0 || meeting->run < entry.at.runs)) {
      int added = add_context (assembly, meeting++, err);

      assembly->contexts.n++;
      if (added < 0)
        code = added;
    }
    if (code > 0) {
      int added = add_record (assembly, &entry, &skips, skips_end, err);

      if (added < 0)
        code = added;
    }
  } while (code > 0);
  assembly->contexts.n = n_contexts;
  return code;
}

/* ---- The summary ---- */

static void
add_tally (struct dg_builder *assembly, const struct dg_builder_chunk *chunk)
{
  const struct dg_tally_thread *thread = chunk->tally.threads.items;
  struct dg_chunk_start *at = &assembly->at;
  const uint64_t *from = (const uint64_t *) &chunk->tally;
  uint64_t *to = (uint64_t *) &assembly->tally;
  uint64_t runs = 0;

  /* All that stands before the table is sums.  */
  for (size_t i = 0;
       i < G_STRUCT_OFFSET (struct dg_tally, threads) / sizeof *to; i++)
    to[i] += from[i];
  for (size_t i = 0; i < chunk->tally.threads.n; i++, thread++) {
    if (at->thread == 1 && thread->runs > runs)
      assembly->first_ran = true;
    runs = thread->runs;
    g_hash_table_add (assembly->threads, GUINT_TO_POINTER (thread->number));
    if (thread->is_switch)
      at->thread = thread->number;
  }
  if (at->thread == 1 && chunk->totals.runs > runs)
    assembly->first_ran = true;
}

static void
pass_chunk (struct dg_builder *assembly, const struct dg_builder_chunk *chunk)
{
  const struct dg_pack_totals *totals = &chunk->totals;
  struct dg_chunk_start *at = &assembly->at;

  at->icount += totals->instructions + chunk->skipped;
  at->instructions += totals->instructions;
  at->reads += totals->reads;
  at->writes += totals->writes;
  at->entries += totals->entries;
  at->runs += totals->runs;
  at->bbdefs = assembly->contexts.n_blocks;
  at->contexts = assembly->contexts.n;
  if (totals->min_address <= totals->max_address) {
    assembly->min_address = MIN (assembly->min_address, totals->min_address);
    assembly->max_address = MAX (assembly->max_address, totals->max_address);
  }
  add_tally (assembly, chunk);
}

/* Thread 1 is taken to be there unless others are and nothing tells of it, as
   in the log of a forked child.  */
static uint64_t
count_threads (const struct dg_builder *assembly)
{
  unsigned n = g_hash_table_size (assembly->threads);

  if (g_hash_table_contains (assembly->threads, GUINT_TO_POINTER (1)))
    return n;
  return assembly->first_ran || n == 0 ? n + 1 : n;
}

static void
summarize (const struct dg_builder *assembly, struct dg_summary *summary)
{
  const struct dg_chunk_start *at = &assembly->at;
  const struct dg_tally *tally = &assembly->tally;
  bool has_end = assembly->has_end;

  *summary = (struct dg_summary){
    .complete = has_end && assembly->end_why != DG_END_OUTPUT ? DG_COMPLETE_YES
                                                              : DG_COMPLETE_NO,
    .end_why = has_end ? assembly->end_why : -1,
    .exit_code = has_end ? assembly->end_code : -1,
    .lost_calls = has_end ? assembly->lost_calls : 0,
    .good_bytes = dg_archive_size (assembly->writer),
    .last_icount = at->icount,
    .instructions = at->instructions,
    .accesses = at->reads + at->writes,
    .reads = at->reads,
    .writes = at->writes,
    .kernel_reads = tally->kernel_reads,
    .kernel_writes = tally->kernel_writes,
    .runs = at->runs,
    .bbdefs = at->bbdefs,
    .contexts = at->contexts,
    .threads = count_threads (assembly),
    .heap_allocs = tally->heap_allocs,
    .heap_frees = tally->heap_frees,
    .modules = tally->modules,
    .events_started = tally->events_started,
    .events_ended = tally->events_ended,
    .ranges_tracked = tally->ranges_tracked,
    .ranges_untracked = tally->ranges_untracked,
    .windows = tally->windows,
    .pools = tally->pools,
    .unknown_records = tally->unknown_records,
    .min_address = assembly->min_address,
    .max_address = assembly->max_address};
}

/* ---- Chunks ---- */

/* What must be left when a chunk is there.  */
static uint64_t
reserve (const struct dg_builder *assembly)
{
  return SUMMARY_BYTES + END_BYTES + assembly->process.n
         + CHUNK_BYTES * (assembly->n_chunks + 2);
}

/* Does a file of so many bytes more than now keep the limit?  */
static bool
has_room (const struct dg_builder *assembly, uint64_t bytes)
{
  return assembly->max_bytes == 0
         || dg_archive_size (assembly->writer) + bytes + reserve (assembly)
              <= assembly->max_bytes;
}

static int
write_chunk (struct dg_builder *assembly, const struct dg_builder_chunk *chunk,
             const struct dg_chunk_start *start,
             const struct dg_table *records, struct dg_error *err)
{
  struct dg_archive_chunk out = {.start = *start,
                                 .totals = chunk->totals,
                                 .definitions = chunk->definitions.items,
                                 .definitions_size = chunk->definitions.n,
                                 .records = records->items,
                                 .records_size = records->n,
                                 .lines = chunk->lines.items,
                                 .lines_size = chunk->lines.n,
                                 .runs = chunk->runs.items,
                                 .runs_size = chunk->runs.n};
  int code = dg_archive_add_chunk (assembly->writer, &out, err);

  if (code == 0 && assembly->levels)
    code = dg_index_levels_add (assembly->levels, chunk->lines.items,
                                chunk->lines.n, err);
  return code;
}

int
dg_builder_add (struct dg_builder *assembly, struct dg_builder_chunk *chunk,
                struct dg_error *err)
{
  const struct dg_table *records = &chunk->records.bytes;
  struct dg_chunk_start start = assembly->at;
  size_t n_new;
  int code;

  if (!has_room (assembly, 0))
    return 1;
  if (assembly->max_bytes > 0)
    dg_archive_limit (assembly->writer,
                      assembly->max_bytes - reserve (assembly));
  code = take_new_meetings (assembly, chunk, &n_new, err);
  if (chunk->totals.runs > 0 || records->n > 0)
    assembly->has_end = false;
  if (code == 0 && (n_new > 0 || chunk->skips.n > 0)) {
    code = merge_records (assembly, chunk, n_new, err);
    /* After an exec that failed a program goes on.  */
    if (assembly->end_runs != chunk->totals.runs)
      assembly->has_end = false;
    records = &assembly->records.bytes;
  }
  if (code == 0)
    code = write_chunk (assembly, chunk, &start, records, err);
  if (code != 0) {
    /* As if it had never been.  */
    assembly->at = start;
    assembly->contexts.n = start.contexts;
    assembly->contexts.n_blocks = start.bbdefs;
    assembly->has_end = false;
    return code;
  }
  pass_chunk (assembly, chunk);
  assembly->n_chunks++;
  return 0;
}

int
dg_builder_end (struct dg_builder *assembly, uint8_t why,
                struct dg_builder_chunk *empty, struct dg_error *err)
{
  const struct dg_tally *tally = &assembly->tally;
  const uint64_t counts[] = {tally->heap_allocs, tally->heap_frees,
                             count_threads (assembly), 0};
  uint8_t window[2 + 10] = {DG_R_WINDOW, 10, 0, DG_WINDOW_MAX_SIZE};
  uint8_t end[DG_END_SIZE] = {DG_R_END, DG_END_PAYLOAD, why};
  struct dg_records_entry entries[] = {
    {.kind = DG_ENTRY_RECORD, .record = window, .size = sizeof window},
    {.kind = DG_ENTRY_RECORD, .record = end, .size = sizeof end}};
  uint64_t max_bytes;
  int code = 0;

  put_quads (end + 4 + 8 * 8, counts, G_N_ELEMENTS (counts));
  memcpy (end + sizeof end - 8, DG_END_MAGIC, 8);
  for (size_t i = why == DG_END_MAX_SIZE ? 0 : 1; i < 2 && code == 0; i++) {
    code = dg_records_add (&empty->records, &entries[i], err);
    if (code == 0 && !dg_table_add (&empty->skips, sizeof (uint64_t)))
      code = dg_error_nomem (err);
    if (i == 0)
      empty->tally.windows++;
  }
  /* It was reserved for.  */
  max_bytes = assembly->max_bytes;
  assembly->max_bytes = 0;
  dg_archive_limit (assembly->writer, 0);
  if (code == 0)
    code = dg_builder_add (assembly, empty, err);
  assembly->max_bytes = max_bytes;
  return code;
}

/* ---- The end ---- */

static int
emit_lines (void *user, unsigned level, uint64_t first, const void *bytes,
            size_t n, struct dg_error *err)
{
  struct dg_builder *assembly = user;

  /* Readers do without what is not there.  */
  if (!has_room (assembly, n))
    return 0;
  return dg_archive_add_lines (assembly->writer, level, first, bytes, n, err);
}

int
dg_builder_finish (struct dg_builder *assembly, struct dg_summary *summary,
                   struct dg_error *err)
{
  struct dg_summary own;
  int code = 0;

  if (assembly->levels)
    code =
      dg_index_levels_finish (assembly->levels, emit_lines, assembly, err);
  summarize (assembly, &own);
  if (summary)
    *summary = own;
  if (code < 0) {
    dg_archive_abandon (assembly->writer);
  } else {
    bool has_process = assembly->process.n > 0;

    code = dg_archive_finish (assembly->writer, &own, &assembly->at,
                              has_process ? assembly->process.items : NULL,
                              assembly->process.n, err);
  }
  assembly->writer = NULL;
  return code;
}

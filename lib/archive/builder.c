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
/* How many new_contexts ahead memory is fetched.  */
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
  /* Instructions behind the last WINDOW of the chunks so far, not recorded.
     A log's icount moves when a record tells, which is in a later chunk.  */
  uint64_t skipped;

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
  chunk->values.n = 0;
  chunk->new_contexts.n = 0;
  chunk->skips.n = 0;
  chunk->skipped = 0;
  chunk->compressed_records.raw_size = 0;
  chunk->compressed_lines.raw_size = 0;
  dg_records_start (&chunk->records);
  dg_tally_clear (&chunk->tally);
}

void
dg_builder_chunk_fini (struct dg_builder_chunk *chunk)
{
  dg_table_fini (&chunk->definitions);
  dg_table_fini (&chunk->runs);
  dg_table_fini (&chunk->lines);
  dg_table_fini (&chunk->values);
  dg_table_fini (&chunk->new_contexts);
  dg_table_fini (&chunk->skips);
  dg_table_fini (&chunk->records.bytes);
  dg_table_fini (&chunk->compressed_records.bytes);
  dg_table_fini (&chunk->compressed_lines.bytes);
  dg_tally_fini (&chunk->tally);
}

size_t
dg_builder_chunk_room (const struct dg_builder_chunk *chunk)
{
  return chunk->definitions.room + chunk->runs.room + chunk->lines.room
         + chunk->values.room
         + chunk->records.bytes.room + chunk->compressed_records.bytes.room
         + chunk->compressed_lines.bytes.room
         + chunk->new_contexts.room * sizeof (struct dg_pack_new_context)
         + chunk->tally.threads.room * sizeof (struct dg_tally_thread)
         + chunk->skips.room * sizeof (uint64_t);
}

/* ---- Beginning ---- */

struct dg_builder *
dg_builder_new (const struct dg_builder_options *options, struct dg_error *err)
{
  struct dg_archive_head head = {.word_size = options->format.word_size,
                                 .big_endian = options->format.big_endian,
                                 .origin = DG_ORIGIN_LIVE,
                                 .has_values = options->has_values};
  struct dg_builder *builder = g_try_new0 (struct dg_builder, 1);

  if (!builder) {
    dg_error_nomem (err);
    return NULL;
  }
  builder->format = options->format;
  builder->max_bytes = options->max_bytes;
  builder->at.thread = 1;
  builder->at.recording = 1;
  builder->min_address = UINT64_MAX;
  builder->threads = g_hash_table_new (NULL, NULL);
  if (options->has_index) {
    builder->levels = dg_index_levels_new (err);
    if (!builder->levels)
      goto fail;
  }
  if (dg_archive_create (options->path, &head, options->level,
                         &builder->writer, err)
      < 0)
    goto fail;
  return builder;

fail:
  dg_builder_free (builder);
  return NULL;
}

void
dg_builder_free (struct dg_builder *builder)
{
  if (!builder)
    return;
  if (builder->writer)
    dg_archive_abandon (builder->writer);
  dg_index_levels_free (builder->levels);
  dg_builder_contexts_fini (&builder->contexts);
  dg_table_fini (&builder->records.bytes);
  dg_table_fini (&builder->copy);
  dg_table_fini (&builder->process);
  dg_tally_fini (&builder->tally);
  g_hash_table_destroy (builder->threads);
  g_free (builder);
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
dg_builder_set_process (struct dg_builder *builder, const void *record,
                        size_t size, struct dg_error *err)
{
  return set_bytes (&builder->process, record, size, err);
}

const struct dg_chunk_start *
dg_builder_position (const struct dg_builder *builder)
{
  return &builder->at;
}

uint64_t
dg_builder_size (const struct dg_builder *builder)
{
  return dg_archive_size (builder->writer);
}

/* ---- Records that tell what the recorder did not know ---- */

static void
put_quads (const struct dg_builder *builder, uint8_t *at,
           const uint64_t *quads, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t quad = dg_load_quad ((const uint8_t *) &quads[i],
                                  builder->format.swap);

    memcpy (at + i * sizeof quad, &quad, sizeof quad);
  }
}

/* `entry` is a WINDOW or END; it gets a copy of its record, completed.
   skipped: instructions of the chunk before it that are not recorded.  */
static int
complete (struct dg_builder *builder, struct dg_records_entry *entry,
          uint64_t skipped, struct dg_error *err)
{
  const struct dg_chunk_start *at = &builder->at;
  const struct dg_records_place *place = &entry->at;
  uint64_t icount =
    at->icount + place->instructions + builder->skipped + skipped;
  uint8_t *payload;
  int code = set_bytes (&builder->copy, entry->record, entry->size, err);

  if (code < 0)
    return code;
  entry->record = builder->copy.items;
  payload = (uint8_t *) builder->copy.items + 2;
  if (entry->record[0] == DG_R_WINDOW) {
    put_quads (builder, payload + 2, &icount, 1);
    return 0;
  }
  /* `back` is for the one who unpacks: it depends on where CHUNKs stand.  */
  put_quads (
    builder, payload + 2,
    (const uint64_t[]){0, icount, at->instructions + place->instructions,
                       at->reads + place->reads, at->writes + place->writes,
                       at->runs + place->runs, builder->contexts.n_blocks,
                       builder->contexts.n},
    8);
  return 0;
}

/* What an END says, and what a WINDOW changes.  */
static void
note_record (struct dg_builder *builder, const struct dg_records_entry *entry)
{
  const uint8_t *payload = entry->record + 2;

  builder->has_end = entry->record[0] == DG_R_END;
  if (builder->has_end) {
    builder->end_runs = entry->at.runs;
    builder->end_why = payload[0];
    builder->end_code = payload[1];
    builder->lost_calls = dg_load_quad (payload + 2 + 11 * 8,
                                        builder->format.swap);
  } else if (entry->record[0] == DG_R_WINDOW) {
    builder->at.recording = payload[0];
  }
}

/* ---- Definitions ---- */

static int
add_record (struct dg_builder *builder, struct dg_records_entry *entry,
            const uint64_t **skips, const uint64_t *skips_end,
            struct dg_error *err)
{
  uint8_t type = entry->record[0];

  if ((type == DG_R_WINDOW || type == DG_R_END) && *skips < skips_end) {
    int code = complete (builder, entry, *(*skips)++, err);

    if (code < 0)
      return code;
  }
  note_record (builder, entry);
  return dg_records_add (&builder->records, entry, err);
}

/* The context of a pair that was not met before, and its block if that is
   new: both stand before the first run that needs them.  */
static int
add_context (struct dg_builder *builder,
             const struct dg_pack_new_context *new_context,
             struct dg_error *err)
{
  struct dg_records_entry entry = {.at.runs = new_context->run};
  uint32_t number;
  int code = dg_builder_contexts_define (&builder->contexts,
                                         new_context->block, &number);

  if (code < 0)
    return dg_error_nomem (err);
  if (code > 0) {
    entry.kind = DG_ENTRY_BBDEF;
    entry.number = new_context->block;
    code = dg_records_add (&builder->records, &entry, err);
    if (code < 0)
      return code;
  }
  entry.kind = DG_ENTRY_CONTEXT;
  entry.number = number;
  entry.node = new_context->node;
  return dg_records_add (&builder->records, &entry, err);
}

/* Those new_contexts that are new come to the front: *n of them.  */
static int
take_new_contexts (struct dg_builder *builder, struct dg_builder_chunk *chunk,
                   size_t *n, struct dg_error *err)
{
  struct dg_pack_new_context *new_contexts = chunk->new_contexts.items;

  *n = 0;
  for (size_t i = 0; i < chunk->new_contexts.n; i++) {
    int code;

    if (i + AHEAD < chunk->new_contexts.n)
      dg_builder_contexts_prefetch (&builder->contexts,
                                    new_contexts[i + AHEAD].block,
                                    new_contexts[i + AHEAD].node);
    code = dg_builder_contexts_add (&builder->contexts, new_contexts[i].block,
                                    new_contexts[i].node);
    if (code < 0)
      return dg_error_nomem (err);
    if (code > 0)
      new_contexts[(*n)++] = new_contexts[i];
  }
  return 0;
}

/* The chunk's records once more, with definitions between them and with what
   was left open filled in.  */
static int
merge_records (struct dg_builder *builder, struct dg_builder_chunk *chunk,
               size_t n_new, struct dg_error *err)
{
  const struct dg_pack_new_context *new_context = chunk->new_contexts.items;
  const struct dg_pack_new_context *end =
    n_new > 0 ? new_context + n_new : new_context;
  const uint64_t *skips = chunk->skips.items;
  const uint64_t *skips_end =
    chunk->skips.n > 0 ? skips + chunk->skips.n : skips;
  size_t n_contexts = builder->contexts.n;
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  int code;

  /* Counts up as contexts are placed, for an END among them.  */
  builder->contexts.n -= n_new;
  dg_records_start (&builder->records);
  dg_records_begin (&reader, &builder->format, chunk->records.bytes.items,
                    chunk->records.bytes.n);
  do {
    code = dg_records_next (&reader, &entry, err);
    while (code >= 0 && new_context < end
           && (code == 0 || new_context->run < entry.at.runs)) {
      int added = add_context (builder, new_context++, err);

      builder->contexts.n++;
      if (added < 0)
        code = added;
    }
    if (code > 0) {
      int added = add_record (builder, &entry, &skips, skips_end, err);

      if (added < 0)
        code = added;
    }
  } while (code > 0);
  builder->contexts.n = n_contexts;
  return code;
}

/* ---- The summary ---- */

static void
add_tally (struct dg_builder *builder, const struct dg_builder_chunk *chunk)
{
  const struct dg_tally_thread *thread = chunk->tally.threads.items;
  struct dg_chunk_start *at = &builder->at;
  const uint64_t *from = (const uint64_t *) &chunk->tally;
  uint64_t *to = (uint64_t *) &builder->tally;
  uint64_t runs = 0;

  /* All that stands before the table is sums.  */
  for (size_t i = 0;
       i < G_STRUCT_OFFSET (struct dg_tally, threads) / sizeof *to; i++)
    to[i] += from[i];
  for (size_t i = 0; i < chunk->tally.threads.n; i++, thread++) {
    if (at->thread == 1 && thread->runs > runs)
      builder->first_ran = true;
    runs = thread->runs;
    g_hash_table_add (builder->threads, GUINT_TO_POINTER (thread->number));
    if (thread->is_switch)
      at->thread = thread->number;
  }
  if (at->thread == 1 && chunk->totals.runs > runs)
    builder->first_ran = true;
}

static void
pass_skips (struct dg_builder *builder, const struct dg_builder_chunk *chunk)
{
  const uint64_t *skips = chunk->skips.items;
  size_t n = chunk->skips.n;
  uint64_t told = 0;

  if (n > 0) {
    told = skips[n - 1];
    builder->at.icount += builder->skipped + told;
    builder->skipped = 0;
  }
  builder->skipped += chunk->skipped - told;
}

static void
pass_chunk (struct dg_builder *builder, const struct dg_builder_chunk *chunk)
{
  const struct dg_pack_totals *totals = &chunk->totals;
  struct dg_chunk_start *at = &builder->at;

  at->icount += totals->instructions;
  pass_skips (builder, chunk);
  at->instructions += totals->instructions;
  at->reads += totals->reads;
  at->writes += totals->writes;
  at->entries += totals->entries;
  at->runs += totals->runs;
  at->bbdefs = builder->contexts.n_blocks;
  at->contexts = builder->contexts.n;
  if (totals->min_address <= totals->max_address) {
    builder->min_address = MIN (builder->min_address, totals->min_address);
    builder->max_address = MAX (builder->max_address, totals->max_address);
  }
  add_tally (builder, chunk);
}

/* Thread 1 is taken to be there unless others are and nothing tells of it, as
   in the log of a forked child.  */
static uint64_t
count_threads (const struct dg_builder *builder)
{
  unsigned n = g_hash_table_size (builder->threads);

  if (g_hash_table_contains (builder->threads, GUINT_TO_POINTER (1)))
    return n;
  return builder->first_ran || n == 0 ? n + 1 : n;
}

static void
summarize (const struct dg_builder *builder, struct dg_summary *summary)
{
  const struct dg_chunk_start *at = &builder->at;
  const struct dg_tally *tally = &builder->tally;
  bool has_end = builder->has_end;

  *summary = (struct dg_summary){
    .complete = has_end && builder->end_why != DG_END_OUTPUT ? DG_COMPLETE_YES
                                                             : DG_COMPLETE_NO,
    .end_why = has_end ? builder->end_why : -1,
    .exit_code = has_end ? builder->end_code : -1,
    .lost_calls = has_end ? builder->lost_calls : 0,
    .good_bytes = dg_archive_size (builder->writer),
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
    .threads = count_threads (builder),
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
    .min_address = builder->min_address,
    .max_address = builder->max_address};
}

/* ---- Chunks ---- */

/* What must be left when a chunk is there.  */
static uint64_t
reserve (const struct dg_builder *builder)
{
  return SUMMARY_BYTES + END_BYTES + builder->process.n
         + CHUNK_BYTES * (builder->n_chunks + 2);
}

/* Does a file of so many bytes more than now keep the limit?  */
static bool
has_room (const struct dg_builder *builder, uint64_t bytes)
{
  return builder->max_bytes == 0
         || dg_archive_size (builder->writer) + bytes + reserve (builder)
              <= builder->max_bytes;
}

static int
emit_lines (void *user, unsigned level, uint64_t first, const void *bytes,
            size_t n, struct dg_error *err)
{
  struct dg_builder *builder = user;

  /* Readers do without what is not there.  */
  if (!has_room (builder, n))
    return 0;
  return dg_archive_add_lines (builder->writer, level, first, bytes, n, err);
}

/* Of the chunks so far, before the next one: if that came after a chunk, and
   failed, the chunk would be there nonetheless.  */
static int
write_lines (struct dg_builder *builder, struct dg_error *err)
{
  return builder->levels
           ? dg_index_levels_emit (builder->levels, emit_lines, builder, err)
           : 0;
}

static int
write_chunk (struct dg_builder *builder, const struct dg_builder_chunk *chunk,
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
                                 .compressed_lines =
                                   &chunk->compressed_lines,
                                 .values = chunk->values.items,
                                 .values_size = chunk->values.n,
                                 .runs = chunk->runs.items,
                                 .runs_size = chunk->runs.n};
  int code;

  /* Definitions that were put between them are new.  */
  if (records == &chunk->records.bytes)
    out.compressed_records = &chunk->compressed_records;
  code = dg_archive_add_chunk (builder->writer, &out, err);
  if (code == 0 && builder->levels)
    code = dg_index_levels_add (builder->levels, chunk->lines.items,
                                chunk->lines.n, err);
  return code;
}

int
dg_builder_add (struct dg_builder *builder, struct dg_builder_chunk *chunk,
                struct dg_error *err)
{
  const struct dg_table *records = &chunk->records.bytes;
  struct dg_chunk_start start = builder->at;
  size_t n_new;
  int code;

  if (!has_room (builder, 0))
    return 1;
  if (builder->max_bytes > 0)
    dg_archive_limit (builder->writer, builder->max_bytes - reserve (builder));
  code = write_lines (builder, err);
  if (code == 0)
    code = take_new_contexts (builder, chunk, &n_new, err);
  if (chunk->totals.runs > 0 || records->n > 0)
    builder->has_end = false;
  if (code == 0 && (n_new > 0 || chunk->skips.n > 0)) {
    code = merge_records (builder, chunk, n_new, err);
    /* After an exec that failed a program goes on.  */
    if (builder->end_runs != chunk->totals.runs)
      builder->has_end = false;
    records = &builder->records.bytes;
  }
  if (code == 0)
    code = write_chunk (builder, chunk, &start, records, err);
  if (code != 0) {
    /* As if it had never been.  */
    builder->at = start;
    builder->contexts.n = start.contexts;
    builder->contexts.n_blocks = start.bbdefs;
    builder->has_end = false;
    return code;
  }
  pass_chunk (builder, chunk);
  builder->n_chunks++;
  return 0;
}

int
dg_builder_end (struct dg_builder *builder, uint8_t why,
                struct dg_builder_chunk *empty, struct dg_error *err)
{
  const struct dg_tally *tally = &builder->tally;
  const uint64_t counts[] = {tally->heap_allocs, tally->heap_frees,
                             count_threads (builder), 0};
  uint8_t window[2 + 10] = {DG_R_WINDOW, 10, 0, DG_WINDOW_MAX_SIZE};
  uint8_t end[DG_END_SIZE] = {DG_R_END, DG_END_PAYLOAD, why};
  struct dg_records_entry entries[] = {
    {.kind = DG_ENTRY_RECORD, .record = window, .size = sizeof window},
    {.kind = DG_ENTRY_RECORD, .record = end, .size = sizeof end}};
  uint64_t max_bytes;
  int code = 0;

  put_quads (builder, end + 4 + 8 * 8, counts, G_N_ELEMENTS (counts));
  memcpy (end + sizeof end - 8, DG_END_MAGIC, 8);
  for (size_t i = why == DG_END_MAX_SIZE ? 0 : 1; i < 2 && code == 0; i++) {
    code = dg_records_add (&empty->records, &entries[i], err);
    if (code == 0 && !dg_table_add (&empty->skips, sizeof (uint64_t)))
      code = dg_error_nomem (err);
    if (i == 0)
      empty->tally.windows++;
  }
  /* It was reserved for.  */
  max_bytes = builder->max_bytes;
  builder->max_bytes = 0;
  dg_archive_limit (builder->writer, 0);
  if (code == 0)
    code = dg_builder_add (builder, empty, err);
  builder->max_bytes = max_bytes;
  return code;
}

/* ---- The end ---- */

int
dg_builder_finish (struct dg_builder *builder, struct dg_summary *summary,
                   struct dg_error *err)
{
  struct dg_summary own;
  int code = 0;

  if (builder->levels)
    code = dg_index_levels_finish (builder->levels, emit_lines, builder, err);
  summarize (builder, &own);
  if (summary)
    *summary = own;
  if (code < 0) {
    dg_archive_abandon (builder->writer);
  } else {
    bool has_process = builder->process.n > 0;

    code = dg_archive_finish (builder->writer, &own, &builder->at,
                              has_process ? builder->process.items : NULL,
                              builder->process.n, err);
  }
  builder->writer = NULL;
  return code;
}

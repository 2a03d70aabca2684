/* packed_load.c: dg_log_load for archives.

   Chunks are read, checked and decompressed by several threads and applied in
   their order: definitions, then records, by the same dg_timeline that takes
   those of a raw log.  Runs are not decoded: records have their places, and
   the sums before them, with them.

   Where a raw log has offsets, which tell only what follows what there, the
   timeline gets moments here: a count of records, with one left out wherever
   runs stand between two.  Errors get the offset of their part.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_load.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "archive/archive_part.h"
#include "base/error.h"
#include "base/ordered.h"
#include "packed.h"
#include "archive/records.h"
#include "timeline.h"
#include "format/walk.h"

/* The least blocks of a window, as a part of how many are many.  */
#define WINDOWS_OF_MANY 4

struct load {
  struct dg_log *log;
  struct dg_contents *contents;
  struct dg_packed *packed;
  struct dg_timeline *timeline;
  struct dg_position *position;
  uint64_t moment;
  struct dg_fields fields;
  struct dg_table words;   /* uint64_t: of a block as a BBDEF has them */
  struct dg_totals before; /* the chunk */
};

/* ---- Definitions ---- */

/* A block as the fields of its BBDEF.  */
static int
block_fields (struct load *load, const struct dg_program_block *block,
              struct dg_fields *fields, struct dg_error *err)
{
  size_t n = 2 + 2 * block->n_instrs + 3 * block->n_entries;
  uint64_t *word;

  if (dg_table_reserve (&load->words, sizeof *word, n) < 0)
    return dg_error_nomem (err);
  word = load->words.items;
  *fields = (struct dg_fields) { .words = word, .n_words = n };
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
  return 0;
}

static int
add_definition (struct load *load, uint32_t block, struct dg_error *err)
{
  struct dg_contents *contents = load->contents;
  struct dg_fields fields;
  int code = dg_packed_add_definition (load->packed, block, err);

  if (code == 0)
    code = block_fields (load, load->packed->view.blocks[block], &fields,
                         err);
  if (code == 0)
    code = dg_defs_add_bbdef (&contents->defs, &contents->arena, &fields, 0,
                              err);
  load->position->bbdefs += code == 0;
  return code;
}

static int
add_context (struct load *load, uint32_t definition, uint32_t node,
             struct dg_error *err)
{
  int code = dg_packed_add_context (load->packed,
                                    &load->contents->defs.contexts,
                                    definition, node, err);

  load->position->contexts += code == 0;
  return code;
}

/* ---- Records ---- */

/* Moves the position to an entry's place among the chunk's runs.  */
static int
go_to (struct load *load, const struct dg_records_entry *entry,
       const struct dg_chunk_entry *chunk, struct dg_error *err)
{
  const struct dg_records_place *at = &entry->at;
  const struct dg_pack_totals *of = &chunk->totals;
  struct dg_totals *totals = &load->position->totals;
  const struct dg_totals *before = &load->before;

  if (at->runs > of->runs || at->instructions > of->instructions
      || at->entries > of->entries || at->reads > of->reads
      || at->writes > of->writes)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a record is placed beyond the end of its chunk");
  if (before->runs + at->runs > totals->runs) {
    if (!load->position->recording)
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "runs while nothing is recorded");
    load->moment++;
  }
  totals->runs = before->runs + at->runs;
  totals->instructions = before->instructions + at->instructions;
  totals->entries = before->entries + at->entries;
  totals->reads = before->reads + at->reads;
  totals->slots = before->slots + at->reads + at->writes;
  return 0;
}

/* Notes where a thread or the icount is another one from here on.  */
static int
note_move (struct load *load, struct dg_error *err)
{
  struct dg_table *moves = &load->packed->moves;
  struct dg_packed_move *move = NULL;
  uint64_t run = load->position->totals.runs;

  if (moves->n > 0)
    move = (struct dg_packed_move *) moves->items + moves->n - 1;
  if (!move || move->run != run)
    move = dg_table_add (moves, sizeof *move);
  if (!move)
    return dg_error_nomem (err);
  move->run = run;
  move->icount = dg_position_icount (load->position);
  move->thread = load->timeline->threads.current;
  return 0;
}

static int
apply_record (struct load *load, const struct dg_records_entry *entry,
              struct dg_error *err)
{
  uint64_t base = load->position->icount_base;
  struct dg_head head;
  int code;

  dg_decode_head (&load->log->format, entry->record, entry->size, &head);
  if (!dg_decode_is_known (head.type)) {
    load->contents->summary.unknown_records++;
    return 0;
  }
  code = dg_decode_fields (&load->log->format, &head,
                           entry->record + head.size, load->moment,
                           &load->fields, err);
  if (code == 0)
    code = dg_timeline_apply (load->timeline, load->position, head.type,
                              &load->fields, load->moment, load->moment + 1,
                              err);
  if (code == 0
      && (head.type == DG_R_THREAD_SWITCH
          || load->position->icount_base != base))
    code = note_move (load, err);
  return code;
}

static int
apply_entry (struct load *load, const struct dg_records_entry *entry,
             struct dg_error *err)
{
  switch (entry->kind) {
  case DG_ENTRY_RECORD:
    return apply_record (load, entry, err);
  case DG_ENTRY_BBDEF:
    return add_definition (load, entry->number, err);
  case DG_ENTRY_CONTEXT:
    return add_context (load, entry->number, entry->node, err);
  default:
    return 0;
  }
}

/* So many entries are read before they are applied.  */
#define AHEAD 32

static void
prefetch_context (const struct dg_packed *packed,
                  const struct dg_records_entry *entry)
{
  if (entry->number < packed->blocks.n)
    dg_packed_prefetch (packed,
                        ((uint32_t *) packed->blocks.items)[entry->number],
                        entry->node);
}

/* The next entries of a chunk: 1, and *n of them; 0 at the end, < 0, then,
   too, with the good ones before.  */
static int
read_ahead (struct load *load, struct dg_records_reader *reader,
            struct dg_records_entry *entries, unsigned *n,
            struct dg_error *err)
{
  int code = 1;

  for (*n = 0; *n < AHEAD && code > 0; *n += code > 0) {
    struct dg_records_entry *entry = &entries[*n];

    code = dg_records_next (reader, entry, err);
    if (code > 0 && entry->kind == DG_ENTRY_RECORD)
      dg_timeline_prefetch (load->timeline, &load->log->format, entry->record,
                            entry->size);
    else if (code > 0 && entry->kind == DG_ENTRY_CONTEXT)
      prefetch_context (load->packed, entry);
  }
  return code;
}

/* What was called for has come: calls for what that leads to.  */
static void
prefetch_blocks (const struct load *load,
                 const struct dg_records_entry *entries, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (entries[i].kind == DG_ENTRY_RECORD)
      dg_timeline_prefetch_block (load->timeline, &load->log->format,
                                  entries[i].record, entries[i].size);
}

/* All entries of a chunk; *n receives how many were good.  */
static int
apply_records (struct load *load, const struct dg_table *bytes,
               const struct dg_chunk_entry *chunk, uint64_t *n,
               struct dg_error *err)
{
  struct dg_records_entry entries[AHEAD];
  struct dg_records_reader reader;
  struct dg_error why = { 0 };
  int more = 1;

  dg_records_begin (&reader, &load->log->format, bytes->items, bytes->n);
  *n = 0;
  while (more > 0) {
    unsigned n_entries;

    more = read_ahead (load, &reader, entries, &n_entries, &why);
    prefetch_blocks (load, entries, n_entries);
    for (unsigned i = 0; i < n_entries; i++, ++*n, load->moment++) {
      int code = 0;

      /* Of others, only how many runs stand before them is known.  */
      if (entries[i].kind == DG_ENTRY_RECORD)
        code = go_to (load, &entries[i], chunk, err);
      if (code == 0)
        code = apply_entry (load, &entries[i], err);
      if (code < 0)
        return code;
    }
  }
  return more < 0 ? dg_error_copy (err, &why) : 0;
}

/* ---- Chunks ---- */

/* What a chunk says of the log before it must be what was seen.  */
static int
check_start (const struct load *load, const struct dg_chunk_start *start,
             uint64_t offset, struct dg_error *err)
{
  const struct dg_position *position = load->position;
  const struct dg_totals *totals = &position->totals;
  const struct {
    const char *what;
    uint64_t told, seen;
  } counts[] = {
    { "icount", start->icount, dg_position_icount (position) },
    { "instructions", start->instructions, totals->instructions },
    { "reads", start->reads, totals->reads },
    { "writes", start->writes, totals->slots - totals->reads },
    { "entries", start->entries, totals->entries },
    { "runs", start->runs, totals->runs },
    { "bbdefs", start->bbdefs, position->bbdefs },
    { "contexts", start->contexts, position->contexts },
    { "thread", start->thread, load->timeline->threads.current },
    { "recording", start->recording, position->recording }
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].told != counts[i].seen)
      return dg_error_at (err, DG_ERR_DAMAGED, offset,
                          "the archive says %s %" PRIu64 ", but it is "
                          "%" PRIu64,
                          counts[i].what, counts[i].told, counts[i].seen);
  return 0;
}

static int
add_chunk (struct load *load, const struct dg_chunk_entry *chunk,
           struct dg_error *err)
{
  if (dg_timeline_add_chunk (load->timeline, load->position,
                             chunk->runs.offset, err) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* The position behind all runs of a chunk.  */
static int
pass_chunk (struct load *load, const struct dg_chunk_entry *chunk,
            struct dg_error *err)
{
  const struct dg_pack_totals *of = &chunk->totals;
  struct dg_totals *totals = &load->position->totals;
  const struct dg_records_entry end = {
    .kind = DG_ENTRY_RECORD, .at = dg_records_place (of)
  };
  int code = go_to (load, &end, chunk, err);

  if (code < 0)
    return code;
  if (of->min_address <= of->max_address) {
    totals->least = MIN (totals->least, of->min_address - 1);
    totals->highest = MAX (totals->highest, of->max_address);
  }
  if (dg_position_icount (load->position) > DG_ICOUNT_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "too many instructions");
  return 0;
}

/* A chunk's parts, decompressed.  */
struct fetched {
  struct dg_table definitions, records;
};

static int
apply_chunk (struct load *load, const struct dg_chunk_entry *chunk,
             const struct fetched *fetched, struct dg_error *err)
{
  struct dg_packed *packed = load->packed;
  struct dg_error why = { 0 };
  int code = check_start (load, &chunk->start, chunk->runs.offset, err);

  if (code < 0)
    return code;
  if (fetched->definitions.n > 0)
    code = dg_program_read (&packed->program, fetched->definitions.items,
                            fetched->definitions.n, &why);
  if (code < 0) {
    dg_error_place (&why, chunk->definitions.offset);
    return dg_error_copy (err, &why);
  }
  packed->view = dg_program_view (&packed->program);
  code = add_chunk (load, chunk, err);
  if (code < 0)
    return code;
  packed->n_chunks++;
  load->before = load->position->totals;
  code = apply_records (load, &fetched->records, chunk, &packed->end_entries,
                        &why);
  if (code == 0)
    code = pass_chunk (load, chunk, &why);
  if (code < 0) {
    dg_error_place (&why, chunk->records.size > 0 ? chunk->records.offset
                                                  : chunk->runs.offset);
    return dg_error_copy (err, &why);
  }
  packed->end_entries = UINT64_MAX;
  return 0;
}

/* ---- Several threads ---- */

struct fetching {
  struct load *load;
  size_t first; /* the chunk of job 0 */
  dg_packed_pace_fn pace;
  void *user;
};

static const struct dg_chunk_entry *
chunk_at (const struct fetching *fetching, size_t job)
{
  const struct dg_archive *archive = fetching->load->packed->archive;

  return (const struct dg_chunk_entry *) archive->chunks.items
         + fetching->first + job;
}

/* Room for the runs of a chunk.  */
static void *
state_new (void *user, struct dg_error *err)
{
  struct dg_table *room = g_try_new0 (struct dg_table, 1);

  (void) user;
  if (!room)
    dg_error_nomem (err);
  return room;
}

static void
state_free (void *room)
{
  dg_table_fini (room);
  g_free (room);
}

static int
read_optional (const struct load *load, const struct dg_part *part,
               enum dg_part_type type, struct dg_table *buffer,
               struct dg_error *err)
{
  buffer->n = 0;
  return part->size == 0
           ? 0
           : dg_archive_read (&load->log->source, part, type, buffer, err);
}

static int
fetch_chunk (void *user, void *room, size_t job, void *result,
             struct dg_error *err)
{
  const struct fetching *fetching = user;
  const struct dg_chunk_entry *chunk = chunk_at (fetching, job);
  struct fetched *out = result;
  int code = read_optional (fetching->load, &chunk->definitions,
                            DG_PART_DEFINITIONS, &out->definitions, err);

  if (code == 0)
    code = read_optional (fetching->load, &chunk->records, DG_PART_RECORDS,
                          &out->records, err);
  return code < 0 ? code
                  : dg_archive_check (&fetching->load->log->source,
                                      &chunk->runs, DG_PART_RUNS, room, err);
}

static int
take_chunk (void *user, size_t job, void *result, struct dg_error *err)
{
  const struct fetching *fetching = user;
  const struct dg_chunk_entry *chunk = chunk_at (fetching, job);
  int code = apply_chunk (fetching->load, chunk, result, err);

  return code < 0
           ? code
           : fetching->pace (fetching->user,
                             chunk->runs.offset + chunk->runs.size, err);
}

static void
fetched_fini (void *result)
{
  struct fetched *fetched = result;

  dg_table_fini (&fetched->definitions);
  dg_table_fini (&fetched->records);
}

static int
apply_chunks (struct load *load, unsigned workers, dg_packed_pace_fn pace,
              void *user, struct dg_error *err)
{
  const struct dg_archive *archive = load->packed->archive;
  struct fetching fetching = {load, load->packed->n_chunks, pace, user};
  const struct dg_ordered ordered = {.jobs =
                                       archive->chunks.n - fetching.first,
                                     .workers = workers,
                                     .name = "dg-fetch",
                                     .result_size = sizeof (struct fetched),
                                     .user = &fetching,
                                     .state_new = state_new,
                                     .state_free = state_free,
                                     .work = fetch_chunk,
                                     .take = take_chunk,
                                     .result_fini = fetched_fini};

  if (archive->has_footer)
    dg_packed_expect (load->packed, &load->contents->defs.contexts,
                      MIN (archive->end.contexts, load->log->source.size));
  return dg_ordered_run (&ordered, err);
}

/* ---- The end ---- */

/* A record of the tail is no good: the walk over it ends with its error.  A
   good one does not belong there.  */
static int
refuse_record (struct dg_walk *walk, const struct dg_head *head,
               struct dg_error *err)
{
  struct load *load = walk->user;
  uint64_t offset = walk->stream.offset;
  int code = dg_decode_fields (walk->format, head,
                               walk->stream.at + head->size, offset,
                               &load->fields, err);

  if (code == 0 && head->type == DG_R_CONTEXT
      && load->fields.words[0] >= load->contents->defs.bbdefs.n)
    code = dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "CONTEXT names block %" PRIu64 ", only %zu are "
                        "defined", load->fields.words[0],
                        load->contents->defs.bbdefs.n);
  else if (code == 0 && head->type != DG_R_BBDEF
           && head->type != DG_R_CONTEXT)
    code = dg_timeline_apply (load->timeline, load->position, head->type,
                              &load->fields, offset, offset, err);
  return code < 0 ? code
                  : dg_error_at (err, DG_ERR_DAMAGED, offset,
                                 "the log is damaged from here on");
}

static int
pass_place (struct dg_walk *walk, struct dg_error *err)
{
  return 0;
}

/* As much of the tail as its first record has.  */
static int
read_tail (struct load *load, struct dg_table *bytes, struct dg_error *err)
{
  const struct dg_archive *archive = load->packed->archive;
  const struct dg_part *part = archive->tail.items;
  struct dg_table buffer = { 0 };
  uint64_t need = 1;
  int code = 0;

  for (size_t i = 0; i < archive->tail.n && code == 0 && bytes->n < need;
       i++) {
    struct dg_head head;

    code = dg_archive_read (&load->log->source, &part[i], DG_PART_TAIL,
                            &buffer, err);
    if (code < 0)
      break;
    if (dg_table_reserve (bytes, 1, bytes->n + buffer.n + 1) < 0) {
      code = dg_error_nomem (err);
      break;
    }
    memcpy ((uint8_t *) bytes->items + bytes->n, buffer.items, buffer.n);
    bytes->n += buffer.n;
    need = DG_HEAD_MAX;
    if (dg_decode_head (&load->log->format, bytes->items, bytes->n, &head))
      need = head.length > UINT64_MAX - DG_HEAD_MAX
               ? UINT64_MAX : head.size + head.length;
  }
  dg_table_fini (&buffer);
  return code;
}

/* What runs of a raw log need; those of an archive are not looked at.  */
static int
make_by_context (struct dg_defs *defs)
{
  const struct dg_definition **definitions = defs->bbdefs.items;
  const struct dg_context *contexts = defs->contexts.items;
  const struct dg_definition **by_context;

  if (dg_table_reserve (&defs->by_context, sizeof *by_context,
                        defs->contexts.n + 1) < 0)
    return DG_ERR_NOMEM;
  by_context = defs->by_context.items;
  defs->by_context.n = defs->contexts.n;
  for (size_t i = 0; i < defs->contexts.n; i++)
    by_context[i] = definitions[contexts[i].bbdef];
  return 0;
}

/* What is wrong with the first record of the tail.  */
static int
judge_tail (struct load *load, struct dg_error *err)
{
  const struct dg_part *part = load->packed->archive->tail.items;
  struct dg_table bytes = { 0 };
  struct dg_error why = { 0 };
  struct dg_walk walk;
  int code = read_tail (load, &bytes, &why);

  if (code == 0 && make_by_context (&load->contents->defs) < 0)
    code = dg_error_nomem (&why);
  if (code == 0) {
    dg_walk_init (&walk, &load->log->format, &load->log->source, 0, 0);
    walk.stream.offset = load->moment;
    walk.stream.end = load->moment + bytes.n;
    walk.stream.at = bytes.items;
    walk.stream.avail = bytes.n;
    walk.last_chunk = load->moment;
    walk.position = *load->position;
    walk.contexts = dg_defs_run_contexts (&load->contents->defs);
    walk.record = refuse_record;
    walk.chunk = pass_place;
    walk.user = load;
    load->timeline->in_tail = true;
    code = dg_walk_run (&walk, &why);
    dg_walk_fini (&walk);
    if (code == 0)
      code = dg_error_at (&why, DG_ERR_DAMAGED, 0,
                          "the log is damaged from here on");
  }
  dg_table_fini (&bytes);
  dg_error_place (&why, part->offset);
  return dg_error_copy (err, &why);
}

/* All chunks are good; is the end?  */
static int
judge_end (struct load *load, struct dg_error *err)
{
  const struct dg_archive *archive = load->packed->archive;

  if (archive->has_footer) {
    int code = check_start (load, &archive->end,
                            archive->summary_part.offset, err);
    if (code < 0)
      return code;
  }
  if (archive->tail.n > 0)
    return judge_tail (load, err);
  return archive->has_footer ? 0 : dg_error_copy (err, &archive->error);
}

/* The chunks that were there before must be there still.  */
static int
check_old (const struct load *load, const struct dg_archive *archive,
           struct dg_error *err)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;
  const struct dg_chunk *old = load->contents->chunks.items;
  const struct dg_chunk_start *next = &archive->end;
  size_t n = load->packed->n_chunks;
  bool fits = archive->chunks.n >= n && load->contents->chunks.n == n;

  for (size_t i = 0; fits && i < n; i++)
    fits = chunk[i].runs.offset == old[i].offset
           && chunk[i].start.runs == old[i].runs
           && chunk[i].start.icount == old[i].icount;
  if (fits && archive->chunks.n > n)
    next = &chunk[n].start;
  if (fits && next->runs == load->position->totals.runs)
    return 0;
  return dg_error_set (err, DG_ERR_IO, "the file was rewritten");
}

/* What the log's chunks name so far; takes the archive over.  */
static int
begin (struct load *load, struct dg_archive *archive, struct dg_error *err)
{
  struct dg_contents *contents = load->contents;
  bool is_new = contents->packed == NULL;

  if (is_new) {
    contents->packed = dg_packed_new (archive, err);
    if (!contents->packed) {
      dg_archive_free (archive);
      return DG_ERR_NOMEM;
    }
    dg_position_init (load->position);
    load->moment = 1;
  }
  load->packed = contents->packed;
  load->packed->archive = archive;
  load->packed->view = dg_program_view (&load->packed->program);
  if (is_new)
    return 0;
  if (load->packed->n_chunks > 0)
    load->packed->end_entries = UINT64_MAX;
  return check_old (load, archive, err);
}

/* Blocks may pass if there are many, and the records are all there.  */
static int
choose_blocks (const struct load *load, struct dg_log *log,
               struct dg_error *err)
{
  const struct dg_archive *archive = load->packed->archive;

  if (log->blocks != DG_BLOCKS_PASSING)
    return 0;
  log->blocks = DG_BLOCKS_ALL;
  if (archive->has_footer && archive->tail.n == 0 && !log->growth
      && archive->summary.heap_allocs >= log->many_blocks) {
    log->blocks = DG_BLOCKS_LIVE;
    log->window = g_try_new0 (struct dg_log_window, 1);
    if (!log->window)
      return dg_error_nomem (err);
    log->window->number = 1;
    log->window->least = log->many_blocks / WINDOWS_OF_MANY;
  }
  dg_timeline_heap_init (&load->timeline->heap, log->blocks, DG_NEVER);
  return 0;
}

int
dg_packed_load (struct dg_log *log, unsigned workers,
                struct dg_timeline *timeline, struct dg_position *position,
                uint64_t *moment, dg_packed_pace_fn pace, void *user,
                struct dg_error *err)
{
  struct load load = { .log = log, .contents = &log->contents,
                       .timeline = timeline, .position = position,
                       .moment = *moment };
  struct dg_archive *archive;
  struct dg_error why = { 0 };
  int code = dg_archive_open (&log->source, &archive, err);

  if (code < 0)
    return code;
  code = begin (&load, archive, err);
  if (code < 0)
    return code;
  code = choose_blocks (&load, log, err);
  if (code < 0)
    return code;
  timeline->is_packed = true;
  code = apply_chunks (&load, workers, pace, user, &why);
  if (code == 0)
    code = judge_end (&load, &why);
  load.packed->end_run = position->totals.runs;
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED) {
    int finished = dg_packed_finish (load.packed, &log->contents.defs, &why);

    code = finished < 0 ? finished : code;
  }
  *moment = load.moment;
  dg_fields_fini (&load.fields);
  dg_table_fini (&load.words);
  if (code < 0)
    dg_error_copy (err, &why);
  return code;
}

/* load_parallel.c: loading a log with several workers.

   A log that ends with its end record is split where markers stand, which the
   back pointers lead to.  Runs name contexts of any earlier part, so a worker
   takes a part in two steps while it has its bytes at hand:
     define  hops from record to record and makes the definitions; markers
             tell which numbers the first ones have
     sum     when all earlier parts are defined: checks and adds up the runs,
             and keeps a copy of each other record
   The calling thread then applies those copies part by part, so that the
   timelines grow in the order of the log.  Whatever is not as the markers say
   ends this; dg_log_load starts again with one walk, which finds the first
   bad record.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "load_parallel.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "format/walk.h"

/* Parts are never larger; together with WORKERS_MAX this bounds the memory
   that is used.  */
#define PART_MAX_BYTES ((uint64_t) 16 << 20)
#define WORKERS_MAX 64u
/* How far workers may be ahead of the calling thread.  */
#define AHEAD(workers) (2 * (size_t) (workers) + 2)

/* A record that the calling thread applies; type DG_R_BBRUN stands for a
   chunk that begins without a marker.  One without strings is decoded already,
   which leaves less to the calling thread: there may be millions of blocks on
   the heap.  */
struct moment {
  struct dg_head head;
  uint32_t n_words;
  uint64_t offset;
  uint64_t *words; /* NULL: to be decoded from the payload */
  const uint8_t *payload;
  uint64_t bbdefs, contexts;
  struct dg_totals totals; /* of this part, before the record */
};

struct part {
  uint64_t offset, end;      /* in the file */
  uint64_t bbdefs, contexts; /* before it, as its marker says */
  bool recording;
  /* Guarded by the mutex of struct parts.  */
  bool defined, summed;
  /* Written by one worker before `summed`.  */
  struct dg_totals totals;
  struct dg_table moments; /* struct moment */
  struct dg_arena arena;   /* their payloads */
  uint64_t unknown;
  unsigned max_entries;
  /* Of its contexts, until all before them have their paths.  */
  struct dg_table stacks; /* struct dg_stack, with the block */
  struct dg_arena sites;
};

struct parts {
  struct dg_log *log;
  struct dg_defs *defs;      /* tables of their final size */
  uint64_t bbdefs, contexts; /* in all, as the end record says */
  struct dg_table table;     /* struct part, the last one first at first */
  size_t n;
  unsigned workers;
  GMutex mutex;
  GCond changed;
  /* Guarded by the mutex.  */
  size_t next;    /* part to be taken */
  size_t defined; /* parts whose definitions all later ones see */
  size_t applied;
  bool failed;
};

static struct part *
part_at (const struct parts *parts, size_t index)
{
  return (struct part *) parts->table.items + index;
}

/* ---- Splitting ---- */

/* The fields of a record of a fixed size and type at an offset.  */
static bool
read_fixed (const struct dg_log *log, uint64_t offset, uint8_t type,
            uint64_t length, struct dg_fields *fields)
{
  struct dg_stream stream;
  struct dg_head head;
  uint64_t size = 2 + length;
  bool ok = false;

  if (offset > log->source.size || size > log->source.size - offset)
    return false;
  dg_stream_init (&stream, &log->source, offset, offset + size);
  if (dg_stream_fill (&stream, size, NULL) == 0
      && dg_decode_head (&log->format, stream.at, stream.avail, &head)
      && head.type == type && head.size == 2 && head.length == length)
    ok = dg_decode_fields (&log->format, &head, stream.at + 2, offset, fields,
                           NULL)
         == 0;
  dg_stream_fini (&stream);
  return ok;
}

static bool
add_part (struct parts *parts, uint64_t offset, uint64_t end,
          const uint64_t *marker)
{
  struct part *part;

  if (end - offset > PART_MAX_BYTES)
    return false;
  part = dg_table_add (&parts->table, sizeof *part);
  if (!part)
    return false;
  part->offset = offset;
  part->end = end;
  part->recording = true;
  if (marker) {
    part->bbdefs = marker[5];
    part->contexts = marker[6];
    part->recording = marker[8];
  }
  return true;
}

/* Follows the markers from the log's end to its beginning.  */
static bool
find_parts (struct parts *parts, struct dg_fields *fields)
{
  const struct dg_log *log = parts->log;
  uint64_t end = log->source.size, at = end - DG_END_SIZE;
  uint64_t back;

  if (end < DG_HEADER_SIZE + DG_END_SIZE
      || !read_fixed (log, at, DG_R_END, DG_END_PAYLOAD, fields))
    return false;
  back = fields->words[2];
  parts->bbdefs = fields->words[8];
  parts->contexts = fields->words[9];
  while (back < at) {
    at -= back;
    if (!read_fixed (log, at, DG_R_CHUNK, DG_CHUNK_PAYLOAD, fields))
      return false;
    back = fields->words[0];
    if (end - at >= log->part_min_bytes) {
      if (!add_part (parts, at, end, fields->words))
        return false;
      end = at;
    }
    if (back == 0)
      return false;
  }
  parts->n = parts->table.n + 1;
  return back == at && at >= DG_HEADER_SIZE
         && add_part (parts, DG_HEADER_SIZE, end, NULL);
}

/* Makes the definitions' tables as large as the end record says, if the
   file can hold so many.  */
static bool
size_tables (struct parts *parts)
{
  struct dg_defs *defs = parts->defs;
  uint64_t size = parts->log->source.size;
  unsigned word_size = parts->log->format.word_size;
  uint64_t before = 0;

  if (parts->bbdefs > size / (3 + word_size)
      || parts->contexts > size / (3 + word_size) || parts->bbdefs >= DG_NONE
      || parts->contexts >= DG_NONE)
    return false;
  for (size_t i = 0; i < parts->n; i++) {
    const struct part *part = part_at (parts, i);

    if (part->bbdefs < before || part->bbdefs > parts->bbdefs)
      return false;
    before = part->bbdefs;
  }
  before = 0;
  for (size_t i = 0; i < parts->n; i++) {
    const struct part *part = part_at (parts, i);

    if (part->contexts < before || part->contexts > parts->contexts)
      return false;
    before = part->contexts;
  }
  if (dg_table_reserve (&defs->bbdefs, sizeof (void *), parts->bbdefs) < 0
      || dg_table_reserve (&defs->by_context, sizeof (void *), parts->contexts)
           < 0
      || dg_table_reserve (&defs->contexts, sizeof (struct dg_context),
                           parts->contexts)
           < 0)
    return false;
  defs->bbdefs.n = parts->bbdefs;
  defs->contexts.n = defs->by_context.n = parts->contexts;
  return true;
}

/* The parts of the log in their order; false: it cannot be split.  */
static bool
split (struct parts *parts)
{
  struct dg_fields fields = {0};
  bool ok = find_parts (parts, &fields) && parts->n > 1;

  dg_fields_fini (&fields);
  if (!ok)
    return false;
  for (size_t i = 0; i < parts->n / 2; i++) {
    struct part *a = part_at (parts, i);
    struct part *b = part_at (parts, parts->n - 1 - i);
    struct part swap = *a;

    *a = *b;
    *b = swap;
  }
  return size_tables (parts);
}

/* ---- A worker ---- */

struct worker {
  struct parts *parts;
  struct part *part;
  struct dg_arena arena; /* for definitions; joined to the log's */
  struct dg_fields fields;
  struct dg_walk walk;
  uint64_t bbdefs, contexts; /* seen so far, in all */
};

/* How many definitions there are before the part that follows.  */
static void
counts_behind (const struct parts *parts, const struct part *part,
               uint64_t *bbdefs, uint64_t *contexts)
{
  size_t next = part - part_at (parts, 0) + 1;

  *bbdefs = next < parts->n ? part_at (parts, next)->bbdefs : parts->bbdefs;
  *contexts =
    next < parts->n ? part_at (parts, next)->contexts : parts->contexts;
}

static bool
note_stack (struct part *part, const struct dg_fields *fields)
{
  unsigned n = fields->words[1];
  uint64_t *sites = dg_arena_alloc (&part->sites, n * sizeof *sites);
  struct dg_stack *stack = dg_table_add (&part->stacks, sizeof *stack);

  if (!sites || !stack)
    return false;
  memcpy (sites, fields->words + 2, n * sizeof *sites);
  *stack = (struct dg_stack){n, sites};
  return true;
}

static bool
define_record (struct worker *worker, const struct dg_head *head,
               uint64_t max_bbdefs, uint64_t max_contexts)
{
  const struct dg_defs *defs = worker->parts->defs;
  const struct dg_stream *stream = &worker->walk.stream;
  struct dg_definition *definition;

  if (head->type != DG_R_BBDEF && head->type != DG_R_CONTEXT)
    return true;
  if (dg_decode_fields (worker->walk.format, head, stream->at + head->size,
                        stream->offset, &worker->fields, NULL)
      < 0)
    return false;
  if (head->type == DG_R_CONTEXT) {
    if (worker->contexts == max_contexts
        || worker->fields.words[0] >= worker->bbdefs)
      return false;
    ((struct dg_context *) defs->contexts.items)[worker->contexts++].bbdef =
      worker->fields.words[0];
    return note_stack (worker->part, &worker->fields);
  }
  if (worker->bbdefs == max_bbdefs)
    return false;
  definition =
    dg_defs_make_bbdef (&worker->arena, &worker->fields, worker->bbdefs);
  if (!definition)
    return false;
  worker->part->max_entries =
    MAX (worker->part->max_entries, definition->bbdef.n_entries);
  ((struct dg_definition **) defs->bbdefs.items)[worker->bbdefs++] =
    definition;
  return true;
}

/* The first step.  Leaves the part's bytes in the stream's buffer.  */
static bool
define (struct worker *worker)
{
  struct part *part = worker->part;
  struct dg_stream *stream = &worker->walk.stream;
  uint64_t max_bbdefs, max_contexts;
  struct dg_head head;

  counts_behind (worker->parts, part, &max_bbdefs, &max_contexts);
  worker->bbdefs = part->bbdefs;
  worker->contexts = part->contexts;
  dg_stream_move (stream, part->offset, part->end);
  if (dg_stream_fill (stream, part->end - part->offset, NULL) < 0)
    return false;
  for (;;) {
    dg_stream_skip (stream, dg_decode_skip_runs (worker->walk.format,
                                                 stream->at, stream->avail));
    if (stream->avail == 0)
      break;
    if (!dg_decode_head (worker->walk.format, stream->at, stream->avail, &head)
        || head.length > stream->avail - head.size
        || !define_record (worker, &head, max_bbdefs, max_contexts))
      return false;
    dg_stream_skip (stream, head.size + head.length);
  }
  return worker->bbdefs == max_bbdefs && worker->contexts == max_contexts;
}

/* Hooks of the second step.  */
static struct moment *
add_moment (struct dg_walk *walk)
{
  struct worker *worker = walk->user;
  struct moment *moment =
    dg_table_add (&worker->part->moments, sizeof *moment);

  if (!moment)
    return NULL;
  moment->offset = walk->stream.offset;
  moment->bbdefs = worker->bbdefs;
  moment->contexts = worker->contexts;
  moment->totals = walk->position.totals;
  return moment;
}

static int
keep_chunk (struct dg_walk *walk, struct dg_error *err)
{
  struct moment *moment = add_moment (walk);

  if (!moment)
    return dg_error_nomem (err);
  moment->head.type = DG_R_BBRUN;
  return 0;
}

static int
keep_moment (struct dg_walk *walk, const struct dg_head *head,
             struct dg_error *err)
{
  struct worker *worker = walk->user;
  struct dg_arena *arena = &worker->part->arena;
  const struct dg_fields *fields = &worker->fields;
  const uint8_t *payload = walk->stream.at + head->size;
  struct moment *moment = add_moment (walk);
  int code = dg_decode_fields (walk->format, head, payload,
                               walk->stream.offset, &worker->fields, err);
  size_t size;
  void *copy;

  if (code < 0)
    return code;
  if (head->type == DG_R_WINDOW)
    walk->position.recording = fields->words[0];
  size = fields->n_strings > 0 ? head->length
                               : fields->n_words * sizeof *fields->words;
  copy = dg_arena_alloc (arena, size);
  if (!moment || !copy)
    return dg_error_nomem (err);
  moment->head = *head;
  if (fields->n_strings > 0) {
    moment->payload = memcpy (copy, payload, size);
  } else {
    moment->words = memcpy (copy, fields->words, size);
    moment->n_words = fields->n_words;
  }
  return 0;
}

static int
keep_record (struct dg_walk *walk, const struct dg_head *head,
             struct dg_error *err)
{
  struct worker *worker = walk->user;

  switch (head->type) {
  case DG_R_BBDEF:
    worker->bbdefs++;
    return 0;
  case DG_R_CONTEXT:
    walk->contexts.n = ++worker->contexts;
    return 0;
  default:
    return keep_moment (walk, head, err);
  }
}

/* The second step, over the bytes that the first one read.  */
static bool
sum (struct worker *worker)
{
  struct part *part = worker->part;
  struct dg_walk *walk = &worker->walk;
  const struct dg_stream read = walk->stream;

  /* Back to the part's first byte; all of it is available.  */
  walk->stream.at = read.at - (part->end - part->offset);
  walk->stream.avail = part->end - part->offset;
  walk->stream.offset = part->offset;
  walk->last_chunk = part->offset;
  walk->unknown = 0;
  dg_position_init (&walk->position);
  walk->position.recording = part->recording;
  walk->contexts = (struct dg_run_contexts){
    worker->parts->defs->by_context.items, part->contexts};
  worker->bbdefs = part->bbdefs;
  worker->contexts = part->contexts;
  if (dg_walk_run (walk, NULL) < 0)
    return false;
  part->totals = walk->position.totals;
  part->unknown = walk->unknown;
  return true;
}

/* Gives the contexts of a part their paths; all before it have them.  */
static bool
find_paths (struct parts *parts, struct part *part, uint64_t n_contexts)
{
  const struct dg_defs *defs = parts->defs;
  const struct dg_stack *stacks = part->stacks.items;
  struct dg_context *contexts = defs->contexts.items;
  const struct dg_definition **by_context = defs->by_context.items;
  const struct dg_definition **bbdefs = defs->bbdefs.items;
  bool ok = n_contexts - part->contexts == part->stacks.n;

  for (size_t i = 0; ok && i < part->stacks.n; i++) {
    struct dg_context *context = &contexts[part->contexts + i];

    by_context[part->contexts + i] = bbdefs[context->bbdef];
    ok = dg_defs_make_context (defs, &parts->log->contents.raw_paths,
                               context->bbdef, stacks[i].sites, stacks[i].n,
                               context, NULL)
         == 0;
  }
  dg_table_fini (&part->stacks);
  dg_arena_fini (&part->sites);
  return ok;
}

/* With the mutex held: lets the later parts see the definitions of those that
   are defined without a gap.  */
static void
publish (struct parts *parts)
{
  while (parts->defined < parts->n
         && part_at (parts, parts->defined)->defined) {
    struct part *part = part_at (parts, parts->defined);
    uint64_t n_bbdefs, n_contexts;

    counts_behind (parts, part, &n_bbdefs, &n_contexts);
    if (!find_paths (parts, part, n_contexts)) {
      parts->failed = true;
      return;
    }
    parts->defined++;
  }
}

/* With the mutex held: the next part for a worker, NULL when there is none
   any more.  */
static struct part *
take_part (struct parts *parts)
{
  while (!parts->failed && parts->next < parts->n
         && parts->next >= parts->applied + AHEAD (parts->workers))
    g_cond_wait (&parts->changed, &parts->mutex);
  if (parts->failed || parts->next == parts->n)
    return NULL;
  return part_at (parts, parts->next++);
}

static gpointer
work (gpointer data)
{
  struct worker *worker = data;
  struct parts *parts = worker->parts;
  bool ok;

  g_mutex_lock (&parts->mutex);
  while ((worker->part = take_part (parts))) {
    g_mutex_unlock (&parts->mutex);
    ok = define (worker);
    g_mutex_lock (&parts->mutex);
    worker->part->defined = ok;
    parts->failed |= !ok;
    publish (parts);
    g_cond_broadcast (&parts->changed);
    while (!parts->failed && part_at (parts, parts->defined) <= worker->part)
      g_cond_wait (&parts->changed, &parts->mutex);
    if (parts->failed)
      break;
    g_mutex_unlock (&parts->mutex);
    ok = sum (worker);
    g_mutex_lock (&parts->mutex);
    worker->part->summed = ok;
    parts->failed |= !ok;
    g_cond_broadcast (&parts->changed);
  }
  g_mutex_unlock (&parts->mutex);
  return NULL;
}

/* ---- The calling thread ---- */

static void
add_totals (struct dg_totals *out, const struct dg_totals *a,
            const struct dg_totals *b)
{
  out->runs = a->runs + b->runs;
  out->instructions = a->instructions + b->instructions;
  out->entries = a->entries + b->entries;
  out->slots = a->slots + b->slots;
  out->reads = a->reads + b->reads;
  out->least = MIN (a->least, b->least);
  out->highest = MAX (a->highest, b->highest);
}

static int
apply_moment (struct parts *parts, struct dg_timeline *timeline,
              struct dg_position *position, const struct moment *moment,
              struct dg_fields *fields)
{
  const struct dg_head *head = &moment->head;
  uint64_t next = moment->offset + head->size + head->length;
  const struct dg_fields decoded = {.words = moment->words,
                                    .n_words = moment->n_words};
  int code;

  if (head->type == DG_R_BBRUN)
    return dg_timeline_add_chunk (timeline, position, moment->offset, NULL);
  if (moment->words)
    return dg_timeline_apply (timeline, position, head->type, &decoded,
                              moment->offset, next, NULL);
  code = dg_decode_fields (&parts->log->format, head, moment->payload,
                           moment->offset, fields, NULL);
  if (code < 0)
    return code;
  return dg_timeline_apply (timeline, position, head->type, fields,
                            moment->offset, next, NULL);
}

static int
apply_part (struct parts *parts, struct dg_timeline *timeline,
            struct dg_position *position, struct part *part,
            struct dg_fields *fields)
{
  const struct moment *moment = part->moments.items;
  const struct dg_totals before = position->totals;
  int code = 0;

  for (size_t i = 0; i < part->moments.n && code == 0; i++, moment++) {
    add_totals (&position->totals, &before, &moment->totals);
    position->bbdefs = moment->bbdefs;
    position->contexts = moment->contexts;
    code = apply_moment (parts, timeline, position, moment, fields);
  }
  add_totals (&position->totals, &before, &part->totals);
  timeline->contents->summary.unknown_records += part->unknown;
  parts->defs->max_entries = MAX (parts->defs->max_entries, part->max_entries);
  dg_table_fini (&part->moments);
  dg_arena_fini (&part->arena);
  return code;
}

/* Applies the parts as they come: 1, 0 or < 0 as dg_load_parallel.  */
static int
apply_all (struct parts *parts, struct dg_timeline *timeline,
           struct dg_position *position, dg_load_pace_fn pace, void *user,
           struct dg_error *err)
{
  struct dg_fields fields = {0};
  bool failed = false;
  int code = 0;

  if (dg_timeline_add_chunk (timeline, position, DG_HEADER_SIZE, NULL) < 0)
    return 0;
  for (size_t i = 0; i < parts->n && code == 0 && !failed; i++) {
    struct part *part = part_at (parts, i);

    g_mutex_lock (&parts->mutex);
    while (!part->summed && !parts->failed)
      g_cond_wait (&parts->changed, &parts->mutex);
    failed = parts->failed;
    g_mutex_unlock (&parts->mutex);
    if (!failed)
      failed = apply_part (parts, timeline, position, part, &fields) < 0;
    g_mutex_lock (&parts->mutex);
    parts->applied = i + 1;
    g_cond_broadcast (&parts->changed);
    g_mutex_unlock (&parts->mutex);
    if (!failed)
      code = pace (user, part->end, err);
  }
  position->bbdefs = parts->bbdefs;
  position->contexts = parts->contexts;
  dg_fields_fini (&fields);
  return code < 0 ? code : !failed;
}

static void
stop (struct parts *parts)
{
  g_mutex_lock (&parts->mutex);
  parts->failed = true;
  g_cond_broadcast (&parts->changed);
  g_mutex_unlock (&parts->mutex);
}

/* Runs the workers around apply_all.  */
static int
run (struct parts *parts, struct dg_timeline *timeline,
     struct dg_position *position, dg_load_pace_fn pace, void *user,
     struct dg_error *err)
{
  struct worker *workers = g_new0 (struct worker, parts->workers);
  GThread **threads = g_new0 (GThread *, parts->workers);
  unsigned n = 0;
  int code = 0;

  for (; n < parts->workers; n++) {
    struct worker *worker = &workers[n];

    worker->parts = parts;
    dg_walk_init (&worker->walk, &parts->log->format, &parts->log->source, 0,
                  0);
    worker->walk.record = keep_record;
    worker->walk.chunk = keep_chunk;
    worker->walk.user = worker;
    threads[n] = g_thread_try_new ("dg-load", work, worker, NULL);
    if (!threads[n])
      break;
  }
  if (n > 0)
    code = apply_all (parts, timeline, position, pace, user, err);
  stop (parts);
  for (unsigned i = 0; i < parts->workers; i++) {
    if (threads[i])
      g_thread_join (threads[i]);
    dg_walk_fini (&workers[i].walk);
    dg_fields_fini (&workers[i].fields);
    dg_arena_join (&parts->log->contents.arena, &workers[i].arena);
  }
  g_free (threads);
  g_free (workers);
  return code;
}

int
dg_load_parallel (struct dg_log *log, unsigned workers,
                  struct dg_timeline *timeline, struct dg_position *position,
                  dg_load_pace_fn pace, void *user, struct dg_error *err)
{
  struct parts parts = {.log = log, .defs = &log->contents.defs};
  int code = 0;

  dg_position_init (position);
  g_mutex_init (&parts.mutex);
  g_cond_init (&parts.changed);
  if (split (&parts)) {
    parts.workers = MIN (MIN (workers, WORKERS_MAX), parts.n);
    code = run (&parts, timeline, position, pace, user, err);
  }
  for (size_t i = 0; i < parts.table.n; i++) {
    struct part *part = part_at (&parts, i);

    dg_table_fini (&part->moments);
    dg_arena_fini (&part->arena);
    dg_table_fini (&part->stacks);
    dg_arena_fini (&part->sites);
  }
  dg_table_fini (&parts.table);
  g_mutex_clear (&parts.mutex);
  g_cond_clear (&parts.changed);
  return code;
}

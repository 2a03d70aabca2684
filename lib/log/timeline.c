/* timeline.c: everything that a log tells beside definitions and runs, in
   its order.  Heap, modules, mappings, pools, threads and what the program
   tells of itself (timeline_events.c) have files of their own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "code_names.h"
#include "flow.h"

void
dg_timeline_move (struct dg_timeline *timeline, struct dg_contents *contents)
{
  timeline->contents = contents;
  timeline->heap.blocks = &contents->blocks;
  timeline->heap.live.blocks = &contents->blocks;
  timeline->stacks.arena = &contents->arena;
  timeline->heap.stacks = &timeline->stacks;
  timeline->modules.modules = &contents->modules;
  timeline->modules.arena = &contents->arena;
  timeline->mappings.mappings = &contents->mappings;
  timeline->mappings.changes = &contents->pages;
  timeline->mappings.arena = &contents->arena;
  timeline->mappings.stacks = &timeline->stacks;
  timeline->pools.pools = &contents->pools;
  timeline->pools.moves = &contents->pool_moves;
  timeline->threads.threads = &contents->threads;
  timeline->threads.syncs = &contents->syncs;
  timeline->locals.copies = &contents->locals;
  timeline->threads.arena = &contents->arena;
}

int
dg_timeline_init (struct dg_timeline *timeline, struct dg_contents *contents,
                  enum dg_blocks blocks, uint64_t moment,
                  struct dg_error *err)
{
  memset (timeline, 0, sizeof *timeline);
  dg_timeline_move (timeline, contents);
  dg_timeline_heap_init (&timeline->heap, blocks, moment);
  contents->summary.end_why = -1;
  contents->summary.exit_code = -1;
  if (dg_timeline_threads_init (&timeline->threads, &contents->threads,
                                &contents->syncs, &contents->arena, 0) < 0)
    return dg_error_nomem (err);
  return 0;
}

void
dg_timeline_fini (struct dg_timeline *timeline)
{
  dg_stacks_fini (&timeline->stacks);
  dg_timeline_heap_fini (&timeline->heap);
  dg_timeline_modules_fini (&timeline->modules);
  dg_timeline_mappings_fini (&timeline->mappings);
  dg_timeline_pools_fini (&timeline->pools);
  dg_timeline_threads_fini (&timeline->threads);
  dg_thread_locals_fini (&timeline->locals);
  dg_spans_fini (&timeline->events);
  dg_spans_fini (&timeline->ranges);
}

/* ---- Process ---- */

static bool
is_size (uint64_t size)
{
  return size <= UINT32_MAX && (size & (size - 1)) == 0;
}

static int
process (struct dg_timeline *timeline, const struct dg_fields *fields,
         uint64_t offset, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  struct dg_process *process = &contents->process;
  const uint64_t *words = fields->words;
  const char *strings[5], **argv;
  uint32_t argc = words[8];

  if (contents->has_process)
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "there is a second "
                                                     "PROCESS");
  if (!is_size (words[4]) || !is_size (words[5]))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "PROCESS has pages of %" PRIu64 " and lines of %"
                        PRIu64 " bytes", words[4], words[5]);
  argv = dg_arena_alloc (&contents->arena, argc * sizeof *argv);
  if (!argv)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < 5 + argc; i++) {
    const char *text = dg_arena_string (&contents->arena, fields->strings[i]);

    if (!text)
      return dg_error_nomem (err);
    if (i < 5)
      strings[i] = text;
    else
      argv[i - 5] = text;
  }
  *process = (struct dg_process) {
    .pid = words[0], .ppid = words[1], .start_ticks = words[2],
    .wall_ns = words[3], .page_size = words[4], .line_size = words[5],
    .flags = words[6], .stack_depth = words[7],
    .tool_version = strings[0], .valgrind_version = strings[1],
    .arch = strings[2], .exe = strings[3], .cwd = strings[4],
    .argc = argc, .argv = argv
  };
  contents->has_process = true;
  return 0;
}

/* ---- Undecoded instructions ---- */

static int
undecoded (struct dg_timeline *timeline, const struct dg_fields *fields,
           uint64_t icount, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  const uint64_t *words = fields->words;
  struct dg_undecoded *added
    = dg_table_add (&contents->undecoded, sizeof *added);
  uint8_t *code = dg_arena_alloc (&contents->arena, words[2] + 1);
  const char *set = dg_arena_string (&contents->arena, fields->strings[0]);

  if (!added || !code || !set) {
    contents->undecoded.n -= added != NULL;
    return dg_error_nomem (err);
  }
  for (uint64_t i = 0; i < words[2]; i++)
    code[i] = (uint8_t) words[3 + i];
  *added = (struct dg_undecoded) { .address = words[1], .icount = icount,
                                   .thread = (uint32_t) words[0],
                                   .n_code = (uint32_t) words[2],
                                   .code = code, .set = set };
  return 0;
}

/* ---- Records that count ---- */

struct count {
  const char *what;
  uint64_t told, seen;
};

/* What a record tells of the log before it must be what was seen.  */
static int
compare (const char *record, const struct count *counts, size_t n,
         uint64_t offset, struct dg_error *err)
{
  for (size_t i = 0; i < n; i++)
    if (counts[i].told != counts[i].seen)
      return dg_error_at (err, DG_ERR_DAMAGED, offset,
                          "%s says %s %" PRIu64 ", but it is %" PRIu64,
                          record,
                          counts[i].what, counts[i].told, counts[i].seen);
  return 0;
}

/* How far the last marker is behind a record that tells of it.  */
static uint64_t
back (const struct dg_timeline *timeline, uint64_t told, uint64_t offset)
{
  return timeline->is_packed ? told : offset - timeline->last_marker;
}

/* A record of an archive's tail with which nothing else is wrong.  */
static int
blame_back (const char *record, uint64_t offset, struct dg_error *err)
{
  return dg_error_at (err, DG_ERR_DAMAGED, offset,
                      "%s does not point back to the marker before it",
                      record);
}

/* A moment that a record tells: time does not go back, and while everything
   is recorded only runs make it pass.  */
static int
check_icount (const char *record, const struct dg_position *position,
              bool may_jump, uint64_t told, uint64_t offset,
              struct dg_error *err)
{
  uint64_t now = dg_position_icount (position);

  if (told < now || told > DG_ICOUNT_MAX || (told > now && !may_jump))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s says icount %" PRIu64 ", but it is %" PRIu64,
                        record, told, now);
  return 0;
}

static int
window (struct dg_timeline *timeline, struct dg_position *position,
        const struct dg_fields *fields, const struct dg_when *when,
        uint64_t offset, struct dg_error *err)
{
  uint64_t on = fields->words[0], icount = fields->words[2];
  struct dg_window_change *change;
  int code;

  if (on > 1)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "WINDOW is neither on nor off, but %" PRIu64, on);
  code = check_icount ("WINDOW", position, true, icount, offset, err);
  if (code < 0)
    return code;
  change = dg_table_add (&timeline->contents->windows, sizeof *change);
  if (!change)
    return dg_error_nomem (err);
  change->icount = icount;
  change->order = dg_when_order (when);
  change->on = on;
  change->why = fields->words[1];
  timeline->contents->summary.windows++;
  dg_position_pass (position, DG_R_WINDOW, fields);
  return 0;
}

static int
chunk (struct dg_timeline *timeline, struct dg_position *position,
       const struct dg_fields *fields, uint64_t offset, struct dg_error *err)
{
  const uint64_t *words = fields->words;
  const struct dg_totals *totals = &position->totals;
  const struct count counts[] = {
    { "back", words[0], back (timeline, words[0], offset) },
    { "instructions", words[2], totals->instructions },
    { "accesses", words[3], totals->entries },
    { "runs", words[4], totals->runs },
    { "bbdefs", words[5], position->bbdefs },
    { "contexts", words[6], position->contexts },
    { "thread", words[7], timeline->threads.current },
    { "recording", words[8], position->recording }
  };
  int code = compare ("CHUNK", counts, sizeof counts / sizeof counts[0],
                      offset, err);

  if (code == 0)
    code = check_icount ("CHUNK", position, !position->recording, words[1],
                         offset, err);
  if (code == 0 && timeline->in_tail)
    code = blame_back ("CHUNK", offset, err);
  if (code < 0)
    return code;
  dg_position_pass (position, DG_R_CHUNK, fields);
  timeline->last_marker = offset;
  if (timeline->is_packed)
    return 0;
  return dg_timeline_add_chunk (timeline, position, offset, err);
}

static int
end (struct dg_timeline *timeline, struct dg_position *position,
     const struct dg_fields *fields, uint64_t offset, uint64_t next,
     struct dg_error *err)
{
  struct dg_summary *summary = &timeline->contents->summary;
  const uint64_t *words = fields->words;
  const struct dg_totals *totals = &position->totals;
  const struct count counts[] = {
    { "back", words[2], back (timeline, words[2], offset) },
    { "instructions", words[4], totals->instructions },
    { "reads", words[5], totals->reads },
    { "writes", words[6], totals->slots - totals->reads },
    { "runs", words[7], totals->runs },
    { "bbdefs", words[8], position->bbdefs },
    { "contexts", words[9], position->contexts },
    { "heap_allocs", words[10], summary->heap_allocs },
    { "heap_frees", words[11], summary->heap_frees }
  };
  int code = compare ("END", counts, sizeof counts / sizeof counts[0],
                      offset, err);

  if (code == 0)
    code = check_icount ("END", position, !position->recording, words[3],
                         offset, err);
  if (code == 0 && timeline->in_tail)
    code = blame_back ("END", offset, err);
  if (code < 0)
    return code;
  dg_position_pass (position, DG_R_END, fields);
  summary->end_why = words[0];
  summary->exit_code = words[1];
  summary->lost_calls = words[13];
  timeline->end_offset = next;
  return 0;
}

int
dg_timeline_add_chunk (struct dg_timeline *timeline,
                       const struct dg_position *position, uint64_t offset,
                       struct dg_error *err)
{
  struct dg_table *chunks = &timeline->contents->chunks;
  struct dg_chunk *chunk = NULL;

  /* A marker may stand where a chunk begins anyway.  */
  if (chunks->n > 0)
    chunk = (struct dg_chunk *) chunks->items + chunks->n - 1;
  if (!chunk || chunk->offset != offset)
    chunk = dg_table_add (chunks, sizeof *chunk);
  if (!chunk)
    return dg_error_nomem (err);
  chunk->offset = offset;
  chunk->icount = dg_position_icount (position);
  chunk->accesses = position->totals.entries;
  chunk->runs = position->totals.runs;
  chunk->instructions = position->totals.instructions;
  chunk->reads = position->totals.reads;
  chunk->writes = position->totals.slots - position->totals.reads;
  chunk->bbdefs = position->bbdefs;
  chunk->contexts = position->contexts;
  chunk->thread = timeline->threads.current;
  chunk->recording = position->recording;
  return 0;
}

/* ---- The rest ---- */

static int
clock_time (struct dg_timeline *timeline, const struct dg_fields *fields,
            uint64_t icount, struct dg_error *err)
{
  struct dg_clock *clock = dg_table_add (&timeline->contents->clock,
                                         sizeof *clock);

  if (!clock)
    return dg_error_nomem (err);
  clock->icount = icount;
  clock->ns = fields->words[0];
  return 0;
}

static int
kernel_access (struct dg_timeline *timeline, const struct dg_fields *fields,
               uint64_t icount, uint64_t offset, struct dg_error *err)
{
  struct dg_summary *summary = &timeline->contents->summary;
  struct dg_kernel_access *access;

  if (fields->words[0] > DG_ACC_WRITE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "KERNEL_ACCESS is of kind %" PRIu64,
                        fields->words[0]);
  access = dg_table_add (&timeline->contents->kernel, sizeof *access);
  if (!access)
    return dg_error_nomem (err);
  *access = (struct dg_kernel_access) {
    .icount = icount, .address = fields->words[1], .size = fields->words[2],
    .thread = timeline->threads.current, .kind = fields->words[0]
  };
  if (access->kind == DG_ACC_READ)
    summary->kernel_reads++;
  else
    summary->kernel_writes++;
  return 0;
}

static int
stack_pointer (struct dg_timeline *timeline, const struct dg_fields *fields,
               const struct dg_when *when, uint64_t offset,
               struct dg_error *err)
{
  struct dg_stack_pointer *pointer;

  if (fields->words[0] >= DG_NONE || fields->words[2] > DG_SP_MOVED)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "STACK_POINTER is of thread %" PRIu64 " and kind %"
                        PRIu64, fields->words[0], fields->words[2]);
  pointer = dg_table_add (&timeline->contents->pointers, sizeof *pointer);
  if (!pointer)
    return dg_error_nomem (err);
  *pointer = (struct dg_stack_pointer) {
    .icount = when->icount, .sp = fields->words[1],
    .thread = fields->words[0], .order = dg_when_order (when),
    .what = fields->words[2]
  };
  return 0;
}

/* ---- Details ---- */

/* What a detail may say more of: one of two types.  */
static const struct { uint8_t of, or; } details[] = {
  [DG_R_HEAP_ALLOC] = { DG_R_MALLOC_BLOCK, DG_R_MALLOC_BLOCK },
  [DG_R_HEAP_FREE] = { DG_R_FREE_BLOCK, DG_R_FREE_BLOCK },
  [DG_R_MODULE] = { DG_R_TEXT_AVMA, DG_R_TEXT_AVMA },
  [DG_R_MAP_STACK] = { DG_R_MAP, DG_R_UNMAP },
  [DG_R_POOL_BLOCK] = { DG_R_HEAP_ALLOC, DG_R_HEAP_FREE }
};

/* Details stand right behind the record that they say more of, whose type is
   *of.  */
static int
check_detail (struct dg_timeline *timeline, uint8_t type, uint64_t offset,
              uint8_t *of, struct dg_error *err)
{
  *of = timeline->detail_of;
  if (timeline->detail_at == offset
      && (*of == details[type].of || *of == details[type].or))
    return 0;
  return dg_error_at (err, DG_ERR_DAMAGED, offset, "%s does not follow a %s",
                      dg_record_name (type),
                      dg_record_name (details[type].of));
}

static int
pool_block (struct dg_timeline *timeline, const struct dg_fields *fields,
            const struct dg_when *when, uint8_t of, struct dg_error *err)
{
  size_t pool;

  if (dg_timeline_pools_find (&timeline->pools, fields->words[0], when, &pool)
      < 0)
    return dg_error_nomem (err);
  if (dg_timeline_heap_pool (&timeline->heap, of == DG_R_HEAP_FREE, pool) < 0)
    return dg_error_nomem (err);
  return 0;
}

/* What stands behind a record, and says more of it.  */
static int
apply_detail (struct dg_timeline *timeline, uint8_t type,
              const struct dg_fields *fields, const struct dg_when *when,
              uint64_t offset, uint64_t next, struct dg_error *err)
{
  uint64_t thread = 0;
  uint8_t of;
  int code = check_detail (timeline, type, offset, &of, err);

  if (code < 0)
    return code;
  if (type == DG_R_MAP_STACK)
    thread = fields->words[0];
  else if (type == DG_R_HEAP_ALLOC || type == DG_R_HEAP_FREE)
    thread = fields->words[1];
  if (thread >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s names thread %" PRIu64, dg_record_name (type),
                        thread);
  timeline->detail_of = type;
  timeline->detail_at = next;
  switch (type) {
  case DG_R_MODULE:
    return dg_timeline_modules_detail (&timeline->modules, fields, offset,
                                       err);
  case DG_R_HEAP_ALLOC:
    return dg_timeline_heap_alloc_detail (&timeline->heap, fields, err);
  case DG_R_HEAP_FREE:
    return dg_timeline_heap_free_detail (&timeline->heap, fields, err);
  case DG_R_MAP_STACK:
    return dg_timeline_mappings_stack (&timeline->mappings, fields, err);
  default:
    return pool_block (timeline, fields, when, of, err);
  }
}

/* A record after which a detail may stand.  */
static int
apply_detailed (struct dg_timeline *timeline, uint8_t type,
                const struct dg_fields *fields, const struct dg_when *when,
                uint64_t next, struct dg_error *err)
{
  timeline->detail_of = type;
  timeline->detail_at = next;
  switch (type) {
  case DG_R_MALLOC_BLOCK:
    timeline->contents->summary.heap_allocs++;
    return dg_timeline_heap_malloc (&timeline->heap, fields, when, err);
  case DG_R_FREE_BLOCK:
    timeline->contents->summary.heap_frees++;
    dg_thread_locals_end_block (&timeline->locals, fields->words[0],
                                when->icount);
    return dg_timeline_heap_free (&timeline->heap, fields, when, err);
  case DG_R_MAP:
    return dg_timeline_mappings_map (&timeline->mappings, fields, when, err);
  case DG_R_UNMAP:
    return dg_timeline_mappings_unmap (&timeline->mappings, fields, when, err);
  default:
    dg_thread_locals_end_module (
      &timeline->locals,
      dg_timeline_modules_find (&timeline->modules, fields->words[0]),
      when->icount);
    return dg_timeline_modules_load (&timeline->modules, fields, when->icount,
                                     err);
  }
}

/* Of a module that the log has not told of, nothing can be named.  */
static int
thread_local (struct dg_timeline *timeline, const struct dg_fields *fields,
              uint64_t icount, uint64_t offset, struct dg_error *err)
{
  size_t module =
    dg_timeline_modules_find (&timeline->modules, fields->words[1]);
  size_t block = fields->words[4] != 0
                   ? dg_live_find (&timeline->heap.live, fields->words[4])
                   : SIZE_MAX;
  uint64_t since = icount;

  if (module == SIZE_MAX)
    return 0;
  if (block != SIZE_MAX)
    since = dg_store_extent (timeline->heap.blocks, block).alloc_icount;
  return dg_thread_locals_add (&timeline->locals, fields, module, since,
                               icount, offset, err);
}

/* ---- Any record ---- */

/* Whether a record is about a block.  The address stands behind the head,
   whose short form they have.  */
static bool
get_address (const struct dg_format *format, const uint8_t *record,
             size_t size, uint64_t *address)
{
  if ((record[0] != DG_R_FREE_BLOCK && record[0] != DG_R_MALLOC_BLOCK)
      || size < 2u + format->word_size)
    return false;
  *address = dg_load_word (record + 2, format->word_size, format->swap);
  return true;
}

void
dg_timeline_prefetch (const struct dg_timeline *timeline,
                      const struct dg_format *format, const uint8_t *record,
                      size_t size)
{
  uint64_t address;

  if (get_address (format, record, size, &address))
    dg_live_prefetch (&timeline->heap.live, address);
}

void
dg_timeline_prefetch_block (const struct dg_timeline *timeline,
                            const struct dg_format *format,
                            const uint8_t *record, size_t size)
{
  uint64_t address;

  if (get_address (format, record, size, &address))
    dg_live_prefetch_block (&timeline->heap.live, address);
}

int
dg_timeline_apply (struct dg_timeline *timeline, struct dg_position *position,
                   uint8_t type, const struct dg_fields *fields,
                   uint64_t offset, uint64_t next, struct dg_error *err)
{
  const struct dg_when when = { dg_position_icount (position),
                                &timeline->contents->orders };

  if (*when.orders >= DG_NONE - DG_ORDERS_EACH)
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "too many records");
  switch (type) {
  case DG_R_TRACK_RANGE:
  case DG_R_UNTRACK_RANGE:
  case DG_R_START_EVENT:
  case DG_R_END_EVENT:
    return dg_timeline_event (timeline, type, fields, &when, err);
  case DG_R_TEXT_AVMA:
  case DG_R_MALLOC_BLOCK:
  case DG_R_FREE_BLOCK:
  case DG_R_MAP:
  case DG_R_UNMAP:
    return apply_detailed (timeline, type, fields, &when, next, err);
  case DG_R_HEAP_ALLOC:
  case DG_R_HEAP_FREE:
  case DG_R_MODULE:
  case DG_R_MAP_STACK:
  case DG_R_POOL_BLOCK:
    return apply_detail (timeline, type, fields, &when, offset, next, err);
  case DG_R_PROCESS:
    return process (timeline, fields, offset, err);
  case DG_R_THREAD_EXIT:
    dg_thread_locals_end_thread (&timeline->locals, fields->words[0],
                                 when.icount);
    /* Fall through.  */
  case DG_R_THREAD_SWITCH:
  case DG_R_THREAD_START:
  case DG_R_THREAD_NAME:
  case DG_R_STACK:
  case DG_R_THREAD_RUNS:
  case DG_R_THREAD_JOIN:
  case DG_R_MEET:
    return dg_timeline_threads_apply (&timeline->threads, type, fields,
                                      when.icount, &position->totals, offset,
                                      err);
  case DG_R_MODULE_UNLOAD:
    dg_thread_locals_end_module (
      &timeline->locals,
      dg_timeline_modules_unload (&timeline->modules, fields, when.icount),
      when.icount);
    return 0;
  case DG_R_THREAD_LOCAL:
    return thread_local (timeline, fields, when.icount, offset, err);
  case DG_R_POOL:
    if (fields->words[0] == DG_POOL_CREATE)
      timeline->contents->summary.pools++;
    return dg_timeline_pools_apply (&timeline->pools, fields, &when, offset,
                                    err);
  case DG_R_STACK_POINTER:
    return stack_pointer (timeline, fields, &when, offset, err);
  case DG_R_BBFLOW:
    return dg_flow_add (timeline->contents, fields, offset, err);
  case DG_R_BBCODE:
    return dg_block_notes_add_code (timeline->contents, fields, offset, err);
  case DG_R_CODE:
    return dg_code_names_add (timeline->contents, fields, offset, err);
  case DG_R_UNDECODED:
    return undecoded (timeline, fields, when.icount, err);
  case DG_R_CLOCK:
    return clock_time (timeline, fields, when.icount, err);
  case DG_R_KERNEL_ACCESS:
    return kernel_access (timeline, fields, when.icount, offset, err);
  case DG_R_WINDOW:
    return window (timeline, position, fields, &when, offset, err);
  case DG_R_CHUNK:
    return chunk (timeline, position, fields, offset, err);
  case DG_R_END:
    return end (timeline, position, fields, offset, next, err);
  default:
    /* SIGNAL and FORK: only dg_reader_record shows them.  */
    return 0;
  }
}

void
dg_timeline_finish (struct dg_timeline *timeline,
                    const struct dg_position *position, uint64_t offset)
{
  struct dg_contents *contents = timeline->contents;
  struct dg_summary *summary = &contents->summary;
  const struct dg_totals *totals = &position->totals;

  dg_timeline_threads_finish (&timeline->threads, totals);
  summary->good_bytes = offset;
  summary->last_icount = dg_position_icount (position);
  summary->instructions = totals->instructions;
  summary->accesses = totals->slots;
  summary->reads = totals->reads;
  summary->writes = totals->slots - totals->reads;
  summary->runs = totals->runs;
  summary->bbdefs = position->bbdefs;
  summary->contexts = position->contexts;
  summary->threads = contents->threads.n;
  summary->modules = contents->modules.n;
  summary->min_address = totals->least + 1;
  summary->max_address = totals->highest;
  if (totals->highest == 0)
    summary->min_address = UINT64_MAX;
  /* Behind an end record that others follow, the log went on.  */
  if (timeline->end_offset != offset) {
    summary->end_why = -1;
    summary->exit_code = -1;
    summary->lost_calls = 0;
  }
}

/* timeline.c: everything that a log tells beside definitions and runs, in
   its order.  Heap, modules, mappings and threads have files of their own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "timeline.h"

#include <inttypes.h>
#include <string.h>

#include "error.h"

void
dg_timeline_move (struct dg_timeline *timeline, struct dg_contents *contents)
{
  timeline->contents = contents;
  timeline->heap.blocks = &contents->blocks;
  timeline->heap.stacks.arena = &contents->arena;
  timeline->modules.modules = &contents->modules;
  timeline->modules.arena = &contents->arena;
  timeline->mappings.mappings = &contents->mappings;
  timeline->mappings.arena = &contents->arena;
  timeline->threads.threads = &contents->threads;
  timeline->threads.arena = &contents->arena;
}

int
dg_timeline_init (struct dg_timeline *timeline, struct dg_contents *contents,
                  struct dg_error *err)
{
  memset (timeline, 0, sizeof *timeline);
  dg_timeline_move (timeline, contents);
  contents->summary.end_why = -1;
  contents->summary.exit_code = -1;
  if (dg_threads_init (&timeline->threads, &contents->threads,
                       &contents->arena, 0) < 0)
    return dg_error_nomem (err);
  return 0;
}

void
dg_timeline_fini (struct dg_timeline *timeline)
{
  dg_heap_fini (&timeline->heap);
  dg_modules_fini (&timeline->modules);
  dg_mappings_fini (&timeline->mappings);
  dg_threads_fini (&timeline->threads);
  dg_spans_fini (&timeline->events);
  dg_spans_fini (&timeline->ranges);
}

/* ---- Events and ranges ---- */

static int
start_event (struct dg_timeline *timeline, const struct dg_fields *fields,
             uint64_t icount, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  const char *label = dg_arena_string (&contents->arena, fields->strings[0]);
  struct dg_event *event = dg_table_add (&contents->events, sizeof *event);

  /* Equal labels are one string, so that its address is the key.  */
  if (!label || !event
      || dg_spans_open (&timeline->events, (uintptr_t) label, 0,
                        contents->events.n - 1) < 0)
    return dg_error_nomem (err);
  event->start_icount = icount;
  event->end_icount = DG_NEVER;
  event->label = label;
  contents->summary.events_started++;
  return 0;
}

static int
end_event (struct dg_timeline *timeline, const struct dg_fields *fields,
           uint64_t icount, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  const char *label = dg_arena_string (&contents->arena, fields->strings[0]);
  size_t index;

  if (!label)
    return dg_error_nomem (err);
  index = dg_spans_close (&timeline->events, (uintptr_t) label, 0);
  if (index != SIZE_MAX)
    ((struct dg_event *) contents->events.items)[index].end_icount = icount;
  contents->summary.events_ended++;
  return 0;
}

static int
track_range (struct dg_timeline *timeline, const struct dg_fields *fields,
             uint64_t icount, struct dg_error *err)
{
  struct dg_contents *contents = timeline->contents;
  struct dg_range *range = dg_table_add (&contents->ranges, sizeof *range);

  if (!range)
    return dg_error_nomem (err);
  range->address = fields->words[0];
  range->size = fields->words[1];
  range->start_icount = icount;
  range->end_icount = DG_NEVER;
  range->type = dg_arena_string (&contents->arena, fields->strings[0]);
  range->label = dg_arena_string (&contents->arena, fields->strings[1]);
  if (!range->type || !range->label
      || dg_spans_open (&timeline->ranges, range->address, range->size,
                        contents->ranges.n - 1) < 0)
    return dg_error_nomem (err);
  contents->summary.ranges_tracked++;
  return 0;
}

static int
untrack_range (struct dg_timeline *timeline, const struct dg_fields *fields,
               uint64_t icount)
{
  struct dg_contents *contents = timeline->contents;
  size_t index = dg_spans_close (&timeline->ranges, fields->words[0],
                                 fields->words[1]);

  if (index != SIZE_MAX)
    ((struct dg_range *) contents->ranges.items)[index].end_icount = icount;
  contents->summary.ranges_untracked++;
  return 0;
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
    return dg_error_at (err, DG_ERR_DAMAGED, offset, "a second PROCESS");
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
                          "%s tells %s %" PRIu64 ", it is %" PRIu64, record,
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
                      "%s does not tell back to the marker before it",
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
                        "%s tells icount %" PRIu64 ", it is %" PRIu64,
                        record, told, now);
  return 0;
}

static int
window (struct dg_timeline *timeline, struct dg_position *position,
        const struct dg_fields *fields, uint64_t offset, struct dg_error *err)
{
  uint64_t on = fields->words[0], icount = fields->words[2];
  struct dg_window_change *change;
  int code;

  if (on > 1)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "WINDOW is neither on nor off but %" PRIu64, on);
  code = check_icount ("WINDOW", position, true, icount, offset, err);
  if (code < 0)
    return code;
  change = dg_table_add (&timeline->contents->windows, sizeof *change);
  if (!change)
    return dg_error_nomem (err);
  change->icount = icount;
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
               uint64_t offset, struct dg_error *err)
{
  struct dg_summary *summary = &timeline->contents->summary;

  if (fields->words[0] == DG_ACC_READ)
    summary->kernel_reads++;
  else if (fields->words[0] == DG_ACC_WRITE)
    summary->kernel_writes++;
  else
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "KERNEL_ACCESS is of kind %" PRIu64,
                        fields->words[0]);
  return 0;
}

/* Details stand right behind the record that they say more of.  */
static int
check_detail (struct dg_timeline *timeline, uint8_t type, uint64_t offset,
              struct dg_error *err)
{
  uint8_t of = type == DG_R_HEAP_ALLOC ? DG_R_MALLOC_BLOCK
               : type == DG_R_HEAP_FREE ? DG_R_FREE_BLOCK
                                        : DG_R_TEXT_AVMA;

  if (timeline->detail_of == of && timeline->detail_at == offset)
    return 0;
  return dg_error_at (err, DG_ERR_DAMAGED, offset, "%s does not follow a %s",
                      dg_record_name (type), dg_record_name (of));
}

static int
apply_detail (struct dg_timeline *timeline, uint8_t type,
              const struct dg_fields *fields, uint64_t offset,
              struct dg_error *err)
{
  int code = check_detail (timeline, type, offset, err);

  if (code < 0)
    return code;
  if (type == DG_R_MODULE)
    return dg_modules_detail (&timeline->modules, fields, offset, err);
  if (fields->words[1] >= DG_NONE)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "%s names thread %" PRIu64, dg_record_name (type),
                        fields->words[1]);
  if (type == DG_R_HEAP_ALLOC)
    return dg_heap_alloc_detail (&timeline->heap, fields);
  return dg_heap_free_detail (&timeline->heap, fields, err);
}

/* A record after which a detail may stand.  */
static int
apply_detailed (struct dg_timeline *timeline, uint8_t type,
                const struct dg_fields *fields, uint64_t icount,
                uint64_t next, struct dg_error *err)
{
  timeline->detail_of = type;
  timeline->detail_at = next;
  switch (type) {
  case DG_R_MALLOC_BLOCK:
    timeline->contents->summary.heap_allocs++;
    return dg_heap_malloc (&timeline->heap, fields, icount, err);
  case DG_R_FREE_BLOCK:
    timeline->contents->summary.heap_frees++;
    return dg_heap_free (&timeline->heap, fields, icount);
  default:
    return dg_modules_load (&timeline->modules, fields, icount, err);
  }
}

int
dg_timeline_apply (struct dg_timeline *timeline, struct dg_position *position,
                   uint8_t type, const struct dg_fields *fields,
                   uint64_t offset, uint64_t next, struct dg_error *err)
{
  uint64_t icount = dg_position_icount (position);

  switch (type) {
  case DG_R_TRACK_RANGE:
    return track_range (timeline, fields, icount, err);
  case DG_R_UNTRACK_RANGE:
    return untrack_range (timeline, fields, icount);
  case DG_R_START_EVENT:
    return start_event (timeline, fields, icount, err);
  case DG_R_END_EVENT:
    return end_event (timeline, fields, icount, err);
  case DG_R_TEXT_AVMA:
  case DG_R_MALLOC_BLOCK:
  case DG_R_FREE_BLOCK:
    return apply_detailed (timeline, type, fields, icount, next, err);
  case DG_R_HEAP_ALLOC:
  case DG_R_HEAP_FREE:
  case DG_R_MODULE:
    return apply_detail (timeline, type, fields, offset, err);
  case DG_R_PROCESS:
    return process (timeline, fields, offset, err);
  case DG_R_THREAD_SWITCH:
  case DG_R_THREAD_START:
  case DG_R_THREAD_EXIT:
  case DG_R_THREAD_NAME:
  case DG_R_STACK:
    return dg_threads_apply (&timeline->threads, type, fields, icount,
                             &position->totals, offset, err);
  case DG_R_MODULE_UNLOAD:
    return dg_modules_unload (&timeline->modules, fields, icount);
  case DG_R_MAP:
    return dg_mappings_map (&timeline->mappings, fields, icount, err);
  case DG_R_UNMAP:
    return dg_mappings_unmap (&timeline->mappings, fields, icount, err);
  case DG_R_CLOCK:
    return clock_time (timeline, fields, icount, err);
  case DG_R_KERNEL_ACCESS:
    return kernel_access (timeline, fields, offset, err);
  case DG_R_WINDOW:
    return window (timeline, position, fields, offset, err);
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

  dg_threads_finish (&timeline->threads, totals);
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

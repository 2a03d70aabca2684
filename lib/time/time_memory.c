/* time_memory.c: when the data of an access arrive.

   The model is that of docs/time.md: a miss waits for its level's latency, for
   the bandwidth of the way from there, for one of the places for misses, and
   for others that fill the same set of L1.  A line that a prefetcher knew
   waits for bandwidth only.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_memory.h"

#define EIGHTHS 8

/* ---- Shared ---- */

#define REGION_SHIFT 21
#define REGION_PAGES (1u << (REGION_SHIFT - DG_TIME_PAGE_SHIFT))

/* A page that still goes to the node of its next user.  */
#define MOVES 0x80u

struct region {
  uint64_t number;
  uint64_t touched[REGION_PAGES / 64];
  uint8_t nodes[];         /* of the pages, if there are several; with MOVES */
};

int
dg_time_shared_init (struct dg_time_shared *shared,
                     const struct dg_time_machine *machine)
{
  shared->machine = machine;
  shared->regions
    = g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL, g_free);
  return dg_time_cache_init (&shared->l3, &machine->l3);
}

void
dg_time_shared_fini (struct dg_time_shared *shared)
{
  if (shared->regions != NULL)
    g_hash_table_unref (shared->regions);
  dg_time_cache_fini (&shared->l3);
}

static struct region *
region_of (struct dg_time_shared *shared, uint64_t page)
{
  uint64_t number = page / REGION_PAGES;
  struct region *region = g_hash_table_lookup (shared->regions, &number);
  size_t n_nodes = shared->machine->nodes > 1 ? REGION_PAGES : 0;

  if (region == NULL) {
    region = g_malloc0 (sizeof *region + n_nodes);
    region->number = number;
    g_hash_table_insert (shared->regions, &region->number, region);
  }
  return region;
}

/* Whether a page was not touched before; now it is, and it is memory of that
   node.  */
static bool
touch_page (struct dg_time_shared *shared, uint64_t page, uint32_t node)
{
  uint64_t bit = page % REGION_PAGES, *word,
           *passed = &shared->passed[page % DG_TIME_PASSED];
  struct region *region;
  bool is_first;

  if (G_LIKELY (*passed == page + 1))
    return false;
  *passed = page + 1;
  region = region_of (shared, page);
  word = &region->touched[bit / 64];
  is_first = (*word >> bit % 64 & 1) == 0;
  *word |= (uint64_t) 1 << bit % 64;
  if (is_first && shared->machine->nodes > 1)
    region->nodes[bit]
      = (uint8_t) (node
                   | (page >= DG_TIME_BY_USER >> DG_TIME_PAGE_SHIFT
                          && page < DG_TIME_EXISTING >> DG_TIME_PAGE_SHIFT
                        ? MOVES : 0));
  return is_first;
}

/* Whether a page is memory of another node, for a thread that uses it.  */
static bool
is_remote (struct dg_time_shared *shared, uint64_t page, uint32_t node)
{
  uint8_t *home;

  if (G_LIKELY (shared->machine->nodes == 1))
    return false;
  home = &region_of (shared, page)->nodes[page % REGION_PAGES];
  if ((*home & MOVES) != 0 && (*home & ~MOVES) != node)
    *home = (uint8_t) node;
  return (*home & ~MOVES) != node;
}

/* Linux maps code in groups of so many pages (fault-around).  These groups get
   numbers that no page has.  */
#define CODE_PAGES 16
#define CODE_GROUPS ((uint64_t) 1 << 56)

static uint64_t
code_group (uint64_t address)
{
  return CODE_GROUPS + (address >> DG_TIME_PAGE_SHIFT) / CODE_PAGES;
}

/* Whether the log may have the first touch of the page of an address.  */
static bool
is_new_at (uint64_t address)
{
  return address < DG_TIME_EXISTING || address >= DG_TIME_LARGE;
}

void
dg_time_shared_pass (struct dg_time_shared *shared, uint32_t node,
                     const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;

  touch_page (shared, code_group (bbdef->instrs[run->first_instr].address),
              node);
  for (unsigned i = 0; i < run->n_slots; i++) {
    uint64_t address = run->addresses[bbdef->slots[i].entry];

    if (address != 0 && is_new_at (address))
      touch_page (shared, dg_time_page_of (address), node);
  }
}

void
dg_time_shared_pass_data (struct dg_time_shared *shared, uint64_t address)
{
  if (is_new_at (address))
    touch_page (shared, dg_time_page_of (address), 0);
}

void
dg_time_shared_pass_code (struct dg_time_shared *shared, uint64_t address)
{
  touch_page (shared, code_group (address), 0);
}

/* ---- A core's ---- */

int
dg_time_memory_init (struct dg_time_memory *memory,
                     struct dg_time_shared *shared)
{
  const struct dg_time_machine *machine = shared->machine;

  g_assert (machine->misses <= DG_TIME_MISSES
            && machine->banks <= DG_TIME_BANKS);
  memory->machine = machine;
  memory->shared = shared;
  memory->node = shared->n_cores++ % machine->nodes;
  if (dg_time_cache_init (&memory->code, &machine->code) < 0
      || dg_time_cache_init (&memory->l1, &machine->l1) < 0
      || dg_time_cache_init (&memory->l2, &machine->l2) < 0
      || dg_time_cache_init (&memory->tlb, &machine->tlb) < 0
      || dg_time_cache_init (&memory->tlb2, &machine->tlb2) < 0)
    return DG_ERR_NOMEM;
  return 0;
}

void
dg_time_memory_fini (struct dg_time_memory *memory)
{
  dg_time_cache_fini (&memory->code);
  dg_time_cache_fini (&memory->l1);
  dg_time_cache_fini (&memory->l2);
  dg_time_cache_fini (&memory->tlb);
  dg_time_cache_fini (&memory->tlb2);
}

/* ---- Lower levels ---- */

/* The level, from the second on, that has a line.  The line is in the last
   level afterwards.  *found: the line in the second level, or NULL.  */
static enum dg_time_level
find_level (struct dg_time_memory *memory, uint64_t line,
            const struct dg_time_line **found)
{
  *found = dg_time_cache_find (&memory->l2, line);
  if (*found != NULL)
    return DG_TIME_L2;
  if (dg_time_cache_find (&memory->shared->l3, line) != NULL)
    return DG_TIME_L3;
  dg_time_cache_put (&memory->shared->l3, line, 0);
  return DG_TIME_RAM;
}

static uint32_t
latency_of (const struct dg_time_machine *machine, enum dg_time_level level)
{
  return level == DG_TIME_L2   ? machine->l2.latency
         : level == DG_TIME_L3 ? machine->l3.latency
         : level == DG_TIME_RAM ? machine->memory
                                : machine->memory + machine->remote;
}

/* Brings a line into the second level, without waiting for bandwidth; returns
   the level that had it.  */
static enum dg_time_level
bring_line (struct dg_time_memory *memory, uint64_t line)
{
  const struct dg_time_line *found;
  enum dg_time_level level = find_level (memory, line, &found);

  if (level != DG_TIME_L2)
    dg_time_cache_put (&memory->l2, line, 0);
  return level;
}

/* ---- Translations ---- */

/* Eight entries of a page table are in a line, which the caches hold like
   others.  These lines have numbers that no line of a program has.  */
static uint64_t
read_page_table (struct dg_time_memory *memory, uint64_t page)
{
  enum dg_time_level level
    = bring_line (memory, ((uint64_t) 1 << 59) + page / 8);
  uint32_t latency = latency_of (memory->machine, level);

  /* Most walks read a line whose neighbours were read before.  */
  return level == DG_TIME_RAM ? latency / 2 : latency;
}

/* The end of a walk of so many cycles by the first walker that is free.  */
static uint64_t
walk_from (struct dg_time_memory *memory, uint64_t time, uint64_t cycles)
{
  uint64_t *walker = &memory->walkers[0];

  for (uint32_t i = 1; i < memory->machine->walkers; i++)
    if (memory->walkers[i] < *walker)
      walker = &memory->walkers[i];
  *walker = MAX (*walker, time) + cycles;
  return *walker;
}

uint64_t
dg_time_memory_walk_far (struct dg_time_memory *memory, uint64_t address,
                         uint64_t page, uint64_t time, bool *is_walk,
                         bool *is_first)
{
  const struct dg_time_machine *machine = memory->machine;

  *is_first = is_new_at (address)
              && touch_page (memory->shared, page, memory->node);
  dg_time_cache_put (&memory->tlb, page, 0);
  if (dg_time_cache_find (&memory->tlb2, page) != NULL)
    return machine->tlb2.latency;
  dg_time_cache_put (&memory->tlb2, page, 0);
  *is_walk = true;
  return walk_from (memory, time,
                    machine->walk + read_page_table (memory, page)) - time;
}

/* ---- Prefetching ---- */

/* Lines that are as near as this to the last one of a stream belong to it.  */
#define NEAR 4
#define CONFIRMED 2

/* Whether a line goes on with a stream that goes one way.  */
static bool
is_stream (struct dg_time_memory *memory, uint64_t line)
{
  struct dg_time_stream *oldest = &memory->streams[0];

  memory->clock++;
  for (unsigned i = 0; i < DG_TIME_STREAMS; i++) {
    struct dg_time_stream *stream = &memory->streams[i];
    int64_t step = (int64_t) (line - stream->line);
    int32_t direction = step > 0 ? 1 : -1;

    if (stream->used == 0 || step > NEAR || step < -NEAR) {
      if (stream->used < oldest->used)
        oldest = stream;
      continue;
    }
    stream->used = memory->clock;
    if (step != 0) {
      stream->confirmed
        = direction == stream->direction ? stream->confirmed + 1 : 1;
      stream->direction = direction;
      stream->line = line;
    }
    return stream->confirmed >= CONFIRMED;
  }
  *oldest = (struct dg_time_stream) { .line = line, .used = memory->clock };
  return false;
}

/* ---- Misses ---- */

/* Takes a place of a resource at `time`, for `gap` eighths: data that would be
   ready at `ready` are not before the place is free.  */
static uint64_t
take_place (uint64_t *free, uint64_t time, uint32_t gap, uint64_t ready)
{
  *free = MAX (*free, time * EIGHTHS) + gap;
  return MAX (*free / EIGHTHS, ready);
}

/* Of a line that L2 has.  */
static uint64_t
from_l2 (struct dg_time_memory *memory, uint64_t line,
         const struct dg_time_line *found, uint64_t time, bool is_ahead)
{
  const struct dg_time_machine *machine = memory->machine;
  uint64_t ready
    = time + (is_ahead ? machine->l1.latency + 2 : machine->l2.latency);

  ready = MAX (ready, found->ready);
  ready = take_place (&memory->l2_free, time, machine->l2_gap, ready);
  if (machine->banks > 1)
    ready = take_place (&memory->bank_free[line % machine->banks], time,
                        machine->bank_gap, ready);
  return ready;
}

/* Of a line that a prefetcher asked for so early that it arrives when it is
   needed, if there is bandwidth.  */
static uint64_t
from_ahead (const struct dg_time_machine *machine, uint64_t *free,
            uint32_t latency, uint32_t gap, uint64_t time)
{
  uint64_t asked = time - MIN (time, latency),
           ready = time + machine->l1.latency + 4;

  return take_place (free, asked, gap, ready);
}

/* Of a line that nobody asked for before: it also waits for one of the places
   for misses.  */
static uint64_t
from_below (struct dg_time_memory *memory, uint64_t *free, uint32_t latency,
            uint32_t gap, uint64_t time)
{
  uint64_t *place = &memory->misses[memory->next_miss], ready;

  time = MAX (time, *place);
  ready = take_place (free, time, gap, 0) + latency - gap / EIGHTHS;
  *place = MAX (ready, time + latency);
  memory->next_miss = (memory->next_miss + 1) % memory->machine->misses;
  return *place;
}

static uint64_t
from_far (struct dg_time_memory *memory, uint64_t line, uint64_t time,
          bool is_ahead, enum dg_time_level level)
{
  const struct dg_time_machine *machine = memory->machine;
  uint32_t latency = latency_of (machine, level);
  bool is_ram = level >= DG_TIME_RAM;
  uint32_t gap = is_ram ? machine->memory_gap : machine->l3_gap;
  uint64_t *free = is_ram ? &memory->ram_free : &memory->l3_free, ready;

  /* As many lines are on their way at a time, for longer.  */
  if (level == DG_TIME_REMOTE)
    gap = (uint32_t) ((uint64_t) gap * latency / machine->memory);
  ready = is_ahead ? from_ahead (machine, free, latency, gap, time)
                   : from_below (memory, free, latency, gap, time);
  dg_time_cache_put (&memory->l2, line, ready);
  return ready;
}

uint64_t
dg_time_memory_miss (struct dg_time_memory *memory, uint64_t line,
                     uint64_t time, bool is_stride, enum dg_time_level *level)
{
  const struct dg_time_machine *machine = memory->machine;
  bool is_ahead = is_stream (memory, line) || is_stride;
  const struct dg_time_line *found;
  uint64_t ready;

  *level = find_level (memory, line, &found);
  if (*level == DG_TIME_RAM
      && is_remote (memory->shared,
                    dg_time_page_of (line << DG_TIME_LINE_SHIFT),
                    memory->node))
    *level = DG_TIME_REMOTE;
  ready = *level == DG_TIME_L2
            ? from_l2 (memory, line, found, time, is_ahead)
            : from_far (memory, line, time, is_ahead, *level);
  ready = take_place (&memory->set_free[line % DG_TIME_SETS], time,
                      machine->set_gap, ready);
  dg_time_cache_put (&memory->l1, line, ready);
  return ready;
}

/* ---- Code ---- */

/* Brings a line of code into its first level; returns when it is there.  */
static uint64_t
bring_code (struct dg_time_memory *memory, uint64_t line, uint64_t time)
{
  uint64_t ready
    = time + latency_of (memory->machine, bring_line (memory, line));

  dg_time_cache_put (&memory->code, line, ready);
  return ready;
}

uint64_t
dg_time_memory_fetch (struct dg_time_memory *memory, uint64_t line,
                      uint64_t time, bool *is_miss, bool *is_first)
{
  const struct dg_time_line *found = dg_time_cache_find (&memory->code, line);
  uint64_t ready;

  *is_miss = found == NULL;
  *is_first = false;
  if (found != NULL)
    ready = found->ready;
  else {
    ready = bring_code (memory, line, time);
    *is_first =
      touch_page (memory->shared, code_group (line << DG_TIME_LINE_SHIFT),
                  memory->node);
  }
  if (dg_time_cache_find (&memory->code, line + 1) == NULL)
    bring_code (memory, line + 1, time);
  return ready;
}

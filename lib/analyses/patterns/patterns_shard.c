/* patterns_shard.c: a chunk of the log, as `dg patterns` sees it: each slot's
   way through memory, each site's accesses, visits to objects.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_shard.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "log/block_window.h"
#include "variables/variables.h"

/* ---- Workers ---- */

/* What the numbers of slots in contexts are, with --mine: to ask takes a walk
   along the calls, under a lock that all workers share.  */
#define CALLED_SLOTS 16384
struct called {
  uint32_t context, slot;
  uint32_t number;         /* plus 1; 0: nothing */
};

/* Blocks that were asked for lately, and kinds of objects that are known of
   numbers, by their lowest bits.  */
#define RECENT 64
struct recent_block {
  uint32_t block;          /* plus 1; 0: nothing */
  uint32_t bytes;          /* 0: it is not an object */
  uint64_t address;
};
struct recent_kind {
  uint32_t number;         /* never 0, but that is nothing here */
  uint32_t bytes;
};

struct dg_patterns_worker {
  struct dg_finder *finder;
  /* Only their memory is the worker's; what is in them is its shard's.  */
  struct dg_pattern_sparse slots, sites;
  struct dg_pattern_flow_state *flow;
  struct dg_pattern_lines *lines;
  struct called *called;   /* CALLED_SLOTS of them, by hash; or NULL */
  struct recent_block blocks[RECENT];
  unsigned window;         /* that these are of: see log/block_window.h */
  struct recent_kind kinds[RECENT];    /* of the shard */
};

void
dg_patterns_worker_free (void *self, void *data)
{
  struct dg_patterns_worker *worker = data;

  dg_finder_free (worker->finder);
  dg_pattern_flow_state_free (worker->flow);
  g_free (worker->lines);
  dg_pattern_sparse_fini (&worker->slots);
  dg_pattern_sparse_fini (&worker->sites);
  g_free (worker->called);
  g_free (worker);
}

void *
dg_patterns_worker_new (void *data, struct dg_error *err)
{
  struct dg_patterns *self = data;
  struct dg_patterns_worker *worker =
    g_try_new0 (struct dg_patterns_worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  dg_pattern_sparse_init (&worker->slots,
                          sizeof (struct dg_pattern_slot_walk));
  dg_pattern_sparse_init (&worker->sites,
                          sizeof (struct dg_pattern_site_walk));
  worker->flow = dg_pattern_flow_state_new (self->flows);
  worker->lines = g_new0 (struct dg_pattern_lines, 1);
  if (self->units) {
    worker->called = g_try_new0 (struct called, CALLED_SLOTS);
    if (!worker->called)
      dg_error_nomem (err);
  }
  if (!self->units || worker->called)
    worker->finder = dg_finder_new (self->variables, err);
  if (worker->finder)
    return worker;
  dg_patterns_worker_free (self, worker);
  return NULL;
}

/* ---- Objects ---- */

/* Is what lies there made of fields?  */
static bool
has_members (const struct dg_patterns *self,
             const struct dg_pattern_seen *seen)
{
  struct dg_pattern_place place = {.layout = seen->layout,
                           .origin = seen->layout ? 0 : seen->origin,
                           .icount = seen->icount};
  struct dg_field field;

  return dg_patterns_field (self, &place, 0, &field)
         && (field.holder != NULL || field.is_padding);
}

/* Bytes of the objects in memory that has fields; 0: they are none.  */
static uint32_t
object_bytes (struct dg_patterns_shard *shard, uint32_t number,
              const struct dg_extent *thing, uint64_t icount)
{
  struct dg_pattern_seen seen = {.number = number,
                         .layout = thing->type,
                         .origin = thing->type ? 0 : thing->origin,
                         .icount = icount};
  struct recent_kind *recent = &shard->worker->kinds[number % RECENT];
  gpointer known, key = GUINT_TO_POINTER (number);

  if (G_LIKELY (recent->number == number))
    return recent->bytes == thing->period ? recent->bytes : 0;
  recent->number = number;
  recent->bytes = 0;
  /* The same for all of a number, but for ranges of one name.  */
  if (g_hash_table_lookup_extended (shard->by_number, key, NULL, &known)) {
    recent->bytes = GPOINTER_TO_UINT (known);
    return recent->bytes == thing->period ? recent->bytes : 0;
  }
  if (thing->period <= DG_OBJECT_MAX && has_members (shard->self, &seen)) {
    recent->bytes = (uint32_t) thing->period;
    g_array_append_val (shard->seen, seen);
  }
  g_hash_table_insert (shard->by_number, key,
                       GUINT_TO_POINTER (recent->bytes));
  return recent->bytes;
}

/* A heap block of unknown type, as an object.  */
static const struct recent_block *
block_object (struct dg_patterns_shard *shard, const struct dg_whole *whole)
{
  struct recent_block *recent = &shard->worker->blocks[whole->block % RECENT];
  struct dg_block_extent block;

  if (G_LIKELY (recent->block == whole->block + 1))
    return recent;
  block = dg_log_block_extent (shard->self->log, whole->block);
  *recent = (struct recent_block) { .block = whole->block + 1,
                                    .address = block.address };
  if (block.size <= DG_OBJECT_MAX
      && !dg_variables_named_site (shard->self->variables,
                                   whole->site)->has_cookie)
    recent->bytes = (uint32_t) block.size;
  return recent;
}

/* Of which object an access is, and where in it.  Heap blocks of unknown type
   are one object each.  */
static void
visit (struct dg_patterns_shard *shard, const struct dg_access *access,
       uint32_t number, const struct dg_whole *whole)
{
  struct dg_pattern_object_kind kind = {.site = number};
  uint64_t origin, offset;

  if (whole->thing) {
    kind.bytes = object_bytes (shard, number, whole->thing, access->icount);
    kind.is_typed = true;
    origin = whole->thing->origin;
  } else if (whole->owner == 0) {
    const struct recent_block *block = block_object (shard, whole);

    kind.bytes = block->bytes;
    origin = block->address;
  }
  if (kind.bytes == 0)
    return;
  offset = (access->address - origin) % kind.bytes;
  dg_pattern_visits_add (shard->visits, kind, access->address - offset,
                         (uint32_t) offset, access->size,
                         access->kind == DG_ACC_WRITE, shard->now);
}

/* ---- Slots ---- */

static void
lead (struct dg_pattern_slot_walk *slot, uint32_t site)
{
  if (slot->site_lead == 0)
    slot->site = site;
  slot->site_lead += slot->site == site ? 1 : -1;
}

static void
add_way (struct dg_pattern_chase *chase, enum dg_pattern_way way)
{
  chase->known += way != DG_WAY_UNKNOWN;
  chase->chased += way == DG_WAY_CHASED;
  chase->gathered += way == DG_WAY_GATHERED;
}

/* The move of a slot to an access; DG_MOVES: there is none.  */
static enum dg_pattern_move
move_slot (struct dg_patterns_shard *shard, struct dg_pattern_slot_walk *slot,
           const struct dg_access *access, enum dg_pattern_way way)
{
  enum dg_pattern_move move = DG_MOVES;
  int64_t bytes = (int64_t) (access->address - slot->last);

  if (slot->epoch == shard->epoch) {
    move = dg_pattern_move_of (slot->last, access->address, access->size,
                               slot->stride);
    dg_pattern_moves_add (&slot->moves, move, bytes);
    if (move != DG_MOVE_SAME)
      add_way (&slot->chase, way);
    slot->stride = bytes;
  } else {
    slot->epoch = shard->epoch;
    slot->stride = 0;
  }
  slot->last = access->address;
  return move;
}

/* With --mine: the number of a slot in the context of an access.  */
static uint32_t
called_number (struct dg_patterns_shard *shard, uint32_t slot,
               const struct dg_access *access)
{
  uint32_t hash = (access->context * 2654435761u ^ slot) * 2654435761u;
  struct called *known =
    &shard->worker->called[hash >> 16 & (CALLED_SLOTS - 1)];

  if (known->number == 0 || known->context != access->context
      || known->slot != slot) {
    known->context = access->context;
    known->slot = slot;
    known->number = dg_patterns_called (shard->self, slot, access) + 1;
  }
  return known->number - 1;
}

/* Counts lines when the cache replaces them.  Lines that are still in it at
   the end do not count, since more of their bytes might have been used.  */
static void
fetch (struct dg_patterns_worker *worker, uint32_t number, uint64_t address,
       uint32_t size)
{
  const uint32_t room =
    DG_PATTERN_LINE_BYTES - address % DG_PATTERN_LINE_BYTES;
  struct dg_pattern_slot_walk *slot;
  struct dg_pattern_line lost;

  if (G_UNLIKELY (size > room))
    fetch (worker, number, address + room, size - room);
  if (!dg_pattern_lines_use (worker->lines, address, size, number, &lost))
    return;
  slot = dg_pattern_sparse_find (&worker->slots, lost.slot);
  slot->fetches.lines++;
  slot->fetches.bytes += (unsigned) __builtin_popcountll (lost.used);
}

static void
take_access (struct dg_patterns_shard *shard, uint32_t number,
             unsigned entry, const struct dg_access *access)
{
  struct dg_patterns_worker *worker = shard->worker;
  struct dg_pattern_slot_walk *slot = dg_pattern_sparse_find (
    &worker->slots, shard->self->units == NULL
                      ? number
                      : called_number (shard, number, access));
  struct dg_whole whole;
  uint32_t place;
  int64_t bytes;
  bool is_stack = access->address - shard->stack_low
                  < shard->stack_high - shard->stack_low;
  enum dg_pattern_way way =
    dg_pattern_flow_access (worker->flow, number, entry, access, is_stack);
  enum dg_pattern_move move;

  shard->now++;
  if (slot->accesses++ == 0)
    slot->icount = access->icount;
  if (is_stack) {
    slot->stack++;
    return;
  }
  fetch (worker, slot->number, access->address, access->size);
  dg_finder_whole (worker->finder, access, &whole);
  bytes = (int64_t) (access->address - slot->last);
  move = move_slot (shard, slot, access, way);
  if (whole.site != 0) {
    struct dg_pattern_site_walk *sums =
      dg_pattern_sparse_find (&worker->sites, whole.site);

    if (access->kind == DG_ACC_READ)
      sums->reads++;
    else
      sums->writes++;
    if (move != DG_MOVES)
      dg_pattern_moves_add (&sums->moves, move, bytes);
    if (move != DG_MOVES && move != DG_MOVE_SAME)
      add_way (&sums->chase, way);
  }
  place = whole.owner != 0 ? DG_PLACE_VARIABLE | whole.owner : whole.site;
  if (place != 0) {
    slot->named++;
    visit (shard, access, place, &whole);
  }
  lead (slot, place);
}

/* ---- Shards ---- */

/* Blocks may have passed: numbers are those of other ones.  */
static void
forget_passed (struct dg_patterns_worker *worker, unsigned window)
{
  if (worker->window == window)
    return;
  worker->window = window;
  memset (worker->blocks, 0, sizeof worker->blocks);
}

void *
dg_patterns_shard_new (void *data, const struct dg_feed *feed, void *worker,
                       struct dg_error *err)
{
  struct dg_patterns_shard *shard = g_try_new0 (struct dg_patterns_shard, 1);

  if (!shard) {
    dg_error_nomem (err);
    return NULL;
  }
  shard->self = data;
  shard->worker = worker;
  shard->visits = dg_pattern_visits_new ();
  shard->seen = g_array_new (FALSE, FALSE, sizeof (struct dg_pattern_seen));
  shard->by_number = g_hash_table_new (NULL, NULL);
  shard->epoch = 1;
  dg_pattern_flow_state_forget (shard->worker->flow);
  dg_pattern_sparse_clear (&shard->worker->slots);
  dg_pattern_sparse_clear (&shard->worker->sites);
  memset (shard->worker->lines, 0, sizeof *shard->worker->lines);
  forget_passed (shard->worker, dg_block_window_number (shard->self->log));
  memset (shard->worker->kinds, 0, sizeof shard->worker->kinds);
  return shard;
}

/* Addresses of another thread are not gone on from.  */
static void
set_thread (struct dg_patterns_shard *shard, uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (shard->self->log, number);

  shard->thread = number;
  shard->epoch++;
  dg_pattern_flow_state_forget (shard->worker->flow);
  shard->stack_low = thread != NULL ? thread->stack_low : 0;
  shard->stack_high = thread != NULL ? thread->stack_high : 0;
}

static void
take_run (struct dg_patterns_shard *shard, const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  uint32_t definition = bbdef->number;
  uint32_t base = shard->self->bases[definition];

  /* Where something was left out, registers have changed.  */
  if (run->icount + run->first_instr != shard->next_icount)
    dg_pattern_flow_state_forget (shard->worker->flow);
  shard->next_icount = run->icount + run->n_instrs;
  dg_pattern_flow_begin (shard->worker->flow, bbdef);
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    struct dg_access access = {.icount = run->icount + slot->iseq,
                               .address = run->addresses[slot->entry],
                               .instruction =
                                 bbdef->instrs[slot->iseq].address,
                               .size = slot->size,
                               .context = run->context,
                               .thread = run->thread,
                               .kind = slot->kind};

    if (access.address != 0 && slot->iseq >= run->first_instr)
      take_access (shard, base + i, slot->entry, &access);
  }
  dg_pattern_flow_end (shard->worker->flow, run->n_instrs == bbdef->n_instrs
                       && run->n_slots == bbdef->n_slots);
}

/* Runs of a stretch: enough for strides and visits, whose first step in each
   is lost.  */
#define STRETCH 8192

/* Of --sample: one stretch of so many in a chunk, by the position in it, so
   that the workers do not matter.  */
static bool
is_left_out (const struct dg_patterns *self, const struct dg_feed *feed)
{
  return self->sample > 1
         && (feed->runs / STRETCH + feed->index) % self->sample != 0;
}

int
dg_patterns_shard_feed (void *self, void *data, const struct dg_feed *feed,
                        const struct dg_batch *batch, struct dg_error *err)
{
  struct dg_patterns_shard *shard = data;

  if (is_left_out (self, feed)) {
    shard->has_gap = true;
    return 0;
  }
  if (shard->has_gap) {
    set_thread (shard, batch->runs[0].thread);
    memset (shard->worker->lines, 0, sizeof *shard->worker->lines);
  }
  shard->has_gap = false;
  for (size_t i = 0; i < batch->n_runs; i++) {
    if (batch->runs[i].thread != shard->thread)
      set_thread (shard, batch->runs[i].thread);
    take_run (shard, &batch->runs[i]);
  }
  return shard->worker->slots.lacks || shard->worker->sites.lacks
             || dg_pattern_flow_state_lacks (shard->worker->flow)
           ? dg_error_nomem (err) : 0;
}

int
dg_patterns_shard_end (void *self, void *data, const struct dg_feed *feed,
                       struct dg_error *err)
{
  struct dg_patterns_shard *shard = data;

  dg_pattern_visits_end (shard->visits);
  /* The worker's lists are of use to the next shard.  */
  if (dg_table_copy (&shard->slots, &shard->worker->slots.items,
                     shard->worker->slots.item_size) < 0
      || dg_table_copy (&shard->sites, &shard->worker->sites.items,
                        shard->worker->sites.item_size) < 0)
    return dg_error_nomem (err);
  return 0;
}

void
dg_patterns_shard_free (void *self, void *data)
{
  struct dg_patterns_shard *shard = data;

  dg_table_fini (&shard->slots);
  dg_table_fini (&shard->sites);
  dg_pattern_visits_free (shard->visits);
  g_array_unref (shard->seen);
  g_hash_table_unref (shard->by_number);
  g_free (shard);
}

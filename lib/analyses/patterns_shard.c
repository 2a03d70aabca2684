/* patterns_shard.c: a chunk of the log, as `dg patterns` sees it: each slot's
   way through memory, each site's accesses, visits to objects.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_shard.h"

#include <string.h>

#include "dg_record.h"
#include "error.h"

/* A sample of addresses is remembered, with what came next.  */
#define SAMPLE_MASK 15
#define SUCCESSOR_SHIFT 13

/* ---- Workers ---- */

/* After this address of this slot came that one.  */
struct successor {
  uint32_t slot, chunk;
  uint64_t address, next;
};

struct dg_patterns_worker {
  struct dg_finder *finder;
  /* Only their memory is the worker's; what is in them is its shard's.  */
  struct dg_sparse slots, sites;
  struct successor successors[1u << SUCCESSOR_SHIFT];
  GArray *object_bytes; /* uint32_t: of each site + 1, 0: not asked */
};

void
dg_patterns_worker_free (void *self, void *data)
{
  struct dg_patterns_worker *worker = data;

  dg_finder_free (worker->finder);
  dg_sparse_fini (&worker->slots);
  dg_sparse_fini (&worker->sites);
  g_array_unref (worker->object_bytes);
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
  dg_sparse_init (&worker->slots, sizeof (struct dg_slot_walk));
  dg_sparse_init (&worker->sites, sizeof (struct dg_site_walk));
  worker->object_bytes = g_array_new (FALSE, TRUE, sizeof (uint32_t));
  worker->finder = dg_finder_new (self->variables, err);
  if (worker->finder)
    return worker;
  dg_patterns_worker_free (self, worker);
  return NULL;
}

/* ---- Objects ---- */

/* Bytes of the objects in the blocks of a site: by their type, else 0.  */
static uint32_t
object_bytes (const struct dg_patterns_shard *shard, uint32_t site)
{
  GArray *known = shard->worker->object_bytes;
  const struct dg_named *named;
  const struct dg_type *type = NULL;
  struct dg_stack stack;
  uint64_t bytes = 0;

  if (site >= known->len)
    g_array_set_size (known, site + site / 2 + 64);
  if (g_array_index (known, uint32_t, site) > 0)
    return g_array_index (known, uint32_t, site) - 1;
  named = dg_variables_site (shard->self->variables, site, &stack);
  if (named && named->type)
    type = dg_symbols_type (shard->self->symbols, named->type);
  if (type)
    bytes = dg_type_size (type);
  bytes = bytes > DG_OBJECT_MAX ? 0 : bytes;
  g_array_index (known, uint32_t, site) = (uint32_t) bytes + 1;
  return (uint32_t) bytes;
}

/* An access to the heap: of which object, and where in it.  Blocks of unknown
   type are one object each.  */
static void
visit (struct dg_patterns_shard *shard, const struct dg_access *access,
       uint32_t site, const struct dg_block *block)
{
  uint64_t offset = access->address - block->address;
  uint32_t bytes = object_bytes (shard, site);

  if (bytes == 0 && block->size <= DG_OBJECT_MAX)
    bytes = (uint32_t) block->size;
  if (bytes == 0)
    return;
  dg_visits_add (shard->visits,
                 (struct dg_object_kind){.site = site, .bytes = bytes},
                 access->address - offset % bytes, offset % bytes,
                 access->size, access->kind == DG_ACC_WRITE, shard->now);
}

/* ---- Slots ---- */

static void
lead (struct dg_slot_walk *slot, uint32_t site)
{
  if (slot->site_lead == 0)
    slot->site = site;
  slot->site_lead += slot->site == site ? 1 : -1;
}

/* Was this address, if it is of the sample, followed by the same one?  */
static void
ask_successor (struct dg_patterns_shard *shard, struct dg_slot_walk *slot,
               uint64_t next)
{
  uint64_t hash =
    (slot->last ^ (uint64_t) slot->number << 40) * 0x9e3779b97f4a7c15;
  struct successor *successor;

  if ((hash >> 20 & SAMPLE_MASK) != 0)
    return;
  successor = &shard->worker->successors[hash >> (64 - SUCCESSOR_SHIFT)];
  if (successor->chunk == shard->chunk && successor->slot == slot->number
      && successor->address == slot->last) {
    slot->chase.asked++;
    slot->chase.repeated += successor->next == next;
  }
  *successor = (struct successor){.slot = slot->number,
                                  .chunk = shard->chunk,
                                  .address = slot->last,
                                  .next = next};
}

static void
chase (struct dg_patterns_shard *shard, struct dg_slot_walk *slot,
       const struct dg_access *access, uint32_t block,
       const struct dg_block *blocks)
{
  unsigned word = dg_log_header (shard->self->log)->word_size;

  if (access->kind != DG_ACC_READ || access->size != word)
    return;
  slot->chase.loads++;
  ask_successor (shard, slot, access->address);
  if (block == slot->block || block == DG_NONE || slot->block == DG_NONE)
    return;
  slot->chase.hops++;
  slot->chase.hops_alike += access->address - blocks[block].address
                            == slot->last - blocks[slot->block].address;
}

/* The move of a slot to an access; DG_MOVES: there is none.  */
static enum dg_move
move_slot (struct dg_patterns_shard *shard, struct dg_slot_walk *slot,
           const struct dg_access *access, uint32_t block,
           const struct dg_block *blocks)
{
  enum dg_move move = DG_MOVES;
  int64_t bytes = (int64_t) (access->address - slot->last);

  if (slot->epoch == shard->epoch) {
    move =
      dg_move_of (slot->last, access->address, access->size, slot->stride);
    dg_moves_add (&slot->moves, move, bytes);
    if (move != DG_MOVE_SAME)
      chase (shard, slot, access, block, blocks);
    slot->stride = bytes;
  } else {
    slot->epoch = shard->epoch;
    slot->stride = 0;
  }
  slot->last = access->address;
  slot->block = block;
  return move;
}

static void
take_access (struct dg_patterns_shard *shard, uint32_t number,
             const struct dg_access *access)
{
  struct dg_patterns_worker *worker = shard->worker;
  struct dg_slot_walk *slot = dg_sparse_find (&worker->slots, number);
  const struct dg_block *blocks = shard->blocks;
  uint32_t block, site = 0;
  int64_t bytes;
  enum dg_move move;

  shard->now++;
  if (slot->accesses++ == 0)
    slot->icount = access->icount;
  if (access->address - shard->stack_low
      < shard->stack_high - shard->stack_low) {
    slot->stack++;
    return;
  }
  block = dg_finder_block (worker->finder, access);
  bytes = (int64_t) (access->address - slot->last);
  move = move_slot (shard, slot, access, block, blocks);
  if (block != DG_NONE)
    site = dg_finder_site (worker->finder, access);
  if (site != 0) {
    struct dg_site_walk *sums = dg_sparse_find (&worker->sites, site);

    slot->heap++;
    if (access->kind == DG_ACC_READ)
      sums->reads++;
    else
      sums->writes++;
    if (move != DG_MOVES)
      dg_moves_add (&sums->moves, move, bytes);
    visit (shard, access, site, &blocks[block]);
  }
  lead (slot, site);
}

/* ---- Shards ---- */

void *
dg_patterns_shard_new (void *data, const struct dg_feed *feed, void *worker,
                       struct dg_error *err)
{
  struct dg_patterns_shard *shard = g_try_new0 (struct dg_patterns_shard, 1);
  size_t n_blocks;

  if (!shard) {
    dg_error_nomem (err);
    return NULL;
  }
  shard->self = data;
  shard->worker = worker;
  shard->visits = dg_visits_new ();
  shard->chunk = feed->index + 1;
  shard->epoch = 1;
  shard->blocks = dg_log_blocks (shard->self->log, &n_blocks);
  g_array_set_size (shard->worker->slots.items, 0);
  g_array_set_size (shard->worker->sites.items, 0);
  return shard;
}

/* Addresses of another thread are not gone on from.  */
static void
set_thread (struct dg_patterns_shard *shard, uint32_t number)
{
  const struct dg_thread *thread = dg_log_thread (shard->self->log, number);

  shard->thread = number;
  shard->epoch++;
  shard->stack_low = thread != NULL ? thread->stack_low : 0;
  shard->stack_high = thread != NULL ? thread->stack_high : 0;
}

static void
take_run (struct dg_patterns_shard *shard, const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  uint32_t definition = dg_log_context (shard->self->log, run->context)->bbdef;
  uint32_t base = shard->self->bases[definition];

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
      take_access (shard, base + i, &access);
  }
}

int
dg_patterns_shard_feed (void *self, void *data, const struct dg_feed *feed,
                        const struct dg_batch *batch, struct dg_error *err)
{
  struct dg_patterns_shard *shard = data;

  for (size_t i = 0; i < batch->n_runs; i++) {
    if (batch->runs[i].thread != shard->thread)
      set_thread (shard, batch->runs[i].thread);
    take_run (shard, &batch->runs[i]);
  }
  return 0;
}

/* The worker's lists are of use to the next shard.  */
static GArray *
copy_items (const GArray *items)
{
  GArray *copy = g_array_sized_new (
    FALSE, FALSE, g_array_get_element_size ((void *) items), items->len);

  if (items->len > 0)
    g_array_append_vals (copy, items->data, items->len);
  return copy;
}

int
dg_patterns_shard_end (void *self, void *data, const struct dg_feed *feed,
                       struct dg_error *err)
{
  struct dg_patterns_shard *shard = data;

  dg_visits_end (shard->visits);
  shard->slots = copy_items (shard->worker->slots.items);
  shard->sites = copy_items (shard->worker->sites.items);
  return 0;
}

void
dg_patterns_shard_free (void *self, void *data)
{
  struct dg_patterns_shard *shard = data;

  if (shard->slots)
    g_array_unref (shard->slots);
  if (shard->sites)
    g_array_unref (shard->sites);
  dg_visits_free (shard->visits);
  g_free (shard);
}

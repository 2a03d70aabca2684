/* sharing_feed.c: accesses of shards: those to shared lines are counted, and
   followed from thread to thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <dg_record.h>

#include "base/error.h"
#include "variables/contention.h"

/* ---- Lines -------------------------------------------------------------- */

/* The bits of a line that are touched by bytes first to last of it.  */
static uint64_t
line_bits (unsigned shift, uint64_t first, uint64_t last)
{
  int scale = (int) shift - 6;

  if (scale > 0) {
    first >>= scale;
    last >>= scale;
  }
  return (last == 63 ? UINT64_MAX : ((uint64_t) 1 << (last + 1)) - 1)
         & -((uint64_t) 1 << first);
}

/* The phase of the thread that an access is by.  */
static inline uint32_t
phase_of (struct sharing_worker *worker, const struct dg_access *access)
{
  if (G_UNLIKELY (worker->phase_thread != access->thread
                  || access->icount < worker->phase_since
                  || access->icount >= worker->phase_until)) {
    worker->phase_thread = access->thread;
    worker->phase =
      dg_phases_at (worker->sharing->phases, access->thread, access->icount,
                    &worker->phase_since, &worker->phase_until);
  }
  return worker->phase;
}

/* An access to bytes of one line, which is shared.  */
static void
follow_line (struct sharing_shard *shard, const struct dg_access *access,
             uint64_t line, uint64_t first, uint64_t last)
{
  unsigned shift = shard->worker->sharing->shared_lines.line_shift;
  unsigned scale = shift > 6 ? shift - 6 : 0;
  bool is_write = access->kind == DG_ACC_WRITE;
  struct dg_spot spot = { .line = line, .thread = access->thread,
                          .phase = phase_of (shard->worker, access),
                          .first = (uint8_t) (first >> scale),
                          .last = (uint8_t) (last >> scale),
                          .reads = !is_write, .writes = is_write };

  struct sharing_touch touch = {
    .line = line, .bytes = line_bits (shift, first, last),
    .icount = access->icount, .since = shard->turns.since,
    .thread = access->thread, .is_write = is_write };

  sharing_lines_access (&shard->lines, &touch);
  if (dg_contention_add (shard->contention, &spot) < 0)
    shard->failed = true;
}

static void
follow_lines (struct sharing_worker *worker, struct sharing_shard *shard,
              const struct dg_access *access)
{
  const struct dg_shared_lines *shared_lines = &worker->sharing->shared_lines;
  unsigned shift = shared_lines->line_shift;
  uint64_t size = (uint64_t) 1 << shift;
  uint64_t address = access->address;
  uint64_t end = access->size > UINT64_MAX - address
                   ? UINT64_MAX : address + access->size;

  while (address < end) {
    uint64_t line = address >> shift;
    uint64_t first = address & (size - 1);
    uint64_t n = MIN (end - address, size - first);
    uint64_t shared =
      dg_shared_lines_page (shared_lines, address >> shared_lines->page_shift);

    if (shared >> (line & (DG_SHARED_PAGE_LINES - 1)) & 1)
      follow_line (shard, access, line, first, first + n - 1);
    if (address > UINT64_MAX - n)
      break;
    address += n;
  }
}

/* ---- Runs --------------------------------------------------------------- */

static inline const struct sharing_recent *
look_up (struct sharing_worker *worker, uint64_t page)
{
  struct sharing_recent *recent = &worker->recent[page % SHARING_PAGES];

  if (G_UNLIKELY (recent->page != page)) {
    const struct sharing *sharing = worker->sharing;
    unsigned shift = sharing->shared_lines.page_shift;

    recent->page = page;
    recent->shared = dg_shared_lines_page (&sharing->shared_lines, page);
    recent->is_stack =
      dg_thread_stacks_any (sharing->stacks, page << shift,
                            (page << shift) + ((uint64_t) 1 << shift) - 1);
  }
  return recent;
}

/* The stack of a thread, of which most threads use no more than that.  */
static __attribute__ ((noinline)) void
set_own (struct sharing_worker *worker, const struct dg_run *run)
{
  struct dg_thread_stack *own = &worker->own;

  dg_thread_stacks_find (worker->sharing->stacks, run->thread, run->icount,
                         own);
  worker->others_touch_own
    = dg_shared_lines_any (&worker->sharing->shared_lines, own->low,
                           own->low + own->size);
}

static void
take_run (struct sharing_worker *worker, struct sharing_shard *shard,
          const struct dg_run *run)
{
  const struct dg_shared_lines *shared_lines = &worker->sharing->shared_lines;
  const struct dg_bbdef *bbdef = run->bbdef;
  unsigned line_shift = shared_lines->line_shift;
  unsigned page_shift = shared_lines->page_shift;
  unsigned first = 0;
  uint64_t own_low, own_size;

  if (G_UNLIKELY (
        !dg_thread_stack_is (&worker->own, run->thread, run->icount)))
    set_own (worker, run);
  own_low = worker->own.low;
  own_size = worker->others_touch_own ? 0 : worker->own.size;
  while (first < run->n_slots && bbdef->slots[first].iseq < run->first_instr)
    first++;
  for (unsigned i = first; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry];
    const struct sharing_recent *recent;
    uint64_t last;
    bool is_shared, straddles;

    if (address == 0)
      continue;
    worker->accesses++;
    if (address - own_low < own_size)
      continue;
    recent = look_up (worker, address >> page_shift);
    is_shared =
      recent->shared >> (address >> line_shift & (DG_SHARED_PAGE_LINES - 1))
      & 1;
    last = address + slot->size - 1;
    straddles = shard != NULL
                && address >> line_shift != last >> line_shift;
    if (G_UNLIKELY (is_shared || straddles)) {
      struct dg_access access = {
        .icount = run->icount + slot->iseq,
        .address = address,
        .instruction = bbdef->instrs[slot->iseq].address,
        .size = slot->size,
        .context = run->context,
        .thread = run->thread,
        .kind = slot->kind,
      };

      if (is_shared)
        sharing_worker_count (worker, &access, recent->is_stack);
      if (shard != NULL)
        follow_lines (worker, shard, &access);
    }
  }
}

/* Without addresses, all that counts is how many there were.  */
static void
take_heads (struct sharing_worker *worker, const struct dg_batch *batch)
{
  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];
    const uint64_t times = batch->times != NULL ? batch->times[i] : 1;

    if (run->addresses == NULL && run->first_instr == 0) {
      worker->accesses += times * run->n_slots;
      continue;
    }
    for (unsigned k = 0; k < run->n_slots; k++)
      if (run->bbdef->slots[k].iseq >= run->first_instr
          && (run->addresses == NULL
              || run->addresses[run->bbdef->slots[k].entry] != 0))
        worker->accesses += times;
  }
}

/* ---- Shards ------------------------------------------------------------- */

void *
sharing_shard_new (void *self, const struct dg_feed *feed, void *worker,
                   struct dg_error *err)
{
  struct sharing *sharing = self;
  struct sharing_shard *shard = g_try_new0 (struct sharing_shard, 1);

  if (shard != NULL && sharing->wants_false) {
    shard->contention = dg_contention_new (0);
    if (shard->contention == NULL)
      g_clear_pointer (&shard, g_free);
  }
  if (shard == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  shard->worker = worker;
  sharing_worker_begin (worker, feed->first_icount);
  shard->lines.is_part = true;
  return shard;
}

int
sharing_shard_feed (void *self, void *data, const struct dg_feed *feed,
                    const struct dg_batch *batch, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct sharing_shard *shard = data;
  struct sharing_worker *worker = shard->worker;
  uint64_t before = worker->accesses;

  (void) feed;
  if (sharing->variables == NULL) {
    take_heads (worker, batch);
    return 0;
  }
  sharing_worker_pause (worker);
  for (size_t i = 0; i < batch->n_runs; i++) {
    if (sharing->wants_false)
      sharing_turns_run (&shard->turns, &worker->ends, &batch->runs[i]);
    take_run (worker, sharing->wants_false ? shard : NULL, &batch->runs[i]);
  }
  worker->in_cells += worker->accesses - before;
  if (shard->failed || shard->turns.failed || worker->cells.failed
      || worker->counts.failed)
    return dg_error_nomem (err);
  return 0;
}

/* Shards may have to wait until those before them are merged.  */
int
sharing_shard_end (void *self, void *data, const struct dg_feed *feed,
                   struct dg_error *err)
{
  struct sharing_shard *shard = data;

  (void) self;
  (void) feed;
  sharing_worker_end (shard->worker);
  if (shard->contention != NULL
      && dg_contention_close (shard->contention) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
sharing_shard_merge (void *self, void *data, const struct dg_feed *feed,
                     struct dg_error *err)
{
  struct sharing *sharing = self;
  struct sharing_shard *shard = data;

  (void) feed;
  sharing_lines_append (&sharing->lines, &shard->lines, &sharing->turns,
                        sharing->log);
  sharing_turns_append (&sharing->turns, &shard->turns);
  if (sharing->lines.failed || sharing->turns.failed
      || (sharing->contention != NULL
          && dg_contention_take (sharing->contention, shard->contention) < 0))
    return dg_error_nomem (err);
  return 0;
}

void
sharing_shard_free (void *self, void *data)
{
  struct sharing_shard *shard = data;

  (void) self;
  sharing_lines_fini (&shard->lines);
  sharing_turns_fini (&shard->turns);
  dg_contention_free (shard->contention);
  g_free (shard);
}

/* pages_feed.c: the accesses of a chunk, and what happens to heap blocks
   meanwhile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/error.h"
#include "pages.h"
#include "variables/frames.h"

/* ---- Heap blocks ---- */

/* Bytes of the block leave or begin: what was touched of them is of another.
   The lines of the block in one leaf.  */
static int
change_leaf (const struct pages *self, struct pages_shard *shard,
             uint32_t index, const struct dg_block_extent *block,
             bool is_free, struct pages_leaf *leaf)
{
  const unsigned shift = self->line_shift;
  uint64_t low, high;

  pages_block_lines (self, block, leaf->number, &low, &high);
  for (uint64_t line = low; line <= high; line++) {
    const size_t i = line & (PAGES_LEAF - 1);
    struct pages_hot *hot = &leaf->lines[i];
    const uint64_t bits = pages_bits (line << shift, 1u << shift,
                                      block->address,
                                      block->address + block->size);

    if ((hot->now & bits) == 0)
      continue;
    if (is_free) {
      struct pages_closure *closure = dg_table_add (&shard->closures,
                                                    sizeof *closure);

      if (!closure)
        return DG_ERR_NOMEM;
      *closure = (struct pages_closure) {
        .line = line, .now = hot->now, .block = index
      };
    }
    leaf->used[i] |= hot->now;
    hot->now &= ~bits;
  }
  return 0;
}

static int
change_owner (const struct pages *self, struct pages_shard *shard,
              uint32_t index, bool is_free)
{
  const struct dg_block_extent block =
    dg_log_block_extent (self->heap.log, index);
  struct dg_shadow_walk walk;
  struct pages_leaf *leaf;
  uint64_t first, last;
  int code = 0;

  if (!pages_block_leaves (self, &block, &first, &last))
    return 0;
  if (!dg_shadow_ascending (&shard->worker->leaves, first, last, &walk))
    return DG_ERR_NOMEM;
  while ((leaf = dg_shadow_next (&walk)) != NULL)
    if (code == 0)
      code = change_leaf (self, shard, index, &block, is_free, leaf);
  return code;
}

int
pages_shard_events (const struct pages *self, struct pages_shard *shard,
                    uint64_t icount)
{
  while (shard->when < icount) {
    bool is_free;
    const uint32_t block = pages_heap_next (&self->heap, &shard->cursor,
                                            &is_free);

    if (change_owner (self, shard, block, is_free) < 0)
      return DG_ERR_NOMEM;
    shard->when = pages_heap_when (&self->heap, &shard->cursor);
  }
  return 0;
}

/* ---- Accesses ---- */

/* The part of an interval that the chunk is in.  */
struct at {
  const struct pages *self;
  struct pages_shard *shard;
  struct pages_part *part;
  uint32_t stamp;          /* of the part */
};

/* The first touch of a line in this interval.  */
static __attribute__ ((noinline)) int
visit (const struct at *at, const struct dg_run *run, unsigned iseq,
       uint64_t line, bool is_first)
{
  struct pages_visit *new = dg_table_add (&at->shard->visits, sizeof *new);

  if (!new)
    return DG_ERR_NOMEM;
  *new = (struct pages_visit) {
    .line = line, .icount = run->icount + iseq,
    .context = run->context, .thread = run->thread,
    .iseq = (uint8_t) iseq, .is_first = is_first
  };
  return 0;
}

/* `leaves` are the worker's: that they are an argument keeps them in a
   register.  */
static inline __attribute__ ((always_inline)) int
touch (const struct at *at, struct dg_shadow *leaves,
       const struct dg_run *run, unsigned iseq, uint64_t line, uint64_t bits)
{
  struct pages_leaf *leaf = dg_shadow_get (leaves, line >> PAGES_LEAF_SHIFT);
  struct pages_hot *hot;

  if (G_UNLIKELY (!leaf))
    return DG_ERR_NOMEM;
  hot = &leaf->lines[line & (PAGES_LEAF - 1)];
  hot->now |= bits;
  hot->last = run->icount + iseq;
  hot->context = run->context;
  hot->iseq = (uint8_t) iseq;
  hot->count++;
  if (G_LIKELY (hot->stamp == at->stamp))
    return 0;
  bits = hot->stamp;
  hot->stamp = at->stamp;
  return visit (at, run, iseq, line, bits == 0);
}

/* Of several lines, or around the end of memory.  */
static __attribute__ ((noinline)) int
touch_several (const struct at *at, const struct dg_run *run, unsigned iseq,
               uint64_t address, uint64_t size)
{
  struct dg_shadow *leaves = &at->shard->worker->leaves;
  const unsigned shift = at->self->line_shift;
  const uint64_t line_size = UINT64_C (1) << shift;

  while (size > 0) {
    const uint64_t within = address & (line_size - 1);
    const uint64_t here = MIN (size, line_size - within);
    const uint64_t bits = here >= 64 ? UINT64_MAX
                                     : (UINT64_C (1) << here) - 1;

    if (touch (at, leaves, run, iseq, address >> shift, bits << within) < 0)
      return DG_ERR_NOMEM;
    address = (address + here) & at->self->address_mask;
    size -= here;
  }
  return 0;
}

/* A run, of which the first slots may be left out.  Constants make it short:
   the shift of a line, and that nothing happens to blocks meanwhile.  */
static inline __attribute__ ((always_inline)) int
feed_run (const struct at *at, const struct dg_run *run, unsigned shift,
          bool has_events)
{
  struct dg_shadow *leaves = &at->shard->worker->leaves;
  const uint64_t line_size = UINT64_C (1) << shift;
  const uint64_t *addresses = run->addresses;
  const struct dg_slot *slot = run->bbdef->slots;
  const struct dg_slot *end = slot + run->n_slots;

  if (G_UNLIKELY (run->first_instr > 0))
    while (slot < end && slot->iseq < run->first_instr)
      slot++;
  at->part->accesses += (uint64_t) (end - slot);
  for (; slot < end; slot++) {
    const uint64_t address = addresses[slot->entry];
    const unsigned size = slot->size, iseq = slot->iseq;
    const uint64_t within = address & (line_size - 1);
    int code;

    if (G_UNLIKELY (address == 0)) {
      at->part->accesses--;
      continue;
    }
    if (has_events
        && pages_shard_events (at->self, at->shard,
                               run->icount + iseq + 1) < 0)
      return DG_ERR_NOMEM;
    if (G_LIKELY (size - 1 < 63 && within + size <= line_size))
      code = touch (at, leaves, run, iseq, address >> shift,
                    UINT64_MAX >> (64 - size) << within);
    else
      code = touch_several (at, run, iseq, address, MAX (size, 1));
    if (G_UNLIKELY (code < 0))
      return code;
  }
  return 0;
}

static __attribute__ ((noinline)) int
feed_any_run (const struct at *at, const struct dg_run *run)
{
  return feed_run (at, run, at->self->line_shift, true);
}

/* The interval of an icount, which may be a new one.  */
static int
enter (struct at *at, uint64_t interval)
{
  struct dg_table *parts = &at->shard->parts;

  at->part = parts->n > 0 ? (struct pages_part *) parts->items + parts->n - 1
                          : NULL;
  if (!at->part || at->part->interval != interval) {
    at->part = dg_table_add (parts, sizeof *at->part);
    if (!at->part)
      return DG_ERR_NOMEM;
    at->part->interval = interval;
    at->part->visits = at->shard->visits.n;
  }
  at->stamp = (uint32_t) parts->n;
  return 0;
}

int
pages_shard_feed (void *data, void *shard_data, const struct dg_feed *feed,
                  const struct dg_batch *batch, struct dg_error *err)
{
  const struct pages *self = data;
  struct pages_shard *shard = shard_data;
  struct at at = { .self = self, .shard = shard };
  uint64_t begin = 0, span = 0;        /* icounts: of the interval */
  int code = 0;

  for (size_t i = 0; i < batch->n_runs && code == 0; i++) {
    const struct dg_run *run = &batch->runs[i];

    /* A batch is of one of the command's intervals.  */
    if (G_UNLIKELY (run->icount - begin >= span)) {
      const uint64_t before = run->icount / self->span;

      begin = self->has_intervals ? 0 : before * self->span;
      span = self->has_intervals ? DG_NEVER : self->span;
      code = enter (&at, self->has_intervals ? batch->interval : before + 1);
    }
    if (code == 0)
      code = self->line_shift == PAGES_LINE_SHIFT
                 && shard->when >= run->icount + run->n_instrs
               ? feed_run (&at, run, PAGES_LINE_SHIFT, false)
               : feed_any_run (&at, run);
    if (shard->frames)
      dg_frame_chunk_run (shard->frames, run);
  }
  return code < 0 ? dg_error_nomem (err) : 0;
}

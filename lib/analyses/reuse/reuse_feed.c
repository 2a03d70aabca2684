/* reuse_feed.c: feeds the accesses of a chunk to its LRU stack.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse.h"

#include <string.h>

#include "base/error.h"

/* Counting bits is an instruction of most processors, but not of all that we
   are compiled for.  */
#if defined __x86_64__ && defined __GNUC__
#define HAS_VARIANTS 1
#define FAST __attribute__ ((target ("popcnt")))
#else
#define HAS_VARIANTS 0
#endif

#define ALWAYS inline __attribute__ ((always_inline))

/* The access at hand.  */
struct at {
  struct reuse_shard *shard;
  struct reuse_part *part;
  struct dg_reuse_stack *stack;
  const struct dg_run *run;
  const struct dg_slot *slot;
  uint64_t address;
  uint64_t *row;           /* of code, thread, variable ... */
  uint32_t number;         /* of the row, if it is not code's */
  uint64_t interval;
};

/* ---- What is rare ---- */

void
reuse_sums_count (struct reuse_sums *sums,
                  const struct dg_reuse_sample *sample, uint32_t distance)
{
  unsigned i = 0;

  while (i < sample->n_edges && sample->edges[i] <= distance)
    i++;
  sums->edges[i]++;
  if (distance == DG_REUSE_COLD) {
    sums->cold++;
  } else {
    sums->sum += distance;
    sums->buckets[dg_reuse_bucket (distance)]++;
  }
}

void
reuse_far_add (struct reuse_far *far, const struct dg_log *log,
               const struct reuse_touch *touch)
{
  const uint32_t bbdef = dg_log_context (log, touch->context).bbdef;

  far->n += far->n < UINT32_MAX;
  if (far->lead == 0) {
    far->bbdef = bbdef;
    far->iseq = touch->iseq;
    far->lead = 1;
  } else if (far->bbdef == bbdef && far->iseq == touch->iseq) {
    far->lead += far->lead < UINT32_MAX;
  } else {
    far->lead--;
  }
  far->latest = *touch;
}

void
reuse_far_merge (struct reuse_far *far, const struct reuse_far *other)
{
  far->n = far->n > UINT32_MAX - other->n ? UINT32_MAX : far->n + other->n;
  far->latest = other->latest;
  if (far->lead > 0 && far->bbdef == other->bbdef
      && far->iseq == other->iseq) {
    far->lead = far->lead > UINT32_MAX - other->lead
                  ? UINT32_MAX : far->lead + other->lead;
  } else if (far->lead >= other->lead) {
    far->lead -= other->lead;
  } else {
    far->bbdef = other->bbdef;
    far->iseq = other->iseq;
    far->lead = other->lead - far->lead;
  }
}

static struct reuse_touch
touch_of (const struct at *at)
{
  return (struct reuse_touch) {
    .icount = at->run->icount + at->slot->iseq,
    .address = at->address,
    .context = at->run->context,
    .thread = at->run->thread,
    .iseq = at->slot->iseq
  };
}

/* A line was touched again after many others.  */
static __attribute__ ((noinline)) int
note_far (const struct at *at, uint32_t id)
{
  struct reuse_lane *lane = at->part->lane;
  const struct reuse_touch touch = touch_of (at);
  struct reuse_chunk_far *far;

  if (!DG_ARRAY_ROOM_ZERO (lane->far_of, lane->room, id))
    return DG_ERR_NOMEM;
  if (lane->far_of[id] == 0) {
    far = dg_table_add (&at->part->fars, sizeof *far);
    if (!far)
      return DG_ERR_NOMEM;
    far->id = id;
    lane->far_of[id] = (uint32_t) at->part->fars.n;
  }
  far = (struct reuse_chunk_far *) at->part->fars.items
        + (lane->far_of[id] - 1);
  reuse_far_add (&far->far, at->shard->worker->self->log, &touch);
  return 0;
}

/* The first touch of a line in the chunk.  NULL: no memory.  */
static __attribute__ ((noinline)) struct reuse_first *
note_first (const struct at *at, uint64_t line)
{
  struct reuse_part *part = at->part;
  struct dg_reuse_line *entry = dg_table_add (&part->lines, sizeof *entry);
  struct reuse_first *first = dg_table_add (&part->firsts, sizeof *first);

  /* Any distance is less than the lines that there are.  */
  if (!entry || !first
      || dg_reuse_hist_room (&at->shard->worker->hist, at->stack->n + 1) < 0)
    return NULL;
  entry->line = line;
  entry->first = part->accesses;
  first->touch = touch_of (at);
  first->interval = at->interval;
  first->number = at->number;
  return first;
}

/* ---- Each access ---- */

/* A reuse that is known.  */
static ALWAYS void
count (const struct at *at, uint32_t distance, uint32_t time)
{
  struct reuse_worker *worker = at->shard->worker;

  dg_reuse_hist_count (&worker->hist, distance, time - 1);
  at->row[REUSE_SUM] += distance;
  at->row[REUSE_FAR] += distance >= worker->self->far_edge;
  if (G_UNLIKELY (at->shard->sums != NULL))
    reuse_sums_count (at->shard->sums, &worker->self->sample, distance);
}

/* How many lines the access is of.  Of more bytes than a line has, which save
   all registers at once: the first ones, as cachegrind has it.  */
static inline uint64_t
lines_of (const struct at *at)
{
  const unsigned shift = at->shard->worker->self->line_shift;
  const uint64_t bytes = UINT64_C (1) << shift;
  const uint64_t last = (at->address & (bytes - 1))
                        + CLAMP (at->slot->size, 1, bytes) - 1;

  return (last >> shift) + 1;
}

/* What is rare of an access of one line, which was touched: slot is NULL
   without memory.  */
static __attribute__ ((noinline)) int
touch_rare (const struct at *at, const struct dg_reuse_slot *slot,
            uint32_t distance, uint32_t time)
{
  const struct reuse *self = at->shard->worker->self;

  if (!slot)
    return DG_ERR_NOMEM;
  if (distance == DG_REUSE_COLD)
    return note_first (at, at->address >> self->line_shift)
             ? 0 : DG_ERR_NOMEM;
  count (at, distance, time);
  return distance >= self->far_edge ? note_far (at, slot->id) : 0;
}

/* One of several lines, ascending, as caches are asked for them: all are
   touched, and the access is as far as the farthest.  */
static __attribute__ ((noinline)) int
touch_several (const struct at *at)
{
  const struct reuse *self = at->shard->worker->self;
  const uint64_t line = at->address >> self->line_shift;
  const uint64_t n = lines_of (at);
  const size_t before = at->part->firsts.n;
  uint32_t largest = 0, longest = 0;
  struct reuse_first *first;

  for (uint64_t i = 0; i < n; i++) {
    const uint64_t here = (line + i) & self->line_mask;
    uint32_t distance, time;
    struct dg_reuse_slot *slot
      = dg_reuse_stack_touch (at->stack, here, at->part->accesses, &distance,
                              &time);

    if (!slot)
      return DG_ERR_NOMEM;
    if (distance == DG_REUSE_COLD) {
      if (!(first = note_first (at, here)))
        return DG_ERR_NOMEM;
      first->is_joined = true;
      continue;
    }
    largest = MAX (largest, distance);
    longest = MAX (longest, time);
    if (distance >= self->far_edge && note_far (at, slot->id) < 0)
      return DG_ERR_NOMEM;
  }
  at->shard->worker->hist.straddles += n > 1;
  if (at->part->firsts.n == before) {
    count (at, largest, longest);
  } else {
    first = (struct reuse_first *) at->part->firsts.items
            + (at->part->firsts.n - 1);
    first->is_joined = false;
    first->distance = largest;
    first->time = longest;
  }
  return 0;
}

/* Of a sample, each line of an access counts, if it is in the sample.  */
static __attribute__ ((noinline)) int
touch_sampled (const struct at *at)
{
  struct reuse_worker *worker = at->shard->worker;
  const struct reuse *self = worker->self;
  const uint64_t line = at->address >> self->line_shift;
  const uint64_t n = lines_of (at);

  worker->hist.straddles += n > 1;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t here = (line + i) & self->line_mask;
    const uint64_t dice = dg_reuse_dice (here);
    uint32_t distance, time;
    struct dg_reuse_slot *slot;

    at->part->accesses++;
    worker->hist.accesses++;
    at->row[REUSE_ACCESSES]++;
    if (at->shard->sums)
      at->shard->sums->accesses++;
    if (!dg_reuse_is_sampled (&self->sample, dice))
      continue;
    slot = dg_reuse_stack_touch (at->stack, here, at->part->accesses,
                                 &distance, &time);
    if (!slot)
      return DG_ERR_NOMEM;
    if (distance == DG_REUSE_COLD) {
      if (!note_first (at, here))
        return DG_ERR_NOMEM;
      continue;
    }
    count (at, distance, time);
    dg_reuse_hist_group (&worker->hist, &self->sample, dice, distance);
    if (distance >= self->far_edge && note_far (at, slot->id) < 0)
      return DG_ERR_NOMEM;
  }
  return 0;
}

/* The row of an access that is not by code.  */
static __attribute__ ((noinline)) void
find_row (struct at *at)
{
  const struct reuse_worker *worker = at->shard->worker;
  const struct dg_access access = {
    .icount = at->run->icount + at->slot->iseq,
    .address = at->address,
    .instruction = at->run->bbdef->instrs[at->slot->iseq].address,
    .size = at->slot->size,
    .context = at->run->context,
    .thread = at->run->thread,
    .kind = at->slot->kind
  };

  at->number = worker->self->by == DG_BY_VARIABLE
                 ? dg_finder_variable (worker->finder, &access)
               : worker->self->by == DG_BY_SITE
                 ? dg_finder_site (worker->finder, &access)
               : worker->self->by == DG_BY_THREAD ? at->run->thread : 0;
  at->row = dg_sums_number (worker->sums, at->number);
}

/* One that counts as a whole.  */
static ALWAYS int
touch_whole (const struct at *at)
{
  const struct reuse *self = at->shard->worker->self;
  uint32_t distance, time;
  struct dg_reuse_slot *slot;

  at->row[REUSE_ACCESSES]++;
  if (lines_of (at) > 1)
    return touch_several (at);
  slot = dg_reuse_stack_touch (at->stack, at->address >> self->line_shift,
                               at->part->accesses, &distance, &time);
  return touch_rare (at, slot, distance, time);
}

/* Those of any rows, of a sample, or with intervals.  */
static __attribute__ ((noinline)) int
feed_run (struct at *at)
{
  struct reuse_worker *worker = at->shard->worker;
  const struct reuse *self = worker->self;
  const struct dg_run *run = at->run;
  const bool is_code = dg_by_is_code (self->by);
  const struct dg_slot *end = run->bbdef->slots + run->n_slots;

  for (at->slot = run->bbdef->slots; at->slot < end; at->slot++) {
    int code;

    at->address = run->addresses[at->slot->entry];
    if (at->address == 0 || at->slot->iseq < run->first_instr)
      continue;
    if (is_code)
      at->row = dg_sums_code (worker->sums, run->bbdef->number, run->context,
                              run->icount)
                + (size_t) at->slot->iseq * REUSE_N;
    else
      find_row (at);
    if (self->sample.rate < 1) {
      code = touch_sampled (at);
    } else {
      code = touch_whole (at);
      at->part->accesses++;
      worker->hist.accesses++;
      if (at->shard->sums)
        at->shard->sums->accesses++;
    }
    if (code < 0)
      return code;
  }
  return 0;
}

/* The usual ones: all lines, by code, without intervals.  */
static ALWAYS int
feed_run_fast (struct at *at)
{
  struct dg_breakdown_sums *sums = at->shard->worker->sums;
  struct dg_reuse_hist *hist = &at->shard->worker->hist;
  struct dg_reuse_stack *stack = at->stack;
  const struct dg_run *run = at->run;
  const unsigned shift = at->shard->worker->self->line_shift;
  const uint32_t far_edge = at->shard->worker->self->far_edge;
  const uint64_t within = (UINT64_C (1) << shift) - 1;
  const struct dg_slot *slot = run->bbdef->slots, *end = slot + run->n_slots;
  uint64_t *rows = dg_sums_code (sums, run->bbdef->number, run->context,
                                 run->icount);
  const uint32_t before = at->part->accesses;
  uint32_t access = before;
  int code = 0;

  while (G_UNLIKELY (slot < end && slot->iseq < run->first_instr))
    slot++;
  for (; slot < end && code == 0; slot++) {
    const uint64_t address = run->addresses[slot->entry];
    uint64_t *row = rows + (size_t) slot->iseq * REUSE_N;
    const bool is_one = (address & within) + slot->size - 1 <= within;
    struct dg_reuse_slot *line = NULL;
    uint32_t distance = DG_REUSE_COLD, time = 0;

    if (address == 0)
      continue;
    row[REUSE_ACCESSES]++;
    if (G_LIKELY (is_one))
      line = dg_reuse_stack_touch (stack, address >> shift, access, &distance,
                                   &time);
    if (G_LIKELY (distance < far_edge)) {
      dg_reuse_hist_count (hist, distance, time - 1);
      row[REUSE_SUM] += distance;
    } else {
      at->slot = slot;
      at->address = address;
      at->row = row;
      at->part->accesses = access;
      code = is_one ? touch_rare (at, line, distance, time)
                    : touch_several (at);
    }
    access++;
  }
  at->part->accesses = access;
  hist->accesses += access - before;
  return code;
}

static ALWAYS int
feed_runs (struct at *at, const struct dg_batch *batch)
{
  const struct reuse *self = at->shard->worker->self;
  const bool is_usual = dg_by_is_code (self->by) && self->sample.rate >= 1
                        && !at->shard->sums;
  int code = 0;

  for (size_t i = 0; i < batch->n_runs && code == 0; i++) {
    at->run = &batch->runs[i];
    code = is_usual ? feed_run_fast (at) : feed_run (at);
  }
  return code;
}

static int
feed_plain (struct at *at, const struct dg_batch *batch)
{
  return feed_runs (at, batch);
}

#if HAS_VARIANTS
static FAST int
feed_fast (struct at *at, const struct dg_batch *batch)
{
  return feed_runs (at, batch);
}
#endif

/* ---- Batches ---- */

static struct reuse_part *
part_new (struct reuse_shard *shard, uint32_t thread)
{
  GPtrArray *lanes = shard->worker->lanes;
  struct reuse_part *part = g_new0 (struct reuse_part, 1);

  part->thread = thread;
  if (shard->parts->len == lanes->len)
    g_ptr_array_add (lanes, g_new0 (struct reuse_lane, 1));
  part->lane = g_ptr_array_index (lanes, shard->parts->len);
  g_ptr_array_add (shard->parts, part);
  return part;
}

/* The part of the batch's thread, or that of all.  */
static struct reuse_part *
part_of (struct reuse_shard *shard, uint32_t thread)
{
  struct reuse_part *part = shard->part;

  if (part && part->thread == thread)
    return part;
  part = shard->by_thread ? g_hash_table_lookup (shard->by_thread,
                                                 GUINT_TO_POINTER (thread))
                          : NULL;
  if (!part) {
    part = part_new (shard, thread);
    if (shard->by_thread)
      g_hash_table_insert (shard->by_thread, GUINT_TO_POINTER (thread), part);
  }
  shard->part = part;
  return part;
}

int
reuse_shard_feed (void *self, void *data, const struct dg_feed *feed,
                  const struct dg_batch *batch, struct dg_error *err)
{
  const struct reuse *reuse = self;
  struct reuse_shard *shard = data;
  struct at at = { .shard = shard, .interval = batch->interval };
  uint64_t most = 0;
  int code;

  if (batch->n_runs == 0)
    return 0;
  at.part = part_of (shard, reuse->is_per_thread ? batch->runs[0].thread : 0);
  at.stack = &at.part->lane->stack;
  for (size_t i = 0; i < batch->n_runs; i++)
    most += batch->runs[i].n_slots;
  /* Accesses of a chunk have numbers of 32 bits; each has two lines at
     most.  */
  if (at.part->accesses + most * 2 >= DG_REUSE_COLD)
    return dg_error_set (err, DG_ERR_LIMIT,
                         "a chunk of the log has more than %u accesses",
                         at.part->accesses);
#if HAS_VARIANTS
  if (__builtin_cpu_supports ("popcnt"))
    code = feed_fast (&at, batch);
  else
#endif
    code = feed_plain (&at, batch);
  return code < 0 ? dg_error_nomem (err) : 0;
}

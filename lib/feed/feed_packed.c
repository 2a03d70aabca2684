/* feed_packed.c: the runs of a chunk of an archive, decoded some hundred at a
   time.

   What all runs of a head have in common is put together once in each chunk.
   Where nobody needs addresses, the words of runs are not even decompressed:
   their heads say all, unless some access was not made, which the chunk's
   sums tell.  Where nobody needs their order, either, runs are only counted,
   head by head.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "feed_packed.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "log/log.h"
#include "log/packed.h"
#include "log/packed_chunk.h"

/* What a head of the chunk stands for.  */
struct head {
  /* In the order of a run's, so that they are copied at once.  */
  uint16_t n_instrs, n_slots, first_instr, n_sps;
  const struct dg_bbdef *bbdef; /* NULL: nothing */
  uint32_t context;
  uint16_t n_entries;           /* 0 if there are no addresses */
};

/* Those are as many bytes.  */
#define COPIED offsetof (struct head, context)

G_STATIC_ASSERT (COPIED == offsetof (struct dg_run, addresses)
                             - offsetof (struct dg_run, n_instrs));

struct dg_feed_packed {
  bool needs_addresses;
  /* Without addresses, its heads are those of all of its runs.  */
  struct dg_packed_chunk chunk;
  bool has_addresses;
  uint64_t n_ready;            /* runs whose heads are there */
  /* Its runs are only counted; given so far: those of heads below that.  */
  bool is_counted;
  size_t next_head;
  struct head *heads;          /* of the chunk */
  size_t n_heads, heads_room;
  /* What is given.  */
  struct dg_run runs[DG_FEED_RUNS + 1];
  uint32_t times[DG_FEED_RUNS + 1];
  uint64_t n_slots;            /* of all, unless they are counted */
  uint64_t *addresses;         /* DG_FEED_ADDRESSES and those of any run */
};

struct dg_feed_packed *
dg_feed_packed_new (const struct dg_log *log, bool needs_addresses,
                    bool needs_contexts, struct dg_error *err)
{
  struct dg_feed_packed *packed;

  packed = g_try_new0 (struct dg_feed_packed, 1);
  if (!packed) {
    dg_error_nomem (err);
    return NULL;
  }
  packed->needs_addresses = needs_addresses;
  if (dg_packed_chunk_init (&packed->chunk, log, needs_contexts, DG_FEED_RUNS,
                            err)
      == 0) {
    packed->addresses = g_try_new (uint64_t, DG_FEED_ADDRESSES
                                               + DG_UNPACK_ADDRESSES_ROOM);
    if (packed->addresses)
      return packed;
    dg_error_nomem (err);
  }
  dg_feed_packed_free (packed);
  return NULL;
}

void
dg_feed_packed_free (struct dg_feed_packed *packed)
{
  if (!packed)
    return;
  dg_packed_chunk_fini (&packed->chunk);
  g_free (packed->heads);
  g_free (packed->addresses);
  g_free (packed);
}

void
dg_feed_packed_close (struct dg_feed_packed *packed)
{
  packed->chunk.entry = NULL;
}

/* ---- Heads ---- */

static bool
grow_heads (struct dg_feed_packed *packed, size_t n)
{
  size_t room = n + n / 4 + 256;
  struct head *heads;

  if (n <= packed->heads_room)
    return true;
  heads = g_try_renew (struct head, packed->heads, room);
  if (!heads)
    return false;
  packed->heads = heads;
  packed->heads_room = room;
  return true;
}

static void
fill_head (const struct dg_feed_packed *packed, size_t i)
{
  uint32_t context;
  const struct dg_packed_variant *variant =
    dg_packed_chunk_head (&packed->chunk, i, &context);

  if (!variant) {
    packed->heads[i] = (struct head){.bbdef = NULL};
    return;
  }
  packed->heads[i] = (struct head){
    .bbdef = variant->of->bbdef,
    .context = context,
    .n_instrs = variant->n_instrs,
    /* Runs of no instructions are not given.  */
    .n_slots = variant->n_instrs > 0 ? variant->n_slots : 0,
    .n_sps = variant->n_sps,
    .n_entries = packed->has_addresses ? variant->n_entries : 0
  };
}

/* Looks up what the heads stand for that the chunk has not had before.  */
static int
see_heads (struct dg_feed_packed *packed, struct dg_error *err)
{
  size_t n = dg_unpacker_heads (packed->chunk.unpacker), i = packed->n_heads;

  if (n == i)
    return 0;
  if (!grow_heads (packed, n))
    return dg_error_nomem (err);
  if (i == 0)
    packed->heads[0] = (struct head){.bbdef = NULL};
  i += i == 0;
  while (i < n) {
    size_t end = dg_packed_chunk_call (&packed->chunk, i, n);

    for (; i < end; i++)
      fill_head (packed, i);
  }
  packed->n_heads = n;
  return 0;
}

/* ---- Chunks ---- */

/* Whether thread and icount go on from the chunk's first run to its last.  */
static bool
is_uniform (struct dg_feed_packed *packed)
{
  struct dg_packed_chunk *chunk = &packed->chunk;
  uint64_t runs = chunk->entry->totals.runs;

  return chunk->end_run - chunk->run == runs
         && dg_packed_chunk_left (chunk) == runs;
}

/* Only counts the chunk's runs.  Those of heads that stand for nothing are
   better met in their order.  */
static int
count_runs (struct dg_feed_packed *packed, struct dg_error *err)
{
  int code = dg_packed_chunk_begin_counts (&packed->chunk, err);

  if (code > 0)
    code = see_heads (packed, err);
  else if (code == 0)
    packed->has_addresses = true;
  if (code < 0 || packed->has_addresses)
    return code;
  packed->is_counted = true;
  packed->next_head = 1;
  for (size_t i = 1; i < packed->n_heads; i++)
    if (!packed->heads[i].bbdef)
      packed->is_counted = false;
  if (!packed->is_counted)
    packed->n_heads = 0;
  return 0;
}

int
dg_feed_packed_open (struct dg_feed_packed *packed, size_t index,
                     bool takes_alike, struct dg_error *err)
{
  struct dg_packed_chunk *chunk = &packed->chunk;
  int code;

  chunk->entry = NULL;
  if (index >= chunk->packed->n_chunks)
    return 0;
  packed->n_heads = 0;
  packed->has_addresses = packed->needs_addresses;
  packed->is_counted = false;
  packed->n_ready = 0;
  code = dg_packed_chunk_open (chunk, index, err);
  if (code == 0 && takes_alike && !packed->has_addresses
      && is_uniform (packed))
    code = count_runs (packed, err);
  if (code == 0 && !packed->has_addresses && !packed->is_counted) {
    code = dg_packed_chunk_begin_heads (chunk, err);
    if (code > 0)
      code = see_heads (packed, err);
    else if (code == 0)
      packed->has_addresses = true;
  }
  if (code == 0 && packed->has_addresses)
    code = dg_packed_chunk_begin_addresses (chunk, err);
  if (code < 0)
    chunk->entry = NULL;
  return code;
}

/* ---- Runs ---- */

/* Heads, and how often each of them was.  */
static size_t
take_counted (struct dg_feed_packed *packed)
{
  const struct dg_unpacker *unpacker = packed->chunk.unpacker;
  size_t n = 0, i = packed->next_head;

  for (; i < packed->n_heads && n < DG_FEED_RUNS; i++) {
    const struct head *head = &packed->heads[i];

    packed->runs[n] = (struct dg_run) {
      .icount = packed->chunk.icount + dg_unpacker_first (unpacker, i),
      .context = head->context, .thread = packed->chunk.thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef
    };
    packed->times[n] = dg_unpacker_times (unpacker, i);
    n += head->n_instrs != 0;
  }
  packed->next_head = i;
  return n;
}

/* Makes up to DG_FEED_RUNS runs ready: 1, 0 at the end, < 0.  */
static int
make_ready (struct dg_feed_packed *packed, struct dg_error *err)
{
  struct dg_packed_chunk *chunk = &packed->chunk;
  uint64_t max = MIN (dg_packed_chunk_left (chunk), DG_FEED_RUNS);
  ptrdiff_t n;

  if (!packed->has_addresses) {
    chunk->run += max;
    packed->n_ready = max;
    return max > 0;
  }
  n = dg_packed_chunk_addresses (chunk, max, packed->addresses,
                                 DG_FEED_ADDRESSES, err);
  if (n <= 0)
    return n;
  packed->n_ready = n;
  return see_heads (packed, err) < 0 ? DG_ERR_NOMEM : 1;
}

/* Those that are ready, up to one whose head stands for nothing.  */
static size_t
take_ready (struct dg_feed_packed *packed)
{
  const struct head *const heads = packed->heads;
  const uint32_t *number = packed->chunk.number;
  const uint32_t *const end = number + packed->n_ready;
  const uint32_t thread = packed->chunk.thread;
  const uint64_t *addresses = packed->has_addresses ? packed->addresses : NULL;
  uint64_t icount = packed->chunk.icount, slots = 0;
  struct dg_run *run = packed->runs;

  for (; number < end; number++) {
    const struct head *head = &heads[*number];

    if (G_UNLIKELY (!head->bbdef))
      break;
    __builtin_prefetch (&heads[number[DG_PACKED_AHEAD]]);
    run->icount = icount;
    run->context = head->context;
    run->thread = thread;
    memcpy (&run->n_instrs, head, COPIED);
    run->addresses = addresses;
    /* Where none are wanted, they are nowhere, and no entries are counted.  */
    addresses = (const uint64_t *) ((uintptr_t) addresses
                              + head->n_entries * sizeof *addresses);
    icount += head->n_instrs;
    slots += head->n_slots;
    run += head->n_instrs != 0;
  }
  packed->n_slots = slots;
  packed->n_ready -= number - packed->chunk.number;
  packed->chunk.number = number;
  packed->chunk.icount = icount;
  return run - packed->runs;
}

int
dg_feed_packed_next (struct dg_feed_packed *packed,
                     struct dg_decoded *decoded, struct dg_error *err)
{
  size_t n = 0;

  if (!packed->chunk.entry)
    return 0;
  if (packed->is_counted) {
    n = take_counted (packed);
    decoded->runs = packed->runs;
    decoded->n_runs = n;
    decoded->end_icount
      = packed->chunk.icount + packed->chunk.entry->totals.instructions;
    decoded->n_slots = DG_NEVER;
    decoded->times = packed->times;
    return n > 0;
  }
  while (n == 0) {
    int code = packed->n_ready > 0 ? 1 : make_ready (packed, err);

    if (code <= 0)
      return code;
    n = take_ready (packed);
    /* What stands before a bad run is given first.  */
    if (n == 0 && packed->n_ready > 0)
      return dg_packed_chunk_no_context (&packed->chunk, err);
  }
  decoded->runs = packed->runs;
  decoded->n_runs = n;
  decoded->end_icount = packed->chunk.icount;
  decoded->n_slots = packed->n_slots;
  decoded->times = NULL;
  return 1;
}

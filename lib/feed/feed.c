/* feed.c: chunks of a log as batches of runs, for analyses.

   Runs are decoded some hundred at a time (feed_read.c).  Most such batches
   are given as they are.  Those that reach over an end of the window or of an
   interval, and all of them if there is a filter, are cut here: run by run, at
   the exact instruction.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "feed.h"

#include <glib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/error.h"
#include "feed_read.h"
#include "filter/filter.h"
#include "log/log.h"

/* Of a batch that was cut.  */
#define CUT_RUNS DG_FEED_RUNS
#define CUT_ADDRESSES DG_FEED_ADDRESSES

/* Threads that are within such an instruction at a time, at least.  */
#define REPEATED 8

struct repeated {
  uint64_t instruction;    /* 0: none */
  uint32_t thread;
};

struct dg_feeder {
  const struct dg_feed_plan *plan;
  bool has_ranges;         /* the filter */
  struct dg_filter_cursor cursor;
  struct dg_feed_reader *reader;
  uint64_t icount;         /* nothing in the chunk is before it */
  /* What was decoded, how many of its runs were given, and how many
     instructions of the next one.  */
  struct dg_decoded decoded;
  size_t taken;
  bool is_whole;           /* it is the latest batch, as it is */
  unsigned within;
  size_t interval;         /* index in ends of the one that the latest
                              instruction was in */
  /* Of the run at `taken`, once it was looked at: which instructions count,
     and the addresses that are kept.  */
  bool is_judged;
  bool counts[UINT8_MAX + 1];
  uint64_t *kept;          /* NULL: nobody needs addresses */
  /* With ranges: instructions that repeat themselves, of which the latest
     repetition was kept, of threads in turn.  */
  struct repeated repeated[REPEATED];
  /* The batch that was cut.  */
  struct dg_run runs[CUT_RUNS];
  uint64_t *addresses;     /* CUT_ADDRESSES and those of any run */
  size_t n_runs, n_addresses;
};

struct dg_feeder *
dg_feeder_new (const struct dg_feed_plan *plan, struct dg_error *err)
{
  size_t max_entries = plan->log->contents.defs.max_entries;
  struct dg_feeder *feeder = g_try_new0 (struct dg_feeder, 1);
  bool needs_addresses;

  if (!feeder) {
    dg_error_nomem (err);
    return NULL;
  }
  feeder->plan = plan;
  feeder->has_ranges = plan->filter && dg_filter_has_ranges (plan->filter);
  needs_addresses = plan->needs_addresses || feeder->has_ranges;
  feeder->kept = g_try_new (uint64_t, max_entries + 1);
  feeder->addresses = g_try_new (uint64_t, CUT_ADDRESSES + max_entries + 1);
  if (!feeder->kept || !feeder->addresses) {
    dg_feeder_free (feeder);
    dg_error_nomem (err);
    return NULL;
  }
  feeder->reader
    = dg_feed_reader_new (plan->log, needs_addresses,
                          plan->needs_contexts || plan->filter, err);
  if (!feeder->reader) {
    dg_feeder_free (feeder);
    return NULL;
  }
  return feeder;
}

void
dg_feeder_free (struct dg_feeder *feeder)
{
  if (!feeder)
    return;
  dg_feed_reader_free (feeder->reader);
  g_free (feeder->kept);
  g_free (feeder->addresses);
  g_free (feeder);
}

const struct dg_log *
dg_feeder_log (const struct dg_feeder *feeder)
{
  return feeder->plan->log;
}

/* Whether runs of a chunk may be given out of their order: nothing is cut, and
   nobody asks when they were.  */
static bool
takes_alike (const struct dg_feed_plan *plan, const struct dg_chunk *chunks,
             size_t chunk, size_t n)
{
  return plan->takes_alike && !plan->filter && plan->n_ends == 0
         && chunks[chunk].icount >= plan->start_icount
         && (plan->end_icount == DG_NEVER
             || (chunk + 1 < n
                 && chunks[chunk + 1].icount <= plan->end_icount));
}

/* Whether a chunk, which is not the last one, has no instruction of a stretch
   that is needed.  */
static bool
is_between (const struct dg_feed_plan *plan, const struct dg_chunk *chunk)
{
  uint64_t first, last;

  if (plan->stretch == 0 || chunk[0].icount == chunk[1].icount)
    return false;
  first = chunk[0].icount / plan->stretch;
  last = (chunk[1].icount - 1) / plan->stretch;
  return first % plan->one_in != 0
         && first / plan->one_in == last / plan->one_in;
}

int
dg_feeder_open (struct dg_feeder *feeder, size_t chunk, struct dg_error *err)
{
  const struct dg_feed_plan *plan = feeder->plan;
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (plan->log, &n);

  feeder->decoded.n_runs = feeder->taken = 0;
  feeder->within = 0;
  feeder->interval = 0;
  feeder->is_judged = false;
  memset (feeder->repeated, 0, sizeof feeder->repeated);
  dg_feed_reader_close (feeder->reader);
  if (chunk >= n)
    return dg_error_set (err, DG_ERR_INVALID, "chunk %zu of %zu", chunk, n);
  if (chunks[chunk].icount >= plan->end_icount
      || (chunk + 1 < n && chunks[chunk + 1].icount <= plan->start_icount
          && plan->start_icount > 0)
      || (chunk + 1 < n && is_between (plan, &chunks[chunk])))
    return 0;
  return dg_feed_reader_open (feeder->reader, chunk,
                              takes_alike (plan, chunks, chunk, n), err);
}

/* ---- Cutting ---- */

static bool
has_thread (const struct dg_feed_plan *plan, uint32_t thread)
{
  size_t low = DG_BISECT (0, plan->n_threads, i, plan->threads[i] < thread);

  return low < plan->n_threads && plan->threads[low] == thread;
}

/* Goes to the interval that a moment is in, which is not before the latest
   one.  */
static void
go_to_interval (struct dg_feeder *feeder, uint64_t icount)
{
  const struct dg_feed_plan *plan = feeder->plan;
  size_t low = feeder->interval, high = plan->n_ends;

  if (low == high || icount < plan->ends[low])
    return;
  feeder->interval = DG_BISECT (low, high, i, plan->ends[i] <= icount);
}

static uint64_t
interval_end (const struct dg_feeder *feeder)
{
  const struct dg_feed_plan *plan = feeder->plan;

  return feeder->interval < plan->n_ends ? plan->ends[feeder->interval]
                                         : DG_NEVER;
}

/* As batches have it.  */
static uint64_t
interval_number (const struct dg_feeder *feeder)
{
  return feeder->plan->n_ends > 0 ? feeder->interval + 1 : 0;
}

/* Which instructions of a run count by the filter's events side, and which
   of its accesses are kept.  Those at 0 never are.  */
static void
judge_accesses (struct dg_feeder *feeder, const struct dg_run *run)
{
  const struct dg_filter *filter = feeder->plan->filter;

  if (feeder->has_ranges)
    memset (feeder->counts, 0, sizeof feeder->counts);
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];
    const struct dg_access access = {
      .icount = run->icount + slot->iseq,
      .address = run->addresses[slot->entry],
      .instruction = run->bbdef->instrs[slot->iseq].address,
      .size = slot->size, .context = run->context, .thread = run->thread,
      .kind = slot->kind
    };
    bool is_kept =
      access.address != 0 && dg_filter_next (filter, &feeder->cursor, &access);

    feeder->kept[slot->entry] = is_kept ? access.address : 0;
    if (feeder->has_ranges && is_kept)
      feeder->counts[slot->iseq] = true;
  }
}

/* The run that ends an instruction which repeats itself, and with which that
   counts, makes no access: it counts if the repetition before did.  */
static void
judge_repeated (struct dg_feeder *feeder, const struct dg_run *run)
{
  const unsigned last = run->n_instrs - 1u;
  const uint64_t instruction = run->bbdef->instrs[last].address;
  struct repeated *repeated = &feeder->repeated[run->thread % REPEATED];

  if (run->n_instrs < run->bbdef->n_instrs)
    return;
  if (dg_is_repetition (run->bbdef, run->n_instrs, run->n_slots)) {
    repeated->instruction = feeder->counts[last] ? instruction : 0;
    repeated->thread = run->thread;
  } else if (repeated->instruction == instruction
             && repeated->thread == run->thread) {
    feeder->counts[last] = true;
    repeated->instruction = 0;
  }
}

/* False: none counts.  */
static bool
judge (struct dg_feeder *feeder, const struct dg_run *run)
{
  const struct dg_filter *filter = feeder->plan->filter;
  enum dg_filter_share share = dg_filter_share (
    filter, run->context, run->thread, run->icount, run->n_instrs);

  if (share == DG_FILTER_NONE)
    return false;
  if (share == DG_FILTER_ALL)
    memset (feeder->counts, true, sizeof feeder->counts);
  else
    for (unsigned i = 0; i < run->n_instrs; i++)
      feeder->counts[i]
        = dg_filter_instruction (filter, run->context,
                                 run->bbdef->instrs[i].address,
                                 run->icount + i);
  if (run->addresses)
    judge_accesses (feeder, run);
  if (feeder->has_ranges && run->bbdef->repeats == DG_REPEATS_TO_ZERO)
    judge_repeated (feeder, run);
  return true;
}

/* Adds instructions first to end - 1 of a run to the batch that is cut.  */
static void
add_part (struct dg_feeder *feeder, const struct dg_run *run, unsigned first,
          unsigned end)
{
  const uint64_t *from = feeder->plan->filter ? feeder->kept : run->addresses;
  struct dg_run *part = &feeder->runs[feeder->n_runs++];
  const struct dg_slot *slots = run->bbdef->slots;
  uint64_t *to = feeder->addresses + feeder->n_addresses;
  const struct dg_sp_entry *sps = run->bbdef->sps;
  unsigned entries;

  *part = *run;
  part->first_instr = first;
  part->n_instrs = end;
  while (part->n_slots > 0 && slots[part->n_slots - 1].iseq >= end)
    part->n_slots--;
  while (part->n_sps > 0 && sps[part->n_sps - 1].iseq >= end)
    part->n_sps--;
  if (!run->addresses)
    return;
  entries = dg_run_entries (part);
  memset (to, 0, entries * sizeof *to);
  for (unsigned i = 0; i < part->n_slots; i++)
    if (slots[i].iseq >= first)
      to[slots[i].entry] = from[slots[i].entry];
  for (unsigned i = 0; i < part->n_sps; i++)
    if (sps[i].iseq >= first)
      to[sps[i].entry] = run->addresses[sps[i].entry];
  part->addresses = to;
  feeder->n_addresses += entries;
}

/* The next part of a run that counts, from feeder->within on: its first
   instruction and its end.  */
static bool
find_part (struct dg_feeder *feeder, const struct dg_run *run,
           unsigned *first, unsigned *end)
{
  const struct dg_feed_plan *plan = feeder->plan;
  unsigned from = feeder->within, to = run->n_instrs, i;

  if (plan->start_icount > run->icount + from)
    from = MIN (plan->start_icount - run->icount, to);
  if (plan->end_icount < run->icount + to)
    to = plan->end_icount > run->icount ? plan->end_icount - run->icount : 0;
  if (plan->filter && from < to) {
    if (!feeder->is_judged && !judge (feeder, run))
      return false;
    feeder->is_judged = true;
    while (from < to && !feeder->counts[from])
      from++;
    for (i = from; i < to && feeder->counts[i]; i++)
      ;
    to = i;
  }
  *first = from;
  *end = to;
  return from < to;
}

/* Cuts a batch from what was decoded: false if nothing is left of it.  */
static bool
cut (struct dg_feeder *feeder, struct dg_batch *batch)
{
  const struct dg_decoded *decoded = &feeder->decoded;

  feeder->n_runs = feeder->n_addresses = 0;
  while (feeder->taken < decoded->n_runs && feeder->n_runs < CUT_RUNS
         && feeder->n_addresses <= CUT_ADDRESSES) {
    const struct dg_run *run = &decoded->runs[feeder->taken];
    unsigned first, end;

    if (!find_part (feeder, run, &first, &end)) {
      feeder->taken++;
      feeder->within = 0;
      feeder->is_judged = false;
      continue;
    }
    if (feeder->n_runs == 0)
      go_to_interval (feeder, run->icount + first);
    if (run->icount + first >= interval_end (feeder))
      break;
    end = MIN (end, interval_end (feeder) - run->icount);
    add_part (feeder, run, first, end);
    feeder->within = end;
  }
  *batch = (struct dg_batch) { .runs = feeder->runs,
                               .n_runs = feeder->n_runs,
                               .interval = interval_number (feeder) };
  return feeder->n_runs > 0;
}

/* ---- Batches ---- */

/* Whether all that was decoded is given as it is.  */
static bool
is_whole (struct dg_feeder *feeder, uint64_t icount, uint64_t end)
{
  const struct dg_feed_plan *plan = feeder->plan;

  if (plan->filter || icount < plan->start_icount || end > plan->end_icount)
    return false;
  go_to_interval (feeder, icount);
  return end <= interval_end (feeder);
}

/* Decodes what is next in the chunk and in the window: 1, 0, < 0.  */
static int
decode (struct dg_feeder *feeder, struct dg_error *err)
{
  const struct dg_feed_plan *plan = feeder->plan;
  struct dg_decoded *decoded = &feeder->decoded;
  int code;

  for (;;) {
    decoded->n_runs = feeder->taken = 0;
    code = dg_feed_reader_next (feeder->reader, decoded, err);
    if (code <= 0)
      return code;
    if (decoded->runs[0].icount >= plan->end_icount) {
      decoded->n_runs = 0;
      dg_feed_reader_close (feeder->reader);
      return 0;
    }
    if (decoded->end_icount > plan->start_icount
        && (plan->n_threads == 0
            || has_thread (plan, decoded->runs[0].thread)))
      return 1;
  }
}

int
dg_feeder_next (struct dg_feeder *feeder, struct dg_batch *batch,
                struct dg_error *err)
{
  const struct dg_decoded *decoded = &feeder->decoded;

  feeder->is_whole = false;
  for (;;) {
    if (feeder->taken < decoded->n_runs && cut (feeder, batch))
      return 1;
    if (feeder->taken == decoded->n_runs) {
      int code = decode (feeder, err);

      if (code <= 0)
        return code;
      if (is_whole (feeder, decoded->runs[0].icount, decoded->end_icount)) {
        *batch = (struct dg_batch) { .runs = decoded->runs,
                                     .n_runs = decoded->n_runs,
                                     .times = decoded->times,
                                     .interval = interval_number (feeder) };
        feeder->taken = decoded->n_runs;
        feeder->is_whole = true;
        return 1;
      }
    }
  }
}

uint64_t
dg_feeder_slots (const struct dg_feeder *feeder)
{
  return feeder->is_whole ? feeder->decoded.n_slots : DG_NEVER;
}

uint64_t
dg_feeder_instructions (const struct dg_feeder *feeder)
{
  return feeder->decoded.end_icount - feeder->decoded.runs[0].icount;
}

ptrdiff_t
dg_batch_expand (const struct dg_batch *batch, struct dg_access **accesses,
                 size_t *room, struct dg_error *err)
{
  size_t most = 0, n = 0;
  struct dg_access *out;

  for (size_t i = 0; i < batch->n_runs; i++)
    most += batch->runs[i].n_slots;
  if (most > *room) {
    g_free (*accesses);
    *room = 0;
    *accesses = g_try_new (struct dg_access, most + most / 2);
    if (!*accesses)
      return dg_error_nomem (err);
    *room = most + most / 2;
  }
  out = *accesses;
  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];
    const struct dg_slot *slot = run->bbdef->slots;
    const struct dg_instr *instrs = run->bbdef->instrs;

    for (const struct dg_slot *end = slot + run->n_slots; slot < end; slot++) {
      uint64_t address = run->addresses[slot->entry];

      out[n] = (struct dg_access) {
        .icount = run->icount + slot->iseq, .address = address,
        .instruction = instrs[slot->iseq].address, .size = slot->size,
        .context = run->context, .thread = run->thread, .kind = slot->kind
      };
      n += address != 0;
    }
  }
  return n;
}

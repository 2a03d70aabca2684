/* columns.c: accesses as columns.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/sized.h"
#include "feed.h"
#include "filter/filter.h"
#include "log/log.h"

#define ALL_KINDS (1u << DG_ACC_READ | 1u << DG_ACC_WRITE)

struct dg_columns {
  struct dg_feed_plan plan;
  struct dg_feeder *feeder;
  uint32_t *threads;  /* of the plan */
  /* Accesses that are asked for, besides what the plan says: their bounds and
     last bytes; and kinds.  */
  struct bounds {
    uint64_t low, last;
  } bounds, *spans;
  size_t n_spans;
  bool is_kind[256];
  bool picks;         /* not all accesses of a run */
  size_t chunk, end_chunk; /* the chunk that is open, or comes next */
  bool is_open;
  /* What was decoded, and where in it the next access is.  */
  struct dg_batch batch;
  size_t run;
  unsigned slot;
  struct dg_error failed; /* to be told at the next call */
};

static int
set_spans (struct dg_columns *columns,
           const struct dg_columns_options *options, struct dg_error *err)
{
  size_t n = options->n_addresses;

  if (n == 0)
    return 0;
  columns->spans = g_try_new (struct bounds, n);
  if (!columns->spans)
    return dg_error_nomem (err);
  for (size_t i = 0; i < n; i++) {
    const struct dg_columns_span *span = &options->addresses[i];

    if (span->high > 0 && span->high <= span->low)
      return dg_error_set (err, DG_ERR_INVALID, "it ends before it begins");
    columns->spans[i]
      = (struct bounds) { span->low,
                          span->high > 0 ? span->high - 1 : DG_NEVER };
  }
  columns->n_spans = n;
  return 0;
}

/* Copies what the options say; the numbers of threads in their order.  */
static int
set_options (struct dg_columns *columns,
             const struct dg_columns_options *options, struct dg_error *err)
{
  struct dg_feed_plan *plan = &columns->plan;
  unsigned kinds = options->kinds;

  if ((options->end_icount > 0 && options->end_icount <= options->start_icount)
      || (options->high > 0 && options->high <= options->low))
    return dg_error_set (err, DG_ERR_INVALID, "it ends before it begins");
  for (unsigned i = 0; i < G_N_ELEMENTS (columns->is_kind); i++)
    columns->is_kind[i] = kinds == 0 || (i < 32 && (kinds >> i & 1));
  columns->bounds
    = (struct bounds) { options->low,
                        options->high > 0 ? options->high - 1 : DG_NEVER };
  columns->picks = (kinds != 0 && (kinds & ALL_KINDS) != ALL_KINDS)
                   || options->low > 0 || options->high > 0
                   || options->n_addresses > 0;
  plan->filter = options->filter;
  plan->start_icount = options->start_icount;
  plan->end_icount = options->end_icount > 0 ? options->end_icount : DG_NEVER;
  plan->needs_addresses = !options->no_addresses || options->low > 0
                          || options->high > 0 || options->n_addresses > 0;
  plan->needs_contexts = !options->no_contexts;
  if (options->n_threads > 0) {
    columns->threads = g_try_new (uint32_t, options->n_threads);
    if (!columns->threads)
      return dg_error_nomem (err);
    memcpy (columns->threads, options->threads,
            options->n_threads * sizeof *columns->threads);
    qsort (columns->threads, options->n_threads, sizeof *columns->threads,
           dg_compare_u32);
    plan->threads = columns->threads;
    plan->n_threads = options->n_threads;
  }
  return set_spans (columns, options, err);
}

struct dg_columns *
dg_columns_new (const struct dg_log *log,
                const struct dg_columns_options *options, struct dg_error *err)
{
  struct dg_columns_options own;
  struct dg_columns *columns = NULL;

  if (DG_SIZED_TAKE (&own, no_contexts, options, err) < 0)
    return NULL;
  if (!log->is_loaded) {
    dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
    return NULL;
  }
  columns = g_try_new0 (struct dg_columns, 1);
  if (!columns) {
    dg_error_nomem (err);
    return NULL;
  }
  columns->plan.log = log;
  if (set_options (columns, &own, err) == 0)
    columns->feeder = dg_feeder_new (&columns->plan, err);
  if (!columns->feeder) {
    dg_columns_free (columns);
    return NULL;
  }
  dg_columns_seek (columns, 0, SIZE_MAX, NULL);
  return columns;
}

void
dg_columns_free (struct dg_columns *columns)
{
  if (!columns)
    return;
  dg_feeder_free (columns->feeder);
  g_free (columns->threads);
  g_free (columns->spans);
  g_free (columns);
}

int
dg_columns_seek (struct dg_columns *columns, size_t first_chunk,
                 size_t end_chunk, struct dg_error *err)
{
  size_t n;

  dg_log_chunks (columns->plan.log, &n);
  if (first_chunk > n || end_chunk < first_chunk)
    return dg_error_set (err, DG_ERR_INVALID, "chunks %zu to %zu of %zu",
                         first_chunk, end_chunk, n);
  columns->chunk = first_chunk;
  columns->end_chunk = MIN (end_chunk, n);
  columns->is_open = false;
  columns->batch.n_runs = columns->run = columns->slot = 0;
  columns->failed.code = 0;
  return 0;
}

/* Whether an access is asked for.  */
static bool
is_picked (const struct dg_columns *columns, uint64_t address,
           const struct dg_slot *slot)
{
  uint64_t last = address + slot->size - 1;
  const struct bounds *span = columns->spans,
                      *end = span + columns->n_spans;

  if (!columns->is_kind[slot->kind] || address > columns->bounds.last
      || last < columns->bounds.low)
    return false;
  if (span == end)
    return true;
  for (; span < end; span++)
    if (address <= span->last && last >= span->low)
      return true;
  return false;
}

/* Adds accesses of the batch's next run behind the first n, one by one: what
   is there then; at most max.  */
static size_t
fill_some (struct dg_columns *columns, const struct dg_columns_arrays *arrays,
           size_t n, size_t max)
{
  const struct dg_columns_arrays to = *arrays;
  const struct dg_run run = columns->batch.runs[columns->run];
  unsigned i = columns->slot;

  for (; i < run.n_slots && n < max; i++) {
    const struct dg_slot slot = run.bbdef->slots[i];
    uint64_t address = run.addresses ? run.addresses[slot.entry] : 0;

    /* Without addresses, all from the first instruction on were made.  */
    if ((run.addresses ? address == 0 : slot.iseq < run.first_instr)
        || (columns->picks && !is_picked (columns, address, &slot)))
      continue;
    if (to.icount)
      to.icount[n] = run.icount + slot.iseq;
    if (to.address)
      to.address[n] = address;
    if (to.instruction)
      to.instruction[n] = run.bbdef->instrs[slot.iseq].address;
    if (to.size)
      to.size[n] = slot.size;
    if (to.context)
      to.context[n] = run.context;
    if (to.thread)
      to.thread[n] = run.thread;
    if (to.kind)
      to.kind[n] = slot.kind;
    n++;
  }
  columns->slot = i;
  if (i == run.n_slots) {
    columns->run++;
    columns->slot = 0;
  }
  return n;
}

/* Adds all accesses of a run, field by field.  False, and nothing is added:
   not all of them were made.  */
static inline bool
fill_run (const struct dg_run *run, const struct dg_columns_arrays to,
          size_t n)
{
  const struct dg_slot *const slots = run->bbdef->slots;
  const unsigned n_slots = run->n_slots;

  if (run->addresses) {
    const uint64_t *const addresses = run->addresses;
    bool is_whole = true;

    for (unsigned i = 0; i < n_slots; i++) {
      uint64_t address = addresses[slots[i].entry];

      is_whole &= address != 0;
      if (to.address)
        to.address[n + i] = address;
    }
    if (!is_whole)
      return false;
  } else if (run->first_instr > 0)
    return false;
  if (to.icount)
    for (unsigned i = 0; i < n_slots; i++)
      to.icount[n + i] = run->icount + slots[i].iseq;
  if (to.instruction)
    for (unsigned i = 0; i < n_slots; i++)
      to.instruction[n + i] = run->bbdef->instrs[slots[i].iseq].address;
  if (to.size)
    for (unsigned i = 0; i < n_slots; i++)
      to.size[n + i] = slots[i].size;
  if (to.context)
    for (unsigned i = 0; i < n_slots; i++)
      to.context[n + i] = run->context;
  if (to.thread)
    for (unsigned i = 0; i < n_slots; i++)
      to.thread[n + i] = run->thread;
  if (to.kind)
    for (unsigned i = 0; i < n_slots; i++)
      to.kind[n + i] = slots[i].kind;
  return true;
}

/* Adds the batch's next accesses behind the first n, at most max: how many
   are there then.  What all runs need is in locals, which what is stored
   cannot change.  */
static size_t
fill (struct dg_columns *columns, const struct dg_columns_arrays *arrays,
      size_t n, size_t max)
{
  const struct dg_columns_arrays to = *arrays;
  const struct dg_run *const runs = columns->batch.runs;
  const size_t n_runs = columns->batch.n_runs;
  const bool picks = columns->picks;
  size_t i = columns->run;

  while (i < n_runs && n < max)
    if (!picks && columns->slot == 0 && max - n >= runs[i].n_slots
        && fill_run (&runs[i], to, n)) {
      n += runs[i++].n_slots;
    } else {
      columns->run = i;
      n = fill_some (columns, &to, n, max);
      i = columns->run;
    }
  columns->run = i;
  return n;
}

/* The next batch of the chunks that were asked for: 1, 0, < 0.  has_some: of
   the same chunk only.  */
static int
decode (struct dg_columns *columns, bool has_some, struct dg_error *err)
{
  for (;;) {
    int code;

    if (!columns->is_open) {
      if (columns->chunk == columns->end_chunk)
        return 0;
      code = dg_feeder_open (columns->feeder, columns->chunk, err);
      if (code < 0)
        return code;
      columns->is_open = true;
    }
    columns->batch.n_runs = columns->run = columns->slot = 0;
    code = dg_feeder_next (columns->feeder, &columns->batch, err);
    if (code != 0)
      return code;
    if (has_some)
      return 0;
    columns->is_open = false;
    columns->chunk++;
  }
}

ptrdiff_t
dg_columns_read (struct dg_columns *columns,
                 const struct dg_columns_arrays *arrays, size_t max,
                 size_t *chunk, struct dg_error *err)
{
  size_t n = 0;
  int code = columns->failed.code < 0 ? -1 : 1;

  while (n < max && code > 0) {
    n = fill (columns, arrays, n, max);
    if (n < max)
      code = decode (columns, n > 0, &columns->failed);
  }
  if (code < 0 && n == 0)
    return dg_error_copy (err, &columns->failed);
  if (chunk)
    *chunk = columns->chunk;
  return (ptrdiff_t) n;
}

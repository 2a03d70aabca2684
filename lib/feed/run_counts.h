/* run_counts.h: how often each block ran, and how far, in all or on each call
   path: what an analysis needs that asks how much, and not where.

   A run costs one step in a table; what its instructions and accesses are is
   worked out once for all runs that are alike (dg_run_counts_take).

   Memory: 8 bytes for each block, or context, of the log, and 16 to 64 for
   each way in which one was left early or cut by a filter.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RUN_COUNTS_H
#define DG_RUN_COUNTS_H

#include <glib.h>

#include "base/keys.h"
#include "base/table.h"
#include "dg_analysis.h"

/* Runs that went through their block.  */
struct dg_run_count {
  uint32_t times;
  uint16_t n_instrs, n_slots;          /* of the block; 0: none was counted */
};

/* When a block or context was met since counts were last taken.  */
struct dg_run_met {
  uint64_t icount;
  uint32_t number;
};

/* Sums by a number.  */
struct dg_run_shape { uint64_t key, times; };
struct dg_run_shapes {
  struct dg_keys keys;
  struct dg_table shapes;  /* struct dg_run_shape, of each key */
};

/* For one thread at a time.  */
struct dg_run_counts {
  const struct dg_log *log;
  bool by_context;
  struct dg_run_count *whole;          /* by number of context, or of block */
  struct dg_run_met *met;
  size_t n_met, room_met;
  /* All others: number | first_instr << 32 | n_instrs << 40
     | n_slots << 48.  */
  struct dg_run_shapes parts;
  /* Accesses of any of these that were not made: number | slot << 32.  */
  struct dg_run_shapes unmade;
  bool has_failed;         /* out of memory: counts are lost */
};

struct dg_run_counts *dg_run_counts_new (const struct dg_log *log,
                                         bool by_context,
                                         struct dg_error *err);
void dg_run_counts_free (struct dg_run_counts *counts);

/* Adds runs that are alike, whose accesses were all made; run: the first of
   them.  */
void dg_run_counts_add_times (struct dg_run_counts *counts,
                              const struct dg_run *run, uint32_t times);

/* For the function below.  */
void dg_run_counts_unmade (struct dg_run_counts *counts,
                           const struct dg_run *run);

static inline uint32_t
dg_run_counts_number (const struct dg_run_counts *counts,
                      const struct dg_run *run)
{
  return counts->by_context ? run->context : run->bbdef->number;
}

static inline void
dg_run_counts_add (struct dg_run_counts *counts, const struct dg_run *run)
{
  uint32_t number = dg_run_counts_number (counts, run);
  struct dg_run_count *count = &counts->whole[number];
  if (G_LIKELY (run->n_instrs == count->n_instrs
                && run->n_slots == count->n_slots && run->first_instr == 0
                && count->times != UINT32_MAX))
    count->times++;
  else
    dg_run_counts_add_times (counts, run, 1);
  if (run->addresses != NULL && run->n_slots > 0) {
    unsigned n = run->bbdef->slots[run->n_slots - 1].entry + 1u;
    unsigned zeros = 0;
    for (unsigned i = 0; i < n; i++)
      zeros += run->addresses[i] == 0;
    if (G_UNLIKELY (zeros != 0))
      dg_run_counts_unmade (counts, run);
  }
}

static inline void
dg_run_counts_add_batch (struct dg_run_counts *counts,
                         const struct dg_batch *batch)
{
  for (size_t i = 0; i < batch->n_runs; i++)
    if (batch->times != NULL)
      dg_run_counts_add_times (counts, &batch->runs[i], batch->times[i]);
    else
      dg_run_counts_add (counts, &batch->runs[i]);
}

/* What `times` runs of a block have in common: instructions first to
   end - 1, and slots first_slot to end_slot - 1 were reached.  icount: a
   moment at which they ran, the earliest of those that were added if
   these came in order.  */
struct dg_run_sum {
  uint32_t bbdef, context;             /* context: DG_NONE if not asked for */
  unsigned first, end, first_slot, end_slot;
  uint64_t times, icount;
};

/* Whether the last instruction of these runs does not count.  */
static inline bool
dg_run_sum_is_repetition (const struct dg_bbdef *bbdef,
                          const struct dg_run_sum *sum)
{
  return dg_is_repetition (bbdef, sum->end, sum->end_slot);
}

struct dg_run_visitor {
  void (*runs) (void *user, const struct dg_run_sum *sum);
  /* Of a slot that was told to be reached, so many accesses were not made.
     Told after the runs.  */
  void (*unmade) (void *user, uint32_t bbdef, uint32_t context, unsigned slot,
                  uint64_t times);
  void *user;
};

/* Tells everything that was counted, and begins again.  0 or DG_ERR_NOMEM.  */
int dg_run_counts_take (struct dg_run_counts *counts,
                        const struct dg_run_visitor *visitor,
                        struct dg_error *err);

#endif /* DG_RUN_COUNTS_H */

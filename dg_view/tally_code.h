/* tally_code.h: adding up runs: which call path and which block ran how often,
   and what that makes for each call path, thread and instruction.

   A run is one step in a small table that a worker has to itself; what its
   accesses are is worked out later, once for all runs that are alike.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_CODE_H
#define DV_TALLY_CODE_H

#include "tally.h"

/* What happened: the first `n` accesses of a run were made; or its access
   number n was; or it was not, though a run was counted that says so.  */
enum dv_run_event { DV_RUN_FIRST = 0, DV_RUN_ONE = 1, DV_RUN_NOT = 2 };

struct dv_run_count {
  uint64_t key;            /* see dv_run_key; UINT64_MAX: free */
  uint64_t icount;         /* of one of them */
  uint32_t thread;
  uint32_t times;
};

/* Of one worker.  */
struct dv_run_counts {
  struct dv_run_count *entries;
  size_t mask, used;
};

void dv_run_counts_init (struct dv_run_counts *counts);
void dv_run_counts_fini (struct dv_run_counts *counts);
/* Makes room where there is little.  */
void dv_run_counts_grow (struct dv_run_counts *counts);

static inline uint64_t
dv_run_key (uint32_t context, enum dv_run_event event, unsigned n)
{
  return context | (uint64_t) n << 32 | (uint64_t) event << 48;
}

static inline struct dv_run_count *
dv_run_counts_probe (const struct dv_run_counts *counts, uint64_t key,
                     uint32_t thread)
{
  uint64_t hash = (key ^ (uint64_t) thread << 52) * 0x9e3779b97f4a7c15u;
  size_t i = (size_t) (hash >> 32) & counts->mask;
  while (counts->entries[i].key != UINT64_MAX
         && (counts->entries[i].key != key
             || counts->entries[i].thread != thread))
    i = (i + 1) & counts->mask;
  return &counts->entries[i];
}

static inline void
dv_run_counts_add (struct dv_run_counts *counts, uint64_t key,
                   uint32_t thread, uint64_t icount)
{
  struct dv_run_count *entry = dv_run_counts_probe (counts, key, thread);
  if (G_UNLIKELY (entry->key == UINT64_MAX)) {
    *entry = (struct dv_run_count){ key, icount, thread, 0 };
    if (++counts->used * 2 > counts->mask) {
      dv_run_counts_grow (counts);
      entry = dv_run_counts_probe (counts, key, thread);
    }
  }
  entry->times++;
}

/* Of all workers.  */
struct dv_code_sums;

struct dv_code_sums *dv_code_sums_new (const struct dg_log *log);
void dv_code_sums_free (struct dv_code_sums *sums);
/* Takes what a worker has counted, and empties that.  Any thread.  */
void dv_code_sums_take (struct dv_code_sums *sums,
                        struct dv_run_counts *counts);
/* Sets a tally's total, contexts, threads and code.  Any thread.  */
void dv_code_sums_tell (struct dv_code_sums *sums, struct dv_tally *tally);

#endif /* DV_TALLY_CODE_H */

/* code_sums.h: adding up runs: which call path and which block ran how often,
   and what that makes for each call path, thread and instruction.

   A run is one step in a small table that a worker has to itself; what its
   accesses are is worked out later, once for all runs that are alike.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CODE_SUMS_H
#define DV_CODE_SUMS_H

#include "tally_state.h"

/* What happened: the first `n` accesses of a run were made; or its access
   number n was; or it was not, though a run was counted that says so.  */
enum dv_code_event { DV_CODE_FIRST = 0, DV_CODE_ONE = 1, DV_CODE_NOT = 2 };

/* 16 bytes: most of the time goes into waiting for these.  */
struct dv_code_count {
  uint64_t key;            /* see dv_code_key; UINT64_MAX: free */
  uint32_t times;
  uint32_t moment;         /* of one of them, since the base */
};

/* Of one worker.  */
struct dv_code_counts {
  struct dv_code_count *entries;
  size_t mask, used;
  uint64_t base;           /* icount that moments count from */
  uint32_t thread;         /* of the runs that come */
  uint64_t thread_key;     /* that, in keys */
};

/* Threads with greater numbers do not fit into keys: nobody's counts but
   theirs may be in the table meanwhile.  */
#define DV_CODE_THREADS ((1u << 14) - 1)

void dv_code_counts_init (struct dv_code_counts *counts);
void dv_code_counts_fini (struct dv_code_counts *counts);
/* Forgets everything; from now on moments count from `base`.  */
void dv_code_counts_clear (struct dv_code_counts *counts, uint64_t base);
/* Makes room where there is little.  */
void dv_code_counts_grow (struct dv_code_counts *counts);
/* Runs of another thread follow.  False, and nothing has happened, if the
   table must be cleared first.  */
bool dv_code_counts_set_thread (struct dv_code_counts *counts,
                                uint32_t thread);

/* Different runs that are counted before they are added to the sums.  */
#define DV_CODE_MOST (1u << 17)

/* Whether a run at `icount` can be counted; else the table must be cleared
   first.  Moments are 32 bits.  */
static inline bool
dv_code_counts_have_room (const struct dv_code_counts *counts,
                          uint64_t icount)
{
  return icount - counts->base < UINT32_MAX - UINT16_MAX
         && counts->used <= DV_CODE_MOST;
}

static inline uint64_t
dv_code_key (uint32_t context, enum dv_code_event event, unsigned n)
{
  return context | (uint64_t) n << 32 | (uint64_t) event << 48;
}

static inline struct dv_code_count *
dv_code_counts_probe (const struct dv_code_counts *counts, uint64_t key)
{
  size_t i = (size_t) (key * 0x9e3779b97f4a7c15u >> 32) & counts->mask;
  while (counts->entries[i].key != key
         && counts->entries[i].key != UINT64_MAX)
    i = (i + 1) & counts->mask;
  return &counts->entries[i];
}

/* So many times, together less than 2^32 until the table is cleared.  */
static inline void
dv_code_counts_add_times (struct dv_code_counts *counts, uint64_t key,
                          uint64_t icount, uint32_t times)
{
  key |= counts->thread_key;
  struct dv_code_count *entry = dv_code_counts_probe (counts, key);
  if (G_UNLIKELY (entry->key == UINT64_MAX)) {
    *entry = (struct dv_code_count){ key, 0,
                                    (uint32_t) (icount - counts->base) };
    if (++counts->used * 2 > counts->mask) {
      dv_code_counts_grow (counts);
      entry = dv_code_counts_probe (counts, key);
    }
  }
  entry->times += times;
}

static inline void
dv_code_counts_add (struct dv_code_counts *counts, uint64_t key,
                    uint64_t icount)
{
  dv_code_counts_add_times (counts, key, icount, 1);
}

/* Of all workers.  */
struct dv_code_sums;

/* NULL: there is no memory.  */
struct dv_code_sums *dv_code_sums_new (const struct dg_log *log);
void dv_code_sums_free (struct dv_code_sums *sums);
/* Takes what a worker has counted, without clearing that; false: there is no
   memory.  Any thread.  */
bool dv_code_sums_take (struct dv_code_sums *sums,
                        const struct dv_code_counts *counts);
/* Of all accesses.  Any thread.  */
struct dv_tally_count dv_code_sums_total (struct dv_code_sums *sums);
/* Sets a tally's contexts, threads and code, and the total of these.  Any
   thread.  */
void dv_code_sums_tell (struct dv_code_sums *sums, struct dv_tally *tally);

#endif /* DV_CODE_SUMS_H */

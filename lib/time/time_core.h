/* time_core.h: how long instructions take on a core that executes them out of
   order.

   One pass over the runs of a thread, in their order.  For each instruction:
   when it enters the window, when its registers and its data are there, when
   it is done, and when it leaves, after all earlier ones.  The time between
   two that leave belongs to the later one, as a profiler would find it.
   docs/time.md has the model, its sources and what it is worth.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_CORE_H
#define DG_TIME_CORE_H

#include "time_branches.h"
#include "time_code.h"
#include "time_memory.h"

/* What is counted for each instruction of a block.  */
enum dg_time_count {
  DG_TIME_INSTRUCTIONS = 0, /* those that repeat themselves are one */
  DG_TIME_CYCLES,          /* with those below, without pages */
  DG_TIME_MEMORY_CYCLES,   /* waits for caches, memory, translations */
  DG_TIME_BRANCH_CYCLES,   /* after wrong predictions */
  DG_TIME_FETCH_CYCLES,    /* waits for machine code */
  DG_TIME_FORWARD_CYCLES,  /* a load waits for the value of an earlier store;
                              longest if it stores only a part of the bytes;
                              or of one that is taken for such a store */
  DG_TIME_CODE_MISSES,     /* of the first-level cache of code */
  DG_TIME_L1_MISSES,
  DG_TIME_L2_MISSES,
  DG_TIME_L3_MISSES,
  DG_TIME_REMOTE_MISSES,   /* of these, for memory of another node */
  DG_TIME_WALKS,           /* of page tables */
  DG_TIME_BRANCHES,        /* conditional and indirect ones */
  DG_TIME_MISPREDICTED,
  DG_TIME_FORWARD_FAILS,
  DG_TIME_ALIASES,         /* loads that wait for a store to another page */
  DG_TIME_PAGES,           /* first touches of pages; 16 pages of code count
                              as one */
  DG_TIME_COUNTS
};

/* The core of one thread of the program.  */
struct dg_time_core;
/* shared: of all cores; outlives them.  NULL: no memory.  */
struct dg_time_core *dg_time_core_new (struct dg_time_shared *shared);
void dg_time_core_free (struct dg_time_core *core);

/* A run that is not executed: the pages that it touches are not touched first
   by others.  */
void dg_time_core_pass (struct dg_time_core *core, const struct dg_run *run);

/* Executes a run of a block.  The counts of instruction i are added to the
   DG_TIME_COUNTS numbers at rows + i * stride, which stay where they are as
   long as the core.  */
void dg_time_core_run (struct dg_time_core *core,
                       const struct dg_time_block *block,
                       const struct dg_run *run, uint64_t *rows,
                       size_t stride);
/* The same; those of instruction i are rows[i].  */
void dg_time_core_run_each (struct dg_time_core *core,
                            const struct dg_time_block *block,
                            const struct dg_run *run, uint64_t *const *rows);

/* Lets the line of an address be in the levels below the first that have that
   of another one, as if its data had been there instead.  */
void dg_time_core_bring (struct dg_time_core *core, uint64_t address,
                         uint64_t other);

/* Lets the line of an address be in the first level, and its page in the first
   buffer of translations, as if it had been accessed before.  */
void dg_time_core_keep (struct dg_time_core *core, uint64_t address);

/* Cycles up to now.  */
uint64_t dg_time_core_cycles (const struct dg_time_core *core);

#endif /* DG_TIME_CORE_H */

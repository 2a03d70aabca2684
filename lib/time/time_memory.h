/* time_memory.h: when the data of an access arrive: caches, translations,
   prefetchers and bandwidth of one core.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_MEMORY_H
#define DG_TIME_MEMORY_H

#include "time_cache.h"

#define DG_TIME_LINE_SHIFT 6
#define DG_TIME_PAGE_SHIFT 12
/* Pages from this address on have 2 MiB.  Programs have no memory there.  */
#define DG_TIME_LARGE       (UINT64_C (1) << 60)
#define DG_TIME_LARGE_SHIFT 21
/* Pages from this address up to the large ones were touched before the log
   begins.  */
#define DG_TIME_EXISTING    (UINT64_C (1) << 59)
/* Pages from this address on, up to those, go to the node of the first thread
   that uses them after the one that touched them first.  */
#define DG_TIME_BY_USER (UINT64_C (1) << 58)
/* The kernel clears 2 MiB at 16 bytes a cycle, which takes as long as the
   first touches of 20 small pages.  */
#define DG_TIME_LARGE_PAGES 20

enum dg_time_level {
  DG_TIME_L1 = 1,
  DG_TIME_L2,
  DG_TIME_L3,
  DG_TIME_RAM,
  DG_TIME_REMOTE           /* memory of another node */
};

#define DG_TIME_PASSED 1024

/* What all cores share.  */
struct dg_time_shared {
  const struct dg_time_machine *machine;
  struct dg_time_cache l3;
  GHashTable *regions;     /* of 2 MiB; each has a bit for each page: the
                              page was touched; and the page's node, if there
                              are several */
  uint32_t n_cores;
  uint64_t passed[DG_TIME_PASSED]; /* numbers + 1 of pages that are touched, by
                                      their last bits */
};

/* 0, or DG_ERR_NOMEM.  */
int dg_time_shared_init (struct dg_time_shared *shared,
                         const struct dg_time_machine *machine);
void dg_time_shared_fini (struct dg_time_shared *shared);

/* A run that a thread of a node does not execute: the pages that it touches
   are not touched first by others.  */
void dg_time_shared_pass (struct dg_time_shared *shared, uint32_t node,
                          const struct dg_run *run);
/* The same of the page, and of the group of pages of code, that an address is
   in, if there is one node.  */
void dg_time_shared_pass_data (struct dg_time_shared *shared,
                               uint64_t address);
void dg_time_shared_pass_code (struct dg_time_shared *shared,
                               uint64_t address);

#define DG_TIME_STREAMS 32
#define DG_TIME_STRIDES 256
#define DG_TIME_BANKS 64
#define DG_TIME_SETS 64    /* of L1, whose fills wait for each other */

/* A stream prefetcher: neighbouring lines, upwards or downwards.  */
struct dg_time_stream {
  uint64_t line, used;
  int32_t direction, confirmed;
};

/* A stride prefetcher: an instruction whose addresses have equal
   distances.  */
struct dg_time_stride {
  uint64_t instruction, last;
  int64_t step;
  uint32_t confirmed;
};

struct dg_time_memory {
  const struct dg_time_machine *machine;
  struct dg_time_shared *shared;
  uint32_t node;
  struct dg_time_cache code, l1, l2, tlb, tlb2;
  struct dg_time_stream streams[DG_TIME_STREAMS];
  struct dg_time_stride strides[DG_TIME_STRIDES];
  uint64_t clock;          /* uses of streams */
  /* When each of these can take the next line, in eighths of a cycle.  */
  uint64_t l2_free, l3_free, ram_free;
  uint64_t bank_free[DG_TIME_BANKS], set_free[DG_TIME_SETS];
  uint64_t misses[DG_TIME_MISSES]; /* cycles at which the latest misses end; a
                                      ring */
  uint32_t next_miss;
  uint64_t walkers[DG_TIME_WALKERS];  /* cycles from which on each is free */
};

/* 0, or DG_ERR_NOMEM; in both cases to be ended.  */
int dg_time_memory_init (struct dg_time_memory *memory,
                         struct dg_time_shared *shared);
void dg_time_memory_fini (struct dg_time_memory *memory);

/* Large pages get numbers that no small page has.  */
static inline uint64_t
dg_time_page_of (uint64_t address)
{
  if (G_LIKELY (address < DG_TIME_LARGE))
    return address >> DG_TIME_PAGE_SHIFT;
  return address >> DG_TIME_LARGE_SHIFT
         ^ DG_TIME_LARGE >> DG_TIME_PAGE_SHIFT;
}

/* For the function below: the page is not in the first buffer.  */
uint64_t dg_time_memory_walk_far (struct dg_time_memory *memory,
                                  uint64_t address, uint64_t page,
                                  uint64_t time, bool *is_walk,
                                  bool *is_first);

/* Cycles from `time` on until the page of an address is translated.  *is_walk:
   by the page table; *is_first: nobody touched the page before.  */
static inline uint64_t
dg_time_memory_walk (struct dg_time_memory *memory, uint64_t address,
                     uint64_t time, bool *is_walk, bool *is_first)
{
  uint64_t page = dg_time_page_of (address);

  *is_walk = *is_first = false;
  if (G_LIKELY (dg_time_cache_find (&memory->tlb, page) != NULL))
    return 0;
  return dg_time_memory_walk_far (memory, address, page, time, is_walk,
                                  is_first);
}

/* Notes an access of an instruction.  True: its step is that of the two
   accesses before, and it stays in the page, so the stride prefetcher knew
   it.  */
static inline bool
dg_time_memory_stride (struct dg_time_memory *memory, uint64_t instruction,
                       uint64_t address)
{
  struct dg_time_stride *stride
    = &memory->strides[instruction & (DG_TIME_STRIDES - 1)];
  int64_t step = (int64_t) (address - stride->last);
  bool is_known = stride->instruction == instruction;
  bool is_next = is_known && step == stride->step;

  stride->confirmed = is_next ? MIN (stride->confirmed + 1, 3) : 0;
  stride->step = is_known ? step : 0;
  stride->instruction = instruction;
  stride->last = address;
  return stride->confirmed >= 2 && step != 0
         && address >> DG_TIME_PAGE_SHIFT
              == (address - (uint64_t) step) >> DG_TIME_PAGE_SHIFT;
}

/* Fetches a line of code at `time`, and prefetches the line after it.  Returns
   when the line can be decoded.  *is_first: this is the first fetch from its
   group of pages.  */
uint64_t dg_time_memory_fetch (struct dg_time_memory *memory, uint64_t line,
                               uint64_t time, bool *is_miss, bool *is_first);

/* Brings a line that is not in L1, from `time` on.  Returns when its data
   are in L1.  */
uint64_t dg_time_memory_miss (struct dg_time_memory *memory, uint64_t line,
                              uint64_t time, bool is_stride,
                              enum dg_time_level *level);

/* Returns when the data of a line are there, if an access needs them from
   `time` on.  is_stride: the stride prefetcher knew the line.  */
static inline uint64_t
dg_time_memory_line (struct dg_time_memory *memory, uint64_t line,
                     uint64_t time, bool is_stride, enum dg_time_level *level)
{
  struct dg_time_line *found = dg_time_cache_find (&memory->l1, line);

  if (G_UNLIKELY (found == NULL))
    return dg_time_memory_miss (memory, line, time, is_stride, level);
  *level = DG_TIME_L1;
  return MAX (time + memory->machine->l1.latency, found->ready);
}

#endif /* DG_TIME_MEMORY_H */

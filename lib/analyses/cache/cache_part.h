/* cache_part.h: a part of the first level: the caches for instructions, or
   those for data or some of their sets, of all cores.  Each part passes over
   the log by itself, in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_PART_H
#define DG_CACHE_PART_H

#include "cache_code.h"
#include "cache_lower.h"
#include "cache_private.h"
#include "dg_analysis.h"
#include "analysis/breakdown.h"
#include "base/pairs.h"
#include "base/table.h"

/* What all parts have in common; not changed while they run, but for `lower`,
   which locks.  */
struct dg_cache_plan {
  const struct dg_log *log;
  struct dg_cache_code code;
  struct dg_cache_shape instr, data;
  unsigned data_bits;              /* of its lines */
  enum dg_cache_policy policy;
  struct dg_cache_lower *lower;
  struct dg_breakdown *groups; /* NULL: no rows */
  enum dg_by by;
  unsigned data_parts;             /* a power of two: the part of a line is its
                                      last bits */
  uint32_t n_cores;                /* each with first levels of its own */
  struct dg_pairs core_of;         /* thread, 0 -> core; of several cores */
  const uint32_t *found;           /* by code: for dg_units_known; or NULL */
  bool by_context;                 /* by code: rows of each call path */
  bool is_chunked;                 /* see cache_chunk.h */
  bool is_private;                 /* data caches are those of
                                      cache_private.h */
  bool has_prefetch;
  bool is_windowed;                /* the log is a sample: DG_EVENTS_ALL */
};

static inline unsigned
dg_cache_plan_events (const struct dg_cache_plan *plan)
{
  return plan->is_windowed ? DG_EVENTS_ALL : DG_EVENTS;
}

/* Rows by code are gathered by block; by unit where functions and lines are
   to be the program's; or by context, for callgrind's file.  */
struct dg_cache_part_block {
  uint64_t runs;           /* of the whole block */
  uint64_t icount;         /* of the first one */
  uint64_t *rows;          /* what else is counted of its instructions, for
                              dg_cache_part_row; NULL: nothing yet */
};

#define DG_CACHE_PART_MISSES 4096

/* What line 0 of data is called (cache_part_data.c).  */
#define DG_CACHE_LINE_ZERO ((uint64_t) 1 << 62)

struct dg_cache_part {
  const struct dg_cache_plan *plan;
  unsigned index;          /* 0: instructions */
  struct dg_cache *caches; /* of each core; NULL if data is private */
  struct dg_cache_private *private_caches;
  struct dg_breakdown_sums *sums;    /* NULL: no rows, or by code */
  bool is_by_code;                 /* then it has these: */
  struct dg_cache_part_block *blocks; /* of each block, unit or context */
  uint32_t n_blocks;
  uint8_t first, stride;           /* the events of each row */
  struct dg_arena arena;           /* rows */
  struct dg_cache_part_block no_block; /* where there is no memory for one, */
  uint64_t *spare;                 /* and its rows */
  struct dg_cache_part *next;      /* of a worker that has ended */
  uint64_t totals[DG_EVENTS_ALL];  /* since the latest snapshot */
  uint64_t before[DG_EVENTS_ALL];  /* up to it */
  /* Of a sample: those of instructions; of reads and writes.  */
  struct dg_cache_depths depths[2];
  uint64_t window;                 /* that it is in; 0: none */
  size_t n_marks;
  uint64_t run;            /* how many came before the one in hand */
  /* Of the batch in hand: */
  struct dg_cache *cache;
  uint32_t core;
  uint64_t *row;           /* by thread; else NULL */
  uint32_t number;         /* of the variable or site in hand */
  /* Of a chunk, which begins with caches that hold nothing: where misses go,
     instead of to the lower levels; NULL: it is not a chunk.  */
  struct dg_table *out;    /* struct dg_cache_miss */
  uint64_t counted[2];     /* reads, writes */
  int code;                /* of the lower levels */
  struct dg_error *err;
  unsigned batches;        /* since the last gift */
  size_t n_misses;
  struct dg_cache_miss misses[DG_CACHE_PART_MISSES];   /* not yet given */
};

/* index: 0, or 1 + which of the data parts.  is_of_run: not a worker's.  NULL
   on failure.  */
struct dg_cache_part *dg_cache_part_new (const struct dg_cache_plan *plan,
                                         unsigned index, bool is_of_run,
                                         struct dg_error *err);
/* With those that were added to it.  */
void dg_cache_part_free (struct dg_cache_part *part);

/* The next runs, all of one thread.  */
int dg_cache_part_feed (struct dg_cache_part *part,
                        const struct dg_batch *batch, struct dg_error *err);
/* An interval ends: totals become `before`, and the levels below are sent mark
   n_marks.  */
int dg_cache_part_mark (struct dg_cache_part *part, struct dg_error *err);
int dg_cache_part_end (struct dg_cache_part *part, struct dg_error *err);
/* A window of a sample begins: nothing is known of what the caches hold.  */
void dg_cache_part_forget (struct dg_cache_part *part);

/* Adds a worker's part to `to`, of the same plan, which owns it then; what it
   found by number goes to the groups.  */
int dg_cache_part_add (struct dg_cache_part *to, struct dg_cache_part *from,
                       struct dg_breakdown *groups, struct dg_error *err);

/* ---- By code (cache_part_code.c) -------------------------------------- */

int dg_cache_part_code_init (struct dg_cache_part *part, bool is_of_run,
                             struct dg_error *err);
void dg_cache_part_code_fini (struct dg_cache_part *part);

/* Once all parts have ended: adds the events of each instruction of a block
   (unit, context), whose code is given, to rows; *icount becomes the least.
   false: it did not run there.  */
bool dg_cache_part_code_read (const struct dg_cache_part *part,
                              uint32_t number, const struct dg_bbdef *bbdef,
                              uint64_t *icount, uint64_t *rows);

/* ---- For cache_part_fetch.c and cache_part_data.c --------------------- */

void dg_cache_part_fetch (struct dg_cache_part *part,
                          const struct dg_batch *batch);
void dg_cache_part_access (struct dg_cache_part *part,
                           const struct dg_batch *batch);

/* Of a chunk: touches the lines of an access, and notes it if it missed, or
   may have.  zero: what line 0 is called.  */
void dg_cache_part_touch (struct dg_cache_part *part, uint64_t order,
                          unsigned kind, uint64_t address, uint32_t width,
                          uint64_t zero, uint32_t key, uint32_t instr);
/* The depths of a kind of access.  */
static inline struct dg_cache_depths *
dg_cache_part_depths (struct dg_cache_part *part, unsigned kind)
{
  return &part->depths[kind == DG_MISS_WRITE];
}
/* Of a sample, not by chunks: counts what a touch of the first level is, and
   gives it to the levels below.  */
void dg_cache_part_note (struct dg_cache_part *part, uint64_t order,
                         unsigned kind, uint64_t address, uint32_t width,
                         enum dg_cache_state state, uint64_t *row);
/* What a run's misses belong to there.  */
static inline uint32_t
dg_cache_part_key (const struct dg_cache_part *part, const struct dg_run *run)
{
  if (part->is_by_code)
    return run->context;
  return dg_by_is_data (part->plan->by) ? part->number : run->thread;
}

/* Gives the misses; none will come below `until`.  */
void dg_cache_part_give (struct dg_cache_part *part, uint64_t until);

/* Adds one that cost the first level a miss.  */
static inline struct dg_cache_miss *
dg_cache_part_miss (struct dg_cache_part *part, uint64_t order, unsigned kind,
                    uint64_t address, uint32_t width, uint64_t *row)
{
  struct dg_cache_miss *miss;

  if (G_UNLIKELY (part->n_misses == DG_CACHE_PART_MISSES))
    dg_cache_part_give (part, order);
  miss = &part->misses[part->n_misses++];
  *miss = (struct dg_cache_miss) {
    .order = order,
    .address = address,
    .row = row,
    .width = width,
    .kind = kind,
    .core = part->core
  };
  return miss;
}

/* For the two below: a block that is not there yet; its rows.  */
struct dg_cache_part_block *
dg_cache_part_find_block (struct dg_cache_part *part, uint32_t context,
                          uint64_t icount);
uint64_t *dg_cache_part_make_rows (struct dg_cache_part *part,
                                   struct dg_cache_part_block *block,
                                   unsigned n_instrs);

/* By code: the run's block.  Valid until the next call.  */
static inline struct dg_cache_part_block *
dg_cache_part_block (struct dg_cache_part *part, const struct dg_run *run)
{
  const struct dg_cache_plan *plan = part->plan;
  struct dg_cache_part_block *block;
  uint32_t number = plan->by_context      ? run->context
                    : plan->found != NULL ? dg_units_known (plan->found,
                                                            run->context)
                                          : run->bbdef->number;

  block = G_LIKELY (number < part->n_blocks)
            ? &part->blocks[number]
            : dg_cache_part_find_block (part, run->context, run->icount);
  if (G_UNLIKELY (block->runs == 0 && block->rows == NULL))
    block->icount = run->icount;
  return block;
}

/* The counters of one of its n_instrs instructions, by their events.  Rows
   stay where they are.  */
static inline uint64_t *
dg_cache_part_row (struct dg_cache_part *part,
                   struct dg_cache_part_block *block, unsigned n_instrs,
                   unsigned instr)
{
  uint64_t *rows = block->rows;

  if (G_UNLIKELY (rows == NULL))
    rows = dg_cache_part_make_rows (part, block, n_instrs);
  return rows + instr * part->stride;
}

/* That of a context which runs somewhere.  */
uint64_t *dg_cache_part_row_of (struct dg_cache_part *part, uint32_t context,
                                unsigned instr);

#endif /* DG_CACHE_PART_H */

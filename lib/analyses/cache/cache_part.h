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
  uint32_t n_threads;
  const uint32_t *core_of;         /* of each thread up to n_threads - 1 */
  bool by_context;                 /* by code: rows of each call path */
  bool is_private;                 /* data caches are those of
                                      cache_private.h */
  bool has_prefetch;
};

/* Rows by code are gathered by block, or by context where it matters from
   where code was called.  */
struct dg_cache_part_block {
  uint64_t runs;           /* of the whole block */
  uint64_t icount;         /* of the first one */
  uint64_t *rows;          /* DG_EVENTS of each instruction; NULL: none yet */
};

#define DG_CACHE_PART_MISSES 4096

/* What line 0 of data is called (cache_part_data.c).  */
#define DG_CACHE_LINE_ZERO ((uint64_t) 1 << 62)

struct dg_cache_part {
  const struct dg_cache_plan *plan;
  unsigned index;          /* 0: instructions */
  struct dg_cache *caches; /* of each core; NULL if data is private */
  struct dg_cache_private *private_caches;
  struct dg_breakdown_sums *sums;    /* NULL: no rows */
  struct dg_cache_part_block *blocks; /* of each block or context; else NULL */
  struct dg_arena arena;           /* rows of contexts */
  uint64_t *spare;                 /* what they are when there is no memory */
  uint64_t totals[DG_EVENTS];      /* since the latest snapshot */
  uint64_t before[DG_EVENTS];      /* up to it */
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

/* index: 0, or 1 + which of the data parts.  NULL on failure.  */
struct dg_cache_part *dg_cache_part_new (const struct dg_cache_plan *plan,
                                         unsigned index,
                                         struct dg_error *err);
void dg_cache_part_free (struct dg_cache_part *part);

/* The next runs, all of one thread.  */
int dg_cache_part_feed (struct dg_cache_part *part,
                        const struct dg_batch *batch, struct dg_error *err);
/* An interval ends: totals become `before`, and the levels below are sent mark
   n_marks.  */
int dg_cache_part_mark (struct dg_cache_part *part, struct dg_error *err);
int dg_cache_part_end (struct dg_cache_part *part, struct dg_error *err);

/* Once all parts have ended: takes what the part found into the groups.
   visit: told the DG_EVENTS of each of the n instructions of each context that
   ran, first at icount, if the plan is by context; may be NULL.  */
typedef void (*dg_context_visit_fn) (void *user, uint32_t context,
                                     uint64_t icount, const uint64_t *rows,
                                     unsigned n);
int dg_cache_part_take (struct dg_cache_part *part,
                        struct dg_breakdown *groups, dg_context_visit_fn visit,
                        void *user, struct dg_error *err);

/* Adds what a part of chunks found to `to`, of the same plan, and the
   groups.  */
int dg_cache_part_add (struct dg_cache_part *to, struct dg_cache_part *from,
                       struct dg_breakdown *groups, struct dg_error *err);

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
/* What a run's misses belong to there.  */
static inline uint32_t
dg_cache_part_key (const struct dg_cache_part *part, const struct dg_run *run)
{
  if (part->blocks != NULL)
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

/* Makes the rows of a block when it first runs.  */
uint64_t *dg_cache_part_make_rows (struct dg_cache_part *part,
                                   const struct dg_run *run);

/* By code only.  */
static inline struct dg_cache_part_block *
dg_cache_part_block (const struct dg_cache_part *part,
                     const struct dg_run *run)
{
  const struct dg_cache_plan *plan = part->plan;

  return &part->blocks[plan->by_context ? run->context
                                        : run->bbdef->number];
}

/* By code: the rows of the run's block; else NULL.  */
static inline uint64_t *
dg_cache_part_rows (struct dg_cache_part *part, const struct dg_run *run)
{
  struct dg_cache_part_block *block;

  if (part->blocks == NULL)
    return NULL;
  block = dg_cache_part_block (part, run);
  return block->rows != NULL ? block->rows
                             : dg_cache_part_make_rows (part, run);
}

/* The same of a context that runs somewhere from icount on.  */
uint64_t *dg_cache_part_rows_of (struct dg_cache_part *part, uint32_t context,
                                 uint64_t icount);

#endif /* DG_CACHE_PART_H */

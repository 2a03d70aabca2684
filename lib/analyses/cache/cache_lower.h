/* cache_lower.h: the levels behind the first one, which instructions and data
   share, and most often all cores.

   They see only what the first level missed.  The first level is simulated in
   parts (instructions; data, by sets), each of which passes over the log by
   itself; what they miss is gathered here, brought into the order of the log
   again, and looked up in the second level, the third, and so on.  So results
   are those of one cache after the other, while parts run side by side.

   Memory: 32 bytes for each miss that waits for a part that has not come so
   far yet; parts are never more than some chunks of the log apart.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_LOWER_H
#define DG_CACHE_LOWER_H

#include "cache_known.h"

enum dg_cache_miss_kind {
  DG_MISS_FETCH = 0, DG_MISS_READ, DG_MISS_WRITE,
  DG_MISS_PREFETCH,        /* of a line that nobody asked for yet */
  DG_MISS_KINDS,
  DG_MISS_MARK = DG_MISS_KINDS,  /* none: an interval ends here */
  DG_MISS_WINDOW                 /* none: a window of a sample begins; its
                                    number is the address */
};

/* The counters of a row: cachegrind's nine, then what more than one cache and
   prefetching add.  */
enum dg_cache_event {
  DG_EV_IR = 0, DG_EV_I1MR, DG_EV_ILMR,
  DG_EV_DR, DG_EV_D1MR, DG_EV_DLMR,
  DG_EV_DW, DG_EV_D1MW, DG_EV_DLMW,
  DG_EV_COHERENCE,         /* misses of lines that another cache's writes
                              took away */
  DG_EV_INVALIDATIONS,     /* lines taken away from other caches */
  DG_EVENTS,
  /* Of a sample: accesses that may have missed, of each kind in the first and
     in the last level; those above are certain then.  */
  DG_EV_UNKNOWN = DG_EVENTS,
  DG_EVENTS_ALL = DG_EV_UNKNOWN + 6
};
#define DG_EVENTS_NINE 9

/* The first of the three counters of a kind; its misses in the first and the
   last level follow.  */
static inline unsigned
dg_miss_event (unsigned kind)
{
  return 3 * kind;
}

/* The same of what is not known; the last level's is the next one.  */
static inline unsigned
dg_unknown_event (unsigned kind)
{
  return DG_EV_UNKNOWN + 2 * kind;
}

struct dg_cache_miss {
  uint64_t order;          /* its place in the log: dg_miss_order */
  uint64_t address;
  union {
    /* Counters that it belongs to, besides the totals: NULL or DG_EVENTS (of
       samples, DG_EVENTS_ALL) of them.  The last level's are ours, all others
       its part's, but that misses of the first level are counted by both:
       dg_miss_count.  */
    uint64_t *row;
    /* The same, of a chunk that knows no rows (cache_chunk.h).  */
    struct {
      uint32_t key;        /* context, thread or variable */
      uint32_t instr;
    };
  };
  uint16_t width;          /* bytes - 1 */
  uint8_t kind;
  /* One of the two lines of an access, which another part may have missed,
     too: who finds it here counts it, in the first level as well.  */
  bool is_half;
  uint16_t core;           /* counts if levels are not shared */
  /* Of chunks, and samples: whether it is certain; of chunks: which of its
     lines may be there.  */
  bool is_miss;
  uint8_t cold;
};

/* Places in the log, ascending: instruction `instr` of a run is fetched before
   its accesses are made, of which the first has slot 0.  run: how many were
   before it.  */
static inline uint64_t
dg_miss_order_fetch (uint64_t run, unsigned instr)
{
  return run << 24 | (uint64_t) instr << 16;
}
static inline uint64_t
dg_miss_order_access (uint64_t run, unsigned instr, unsigned slot)
{
  return (run << 24 | (uint64_t) instr << 16) + slot + 1;
}

static inline void
dg_miss_count (uint64_t *counter)
{
  __atomic_fetch_add (counter, 1, __ATOMIC_RELAXED);
}

#define DG_LOWER_LEVELS 4  /* at most */
#define DG_LOWER_PARTS 16

/* What happened in the levels; of the first one only what parts could not
   count.  */
struct dg_cache_lower_counts {
  uint64_t halves[DG_MISS_KINDS];      /* misses of the first level */
  uint64_t misses[DG_LOWER_LEVELS][DG_MISS_KINDS];
  /* Of a sample: what may be a miss, of the first level and of these.  */
  uint64_t unknown_halves[DG_MISS_KINDS];
  uint64_t unknown[DG_LOWER_LEVELS][DG_MISS_KINDS];
};

/* Adds what of the DG_EVENTS_ALL happened there.  */
void dg_cache_add_lower (uint64_t *events,
                         const struct dg_cache_lower_counts *counts,
                         unsigned n_levels);

struct dg_cache_lower;

/* n_levels: 1 or more; cores: that have such levels of their own, 1: all share
   them; parts: how many will give.  NULL on failure.  */
struct dg_cache_lower *dg_cache_lower_new (const struct dg_cache_shape *shapes,
                                           unsigned n_levels,
                                           enum dg_cache_policy policy,
                                           uint32_t cores, unsigned parts,
                                           struct dg_error *err);
void dg_cache_lower_free (struct dg_cache_lower *lower);
/* Before anything is given: the log is a sample.  0 or DG_ERR_NOMEM.  */
int dg_cache_lower_set_windows (struct dg_cache_lower *lower,
                                struct dg_error *err);
/* A window begins: nothing is known of what the levels hold.  For who looks up
   at once.  */
void dg_cache_lower_forget (struct dg_cache_lower *lower);

/* A part gives its next n misses, ascending, and tells that it will have no
   more below `until` (UINT64_MAX: none at all).  Any threads.  */
int dg_cache_lower_give (struct dg_cache_lower *lower, unsigned part,
                         const struct dg_cache_miss *misses, size_t n,
                         uint64_t until, struct dg_error *err);

/* Looks up a miss at once, and counts it in the first level, too; it has its
   row.  Instead of giving: one thread.  */
void dg_cache_lower_look_up (struct dg_cache_lower *lower,
                             const struct dg_cache_miss *miss);
/* Marks up to `n` of them.  */
int dg_cache_lower_mark_up_to (struct dg_cache_lower *lower, size_t n,
                               struct dg_error *err);

/* Once all parts have given all: */
const struct dg_cache_lower_counts *
dg_cache_lower_counts (struct dg_cache_lower *lower);
/* Of a sample: those of each kind in a level.  */
const struct dg_cache_depths *
dg_cache_lower_depths (const struct dg_cache_lower *lower, unsigned level);
/* Those up to mark i, from 0, each only since the one before; i may be that
   behind the last one, if dg_cache_lower_counts was not called yet.  NULL if
   there are not as many.  */
const struct dg_cache_lower_counts *
dg_cache_lower_mark (const struct dg_cache_lower *lower, size_t i);

#endif /* DG_CACHE_LOWER_H */

/* reuse_hist.h: how often each distance and each time between two touches
   occurred, and what follows from that.

   Distances are counted one by one: there are no more of them than lines.
   Hence the misses of a fully associative LRU cache of any size, the mean, the
   median and the deviation are exact.  Times are counted in 32 steps for each
   power of two.

   If only some lines are looked at (SHARDS: Waldspurger et al., "Efficient MRC
   Construction with SHARDS", FAST 2015), distances are those among these, and
   `rate` says what share of the lines they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REUSE_HIST_H
#define DG_REUSE_HIST_H

#include <stdbool.h>

#include "dg_analysis.h"
#include "reuse_stack.h"

#define DG_REUSE_STEP_SHIFT 5
#define DG_REUSE_STEPS      (1u << DG_REUSE_STEP_SHIFT)
#define DG_REUSE_TIMES      ((65 - DG_REUSE_STEP_SHIFT) * DG_REUSE_STEPS)
/* Times below this are counted one by one, and put into steps and sums when
   these are asked for.  */
#define DG_REUSE_SHORT      512u
/* Powers of two from 1 on, and 0.  */
#define DG_REUSE_BUCKETS      34
#define DG_REUSE_TIME_BUCKETS 65
/* Of the lines that are looked at, to see how much groups of them differ.  */
#define DG_REUSE_GROUPS 64
#define DG_REUSE_EDGES  128

/* What is looked at.  */
struct dg_reuse_sample {
  double rate;             /* 1: everything */
  uint32_t limit;          /* rate of 2^24 */
  /* Distances among the lines of the sample, ascending, of which misses are
     counted by group: edges[i] is that of caches of sizes[i] lines.  */
  uint32_t edges[DG_REUSE_EDGES], sizes[DG_REUSE_EDGES];
  unsigned n_edges;
};

/* A number for a line, as if thrown with dice.  */
static inline uint64_t
dg_reuse_dice (uint64_t line)
{
  line = (line ^ line >> 31) * UINT64_C (0xbf58476d1ce4e5b9);
  line = (line ^ line >> 29) * UINT64_C (0x94d049bb133111eb);
  return line ^ line >> 32;
}

static inline bool
dg_reuse_is_sampled (const struct dg_reuse_sample *sample, uint64_t dice)
{
  return dice >> 40 < sample->limit;
}

/* rate: 0 < rate <= 1.  sizes of caches to be told, besides powers of two: at
   most DG_REUSE_SIZES.  */
#define DG_REUSE_SIZES 64
void dg_reuse_sample_init (struct dg_reuse_sample *sample, double rate,
                           const uint32_t *sizes, unsigned n);
/* The smallest distance among the lines of the sample that is a miss in a
   cache of so many lines.  */
uint32_t dg_reuse_sample_edge (const struct dg_reuse_sample *sample,
                               uint32_t lines);

struct dg_reuse_time_sums {
  uint64_t steps[DG_REUSE_TIMES];
  uint64_t sum;
  unsigned __int128 squares;           /* their sum */
};

struct dg_reuse_hist {
  uint64_t *counts;        /* of each distance */
  size_t room;
  uint64_t cold;
  uint64_t accesses;       /* all: also those that are not looked at, ... */
  uint64_t straddles;      /* ... and of them, those of several lines */
  uint64_t shorts[DG_REUSE_SHORT];     /* times, ... */
  struct dg_reuse_time_sums longs;         /* ... and all others */
  /* Of a sample: of each group, how many had edges[i - 1] <= distance <
     edges[i]; cold ones are above all.  */
  uint64_t (*groups)[DG_REUSE_EDGES + 1];
};

/* A zero one is empty.  has_groups: of a sample.  0 or DG_ERR_NOMEM.  */
int dg_reuse_hist_init (struct dg_reuse_hist *hist, bool has_groups);
void dg_reuse_hist_fini (struct dg_reuse_hist *hist);
/* Room for distances below n: 0 or DG_ERR_NOMEM.  */
int dg_reuse_hist_room (struct dg_reuse_hist *hist, size_t n);
/* Adds `from` to `to`: 0 or DG_ERR_NOMEM.  */
int dg_reuse_hist_add (struct dg_reuse_hist *to,
                       const struct dg_reuse_hist *from);

static inline unsigned
dg_reuse_time_step (uint64_t time)
{
  unsigned shift;

  if (time < DG_REUSE_STEPS)
    return (unsigned) time;
  shift = 63 - DG_REUSE_STEP_SHIFT - (unsigned) __builtin_clzll (time);
  return (shift << DG_REUSE_STEP_SHIFT) + (unsigned) (time >> shift);
}

/* The bucket of a distance: 0, 1, 2-3, 4-7 ...; what it begins with.  */
static inline unsigned
dg_reuse_bucket (uint32_t distance)
{
  return distance == 0 ? 0 : 32 - (unsigned) __builtin_clz (distance);
}

static inline uint64_t
dg_reuse_bucket_start (unsigned bucket)
{
  return bucket == 0 ? 0 : UINT64_C (1) << (bucket - 1);
}

static inline void
dg_reuse_times_add (struct dg_reuse_time_sums *times, uint64_t time,
                    uint64_t n)
{
  times->steps[dg_reuse_time_step (time)] += n;
  times->sum += time * n;
  times->squares += (unsigned __int128) time * time * n;
}

/* A distance for which there is room, and the accesses in between.  */
static inline __attribute__ ((always_inline)) void
dg_reuse_hist_count (struct dg_reuse_hist *hist, uint32_t distance,
                     uint64_t time)
{
  hist->counts[distance]++;
  if (__builtin_expect (time < DG_REUSE_SHORT, 1))
    hist->shorts[time]++;
  else
    dg_reuse_times_add (&hist->longs, time, 1);
}

/* Of a sample: the group of the line with this dice.  */
void dg_reuse_hist_group (struct dg_reuse_hist *hist,
                          const struct dg_reuse_sample *sample, uint64_t dice,
                          uint32_t distance);

/* ---- What follows ---------------------------------------------------- */

struct dg_reuse_stats {
  uint64_t n;              /* reuses */
  double mean, sigma;      /* of them; 0 without any */
  uint64_t median;         /* the lower one of two */
};
/* In accesses and lines of the whole, also for a sample.  */
struct dg_reuse_stats dg_reuse_distances (const struct dg_reuse_hist *hist,
                                          const struct dg_reuse_sample *);
struct dg_reuse_stats dg_reuse_times (const struct dg_reuse_hist *hist,
                                      const struct dg_reuse_sample *sample);

/* How many have each distance or a larger one: misses of caches of any size,
   found at once.  NULL: no memory.  */
struct dg_reuse_curve;
struct dg_reuse_curve *
dg_reuse_curve_new (const struct dg_reuse_hist *hist,
                    const struct dg_reuse_sample *sample);
void dg_reuse_curve_free (struct dg_reuse_curve *curve);

/* Misses of a cache of so many lines, cold ones included.  Of a sample, an
   estimate, and what the true number lies between, by three standard errors:
   of the lines that are in the sample (by how much groups of them differ), of
   the number of them in each distance (binomial), and of accesses that are of
   several lines, which a sample counts for each.  */
struct dg_reuse_misses { uint64_t n, low, high; };
struct dg_reuse_misses
dg_reuse_curve_misses (const struct dg_reuse_curve *curve, uint64_t lines);

/* In powers of two: of each bucket that has some, where it begins and how
   many; returns how many buckets, at most DG_REUSE_BUCKETS or
   DG_REUSE_TIME_BUCKETS.  */
size_t dg_reuse_distance_pairs (const struct dg_reuse_hist *hist,
                                const struct dg_reuse_sample *sample,
                                struct dg_pair *pairs);
size_t dg_reuse_time_pairs (const struct dg_reuse_hist *hist,
                            const struct dg_reuse_sample *sample,
                            struct dg_pair *pairs);

#endif /* DG_REUSE_HIST_H */

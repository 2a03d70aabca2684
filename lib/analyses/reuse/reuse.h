/* reuse.h: what the parts of `dg reuse` share.

   A chunk of the log has a stack of its own (in parallel), and what it cannot
   know, the first touch of each of its lines, is found when chunks are merged,
   in their order (reuse_stack.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REUSE_H
#define DG_REUSE_H

#include "analysis/breakdown.h"
#include "reuse_hist.h"
#include "reuse_stack.h"

/* Counters of a row of the table of code.  FAR: reuses of a distance of at
   least self->far lines; SUM: of distances.  */
enum { REUSE_ACCESSES, REUSE_COLD, REUSE_FAR, REUSE_SUM, REUSE_N };

/* ---- An interval ----------------------------------------------------- */

/* What a snapshot has.  */
struct reuse_sums {
  uint64_t accesses, cold;
  uint64_t buckets[DG_REUSE_BUCKETS];
  double sum;              /* of distances; whole numbers */
  uint64_t edges[DG_REUSE_EDGES + 1];  /* as those of a group of a sample */
};

struct reuse_snapshot {
  struct dg_snapshot base;
  struct reuse_sums sums;
};

/* ---- The analysis ---------------------------------------------------- */

/* An access that touched a line.  */
struct reuse_touch {
  uint64_t icount, address;
  uint32_t context, thread;
  uint8_t iseq;            /* its instruction in the block */
};

/* Far reuses of a line: how many, the latest, and the instruction that made
   most of them, if one made more than half (Boyer and Moore, "MJRTY", 1981):
   then lead > 0.  */
struct reuse_far {
  uint32_t n, lead;        /* at most UINT32_MAX */
  uint32_t bbdef;
  uint8_t iseq;
  struct reuse_touch latest;
};

/* A stack: of all threads or of one.  */
struct reuse_whole {
  uint32_t thread;         /* 0: all */
  struct dg_reuse_whole whole;
  uint64_t accesses;       /* of the chunks that were taken */
  struct dg_table touches; /* uint64_t: of each line, by id */
  struct dg_table fars;    /* struct reuse_far, likewise */
};

struct reuse {
  const struct dg_log *log;
  struct dg_setup *setup;
  unsigned line_shift;
  uint64_t line_mask;      /* line numbers of the program's words */
  uint32_t far;            /* lines */
  uint32_t far_edge;       /* as the distance among the lines of a sample */
  uint32_t sizes[DG_REUSE_SIZES];      /* --lines, ascending */
  unsigned n_sizes;
  bool is_per_thread, has_intervals, is_curve_fine;
  uint64_t worst;          /* lines to show */
  enum dg_by by;
  struct dg_reuse_sample sample;       /* rate 1: everything */
  struct dg_breakdown *groups;
  struct dg_variables *variables;      /* NULL: lines are not named */
  /* Merged so far.  */
  struct dg_reuse_hist hist;
  struct dg_breakdown_sums *sums;    /* of what chunks did not know */
  GPtrArray *wholes;       /* struct reuse_whole, as they were met */
  GHashTable *by_thread;   /* thread -> struct reuse_whole */
  GHashTable *late;        /* uint64_t interval -> struct reuse_sums */
  struct dg_table found;   /* struct dg_reuse_found: room */
};

/* ---- A chunk (reuse_feed.c) ------------------------------------------ */

/* The first touch of a line, with what its access is known to have
   in addition.  */
struct reuse_first {
  struct reuse_touch touch;
  uint64_t interval;
  uint32_t number;         /* its row, if that is not code's */
  uint32_t distance, time; /* the largest of its lines that are known */
  bool is_joined;          /* the next line is of the same access */
};

/* Far reuses within the chunk.  */
struct reuse_chunk_far {
  uint32_t id;
  struct reuse_far far;
};

/* A chunk's part of a stack.  */
struct reuse_part {
  uint32_t thread;
  uint32_t accesses;       /* of a sample: touches */
  struct dg_table lines;   /* struct dg_reuse_line */
  struct dg_table firsts;  /* struct reuse_first, likewise */
  struct dg_table fars;    /* struct reuse_chunk_far */
  struct reuse_lane *lane; /* until the end of the chunk */
};

/* What a worker needs to follow one part.  */
struct reuse_lane {
  struct dg_reuse_stack stack;
  uint32_t *far_of;        /* of each line, index in fars + 1 */
  size_t room;
};

struct reuse_worker {
  struct reuse *self;
  struct dg_reuse_hist hist;
  struct dg_breakdown_sums *sums;
  struct dg_finder *finder;            /* by variable or site */
  GPtrArray *lanes;        /* struct reuse_lane */
};

struct reuse_shard {
  struct reuse_worker *worker;         /* until its end */
  GPtrArray *parts;        /* struct reuse_part */
  GHashTable *by_thread;   /* thread -> part; NULL: there is one */
  struct reuse_part *part; /* the latest */
  struct reuse_sums *sums; /* of the interval; or NULL */
};

int reuse_shard_feed (void *self, void *shard, const struct dg_feed *feed,
                      const struct dg_batch *batch, struct dg_error *err);

/* Counts a reuse that is far for a line.  */
void reuse_far_add (struct reuse_far *far, const struct dg_log *log,
                    const struct reuse_touch *touch);
void reuse_far_merge (struct reuse_far *far, const struct reuse_far *other);

/* Counts an access of an interval; distance DG_REUSE_COLD: a cold one.  */
void reuse_sums_count (struct reuse_sums *sums,
                       const struct dg_reuse_sample *sample,
                       uint32_t distance);

/* ---- Telling --------------------------------------------------------- */

/* reuse_report.c */
int reuse_report (void *self, struct dg_report *report, struct dg_error *err);
int reuse_print (void *self, struct dg_snapshot *const *snapshots, size_t n,
                 struct dg_report *report, struct dg_error *err);
/* reuse_worst.c: the lines with most far reuses.  */
int reuse_report_worst (struct reuse *self, struct dg_report *report,
                        struct dg_error *err);

#endif /* DG_REUSE_H */

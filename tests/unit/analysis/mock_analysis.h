/* mock_analysis.h: an analysis that notes everything it is given, and fails
   where it is told to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_MOCK_ANALYSIS_H
#define DG_MOCK_ANALYSIS_H

#include <glib.h>

#include "dg_analysis.h"

/* An instruction, or, behind it, one of its accesses.  */
struct mock_item {
  uint64_t icount, interval;
  uint32_t context, thread;
  int slot;                /* -1: the instruction */
  uint64_t address;
};

/* A snapshot, of a shard or combined.  */
struct mock_snapshot {
  struct dg_snapshot base;
  uint64_t instructions;   /* that the mock counted since the last one */
  uint64_t latest;         /* combined: instructions of all `latest` */
};

enum mock_callback {
  MOCK_NONE = 0, MOCK_CREATE, MOCK_PLAN, MOCK_WORKER_NEW, MOCK_SHARD_NEW,
  MOCK_SHARD_FEED, MOCK_SHARD_END, MOCK_MERGE, MOCK_WORKER_MERGE,
  MOCK_SNAPSHOT, MOCK_COMBINE, MOCK_FINALISE, MOCK_PRINT, MOCK_REPORT,
  MOCK_CALLBACKS
};

struct mock {
  struct dg_analysis analysis;
  /* What it shall do.  */
  struct dg_plan plan;
  bool shares_worker;      /* shards of chunks are the worker's */
  bool has_worker;
  bool is_last;            /* made when the mock before it, in an array, has
                              reported and is freed */
  enum mock_callback fails;
  uint32_t fails_shard;    /* DG_NONE: any */
  uint64_t fails_after;    /* after so many instructions of it */
  unsigned sleep_us;       /* in each batch */
  /* What it found.  */
  GPtrArray *shards;       /* of each, GArray of struct mock_item, or NULL */
  uint64_t worker_sum;     /* instructions that worker_merge took over */
  uint64_t records;        /* hash of them */
  GArray *snapshots;       /* struct mock_snapshot, as printed */
  GArray *shard_snapshots; /* struct dg_snapshot, as they were combined */
  /* For its own checks.  */
  int64_t merged;          /* index of the shard merged last, -1 */
  gint live;               /* things that were made and not freed */
  gint in_one;             /* callbacks that are for one thread at a time */
  bool is_reported;
  gint n_ended;            /* shards */
  gint n_ended_before;     /* the latest batch */
};

/* Fills the analysis; the mock is zero otherwise.  */
void mock_init (struct mock *mock, const char *name);
/* Forgets what it found, and asserts that all was freed.  */
void mock_fini (struct mock *mock);

#endif /* DG_MOCK_ANALYSIS_H */

/* counts.h: what "dg counts" adds up, for its two files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COUNTS_H
#define DG_COUNTS_H

#include "analysis/breakdown.h"

enum counts_sum {
  COUNTS_INSTRUCTIONS, COUNTS_READS, COUNTS_WRITES, COUNTS_READ_BYTES,
  COUNTS_WRITE_BYTES, COUNTS_N
};

struct counts {
  const struct dg_log *log;
  enum dg_by by;
  const char *by_name;
  struct dg_breakdown *groups;         /* NULL: by nothing */
  bool is_whole;                       /* every run is fed */
  uint64_t totals[COUNTS_N];
  /* Such as only the whole log has; 0 with filters.  */
  uint64_t kernel_reads, kernel_writes;
};

/* An interval, or a worker's part of it.  */
struct counts_snapshot {
  struct dg_snapshot base;
  uint64_t sums[COUNTS_N];
};

int counts_print (void *self, struct dg_snapshot *const *snapshots, size_t n,
                  struct dg_report *report, struct dg_error *err);
int counts_report (void *self, struct dg_report *report,
                   struct dg_error *err);

#endif /* DG_COUNTS_H */

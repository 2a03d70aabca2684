/* contention.h: the inside of sums by line, for the files that make them up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CONTENTION_PRIVATE_H
#define DG_CONTENTION_PRIVATE_H

#include <glib.h>

#include "base/lookup.h"
#include "base/packed_sums.h"
#include "libdatagrind.h"

/* Spots that are looked at first, by line and first byte.  */
#define DG_CONTENTION_RECENT 256
/* Spots of the table, beyond which it is emptied into the sums.  */
#define DG_CONTENTION_TABLE (32u << 10)

struct dg_contention {
  struct dg_spot *table;   /* what was added lately */
  uint32_t n_table, room;
  struct dg_lookup lookup; /* of the table */
  uint32_t recent[DG_CONTENTION_RECENT];
  struct dg_packed_sums sums;          /* all others */
  struct dg_sums_finder finders[DG_PACKED_RUNS];
  uint32_t most;           /* spots; 0: no limit */
  /* Once there may be as many as that, it is known how many there are.  */
  bool counts_spots;
  uint64_t n_spots;
  uint64_t left_out;
  bool failed;             /* no memory: spots are missing */
  struct dg_line_verdict *verdicts;
  size_t n_verdicts;
  struct dg_spot *spots;   /* for dg_contention_spots */
};

/* Empties the table into the sums: 0 or DG_ERR_NOMEM.  */
int dg_contention_pack (struct dg_contention *contention);
/* Does the same, and frees the table; nothing may be added then.  */
int dg_contention_close (struct dg_contention *contention);
/* As dg_contention_join, but moves what `from` has, which may then only be
   freed.  */
int dg_contention_take (struct dg_contention *contention,
                        struct dg_contention *from);
struct dg_spot dg_contention_spot (const struct dg_sum *sum);

#endif /* DG_CONTENTION_PRIVATE_H */

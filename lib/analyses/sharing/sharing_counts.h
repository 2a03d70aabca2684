/* sharing_counts.h: how often each thread accessed an address that was a
   variable, perhaps by instruction.

   A worker counts in a table, which is emptied into sums that all workers
   share (packed_sums.h) when it is full.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_COUNTS_H
#define DG_SHARING_COUNTS_H

#include <glib.h>

#include "base/lookup.h"
#include "base/packed_sums.h"
#include "dg_analysis.h"

/* What the numbers of a key are.  */
enum sharing_key {
  SHARING_ADDRESS,         /* of the first byte of accesses */
  SHARING_VARIABLE,
  SHARING_THREAD,
  SHARING_INSTRUCTION      /* 0 where nobody wants to know */
};

/* All zeros: none.  The `least' of a count is the icount of the first of its
   accesses; its flag, whether some were not to the thread's own stack.  */
struct sharing_counts {
  struct dg_sum *items;
  struct dg_lookup lookup;
  uint32_t n, room;
  bool failed;             /* no memory: what was told since is missing */
};

void sharing_counts_fini (struct sharing_counts *counts);

/* The count of a key, new ones being zero, with the highest `least'; valid
   until the next call.  NULL: no memory, and it has failed.  */
struct dg_sum *sharing_counts_find (struct sharing_counts *counts,
                                    const uint64_t key[DG_SUM_KEYS]);

/* Sums that are kept within bounds: where there are more than `most` keys,
   addresses are taken together, by 16 bytes, 64, 4096 and so on, until there
   are no more than that.  What comes of it does not depend on the order in
   which keys come.  One thread.  */
struct sharing_sums {
  struct dg_packed_sums packed;
  uint64_t most;           /* 0: no bound */
  unsigned level;          /* how far addresses are taken together */
  bool failed;             /* no memory: what was told since is missing */
};

void sharing_sums_fini (struct sharing_sums *sums);
/* Bytes of an address, 1 as long as there was room; 0: all of them.  */
uint64_t sharing_sums_grain (const struct sharing_sums *sums);

/* Moves counts, which are none then, into packed ones, which are those of a
   lot.  0 or DG_ERR_NOMEM.  */
int sharing_counts_pack (struct sharing_counts *counts,
                         struct dg_packed_sums *packed);
/* Moves a lot into the sums.  */
void sharing_sums_take (struct sharing_sums *sums,
                        struct dg_packed_sums *packed);
/* Nothing follows: all of it is one run.  */
void sharing_sums_settle (struct sharing_sums *sums);

#endif /* DG_SHARING_COUNTS_H */

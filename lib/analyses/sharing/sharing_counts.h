/* sharing_counts.h: how often each thread accessed an address that was a
   variable, perhaps by instruction.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_COUNTS_H
#define DG_SHARING_COUNTS_H

#include <glib.h>

#include "base/lookup.h"
#include "dg_analysis.h"

struct sharing_key {
  uint64_t address;        /* of the first byte of accesses */
  uint64_t instruction;    /* 0 where nobody wants to know */
  uint32_t variable, thread;
};

struct sharing_count {
  struct sharing_key key;
  uint64_t reads;
  uint64_t writes : 63;
  uint64_t is_foreign : 1; /* some were not to the thread's own stack */
  uint64_t icount;         /* of the first of them */
};

/* A table that is kept within bounds: where there are more than `most` keys,
   addresses are taken together, by 16 bytes, 64, 4096 and so on, until there
   are no more than that.  What comes of it does not depend on the order in
   which keys come.  One thread.  */
struct sharing_counts {
  struct sharing_count *items;
  struct dg_lookup lookup;
  uint32_t n, room;
  uint32_t most;           /* 0: no bound */
  unsigned level;          /* how far addresses are taken together */
  bool failed;             /* no memory: what was told since is missing */
};

void sharing_counts_init (struct sharing_counts *counts, uint32_t most);
void sharing_counts_fini (struct sharing_counts *counts);
/* No key is looked for any more: frees what only that needs.  */
void sharing_counts_close (struct sharing_counts *counts);
/* Forgets all.  */
void sharing_counts_clear (struct sharing_counts *counts);
/* Bytes of an address, 1 as long as there was room; 0: all of them.  */
uint64_t sharing_counts_grain (const struct sharing_counts *counts);

/* The count of a key, new ones being zero; valid until the next call.  NULL:
   no memory, and it has failed.  */
struct sharing_count *sharing_counts_find (struct sharing_counts *counts,
                                           const struct sharing_key *key);
/* Adds what is in `from`.  */
void sharing_counts_join (struct sharing_counts *counts,
                          const struct sharing_counts *from);

#endif /* DG_SHARING_COUNTS_H */

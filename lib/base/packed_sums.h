/* packed_sums.h: sums of accesses by a key of four numbers, sorted and packed.

   A hash table needs about 60 bytes for a sum.  Most keys are near each other
   and most sums are small, so the difference from the sum before needs about
   10 bytes.  Callers add many sums at once; these are sorted and become a run.
   Two runs are merged if the larger one has less than twice as many sums.
   Merging frees memory as it goes on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_SUMS_H
#define DG_PACKED_SUMS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DG_SUM_KEYS 4

struct dg_sum {
  uint64_t key[DG_SUM_KEYS];           /* the first counts most */
  uint64_t reads, writes;
  uint64_t least;          /* of what was added: such as the first moment */
  bool flag;               /* whether one that was added had it */
};

/* Sums in ascending order of keys.  A block has some hundred sums, and a slab
   has many blocks, so that free returns its memory to the system.  */
struct dg_sums_run {
  uint8_t **slabs;
  uint32_t n_slabs, room;
  uint32_t n_blocks;
  uint64_t n;              /* sums */
};

/* Each run has at least twice as many sums as the next one.  */
#define DG_PACKED_RUNS 64

/* All zero: none.  One thread.  Once a function has returned DG_ERR_NOMEM,
   sums are missing, and all that may be called is dg_packed_sums_fini.  */
struct dg_packed_sums {
  struct dg_sums_run runs[DG_PACKED_RUNS];
  unsigned n_runs;
};

void dg_packed_sums_fini (struct dg_packed_sums *sums);

/* Ascending by key.  */
int dg_sum_compare (const struct dg_sum *a, const struct dg_sum *b);

/* Adds sums; changes their order in `items`.  Several may have the same key.
   0 or DG_ERR_NOMEM.  */
int dg_packed_sums_add (struct dg_packed_sums *sums, struct dg_sum *items,
                        size_t n);
/* Moves what `from` has, which is then empty.  0 or DG_ERR_NOMEM.  */
int dg_packed_sums_take (struct dg_packed_sums *sums,
                         struct dg_packed_sums *from);
/* Clears the bits of all first numbers that are not in the mask, and adds up
   sums whose keys are equal then.  0 or DG_ERR_NOMEM.  */
int dg_packed_sums_mask (struct dg_packed_sums *sums, uint64_t mask);
/* Merges all runs.  0 or DG_ERR_NOMEM.  */
int dg_packed_sums_settle (struct dg_packed_sums *sums);

/* At most so many keys; exactly, once settled.  */
uint64_t dg_packed_sums_most (const struct dg_packed_sums *sums);
/* At least so many.  */
static inline uint64_t
dg_packed_sums_least (const struct dg_packed_sums *sums)
{
  return sums->n_runs > 0 ? sums->runs[0].n : 0;
}

/* Goes through settled sums, in order.  */
struct dg_sums_cursor {
  struct dg_sums_run *run;
  uint32_t block;          /* that comes next */
  const uint8_t *at, *end;
  bool frees;              /* slabs that were gone through */
  bool is_held;            /* the sum is the next one */
  struct dg_sum sum;       /* the latest one */
};

/* Begins with the first sum; if it frees, the sums are gone then, slab by
   slab.  */
struct dg_sums_cursor dg_sums_begin (struct dg_packed_sums *sums, bool frees);
/* The same of one run of any.  */
static inline struct dg_sums_cursor
dg_sums_begin_run (struct dg_sums_run *run, bool frees)
{
  return (struct dg_sums_cursor){ .run = run, .frees = frees };
}
/* Goes to the first sum whose key begins with this number or a higher one; to
   be quick, the number is not below that of the latest one.  Not if it
   frees.  */
void dg_sums_seek (struct dg_sums_cursor *cursor, uint64_t first);
/* The next one, valid until the next call; NULL: there is no other.  */
const struct dg_sum *dg_sums_next (struct dg_sums_cursor *cursor);

/* Where keys were looked for in a run.  All zero: nowhere; so it must be when
   sums were added or moved.  */
struct dg_sums_finder {
  struct dg_sums_cursor cursor;
  struct dg_sum asked;
  bool is_over;            /* all are below what was asked for */
};

/* finders: one for each run that there may be.  Quick where keys are asked for
   in ascending order.  */
bool dg_packed_sums_has (const struct dg_packed_sums *sums,
                         const uint64_t key[DG_SUM_KEYS],
                         struct dg_sums_finder finders[DG_PACKED_RUNS]);

#endif /* DG_PACKED_SUMS_H */

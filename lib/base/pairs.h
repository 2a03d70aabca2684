/* pairs.h: pairs of numbers -> a number, for tables that grow with a log:
   short memory is an error, and no log can be made so that its pairs all
   meet in one place.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAIRS_H
#define DG_PAIRS_H

#include "lookup.h"

/* All zero is empty.  */
struct dg_pairs {
  struct dg_table pairs;   /* of pairs with their values */
  struct dg_lookup lookup;
  uint64_t seed;
};

/* Gives a pair that is new the value, below UINT32_MAX: 0 or DG_ERR_NOMEM.  */
int dg_pairs_add (struct dg_pairs *pairs, uint64_t a, uint32_t b,
                  uint32_t value);

/* The value, or UINT32_MAX if there is none.  Any threads, as long as nobody
   adds.  */
uint32_t dg_pairs_find (const struct dg_pairs *pairs, uint64_t a, uint32_t b);

void dg_pairs_fini (struct dg_pairs *pairs);

#endif /* DG_PAIRS_H */

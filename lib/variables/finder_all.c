/* finder_all.c: the variables of many accesses, in any order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "variables.h"

/* An access of many.  */
struct one {
  uint64_t icount;
  size_t index;
};

DG_COMPARE_BY (compare_ones, struct one, icount)

int
dg_finder_all (struct dg_variables *variables,
               const struct dg_access *accesses, size_t n, uint32_t *numbers,
               struct dg_error *err)
{
  struct dg_finder *finder = dg_finder_new (variables, err);
  struct one *ones = g_try_new (struct one, n + 1);
  int code = finder != NULL && ones != NULL ? 0 : dg_error_nomem (err);

  for (size_t i = 0; i < n && code == 0; i++)
    ones[i] = (struct one) {accesses[i].icount, i};
  if (code == 0)
    qsort (ones, n, sizeof *ones, compare_ones);
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_access *access = &accesses[ones[i].index];

    numbers[ones[i].index] = DG_VARIABLE_UNKNOWN;
    if (access->size == 0)
      continue;
    code = dg_variables_go_to (variables, access->icount, err);
    if (code == 0)
      numbers[ones[i].index] = dg_finder_variable (finder, access);
  }
  dg_finder_free (finder);
  g_free (ones);
  return code;
}

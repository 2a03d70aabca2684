/* estimate.c: the error of totals of a sample.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "estimate.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

/* Student's t by degrees of freedom, from 1, two-sided, at the confidence.  */
static const double student[DG_ESTIMATE_GROUPS - 1] = {
  63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355,
  3.250, 3.169, 3.106, 3.055, 3.012, 2.977, 2.947};

double
dg_estimate_error (const struct dg_estimate *estimate, const double *y,
                   double whole)
{
  const unsigned n = estimate->n;
  double all_x = 0, all_y = 0, squares = 0, chance, hidden, apart;
  bool is_exact = true;

  if (n < DG_ESTIMATE_LEAST || n > DG_ESTIMATE_GROUPS)
    return -1;
  for (unsigned i = 0; i < n; i++) {
    all_x += estimate->x[i];
    all_y += y[i];
    is_exact &= y[i] == estimate->x[i];
  }
  if (all_x <= 0 || all_y <= 0 || whole <= 0)
    return -1;
  /* The instructions themselves are counted, not estimated.  */
  if (is_exact && whole == all_y)
    return 0;
  for (unsigned i = 0; i < n; i++) {
    double rest = y[i] - all_y / all_x * estimate->x[i];

    squares += rest * rest;
  }
  chance = student[n - 2] * sqrt (squares * n / (n - 1)) / all_y;
  /* Windows that are all alike do not show what happens only once; as much as
     one period may be otherwise.  */
  hidden = 1 / MAX (estimate->windows, n);
  apart = fabs (all_y - whole) / whole;
  return sqrt (MAX (1 - estimate->share, 0)) * (chance + hidden) + apart;
}

/* estimate.h: how far a total that was estimated from a sample may be from the
   true one.

   The sample's windows are in groups, each of which estimates the whole: that
   the groups differ shows how much chance there is in all of them.  Of each
   group, y is its part of the figure and x its instructions; the total is
   instructions of all that ran * sum (y) / sum (x), a ratio estimate.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ESTIMATE_H
#define DG_ESTIMATE_H

/* Most and least groups, and least windows, with which anything is known.  */
#define DG_ESTIMATE_GROUPS 16
#define DG_ESTIMATE_LEAST 5

/* That many of the intervals of total +- error contain the true one.  */
#define DG_ESTIMATE_CONFIDENCE 0.99

struct dg_estimate {
  unsigned n;              /* groups */
  double x[DG_ESTIMATE_GROUPS];
  double windows;          /* of all groups */
  double share;            /* of all instructions, that is in the sample */
};

/* The error of a total as a share of it: 0.03 is 3 %; negative if nothing is
   known.  whole: the figure as it is without groups; if it differs from the
   sum of y, because windows depend on earlier ones, then the error is as much
   larger.  */
double dg_estimate_error (const struct dg_estimate *estimate, const double *y,
                          double whole);

#endif /* DG_ESTIMATE_H */

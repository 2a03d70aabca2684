/* diff_value.c: a number before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_value.h"

#include <math.h>
#include <stdlib.h>

static double
number_of (enum dg_unit unit, const struct dg_cell *cell)
{
  return dg_unit_is_real (unit) ? cell->real : (double) cell->number;
}

static gint
compare_cells (gconstpointer a, gconstpointer b, gpointer user)
{
  enum dg_unit unit = *(const enum dg_unit *) user;
  const struct dg_cell *x = a, *y = b;
  double l, r;

  if (x->is_empty != y->is_empty)
    return x->is_empty ? 1 : -1;
  /* Counts may differ by less than a real can tell.  */
  if (!dg_unit_is_real (unit))
    return x->number < y->number ? -1 : x->number > y->number;
  l = x->real;
  r = y->real;
  return l < r ? -1 : l > r;
}

/* The median of a side, of those that have a value, and how far they are
   apart.  False: none has one.  */
static bool
take_median (enum dg_unit unit, struct dg_cell *cells, unsigned n,
             struct dg_cell *median, double *spread)
{
  unsigned there = 0;

  g_qsort_with_data (cells, (gint) n, sizeof *cells, compare_cells, &unit);
  while (there < n && !cells[there].is_empty)
    there++;
  *median = (struct dg_cell) {.is_empty = true};
  *spread = 0;
  if (there == 0)
    return false;
  *median = cells[(there - 1) / 2];
  *spread = number_of (unit, &cells[there - 1]) - number_of (unit, &cells[0]);
  return true;
}

struct diff_value
diff_value_of (enum dg_unit unit, struct dg_cell *cells, unsigned n,
               unsigned n_before)
{
  struct diff_value value = {.change = 0};
  double spread[2], before, after;

  value.has_before =
    take_median (unit, cells, n_before, &value.before, &spread[0]);
  value.has_after = take_median (unit, cells + n_before, n - n_before,
                                 &value.after, &spread[1]);
  before = value.has_before ? number_of (unit, &value.before) : 0;
  after = value.has_after ? number_of (unit, &value.after) : 0;
  value.change = after - before;
  if (value.has_before && value.has_after && !dg_unit_is_real (unit))
    value.change = (double) (int64_t) (value.after.number
                                       - value.before.number);
  value.relative = value.change == 0 ? 0
                   : before != 0     ? value.change / fabs (before)
                                     : copysign (INFINITY, value.change);
  value.is_noise = value.change != 0
                   && fabs (value.change) <= MAX (spread[0], spread[1]);
  return value;
}

enum dg_unit
diff_value_change_unit (enum dg_unit unit)
{
  switch (unit) {
  case DG_UNIT_BYTES:
    return DG_UNIT_CHANGE_BYTES;
  case DG_UNIT_REAL:
    return DG_UNIT_CHANGE_REAL;
  case DG_UNIT_PERCENT:
    return DG_UNIT_CHANGE_PERCENT;
  default:
    return DG_UNIT_CHANGE;
  }
}

struct dg_cell
diff_value_change (enum dg_unit unit, const struct diff_value *value)
{
  if (!value->has_before && !value->has_after)
    return DG_CELL_EMPTY;
  if (dg_unit_is_real (unit))
    return DG_CELL_REAL (value->change);
  return DG_CELL_NUMBER (
    (value->has_after ? value->after.number : 0)
    - (value->has_before ? value->before.number : 0));
}

struct dg_cell
diff_value_relative (const struct diff_value *value)
{
  if (!value->has_before || isinf (value->relative))
    return DG_CELL_EMPTY;
  return DG_CELL_REAL (value->relative);
}

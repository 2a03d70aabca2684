/* diff_value.c: a number before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* What is missing where others have it is 0 of what adds up.  */
static void
fill (enum dg_unit unit, struct dg_cell *cells, unsigned n)
{
  bool has_any = false;

  for (unsigned i = 0; i < n; i++)
    has_any |= !cells[i].is_empty;
  for (unsigned i = 0; i < n && has_any && !dg_unit_is_real (unit); i++)
    if (cells[i].is_empty)
      cells[i] = DG_CELL_NUMBER (0);
}

/* The median of a side, of those that have a value, and how far they are
   apart.  False: none has one.  */
static bool
take_median (enum dg_unit unit, struct dg_cell *cells, unsigned n,
             struct dg_cell *median, double *spread)
{
  const struct dg_cell *low, *high;
  unsigned there = 0;

  fill (unit, cells, n);
  g_qsort_with_data (cells, (gint) n, sizeof *cells, compare_cells, &unit);
  while (there < n && !cells[there].is_empty)
    there++;
  *median = (struct dg_cell) {.is_empty = true};
  *spread = 0;
  if (there == 0)
    return false;
  low = &cells[(there - 1) / 2];
  high = &cells[there / 2];
  *median = *low;
  if (dg_unit_is_real (unit))
    median->real = (low->real + high->real) / 2;
  else
    median->number = low->number + (high->number - low->number) / 2;
  *spread = number_of (unit, &cells[there - 1]) - number_of (unit, &cells[0]);
  return true;
}

struct diff_value
diff_value_of (enum dg_unit unit, struct dg_cell *cells, unsigned n,
               unsigned n_before)
{
  struct diff_value value = {.change = 0};
  double before, after;

  value.has_before = take_median (unit, cells, n_before, &value.before,
                                  &value.spread[0]);
  value.has_after = take_median (unit, cells + n_before, n - n_before,
                                 &value.after, &value.spread[1]);
  before = value.has_before ? number_of (unit, &value.before) : 0;
  after = value.has_after ? number_of (unit, &value.after) : 0;
  value.change = after - before;
  if (value.has_before && value.has_after && !dg_unit_is_real (unit))
    value.change = (double) (int64_t) (value.after.number
                                       - value.before.number);
  value.relative = value.change == 0 ? 0
                   : before != 0     ? value.change / fabs (before)
                                     : copysign (INFINITY, value.change);
  value.is_noise =
    value.change != 0
    && fabs (value.change) <= MAX (value.spread[0], value.spread[1]);
  return value;
}

bool
diff_value_is_measure (enum dg_unit unit)
{
  switch (unit) {
  case DG_UNIT_COUNT:
  case DG_UNIT_BYTES:
  case DG_UNIT_NUMBER:
  case DG_UNIT_NS:
  case DG_UNIT_REAL:
  case DG_UNIT_PERCENT:
    return true;
  default:
    return false;
  }
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

bool
diff_value_is_of_sampling (const char *key)
{
  return g_str_has_suffix (key, "_error") || g_str_has_suffix (key, "_least")
         || g_str_has_suffix (key, "_most")
         || strcmp (key, "window_instructions") == 0;
}

/* diff_value.h: a number before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_VALUE_H
#define DG_DIFF_VALUE_H

#include "dg_analysis.h"

#include <glib.h>

/* Of one or more logs on each side, the median.  */
struct diff_value {
  bool has_before, has_after;
  struct dg_cell before, after;
  double change;           /* after - before; what is not there is 0 */
  double relative;         /* to what was before; infinite if that is 0 */
  double spread[2];        /* the most less the least, before and after */
  bool is_noise;           /* it is no more than logs of a side differ */
};

/* cells: of the logs, n_before first; those without a value are empty, which
   is 0 of what adds up, where other logs of the side have one.  Changed.  */
struct diff_value diff_value_of (enum dg_unit unit, struct dg_cell *cells,
                                 unsigned n, unsigned n_before);

/* Whether values of this unit can be compared.  */
bool diff_value_is_measure (enum dg_unit unit);
/* The unit of a change of values of this unit.  */
enum dg_unit diff_value_change_unit (enum dg_unit unit);
/* The change, as a cell of that unit; empty if a side lacks.  */
struct dg_cell diff_value_change (enum dg_unit unit,
                                  const struct diff_value *value);
/* The relative change, as a cell of DG_UNIT_CHANGE_PERCENT; empty if there was
   nothing before.  */
struct dg_cell diff_value_relative (const struct diff_value *value);

/* Whether a key is that of an error or a bound by which a log is a sample,
   which is not a figure of the program.  */
bool diff_value_is_of_sampling (const char *key);

#endif /* DG_DIFF_VALUE_H */

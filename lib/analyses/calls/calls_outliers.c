/* calls_outliers.c: calls that took much longer than others of their function:
   longer than the mean and two standard deviations.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include <math.h>
#include <stdlib.h>

/* Of all calls of a function, not of a sample.  n times the sum of squares
   minus the square of the sum is exact as long as it fits; the quotient is
   rounded once.  */
double
calls_deviation (const struct calls_of *of)
{
  unsigned __int128 n = of->ended, total = of->total;

  if (n == 0)
    return 0;
  if (of->squares < ((unsigned __int128) 1 << 127) / n)
    return sqrt ((double) (n * of->squares - total * total)) / (double) n;
  long double mean = (long double) total / (long double) n;
  long double variance = (long double) of->squares / (long double) n
                         - mean * mean;
  return variance > 0 ? sqrt ((double) variance) : 0;
}

struct outlier {
  struct calls_function function;
  const struct calls_of *of;
  const struct calls_long *call;
  double times;            /* of the mean */
};

/* Those first that took most above their function's mean.  */
static int
compare (const void *a, const void *b)
{
  const struct outlier *x = a, *y = b;
  double p = (double) x->call->instructions * (1 - 1 / x->times);
  double q = (double) y->call->instructions * (1 - 1 / y->times);

  if (p != q)
    return p < q ? 1 : -1;
  int order = calls_function_compare (&x->function, &y->function);
  if (order != 0)
    return order;
  if (x->call->start_icount != y->call->start_icount)
    return x->call->start_icount < y->call->start_icount ? -1 : 1;
  return (x->call->thread > y->call->thread)
         - (x->call->thread < y->call->thread);
}

/* Whether all of a function's outliers are among the calls that were kept.  */
static bool
find (struct calls *calls, const struct calls_of *of, GArray *outliers)
{
  double mean, limit;
  unsigned found = 0;

  if (of->ended < 2)
    return true;
  mean = (double) of->total / (double) of->ended;
  limit = mean + 2 * calls_deviation (of);
  for (uint32_t i = 0; i < of->n_kept; i++) {
    struct outlier outlier = {
      calls_code_function (calls->code, of->function), of, &of->kept[i],
      (double) of->kept[i].instructions / mean
    };
    if ((double) of->kept[i].instructions <= limit)
      continue;
    g_array_append_val (outliers, outlier);
    found++;
  }
  return found < CALLS_LONGEST;
}

void
calls_report_outliers (struct calls *calls, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "instructions", "Instructions", DG_UNIT_COUNT, 0 },
    { "times_mean", "x mean", DG_UNIT_REAL, 0 },
    { "mean", "Mean", DG_UNIT_REAL, 0 },
    { "deviation", "Deviation", DG_UNIT_REAL, 0 },
    { "start_icount", "Began at", DG_UNIT_COUNT, 0 },
    { "thread", "Thread", DG_UNIT_NUMBER, 0 },
    { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "name", "Function", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  GArray *outliers = g_array_new (FALSE, FALSE, sizeof (struct outlier));
  struct dg_rows *rows;
  bool is_all = true;

  for (uint32_t i = 0; i < calls->sums.n_functions; i++)
    is_all &= find (calls, &calls->sums.functions[i], outliers);
  g_array_sort (outliers, compare);
  rows = dg_report_table (report, "outliers",
                          "Calls longer than mean + 2 deviations", columns,
                          G_N_ELEMENTS (columns));
  for (guint i = 0; i < outliers->len; i++) {
    const struct outlier *o = &g_array_index (outliers, struct outlier, i);
    struct dg_cell cells[] = {
      DG_CELL_NUMBER (o->call->instructions), DG_CELL_REAL (o->times),
      DG_CELL_REAL ((double) o->of->total / (double) o->of->ended),
      DG_CELL_REAL (calls_deviation (o->of)),
      DG_CELL_NUMBER (o->call->start_icount),
      DG_CELL_NUMBER (o->call->thread),
      DG_CELL_TEXT (o->function.name), DG_CELL_TEXT (o->function.module),
      DG_CELL_TEXT (o->function.label),
    };
    dg_rows_add (rows, cells);
  }
  if (!is_all)
    dg_report_note (report, "Only the %u longest calls of each function were "
                            "examined.", CALLS_LONGEST);
  g_array_unref (outliers);
}

/* diff_limit.h: --fail-if: limits of what may change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_LIMIT_H
#define DG_DIFF_LIMIT_H

#include "diff_value.h"

/* "DLmr>+2%": KEY, < or > or <= or >=, a number.  */
struct diff_limit {
  const char *text;        /* as it was given */
  char *key;               /* of a figure, or the column of a row... */
  char *row;               /* ...with this name; NULL: a figure */
  bool is_less, or_equal;  /* < and <=; <= and >= */
  bool is_change;          /* with a sign: the change, not the value */
  bool is_relative;        /* with %: of the value before; or a share */
  double number;
  bool is_met;             /* there is such a figure; of it, the rest: */
  bool is_senseless;       /* a part of 1 where nothing is a share */
  bool is_broken;
  char *says;              /* "DLmr>+2%: DLmr was 1,050 and is 1,200", of
                              several rows the first that breaks it */
  enum dg_unit unit;
  double after;            /* in this unit */
};

/* False: the text is no limit.  text: kept by the caller.  */
bool diff_limit_parse (struct diff_limit *limit, const char *text);
void diff_limit_clear (gpointer limit);

/* Compares what changed with all limits that are about it.  key: of the figure
   or the column; row: NULL, or the row's name.  */
void diff_limit_check (GArray *limits, const char *key, const char *row,
                       enum dg_unit unit, const struct diff_value *value);

#endif /* DG_DIFF_LIMIT_H */

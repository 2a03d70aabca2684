/* report_cells.c: values of a report as text for people.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_cells.h"

#include "output.h"
#include "printable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A real with all its digits, in groups.  */
#define REAL_SIZE 512
/* What is less is not told.  */
#define LEAST_REAL 0.00005

/* Four digits of what is small, two decimals of what is not.  */
static char *
real_text (double real)
{
  double size = fabs (real);
  unsigned decimals = 2;
  char text[REAL_SIZE];

  if (size > 0 && size < LEAST_REAL)
    return g_strdup (real > 0 ? "<0.0001" : ">-0.0001");
  if (isfinite (real))
    for (double at = 0.0995; at > size && size > 0 && decimals < 5; at /= 10)
      decimals++;
  dg_number_text_real (text, sizeof text, real, size < 1e15 ? decimals : 0);
  return g_strdup (text);
}

static char *
pairs_text (const struct dg_pair *pairs, size_t n)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++) {
    char *count = printable_number (pairs[i].count);

    g_string_append_printf (text, "%s%" PRIu64 ": %s", i > 0 ? ", " : "",
                            pairs[i].key, count);
    g_free (count);
  }
  return g_string_free (text, FALSE);
}

static char *
list_text (const struct dg_pair *pairs, size_t n)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" PRIu64, i > 0 ? " " : "",
                            pairs[i].key);
  return g_string_free (text, FALSE);
}

/* The size of a change as a value of that unit, with its sign: "+1,234",
   "-1.20 MiB"; without one: 0.  */
static char *
change_text (enum dg_unit unit, struct dg_cell size, const char *sign)
{
  char *text = report_cell_text (unit, &size);
  char *with_sign = g_strconcat (sign, text, NULL);

  g_free (text);
  return with_sign;
}

static char *
whole_change_text (enum dg_unit unit, int64_t change)
{
  uint64_t size = change < 0 ? -(uint64_t) change : (uint64_t) change;

  return change_text (unit, DG_CELL_NUMBER (size),
                      change < 0 ? "-" : change > 0 ? "+" : "");
}

static char *
real_change_text (enum dg_unit unit, double change)
{
  return change_text (unit, DG_CELL_REAL (fabs (change)),
                      change < 0 ? "-" : change > 0 ? "+" : "");
}

char *
report_cell_text (enum dg_unit unit, const struct dg_cell *cell)
{
  char text[DG_NUMBER_TEXT];

  if (cell->is_empty)
    return g_strdup ("");
  switch (unit) {
  case DG_UNIT_BYTES:
    dg_number_text_bytes (text, sizeof text, cell->number);
    return g_strdup (text);
  case DG_UNIT_NUMBER:
    return g_strdup_printf ("%" PRIu64, cell->number);
  case DG_UNIT_ADDRESS:
    return g_strdup_printf ("0x%" PRIx64, cell->number);
  case DG_UNIT_NS:
    dg_number_text_ns (text, sizeof text, cell->number);
    return g_strdup (text);
  case DG_UNIT_REAL:
    return real_text (cell->real);
  case DG_UNIT_PERCENT:
    dg_number_text_percent (text, sizeof text, cell->real);
    return g_strdup (text);
  case DG_UNIT_TEXT:
    return printable_text (cell->text);
  case DG_UNIT_PAIRS:
    return pairs_text (cell->pairs, cell->n_pairs);
  case DG_UNIT_LIST:
    return list_text (cell->pairs, cell->n_pairs);
  case DG_UNIT_BOOLEAN:
    return g_strdup (cell->number != 0 ? "yes" : "no");
  case DG_UNIT_STEP:
    return g_strdup_printf ("%+" PRId64, (int64_t) cell->number);
  case DG_UNIT_CHANGE:
    return whole_change_text (DG_UNIT_COUNT, (int64_t) cell->number);
  case DG_UNIT_CHANGE_BYTES:
    return whole_change_text (DG_UNIT_BYTES, (int64_t) cell->number);
  case DG_UNIT_CHANGE_REAL:
    return real_change_text (DG_UNIT_REAL, cell->real);
  case DG_UNIT_CHANGE_PERCENT:
    return real_change_text (DG_UNIT_PERCENT, cell->real);
  default:
    return printable_number (cell->number);
  }
}

bool
report_column_is_right (const struct dg_column *column)
{
  if ((column->flags & DG_COLUMN_RIGHT) != 0)
    return true;
  switch (column->unit) {
  case DG_UNIT_TEXT:
  case DG_UNIT_PAIRS:
  case DG_UNIT_LIST:
  case DG_UNIT_BOOLEAN:
  case DG_UNIT_STEP:
    return false;
  default:
    return true;
  }
}

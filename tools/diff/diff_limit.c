/* diff_limit.c: --fail-if: limits of what may change.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_limit.h"

#include "base/report_cells.h"

#include <math.h>
#include <string.h>

/* ---- Parsing ---------------------------------------------------------- */

/* "+2%", "-1.5 %", "10MiB", "1,000", "0.5".  */
static bool
parse_number (struct diff_limit *limit, const char *text)
{
  char *number = g_strstrip (g_strdup (text)), *end;
  size_t n = strlen (number);
  const char *digits = number;
  uint64_t whole;
  bool is_good;

  limit->is_change = number[0] == '+' || number[0] == '-';
  digits += limit->is_change;
  limit->is_relative = n > 0 && number[n - 1] == '%';
  if (limit->is_relative)
    number[n - 1] = '\0';
  g_strchomp (number);
  limit->number = g_ascii_strtod (digits, &end);
  is_good = digits[0] >= '0' && digits[0] <= '9' && *end == '\0'
            && isfinite (limit->number);
  if (!is_good && !limit->is_relative
      && dg_number_parse (digits, DG_QUANTITY_BYTES, &whole)) {
    limit->number = (double) whole;
    is_good = true;
  }
  if (limit->is_relative)
    limit->number /= 100;
  if (number[0] == '-')
    limit->number = -limit->number;
  g_free (number);
  return is_good;
}

/* Names have < and >, too, so the comparison is the last one that a number
   follows.  */
static const char *
find_comparison (struct diff_limit *limit, const char *text)
{
  for (const char *at = text + strlen (text); at-- > text;) {
    if (*at != '<' && *at != '>')
      continue;
    limit->is_less = *at == '<';
    limit->or_equal = at[1] == '=';
    if (parse_number (limit, at + 1 + limit->or_equal))
      return at;
  }
  return NULL;
}

bool
diff_limit_parse (struct diff_limit *limit, const char *text)
{
  const char *comparison, *at;

  *limit = (struct diff_limit) {.text = text};
  comparison = find_comparison (limit, text);
  if (comparison == NULL)
    return false;
  at = memchr (text, '@', (size_t) (comparison - text));
  limit->key = g_strstrip (
    g_strndup (text, (size_t) ((at != NULL ? at : comparison) - text)));
  if (at != NULL)
    limit->row =
      g_strstrip (g_strndup (at + 1, (size_t) (comparison - at - 1)));
  if (limit->key[0] != '\0' && (at == NULL || limit->row[0] != '\0'))
    return true;
  diff_limit_clear (limit);
  return false;
}

void
diff_limit_clear (gpointer data)
{
  struct diff_limit *limit = data;

  g_free (limit->key);
  g_free (limit->row);
  g_free (limit->says);
}

/* ---- Comparing -------------------------------------------------------- */

static bool
is_broken (const struct diff_limit *limit, double number)
{
  if (number == limit->number)
    return limit->or_equal;
  return limit->is_less ? number < limit->number : number > limit->number;
}

/* "DLmr>+2%: DLmr was 1,050 and is 1,200, +14.3 %".  */
static char *
describe (const struct diff_limit *limit, enum dg_unit unit,
          const struct diff_value *value)
{
  struct dg_cell change = diff_value_change (unit, value);
  struct dg_cell relative = diff_value_relative (value);
  char *before = report_cell_text (unit, &value->before);
  char *after = report_cell_text (unit, &value->after);
  char *by = report_cell_text (diff_value_change_unit (unit), &change);
  char *percent = report_cell_text (DG_UNIT_CHANGE_PERCENT, &relative);
  char *text = g_strdup_printf (
    "%s: %s%s%s was %s and is %s (%s%s%s)", limit->text, limit->key,
    limit->row != NULL ? " of " : "", limit->row != NULL ? limit->row : "",
    value->has_before ? before : "nothing",
    value->has_after ? after : "nothing", by, percent[0] != '\0' ? ", " : "",
    percent);

  g_free (before);
  g_free (after);
  g_free (by);
  g_free (percent);
  return text;
}

static double
number_after (enum dg_unit unit, const struct diff_value *value)
{
  if (!value->has_after)
    return 0;
  return dg_unit_is_real (unit) ? value->after.real
                                : (double) value->after.number;
}

static double
compared (const struct diff_limit *limit, enum dg_unit unit,
          const struct diff_value *value)
{
  if (limit->is_change)
    return limit->is_relative ? value->relative : value->change;
  return number_after (unit, value);
}

void
diff_limit_check (GArray *limits, const char *key, const char *row,
                  enum dg_unit unit, const struct diff_value *value)
{
  for (guint i = 0; limits != NULL && i < limits->len; i++) {
    struct diff_limit *limit = &g_array_index (limits, struct diff_limit, i);
    bool breaks;

    if (strcmp (limit->key, key) != 0 || g_strcmp0 (limit->row, row) != 0)
      continue;
    breaks = is_broken (limit, compared (limit, unit, value));
    limit->is_senseless |= limit->is_relative && !limit->is_change
                           && unit != DG_UNIT_PERCENT;
    if (!limit->is_met || (breaks && !limit->is_broken)) {
      g_free (limit->says);
      limit->says = describe (limit, unit, value);
      limit->unit = unit;
      limit->after = number_after (unit, value);
      limit->is_broken = breaks;
    }
    limit->is_met = true;
  }
}

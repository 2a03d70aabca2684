/* number.c: numbers, sizes, times and ranges as people type them.  How they
   are written for people is in number_text.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "number.h"

#include <langinfo.h>
#include <math.h>
#include <string.h>

#include <glib.h>

/* Longer ones are not numbers: 20 digits, their separators, a fraction, a
   unit.  */
#define LENGTH_MAX 95
#define GROUP_DIGITS 3
/* Digits of a fraction that count; 10 to that power fits.  */
#define FRACTION_MAX 18

/* How the parts of a decimal number are set apart.  */
struct signs {
  const char *point;
  const char *groups[5];   /* any of them between groups of three; then NULL */
};

/* ---- Units ------------------------------------------------------------ */

struct unit {
  const char *suffix;
  uint64_t factor;
};

#define DG_K UINT64_C (1000)
static const struct unit scales[] = {
  { "k", DG_K },
  { "M", DG_K * DG_K },
  { "G", DG_K * DG_K * DG_K },
  { "T", DG_K * DG_K * DG_K * DG_K },
  { "Ki", UINT64_C (1) << 10 },
  { "ki", UINT64_C (1) << 10 },
  { "Mi", UINT64_C (1) << 20 },
  { "Gi", UINT64_C (1) << 30 },
  { "Ti", UINT64_C (1) << 40 },
};
static const struct unit times[] = {
  { "ns", 1 },
  { "us", DG_K },
  { "\302\265s", DG_K },   /* the micro sign */
  { "\316\274s", DG_K },   /* the Greek letter */
  { "ms", DG_K * DG_K },
  { "s", DG_K * DG_K * DG_K },
  { "min", 60 * DG_K * DG_K * DG_K },
};

/* What stands behind a number, to the end of the text; 0: no unit of it.  */
static uint64_t
unit_factor (const char *text, enum dg_quantity quantity)
{
  size_t length = strlen (text);

  if (quantity == DG_QUANTITY_NS) {
    for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
      if (strcmp (text, times[i].suffix) == 0)
        return times[i].factor;
    return 0;
  }
  if (quantity == DG_QUANTITY_BYTES && length > 0 && text[length - 1] == 'B')
    length--;
  if (length == 0)
    return 1;
  for (size_t i = 0; i < G_N_ELEMENTS (scales); i++)
    if (strlen (scales[i].suffix) == length
        && memcmp (text, scales[i].suffix, length) == 0)
      return scales[i].factor;
  return 0;
}

/* ---- Digits ----------------------------------------------------------- */

static bool
add_digit (uint64_t *number, unsigned base, char digit)
{
  return !__builtin_mul_overflow (*number, base, number)
         && !__builtin_add_overflow (
           *number, (uint64_t) g_ascii_xdigit_value (digit), number);
}

/* The length of a separator that stands there, with a group of three behind
   it; 0: none does.  */
static size_t
separator_length (const char *at, const char *const *separators)
{
  for (; *separators != NULL; separators++) {
    size_t length = strlen (*separators), digits = 0;

    if (length == 0 || strncmp (at, *separators, length) != 0)
      continue;
    while (g_ascii_isdigit (at[length + digits]))
      digits++;
    return digits == GROUP_DIGITS ? length : 0;
  }
  return 0;
}

/* Decimal digits, perhaps in groups.  Moves *at behind them.  */
static bool
take_whole (const char **at, const struct signs *signs, uint64_t *number,
            bool *is_grouped)
{
  const char *p = *at;
  size_t digits = 0, length;

  *number = 0;
  *is_grouped = false;
  for (; g_ascii_isdigit (*p); p++, digits++)
    if (!add_digit (number, 10, *p))
      return false;
  if (digits == 0)
    return false;
  while (digits <= GROUP_DIGITS
         && (length = separator_length (p, signs->groups)) > 0) {
    *is_grouped = true;
    p += length;
    for (unsigned i = 0; i < GROUP_DIGITS; i++)
      if (!add_digit (number, 10, *p++))
        return false;
  }
  *at = p;
  return true;
}

/* The fraction behind a decimal sign, as *part of *parts.  */
static bool
take_fraction (const char **at, const char *point, uint64_t *part,
               uint64_t *parts)
{
  const char *p = *at;
  size_t length = strlen (point);

  *part = 0;
  *parts = 1;
  if (length == 0 || strncmp (p, point, length) != 0)
    return true;
  p += length;
  if (!g_ascii_isdigit (*p))
    return false;
  for (unsigned i = 0; g_ascii_isdigit (*p); p++, i++)
    if (i < FRACTION_MAX) {
      *part = *part * 10 + (uint64_t) g_ascii_digit_value (*p);
      *parts *= 10;
    }
  *at = p;
  return true;
}

static bool
take_hexadecimal (const char **at, uint64_t *number)
{
  const char *p = *at + 2;

  *number = 0;
  if (!g_ascii_isxdigit (*p))
    return false;
  for (; g_ascii_isxdigit (*p); p++)
    if (!add_digit (number, 16, *p))
      return false;
  *at = p;
  return true;
}

/* All of a text with one kind of signs.  */
static bool
parse_with (const char *text, enum dg_quantity quantity,
            const struct signs *signs, uint64_t *number)
{
  uint64_t whole, part = 0, parts = 1, factor;
  unsigned __int128 sum;
  bool is_grouped = false;

  if (text[0] == '0' && (text[1] | 32) == 'x') {
    if (!take_hexadecimal (&text, &whole))
      return false;
  } else if (!take_whole (&text, signs, &whole, &is_grouped)
             || !take_fraction (&text, signs->point, &part, &parts)) {
    return false;
  }
  if (text[0] == ' ' && text[1] != '\0')
    text++;
  factor = unit_factor (text, quantity);
  /* "1.5" of something that is counted is a mistake; and what has groups
     needs no unit of thousands: "12,345 M" is 12.345 M to half the world.  */
  if (factor == 0 || (factor == 1 && parts > 1)
      || (is_grouped && factor != 1 && quantity != DG_QUANTITY_NS))
    return false;
  sum = (unsigned __int128) whole * factor
        + ((unsigned __int128) part * factor + parts / 2) / parts;
  if (sum > UINT64_MAX)
    return false;
  *number = (uint64_t) sum;
  return true;
}

/* ---- Numbers ---------------------------------------------------------- */

bool
dg_number_parse (const char *text, enum dg_quantity quantity,
                 uint64_t *number)
{
  static const struct signs ours = { ".", { ",", "_", "'", " " } };
  const struct signs theirs = {
    nl_langinfo (RADIXCHAR),
    { nl_langinfo (THOUSEP), "\302\240", "\342\200\257" }
  };

  if (strlen (text) > LENGTH_MAX)
    return false;
  if (parse_with (text, quantity, &ours, number))
    return true;
  /* What was copied from a program that shows numbers as the locale has
     them.  */
  return parse_with (text, quantity, &theirs, number);
}

bool
dg_number_take (const char **text, const char *ends,
                enum dg_quantity quantity, uint64_t *number)
{
  static const struct signs plain = { ".", { NULL } };
  size_t length = strcspn (*text, ends);
  char part[LENGTH_MAX + 1];

  if (length > LENGTH_MAX)
    return false;
  memcpy (part, *text, length);
  part[length] = '\0';
  if (!parse_with (part, quantity, &plain, number))
    return false;
  *text += length;
  return true;
}

bool
dg_number_is_too_large (const char *text)
{
  unsigned base = text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10;
  uint64_t number = 0;

  for (text += base == 16 ? 2 : 0;
       base == 16 ? g_ascii_isxdigit (*text) : g_ascii_isdigit (*text); text++)
    if (!add_digit (&number, base, *text))
      return true;
  return false;
}

bool
dg_number_parse_real (const char *text, double *real)
{
  char *end;

  if (!g_ascii_isdigit (text[0]) && text[0] != '.' && text[0] != '-')
    return false;
  if (text[0] == '0' && (text[1] | 32) == 'x')
    return false;
  *real = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*real);
}

/* ---- Several ---------------------------------------------------------- */

/* A number up to `end`, where there may be none: then *number stays.  */
static bool
parse_bound (const char *text, const char *end, enum dg_quantity quantity,
             uint64_t *number)
{
  size_t length = (size_t) (end - text);
  char part[LENGTH_MAX + 1];

  if (length == 0)
    return true;
  if (length > LENGTH_MAX)
    return false;
  memcpy (part, text, length);
  part[length] = '\0';
  return dg_number_parse (part, quantity, number);
}

bool
dg_number_parse_span (const char *text, enum dg_quantity quantity,
                      uint64_t *start, uint64_t *end)
{
  const char *dots = strstr (text, "..");
  uint64_t first = *start, last = *end;

  if (dots == NULL || text[2] == '\0'
      || !parse_bound (text, dots, quantity, &first)
      || !parse_bound (dots + 2, dots + strlen (dots), quantity, &last)
      || (dots[2] != '\0' && first >= last))
    return false;
  *start = first;
  *end = last;
  return true;
}

bool
dg_number_parse_interval (const char *text, uint64_t *instructions,
                          uint64_t *ns)
{
  *instructions = *ns = 0;
  if (dg_number_parse (text, DG_QUANTITY_COUNT, instructions))
    return *instructions > 0;
  return dg_number_parse (text, DG_QUANTITY_NS, ns) && *ns > 0;
}

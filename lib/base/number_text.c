/* number_text.c: numbers as people read them: one form of each quantity, and
   one source, LC_NUMERIC, of the signs in it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "number.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#define NARROW_BLANK "\342\200\257"
#define TEXT_MAX 400       /* DBL_MAX has 309 digits */
#define DIGITS_MAX 9

/* ---- Signs ------------------------------------------------------------ */

static const char *
decimal_sign (void)
{
  const char *point = nl_langinfo (RADIXCHAR);

  return point[0] != '\0' && g_utf8_validate (point, -1, NULL) ? point : ".";
}

/* Between groups of digits.  Locales that name none, as C does, get what
   cannot be taken for their decimal sign.  */
static const char *
group_sign (void)
{
  const char *sign = nl_langinfo (THOUSEP);
  bool is_good = sign[0] != '\0' && g_utf8_validate (sign, -1, NULL)
                 && strcmp (sign, decimal_sign ()) != 0;

  if (is_good)
    return sign;
  return strcmp (decimal_sign (), ".") == 0 ? "," : NARROW_BLANK;
}

/* Is there a sign before the last `left` digits?  Sizes of groups are counted
   from the right: a byte each, the last again and again.  */
static bool
begins_group (size_t left)
{
#ifdef GROUPING
  const char *sizes = nl_langinfo (GROUPING);
#else
  /* It writes what other threads may read.  */
  const char *sizes = localeconv ()->grouping;
#endif
  size_t size = 3, sum = 0;

  if (sizes[0] <= 0 || sizes[0] == CHAR_MAX)
    return left % 3 == 0;
  while (sum < left) {
    if (*sizes > 0)
      size = (size_t) (unsigned char) *sizes++;
    if (size == CHAR_MAX)
      return false;
    sum += size;
  }
  return sum == left;
}

/* Digits of the C locale, "-12345.67", as the locale has them.  */
static void
put_signs (char *text, size_t size, const char *plain)
{
  size_t whole = strspn (plain, "-0123456789"), used = 0;
  const char *group = group_sign ();

  for (size_t i = 0; plain[i] != '\0'; i++) {
    const char *sign = plain[i] == '.' ? decimal_sign () : NULL;
    size_t length;

    if (i > 0 && i < whole && g_ascii_isdigit (plain[i - 1])
        && begins_group (whole - i))
      sign = group;
    length = sign != NULL ? strlen (sign) : 0;
    if (used + length + 1 >= size)
      break;
    memcpy (text + used, sign != NULL ? sign : "", length);
    used += length;
    if (plain[i] != '.')
      text[used++] = plain[i];
  }
  if (size > 0)
    text[used] = '\0';
}

/* ---- Numbers ---------------------------------------------------------- */

void
dg_number_text (char *text, size_t size, uint64_t number)
{
  char plain[24];

  g_snprintf (plain, sizeof plain, "%" PRIu64, number);
  put_signs (text, size, plain);
}

void
dg_number_text_real (char *text, size_t size, double real, unsigned decimals)
{
  char plain[TEXT_MAX], format[8];

  if (!isfinite (real)) {
    g_strlcpy (text, isnan (real) ? "-" : real > 0 ? "inf" : "-inf", size);
    return;
  }
  g_snprintf (format, sizeof format, "%%.%uf", MIN (decimals, DIGITS_MAX));
  g_ascii_formatd (plain, sizeof plain, format, real);
  put_signs (text, size, plain);
}

/* As many decimals as make three digits that tell something, or four.  */
static unsigned
useful_decimals (double value)
{
  return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

static void
append (char *text, size_t size, const char *end)
{
  g_strlcat (text, end, size);
}

void
dg_number_text_percent (char *text, size_t size, double share)
{
  double percent = share * 100;

  if (!isfinite (share)) {
    g_strlcpy (text, "-", size);
    return;
  }
  text[0] = '\0';
  /* What is there at all is not shown as nothing.  */
  if (percent > 0 && percent < 0.05) {
    g_strlcpy (text, "<", size);
    percent = 0.1;
  }
  dg_number_text_real (text + strlen (text), size - strlen (text), percent,
                       1);
  append (text, size, " %");
}

/* ---- Quantities ------------------------------------------------------- */

void
dg_number_text_bytes (char *text, size_t size, uint64_t bytes)
{
  static const char *const units[] = { " B",   " KiB", " MiB", " GiB",
                                       " TiB", " PiB", " EiB" };
  double value = (double) bytes;
  size_t unit = 0;

  if (bytes >= 1024)
    while (value >= 1023.5 && unit + 1 < G_N_ELEMENTS (units)) {
      value /= 1024;
      unit++;
    }
  dg_number_text_real (text, size, value,
                       unit > 0 ? useful_decimals (value) : 0);
  append (text, size, units[unit]);
}

void
dg_number_text_ns (char *text, size_t size, uint64_t ns)
{
  bool is_utf8 = strcmp (nl_langinfo (CODESET), "UTF-8") == 0;
  double value = (double) ns;
  const char *unit = " s";

  if (ns < 1000) {
    dg_number_text (text, size, ns);
    append (text, size, " ns");
    return;
  }
  if (ns < 999500) {
    value /= 1e3;
    unit = is_utf8 ? " \302\265s" : " us";
  } else if (ns < 999500000) {
    value /= 1e6;
    unit = " ms";
  } else {
    value /= 1e9;
  }
  dg_number_text_real (text, size, value, useful_decimals (value));
  append (text, size, unit);
}

void
dg_number_text_count (char *text, size_t size, uint64_t count, uint64_t step)
{
  static const struct unit {
    uint64_t value;
    const char *suffix;
    unsigned digits;
  } units[] = {
    { 1000000000000, " T", 12 }, { 1000000000, " G", 9 },
    { 1000000, " M", 6 },        { 1000, " k", 3 },
    { 1, "", 0 },
  };
  const struct unit *unit = units;
  unsigned zeros = 0;
  uint64_t rest;
  char plain[48];

  while (unit->value > 1 && count < unit->value)
    unit++;
  /* As many decimals as tell two neighbouring steps apart.  */
  for (uint64_t s = step; s > 0 && s % 10 == 0 && zeros < unit->digits;
       s /= 10)
    zeros++;
  rest = count % unit->value;
  for (unsigned i = 0; i < zeros; i++)
    rest /= 10;
  if (unit->digits > zeros)
    g_snprintf (plain, sizeof plain, "%" PRIu64 ".%0*" PRIu64,
                count / unit->value, (int) (unit->digits - zeros), rest);
  else
    g_snprintf (plain, sizeof plain, "%" PRIu64, count / unit->value);
  put_signs (text, size, plain);
  append (text, size, unit->suffix);
}

void
dg_number_text_about (char *text, size_t size, uint64_t count)
{
  uint64_t step = 1;

  while (count / step >= 1000)
    step *= 10;
  dg_number_text_count (text, size, count / step * step, step);
}

/* report_cells.c: values of a report as text for people.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_cells.h"

#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A scaled number has three digits that tell something, or four.  */
static char *
scaled (double value, const char *unit)
{
  int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

  return g_strdup_printf ("%.*f %s", decimals, value, unit);
}

static char *
bytes_text (uint64_t bytes)
{
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  double value = (double) bytes;
  size_t unit = 0;

  if (bytes < 1024)
    return g_strdup_printf ("%" PRIu64 " B", bytes);
  while (value >= 1023.5 && unit + 1 < G_N_ELEMENTS (units)) {
    value /= 1024;
    unit++;
  }
  return scaled (value, units[unit]);
}

static char *
ns_text (uint64_t ns)
{
  char *whole, *text;

  if (ns < 1000)
    return g_strdup_printf ("%" PRIu64 " ns", ns);
  if (ns < 999500)
    return scaled ((double) ns / 1e3, "us");
  if (ns < 999500000)
    return scaled ((double) ns / 1e6, "ms");
  if (ns < UINT64_C (10000) * 1000000000)
    return scaled ((double) ns / 1e9, "s");
  whole = output_grouped (ns / 1000000000);
  text = g_strdup_printf ("%s s", whole);
  g_free (whole);
  return text;
}

static char *
real_text (double real)
{
  double size = fabs (real);

  if (!isfinite (real))
    return g_strdup (isnan (real) ? "-" : real > 0 ? "inf" : "-inf");
  if (size >= 1e15)
    return g_strdup_printf ("%.3g", real);
  if (size >= 999.995) {
    uint64_t hundredths = (uint64_t) (size * 100 + 0.5);
    char *whole = output_grouped (hundredths / 100);
    char *text = g_strdup_printf ("%s%s.%02u", real < 0 ? "-" : "", whole,
                                  (unsigned) (hundredths % 100));

    g_free (whole);
    return text;
  }
  if (real == 0 || size >= 0.0995)
    return g_strdup_printf ("%.2f", real);
  return g_strdup_printf ("%.2g", real);
}

static char *
percent_text (double share)
{
  double percent = share * 100;

  if (!isfinite (share))
    return g_strdup ("-");
  /* What is there at all is not shown as nothing.  */
  if (percent > 0 && percent < 0.05)
    return g_strdup ("<0.1 %");
  return g_strdup_printf ("%.1f %%", percent);
}

static char *
pairs_text (const struct dg_pair *pairs, size_t n)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++) {
    char *count = output_grouped (pairs[i].count);

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

char *
report_cell_text (enum dg_unit unit, const struct dg_cell *cell)
{
  if (cell->is_empty)
    return g_strdup ("");
  switch (unit) {
  case DG_UNIT_BYTES:
    return bytes_text (cell->number);
  case DG_UNIT_NUMBER:
    return g_strdup_printf ("%" PRIu64, cell->number);
  case DG_UNIT_ADDRESS:
    return g_strdup_printf ("0x%" PRIx64, cell->number);
  case DG_UNIT_NS:
    return ns_text (cell->number);
  case DG_UNIT_REAL:
    return real_text (cell->real);
  case DG_UNIT_PERCENT:
    return percent_text (cell->real);
  case DG_UNIT_TEXT:
    return output_printable (cell->text);
  case DG_UNIT_PAIRS:
    return pairs_text (cell->pairs, cell->n_pairs);
  case DG_UNIT_LIST:
    return list_text (cell->pairs, cell->n_pairs);
  case DG_UNIT_BOOLEAN:
    return g_strdup (cell->number != 0 ? "yes" : "no");
  case DG_UNIT_STEP:
    return g_strdup_printf ("%+" PRId64, (int64_t) cell->number);
  default:
    return output_grouped (cell->number);
  }
}

bool
report_unit_is_number (enum dg_unit unit)
{
  switch (unit) {
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

int
report_text_width (const char *text)
{
  int width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text)) {
    gunichar c = g_utf8_get_char (text);

    if (g_unichar_iszerowidth (c))
      continue;
    width += g_unichar_iswide (c) ? 2 : 1;
  }
  return width;
}

char *
report_text_shorten (const char *text, int width)
{
  const char *head = text, *tail = text + strlen (text);
  GString *shorter = g_string_new (NULL);
  int room = MAX (width - 3, 2), left = 0, right = 0;

  /* From both ends, the longer one first, as long as there is room.  */
  while (head < tail) {
    bool is_left = left <= right;
    const char *next = is_left ? g_utf8_next_char (head) : head;
    const char *last = is_left ? tail : g_utf8_prev_char (tail);
    gunichar c = g_utf8_get_char (is_left ? head : last);
    int wide = g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;

    if (left + right + wide > room)
      break;
    left += is_left ? wide : 0;
    right += is_left ? 0 : wide;
    head = next;
    tail = last;
  }
  g_string_append_len (shorter, text, head - text);
  g_string_append (shorter, "...");
  g_string_append (shorter, tail);
  return g_string_free (shorter, FALSE);
}

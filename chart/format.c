/* format.c: numbers to text, and back.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "format.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "i18n.h"

static const struct unit {
  uint64_t value;
  const char *suffix;
  int digits;
} units[] = {
  { 1000000000000, " T", 12 }, { 1000000000, " G", 9 },
  { 1000000, " M", 6 },        { 1000, " k", 3 },
  { 1, "", 0 },
};

void
dv_format_count (char *text, size_t size, uint64_t count, uint64_t step)
{
  const struct unit *unit = units;
  while (unit->value > 1 && count < unit->value)
    unit++;
  /* As many decimals as tell two neighbouring steps apart.  */
  int zeros = 0;
  for (uint64_t s = step; s > 0 && s % 10 == 0 && zeros < unit->digits;
       s /= 10)
    zeros++;
  int decimals = unit->digits - zeros;
  uint64_t whole = count / unit->value, rest = count % unit->value;
  for (int i = 0; i < zeros; i++)
    rest /= 10;
  if (decimals > 0)
    g_snprintf (text, (gulong) size, "%" G_GUINT64_FORMAT ".%0*"
                G_GUINT64_FORMAT "%s", whole, decimals, rest, unit->suffix);
  else
    g_snprintf (text, (gulong) size, "%" G_GUINT64_FORMAT "%s", whole,
                unit->suffix);
}

void
dv_format_about (char *text, size_t size, uint64_t count)
{
  uint64_t step = 1;
  while (count / step >= 1000)
    step *= 10;
  dv_format_count (text, size, count / step * step, step);
}

void
dv_format_exact (char *text, size_t size, uint64_t count)
{
  char digits[24];
  int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, count);
  size_t used = 0;
  for (int i = 0; i < n && used + 2 < size; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      text[used++] = ',';
    text[used++] = digits[i];
  }
  text[used] = '\0';
}

/* In the unit that suits it; returns that, and *value.  */
static const char *
size_unit (uint64_t bytes, double *value)
{
  static const char *const names[] = { "KiB", "MiB", "GiB", "TiB" };
  unsigned i = 0;
  *value = (double) bytes / 1024;
  while (*value >= 1024 && i + 1 < G_N_ELEMENTS (names)) {
    *value /= 1024;
    i++;
  }
  return names[i];
}

void
dv_format_bytes (char *text, size_t size, uint64_t bytes)
{
  double value;
  if (bytes < 16 * 1024) {
    g_snprintf (text, (gulong) size,
                ngettext ("%u byte", "%u bytes", (gulong) bytes),
                (unsigned) bytes);
    return;
  }
  const char *unit = size_unit (bytes, &value);
  g_snprintf (text, (gulong) size, "%.*f %s", value < 100 ? 1 : 0, value,
              unit);
}

void
dv_format_size (char *text, size_t size, uint64_t bytes)
{
  double value;
  const char *unit = size_unit (bytes, &value);
  if (bytes < 1024)
    g_snprintf (text, (gulong) size, "%u B", (unsigned) bytes);
  else
    g_snprintf (text, (gulong) size, "%.*f %s", value < 100 ? 1 : 0, value,
                unit);
}

char *
dv_format_printable (const char *bytes)
{
  GString *text = g_string_new (NULL);
  const char *end = bytes + strlen (bytes);
  while (bytes < end) {
    gunichar c = g_utf8_get_char_validated (bytes, end - bytes);
    const char *next = (c & 0x80000000u) != 0 ? bytes + 1
                                              : g_utf8_next_char (bytes);
    if ((c & 0x80000000u) == 0 && !g_unichar_iscntrl (c))
      g_string_append_len (text, bytes, next - bytes);
    else
      for (; bytes < next; bytes++)
        g_string_append_printf (text, "\\x%02x", (unsigned char) *bytes);
    bytes = next;
  }
  return g_string_free (text, FALSE);
}

/* As Unicode has it: for a program's own use, never in texts.  XML and cairo
   refuse them.  */
static bool
is_noncharacter (gunichar c)
{
  return (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
}

char *
dv_format_label (const char *bytes, size_t most)
{
  /* Not all of what is huge needs to be looked at.  */
  char *start = g_strndup (bytes, most * 6 + 6);
  char *valid = g_utf8_make_valid (start, -1);
  GString *text = g_string_new (NULL);
  const char *at = valid;
  for (size_t n = 0; n < most && *at != '\0'; n++) {
    gunichar c = g_utf8_get_char (at);
    g_string_append_unichar (text, g_unichar_iscntrl (c) ? ' '
                                   : is_noncharacter (c) ? 0xfffd : c);
    at = g_utf8_next_char (at);
  }
  if (*at != '\0' && text->len > 0) {
    const char *last = g_utf8_prev_char (text->str + text->len);
    g_string_truncate (text, (gsize) (last - text->str));
    g_string_append (text, "…");
  }
  g_free (valid);
  g_free (start);
  return g_string_free (text, FALSE);
}

/* A number at the start of the text; *end is behind it.  */
static bool
scan_number (const char *text, const char **end, uint64_t *number)
{
  char *stop;
  if (!g_ascii_isdigit (*text))
    return false;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    if (!g_ascii_isxdigit (text[2]))
      return false;
    errno = 0;
    *number = g_ascii_strtoull (text + 2, &stop, 16);
    *end = stop;
    return errno != ERANGE;
  }
  errno = 0;
  *number = g_ascii_strtoull (text, &stop, 10);
  if (errno == ERANGE)
    return false;
  double value = (double) *number;
  /* A point, but not the two of an interval.  */
  if (*stop == '.' && g_ascii_isdigit (stop[1]))
    value = g_ascii_strtod (text, &stop);
  static const char suffixes[] = "kMGT";
  const char *suffix = *stop != '\0' ? strchr (suffixes, *stop) : NULL;
  double factor = suffix != NULL ? pow (1000, 1 + (int) (suffix - suffixes))
                                 : 1;
  if (suffix != NULL || value != (double) *number) {
    if (value * factor >= 18e18)
      return false;
    *number = (uint64_t) round (value * factor);
  }
  *end = suffix != NULL ? stop + 1 : stop;
  return true;
}

bool
dv_parse_number (const char *text, uint64_t *number)
{
  const char *end;
  return scan_number (text, &end, number) && *end == '\0';
}

bool
dv_parse_interval (const char *text, uint64_t *start, uint64_t *end)
{
  *start = 0;
  *end = UINT64_MAX;
  if (strncmp (text, "..", 2) != 0 && !scan_number (text, &text, start))
    return false;
  if (strncmp (text, "..", 2) != 0)
    return false;
  text += 2;
  if (*text != '\0' && !dv_parse_number (text, end))
    return false;
  return *start < *end;
}

bool
dv_parse_size (const char *text, uint32_t most, uint32_t *width,
               uint32_t *height)
{
  unsigned w, h;
  int used = 0;
  if (sscanf (text, "%5u%*1[xX]%5u%n", &w, &h, &used) != 2
      || text[used] != '\0' || !g_ascii_isdigit (*text))
    return false;
  *width = w;
  *height = h;
  return w >= 1 && h >= 1 && w <= most && h <= most;
}

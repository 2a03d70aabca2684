/* parse.c: values of options that several commands have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "parse.h"

#include <errno.h>
#include <string.h>

/* ---- Spans ------------------------------------------------------------ */

/* A number up to `end`, where there may be none: then *value stays.  */
static bool
parse_part (const char *text, const char *end, uint64_t *value)
{
  char *behind;

  if (text == end)
    return true;
  if (!g_ascii_isdigit (*text))
    return false;
  errno = 0;
  *value = g_ascii_strtoull (text, &behind, 0);
  return errno == 0 && behind == end;
}

bool
parse_span (const char *text, uint64_t *start, uint64_t *end)
{
  const char *dots = strstr (text, "..");
  bool has_end;

  if (dots == NULL || text[2] == '\0')
    return false;
  has_end = dots[2] != '\0';
  return parse_part (text, dots, start)
         && parse_part (dots + 2, dots + strlen (dots), end)
         && (!has_end || *start < *end);
}

/* ---- Lists ------------------------------------------------------------ */

static bool
parse_u32 (const char **text, uint32_t *number)
{
  char *end;
  guint64 n;

  if (!g_ascii_isdigit (**text))
    return false;
  errno = 0;
  n = g_ascii_strtoull (*text, &end, 10);
  if (errno != 0 || n > UINT32_MAX)
    return false;
  *text = end;
  *number = (uint32_t) n;
  return true;
}

GArray *
parse_list (const char *text)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct parse_numbers));

  for (;; text++) {
    struct parse_numbers numbers;

    if (!parse_u32 (&text, &numbers.first))
      break;
    numbers.last = numbers.first;
    if (*text == '-') {
      text++;
      if (!parse_u32 (&text, &numbers.last) || numbers.last < numbers.first)
        break;
    }
    g_array_append_val (list, numbers);
    if (*text == '\0')
      return list;
    if (*text != ',')
      break;
  }
  g_array_unref (list);
  return NULL;
}

/* ---- Numbers with units ----------------------------------------------- */

struct unit {
  const char *suffix;
  uint64_t factor;
};

static bool
parse_unit (const char *text, const struct unit *units, size_t n,
            uint64_t *number)
{
  char *end;
  guint64 value;

  if (!g_ascii_isdigit (text[0]))
    return false;
  errno = 0;
  value = g_ascii_strtoull (text, &end, 10);
  for (size_t i = 0; errno == 0 && i < n; i++)
    if (strcmp (end, units[i].suffix) == 0)
      return !__builtin_mul_overflow (value, units[i].factor, number);
  return false;
}

bool
parse_number (const char *text, uint64_t *number)
{
  static const struct unit units[] = {
    {"", 1},           {"k", 1000},        {"M", 1000000},
    {"G", 1000000000}, {"ki", 1ull << 10}, {"Mi", 1ull << 20},
    {"Gi", 1ull << 30}};

  return parse_unit (text, units, G_N_ELEMENTS (units), number);
}

bool
parse_interval (const char *text, uint64_t *instructions, uint64_t *ns)
{
  static const struct unit counts[] = {
    {"", 1},           {"ki", 1000},      {"Mi", 1000000},
    {"Gi", 1000000000}};
  static const struct unit times[] = {
    {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

  *instructions = *ns = 0;
  if (parse_unit (text, counts, G_N_ELEMENTS (counts), instructions))
    return *instructions > 0;
  return parse_unit (text, times, G_N_ELEMENTS (times), ns) && *ns > 0;
}

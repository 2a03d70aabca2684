/* parse.c: values of options that several commands have, beyond the numbers
   that libdatagrind reads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "parse.h"

#include "libdatagrind.h"

#include <string.h>

/* A number up to one of `ends` or the end of the text, of at most 32 bits.  */
static bool
parse_u32 (const char **text, const char *ends, uint32_t *number)
{
  char *part = g_strndup (*text, strcspn (*text, ends));
  size_t length = strlen (part);
  uint64_t n;
  bool is_good = dg_number_parse (part, DG_QUANTITY_COUNT, &n)
                 && n <= UINT32_MAX;

  g_free (part);
  if (!is_good)
    return false;
  *text += length;
  *number = (uint32_t) n;
  return true;
}

GArray *
parse_list (const char *text)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (struct parse_numbers));

  for (;; text++) {
    struct parse_numbers numbers;

    if (!parse_u32 (&text, "-,", &numbers.first))
      break;
    numbers.last = numbers.first;
    if (*text == '-') {
      text++;
      if (!parse_u32 (&text, ",", &numbers.last)
          || numbers.last < numbers.first)
        break;
    }
    g_array_append_val (list, numbers);
    if (*text == '\0')
      return list;
  }
  g_array_unref (list);
  return NULL;
}

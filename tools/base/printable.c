/* printable.c: texts as a terminal may be given them, and how wide they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "printable.h"

#include "libdatagrind.h"

#include <string.h>

/* Could this byte be a command to a terminal, or part of one?  In UTF-8 the
   bytes of U+0080 to U+009F could: 0x9b is "ESC [" to some.  So could those of
   what turns the direction of writing: a name would look like another.  */
bool
printable_is_control (const char *at, bool is_utf8)
{
  unsigned char c = (unsigned char) *at;

  if (c < 0x20 || c == 0x7f)
    return true;
  if (!is_utf8)
    return c >= 0x80;
  if (c < 0x80)
    return false;
  /* What begins the character is there.  */
  while (((unsigned char) *at & 0xc0) == 0x80)
    at--;
  return dg_character_is_unseen (g_utf8_get_char (at));
}

char *
printable_text (const char *text)
{
  bool is_utf8 = g_utf8_validate (text, -1, NULL);
  GString *safe = g_string_new (NULL);

  for (; *text != '\0'; text++) {
    if (printable_is_control (text, is_utf8))
      g_string_append_printf (safe, "\\x%02x", (unsigned char) *text);
    else
      g_string_append_c (safe, *text);
  }
  return g_string_free (safe, FALSE);
}

char *
printable_number (uint64_t number)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text (text, sizeof text, number);
  return g_strdup (text);
}

int
printable_width (const char *text)
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
printable_shorten (const char *text, int width)
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

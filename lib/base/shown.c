/* shown.c: which parts of a name can be shown as they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shown.h"

#include <glib.h>

#include "libdatagrind.h"

bool
dg_character_is_unseen (uint32_t c)
{
  return g_unichar_iscntrl (c) || c == 0x61c || c == 0x200e || c == 0x200f
         || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool
dg_shown_next (const char **at)
{
  gunichar c = g_utf8_get_char_validated (*at, -1);

  /* -1 or -2: it is not UTF-8.  */
  if (c > 0x10ffff) {
    ++*at;
    return false;
  }
  *at = g_utf8_next_char (*at);
  return !dg_character_is_unseen (c);
}

/* string-scan-append.c: strcat to a text that becomes long

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

static char text[40000];

int
main (void)
{
  char *end = text;

  for (int i = 0; i < 4000; i++) {
#ifdef REPAIRED
    memcpy (end, "12345678", 9);
    end += 8;
#else
    strcat (end, i % 2 != 0 ? "12345678" : "abcdefgh"); /* FLAW */
#endif
  }
  printf ("%zu\n", strlen (text));
  return 0;
}

/* string-scan-length.c: strlen in the condition of a loop

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char text[6000];

int
main (void)
{
  memset (text, 'a', sizeof text - 1);
#ifdef REPAIRED
  for (size_t i = 0, n = strlen (text); i < n; i++)
#else
  for (size_t i = 0; i < strlen (text); i++) /* FLAW */
#endif
    text[i] = (char) (text[i] - 'a' + 'A');
  printf ("%.9s\n", text);
  return 0;
}

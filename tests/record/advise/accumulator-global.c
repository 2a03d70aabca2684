/* accumulator-global.c: a global counter in a loop over characters

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

long blanks;
char text[8192];

__attribute__ ((noinline)) static void
count (char *at)
{
#ifdef REPAIRED
  long found = 0;

  for (; *at != '\0'; at += 2)
    found += *at == ' ';
  blanks += found;
#else
  for (; *at != '\0'; at += 2) {
    *at = ' ';
    blanks += *at; /* FLAW */
  }
#endif
}

int
main (void)
{
  memset (text, ' ', sizeof text - 2);
  for (int round = 0; round < 100; round++)
    count (text);
  printf ("%ld\n", blanks);
  return 0;
}

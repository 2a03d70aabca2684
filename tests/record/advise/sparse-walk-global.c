/* sparse-walk-global.c: a number in a global array of structures with texts

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 8192

#ifdef REPAIRED
static long values[N];
static char texts[N][120];
#define VALUE(i) values[i]
#define TEXT(i) texts[i]
#else
static struct sample { long value; char text[120]; } samples[N];
#define VALUE(i) samples[i].value
#define TEXT(i) samples[i].text
#endif

int
main (void)
{
  long sum = 0;

  TEXT (3)[0] = 'a';
  for (int round = 0; round < 30; round++)
    for (int i = 0; i < N; i++)
      sum += VALUE (i); /* FLAW */
  printf ("%ld %c\n", sum, TEXT (3)[0]);
  return 0;
}

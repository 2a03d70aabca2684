/* random-access-table.c: a table of 2 MiB is read at random

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N (1u << 18)
#define READS (1u << 18)

int
main (void)
{
  long *table = calloc (N, sizeof *table), sum = 0;
  unsigned random = 1;

  for (unsigned i = 0; i < READS; i++) {
    random = random * 1664525 + 1013904223;
#ifdef REPAIRED
    sum += table[i];
#else
    sum += table[random >> 14]; /* FLAW */
#endif
  }
  printf ("%ld %u\n", sum, random);
  free (table);
  return 0;
}

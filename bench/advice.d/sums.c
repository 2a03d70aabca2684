/* sums.c: random keys select sums in a table larger than the caches

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: random-access */

#include <stdio.h>
#include <stdlib.h>

#ifdef REPAIRED
#define KEYS (1u << 10)
#else
#define KEYS (1u << 19)
#endif

int
main (void)
{
  unsigned *sums = calloc (KEYS, sizeof *sums), key = 1;
  unsigned long all = 0;

  for (int i = 0; i < 150000; i++) {
    key = key * 1664525 + 1013904223;
    sums[key >> 8 & (KEYS - 1)] += i; /* FLAW */
  }
  for (unsigned i = 0; i < KEYS; i += 64)
    all += sums[i];
  printf ("%lu\n", all);
  free (sums);
  return 0;
}

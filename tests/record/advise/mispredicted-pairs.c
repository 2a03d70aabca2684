/* mispredicted-pairs.c: a branch on random data; repaired: data in order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 30000

static unsigned values[N];
static unsigned long sums[2];

int
main (void)
{
  unsigned state = 1;

  for (int i = 0; i < N; i++) {
    state = state * 1664525 + 1013904223;
#ifdef REPAIRED
    values[i] = i * (0xffffffu / N);
#else
    values[i] = state >> 8;
#endif
  }
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < N; i++)
      if (values[i] >> 23 & 1) /* FLAW */
        sums[0] += values[i] / 3;
      else
        sums[1] += values[i] * 7;
  printf ("%lu %lu\n", sums[0], sums[1]);
  return 0;
}

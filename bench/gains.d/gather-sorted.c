/* Reads by indices in no order; repaired: sorted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 2000000
#define M 1000000

static int table[N], index_[M];

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  long sum = 0;

  for (int i = 0; i < N; i++)
    table[i] = i;
  for (int i = 0; i < M; i++)
#ifdef REPAIRED
    index_[i] = (int) ((long) i * N / M);
#else
    index_[i] = (int) (dice () % N);
#endif
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < M; i++)
      sum += table[index_[i]];
  printf ("%ld\n", sum);
}

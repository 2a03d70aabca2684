/* A sieve with an int for each number; repaired: with a bit.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 2000000

#ifdef REPAIRED
static unsigned long sieve[N / 64 + 1];
#define GET(i) (sieve[(i) / 64] >> (i) % 64 & 1)
#define SET(i) (sieve[(i) / 64] |= 1ul << (i) % 64)
#else
static int sieve[N];
#define GET(i) sieve[i]
#define SET(i) (sieve[i] = 1)
#endif

int
main (void)
{
  int count = 0;

  for (long i = 2; i < N; i++)
    if (!GET (i)) {
      count++;
      for (long j = i * i; j < N; j += i)
        SET (j);
    }
  printf ("%d\n", count);
}

/* A binary search that branches; repaired: without branches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 4096
#define LOOKUPS 600000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  static unsigned table[N];
  unsigned long sum = 0;

  for (unsigned i = 0; i < N; i++)
    table[i] = i * 4096;
  for (int k = 0; k < LOOKUPS; k++) {
    unsigned key = dice ();
#ifdef REPAIRED
    const unsigned *base = table;

    for (unsigned half = N / 2; half > 0; half /= 2)
      base += (base[half - 1] < key) * half;
    sum += base - table;
#else
    unsigned low = 0, high = N;

    while (low < high) {
      unsigned middle = (low + high) / 2;

      if (table[middle] < key) {
        low = middle + 1;
        __asm__ volatile ("" : "+r" (low));
      } else
        high = middle;
    }
    sum += low;
#endif
  }
  printf ("%lu\n", sum);
}

/* Numbers are sorted by qsort; repaired: by their digits.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 200000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

#ifndef REPAIRED
static int
compare (const void *a, const void *b)
{
  unsigned x = *(const unsigned *) a, y = *(const unsigned *) b;

  return x < y ? -1 : x > y;
}
#endif

int
main (void)
{
  static unsigned numbers[N], other[N];

  for (int i = 0; i < N; i++)
    numbers[i] = dice ();
#ifdef REPAIRED
  for (int shift = 0; shift < 24; shift += 8) {
    int counts[257] = { 0 };

    for (int i = 0; i < N; i++)
      counts[(numbers[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++)
      counts[i + 1] += counts[i];
    for (int i = 0; i < N; i++)
      other[counts[numbers[i] >> shift & 255]++] = numbers[i];
    memcpy (numbers, other, sizeof numbers);
  }
#else
  qsort (numbers, N, sizeof *numbers, compare);
#endif
  printf ("%u %u\n", numbers[N / 2], other[0]);
}

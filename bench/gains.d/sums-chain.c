/* A sum of numbers, one after the other; repaired: four sums.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 4000

int
main (void)
{
  static float x[N];
  float a = 0, b = 0, c = 0, d = 0;

  for (int i = 0; i < N; i++)
    x[i] = i;
  for (int k = 0; k < 1500; k++)
#ifdef REPAIRED
    for (int i = 0; i < N; i += 4) {
      a += x[i];
      b += x[i + 1];
      c += x[i + 2];
      d += x[i + 3];
    }
#else
    for (int i = 0; i < N; i++)
      a += x[i];
#endif
  printf ("%g\n", a + b + c + d);
}

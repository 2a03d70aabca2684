/* Each element is divided; repaired: multiplied by the inverse.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 20000

int
main (void)
{
  static double x[N];
  double scale = 3.7, sum = 0;

  for (int i = 0; i < N; i++)
    x[i] = i + 1;
  for (int k = 0; k < 100; k++) {
#ifdef REPAIRED
    double inverse = 1 / (scale + k);

    for (int i = 0; i < N; i++)
      x[i] *= inverse * 4;
#else
    for (int i = 0; i < N; i++)
      x[i] /= (scale + k) / 4;
#endif
    sum += x[k];
  }
  printf ("%g\n", sum);
}

/* A product of matrices by columns; repaired: by rows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 200

static double a[N][N], b[N][N], c[N][N];

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i - j;
      b[i][j] = i + j;
    }
#ifdef REPAIRED
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        c[i][j] += a[i][k] * b[k][j];
#else
  for (int j = 0; j < N; j++)
    for (int k = 0; k < N; k++)
      for (int i = 0; i < N; i++)
        c[i][j] += a[i][k] * b[k][j];
#endif
  printf ("%g\n", c[3][5]);
}

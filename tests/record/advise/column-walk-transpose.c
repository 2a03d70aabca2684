/* column-walk-transpose.c: a matrix is transposed line by line

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 712
#ifdef REPAIRED
#define BLOCK 8
#else
#define BLOCK N
#endif

double from[N][N], to[N][N];

int
main (void)
{
  for (int bi = 0; bi < N; bi += BLOCK)
    for (int bj = 0; bj < N; bj += BLOCK)
      for (int i = bi; i < bi + BLOCK; i++)
        for (int j = bj; j < bj + BLOCK; j++)
          to[j][i] = from[i][j]; /* FLAW */
  printf ("%g\n", to[3][5]);
  return 0;
}

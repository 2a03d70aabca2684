/* A transposition by columns; repaired: in blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 768
#define B 16

static int from[N][N], to[N][N];

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      from[i][j] = i * j;
  for (int k = 0; k < 6; k++)
#ifdef REPAIRED
    for (int i = 0; i < N; i += B)
      for (int j = 0; j < N; j += B)
        for (int r = i; r < i + B; r++)
          for (int c = j; c < j + B; c++)
            to[c][r] = from[r][c];
#else
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        to[j][i] = from[i][j];
#endif
  printf ("%d\n", to[3][5]);
}

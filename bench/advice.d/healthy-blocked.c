/* healthy-blocked.c: a transposition in blocks

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 528
static float from[N][N], to[N][N];

int
main (void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      from[i][k] = i * k % 17;
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < N; i += 16)
      for (int k = 0; k < N; k += 16)
        for (int r = i; r < i + 16; r++)
          for (int c = k; c < k + 16; c++)
            to[c][r] = from[r][c] + round;
  printf ("%g\n", to[3][5]);
  return 0;
}

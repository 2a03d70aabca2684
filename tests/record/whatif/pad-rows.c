/* pad-rows.c: columns of rows that are in the same sets are summed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pad=matrix:64 */

#include <stdio.h>

#define N 512

#ifdef REPAIRED
static double matrix[N][N + 8];
#else
static double matrix[N][N];
#endif

int
main (void)
{
  double sum = 0;

  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      matrix[i][k] = i ^ k;
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      sum += matrix[i][k];
  printf ("%g\n", sum);
  return 0;
}

/* pad-block.c: the columns of an allocated matrix are summed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pad=pad-block.c:24:64/4096 */

#include <stdio.h>
#include <stdlib.h>

#define N 512

#ifdef REPAIRED
#define ROW (N + 8)
#else
#define ROW N
#endif

int
main (void)
{
  double sum = 0, *matrix;

  /* What grows is the block.  */
  matrix = malloc (sizeof (double) * N * ROW);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      matrix[i * ROW + k] = i ^ k;
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      sum += matrix[i * ROW + k];
  printf ("%g\n", sum);
  return 0;
}

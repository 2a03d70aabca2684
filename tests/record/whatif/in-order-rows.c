/* in-order-rows.c: a matrix is summed up by columns

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --in-order=in-order-rows.c:30 */

#include <stdio.h>

#define ROWS 1200
#define COLUMNS 52

static double matrix[ROWS][COLUMNS];

int
main (void)
{
  double sum = 0;

  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++)
      matrix[i][k] = i + k;
  for (int round = 0; round < 8; round++)
#ifdef REPAIRED
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < COLUMNS; k++)
        sum += matrix[i][k];
#else
    for (int k = 0; k < COLUMNS; k++)
      for (int i = 0; i < ROWS; i++)
        sum += matrix[i][k];
#endif
  printf ("%g\n", sum);
}

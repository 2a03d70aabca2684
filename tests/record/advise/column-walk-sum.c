/* column-walk-sum.c: the columns of a matrix are summed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define ROWS 600
#define COLUMNS 520

double matrix[ROWS][COLUMNS];

int
main (void)
{
  double sum = 0;

#ifdef REPAIRED
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += matrix[i][j];
#else
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++)
      sum += matrix[i][j]; /* FLAW */
#endif
  printf ("%g\n", sum);
  return 0;
}

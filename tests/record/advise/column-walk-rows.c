/* column-walk-rows.c: the columns of a matrix whose rows are blocks

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define ROWS 600
#define COLUMNS 520

int
main (void)
{
  double **rows = calloc (ROWS, sizeof *rows), sum = 0;

  for (int i = 0; i < ROWS; i++)
    rows[i] = calloc (COLUMNS, sizeof *rows[i]);
#ifdef REPAIRED
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++)
      sum += rows[i][k];
#else
  for (int k = 0; k < COLUMNS; k++)
    for (int i = 0; i < ROWS; i++)
      sum += rows[i][k]; /* FLAW */
#endif
  printf ("%f\n", sum);
  for (int i = 0; i < ROWS; i++)
    free (rows[i]);
  free (rows);
  return 0;
}

/* conflict-rows.c: columns of rows that are 4096 bytes apart

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define ROWS 64
#ifdef REPAIRED
#define COLUMNS 520
#else
#define COLUMNS 512
#endif

double matrix[ROWS][COLUMNS] __attribute__ ((aligned (4096)));

int
main (void)
{
  double sum = 0;

  for (int round = 0; round < 10; round++)
    for (int j = 0; j < 512; j++)
      for (int i = 0; i < ROWS; i++)
        sum += matrix[i][j]; /* FLAW */
  printf ("%g\n", sum);
  return 0;
}

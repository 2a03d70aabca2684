/* exchange-means.c: the mean of each column, one column after the other

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --exchange=exchange-means.c:34 */

#include <stdio.h>
#include <stdlib.h>

#define ROWS 600
#define COLUMNS 520

int
main (void)
{
  static double means[COLUMNS];
  double (*samples)[COLUMNS] = malloc (ROWS * sizeof *samples), last = 0;

  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++)
      samples[i][k] = i * 0.25 + k;
  for (int round = 0; round < 12; round++) {
    for (int k = 0; k < COLUMNS; k++)
      means[k] = 0;
#ifdef REPAIRED
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < COLUMNS; k++)
        means[k] += samples[i][k];
#else
    for (int k = 0; k < COLUMNS; k++) {
      double mean = 0;

      for (int i = 0; i < ROWS; i++)
        mean += samples[i][k];
      means[k] = mean;
    }
#endif
    /* The last row is written once between two rounds.  */
    for (int k = 0; k < COLUMNS; k++)
      samples[ROWS - 1][k] = last + means[k] / ROWS;
    last = means[round];
  }
  printf ("%g\n", last);
  free (samples);
  return 0;
}

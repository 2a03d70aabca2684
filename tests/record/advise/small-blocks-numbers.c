/* small-blocks-numbers.c: a block for each number

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 5000

int
main (void)
{
  long sum = 0;
#ifdef REPAIRED
  int *numbers = malloc (N * sizeof *numbers);

  for (int i = 0; i < N; i++)
    numbers[i] = i;
  for (int i = 0; i < N; i++)
    sum += numbers[i];
  free (numbers);
#else
  int **numbers = malloc (N * sizeof *numbers);

  for (int i = 0; i < N; i++) {
    numbers[i] = malloc (sizeof **numbers); /* FLAW */
    *numbers[i] = i;
  }
  for (int i = 0; i < N; i++)
    sum += *numbers[i];
  for (int i = 0; i < N; i++)
    free (numbers[i]);
  free (numbers);
#endif
  printf ("%ld\n", sum);
  return 0;
}

/* healthy-unrolled.c: a sum in order, of which each step takes eight vectors

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* flags: -O3 -funroll-loops */

#include <stdio.h>
#include <stdlib.h>

#define N 200000

int
main (void)
{
  long *numbers = malloc (N * sizeof *numbers), sum = 0;

  for (int i = 0; i < N; i++)
    numbers[i] = i;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < N; i++)
      sum += numbers[i] ^ round;
  printf ("%ld\n", sum);
  free (numbers);
  return 0;
}

/* healthy-reduction.c: steps of OpenMP with a barrier after each, and a sum

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* flags: -fopenmp */

#include <stdio.h>
#include <stdlib.h>

#define SIZE 40000

int
main (void)
{
  double *now = malloc (SIZE * sizeof *now);
  double *next = malloc (SIZE * sizeof *next);
  double sum = 0;

  for (int i = 0; i < SIZE; i++)
    now[i] = next[i] = i % 37;
#pragma omp parallel num_threads (3)
  for (int step = 0; step < 20; step++) {
#pragma omp for schedule (static)
    for (int i = 1; i < SIZE - 1; i++)
      next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3;
#pragma omp single
    {
      double *last = now;

      now = next;
      next = last;
    }
  }
#pragma omp parallel for num_threads (3) reduction (+ : sum)
  for (int i = 0; i < SIZE; i++)
    sum += now[i];
  printf ("%g\n", sum);
  free (now);
  free (next);
  return 0;
}

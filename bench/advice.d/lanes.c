/* lanes.c: each thread of OpenMP adds to its element of one small array

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* flags: -fopenmp */
/* rules: false-sharing */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4

#ifdef REPAIRED
struct lane { long hits; char rest[120]; };
#else
struct lane { long hits; };
#endif

static struct lane lanes[THREADS];

int
main (void)
{
  int count = 400000;
  int *keys = malloc ((size_t) count * sizeof *keys);
  long sum = 0;

  for (int i = 0; i < count; i++)
    keys[i] = (int) ((unsigned) i * 2654435761u >> 20);
#pragma omp parallel num_threads (THREADS)
  {
    volatile long *hits = &lanes[omp_get_thread_num ()].hits;

#pragma omp for schedule (static)
    for (int i = 0; i < count; i++)
      if (keys[i] & 3)
        *hits += 1; /* FLAW */
  }
  for (int i = 0; i < THREADS; i++)
    sum += lanes[i].hits;
  printf ("%ld\n", sum);
  free (keys);
  return 0;
}

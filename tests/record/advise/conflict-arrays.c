/* conflict-arrays.c: twenty arrays that begin in the same set of the cache

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

/* More than any first level has ways.  */
#define ARRAYS 20
#define N 512
#ifdef REPAIRED
#define SHIFT 64
#else
#define SHIFT 0
#endif
#define SIZE (ARRAYS * (4096 + SHIFT))

int
main (void)
{
  long *array[ARRAYS], sum = 0;
  char *memory = aligned_alloc (4096, SIZE);

  for (int k = 0; k < ARRAYS; k++) {
    array[k] = (long *) (void *) (memory + k * (4096 + SHIFT));
    for (int i = 0; i < N; i++)
      array[k][i] = i;
  }
  for (int round = 0; round < 24; round++)
    for (int i = 0; i < N; i++)
      for (int k = 0; k < ARRAYS; k++)
        sum += array[k][i]; /* FLAW */
  printf ("%ld\n", sum);
  free (memory);
  return 0;
}

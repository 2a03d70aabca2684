/* false-sharing-array.c: counters of threads side by side in an array

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>

#define N 100000

static volatile long counts[2] __attribute__ ((aligned (64)));

static void *
work (void *number)
{
  long self = (long) number;
#ifdef REPAIRED
  long own = 0;

  for (int i = 0; i < N; i++)
    own += i & 1;
  counts[self] = own;
#else

  for (int i = 0; i < N; i++)
    counts[self] += i & 1; /* FLAW */
#endif
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];

  for (long i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, (void *) i);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", counts[0] + counts[1]);
  return 0;
}

/* contention-atomic.c: an atomic counter of two threads

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>

#define N 100000

static long total __attribute__ ((aligned (64)));

static void *
work (void *number)
{
  long own = 0;

  (void) number;
  for (int i = 0; i < N; i++)
#ifdef REPAIRED
    own += i & 1;
#else
    __atomic_fetch_add (&total, i & 1, __ATOMIC_RELAXED); /* FLAW */
#endif
  __atomic_fetch_add (&total, own, __ATOMIC_RELAXED);
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
  printf ("%ld\n", total);
  return 0;
}

/* contention-mutex.c: a sum that is protected by a mutex

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#define N 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total __attribute__ ((aligned (64)));
static int started;

static void *
work (void *number)
{
  long own = 0;

  (void) number;
  /* Else the first one may be done before the second one starts.  */
  __atomic_add_fetch (&started, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n (&started, __ATOMIC_RELAXED) < 2)
    sched_yield ();
  for (int i = 0; i < N; i++) {
#ifdef REPAIRED
    own += i & 1;
#else
    pthread_mutex_lock (&mutex); /* FLAW */
    total += i & 1; /* FLAW */
    pthread_mutex_unlock (&mutex); /* FLAW */
#endif
  }
  pthread_mutex_lock (&mutex);
  total += own;
  pthread_mutex_unlock (&mutex);
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

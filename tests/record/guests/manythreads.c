/* manythreads.c: threads that recurse, wait for each other, cancel, and
   come and go so that numbers and stacks are used again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t together;
static volatile long work[16];

__attribute__ ((noinline)) static void
down (int n, int who)
{
  volatile int here = n;
  work[who] += here;
  if (n > 0)
    down (n - 1, who);
  work[who] += here;
}

static void
last (void *arg)
{
  down (5, (int) (long) arg);
}

static void *
body (void *arg)
{
  int who = (int) (long) arg;
  pthread_barrier_wait (&together);
  pthread_cleanup_push (last, arg);
  for (int k = 0; k < 30; k++) {
    down (20, who);
    pthread_mutex_lock (&lock);
    down (3, who);
    pthread_mutex_unlock (&lock);
  }
  if (who == 3)
    pthread_exit (NULL);
  pthread_cleanup_pop (1);
  return NULL;
}

int
main (void)
{
  for (int round = 0; round < 3; round++) {
    pthread_t t[8];
    pthread_barrier_init (&together, NULL, 8);
    for (long i = 0; i < 8; i++)
      pthread_create (&t[i], NULL, body, (void *) i);
    for (int i = 0; i < 8; i++)
      pthread_join (t[i], NULL);
  }
  printf ("%ld\n", work[0]);
  return 0;
}

/* contention-locals.c: two threads count in what main has on its stack, where
   many functions have had theirs before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>

static void *
count (void *pointer)
{
  volatile long *number = pointer;

  for (int i = 0; i < 5000; i++)
    ++*number;
  return NULL;
}

int
main (void)
{
  struct {
    volatile long a, b;
  } sums __attribute__ ((aligned (16))) = { 0 };
  pthread_t threads[2];

  pthread_create (&threads[0], NULL, count, (void *) &sums.a);
  pthread_create (&threads[1], NULL, count, (void *) &sums.b);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  return sums.a + sums.b == 0;
}

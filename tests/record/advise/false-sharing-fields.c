/* false-sharing-fields.c: two threads, two counters, one line

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>

#define N 50000

static struct {
  volatile long a;
#ifdef REPAIRED
  char apart[56];
#endif
  volatile long b;
} counts __attribute__ ((aligned (64)));

static long
step (long x)
{
  for (int k = 0; k < 15; k++)
    x = x * 1664525 + 1013904223;
  return x & 1;
}

static void *
work (void *number)
{
  if (number == NULL)
    for (int i = 0; i < N; i++)
      counts.a += step (i); /* FLAW */
  else
    for (int i = 0; i < N; i++)
      counts.b += step (i); /* FLAW */
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
  printf ("%ld\n", counts.a + counts.b);
  return 0;
}

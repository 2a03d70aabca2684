/* first-touch-halves.c: two threads sum halves of an array that main filled

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --first-touch=first-touch-halves.c:44:by-user */
/* machine: zen5,nodes=2,l2-lines=1024,l3-lines=8192 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N (1 << 18)
#define ROUNDS 3

static long *values;

static void
fill (long *half)
{
  for (int i = 0; i < N; i++)
    half[i] = i;
}

static void *
sum (void *data)
{
  long *half = data, all = 0;

#ifdef REPAIRED
  fill (half);
#endif
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++)
      all += half[i];
  return (void *) all;
}

int
main (void)
{
  pthread_t threads[2];
  void *all[2];

  values = malloc (2 * N * sizeof *values);
#ifndef REPAIRED
  fill (values);
  fill (values + N);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, sum, values + i * N);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], &all[i]);
  printf ("%ld %ld\n", (long) all[0], (long) all[1]);
  return 0;
}

/* healthy-counters.c: a counter for each thread, in a line of its own

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static struct { _Alignas (64) atomic_long hits; } counters[2];

static void *
count (void *at)
{
  for (int i = 0; i < 200000; i++)
    atomic_fetch_add (&counters[at != NULL].hits, 1);
  return NULL;
}

int
main (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, count, &thread);
  count (NULL);
  pthread_join (thread, NULL);
  printf ("%ld\n", counters[0].hits + counters[1].hits);
  return 0;
}

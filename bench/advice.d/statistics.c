/* statistics.c: threads count in neighbouring elements of an array

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: false-sharing */

#include <pthread.h>
#include <stdio.h>

static struct statistics {
  long calls, bytes;
#ifdef REPAIRED
  char rest[112];
#endif
} statistics[4];

static void *
work (void *at)
{
  volatile struct statistics *own = at;

  for (int i = 0; i < 60000; i++) {
    unsigned long hash = i;

    for (int k = 0; k < 12; k++)
      hash = hash * 31 + (hash >> 7 ^ k);
    own->calls++;
    own->bytes += hash & 63; /* FLAW */
  }
  return NULL;
}

int
main (void)
{
  pthread_t threads[4];

  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, work, &statistics[i]);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", statistics[0].calls + statistics[3].bytes);
  return 0;
}

/* counts.c: THREADS threads that make known numbers of accesses to known
   arrays.  Thread k (from 0) reads reads_k[] 1000 * (k + 1) times and writes
   writes_k[] 500 * (k + 2) times; shared[] it reads and writes 700 + k
   times.  They go side by side.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"
#include <pthread.h>
#include <stdio.h>

#define THREADS 6
#define SIZE 128

static volatile unsigned long reads[THREADS][SIZE], writes[THREADS][SIZE];
static volatile unsigned int shared[64];
static unsigned long sums[THREADS];
static pthread_barrier_t together;

static void *
body (void *arg)
{
  long k = (long) arg;
  unsigned long sum = 0;
  pthread_barrier_wait (&together);
  for (long i = 0; i < 1000 * (k + 1); i++)
    sum += reads[k][i % SIZE];
  pthread_barrier_wait (&together);
  for (long i = 0; i < 500 * (k + 2); i++)
    writes[k][i % SIZE] = (unsigned long) i;
  for (long i = 0; i < 700 + k; i++)
    shared[i % 64] = shared[i % 64] + 1;
  sums[k] = sum;
  return NULL;
}

int
main (void)
{
  pthread_t t[THREADS];
  char label[32];
  for (int k = 0; k < THREADS; k++) {
    snprintf (label, sizeof label, "reads%d", k);
    DATAGRIND_TRACK_RANGE (reads[k], sizeof reads[k], "unsigned long", label);
    snprintf (label, sizeof label, "writes%d", k);
    DATAGRIND_TRACK_RANGE (writes[k], sizeof writes[k], "unsigned long",
                           label);
  }
  DATAGRIND_TRACK_RANGE (shared, sizeof shared, "unsigned int", "shared");
  pthread_barrier_init (&together, NULL, THREADS);
  for (long k = 0; k < THREADS; k++)
    pthread_create (&t[k], NULL, body, (void *) k);
  unsigned long sum = 0;
  for (int k = 0; k < THREADS; k++) {
    pthread_join (t[k], NULL);
    sum += sums[k];
  }
  printf ("%lu\n", sum);
  return 0;
}

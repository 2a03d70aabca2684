/* counters.c: two threads count words, each with a counter of its own.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, ROUNDS = 200 };

#ifndef ALIGNED
#define ALIGNED
#endif

struct counter
{
  ALIGNED volatile long words;
};

static struct counter counters[THREADS];
static const char text[] = "the quick brown fox jumps over the lazy dog ";

static void *
count (void *data)
{
  struct counter *counter = data;
  for (int round = 0; round < ROUNDS; round++)
    for (const char *c = text; *c; c++)
      if (isspace ((unsigned char) *c))
        counter->words++;
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, count, &counters[i]);
  long sum = 0;
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (threads[i], NULL);
      sum += counters[i].words;
    }
  printf ("%ld words\n", sum);
  return 0;
}

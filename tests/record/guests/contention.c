/* contention.c: threads and cache lines of which it is known who disturbs
   whom.

   Each of the parts below has its own lines, whose name is that of the part.
   An argument says how threads take turns: every few rounds one lets
   the others run, so that no two numbers make the same schedule.  What is
   accessed how often does not depend on it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE __attribute__ ((aligned (64)))
#define MANY 20000

typedef volatile unsigned long word;

static struct { word w[8]; } LINE two_words, counted, joined, met, given;
static struct { word w[16]; } LINE two_lines;
static struct { word w[8]; } LINE padded[2];
static struct { volatile char c[64]; } LINE two_chars;
static struct { word w[8]; } LINE reader;

static unsigned turn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int full;

static void
give_way (unsigned i, long k)
{
  if (turn > 0 && (i + (unsigned) k * 37) % (turn * 61) == 0)
    sched_yield ();
}

static void
write_word (word *w, unsigned n, long k)
{
  for (unsigned i = 0; i < n; i++) {
    *w = i;
    give_way (i, k);
  }
}

/* Its own word of one line, 5000 and 4000 times.  */
static void *
in_two_words (void *k)
{
  write_word (&two_words.w[(long) k], k == NULL ? 5000 : 4000, (long) k);
  return NULL;
}

/* Four threads, each a word in each of two lines.  */
static void *
in_two_lines (void *k)
{
  write_word (&two_lines.w[(long) k], MANY, (long) k);
  write_word (&two_lines.w[8 + (long) k], MANY, (long) k);
  return NULL;
}

/* As the first; the main thread adds up.  */
static void *
in_counted (void *k)
{
  write_word (&counted.w[(long) k], MANY, (long) k);
  return NULL;
}

static void *
in_padded (void *k)
{
  write_word (&padded[(long) k].w[0], MANY, (long) k);
  return NULL;
}

static void *
in_two_chars (void *k)
{
  for (unsigned i = 0; i < MANY; i++) {
    two_chars.c[(long) k] = i;
    give_way (i, (long) k);
  }
  return NULL;
}

/* One writes a word, the other reads the next.  */
static void *
in_reader (void *k)
{
  unsigned long sum = 0;
  if (k == NULL)
    write_word (&reader.w[0], MANY, 0);
  for (unsigned i = 0; k != NULL && i < MANY; i++) {
    sum += reader.w[1];
    give_way (i, 1);
  }
  return (void *) sum;
}

/* Each when the one before has ended.  */
static void *
in_joined (void *k)
{
  write_word (&joined.w[(long) k], 1000, (long) k);
  return NULL;
}

/* The first before the barrier, the second behind it.  */
static void *
in_met (void *k)
{
  if (k == NULL)
    write_word (&met.w[0], 1000, 0);
  pthread_barrier_wait (&barrier);
  if (k != NULL)
    write_word (&met.w[1], 1000, 1);
  return NULL;
}

/* A buffer that one fills and the other empties.  */
static void *
in_given (void *k)
{
  unsigned long sum = 0;
  for (unsigned i = 0; i < 200; i++) {
    pthread_mutex_lock (&mutex);
    while (full != (k != NULL))
      pthread_cond_wait (&changed, &mutex);
    for (unsigned j = 0; j < 8; j++)
      if (k == NULL)
        given.w[j] = i;
      else
        sum += given.w[j];
    full = k == NULL;
    pthread_cond_signal (&changed);
    pthread_mutex_unlock (&mutex);
  }
  return (void *) sum;
}

static void
run (void *(*part) (void *), int n)
{
  pthread_t threads[4];
  for (long k = 0; k < n; k++)
    pthread_create (&threads[k], NULL, part, (void *) k);
  for (int k = 0; k < n; k++)
    pthread_join (threads[k], NULL);
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  turn = argc > 1 ? atoi (argv[1]) : 0;
  pthread_barrier_init (&barrier, NULL, 2);
  run (in_two_words, 2);
  run (in_two_lines, 4);
  run (in_counted, 2);
  printf ("%lu\n", counted.w[0] + counted.w[1]);
  run (in_padded, 2);
  run (in_two_chars, 2);
  run (in_reader, 2);
  run (in_met, 2);
  run (in_given, 2);
  for (long k = 0; k < 4; k++) {
    pthread_create (&thread, NULL, in_joined, (void *) k);
    pthread_join (thread, NULL);
  }
  return 0;
}

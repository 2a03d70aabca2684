/* sharing.c: threads that share variables, so that counts are known.

   Each of THREADS threads runs once: between two barriers, in an order that
   does not matter, it
     - adds to a counter in a struct of statistics that all share, ROUNDS
       times, in advance (), and reads another field of it once
     - adds to an element of an array that no other thread uses, but that lies
       in a line with others
     - thread 0 adds 2 EDGE times, thread 1 EDGE times to edge_dropped; and
       2 EDGE - 1 and EDGE times to edge_kept
     - fills memory of its own.
   Prints what there was: addresses and counts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 32
#endif
#ifndef ROUNDS
#define ROUNDS 3000
#endif
#define EDGE 500
#define OWN_WORDS 256

struct stats {
  const char *description;
  volatile unsigned long v;
};

struct connection {
  char name[40];
  volatile int flags;
  struct stats cursor_next;
  struct stats cursor_prev;
};

static struct connection *connection;
static volatile unsigned long edge_dropped, edge_kept;
struct slot {
  volatile unsigned hits;
  volatile unsigned misses;
};
static struct slot slots[THREADS] __attribute__ ((aligned (64)));
static pthread_barrier_t barrier;
static volatile unsigned long *own[THREADS];

static void
advance (struct connection *c)
{
  c->cursor_next.v++; /* the line that costs */
}

static void
edges (long k)
{
  for (int i = 0; k < 2 && i < (k == 0 ? 2 * EDGE : EDGE); i++)
    edge_dropped = 1;
  for (int i = 0; k < 2 && i < (k == 0 ? 2 * EDGE - 1 : EDGE); i++)
    edge_kept = 1;
}

static void *
work (void *argument)
{
  long k = (long) argument;

  pthread_barrier_wait (&barrier);
  if (connection->flags != 7)
    abort ();
  for (int i = 0; i < ROUNDS; i++) {
    advance (connection);
    slots[k].hits++;
  }
  edges (k);
  for (int i = 0; i < OWN_WORDS; i++)
    own[k][i] = i;
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];

  connection = malloc (sizeof *connection);
  connection->flags = 7;
  connection->cursor_next.description = "cursor next calls";
  connection->cursor_next.v = 0;
  pthread_barrier_init (&barrier, NULL, THREADS);
  for (long k = 0; k < THREADS; k++)
    own[k] = malloc (OWN_WORDS * sizeof *own[k]);
  for (long k = 0; k < THREADS; k++)
    pthread_create (&threads[k], NULL, work, (void *) k);
  for (long k = 0; k < THREADS; k++)
    pthread_join (threads[k], NULL);
  printf ("v %p\nflags %p\nslots %p\ndropped %p\nkept %p\n",
          (void *) &connection->cursor_next.v, (void *) &connection->flags,
          (void *) slots, (void *) &edge_dropped, (void *) &edge_kept);
  return 0;
}

/* variables.c: memory of all kinds, each accessed so often that nothing else
   can be meant.

   Names and counts: variables.sh.  All accesses that count are volatile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/datagrind.h>

#define NOINLINE __attribute__ ((noinline))

struct point {
  int x, y;
  double weight;
};

struct node {
  struct node *next;
  volatile long key;
  struct point at;
};

struct tagged {
  int tag;
  volatile int value;
};

static volatile long global_sum;
static struct {
  char name[12];
  volatile int hits;
} table[4];
static volatile short halves[2];

/* Wants memory for anyone who asks.  */
NOINLINE static void *
grab (size_t size)
{
  void *memory = malloc (size);

  if (memory == NULL)
    abort ();
  return memory;
}

NOINLINE static struct node *
node_new (struct node *next)
{
  struct node *node = grab (sizeof *node);

  node->next = next;
  return node;
}

/* Reads and writes what belongs to its callers.  */
NOINLINE static long
through (volatile struct point *p, int n)
{
  long sum = 0;

  for (int i = 0; i < n; i++) {
    sum += p[i % 4].x;
    p[i % 4].y = i;
  }
  return sum;
}

/* Of an array that only a function it knows sees, GCC 14 keeps fields in
   registers, and its debug information no longer says where the rest is.  */
#define IN_MEMORY(array) __asm__ volatile ("" : : "r" (array) : "memory")

/* Each of its frames has memory of its own.  */
NOINLINE static long
recurse (int depth)
{
  volatile int here = depth;
  struct point own[4] = { { depth } };

  IN_MEMORY (own);
  through (own, 10 * depth);
  if (depth > 0)
    recurse (depth - 1);
  for (int i = 0; i < 5 * depth; i++)
    here = i;
  return here + own[0].y;
}

static void
on_signal (int number)
{
  volatile int caught = number;

  for (int i = 0; i < 70; i++)
    caught = i;
}

static void *
work (void *argument)
{
  volatile int mine = 0;
  struct point square[4] = { { 1 } };

  for (int i = 0; i < 300; i++)
    mine = i;
  *(long *) argument = through (square, 200) + recurse (2) + mine;
  return NULL;
}

NOINLINE static void
use_heap (void)
{
  struct node *list = NULL;
  volatile int *numbers = malloc (100 * sizeof *numbers);
  volatile struct tagged *tagged = malloc (10 * sizeof *tagged);

  DATAGRIND_TRACK_RANGE ((void *) tagged, 10 * sizeof *tagged,
                         "struct tagged", "tagged");
  for (int i = 0; i < 20; i++)
    list = node_new (list);
  for (struct node *n = list; n != NULL; n = n->next) {
    n->key = 1;
    n->key = 2;
    n->key = 3;
  }
  for (int i = 0; i < 100; i++)
    numbers[i] = i;
  for (int i = 0; i < 40; i++)
    tagged[i % 10].value = i;
  while (list != NULL) {
    struct node *next = list->next;

    free (list);
    list = next;
  }
  free ((void *) numbers);
  /* In the same place, it is something else.  */
  for (int i = 0; i < 3; i++) {
    volatile char *text = malloc (sizeof (struct node) + i);

    for (int k = 0; k < 30; k++)
      text[k] = 'x';
    free ((void *) text);
  }
}

int
main (void)
{
  volatile int count = 0;
  struct point points[4] = { { 1, 2, 3 } };
  pthread_t threads[2];
  long sums[2];

  for (int i = 0; i < 1000; i++)
    count = i;
  IN_MEMORY (points);
  through (points, 400);
  signal (SIGUSR1, on_signal);
  raise (SIGUSR1);
  for (int i = 0; i < 500; i++)
    count = i;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, &sums[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  recurse (4);
  use_heap ();
  for (int i = 0; i < 60; i++) {
    global_sum = i;
    table[i % 4].hits = i;
    halves[i % 2] = i;
  }
  printf ("%ld %d\n", sums[0] + sums[1], count + points[0].y);
  return 0;
}

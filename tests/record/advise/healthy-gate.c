/* healthy-gate.c: threads that begin together, and then work in turns

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t gate;
static int turn;
static long states[64];

static void *
work (void *at)
{
  int own = at != NULL;

  pthread_barrier_wait (&gate);
  for (int round = 0; round < 6; round++) {
    pthread_mutex_lock (&mutex);
    while (turn != own)
      pthread_cond_wait (&changed, &mutex);
    pthread_mutex_unlock (&mutex);
    for (int i = 0; i < 60000; i++)
      states[i % 64] += i ^ round;
    pthread_mutex_lock (&mutex);
    turn = !own;
    pthread_cond_signal (&changed);
    pthread_mutex_unlock (&mutex);
  }
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];

  pthread_barrier_init (&gate, NULL, 2);
  pthread_create (&threads[0], NULL, work, NULL);
  pthread_create (&threads[1], NULL, work, &turn);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  printf ("%ld\n", states[5]);
  return 0;
}

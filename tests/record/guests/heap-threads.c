/* Threads that allocate and free, each other's blocks, too; in turns, so that
   each run is the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, ROUNDS = 400, SLOTS = 50 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn = -1;
static void *slots[SLOTS];

static void
begin (int me)
{
  pthread_mutex_lock (&mutex);
  while (turn != me)
    pthread_cond_wait (&changed, &mutex);
}

static void
end (void)
{
  turn = (turn + 1) % THREADS;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
}

static __attribute__((noinline)) void *
make (int me, int i)
{
  return malloc ((size_t) (i * (me + 1)) % 1500 + 1);
}

static void *
work (void *arg)
{
  int me = (int) (long) arg;

  for (int i = 0; i < ROUNDS; i++) {
    int slot = (i * 7 + me * 3) % SLOTS;

    begin (me);
    free (slots[slot]);
    slots[slot] = make (me, i);
    end ();
  }
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS];

  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *) i);
  pthread_mutex_lock (&mutex);
  turn = 0;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < SLOTS; i++)
    free (slots[i]);
  return 0;
}

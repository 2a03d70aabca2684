/* steady.c: a program that does the same again and again, as a server does:
   blocks, threads, calls, mappings, libraries, children, recording that is
   turned off and on.  Each round is the same; a line is printed after it, and
   a line is read before the next one.

     steady ROUNDS

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datagrind.h"

#define KEPT 256

static unsigned table[1 << 14];
static void *kept[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* As deep as it is called, by two ways.  */
static unsigned
deeper (unsigned depth, unsigned way)
{
  if (depth == 0)
    return table[way];
  return way & 1 ? deeper (depth - 1, way >> 1) + 1
                 : 3 * deeper (depth - 1, way >> 1);
}

static void *
work (void *arg)
{
  unsigned x = *(unsigned *) arg, sum = 0;

  for (int i = 0; i < 20000; i++) {
    x = x * 1664525 + 1013904223;
    sum += table[x >> 18] += i;
    if (i % 100 == 0) {
      unsigned at = x >> 24;

      pthread_mutex_lock (&lock);
      free (kept[at]);
      kept[at] = malloc (16 + (x >> 12) % 2000);
      memset (kept[at], 1, 16);
      pthread_mutex_unlock (&lock);
      sum += deeper (x >> 29, x >> 16 & 7);
    }
  }
  *(unsigned *) arg = sum;
  return NULL;
}

static void
new_threads (unsigned seed)
{
  pthread_t thread[2];
  unsigned seeds[2] = { seed, seed + 1 };

  for (int i = 0; i < 2; i++)
    if (pthread_create (&thread[i], NULL, work, &seeds[i]) != 0)
      abort ();
  for (int i = 0; i < 2; i++)
    pthread_join (thread[i], NULL);
}

/* Of the threads that stay.  */
static pthread_barrier_t begin, end;
static unsigned seed_of_round;

static void *
serve (void *arg)
{
  unsigned self = *(unsigned *) arg;

  for (;;) {
    unsigned seed;

    pthread_barrier_wait (&begin);
    seed = seed_of_round + self;
    work (&seed);
    pthread_barrier_wait (&end);
  }
  return NULL;
}

static void
begin_serving (void)
{
  static unsigned numbers[2] = { 0, 1 };
  pthread_t thread;

  pthread_barrier_init (&begin, NULL, 3);
  pthread_barrier_init (&end, NULL, 3);
  for (int i = 0; i < 2; i++)
    if (pthread_create (&thread, NULL, serve, &numbers[i]) != 0)
      abort ();
}

static void
same_threads (unsigned seed)
{
  seed_of_round = seed;
  pthread_barrier_wait (&begin);
  pthread_barrier_wait (&end);
}

static void
mapping (void)
{
  size_t size = 1 << 20;
  char *map = mmap (NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (map == MAP_FAILED)
    abort ();
  DATAGRIND_TRACK_RANGE (map, size, "steady", "mapping");
  for (size_t i = 0; i < size; i += 4096)
    map[i] = 1;
  DATAGRIND_UNTRACK_RANGE (map, size);
  munmap (map, size);
}

static void
library (void)
{
  void *handle = dlopen ("libm.so.6", RTLD_NOW | RTLD_LOCAL);

  if (handle)
    dlclose (handle);
}

static void
child (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  waitpid (pid, NULL, 0);
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 10, c;

  begin_serving ();
  for (int round = 1; round <= rounds; round++) {
    DATAGRIND_START_EVENT ("round");
    same_threads (round % 16);
    mapping ();
    DATAGRIND_END_EVENT ("round");
    DATAGRIND_STOP_RECORDING;
    same_threads (round % 16);
    if (round % 16 == 0) {
      new_threads (round % 16);
      library ();
      child ();
    }
    DATAGRIND_START_RECORDING;
    printf ("%d\n", round);
    fflush (stdout);
    while ((c = getchar ()) != '\n' && c != EOF)
      continue;
  }
  return 3;
}

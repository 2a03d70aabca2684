/* threads.c: threads one after the other, which use the same memory.

   Usage: threads NUMBER

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define WORDS 1024

static int shared[WORDS];

static void *
work (void *data)
{
  uintptr_t number = (uintptr_t) data;
  char *own = malloc (4096);

  for (unsigned i = 0; own != NULL && i < 500; i++) {
    own[i] = (char) i;
    shared[(number + i) % WORDS]++;
  }
  free (own);
  return NULL;
}

int
main (int argc, char **argv)
{
  size_t n = argc > 1 ? strtoull (argv[1], NULL, 0) : 10;

  for (uintptr_t i = 0; i < n; i++) {
    pthread_t thread;

    if (pthread_create (&thread, NULL, work, (void *) i) != 0)
      return 1;
    pthread_join (thread, NULL);
  }
  return 0;
}

/* healthy-one-by-one.c: threads that write a variable one after the other

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>

static volatile long total;

static void *
add (void *unused)
{
  for (int i = 0; i < 150000; i++)
    if (i % 3 != 1)
      total = total + i;
  return unused;
}

int
main (void)
{
  for (int i = 0; i < 3; i++) {
    pthread_t thread;

    pthread_create (&thread, NULL, add, NULL);
    pthread_join (thread, NULL);
  }
  printf ("%ld\n", total);
  return 0;
}

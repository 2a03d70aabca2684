/* mailbox.c: two threads that exchange messages, for docs/python.md.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  long number;
  double value;
  char text[32];
  int is_urgent;
};

static struct message mailbox;
static sem_t is_empty, is_full;

static void *
send (void *count)
{
  for (long i = 0; i < *(long *) count; i++) {
    sem_wait (&is_empty);
    mailbox.number = i;
    mailbox.value = i * 0.5;
    mailbox.is_urgent = i % 10 == 0;
    mailbox.text[i % 32] = 'x';
    sem_post (&is_full);
  }
  return NULL;
}

/* The sum, and the mean of the last values.  */
static void
receive (long count)
{
  double *history = malloc (count * sizeof *history), sum = 0;
  long urgent = 0;

  for (long i = 0; i < count; i++) {
    sem_wait (&is_full);
    history[i] = mailbox.value;
    sum += mailbox.value;
    urgent += mailbox.is_urgent;
    sem_post (&is_empty);
  }
  printf ("%g %g %ld\n", sum, history[count - 1], urgent);
  free (history);
}

int
main (void)
{
  long count = 500;
  pthread_t sender;

  sem_init (&is_empty, 0, 1);
  sem_init (&is_full, 0, 0);
  pthread_create (&sender, NULL, send, &count);
  receive (count);
  pthread_join (sender, NULL);
  return 0;
}

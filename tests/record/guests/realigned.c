/* realigned.c: functions that align their frames, whose variables are written
   by two threads, or a known number of times.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <alloca.h>
#include <pthread.h>
#include <string.h>

static volatile int sum;

static void *
count (void *pointer)
{
  volatile long *number = pointer;

  for (int i = 0; i < 5000; i++)
    ++*number;
  return NULL;
}

static void __attribute__ ((noinline))
add (volatile long *number, int n)
{
  for (int i = 0; i < n; i++)
    ++*number;
}

/* Has arguments on the stack, and a frame that grows.  */
static int __attribute__ ((noinline))
grows (int n, int a, int b, int c, int d, int e, int f, volatile int last)
{
  _Alignas (128) volatile long one = 0;
  _Alignas (64) volatile long two = 0;
  char *more = alloca (n);

  memset (more, 1, n);
  add (&one, n);
  add (&two, 2 * n);
  sum = more[n / 2] + a + b + c + d + e + f + last;
  return one + two;
}

int
main (void)
{
  _Alignas (64) volatile long first = 0;
  _Alignas (64) volatile long second = 0;
  _Alignas (64) struct { volatile long a, b; } both = { 0 };
  pthread_t threads[4];

  pthread_create (&threads[0], NULL, count, (void *) &first);
  pthread_create (&threads[1], NULL, count, (void *) &second);
  pthread_create (&threads[2], NULL, count, (void *) &both.a);
  pthread_create (&threads[3], NULL, count, (void *) &both.b);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  /* Here the function itself.  */
  for (int i = 0; i < 70; i++)
    second = i;
  return grows (100, 1, 2, 3, 4, 5, 6, 7) + first == 0;
}

/* coroutines.c: contexts of ucontext.h that take turns, on stacks from
   malloc and from mmap, next to each other and far apart.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define COROUTINES 6
#define STACK 65536

static ucontext_t contexts[COROUTINES], back;
static int current, left = COROUTINES;
static volatile long work;

__attribute__ ((noinline)) static void
yield (void)
{
  int self = current;
  current = (current + 1) % COROUTINES;
  swapcontext (&contexts[self], &contexts[current]);
}

__attribute__ ((noinline)) static void
down (int n)
{
  volatile int here = n;
  if (n % 3 == 0)
    yield ();
  if (n > 0)
    down (n - 1);
  for (int i = 0; i < 5; i++)
    work += here;
}

static void
body (int number)
{
  for (int k = 0; k < 30; k++) {
    down (k + number);
    yield ();
  }
  left--;
  while (left > 0)
    yield ();
}

int
main (void)
{
  for (int i = 0; i < COROUTINES; i++) {
    getcontext (&contexts[i]);
    contexts[i].uc_stack.ss_sp
      = i % 2 ? malloc (STACK)
              : mmap (NULL, STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    contexts[i].uc_stack.ss_size = STACK;
    contexts[i].uc_link = &back;
    makecontext (&contexts[i], (void (*) (void)) body, 1, i);
  }
  swapcontext (&back, &contexts[0]);
  printf ("%ld\n", work);
  return 0;
}

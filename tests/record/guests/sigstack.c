/* sigstack.c: handlers on a stack of their own: they return, signal again,
   jump out, and interrupt deep recursion.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static volatile long work;
static sigjmp_buf out;

__attribute__ ((noinline)) static void
touch (int n)
{
  for (int i = 0; i < n; i++)
    work += i;
}

__attribute__ ((noinline)) static void
down (int n)
{
  volatile int here = n;
  touch (2);
  if (n > 0)
    down (n - 1);
  else
    raise (here == 0 ? SIGUSR1 : SIGUSR2);
  work += here;
}

static void
returns (int sig, siginfo_t *info, void *context)
{
  touch (4);
  if (work % 3 == 0)
    raise (SIGUSR2);
}

static void
nested (int sig)
{
  touch (6);
}

static void
jumps (int sig)
{
  touch (4);
  siglongjmp (out, 1);
}

int
main (void)
{
  stack_t stack = {.ss_sp = malloc (65536), .ss_size = 65536};
  sigaltstack (&stack, NULL);
  struct sigaction a = {.sa_flags = SA_ONSTACK | SA_SIGINFO};
  a.sa_sigaction = returns;
  sigaction (SIGUSR1, &a, NULL);
  a.sa_flags = SA_ONSTACK;
  a.sa_handler = nested;
  sigaction (SIGUSR2, &a, NULL);
  a.sa_handler = jumps;
  sigaction (SIGSEGV, &a, NULL);
  char *none = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                     0);
  for (int k = 0; k < 200; k++) {
    down (k % 30);
    if (sigsetjmp (out, 1) == 0) {
      touch (3);
      none[k] = 1;
    }
    touch (5);
  }
  printf ("%ld\n", work);
  return 0;
}

/* stack-pointer.c: moves the stack pointer in all ways there are, and starts
   an event where it knows its value.  On stdout, one line for each: the
   thread (in the order of making) and the stack pointer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include "datagrind.h"
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__ ((noinline, noipa))

static char text[65536];
static int length;
static __thread int thread = 1;

#if defined(__x86_64__)
#  define GET_SP(x) __asm__ volatile ("mov %%rsp, %0" : "=r" (x))
#else
#  define GET_SP(x) __asm__ volatile ("mov %%esp, %0" : "=r" (x))
#endif

/* Where the stack pointer is the same as at the event: no calls between.  */
#define TELL()                                                          \
  do {                                                                  \
    unsigned long sp_;                                                  \
    GET_SP (sp_);                                                       \
    DATAGRIND_START_EVENT ("here");                                     \
    DATAGRIND_END_EVENT ("here");                                       \
    say (sp_);                                                          \
  } while (0)

APART static void
say (unsigned long sp)
{
  length += snprintf (text + length, sizeof text - (size_t) length,
                      "%d %lx\n", thread, sp);
}

APART static int
recurse (int n)
{
  char room[40];
  memset (room, n, sizeof room);
  int r = n > 1 ? recurse (n - 1) : 0;
  if (n % 4 == 1)
    TELL ();
  return r + room[3];
}

APART static int
by_size (int n)
{
  char *p = alloca (n);
  memset (p, 1, n);
  TELL ();
  return p[n - 1];
}

static jmp_buf out;

APART static void
jump (int n)
{
  if (n > 0)
    jump (n - 1);
  else
    longjmp (out, 1);
  TELL ();
}

static void
handler (int signal)
{
  (void) signal;
  TELL ();
}

static void *
work (void *number)
{
  thread = *(int *) number;
  TELL ();
  recurse (9);
  return NULL;
}

static ucontext_t back, there;

static void
coroutine (void)
{
  TELL ();
  swapcontext (&there, &back);
  TELL ();
}

static char away[65536], other[65536];

int
main (void)
{
  TELL ();
  recurse (20);
  for (int n = 1; n < 3000; n += 777)
    by_size (n);
  if (setjmp (out) == 0)
    jump (30);
  TELL ();

  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction (SIGUSR1, &action, NULL);
  raise (SIGUSR1);
  TELL ();
  stack_t stack;
  memset (&stack, 0, sizeof stack);
  stack.ss_sp = away;
  stack.ss_size = sizeof away;
  sigaltstack (&stack, NULL);
  action.sa_flags = SA_ONSTACK;
  sigaction (SIGUSR2, &action, NULL);
  raise (SIGUSR2);
  TELL ();

  for (int i = 2; i < 5; i++) {
    pthread_t t;
    pthread_create (&t, NULL, work, &i);
    pthread_join (t, NULL);
  }

  getcontext (&there);
  there.uc_stack.ss_sp = other;
  there.uc_stack.ss_size = sizeof other;
  there.uc_link = &back;
  makecontext (&there, coroutine, 0);
  swapcontext (&back, &there);
  TELL ();
  swapcontext (&back, &there);
  TELL ();
  if (write (1, text, (size_t) length) != length)
    return 1;

  length = 0;
  pid_t pid = fork ();
  if (pid == 0) {
    TELL ();
    _exit (write (2, text, (size_t) length) != length);
  }
  waitpid (pid, NULL, 0);
  return 0;
}

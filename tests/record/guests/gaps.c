/* gaps.c: what happens between windows, and where they begin: measured () is
   called once or a few times, in the place that the argument says, between
   long pieces of other work.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include "datagrind.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int table[256];
static char *block;
static sigjmp_buf out;

__attribute__ ((noinline)) void
work (long n)
{
  for (long i = 0; i < n; i++)
    table[i % 256] += i;
}

/* Allocates, so that the stack is in the log.  */
__attribute__ ((noinline)) void
measured (int n)
{
  free (block);
  block = malloc (n + 1);
  work (n);
}

__attribute__ ((noinline)) void
down (int n, void (*function) (int))
{
  volatile char here[40];
  here[n % 40] = n;
  if (n % 7 == 0)
    free (malloc (n));
  if (n == 0)
    function (100);
  else
    down (n - 1, function);
  here[0] = 0;
}

/* Recording begins in a frame of many, and ends in another one.  */
__attribute__ ((noinline)) void
request (int n)
{
  DATAGRIND_START_RECORDING;
  measured (n);
}

__attribute__ ((noinline)) void
leave (int n)
{
  measured (n);
  siglongjmp (out, 1);
}

static void
handler (int sig)
{
  free (malloc (sig));
  down (3, measured);
}

static void
handle (int on_stack)
{
  struct sigaction act = { .sa_handler = handler };
  stack_t stack = { .ss_sp = malloc (65536), .ss_size = 65536 };
  if (on_stack) {
    sigaltstack (&stack, NULL);
    act.sa_flags = SA_ONSTACK;
  }
  sigaction (SIGUSR1, &act, NULL);
  for (int i = 0; i < 3; i++) {
    work (300000);
    raise (SIGUSR1);
  }
}

/* The handler goes on behind the instruction that has faulted: time must count
   what the block has done before.  */
static volatile int *volatile bad;

static void
caught (int sig)
{
  siglongjmp (out, sig);
}

__attribute__ ((noinline)) void
fault (int n)
{
  table[1] = n;
  table[2] += n;
  *bad = n;
}

static void
faults (void)
{
  signal (SIGSEGV, caught);
  for (int i = 0; i < 10; i++)
    if (sigsetjmp (out, 1) == 0)
      down (i, fault);
}

/* The thread waits in frames of its own while recording begins and ends
   elsewhere.  Who goes on works for longer than a thread may run, so that the
   other one waits by then; the thread does so to the end.  */
static int ready[2], go[2];

__attribute__ ((noinline)) void
wait_here (int n)
{
  char c = n;
  write (ready[1], &c, 1);
  read (go[0], &c, 1);
  work (300000);
  measured (n);
}

static void *
run (void *argument)
{
  char c = 0;
  down (20, wait_here);
  down (3, measured);
  write (ready[1], &c, 1);
  read (go[0], &c, 1);
  return argument;
}

static void
threads (void)
{
  pthread_t thread;
  char c = 0;
  pipe (ready);
  pipe (go);
  pthread_create (&thread, NULL, run, NULL);
  read (ready[0], &c, 1);
  work (300000);
  down (5, measured);
  work (300000);
  write (go[1], &c, 1);
  read (ready[0], &c, 1);
}

static void
load (void)
{
  void *library = dlopen ("./gaps-library.so", RTLD_NOW);
  void (*function) (int) = (void (*) (int)) dlsym (library, "in_library");
  work (300000);
  down (4, function);
  dlclose (library);
}

static void
forks (void)
{
  pid_t pid = fork ();
  if (pid == 0) {
    work (300000);
    down (5, measured);
    _exit (3);
  }
  waitpid (pid, NULL, 0);
  down (6, measured);
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "";
  long n = argc > 2 ? atol (argv[2]) : 300000;
  block = malloc (77);
  down (30, measured);
  work (n);
  if (!strcmp (mode, "request")) {
    down (12, request);
    DATAGRIND_STOP_RECORDING;
  } else if (!strcmp (mode, "jump")) {
    for (int i = 0; i < 4; i++)
      if (sigsetjmp (out, 1) == 0)
        down (8, leave);
  } else if (!strncmp (mode, "handler", 7)) {
    handle (mode[7] != 0);
  } else if (!strcmp (mode, "faults")) {
    faults ();
  } else if (!strcmp (mode, "threads")) {
    threads ();
  } else if (!strcmp (mode, "load")) {
    load ();
  } else if (!strcmp (mode, "fork")) {
    forks ();
  } else if (!strcmp (mode, "exec")) {
    execl (argv[0], argv[0], "jump", (char *) NULL);
  }
  work (n);
  down (250, measured);
  down (10, measured);
  work (n);
  return 5;
}

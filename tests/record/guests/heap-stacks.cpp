/* heap-stacks.cpp: blocks allocated under recursion, in constructors, threads
   and signal handlers, after longjmp, and kept over a fork.  A block of
   1000 * what + n bytes is made where n frames of recurse () are on the stack.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLAIN = 1, HANDLER = 2, ALTERNATE = 3, THREAD = 4, JUMPED = 5,
       STATIC = 6 };

#define APART __attribute__ ((noinline, noipa))

static void *volatile kept[400];
static volatile int n_kept;
static volatile int depth;
static jmp_buf out;

APART static void
keep (int what)
{
  kept[n_kept++] = std::malloc ((size_t) (1000 * what + depth));
}

static void handler (int) { keep (HANDLER); }
static void alternate (int) { keep (ALTERNATE); }

/* n frames of itself, then f.  */
APART static int
recurse (int n, void (*f) ())
{
  int d = 0;
  depth++;
  if (n > 1)
    d = recurse (n - 1, f);
  else
    f ();
  depth--;
  return d + 1;
}

static void plain () { keep (PLAIN); }
static void raised () { std::raise (SIGUSR1); }
static void raised_away () { std::raise (SIGUSR2); }
static void in_thread () { keep (THREAD); }
static void jump () { std::longjmp (out, 1); }

APART static void *
work (void *)
{
  for (int n = 1; n < 40; n += 13)
    recurse (n, in_thread);
  return nullptr;
}

struct Early
{
  Early () { recurse (3, [] { keep (STATIC); }); }
};
static Early early;

/* A child's log repeats what lives.  */
APART static void
fork_child ()
{
  pid_t pid = fork ();
  if (pid == 0)
    _exit (0);
  waitpid (pid, nullptr, 0);
}

int
main ()
{
  for (int n = 1; n < 100; n += 14)
    recurse (n, plain);
  recurse (240, plain);
  recurse (300, plain);
  recurse (900, plain);

  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction (SIGUSR1, &action, nullptr);
  recurse (5, raised);

  static char away[65536];
  stack_t stack = {};
  stack.ss_sp = away;
  stack.ss_size = sizeof away;
  sigaltstack (&stack, nullptr);
  action.sa_handler = alternate;
  action.sa_flags = SA_ONSTACK;
  sigaction (SIGUSR2, &action, nullptr);
  recurse (7, raised_away);

  pthread_t thread;
  pthread_create (&thread, nullptr, work, nullptr);
  pthread_join (thread, nullptr);

  if (setjmp (out) == 0)
    recurse (50, jump);
  depth = 0;
  recurse (2, [] { keep (JUMPED); });

  fork_child ();
  while (n_kept > 0)
    std::free (kept[--n_kept]);
  return 0;
}

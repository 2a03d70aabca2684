/* interrupt.c: long commands that write files: their progress, and signals
   that end them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "interrupt.h"

#include <sys/signalfd.h>
#include <unistd.h>

/* Those that were not ignored before, as nohup has it.  */
static void
signals_to_take (sigset_t *set)
{
  static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

  sigemptyset (set);
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++) {
    struct sigaction action;

    if (sigaction (signals[i], NULL, &action) == 0
        && action.sa_handler != SIG_IGN)
      sigaddset (set, signals[i]);
  }
}

void
interrupt_begin (struct interrupt *interrupt, const char *what)
{
  sigset_t set;

  cli_progress_init (&interrupt->progress, what);
  interrupt->signal = 0;
  signals_to_take (&set);
  /* Blocked here and in all threads to come, they are read instead.  */
  sigprocmask (SIG_BLOCK, &set, &interrupt->before);
  interrupt->fd = signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (interrupt->fd < 0)
    sigprocmask (SIG_SETMASK, &interrupt->before, NULL);
}

int
interrupt_progress_fn (void *user, uint64_t done, uint64_t total)
{
  struct interrupt *interrupt = user;
  struct signalfd_siginfo info;

  if (interrupt->fd >= 0
      && read (interrupt->fd, &info, sizeof info) == sizeof info) {
    interrupt->signal = (int) info.ssi_signo;
    return 1;
  }
  return cli_progress_fn (&interrupt->progress, done, total);
}

void
interrupt_end (struct interrupt *interrupt)
{
  cli_progress_fini (&interrupt->progress);
  if (interrupt->signal != 0)
    raise (interrupt->signal);
  sigprocmask (SIG_SETMASK, &interrupt->before, NULL);
  if (interrupt->fd >= 0)
    close (interrupt->fd);
}

/* interrupt.c: long commands that write files: progress, and signals
   that end them.

   A thread takes the signals.  It notes the first one, and the command
   cancels when it asks, so that it can remove what is half done.  If it does
   not ask, whatever the reason is, the signal does what it always does.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* How long a command may take to ask.  */
#define GRACE_US (5 * G_USEC_PER_SEC)

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

/* As if nobody had taken it: of the whole program.  */
static void
end_by (int number)
{
  sigset_t set;

  signal (number, SIG_DFL);
  sigemptyset (&set);
  sigaddset (&set, number);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  raise (number);
}

/* How long the command may still take; negative: it has asked, and takes the
   time that it takes.  */
static gint64
grace_us (struct interrupt *interrupt)
{
  gint64 asked = __atomic_load_n (&interrupt->called_us, __ATOMIC_RELAXED);

  if (g_atomic_int_get (&interrupt->is_cancelled))
    return -1;
  return MAX (0, asked + GRACE_US - g_get_monotonic_time ());
}

static void
take (struct interrupt *interrupt)
{
  struct signalfd_siginfo info;

  if (read (interrupt->fd, &info, sizeof info) != sizeof info)
    return;
  if (!g_atomic_int_compare_and_exchange (&interrupt->signal, 0,
                                          (gint) info.ssi_signo))
    end_by ((int) info.ssi_signo);
}

static gpointer
watch (gpointer data)
{
  struct interrupt *interrupt = data;
  struct pollfd fds[] = {{.fd = interrupt->fd, .events = POLLIN},
                         {.fd = interrupt->end, .events = POLLIN}};

  for (;;) {
    int signal = g_atomic_int_get (&interrupt->signal), n;
    gint64 left = signal != 0 ? grace_us (interrupt) : -1;

    if (signal != 0 && left == 0)
      end_by (signal);
    n = poll (fds, G_N_ELEMENTS (fds),
              left < 0 ? -1 : (int) (left / 1000) + 1);
    if (n < 0 && errno != EINTR)
      break;
    if (n > 0 && fds[1].revents != 0)
      break;
    if (n > 0 && fds[0].revents != 0)
      take (interrupt);
  }
  return NULL;
}

/* Without the thread, signals end the program as ever.  */
static void
give_up (struct interrupt *interrupt)
{
  if (interrupt->fd >= 0)
    close (interrupt->fd);
  if (interrupt->end >= 0)
    close (interrupt->end);
  sigprocmask (SIG_SETMASK, &interrupt->before, NULL);
}

void
interrupt_begin (struct interrupt *interrupt, struct cli_progress *progress,
                 const char *phase, double work)
{
  sigset_t set;

  interrupt->progress = progress;
  if (phase != NULL)
    cli_progress_phase (progress, phase, work);
  interrupt->signal = interrupt->is_cancelled = 0;
  interrupt->called_us = g_get_monotonic_time ();
  interrupt->thread = NULL;
  signals_to_take (&set);
  /* Blocked here and in all threads to come, they are read instead.  */
  sigprocmask (SIG_BLOCK, &set, &interrupt->before);
  interrupt->fd = signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  interrupt->end = eventfd (0, EFD_CLOEXEC);
  if (interrupt->fd >= 0 && interrupt->end >= 0)
    interrupt->thread = g_thread_try_new ("signals", watch, interrupt, NULL);
  if (interrupt->thread == NULL)
    give_up (interrupt);
}

int
interrupt_progress_fn (void *user, uint64_t done, uint64_t total)
{
  struct interrupt *interrupt = user;

  __atomic_store_n (&interrupt->called_us, g_get_monotonic_time (),
                    __ATOMIC_RELAXED);
  if (g_atomic_int_get (&interrupt->signal) != 0) {
    g_atomic_int_set (&interrupt->is_cancelled, 1);
    return 1;
  }
  return cli_progress_fn (interrupt->progress, done, total);
}

void
interrupt_end (struct interrupt *interrupt)
{
  const uint64_t one = 1;

  cli_progress_hide (interrupt->progress);
  if (interrupt->thread == NULL)
    return;
  while (write (interrupt->end, &one, sizeof one) < 0 && errno == EINTR)
    ;
  g_thread_join (interrupt->thread);
  if (interrupt->signal != 0)
    raise (interrupt->signal);
  give_up (interrupt);
}

int
interrupt_finish (struct interrupt *interrupt, int code, const char *path,
                  const struct dg_error *error)
{
  interrupt_end (interrupt);
  return code < 0 ? cli_fail ("%s: %s", path, error->message) : CLI_OK;
}

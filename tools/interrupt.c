/* interrupt.c: long commands that write files: their progress, and signals
   that end them.

   A signal is noted, and the command cancels when it asks, so that it can
   remove what is half done.  If it does not ask, whatever the reason is, the
   signal does what it always does.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "interrupt.h"

#include <string.h>

/* How long a command may take to ask.  */
#define GRACE_NS ((int64_t) 5000000000)

static const int signals[INTERRUPT_SIGNALS] = {SIGHUP, SIGINT, SIGTERM};

/* What the handlers know; written by them and by one command.  */
static int came;         /* atomic; 0: none */
static int64_t asked;    /* atomic; when a command last did, ns */
static timer_t alarm_timer;

static int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
set_timer (timer_t timer, int64_t ns)
{
  const struct itimerspec when = {
    .it_value = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}};

  timer_settime (timer, 0, &when, NULL);
}

/* As if nobody had taken it; at the latest when the handler returns.  */
static void
end_by (int number)
{
  signal (number, SIG_DFL);
  raise (number);
}

static void
handle (int number)
{
  int64_t left = __atomic_load_n (&asked, __ATOMIC_RELAXED) + GRACE_NS
                 - now_ns ();
  int none = 0;

  if (left <= 0
      || !__atomic_compare_exchange_n (&came, &none, number, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    end_by (number);
  else
    set_timer (alarm_timer, left);
}

/* It did not ask.  */
static void
handle_alarm (int number)
{
  int signal = __atomic_load_n (&came, __ATOMIC_RELAXED);

  (void) number;
  if (signal != 0)
    end_by (signal);
}

/* Those that were not ignored before, as nohup has it.  */
static void
take_signals (struct interrupt *interrupt)
{
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

  sigemptyset (&action.sa_mask);
  for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
    struct sigaction *before = &interrupt->before[i];

    interrupt->is_taken[i] = sigaction (signals[i], NULL, before) == 0
                             && before->sa_handler != SIG_IGN
                             && sigaction (signals[i], &action, NULL) == 0;
  }
}

void
interrupt_begin (struct interrupt *interrupt, const char *what)
{
  struct sigaction action = {.sa_handler = handle_alarm,
                             .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGALRM};

  cli_progress_init (&interrupt->progress, what);
  memset (interrupt->is_taken, 0, sizeof interrupt->is_taken);
  __atomic_store_n (&came, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&asked, now_ns (), __ATOMIC_RELAXED);
  interrupt->has_timer =
    timer_create (CLOCK_MONOTONIC, &event, &interrupt->timer) == 0;
  /* Without one, signals end the program as ever.  */
  if (!interrupt->has_timer)
    return;
  alarm_timer = interrupt->timer;
  sigemptyset (&action.sa_mask);
  sigaction (SIGALRM, &action, &interrupt->before_alarm);
  take_signals (interrupt);
}

int
interrupt_progress_fn (void *user, uint64_t done, uint64_t total)
{
  struct interrupt *interrupt = user;

  __atomic_store_n (&asked, now_ns (), __ATOMIC_RELAXED);
  if (__atomic_load_n (&came, __ATOMIC_RELAXED) != 0) {
    /* What is left takes the time that it takes.  */
    set_timer (interrupt->timer, 0);
    return 1;
  }
  return cli_progress_fn (&interrupt->progress, done, total);
}

void
interrupt_end (struct interrupt *interrupt)
{
  int number;

  cli_progress_fini (&interrupt->progress);
  if (!interrupt->has_timer)
    return;
  timer_delete (interrupt->timer);
  for (size_t i = 0; i < INTERRUPT_SIGNALS; i++)
    if (interrupt->is_taken[i])
      sigaction (signals[i], &interrupt->before[i], NULL);
  sigaction (SIGALRM, &interrupt->before_alarm, NULL);
  number = __atomic_exchange_n (&came, 0, __ATOMIC_RELAXED);
  if (number != 0)
    raise (number);
}

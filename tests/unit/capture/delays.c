/* delays.c: threads that stop for a while anywhere.

   A signal arrives between any two instructions, so that no code needs to
   have places for it; its handler sleeps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "delays.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* One that nobody waits for, and that is ignored where it arrives late.  */
#define SIGNAL SIGURG

struct delays {
  GThread *thread;
  GRand *rand;
  unsigned max_us, n;
  bool must_end;                 /* atomic */
};

/* For how long the next one stops; written before the signal is sent, and
   a thread that reads a later value stops as well.  */
static unsigned next_us;

static void
on_signal (int number)
{
  unsigned us = __atomic_load_n (&next_us, __ATOMIC_RELAXED);
  struct timespec time = {0, us * 1000L};
  int saved = errno;
  nanosleep (&time, NULL);
  errno = saved;
}

/* The threads of this process, but for this one.  */
static GArray *
others (void)
{
  GArray *tids = g_array_new (FALSE, FALSE, sizeof (pid_t));
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  pid_t own = syscall (SYS_gettid);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    pid_t tid = g_ascii_strtoull (name, NULL, 10);
    if (tid != own)
      g_array_append_val (tids, tid);
  }
  g_clear_pointer (&dir, g_dir_close);
  return tids;
}

static gpointer
run (gpointer data)
{
  struct delays *delays = data;
  while (!__atomic_load_n (&delays->must_end, __ATOMIC_ACQUIRE)) {
    GArray *tids = others ();
    pid_t tid = tids->len > 0
                  ? g_array_index (tids, pid_t,
                                   g_rand_int_range (delays->rand, 0,
                                                     tids->len))
                  : 0;
    /* Most are short: many of them, and now and then a long one.  */
    unsigned us = 1 + g_rand_int_range (delays->rand, 0, delays->max_us);
    if (g_rand_int_range (delays->rand, 0, 8) != 0)
      us = 1 + us / 32;
    __atomic_store_n (&next_us, us, __ATOMIC_RELAXED);
    if (tid != 0 && syscall (SYS_tgkill, getpid (), tid, SIGNAL) == 0)
      delays->n++;
    g_array_unref (tids);
    g_usleep (g_rand_int_range (delays->rand, 0, 200));
  }
  return NULL;
}

struct delays *
delays_begin (uint64_t seed, unsigned max_us)
{
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct delays *delays = g_new0 (struct delays, 1);
  sigemptyset (&action.sa_mask);
  g_assert_cmpint (sigaction (SIGNAL, &action, NULL), ==, 0);
  delays->rand = g_rand_new_with_seed (seed);
  delays->max_us = max_us;
  delays->thread = g_thread_new ("delays", run, delays);
  return delays;
}

unsigned
delays_end (struct delays *delays)
{
  unsigned n;
  __atomic_store_n (&delays->must_end, true, __ATOMIC_RELEASE);
  g_thread_join (delays->thread);
  n = delays->n;
  g_rand_free (delays->rand);
  g_free (delays);
  return n;
}

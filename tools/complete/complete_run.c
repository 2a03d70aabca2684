/* complete_run.c: runs something in a child that may not take long: a log may
   be huge, damaged, or on a disk that does not answer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "complete_run.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the clock on the wall: other programs may have the processors.  Who would
   rather wait on a busy machine says so in the environment.  */
#define WALL_MS 1500

static gint64
wall_ms (void)
{
  const char *text = g_getenv ("DATAGRIND_COMPLETE_MS");
  guint64 ms;

  return text != NULL
             && g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &ms, NULL)
           ? (gint64) ms : WALL_MS;
}
/* More than this is not meant for people.  */
#define SIZE_MAX_OUTPUT (1u << 20)

static void G_GNUC_NORETURN
run_child (void (*work) (void *), void *user, unsigned cpu_ms, int fd)
{
  const struct itimerval limit = {
    .it_value = {.tv_sec = cpu_ms / 1000, .tv_usec = cpu_ms % 1000 * 1000}};
  int nothing = open ("/dev/null", O_RDWR);

  /* Their default is the end of the child.  */
  signal (SIGPROF, SIG_DFL);
  signal (SIGPIPE, SIG_DFL);
  setitimer (ITIMER_PROF, &limit, NULL);
  if (nothing >= 0) {
    dup2 (nothing, STDIN_FILENO);
    dup2 (nothing, STDERR_FILENO);
  }
  if (dup2 (fd, STDOUT_FILENO) < 0)
    _exit (1);
  close (fd);
  work (user);
  fflush (stdout);
  _exit (0);
}

/* All that comes until the end of the file, or the limit.  False: it was cut
   off.  */
static bool
read_all (int fd, GString *text)
{
  gint64 end = g_get_monotonic_time () + wall_ms () * 1000;
  char buffer[4096];

  for (;;) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    gint64 left = (end - g_get_monotonic_time ()) / 1000;
    ssize_t n;

    if (left <= 0 || text->len > SIZE_MAX_OUTPUT)
      return false;
    if (poll (&wait, 1, (int) left) <= 0)
      continue;
    n = read (fd, buffer, sizeof buffer);
    if (n == 0)
      return true;
    if (n > 0)
      g_string_append_len (text, buffer, n);
    else if (errno != EINTR)
      return false;
  }
}

char *
complete_run (void (*work) (void *user), void *user, unsigned cpu_ms)
{
  GString *text = g_string_new (NULL);
  int fds[2], status = 0;
  bool is_whole;
  pid_t child;

  if (pipe (fds) < 0)
    return g_string_free (text, FALSE);
  child = fork ();
  if (child == 0) {
    close (fds[0]);
    run_child (work, user, cpu_ms, fds[1]);
  }
  close (fds[1]);
  is_whole = child > 0 && read_all (fds[0], text);
  close (fds[0]);
  if (child > 0) {
    kill (child, SIGKILL);
    /* One that waits for a dead disk cannot be killed.  */
    if (waitpid (child, &status, is_whole ? 0 : WNOHANG) != child)
      is_whole = false;
  }
  if (!is_whole)
    g_string_truncate (text, 0);
  return g_string_free (text, FALSE);
}

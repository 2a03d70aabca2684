/* follow.c: --follow: a command again and again, while its log is recorded.

   What was appended to the log is read into memory.  Each time, a child
   process, which has all of that, runs the command as far as the log goes;
   what the command writes is collected, so that it is shown at once.  Warnings
   about a part of a run would be wrong at its end: there are none before that.

   On a terminal, the child has one as well, of the same size, so that the
   output fits and has colours.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "follow.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_US G_USEC_PER_SEC

struct state {
  const struct follow *follow;
  struct cli_log log;      /* the newest; is not opened by cli_log_open */
  bool is_terminal;
  bool has_shown;          /* figures */
  unsigned lines;          /* of these that are on the terminal */
  int signals;             /* signalfd of SIGINT; < 0: SIGINT ends dg */
  sigset_t before;
  bool is_stopped;         /* by SIGINT */
  bool has_failed;         /* standard output takes no more */
};

/* ---- Signals ------------------------------------------------------------ */

static void
begin_signals (struct state *state)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigprocmask (SIG_BLOCK, &set, &state->before);
  state->signals = signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (state->signals < 0)
    sigprocmask (SIG_SETMASK, &state->before, NULL);
}

/* The next one ends dg.  */
static void
end_signals (struct state *state)
{
  if (state->signals >= 0)
    close (state->signals);
  state->signals = -1;
  sigprocmask (SIG_SETMASK, &state->before, NULL);
}

/* Waits for data, if fd >= 0, for a signal, or until a moment; negative:
   without end.  Whether there is data.  */
static bool
wait_for (struct state *state, int fd, gint64 until_us)
{
  struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
                         {.fd = state->signals, .events = POLLIN}};
  gint64 left = until_us - g_get_monotonic_time ();
  struct signalfd_siginfo info;
  int n = poll (fds, G_N_ELEMENTS (fds),
                until_us < 0 ? -1 : (int) (MAX (left, 0) / 1000));

  if (n > 0 && fds[1].revents != 0
      && read (state->signals, &info, sizeof info) == sizeof info) {
    state->is_stopped = true;
    end_signals (state);
  }
  return n > 0 && fds[0].revents != 0;
}

/* ---- A child ------------------------------------------------------------ */

/* Where its output comes from and goes to; on a terminal without another one,
   through a pipe.  */
static bool
open_ends (const struct state *state, int *from, int *to)
{
  int pipes[2];

  if (state->is_terminal && terminal_pair (from, to))
    return true;
  if (pipe2 (pipes, O_CLOEXEC) < 0)
    return false;
  *from = pipes[0];
  *to = pipes[1];
  return true;
}

/* is_last: with all of the log, and messages.  */
static void G_GNUC_NORETURN
run_child (struct state *state, int to, bool is_last)
{
  const struct follow *follow = state->follow;
  int nowhere = is_last ? -1 : open ("/dev/null", O_WRONLY | O_CLOEXEC);

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  /* Ctrl-C is for the parent, which shows what this one finds.  */
  if (!is_last)
    signal (SIGINT, SIG_IGN);
  sigprocmask (SIG_SETMASK, &state->before, NULL);
  if (dup2 (to, STDOUT_FILENO) < 0
      || (!is_last && dup2 (nowhere, STDERR_FILENO) < 0))
    _exit (CLI_FAILURE);
  _exit (follow->run (follow->user, is_last ? NULL : &state->log));
}

static void
collect (struct state *state, int from, GString *text)
{
  char buffer[16384];
  ssize_t n = 1;

  while (n > 0) {
    if (!wait_for (state, from, -1))
      continue;
    /* A terminal whose other end is closed is an error.  */
    do
      n = read (from, buffer, sizeof buffer);
    while (n < 0 && errno == EINTR);
    if (n > 0)
      g_string_append_len (text, buffer, n);
  }
}

/* The exit status of the command, and what it wrote.  */
static int
run_once (struct state *state, bool is_last, GString *text)
{
  int from, to, status;
  pid_t child;

  if (!open_ends (state, &from, &to))
    return cli_fail ("%s: %s", state->follow->path, g_strerror (errno));
  child = fork ();
  if (child == 0) {
    close (from);
    run_child (state, to, is_last);
  }
  close (to);
  if (child > 0)
    collect (state, from, text);
  close (from);
  if (child < 0)
    return cli_fail ("%s: %s", state->follow->path, g_strerror (errno));
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED (status) ? WEXITSTATUS (status)
                            : cli_fail ("%s: the process that analyses ended "
                                        "by signal %d", state->follow->path,
                                        WTERMSIG (status));
}

/* ---- Showing ------------------------------------------------------------ */

char *
follow_first_lines (const char *text, unsigned most, unsigned *n)
{
  const char *end = text, *next;

  for (*n = 0; *n < most && (next = strchr (end, '\n')) != NULL; ++*n)
    end = next + 1;
  return g_strndup (text, (size_t) (end - text));
}

/* Within a text of JSON, there are no line ends.  */
char *
follow_one_line (const char *json)
{
  GString *line = g_string_new (NULL);

  while (*json != '\0') {
    size_t n = strcspn (json, "\n");

    g_string_append_len (line, json, (gssize) n);
    json += n;
    if (*json == '\n') {
      json += strspn (json, "\n ");
      g_string_append_c (line, *json != '\0' ? ' ' : '\n');
    }
  }
  return g_string_free (line, FALSE);
}

static bool
write_all (const char *text)
{
  size_t n = strlen (text);

  while (n > 0) {
    ssize_t written = write (STDOUT_FILENO, text, n);

    if (written < 0 && errno != EINTR)
      return false;
    text += MAX (written, 0);
    n -= (size_t) MAX (written, 0);
  }
  return true;
}

/* On a terminal: in the place of the figures before, and no more than its
   lines, without the last one, where the cursor is.  */
static char *
in_place (struct state *state, const char *text, bool is_last)
{
  GString *out = g_string_new (NULL);
  unsigned before = state->lines;
  char *shown = is_last ? g_strdup (text)
                        : follow_first_lines (text, terminal_height () - 1,
                                              &state->lines);

  if (before > 0)
    g_string_append_printf (out, "\033[%uA\r\033[J", before);
  /* Lines that are too wide are cut, not wrapped.  */
  g_string_append_printf (out, is_last ? "%s" : "\033[?7l%s\033[0m\033[?7h",
                          shown);
  g_free (shown);
  return g_string_free (out, FALSE);
}

/* False: there is nobody to see it.  */
static bool
show (struct state *state, const char *text, bool is_last)
{
  char *out;
  bool is_good = true;

  if (state->follow->as_json)
    out = follow_one_line (text);
  else if (state->is_terminal)
    out = in_place (state, text, is_last);
  else
    out = g_strconcat (state->has_shown ? "\n" : "", text, NULL);
  is_good = write_all (out);
  if (!is_good && errno != EPIPE)
    cli_fail ("standard output: %s", dg_output_error (errno));
  state->has_shown = true;
  state->has_failed = !is_good;
  g_free (out);
  return is_good;
}

/* Runs the command and shows what it says: its exit status.  If it fails
   though the log goes on, the last run says why.  */
static int
step (struct state *state, bool is_last)
{
  GString *text = g_string_new (NULL);
  int status = run_once (state, is_last, text);

  if (text->len > 0 && (is_last || status == CLI_OK)
      && !show (state, text->str, is_last))
    status = CLI_FAILURE;
  g_string_free (text, TRUE);
  return status;
}

/* ---- The log ------------------------------------------------------------ */

static bool
open_log (struct state *state)
{
  struct cli_log *log = &state->log;
  int code;

  log->path = state->follow->path;
  if (dg_log_open (log->path, &log->log, &log->error) < 0) {
    cli_fail ("%s: %s", log->path, log->error.message);
    return false;
  }
  cli_progress_init (&log->own, log->path);
  cli_progress_phase (&log->own, "opening", 1);
  dg_log_set_blocks (log->log, state->follow->blocks, NULL);
  code = dg_log_load_growing (log->log, (unsigned) state->follow->jobs,
                              cli_progress_fn, &log->own, &log->error);
  cli_progress_fini (&log->own);
  if (code == 0 || code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED)
    return true;
  cli_fail ("%s: %s", log->path, log->error.message);
  dg_log_close (log->log);
  return false;
}

/* Whether nothing will be appended any more.  */
static bool
has_ended (const struct state *state)
{
  return !dg_log_can_grow (state->log.log)
         || dg_log_writer (state->log.log) == DG_WRITER_NONE;
}

/* 1: there is more, 0, or < 0 after a message.  */
static int
grow (struct state *state)
{
  struct dg_log *grown;
  struct dg_error flaw = {0}, error;
  int code = dg_log_grow (state->log.log, (unsigned) state->follow->jobs, NULL,
                          NULL, &grown, &flaw, &error);

  if (code < 0)
    cli_fail ("%s: %s", state->follow->path, error.message);
  if (code <= 0)
    return code;
  dg_log_close (state->log.log);
  state->log.log = grown;
  state->log.error = flaw;
  return 1;
}

/* ---- The whole ---------------------------------------------------------- */

gint64
follow_next (gint64 began_us, gint64 ended_us)
{
  return began_us + MAX (STEP_US, 2 * (ended_us - began_us));
}

/* Until the recording has ended, or the user has seen enough: 1, 0, or an exit
   status below 0.  */
static int
follow_steps (struct state *state)
{
  bool is_new = true;

  while (!has_ended (state)) {
    gint64 began = g_get_monotonic_time (), next;
    bool was_stopped = state->is_stopped;
    int code = 0;

    state->log.is_growing = true;
    if (is_new && step (state, false) != CLI_OK)
      return state->has_failed ? -CLI_FAILURE : 1;
    if (was_stopped || (state->is_stopped && is_new))
      return 0;
    next = follow_next (began, g_get_monotonic_time ());
    while (!state->is_stopped && g_get_monotonic_time () < next)
      wait_for (state, -1, next);
    code = grow (state);
    if (code < 0)
      return -CLI_FAILURE;
    is_new = code > 0;
  }
  return 1;
}

int
follow_run (const struct follow *follow)
{
  struct state state = {.follow = follow,
                        .is_terminal = isatty (STDOUT_FILENO),
                        .signals = -1};
  int status;

  if (!open_log (&state))
    return CLI_FAILURE;
  begin_signals (&state);
  status = follow_steps (&state);
  end_signals (&state);
  dg_log_close (state.log.log);
  return status > 0 ? step (&state, true) : -status;
}

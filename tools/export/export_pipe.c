/* export_pipe.c: a file that is compressed on its way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_pipe.h"

#include "base/cli.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* It gets signals as it would from a shell.  */
static void
restore_signals (gpointer unused)
{
  sigset_t none;

  (void) unused;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGPIPE, SIG_DFL);
  signal (SIGXFSZ, SIG_DFL);
}

struct program {
  const char *suffix, *name, *options;
};

/* The program that compresses a file with this suffix; the last entry: none,
   the file is not compressed.  */
static const struct program *
program_of (const char *path)
{
  static const struct program programs[] = {
    {".gz", "gzip", "-cq"},
    /* By default, xz takes twenty times as long.  */
    {".xz", "xz", "-cq1"},
    {".zst", "zstd", "-cq"},
    {NULL, NULL, NULL}};
  const struct program *program = programs;

  while (program->name != NULL
         && (path == NULL || !g_str_has_suffix (path, program->suffix)))
    program++;
  return program;
}

int
export_pipe_begin (struct export_pipe *pipe, struct output *out)
{
  const struct program *program = program_of (out->path);
  char *argv[] = {(char *) program->name, (char *) program->options, NULL};
  GError *error = NULL;
  int ends[2], status = CLI_OK;

  *pipe = (struct export_pipe) {
    .program = program->name, .suffix = program->suffix, .fd = out->fd};
  if (pipe->program == NULL)
    return CLI_OK;
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, &error)) {
    status = cli_fail ("%s", error->message);
    g_error_free (error);
    pipe->program = NULL;
    return status;
  }
  if (g_spawn_async_with_fds (NULL, argv, NULL,
                              G_SPAWN_SEARCH_PATH
                                | G_SPAWN_DO_NOT_REAP_CHILD,
                              restore_signals, NULL, &pipe->pid, ends[0],
                              out->fd, STDERR_FILENO, &error)) {
    out->fd = ends[1];
  } else {
    status = cli_fail ("%s: %s", out->path, error->message);
    g_error_free (error);
    close (ends[1]);
    pipe->program = NULL;
  }
  close (ends[0]);
  return status;
}

int
export_pipe_end (struct export_pipe *pipe, struct output *out, int status)
{
  int ended = 0;

  if (pipe->program == NULL)
    return status;
  output_flush (out);
  close (out->fd);
  out->fd = pipe->fd;
  while (waitpid (pipe->pid, &ended, 0) < 0 && errno == EINTR)
    continue;
  /* Where it could not write, we could not, either: it has said why.  */
  if (!WIFEXITED (ended) || WEXITSTATUS (ended) != 0) {
    out->error = 0;
    if (status == CLI_OK)
      status = cli_fail ("%s: %s has failed", out->path, pipe->program);
  }
  pipe->program = NULL;
  return status;
}

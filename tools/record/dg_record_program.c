/* dg_record_program.c: the program that `dg record` runs: how it is started,
   which signals are its, and how it ended.

   It runs in our process group and on our terminal, so that job control and
   keys reach both; those that are meant to end a program end it and not us,
   because the archive is not finished yet.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Which Valgrind --------------------------------------------------- */

/* The Valgrind of our own that is installed beside us, if the machine's could
   not take the tool; to be freed.  */
static char *
private_valgrind (void)
{
  char *self = g_file_read_link ("/proc/self/exe", NULL);
  char *folder = self != NULL ? g_path_get_dirname (self) : NULL;
  char *path = folder != NULL
                 ? g_build_filename (folder, "valgrind-datagrind", NULL)
                 : NULL;

  g_free (folder);
  g_free (self);
  if (path != NULL && access (path, X_OK) == 0)
    return path;
  g_free (path);
  return NULL;
}

static bool
add_valgrind (GPtrArray *command, const struct record_options *options)
{
  const char *text = options->valgrind;
  GError *error = NULL;
  char **words, *path;

  if (text == NULL)
    text = g_getenv ("DATAGRIND_VALGRIND");
  if (text != NULL && text[0] != '\0') {
    if (!g_shell_parse_argv (text, NULL, &words, &error)) {
      cli_fail ("record: '%s' is not a command: %s", text, error->message);
      g_error_free (error);
      return false;
    }
    for (size_t i = 0; words[i] != NULL; i++)
      g_ptr_array_add (command, words[i]);
    g_free (words);
    return true;
  }
  path = private_valgrind ();
  g_ptr_array_add (command, path != NULL ? path : g_strdup ("valgrind"));
  return true;
}

GPtrArray *
record_command (const struct record_options *options, const char *directory,
                int raw_failed)
{
  GPtrArray *command = g_ptr_array_new_with_free_func (g_free);
  const char *first;
  char *path;

  if (!add_valgrind (command, options)) {
    g_ptr_array_unref (command);
    return NULL;
  }
  first = command->pdata[0];
  path = g_find_program_in_path (first);
  if (path != NULL) {
    g_free (command->pdata[0]);
    command->pdata[0] = path;
  }
  g_ptr_array_add (command, g_strdup ("-q"));
  g_ptr_array_add (command, g_strdup ("--tool=exp-datagrind"));
  if (directory != NULL)
    g_ptr_array_add (command,
                     g_strdup_printf ("--datagrind-ring=%s", directory));
  else if (options->output != NULL)
    g_ptr_array_add (
      command, g_strdup_printf ("--datagrind-out-file=%s", options->output));
  if (raw_failed >= 0)
    g_ptr_array_add (
      command, g_strdup_printf ("--datagrind-raw-failed=/proc/%d/fd/%d",
                                (int) getpid (), raw_failed));
  if (options->only != NULL) {
    g_ptr_array_add (command, g_strdup ("--trace-children=yes"));
    g_ptr_array_add (
      command, g_strdup_printf ("--datagrind-only=%s", options->only));
  }
  if (options->values)
    g_ptr_array_add (command, g_strdup ("--datagrind-values=yes"));
  for (guint i = 0; i < options->passed->len; i++)
    g_ptr_array_add (command, g_strdup (options->passed->pdata[i]));
  g_ptr_array_add (command, g_strdup ("--"));
  for (size_t i = 0; options->program[i] != NULL; i++)
    g_ptr_array_add (command, g_strdup (options->program[i]));
  g_ptr_array_add (command, NULL);
  return command;
}

/* ---- Signals ---------------------------------------------------------- */

/* Those that we take: all by which users and systems end programs.  */
static const int taken[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,
                            SIGUSR1, SIGUSR2, SIGCHLD};

bool
record_program_init (struct record_program *program)
{
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  struct rlimit *files = &program->old_files;
  struct sigaction old;
  sigset_t mask;

  program->pid = -1;
  sigemptyset (&mask);
  /* Those that are ignored, as by nohup, stay so.  */
  for (size_t i = 0; i < G_N_ELEMENTS (taken); i++)
    if (taken[i] == SIGCHLD
        || (sigaction (taken[i], NULL, &old) == 0
            && old.sa_handler != SIG_IGN))
      sigaddset (&mask, taken[i]);
  /* Each process that is recorded takes two descriptors.  */
  if (getrlimit (RLIMIT_NOFILE, files) == 0) {
    const struct rlimit most = {files->rlim_max, files->rlim_max};

    setrlimit (RLIMIT_NOFILE, &most);
  }
  sigprocmask (SIG_BLOCK, &mask, &program->old_mask);
  /* Errors of writing are for us to see; a child is waited for.  */
  sigaction (SIGPIPE, &ignore, &program->old_pipe);
  sigaction (SIGXFSZ, &ignore, &program->old_size);
  sigaction (SIGCHLD, &standard, &program->old_child);
  program->signals = signalfd (-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (program->signals >= 0)
    return true;
  cli_fail ("record: cannot wait for signals: %s", g_strerror (errno));
  return false;
}

/* As we were started.  Async-signal-safe.  */
static void
restore (const struct record_program *program)
{
  sigaction (SIGPIPE, &program->old_pipe, NULL);
  sigaction (SIGXFSZ, &program->old_size, NULL);
  sigaction (SIGCHLD, &program->old_child, NULL);
  sigprocmask (SIG_SETMASK, &program->old_mask, NULL);
  setrlimit (RLIMIT_NOFILE, &program->old_files);
}

int
record_program_signal (struct record_program *program, bool runs)
{
  struct signalfd_siginfo info;
  int number;

  if (read (program->signals, &info, sizeof info) != sizeof info)
    return 0;
  number = (int) info.ssi_signo;
  /* What the kernel sends, as for a key or a terminal that is gone, goes to
     the whole group.  */
  if (number != SIGCHLD && runs && info.ssi_code != SI_KERNEL)
    kill (program->pid, number);
  return number;
}

/* ---- Starting --------------------------------------------------------- */

static int
cannot_run (const char *name, int error)
{
  cli_fail ("record: cannot run %s: %s", name, g_strerror (error));
  if (error == ENOENT)
    cli_fail ("record: no Valgrind with exp-datagrind found; set --valgrind "
              "or $DATAGRIND_VALGRIND");
  return error == ENOENT ? RECORD_NOT_FOUND : RECORD_CANNOT_RUN;
}

int
record_program_start (struct record_program *program, GPtrArray *command)
{
  int pipe_fds[2], error = 0;
  ssize_t n;

  if (pipe2 (pipe_fds, O_CLOEXEC) < 0) {
    cli_fail ("record: cannot create a pipe: %s", g_strerror (errno));
    return RECORD_FAILED;
  }
  program->pid = fork ();
  if (program->pid == 0) {
    restore (program);
    execv (command->pdata[0], (char **) command->pdata);
    error = errno;
    n = write (pipe_fds[1], &error, sizeof error);
    _exit (RECORD_NOT_FOUND);
  }
  error = errno;
  close (pipe_fds[1]);
  if (program->pid < 0) {
    close (pipe_fds[0]);
    cli_fail ("record: cannot fork: %s", g_strerror (error));
    return RECORD_FAILED;
  }
  do
    n = read (pipe_fds[0], &error, sizeof error);
  while (n < 0 && errno == EINTR);
  close (pipe_fds[0]);
  if (n != (ssize_t) sizeof error)
    return 0;
  waitpid (program->pid, NULL, 0);
  program->pid = -1;
  return cannot_run (command->pdata[0], error);
}

/* ---- Its end ---------------------------------------------------------- */

bool
record_program_ended (struct record_program *program, int *status)
{
  return waitpid (program->pid, status, WNOHANG) == program->pid;
}

/* Dies of the same signal, without a core of its own.  */
static void
die_of (int number)
{
  const struct rlimit none = {0, 0};
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t mask;

  setrlimit (RLIMIT_CORE, &none);
  sigaction (number, &standard, NULL);
  sigemptyset (&mask);
  sigaddset (&mask, number);
  sigprocmask (SIG_UNBLOCK, &mask, NULL);
  raise (number);
}

int
record_program_end_like (struct record_program *program, int status)
{
  close (program->signals);
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  die_of (WTERMSIG (status));
  return 128 + WTERMSIG (status);
}

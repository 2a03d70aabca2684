/* symbols_probe.c: lets another process read first what libdw is to read here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/installed.h"
#include "symbols_private.h"

#define FIRST_FD 3
/* Out of the way of those that the program gets.  */
#define OUT_OF_THE_WAY 64
#define MOST_FILES 32

#define CPU_SECONDS 10
#define CPU_SECONDS_PER_100MB 5
/* The machine may have other things to do.  */
#define WALL_TIMES 30
#define SPACE_BYTES ((uint64_t) 256 << 20)
#define SPACE_TIMES 8

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SHADOW 1     /* more address space than any limit, and files */
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) \
  || __has_feature(memory_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

/* To be freed.  */
static char *
program (void)
{
  const char *given = g_getenv ("DATAGRIND_PROBE");

  return given != NULL && given[0] != '\0' ? g_strdup (given)
                                           : dg_installed (DG_PROBE);
}

/* Who looks for damage that libdw does not bear wants none.  */
static bool
is_wanted (void)
{
  char *path = program ();
  bool is = strcmp (path, "no") != 0;

  g_free (path);
  return is;
}

/* ---- One process -------------------------------------------------------- */

/* Nothing of what the user has set, but where libraries are.  */
static char **
environment (void)
{
  static const char *const kept[] = {"LD_LIBRARY_PATH", "ASAN_OPTIONS",
                                     "UBSAN_OPTIONS", "TSAN_OPTIONS"};
  char **all = g_new0 (char *, G_N_ELEMENTS (kept) + 1);
  size_t n = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++)
    if (g_getenv (kept[i]) != NULL)
      all[n++] = g_strconcat (kept[i], "=", g_getenv (kept[i]), NULL);
  return all;
}

static void
limit (pid_t pid, const struct dg_symbols_probe_limits *limits)
{
  const struct rlimit none = {0, 0};
  const struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds + 1};
  const struct rlimit space = {limits->bytes, limits->bytes};

  prlimit (pid, RLIMIT_CORE, &none, NULL);
  prlimit (pid, RLIMIT_CPU, &cpu, NULL);
  if (HAS_SHADOW)
    return;
  prlimit (pid, RLIMIT_FSIZE, &none, NULL);
  prlimit (pid, RLIMIT_AS, &space, NULL);
}

/* Descriptors of this process as those of the other; 0, or an error.  */
static int
give (posix_spawn_file_actions_t *actions, const int *fds, size_t n, int out)
{
  int code =
    posix_spawn_file_actions_addopen (actions, 0, "/dev/null", O_RDWR, 0);

  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (actions, out, 1);
  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (actions, 0, 2);
  for (size_t i = 0; i < n && code == 0; i++)
    code = posix_spawn_file_actions_adddup2 (actions, fds[i],
                                             FIRST_FD + (int) i);
  return code;
}

/* Whatever the threads here have blocked or ignored.  */
static int
set_signals (posix_spawnattr_t *attributes)
{
  sigset_t all, none;
  int code;

  sigfillset (&all);
  sigemptyset (&none);
  code = posix_spawnattr_setsigdefault (attributes, &all);
  if (code == 0)
    code = posix_spawnattr_setsigmask (attributes, &none);
  return code != 0 ? code
                   : posix_spawnattr_setflags (attributes,
                                               POSIX_SPAWN_SETSIGDEF
                                                 | POSIX_SPAWN_SETSIGMASK);
}

/* 0, or an error.  */
static int
spawn (const char *path, const char *letters, const int *fds, size_t n,
       int out, pid_t *pid)
{
  char *const argv[] = {(char *) path, (char *) letters, NULL};
  char **env = environment ();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code;

  posix_spawn_file_actions_init (&actions);
  posix_spawnattr_init (&attributes);
  code = give (&actions, fds, n, out);
  if (code == 0)
    code = set_signals (&attributes);
  if (code == 0)
    code = posix_spawn (pid, path, &actions, &attributes, argv, env);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  g_strfreev (env);
  return code;
}

/* How many bytes come until the end of the pipe; false: it takes too long.  */
static bool
count_bytes (int fd, unsigned seconds, size_t *n)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;

  for (;;) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    gint64 left = (end - g_get_monotonic_time ()) / 1000;
    char bytes[MOST_FILES];
    ssize_t got;

    if (left <= 0)
      return false;
    if (poll (&wait, 1, (int) MIN (left, 60000)) <= 0)
      continue;
    got = read (fd, bytes, sizeof bytes);
    if (got == 0)
      return true;
    if (got > 0)
      *n += (size_t) got;
    else if (errno != EINTR)
      return true;
  }
}

/* status: of its end, if it is known.  */
static char *
reason (bool is_known, int status, bool is_late)
{
  if (is_late || (is_known && WIFSIGNALED (status)
                  && (WTERMSIG (status) == SIGXCPU)))
    return g_strdup ("dg-probe, which reads it first, took too long");
  if (is_known && WIFSIGNALED (status))
    return g_strdup_printf ("dg-probe, which reads it first, got signal %d",
                            WTERMSIG (status));
  return g_strdup ("dg-probe, which reads it first, failed");
}

/* Until it ends; *n: files that it has read.  */
static char *
wait_for (pid_t pid, int fd, unsigned seconds, size_t wanted, size_t *n)
{
  bool is_late = !count_bytes (fd, seconds, n);
  int status = 0;
  pid_t ended;

  if (is_late)
    kill (pid, SIGKILL);
  /* Somebody here may wait for all children, and then it is gone.  */
  do
    ended = waitpid (pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  return *n == wanted && !is_late ? NULL
                                  : reason (ended == pid, status, is_late);
}

static size_t
count_wanted (const char *letters)
{
  size_t n = 0;

  for (; *letters != '\0'; letters++)
    n += *letters == 'm' || *letters == 'c' || *letters == 'u';
  return n;
}

size_t
dg_symbols_probe_run (const char *path, const char *letters, const int *fds,
                      const struct dg_symbols_probe_limits *limits,
                      char **why)
{
  size_t n_fds = strlen (letters), n = 0, n_moved = 0;
  int moved[MOST_FILES], ends[2], out = -1, code = 0;
  pid_t pid;

  *why = NULL;
  if (pipe2 (ends, O_CLOEXEC) < 0) {
    *why = g_strdup (g_strerror (errno));
    return 0;
  }
  out = fcntl (ends[1], F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
  for (; n_moved < n_fds && out >= 0; n_moved++) {
    moved[n_moved] = fcntl (fds[n_moved], F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    if (moved[n_moved] < 0)
      break;
  }
  if (n_moved < n_fds)
    code = errno;
  if (code == 0)
    code = spawn (path, letters, moved, n_fds, out, &pid);
  while (n_moved > 0)
    close (moved[--n_moved]);
  if (out >= 0)
    close (out);
  close (ends[1]);
  if (code == 0) {
    limit (pid, limits);
    *why = wait_for (pid, ends[0], limits->wall_seconds,
                     count_wanted (letters), &n);
  } else {
    *why = g_strdup_printf ("%s cannot be started: %s", path,
                            g_strerror (code));
  }
  close (ends[0]);
  return n;
}

/* ---- Files ------------------------------------------------------------ */

static void
limits_for (const int *fds, size_t n, struct dg_symbols_probe_limits *limits)
{
  uint64_t bytes = 0;
  struct stat status;

  for (size_t i = 0; i < n; i++)
    if (fstat (fds[i], &status) == 0)
      bytes += (uint64_t) status.st_size;
  limits->cpu_seconds =
    CPU_SECONDS
    + (unsigned) (bytes / (100 << 20)) * CPU_SECONDS_PER_100MB;
  limits->wall_seconds = limits->cpu_seconds * WALL_TIMES;
  limits->bytes = SPACE_BYTES + bytes * SPACE_TIMES;
}

static size_t
run (const char *letters, const int *fds,
     const struct dg_symbols_probe_limits *limits, char **why)
{
  char *path = program ();
  size_t n = dg_symbols_probe_run (path, letters, fds, limits, why);

  g_free (path);
  return n;
}

/* NULL, or why not.  */
static char *
try_one (const char *letters, const int *fds)
{
  struct dg_symbols_probe_limits limits;
  char *why;

  limits_for (fds, strlen (letters), &limits);
  run (letters, fds, &limits, &why);
  return why;
}

bool
dg_symbols_probe_is_needed (int module, int debug, int shared)
{
  return is_wanted ()
         && (dg_symbols_is_sealed (module) || dg_symbols_is_sealed (debug)
             || dg_symbols_is_sealed (shared));
}

char *
dg_symbols_probe_module (int module, int debug, int shared, bool is_whole)
{
  char letters[4] = "";
  int fds[3];
  size_t n = 0;

  fds[n] = module;
  letters[n++] = is_whole ? 'm' : 'c';
  if (debug >= 0) {
    fds[n] = debug;
    letters[n++] = 'd';
  }
  if (shared >= 0) {
    fds[n] = shared;
    letters[n++] = 's';
  }
  return dg_symbols_probe_is_needed (module, debug, shared)
           ? try_one (letters, fds)
           : NULL;
}

/* Closes those that cannot be read.  */
static void
try_units (int *fds, size_t n, char **why)
{
  char letters[MOST_FILES + 1] = "";
  struct dg_symbols_probe_limits limits;
  size_t good;

  while (n > 0) {
    char *problem;

    memset (letters, 'u', n);
    letters[n] = '\0';
    limits_for (fds, n, &limits);
    good = run (letters, fds, &limits, &problem);
    good = MIN (good, n);
    if (problem == NULL)
      return;
    g_free (*why);
    *why = problem;
    fds += good;
    n -= good;
    if (n == 0)
      return;
    close (fds[0]);
    fds[0] = -1;
    fds++;
    n--;
  }
}

char *
dg_symbols_probe_units (int *fds, size_t n)
{
  size_t indices[MOST_FILES], n_batch = 0;
  int batch[MOST_FILES];
  char *why = NULL;

  if (!is_wanted ())
    return NULL;
  for (size_t i = 0; i <= n; i++) {
    if (i < n && fds[i] >= 0 && dg_symbols_is_sealed (fds[i])) {
      indices[n_batch] = i;
      batch[n_batch++] = fds[i];
    }
    if (n_batch == 0 || (i < n && n_batch < MOST_FILES))
      continue;
    try_units (batch, n_batch, &why);
    while (n_batch-- > 0)
      fds[indices[n_batch]] = batch[n_batch];
    n_batch = 0;
  }
  return why;
}

/* symbols_probe.c: lets another process read first what libdw is to read here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "symbols_private.h"

#define FIRST_FD 3
/* Out of the way of those that the program gets.  */
#define OUT_OF_THE_WAY 64
#define MOST_FILES 32
#define SECRET_BYTES 256
#define BUFFER_BYTES 65536

#define CPU_SECONDS 10
#define CPU_SECONDS_PER_100MB 5
/* The machine may have other things to do.  */
#define WALL_TIMES 30
#define SPACE_BYTES ((uint64_t) 256 << 20)
#define SPACE_TIMES 8

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SHADOW 1     /* more address space than any limit */
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) \
  || __has_feature(memory_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

static const char *
program (void)
{
  const char *given = g_getenv ("DATAGRIND_PROBE");

  return given != NULL && given[0] != '\0' ? given : DG_PROBE;
}

/* Who looks for damage that libdw does not bear wants none.  */
static bool
is_wanted (void)
{
  return strcmp (program (), "no") != 0;
}

/* ---- One process --------------------------------------------------------- */

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
limit (pid_t pid, const struct dg_probe_limits *limits)
{
  const struct rlimit none = {0, 0};
  const struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds + 1};
  const struct rlimit space = {limits->bytes, limits->bytes};

  prlimit (pid, RLIMIT_CORE, &none, NULL);
  prlimit (pid, RLIMIT_FSIZE, &none, NULL);
  prlimit (pid, RLIMIT_CPU, &cpu, NULL);
  if (!HAS_SHADOW)
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
dg_probe_run (const char *path, const char *letters, const int *fds,
              const struct dg_probe_limits *limits, bool *has_run, char **why)
{
  size_t n_fds = strlen (letters), n = 0, n_moved = 0;
  int moved[MOST_FILES], ends[2], out = -1, code = 0;
  pid_t pid;

  *has_run = false;
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
    *has_run = true;
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

/* ---- What was tried ------------------------------------------------------ */

static GMutex lock;
static GHashTable *known;  /* what files have -> why they cannot be read, or
                              "" */

/* What digests depend on here: who makes a file cannot know it, and so not
   make two that have the same.  */
static const uint8_t *
secret (void)
{
  static uint8_t bytes[SECRET_BYTES];
  static gsize is_made;

  if (g_once_init_enter (&is_made)) {
    for (size_t done = 0; done < sizeof bytes;) {
      ssize_t n = getrandom (bytes + done, sizeof bytes - done, 0);

      if (n > 0)
        done += (size_t) n;
      else if (errno != EINTR)
        break;
    }
    g_once_init_leave (&is_made, 1);
  }
  return bytes;
}

/* A name for what is in a file, to be freed.  NULL: it cannot be read.  */
static char *
digest (int fd)
{
  XXH3_state_t *state = XXH3_createState ();
  uint8_t *bytes = g_malloc (BUFFER_BYTES);
  XXH128_hash_t hash;
  off_t at = 0;
  ssize_t n;

  XXH3_128bits_reset_withSecret (state, secret (), SECRET_BYTES);
  while ((n = pread (fd, bytes, BUFFER_BYTES, at)) > 0) {
    XXH3_128bits_update (state, bytes, (size_t) n);
    at += n;
  }
  hash = XXH3_128bits_digest (state);
  XXH3_freeState (state);
  g_free (bytes);
  return n == 0 ? g_strdup_printf ("%016" PRIx64 "%016" PRIx64,
                                   (uint64_t) hash.high64,
                                   (uint64_t) hash.low64)
                : NULL;
}

/* Of a module, or of units.  To be freed.  */
static char *
key_of (const char *letters, const int *fds)
{
  GString *key = g_string_new (letters);

  for (size_t i = 0; letters[i] != '\0'; i++) {
    char *text = digest (fds[i]);

    g_string_append_c (key, ' ');
    /* Then it is not found again.  */
    g_string_append (key, text != NULL ? text : "?");
    g_free (text);
  }
  return g_string_free (key, FALSE);
}

/* A copy, or NULL.  */
static char *
look_up (const char *key)
{
  char *found;

  g_mutex_lock (&lock);
  found = known != NULL ? g_strdup (g_hash_table_lookup (known, key)) : NULL;
  g_mutex_unlock (&lock);
  return found;
}

static void
remember (const char *key, const char *why)
{
  if (strchr (key, '?') != NULL)
    return;
  g_mutex_lock (&lock);
  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_replace (known, g_strdup (key), g_strdup (why));
  g_mutex_unlock (&lock);
}

static void
limits_for (const int *fds, size_t n, struct dg_probe_limits *limits)
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

/* NULL, or why not.  */
static char *
try_one (const char *letters, const int *fds)
{
  struct dg_probe_limits limits;
  char *key = key_of (letters, fds), *why = look_up (key);
  bool has_run;

  if (why == NULL) {
    limits_for (fds, strlen (letters), &limits);
    dg_probe_run (program (), letters, fds, &limits, &has_run, &why);
    if (has_run)
      remember (key, why != NULL ? why : "");
  } else if (why[0] == '\0') {
    g_clear_pointer (&why, g_free);
  }
  g_free (key);
  return why;
}

bool
dg_probe_is_needed (int module, int debug, int shared)
{
  return is_wanted ()
         && (dg_symbols_is_sealed (module) || dg_symbols_is_sealed (debug)
             || dg_symbols_is_sealed (shared));
}

char *
dg_probe_module (int module, int debug, int shared, bool is_whole)
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
  return dg_probe_is_needed (module, debug, shared) ? try_one (letters, fds)
                                                    : NULL;
}

/* Closes those that cannot be read.  */
static void
try_units (int *fds, size_t n, char **why)
{
  char letters[MOST_FILES + 1] = "";
  struct dg_probe_limits limits;
  bool has_run;
  size_t good;

  while (n > 0) {
    char *problem;

    memset (letters, 'u', n);
    letters[n] = '\0';
    limits_for (fds, n, &limits);
    good = dg_probe_run (program (), letters, fds, &limits, &has_run,
                         &problem);
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

/* Up to MOST_FILES.  */
static void
try_batch (int *fds, size_t n, char **why)
{
  char letters[MOST_FILES + 1] = "", *key, *found, *problem = NULL;

  memset (letters, 'u', n);
  key = key_of (letters, fds);
  found = look_up (key);
  if (found == NULL)
    try_units (fds, n, &problem);
  if (found == NULL && problem == NULL)
    remember (key, "");
  if (problem != NULL) {
    g_free (*why);
    *why = problem;
  }
  g_free (found);
  g_free (key);
}

char *
dg_probe_units (int *fds, size_t n)
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
    try_batch (batch, n_batch, &why);
    while (n_batch-- > 0)
      fds[indices[n_batch]] = batch[n_batch];
    n_batch = 0;
  }
  return why;
}

/* faults_run.c: runs a program again and again, in place of main, each time
   with another call that fails.

   It is preloaded, and forks for each run when all libraries are loaded, which
   takes a hundredth of the time of starting a program.  The environment says
   what is wanted:

     FAULTS_FOLDER  has `before`, in copies of which the program runs
     FAULTS_NAME    what this is, in what it prints
     FAULTS_KINDS   words of faults_names; all
     FAULTS_MODES   once, always; both
     FAULTS_STEP    every so many calls; 1
     FAULTS_SAMPLE  only so many in all, of each kind some, the same each time
     FAULTS_GROWS   a file there that is named before it is whole; ~: what is
                    printed differs each time
     FAULTS_N       this call only, and its output is shown
     FAULTS_TRACE   no call fails; what is written goes to this file

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What hangs: processor time, and time, since a busy machine is slow.  */
#define CPU_S  20
#define WALL_S 300

struct job {
  faults_main_fn *program;
  int argc;
  char **argv, **envp;
  struct faults_set set;
  long counts[FAULTS_OUTCOMES];
  long defects;
};

static const char *
path_of (char *to, const struct job *job, const char *name)
{
  snprintf (to, PATH_MAX, "%s/%s", job->set.folder, name);
  return to;
}

/* ---- One run ---- */

static void
redirect (const struct job *job, const char *name, int fd)
{
  char path[PATH_MAX];
  int file = open (path_of (path, job, name), O_WRONLY | O_CREAT | O_TRUNC,
                   0666);

  if (file < 0 || dup2 (file, fd) < 0)
    _exit (99);
  close (file);
}

/* In the child.  */
static void
become (struct job *job, const char *folder, bool is_armed)
{
  const struct rlimit cpu = { CPU_S, CPU_S + 1 }, core = { 0, 0 };
  char path[PATH_MAX];

  /* A group of its own, so that all of it can be ended.  */
  setpgid (0, 0);
  redirect (job, is_armed ? "out" : "next.out", STDOUT_FILENO);
  redirect (job, is_armed ? "err" : "next.err", STDERR_FILENO);
  close (STDIN_FILENO);
  open ("/dev/null", O_RDONLY);
  setrlimit (RLIMIT_CPU, &cpu);
  setrlimit (RLIMIT_CORE, &core);
  if (chdir (path_of (path, job, folder)) < 0)
    _exit (99);
  if (getenv ("FAULTS_TRACE")) {
    faults_trace_open (getenv ("FAULTS_TRACE"));
    unsetenv ("FAULTS_TRACE");
  }
  faults_state->is_armed = is_armed;
  exit (job->program (job->argc, job->argv, job->envp));
}

static void
run_once (struct job *job, struct faults_result *result)
{
  const struct timespec most = { .tv_sec = WALL_S };
  char run[PATH_MAX], before[PATH_MAX];
  sigset_t child;
  pid_t pid;

  faults_remove (path_of (run, job, "run"));
  faults_copy (path_of (before, job, "before"), run);
  faults_state->calls = faults_state->failed = 0;
  faults_state->is_armed = false;
  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  sigprocmask (SIG_BLOCK, &child, NULL);
  fflush (stdout);
  pid = fork ();
  if (pid == 0) {
    sigprocmask (SIG_UNBLOCK, &child, NULL);
    become (job, "run", true);
  }
  result->is_hung = sigtimedwait (&child, NULL, &most) < 0
                    && errno == EAGAIN;
  if (result->is_hung)
    kill (-pid, SIGKILL);
  waitpid (pid, &result->status, 0);
  /* Who has used up its time hangs, too.  */
  if (WIFSIGNALED (result->status)
      && (WTERMSIG (result->status) == SIGXCPU))
    result->is_hung = true;
  faults_state->is_armed = false;
}

/* What the next run removes, since the one that has made it was killed.  */
static bool
is_temporary (const char *name)
{
  size_t n = strlen (name);

  return strncmp (name, "datagrind-rings-", 16) == 0
         || (n > 13 && name[n - 13] == '.'
             && strcmp (name + n - 4, ".tmp") == 0);
}

/* Whether that one does so.  It leaves alone what is so new that it may still
   be used.  */
static bool
is_left_for_good (struct job *job)
{
  const struct timespec old[2] = { 0 };
  char run[PATH_MAX], next[PATH_MAX], before[PATH_MAX];
  char found[PATH_MAX], to[PATH_MAX + 64];
  int status = -1;
  pid_t pid;

  path_of (run, job, "run");
  if (!faults_find (run, is_temporary, found, sizeof found))
    return false;
  faults_remove (path_of (next, job, "next"));
  faults_copy (path_of (before, job, "before"), next);
  do {
    snprintf (to, sizeof to, "%s/%s", next, strrchr (found, '/') + 1);
    if (rename (found, to) < 0 || utimensat (AT_FDCWD, to, old, 0) < 0)
      return true;
  } while (faults_find (run, is_temporary, found, sizeof found));
  pid = fork ();
  if (pid == 0)
    become (job, "next", false);
  waitpid (pid, &status, 0);
  return status != 0
         || faults_find (next, is_temporary, found, sizeof found);
}

/* ---- What is told ---- */

static void
show_callers (void)
{
  for (int i = 0; i < faults_state->n_callers; i++) {
    void *at = faults_state->callers[i];
    Dl_info info;

    if (!dladdr (at, &info) || strstr (info.dli_fname, "shim"))
      continue;
    printf ("#     %s+%#lx\n", info.dli_fname,
            (unsigned long) ((char *) at - (char *) info.dli_fbase));
  }
}

static void
show_file (const struct job *job, const char *name)
{
  char path[PATH_MAX], line[400];
  FILE *file = fopen (path_of (path, job, name), "r");

  for (unsigned i = 0; file && i < 20 && fgets (line, sizeof line, file); i++)
    printf ("#   %s: %s", name, line);
  if (file)
    fclose (file);
}

static void
count (struct job *job, const struct faults_result *result)
{
  bool is_left = WIFSIGNALED (result->status) && is_left_for_good (job);
  enum faults_outcome outcome = faults_judge (&job->set, result);
  bool is_defect;

  if (is_left && outcome < FAULTS_CRASHED)
    outcome = FAULTS_LEFT;
  is_defect = outcome >= FAULTS_CRASHED;

  job->counts[outcome]++;
  if (!is_defect && !getenv ("FAULTS_N") && !getenv ("FAULTS_VERBOSE"))
    return;
  job->defects += is_defect;
  /* Of many, the first ones will do.  */
  if (is_defect && job->defects > 5 && !getenv ("FAULTS_VERBOSE"))
    return;
  printf ("# %s: %s %s n=%ld: %s %s (status %#x)\n",
          getenv ("FAULTS_NAME"), faults_names[faults_state->kind],
          faults_state->is_lasting ? "always" : "once", faults_state->n,
          faults_outcomes[outcome], job->set.why,
          (unsigned) result->status);
  show_callers ();
  show_file (job, "err");
  if (outcome == FAULTS_SILENT)
    show_file (job, "out");
}

static void
sum_up (const struct job *job, const char *what)
{
  long tried = 0;

  for (unsigned i = 0; i < FAULTS_OUTCOMES; i++)
    tried += job->counts[i];
  if (tried == 0)
    return;
  printf ("# %s %s: %ld tried", getenv ("FAULTS_NAME"), what, tried);
  for (unsigned i = 0; i < FAULTS_OUTCOMES; i++)
    if (job->counts[i] > 0)
      printf (", %ld %s", job->counts[i], faults_outcomes[i]);
  printf ("\n");
  fflush (stdout);
}

/* ---- All of them ---- */

static void
sweep (struct job *job, enum faults_kind kind, bool is_lasting, long step)
{
  const char *only = getenv ("FAULTS_N");
  struct faults_result result;
  char what[64];

  memset (job->counts, 0, sizeof job->counts);
  faults_state->kind = kind;
  faults_state->is_lasting = is_lasting;
  for (long n = only ? atol (only) : 1;; n += step) {
    faults_state->n = n;
    run_once (job, &result);
    if (faults_state->failed == 0)
      break;
    count (job, &result);
    if (only || job->counts[FAULTS_HUNG] > 2)
      break;
  }
  snprintf (what, sizeof what, "%s %s", faults_names[kind],
            is_lasting ? "always" : "once");
  sum_up (job, what);
}

static bool
is_wanted (const char *list, const char *word)
{
  char all[512], one[64];

  if (!list || !*list)
    return true;
  snprintf (all, sizeof all, " %s ", list);
  snprintf (one, sizeof one, " %s ", word);
  return strstr (all, one) != NULL;
}

/* Lasting ones of these never let the program go on.  */
static bool
can_last (enum faults_kind kind)
{
  return kind != FAULTS_EINTR && kind != FAULTS_KILL && kind != FAULTS_TEAR;
}

static void
save (const struct job *job, const char *name)
{
  char from[PATH_MAX], to[PATH_MAX], good[64];

  snprintf (good, sizeof good, "good%s%s", *name == 'r' ? "" : ".",
            *name == 'r' ? "" : name);
  faults_remove (path_of (to, job, good));
  rename (path_of (from, job, name), to);
}

/* Twice, since only what is always the same can be compared.  */
static bool
make_good (struct job *job)
{
  struct faults_result result;
  enum faults_outcome outcome;

  faults_state->n = 0;
  faults_state->kind = FAULTS_NONE;
  run_once (job, &result);
  save (job, "run");
  save (job, "out");
  save (job, "err");
  if (getenv ("FAULTS_TRACE"))
    return result.status == 0;
  memset (faults_state->all, 0, sizeof faults_state->all);
  run_once (job, &result);
  outcome = faults_judge (&job->set, &result);
  if (outcome == FAULTS_SAME)
    return true;
  printf ("# %s: without a fault: %s %s (status %#x)\n",
          getenv ("FAULTS_NAME"), faults_outcomes[outcome], job->set.why,
          (unsigned) result.status);
  show_file (job, "err");
  return false;
}

/* The next kind that is wanted and has calls; FAULTS_KINDS: there is none.  */
static int
next_kind (int kind, const char *kinds, const long *calls)
{
  for (unsigned i = 1; i <= FAULTS_KINDS; i++) {
    int next = (kind + (int) i) % FAULTS_KINDS;

    if (next != FAULTS_NONE && calls[next] > 0
        && is_wanted (kinds, faults_names[next]))
      return next;
  }
  return FAULTS_KINDS;
}

/* Of all kinds in turn, begun with another one for each command.  */
static void
sample (struct job *job, const char *kinds, long n)
{
  uint32_t random = 2166136261u;
  long calls[FAULTS_KINDS];
  struct faults_result result;
  int kind;

  for (const char *at = getenv ("FAULTS_NAME"); at && *at; at++)
    random = (random ^ (uint8_t) *at) * 16777619u;
  memcpy (calls, faults_state->all, sizeof calls);
  memset (job->counts, 0, sizeof job->counts);
  kind = (int) (random % FAULTS_KINDS);
  for (; n > 0; n--) {
    kind = next_kind (kind, kinds, calls);
    if (kind == FAULTS_KINDS)
      break;
    random = random * 1664525u + 1013904223u;
    faults_state->kind = kind;
    faults_state->is_lasting = (random >> 8 & 1) && can_last (kind);
    faults_state->n = 1 + (random >> 9) % calls[kind];
    run_once (job, &result);
    count (job, &result);
  }
  sum_up (job, "sample");
}

int
faults_run (faults_main_fn *program, int argc, char **argv, char **envp)
{
  struct job job = { .program = program, .argc = argc, .argv = argv,
                     .envp = envp };
  const char *kinds = getenv ("FAULTS_KINDS");
  const char *modes = getenv ("FAULTS_MODES");
  const char *step = getenv ("FAULTS_STEP");
  const char *some = getenv ("FAULTS_SAMPLE");
  long every = step ? atol (step) : 1;

  job.set.folder = getenv ("FAULTS_FOLDER");
  job.set.grows = getenv ("FAULTS_GROWS");
  job.set.is_varying = job.set.grows && strcmp (job.set.grows, "~") == 0;
  unsetenv ("LD_PRELOAD");
  faults_find_callers ();
  faults_state = mmap (NULL, sizeof *faults_state, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!make_good (&job))
    return 1;
  if (some && !*some)
    some = NULL;
  if (some)
    sample (&job, kinds, atol (some));
  for (int kind = 1;
       kind < FAULTS_KINDS && !some && !getenv ("FAULTS_TRACE"); kind++)
    for (int lasting = 0; lasting < 2; lasting++)
      if (is_wanted (kinds, faults_names[kind])
          && is_wanted (modes, lasting ? "always" : "once")
          && (!lasting || can_last (kind)))
        sweep (&job, kind, lasting, every > 0 ? every : 1);
  fflush (stdout);
  return job.defects > 0;
}

/* ---- In place of main ---- */

static faults_main_fn *real_main;

static int
our_main (int argc, char **argv, char **envp)
{
  return getenv ("FAULTS_FOLDER") ? faults_run (real_main, argc, argv, envp)
                                  : real_main (argc, argv, envp);
}

int __libc_start_main (faults_main_fn *program, int argc, char **argv,
                       void (*init) (void), void (*fini) (void),
                       void (*rtld_fini) (void), void *stack_end);
int
__libc_start_main (faults_main_fn *program, int argc, char **argv,
                   void (*init) (void), void (*fini) (void),
                   void (*rtld_fini) (void), void *stack_end)
{
  int (*real) (faults_main_fn *, int, char **, void (*) (void),
               void (*) (void), void (*) (void), void *)
    = (__typeof__ (real)) dlsym (RTLD_NEXT, "__libc_start_main");

  real_main = program;
  return real (our_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* faults_judge.c: what came of a run in which a call failed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include "faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Bytes, as in docs/archive.md.  */
#define ARCHIVE_HEAD 40

const char *const faults_outcomes[FAULTS_OUTCOMES] = {
  "same",   "failed", "reported", "killed", "crashed", "hung",
  "silent", "mute",   "changed",  "partial", "lost",  "left",
  "leaked"
};

static const char *
join (char *to, const struct faults_set *set, const char *folder,
      const char *name)
{
  snprintf (to, PATH_MAX, "%s/%s%s%s", set->folder, folder,
            *name ? "/" : "", name);
  return to;
}

static bool
is_empty (const char *path)
{
  struct stat st;

  return stat (path, &st) < 0 || st.st_size == 0;
}

/* Complete, under a name that nobody asked for, which the message tells: when
   the file could not be put in its place.  */
static bool
is_kept (const struct faults_set *set, const char *name)
{
  const char *end = strstr (name, ".kept");
  char mine[PATH_MAX], base[NAME_MAX + 1], good[PATH_MAX];

  if (!end)
    return false;
  snprintf (base, sizeof base, "%.*s", (int) (end - name), name);
  return faults_same_file (join (mine, set, "run", name),
                           join (good, set, "good", base));
}

/* Whether dg shows what the archive has, and says that it is not whole if that
   is so.  It needs the first bytes for it.  */
static bool
is_readable (const char *path, bool is_whole)
{
  struct stat st;
  int status = -1;
  pid_t pid;

  if (stat (path, &st) < 0 || st.st_size < ARCHIVE_HEAD)
    return true;
  pid = fork ();
  if (pid == 0) {
    int null = open ("/dev/null", O_WRONLY);

    dup2 (null, STDOUT_FILENO);
    dup2 (null, STDERR_FILENO);
    execl ("/proc/self/exe", "dg", "check", path, (char *) NULL);
    _exit (99);
  }
  waitpid (pid, &status, 0);
  return WIFEXITED (status) && WEXITSTATUS (status) == !is_whole;
}

static void
dump (const char *log, const char *to)
{
  pid_t pid = fork ();

  if (pid == 0) {
    int out = open (to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int null = open ("/dev/null", O_WRONLY);

    dup2 (out, STDOUT_FILENO);
    dup2 (null, STDERR_FILENO);
    execl ("/proc/self/exe", "dg", "dump", log, (char *) NULL);
    _exit (99);
  }
  waitpid (pid, NULL, 0);
}

/* Whether both are whole archives of the same records: one may have fewer
   files for names.  */
static bool
is_same_log (const struct faults_set *set, const char *mine,
             const char *good)
{
  char one[PATH_MAX], other[PATH_MAX];
  size_t n = strlen (mine);

  if (n < 4 || strcmp (mine + n - 4, ".dgz") != 0 || !is_readable (mine, true))
    return false;
  dump (mine, join (one, set, "dump.one", ""));
  dump (good, join (other, set, "dump.other", ""));
  return faults_same_file (one, other);
}

/* One that was not there before.  */
static enum faults_outcome
judge_new (const struct faults_set *set, const char *name)
{
  char mine[PATH_MAX], good[PATH_MAX];
  struct stat st;

  join (mine, set, "run", name);
  join (good, set, "good", name);
  if (stat (good, &st) < 0)
    return is_kept (set, name) ? FAULTS_FAILED : FAULTS_LEFT;
  if (S_ISDIR (st.st_mode))
    return FAULTS_FAILED;
  return faults_same_file (mine, good) || is_same_log (set, mine, good)
           ? FAULTS_FAILED
           : FAULTS_PARTIAL;
}

static enum faults_outcome
judge_file (const struct faults_set *set, const char *name)
{
  char mine[PATH_MAX], before[PATH_MAX], good[PATH_MAX];
  struct stat st;

  bool is_as_was;

  join (mine, set, "run", name);
  join (before, set, "before", name);
  is_as_was = faults_same_file (mine, before)
              || faults_same_file (mine, join (good, set, "good", name));
  if (set->grows && strcmp (name, set->grows) == 0)
    return is_readable (mine, is_as_was) ? FAULTS_FAILED : FAULTS_LOST;
  if (lstat (before, &st) < 0)
    return faults_state->kind == FAULTS_UNLINK ? FAULTS_FAILED
                                               : judge_new (set, name);
  return S_ISDIR (st.st_mode) || is_as_was ? FAULTS_FAILED : FAULTS_LOST;
}

/* Of those that are in a folder, all; *name is the one with the result.  */
static enum faults_outcome
judge_files (struct faults_set *set)
{
  enum faults_outcome worst = FAULTS_FAILED, one;
  char path[PATH_MAX], before[PATH_MAX];
  DIR *folder = opendir (join (path, set, "run", ""));
  struct dirent *entry;
  struct stat st;

  while (folder && (entry = readdir (folder)) != NULL) {
    if (!strcmp (entry->d_name, ".") || !strcmp (entry->d_name, ".."))
      continue;
    one = judge_file (set, entry->d_name);
    if (one == FAULTS_FAILED)
      continue;
    snprintf (set->why, sizeof set->why, "%s", entry->d_name);
    worst = one;
  }
  if (folder)
    closedir (folder);
  folder = opendir (join (before, set, "before", ""));
  while (folder && (entry = readdir (folder)) != NULL)
    if (lstat (join (path, set, "run", entry->d_name), &st) < 0) {
      snprintf (set->why, sizeof set->why, "%s is gone", entry->d_name);
      worst = FAULTS_LOST;
    }
  if (folder)
    closedir (folder);
  return worst;
}

/* It says that all is well.  */
static enum faults_outcome
judge_success (struct faults_set *set)
{
  char run[PATH_MAX], good[PATH_MAX];
  bool same;

  set->why[0] = '\0';
  /* What cannot be removed stays.  */
  same = faults_same_tree (join (run, set, "run", ""),
                           join (good, set, "good", ""),
                           faults_state->kind == FAULTS_UNLINK, set->why,
                           sizeof set->why);
  if (same && !set->is_varying
      && !faults_same_file (join (run, set, "out", ""),
                            join (good, set, "good.out", ""))) {
    snprintf (set->why, sizeof set->why, "standard output");
    same = false;
  }
  if (same)
    return FAULTS_SAME;
  return faults_same_file (join (run, set, "err", ""),
                           join (good, set, "good.err", ""))
           ? FAULTS_SILENT
           : FAULTS_TOLD;
}

/* Less than was wanted, or not at once, is not a fault.  */
static bool
is_harmless (enum faults_kind kind)
{
  return kind == FAULTS_SHORT_READ || kind == FAULTS_SHORT_WRITE
         || kind == FAULTS_EINTR;
}

static bool
has_leaked (const struct faults_set *set)
{
  char path[PATH_MAX], line[1000];
  FILE *err = fopen (join (path, set, "err", ""), "r");
  bool has = false;

  while (err && !has && fgets (line, sizeof line, err))
    has = strstr (line, "LeakSanitizer: detected") != NULL;
  if (err)
    fclose (err);
  return has;
}

enum faults_outcome
faults_judge (struct faults_set *set, const struct faults_result *result)
{
  enum faults_kind kind = faults_state->kind;
  bool is_killed = WIFSIGNALED (result->status)
                   && WTERMSIG (result->status) == SIGKILL
                   && (kind == FAULTS_KILL || kind == FAULTS_TEAR);
  enum faults_outcome outcome;
  char path[PATH_MAX];

  set->why[0] = '\0';
  if (result->is_hung)
    return FAULTS_HUNG;
  if (WIFSIGNALED (result->status) && !is_killed) {
    snprintf (set->why, sizeof set->why, "signal %d",
              WTERMSIG (result->status));
    return FAULTS_CRASHED;
  }
  if (has_leaked (set))
    return FAULTS_LEAKED;
  if (result->status == 0) {
    outcome = judge_success (set);
    return outcome != FAULTS_SAME && is_harmless (kind) ? FAULTS_CHANGED
                                                        : outcome;
  }
  if (is_harmless (kind))
    return FAULTS_CHANGED;
  outcome = judge_files (set);
  if (outcome != FAULTS_FAILED)
    return outcome;
  if (is_killed)
    return FAULTS_KILLED;
  return is_empty (join (path, set, "err", "")) ? FAULTS_MUTE : FAULTS_FAILED;
}

/* dg_record_check.c: what `dg record` refuses before anything is started: an
   option that the recorder does not have, a place where nothing can be
   written, a program that Valgrind may not run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- Options ---------------------------------------------------------- */

#define PREFIX "--datagrind-"

/* Those of exp-datagrind, and of ours what it calls otherwise.  A test
   compares them with its --help.  */
static const char *const recorder_options[] = {
  "out-file",    "start",     "toggle-fn", "skip",
  "stop-after",  "max-size",  "stack-depth", "fold",
  "max-nodes",   "stacks",    "replace-malloc", "exact",
  "check-stacks", "ring-child", NULL};

/* Letters to be put in, left out, changed or swapped with the next.  */
static unsigned
distance (const char *a, const char *b)
{
  size_t n = strlen (b);
  unsigned *rows = g_new0 (unsigned, 3 * (n + 1));
  unsigned *before = rows, *last = rows + n + 1, *row = last + n + 1;
  unsigned result;

  for (size_t j = 0; j <= n; j++)
    last[j] = (unsigned) j;
  for (size_t i = 1; a[i - 1] != '\0'; i++) {
    unsigned *oldest = before;

    row[0] = (unsigned) i;
    for (size_t j = 1; j <= n; j++) {
      unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);

      row[j] = MIN (MIN (last[j], row[j - 1]) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = MIN (row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
    row = oldest;
  }
  result = last[n];
  g_free (rows);
  return result;
}

/* Remembers the nearer one, if it is near at all.  */
static void
consider (const char *typed, const char *name, const char **best,
          unsigned *least)
{
  unsigned n = distance (typed, name);

  if (n < *least && n <= 1 + strlen (name) / 4) {
    *best = name;
    *least = n;
  }
}

/* An option's name, without dashes and value; to be freed.  */
static char *
name_of (const char *arg)
{
  arg += strspn (arg, "-");
  return g_strndup (arg, strcspn (arg, "="));
}

bool
record_check_option (const struct cli_command *command, const char *arg)
{
  const char *best = NULL;
  unsigned least = G_MAXUINT;
  char *name;

  if (!g_str_has_prefix (arg, PREFIX))
    return true;
  name = name_of (arg);
  for (size_t i = 0; recorder_options[i] != NULL; i++)
    if (strcmp (name + strlen (PREFIX) - 2, recorder_options[i]) == 0) {
      g_free (name);
      return true;
    }
  for (size_t i = 0; recorder_options[i] != NULL; i++)
    consider (name + strlen (PREFIX) - 2, recorder_options[i], &best, &least);
  if (best != NULL)
    cli_fail_usage (
      command, "the recorder has no option --%s; did you mean " PREFIX "%s?",
      name, best);
  else
    cli_fail_usage (command, "the recorder has no option --%s", name);
  g_free (name);
  return false;
}

char *
record_near_option (const GOptionEntry *ours, const char *arg)
{
  const char *near = NULL, *best = NULL;
  unsigned least = G_MAXUINT;
  char *name = name_of (arg), *result = NULL;

  for (; ours->long_name != NULL; ours++)
    consider (name, ours->long_name, &best, &least);
  for (size_t i = 0; recorder_options[i] != NULL; i++)
    consider (name, recorder_options[i], &near, &least);
  if (near != NULL)
    result = g_strconcat (PREFIX, near, NULL);
  else if (best != NULL)
    result = g_strconcat ("--", best, NULL);
  g_free (name);
  return result;
}

/* ---- The output ------------------------------------------------------- */

bool
record_check_output (const struct record_options *options,
                     const char *standard)
{
  const char *typed = options->output != NULL ? options->output : standard;
  /* That of a raw log is known: Valgrind takes our place.  */
  uint64_t pid = options->raw ? (uint64_t) getpid () : 0;
  struct dg_error error;
  char *path = dg_capture_output (typed, pid, &error);
  int code = -1;

  if (path == NULL) {
    cli_fail ("record: %s", error.message);
  } else {
    if (output_is_standard (path))
      cli_fail ("record: cannot write %s: it is standard output, which is the"
                " program's", typed);
    else if ((code = dg_output_check (path, options->raw, &error)) < 0)
      cli_fail ("record: cannot write %s: %s", typed, error.message);
  }
  free (path);
  return code == 0;
}

/* ---- The program ------------------------------------------------------ */

/* As Valgrind sees it, no matter who we are.  */
static const char *
rights_of (const char *path)
{
  struct stat st;

  if (stat (path, &st) < 0 || !S_ISREG (st.st_mode))
    return NULL;
  if (st.st_mode & S_ISUID)
    return "the rights of its owner (it is setuid)";
  if (st.st_mode & S_ISGID)
    return "the rights of its group (it is setgid)";
  if (getxattr (path, "security.capability", NULL, 0) > 0)
    return "capabilities (it has a security.capability)";
  return NULL;
}

bool
record_check_program (const struct record_options *options)
{
  const char *name = options->program[0];
  char *path = strchr (name, '/') != NULL ? g_strdup (name)
                                          : g_find_program_in_path (name);
  const char *rights = path != NULL ? rights_of (path) : NULL;

  if (rights != NULL) {
    cli_fail ("record: %s runs with %s, which Valgrind does not grant",
              path, rights);
    cli_fail ("record: a copy of the file, made by cp, has only your own "
              "rights and can be recorded");
  }
  g_free (path);
  return rights == NULL;
}

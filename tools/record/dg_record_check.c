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
  "stop-after",  "window",    "max-size",    "stack-depth",
  "fold",        "max-nodes", "scripts",     "stacks",      "values",
  "replace-malloc",
  "exact",       "check-stacks", "window-seed", "gaps",     "only",
  "ring-child",  NULL};

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
  char *name, *best;
  bool is_known;

  /* Valgrind's own are words, and "-h", "-d", "-q", "-s" and "-v".  */
  if (arg[1] != '-' && (strchr ("hdqsv", arg[1]) == NULL || arg[2] != '\0')) {
    cli_fail_usage (command, "unknown option '%s'", arg);
    return false;
  }
  if (!g_str_has_prefix (arg, PREFIX))
    return true;
  name = name_of (arg);
  is_known =
    g_strv_contains (recorder_options, name + strlen (PREFIX) - 2);
  if (!is_known) {
    best = cli_nearest (name + strlen (PREFIX) - 2, recorder_options);
    if (best != NULL)
      cli_fail_usage (
        command, "the recorder has no option --%s; did you mean " PREFIX
        "%s?", name, best);
    else
      cli_fail_usage (command, "the recorder has no option --%s", name);
    g_free (best);
  }
  g_free (name);
  return is_known;
}

char *
record_near_option (const GOptionEntry *ours, const char *arg)
{
  GPtrArray *names = g_ptr_array_new ();
  char *name = name_of (arg), *best, *result = NULL;

  for (; ours->long_name != NULL; ours++)
    g_ptr_array_add (names, (gpointer) ours->long_name);
  for (size_t i = 0; recorder_options[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) recorder_options[i]);
  g_ptr_array_add (names, NULL);
  best = cli_nearest (name, (const char *const *) names->pdata);
  if (best != NULL)
    result = g_strconcat (g_strv_contains (recorder_options, best) ? PREFIX
                                                                   : "--",
                          best, NULL);
  g_free (best);
  g_free (name);
  g_ptr_array_unref (names);
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
    if (strcmp (typed, "-") == 0 || output_is_standard (path))
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

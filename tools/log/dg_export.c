/* dg_export.c: `dg export`: tables of a log as Parquet and Arrow files.

   The files are written by the Python module, as the distribution has no
   library for them.  Here are the options, and what is missing if it cannot be
   run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct export {
  char *parquet, *arrow, *columns, *threads, *instructions, *events, *ranges;
  char **tables;
  gboolean is_signed;
  int jobs;
};

/* The Python that has the modules: the user's, that of a virtual environment
   that is active, or of the build.  The caller frees it.  */
static char *
find_python (void)
{
  const char *own = g_getenv ("DATAGRIND_PYTHON");
  const char *environment = g_getenv ("VIRTUAL_ENV");
  char *python;

  if (own != NULL && own[0] != '\0')
    return g_strdup (own);
  if (environment != NULL && environment[0] != '\0') {
    python = g_build_filename (environment, "bin", "python", NULL);
    if (g_file_test (python, G_FILE_TEST_IS_EXECUTABLE))
      return python;
    g_free (python);
  }
  return g_strdup (DG_PYTHON);
}

/* So that it finds the module that was installed with us, behind others.  */
static void
add_module_path (void)
{
  const char *path = g_getenv ("PYTHONPATH");
  char *longer = path != NULL && path[0] != '\0'
                   ? g_strconcat (path, ":", DG_PYTHON_DIR, NULL)
                   : g_strdup (DG_PYTHON_DIR);

  g_setenv ("PYTHONPATH", longer, TRUE);
  g_free (longer);
}

/* What a Python lacks: NULL, or a sentence.  */
static const char *
find_missing (const char *python)
{
  char program[] = "import sys\n"
                   "try: import datagrind\n"
                   "except ImportError: sys.exit (3)\n"
                   "try: import pyarrow.parquet\n"
                   "except ImportError: sys.exit (4)\n";
  char flag[] = "-c", *argv[] = {(char *) python, flag, program, NULL};
  int status = 0;

  if (!g_spawn_sync (NULL, argv, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                       | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, NULL, &status, NULL))
    return "it cannot be run; set DATAGRIND_PYTHON to a Python 3";
  if (!WIFEXITED (status))
    return "it does not run";
  switch (WEXITSTATUS (status)) {
  case 0:
    return NULL;
  case 3:
    return "it has no module datagrind; in the sources of Datagrind: "
           "pip install ./python";
  case 4:
    return "it has no module pyarrow; pip install pyarrow, or, if the "
           "distribution does not allow that: python3 -m venv "
           "--system-site-packages DIR; DIR/bin/pip install pyarrow; "
           "export DATAGRIND_PYTHON=DIR/bin/python";
  default:
    return "it does not run";
  }
}

static void
add (GPtrArray *args, const char *option, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (args, g_strconcat (option, "=", value, NULL));
}

static GPtrArray *
arguments (const struct export *export, const char *python, const char *log)
{
  GPtrArray *args = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (args, g_strdup (python));
  g_ptr_array_add (args, g_strdup ("-m"));
  g_ptr_array_add (args, g_strdup ("datagrind"));
  g_ptr_array_add (args, g_strdup ("export"));
  add (args, "--parquet", export->parquet);
  add (args, "--arrow", export->arrow);
  for (char **table = export->tables; table != NULL && *table != NULL; table++)
    add (args, "--table", *table);
  add (args, "--columns", export->columns);
  if (export->is_signed)
    g_ptr_array_add (args, g_strdup ("--signed"));
  add (args, "--threads", export->threads);
  add (args, "--instructions", export->instructions);
  add (args, "--events", export->events);
  add (args, "--ranges", export->ranges);
  if (export->jobs > 0)
    g_ptr_array_add (args, g_strdup_printf ("--jobs=%d", export->jobs));
  g_ptr_array_add (args, g_strdup ("--"));
  g_ptr_array_add (args, g_strdup (log));
  g_ptr_array_add (args, NULL);
  return args;
}

/* Numbers by the grammar of all commands; Python gets them as plain digits.
   Returns -1, or the exit status.  */
static int
check_numbers (const struct cli_command *command, struct export *export)
{
  uint64_t first = 0, end = UINT64_MAX;
  GArray *threads;

  if (export->threads != NULL) {
    threads = parse_list (export->threads);
    if (threads == NULL)
      return cli_fail_usage (command, "'%s' is not a list of threads",
                             export->threads);
    g_array_unref (threads);
  }
  if (export->instructions == NULL)
    return -1;
  if (!dg_number_parse_span (export->instructions, DG_QUANTITY_COUNT, &first,
                             &end))
    return cli_fail_usage (command, "'%s' is not a range of instructions",
                           export->instructions);
  g_free (export->instructions);
  export->instructions =
    end == UINT64_MAX
      ? g_strdup_printf ("%" PRIu64 "..", first)
      : g_strdup_printf ("%" PRIu64 "..%" PRIu64, first, end);
  return -1;
}

/* Returns only if it fails.  */
static int
start (const struct export *export, const char *path)
{
  struct dg_log *log;
  struct dg_error error;
  const char *missing;
  char *python;
  GPtrArray *args;
  int status;

  if (dg_log_open (path, &log, &error) < 0)
    return cli_fail ("%s: %s", path, error.message);
  dg_log_close (log);
  add_module_path ();
  python = find_python ();
  missing = find_missing (python);
  if (missing != NULL) {
    status = cli_fail ("%s: %s", python, missing);
  } else {
    args = arguments (export, python, path);
    execvp (python, (char **) args->pdata);
    status = cli_fail ("%s: %s", python, g_strerror (errno));
    g_ptr_array_unref (args);
  }
  g_free (python);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct export export = {.parquet = NULL};
  const GOptionEntry options[] = {
    {"parquet", 0, 0, G_OPTION_ARG_FILENAME, &export.parquet,
     "write a file TABLE.parquet for each table to this folder", "DIR"},
    {"arrow", 0, 0, G_OPTION_ARG_FILENAME, &export.arrow,
     "write one table to this Arrow file; -: as a stream to standard output",
     "FILE"},
    {"table", 0, 0, G_OPTION_ARG_STRING_ARRAY, &export.tables,
     "this table; can be repeated (default: those of the log; with --arrow: "
     "accesses)", "NAME"},
    {"columns", 0, 0, G_OPTION_ARG_STRING, &export.columns,
     "these columns, also those that are only made on demand", "NAME,..."},
    {"signed", 0, 0, G_OPTION_ARG_NONE, &export.is_signed,
     "signed integers, for programs without unsigned ones", NULL},
    {"threads", 0, 0, G_OPTION_ARG_STRING, &export.threads,
     "only these threads, such as 1,3-5", "LIST"},
    {"instructions", 0, 0, G_OPTION_ARG_STRING, &export.instructions,
     "only instructions I to J - 1", "I..J"},
    CLI_OPTION_EVENTS (&export.events),
    CLI_OPTION_RANGES (&export.ranges),
    CLI_OPTION_JOBS (&export.jobs),
    {NULL}};
  int status = cli_parse (command, options, &argc, argv, 1);

  if (status < 0 && (export.parquet != NULL) == (export.arrow != NULL))
    status =
      cli_fail_usage (command, "one of --parquet and --arrow is needed");
  if (status < 0)
    status = check_numbers (command, &export);
  if (status < 0)
    status = start (&export, argv[1]);
  g_free (export.parquet);
  g_free (export.arrow);
  g_free (export.columns);
  g_free (export.threads);
  g_free (export.instructions);
  g_free (export.events);
  g_free (export.ranges);
  g_strfreev (export.tables);
  return status;
}

const struct cli_command command_export = {
  .name = "export",
  .args = "LOG",
  .summary = "Writes tables of a log as Parquet or Arrow files",
  .details = "Python writes them, with the modules datagrind and pyarrow.\n",
  .run = run};

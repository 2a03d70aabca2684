/* export_tables.c: tables of a log as Parquet and Arrow files.

   The files are written by the Python module, as the distribution has no
   library for them.  Here is how it is run, and what is missing if it cannot
   be.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Whether this is the program that was installed where it was to be: what runs
   elsewhere, as in a virtual environment, has another module.  */
static bool
is_installed (void)
{
  struct stat self, there;

  return stat ("/proc/self/exe", &self) == 0
         && stat (DG_BINDIR "/dg", &there) == 0
         && self.st_dev == there.st_dev && self.st_ino == there.st_ino;
}

/* So that it finds the module that was installed with us, behind others.  */
static void
add_module_path (void)
{
  const char *path = g_getenv ("PYTHONPATH");
  char *longer;

  if (!is_installed ())
    return;
  longer = path != NULL && path[0] != '\0'
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

/* Numbers by the grammar of all commands; Python gets them as plain
   digits.  */
static void
add_instructions (GPtrArray *args, const struct analysis_options *options)
{
  char *span;

  if (options->instructions == NULL)
    return;
  span = options->end_icount == 0
           ? g_strdup_printf ("%" PRIu64 "..", options->start_icount)
           : g_strdup_printf ("%" PRIu64 "..%" PRIu64, options->start_icount,
                              options->end_icount);
  add (args, "--instructions", span);
  g_free (span);
}

static GPtrArray *
arguments (const struct export_tables *tables,
           const struct analysis_options *options, const char *python,
           const char *log)
{
  GPtrArray *args = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (args, g_strdup (python));
  g_ptr_array_add (args, g_strdup ("-m"));
  g_ptr_array_add (args, g_strdup ("datagrind"));
  g_ptr_array_add (args, g_strdup ("export"));
  add (args, "--parquet", tables->parquet);
  add (args, "--arrow", tables->arrow);
  for (char **table = tables->tables; table != NULL && *table != NULL; table++)
    add (args, "--table", *table);
  add (args, "--columns", tables->columns);
  if (tables->is_signed)
    g_ptr_array_add (args, g_strdup ("--signed"));
  add (args, "--threads", options->threads);
  add_instructions (args, options);
  add (args, "--events", options->events);
  add (args, "--ranges", options->ranges);
  if (options->jobs > 0)
    g_ptr_array_add (args, g_strdup_printf ("--jobs=%d", options->jobs));
  g_ptr_array_add (args, g_strdup ("--"));
  g_ptr_array_add (args, g_strdup (log));
  g_ptr_array_add (args, NULL);
  return args;
}

int
export_tables_start (const struct export_tables *tables,
                     const struct analysis_options *options, const char *path)
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
    args = arguments (tables, options, python, path);
    execvp (python, (char **) args->pdata);
    status = cli_fail ("%s: %s", python, g_strerror (errno));
    g_ptr_array_unref (args);
  }
  g_free (python);
  return status;
}

/* dg_import.c: `dg import`: a log from the trace of another tool.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int
import (const char *trace, const char *output, int jobs)
{
  const struct dg_pack_options pack = {.size = sizeof pack,
                                       .workers = (unsigned) jobs};
  bool is_archive = g_str_has_suffix (output, ".dgz"), is_of_trace;
  struct cli_progress progress;
  struct interrupt interrupt;
  struct dg_error error;
  int code, status;

  if (strcmp (trace, "-") != 0 && access (trace, R_OK) < 0)
    return cli_fail ("%s: %s", trace, g_strerror (errno));
  cli_progress_init (&progress, output);
  interrupt_begin (&interrupt, &progress, "importing", 1);
  code = dg_import_lackey (trace, output, is_archive ? &pack : NULL,
                           interrupt_progress_fn, &interrupt, &error);
  /* What is wrong in the trace begins with its line.  */
  is_of_trace = code < 0 && g_str_has_prefix (error.message, "line ");
  status = interrupt_finish (&interrupt, code, is_of_trace ? trace : output,
                             &error);
  cli_progress_fini (&progress);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  char *trace = NULL, *output = NULL;
  int jobs = 0, status;
  const GOptionEntry entries[] = {
    {"lackey", 0, 0, G_OPTION_ARG_FILENAME, &trace,
     "the output of valgrind --tool=lackey --trace-mem=yes; -: standard input",
     "TRACE"},
    CLI_OPTION_OUTPUT (&output),
    CLI_OPTION_JOBS (&jobs),
    {NULL}};

  status = cli_parse (command, entries, &argc, argv, 0);
  if (status < 0 && (trace == NULL || trace[0] == '\0'))
    status = cli_fail_usage (command, "no trace is given (--lackey=TRACE)");
  if (status < 0)
    status = cli_check_output (command, output);
  if (status < 0)
    status = import (trace, output, jobs);
  g_free (trace);
  g_free (output);
  return status;
}

const struct cli_command command_import = {
  .name = "import",
  .args = "",
  .summary = "Converts a trace of Valgrind's tool lackey to a log",
  .details =
    "The output is an archive if its name ends in .dgz, else a raw log.\n",
  .run = run};

/* dg_unpack.c: `dg unpack`: the raw log of an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"

static int
unpack (const struct cli_log *log, const char *output, int jobs)
{
  struct interrupt interrupt;
  struct dg_error error;
  int code;

  interrupt_begin (&interrupt, log->progress, "unpacking", 1);
  code = dg_log_unpack (log->log, output, (unsigned) jobs,
                        interrupt_progress_fn, &interrupt, &error);
  return interrupt_finish (&interrupt, code, output, &error);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  char *output = NULL;
  int jobs = 0, status;
  const GOptionEntry options[] = {
    CLI_OPTION_OUTPUT (&output), CLI_OPTION_JOBS (&jobs), {NULL}};
  struct cli_log log;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status < 0)
    status = cli_check_output (command, output);
  if (status >= 0)
    goto out;
  status = CLI_FAILURE;
  if (!cli_log_open (&log, argv[1], jobs, DG_BLOCKS_NONE, 1))
    goto out;
  log.needs_all = true;
  status = unpack (&log, output, jobs);
  status = cli_log_finish (&log, status);
out:
  g_free (output);
  return status;
}

const struct cli_command command_unpack = {
  .name = "unpack",
  .args = "LOG",
  .summary = "Restores the raw log of an archive",
  .details = "LOG is an archive.  If 'dg pack' made it from a raw log, that"
             " log is restored\nbyte for byte.\n",
  .run = run};

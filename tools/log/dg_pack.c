/* dg_pack.c: `dg pack`: an archive of a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"

#include <string.h>

static int
pack (const struct cli_log *log, const char *output,
      const struct dg_pack_options *options)
{
  struct interrupt interrupt;
  struct dg_error error;
  int code;

  interrupt_begin (&interrupt, log->progress, "packing", 1);
  code = dg_log_pack (log->log, output, options, interrupt_progress_fn,
                      &interrupt, &error);
  return interrupt_finish (&interrupt, code, output, &error);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  char *output = NULL;
  gboolean no_index = FALSE;
  int level = 0, jobs = 0, status;
  const GOptionEntry options[] = {
    CLI_OPTION_OUTPUT (&output),
    {"level", 0, 0, G_OPTION_ARG_INT, &level,
     "compress by level N of zstd, 1 to 19 (default: 3)", "N"},
    {"no-index", 0, 0, G_OPTION_ARG_NONE, &no_index,
     "omit the index of touched cache lines", NULL},
    CLI_OPTION_JOBS (&jobs),
    {NULL}};
  struct cli_log log;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status < 0)
    status = cli_check_output (command, output);
  if (status < 0 && (level < 0 || level > 19))
    status = cli_fail_usage (command, "the level must be from 1 to 19, not %d",
                             level);
  if (status >= 0)
    goto out;
  status = CLI_FAILURE;
  if (!cli_log_open (&log, argv[1], jobs, DG_BLOCKS_NONE, 1))
    goto out;
  log.needs_all = true;
  status =
    pack (&log, output,
          &(struct dg_pack_options){.size = sizeof (struct dg_pack_options),
                                    .level = level,
                                    .workers = (unsigned) jobs,
                                    .no_index = no_index});
  status = cli_log_finish (&log, status);
out:
  g_free (output);
  return status;
}

const struct cli_command command_pack = {
  .name = "pack",
  .args = "LOG",
  .summary = "Packs a log into an archive, or an archive at another level",
  .details = "An archive is used like the log, takes a tenth of its space or "
             "less, and\n"
             "'dg unpack' restores the log.\n",
  .run = run};

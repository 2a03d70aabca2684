/* dg_cut.c: `dg cut`: a part of a log as a new log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"

struct arguments {
  char *output, *instructions, *addresses, *events, *ranges;
  int jobs;
};

static int
parse_ranges (const struct cli_command *command,
              const struct arguments *arguments,
              struct dg_cut_options *options)
{
  if (arguments->instructions != NULL
      && !dg_number_parse_span (arguments->instructions, DG_QUANTITY_COUNT,
                                &options->start_icount,
                                &options->end_icount))
    return cli_fail_usage (command, "'%s' is not a range of instructions",
                           arguments->instructions);
  if (arguments->addresses != NULL
      && !dg_number_parse_span (arguments->addresses, DG_QUANTITY_BYTES,
                                &options->low, &options->high))
    return cli_fail_usage (command, "'%s' is not a range of addresses",
                           arguments->addresses);
  return -1;
}

static int
cut (const struct cli_log *log, const char *output,
     const struct dg_cut_options *options)
{
  struct interrupt interrupt;
  struct dg_error error;
  int code;

  interrupt_begin (&interrupt, log->progress, "cutting", 1);
  code = dg_log_cut (log->log, output, options, interrupt_progress_fn,
                     &interrupt, &error);
  return interrupt_finish (&interrupt, code, output, &error);
}

static int
open_and_cut (const struct cli_command *command, const char *path,
              const struct arguments *arguments,
              struct dg_cut_options *options)
{
  const struct dg_pack_options pack = {.size = sizeof pack,
                                       .workers = (unsigned) arguments->jobs};
  struct cli_filter filter;
  struct cli_log log;
  int status;

  if (!(cli_filter_blocks (arguments->ranges) == DG_BLOCKS_ALL
          ? cli_log_open (&log, path, arguments->jobs, DG_BLOCKS_ALL, 1)
          : cli_log_open_live (&log, path, arguments->jobs,
                               options->start_icount, 1)))
    return CLI_FAILURE;
  log.needs_all = true;
  options->workers = pack.workers;
  status = cli_filter_init (&filter, command, &log, NULL, arguments->events,
                            arguments->ranges);
  options->filter = filter.filter;
  if (g_str_has_suffix (arguments->output, ".dgz"))
    options->pack = &pack;
  if (status == CLI_OK)
    status = cut (&log, arguments->output, options);
  cli_filter_fini (&filter);
  options->filter = NULL;
  options->pack = NULL;
  return cli_log_finish (&log, status);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct arguments arguments = {NULL};
  struct dg_cut_options options = {.size = sizeof options};
  const GOptionEntry entries[] = {
    CLI_OPTION_OUTPUT (&arguments.output),
    {"instructions", 0, 0, G_OPTION_ARG_FILENAME, &arguments.instructions,
     "use only instructions I to J - 1", "I..J"},
    {"addresses", 0, 0, G_OPTION_ARG_FILENAME, &arguments.addresses,
     "use only accesses to addresses A to B - 1", "A..B"},
    CLI_OPTION_EVENTS (&arguments.events),
    CLI_OPTION_RANGES (&arguments.ranges),
    CLI_OPTION_JOBS (&arguments.jobs),
    {NULL}};
  int status;

  status = cli_parse (command, entries, &argc, argv, 1);
  if (status < 0)
    status = cli_check_output (command, arguments.output);
  if (status < 0)
    status = parse_ranges (command, &arguments, &options);
  if (status < 0)
    status = open_and_cut (command, argv[1], &arguments, &options);
  g_free (arguments.output);
  g_free (arguments.instructions);
  g_free (arguments.addresses);
  g_free (arguments.events);
  g_free (arguments.ranges);
  return status;
}

const struct cli_command command_cut = {
  .name = "cut",
  .args = "LOG",
  .summary = "Writes a part of a log as a new log",
  .details = "The output is an archive if its name ends in .dgz, else a raw "
             "log.  Either end\n"
             "of a range may be omitted.  CONDITIONS are those of 'dg "
             "dump'.\n",
  .run = run};

/* dg_dump.c: `dg dump`: a log as text.  The text is made in dump_records.c
   and dump_accesses.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "dump.h"

static int
dump (const struct cli_log *log, const struct dg_filter *filter, bool accesses,
      bool values)
{
  struct output out;
  struct dg_error error;
  int code, status;

  output_init (&out);
  code = accesses || values
           ? dump_accesses (log->log, filter, values, &out, &error)
           : dump_records (log->log, filter, &out, &error);
  status = output_finish (&out);
  if (code < 0)
    return cli_fail ("%s: %s", log->path, error.message);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  gboolean accesses = FALSE, values = FALSE;
  char *events = NULL, *ranges = NULL;
  int jobs = 0, status;
  const GOptionEntry options[] = {
    {"accesses", 0, 0, G_OPTION_ARG_NONE, &accesses,
     "write instructions and accesses in lackey's format", NULL},
    {"values", 0, 0, G_OPTION_ARG_NONE, &values,
     "the same, and behind each access what it read or wrote", NULL},
    CLI_OPTION_EVENTS (&events),
    CLI_OPTION_RANGES (&ranges),
    CLI_OPTION_JOBS (&jobs),
    {NULL}};
  struct cli_filter filter;
  struct cli_log log;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status >= 0)
    goto out;
  status = CLI_FAILURE;
  if (!cli_log_open (&log, argv[1], jobs, cli_filter_blocks (ranges), 0))
    goto out;
  status = cli_filter_init (&filter, command, &log, NULL, events, ranges);
  if (status == CLI_OK)
    status = dump (&log, filter.filter, accesses, values);
  cli_filter_fini (&filter);
  status = cli_log_finish (&log, status);
out:
  g_free (events);
  g_free (ranges);
  return status;
}

const struct cli_command command_dump = {
  .name = "dump",
  .args = "LOG",
  .summary = "Writes a log as text, one record per line",
  .details = "CONDITIONS are separated by commas; for each option, one must "
             "hold:\n"
             "  fn:FUNCTION   the function is in the call stack\n"
             "  file:SOURCE   a function of this source file is in the call "
             "stack\n"
             "  dso:LIBRARY   a function of this library or program is in the "
             "call stack\n"
             "  user:LABEL    the program marked the event or range with this "
             "label\n"
             "  range         (--ranges) the memory is in any range that the "
             "program marked\n"
             "  malloc        (--ranges) the memory is in a heap block\n"
             "  thread:NAME   (--events) the thread with this number or name; "
             "applies as well\n"
             "  var:VARIABLE  (--ranges) the global or static variable\n"
             "  addr:A..B     (--ranges) the addresses from A up to B\n"
             "  not CONDITION the condition must not hold\n",
  .run = run};

/* dg_check.c: `dg check`: checks whether a log is valid.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "dg_record.h"
#include "base/output.h"

#include <inttypes.h>

/* The records are good; are they all?  */
static int
report_completeness (const struct cli_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log->log);
  struct output out;

  if (summary->complete == DG_COMPLETE_NO
      && summary->end_why != DG_END_MAX_SIZE && !log->is_growing)
    return cli_fail ("%s: offset 0x%" PRIx64 ": recording ended early,"
                     " because the log could not be written any further",
                     log->path, summary->good_bytes);
  output_init (&out);
  output_name (&out, log->path);
  if (log->is_growing)
    output_text (&out, ": good so far\n");
  else if (summary->end_why == DG_END_MAX_SIZE)
    output_text (&out, ": good; it ends where --datagrind-max-size was"
                       " reached\n");
  else if (summary->complete == DG_COMPLETE_YES)
    output_text (&out, ": good\n");
  else
    output_text (&out, ": good; it may be incomplete, as its recorder wrote "
                       "no end record\n");
  return output_finish (&out);
}

/* What loading does not look at.  */
static int
verify (const struct cli_log *log, int jobs)
{
  struct dg_error error;
  int code;

  cli_progress_phase (log->progress, "checking", 1);
  code = dg_log_verify (log->log, (unsigned) jobs, cli_progress_fn,
                        log->progress, &error);
  cli_progress_hide (log->progress);
  return code < 0 ? cli_fail ("%s: %s", log->path, error.message) : CLI_OK;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  int jobs = 0, status;
  const GOptionEntry options[] = {CLI_OPTION_JOBS (&jobs), {NULL}};
  struct cli_log log;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status >= 0)
    return status;
  if (!cli_log_open (&log, argv[1], jobs, DG_BLOCKS_NONE, 1))
    return CLI_FAILURE;
  status = cli_log_report (&log);
  if (status == CLI_OK)
    status = verify (&log, jobs);
  if (status == CLI_OK)
    status = report_completeness (&log);
  cli_log_close (&log);
  return status;
}

const struct cli_command command_check = {
  .name = "check",
  .args = "LOG",
  .summary = "Reads every record and checks whether the log is valid",
  .details = "All of an archive is decoded and compared with its checksums "
             "and totals.\n"
             "The exit status is 0 if the log is valid, 1 if it is damaged or "
             "cut short.\n",
  .run = run};

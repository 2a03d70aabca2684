/* dg_bundle.c: `dg bundle`: a log with the files that its names come from.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"
#include "base/output.h"

#include <string.h>

static void
warn (char *const *problems)
{
  for (; problems != NULL && *problems != NULL; problems++)
    cli_warn ("warning: %s", *problems);
}

/* What there is now.  */
static int
tell (const struct dg_bundle_summary *told, const char *path)
{
  char files[32], stored[32];
  struct output out;

  dg_number_text_bytes (files, sizeof files, told->file_bytes);
  dg_number_text_bytes (stored, sizeof stored, told->stored_bytes);
  output_init (&out);
  output_name (&out, path);
  output_format (&out,
                 ": %" G_GUINT64_FORMAT " modules, %" G_GUINT64_FORMAT
                 " debug files, %" G_GUINT64_FORMAT
                 " source files: %s of files in %s\n",
                 told->modules, told->debug_files, told->sources, files,
                 stored);
  return output_finish (&out);
}

static int
bundle (const struct cli_log *log, const char *output,
        const struct dg_bundle_options *options)
{
  struct dg_bundle_summary told;
  struct interrupt interrupt;
  struct dg_error error;
  char **problems;
  int code, status;

  interrupt_begin (&interrupt, log->progress, "bundling", 1);
  code = dg_log_bundle (log->log, output, options, interrupt_progress_fn,
                        &interrupt, &told, &problems, &error);
  status = interrupt_finish (&interrupt, code, output, &error);
  warn (problems);
  dg_bundle_free_problems (problems);
  if (status == CLI_OK)
    status = tell (&told, output);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  gboolean sources = FALSE;
  char *output = NULL;
  int level = 0, jobs = 0, status;
  const GOptionEntry options[] = {
    CLI_OPTION_OUTPUT (&output),
    {"sources", 0, 0, G_OPTION_ARG_NONE, &sources,
     "also keep the source files of all code that was executed", NULL},
    {"level", 0, 0, G_OPTION_ARG_INT, &level,
     "compress the files by level N of zstd, 1 to 19 (default: 12)", "N"},
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
  status = bundle (&log, output,
                   &(struct dg_bundle_options){
                     .size = sizeof (struct dg_bundle_options),
                     .level = level,
                     .sources = sources});
  status = cli_log_finish (&log, status);
out:
  g_free (output);
  return status;
}

const struct cli_command command_bundle = {
  .name = "bundle",
  .args = "LOG",
  .summary = "Packs a log with what names need, for other machines",
  .details =
    "Every command and dg_view then show the same names where neither the "
    "program\nnor its debug information is, or where they are newer.\n",
  .run = run};

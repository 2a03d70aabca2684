/* export_calls.c: call trees, which `dg calls` writes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_calls.h"

#include "analyse/analysis_work.h"

#include <unistd.h>

/* They are written by the analysis, which compresses nothing.  */
static int
check_output (const struct cli_command *command,
              const struct export_format *format, const char *path)
{
  static const char *const suffixes[] = {".gz", ".xz", ".zst"};
  bool is_standard = path == NULL || strcmp (path, "-") == 0;

  if (format->flags & EXPORT_BINARY && is_standard
      && isatty (STDOUT_FILENO))
    return cli_fail_usage (command,
                           "%s is binary, and standard output is a terminal: "
                           "give -o FILE",
                           format->name);
  for (size_t i = 0; !is_standard && i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return cli_fail_usage (command, "%s: %s is not compressed", path,
                             format->name);
  return CLI_OK;
}

int
export_calls_run (const struct cli_command *command,
                  const struct export_format *format,
                  struct analysis_options *options, const char *path)
{
  const struct dg_analysis *calls[] = {dg_analysis_find ("calls"), NULL};
  struct dg_setting setting = {
    format->calls_option,
    options->output != NULL ? options->output : "-"};
  struct analysis_work *work = g_new0 (struct analysis_work, 1);
  struct interrupt interrupt;
  int status = check_output (command, format, options->output);

  g_array_append_val (options->settings, setting);
  work->command = command;
  work->analyses = calls;
  work->n = 1;
  work->options = options;
  if (status == CLI_OK)
    status = analysis_work_open (work, path);
  if (status == CLI_OK) {
    interrupt_begin (&interrupt, work->log.progress, NULL, 0);
    status = analysis_work_report (work, &interrupt);
    interrupt_end (&interrupt);
  }
  status = analysis_work_close (work, status);
  g_free (work);
  return status;
}

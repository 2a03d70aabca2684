/* dg_record_bundle.c: `dg record --bundle`: archives get the files that their
   names come from, as soon as they are there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include "base/interrupt.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

static int
bundle (const struct cli_log *log, const char *output)
{
  const struct dg_bundle_options options = {.size = sizeof options};
  struct interrupt interrupt;
  struct dg_error error;
  char **problems;
  int code, status;

  interrupt_begin (&interrupt, output);
  code = dg_log_bundle (log->log, output, &options, interrupt_progress_fn,
                        &interrupt, NULL, &problems, &error);
  status = interrupt_finish (&interrupt, code, output, &error);
  for (char **problem = problems; problem != NULL && *problem != NULL;
       problem++)
    cli_warn ("warning: %s", *problem);
  dg_bundle_free_problems (problems);
  return status;
}

bool
record_bundle (const char *path)
{
  char *output = g_strconcat (path, ".bundle", NULL);
  struct cli_log log;
  bool is_done = false;

  if (cli_log_open (&log, path, 0)) {
    is_done = bundle (&log, output) == CLI_OK;
    cli_log_close (&log);
  }
  if (is_done && g_rename (output, path) < 0) {
    cli_fail ("%s: %s", path, g_strerror (errno));
    g_unlink (output);
    is_done = false;
  }
  g_free (output);
  return is_done;
}

/* dg_record_bundle.c: `dg record --bundle`: archives get the files that their
   names come from, as soon as they are there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include "base/interrupt.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>

static int
bundle (const struct cli_log *log, const char *output)
{
  const struct dg_bundle_options options = {.size = sizeof options};
  struct interrupt interrupt;
  struct dg_error error;
  char **problems;
  int code, status;

  interrupt_begin (&interrupt, log->progress, "bundling", 1);
  code = dg_log_bundle (log->log, output, &options, interrupt_progress_fn,
                        &interrupt, NULL, &problems, &error);
  status = interrupt_finish (&interrupt, code, output, &error);
  for (char **problem = problems; problem != NULL && *problem != NULL;
       problem++)
    cli_warn ("warning: %s", *problem);
  dg_bundle_free_problems (problems);
  return status;
}

/* In a folder of its own beside the archive, then in its place.  */
static bool
bundle_in (const struct cli_log *log, const char *target, const char *folder)
{
  char *base = g_path_get_basename (target);
  char *output = g_build_filename (folder, base, NULL);
  bool is_done = bundle (log, output) == CLI_OK;

  if (is_done && g_rename (output, target) < 0) {
    cli_fail ("%s: %s", target, g_strerror (errno));
    is_done = false;
  }
  if (!is_done)
    g_unlink (output);
  g_free (output);
  g_free (base);
  return is_done;
}

bool
record_bundle (const char *path)
{
  /* Where links lead.  */
  char *target = dg_output_path (path);
  char *parent = g_path_get_dirname (target != NULL ? target : path);
  char *folder = g_build_filename (parent, ".dg-bundle-XXXXXX", NULL);
  struct cli_log log;
  bool is_done = false;

  if (target == NULL || g_mkdtemp (folder) == NULL) {
    cli_fail ("%s: %s", path, g_strerror (errno));
  } else {
    if (cli_log_open (&log, path, 0, DG_BLOCKS_NONE, 1)) {
      is_done = bundle_in (&log, target, folder);
      cli_log_close (&log);
    }
    g_rmdir (folder);
  }
  g_free (folder);
  g_free (parent);
  free (target);
  return is_done;
}

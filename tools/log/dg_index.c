/* dg_index.c: `dg index`: the index of a log, in a file beside it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/interrupt.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "FILE: what it is: 12 chunks, 345 lines, 6.70 KiB", and how long it
   took.  */
static int
print_result (const char *path, const char *what, struct dg_index *index,
              uint64_t accesses, double seconds)
{
  size_t chunks = dg_index_lists (index, 0), lines = 0;
  unsigned levels = dg_index_levels (index);
  const struct dg_line_list *all = NULL;
  struct dg_error error;
  struct output out;
  char size[DG_NUMBER_TEXT], time[DG_NUMBER_TEXT], speed[DG_NUMBER_TEXT];

  if (levels > 0) {
    all = dg_index_borrow (index, levels - 1, 0, &error);
    if (all == NULL)
      return cli_fail ("%s: %s", path, error.message);
    lines = all->n;
  }
  dg_number_text_bytes (size, sizeof size, dg_index_bytes (index));
  output_init (&out);
  output_name (&out, path);
  output_format (&out, ": %s: ", what);
  output_counted (&out, chunks, "chunk", "chunks");
  output_text (&out, ", ");
  output_counted (&out, lines, "line", "lines");
  output_format (&out, ", %s", size);
  if (seconds > 0) {
    dg_number_text_ns (time, sizeof time, (uint64_t) (seconds * 1e9));
    dg_number_text_about (speed, sizeof speed,
                          (uint64_t) ((double) accesses / seconds));
    output_format (&out, ", %s, %s accesses/s", time, speed);
  }
  output_text (&out, "\n");
  dg_index_return (index, all);
  return output_finish (&out);
}

/* What there is already: -1, or the exit status if that will do.  */
static int
look (const struct cli_log *log, const char *path, bool force)
{
  struct dg_error error;
  struct dg_index *index;
  bool is_own;
  int status = -1;

  if (dg_index_open (log->log, &index, &error) < 0) {
    if (error.code == DG_ERR_NOMEM || error.code == DG_ERR_LIMIT)
      return cli_fail ("%s: %s", log->path, error.message);
    if (error.code != DG_ERR_IO)
      cli_warn ("%s: %s; it is rebuilt", path, error.message);
    return -1;
  }
  is_own = dg_index_origin (index) == DG_INDEX_ARCHIVE;
  if (is_own || !force)
    status = print_result (is_own ? log->path : path,
                           is_own ? "already has an index" : "is up to date",
                           index, 0, 0);
  dg_index_close (index);
  return status;
}

static int
make (const struct cli_log *log, const char *path, int jobs)
{
  gint64 start = g_get_monotonic_time ();
  struct interrupt interrupt;
  struct dg_index *index;
  struct dg_error error;
  int code, status;

  interrupt_begin (&interrupt, log->progress, "indexing", 1);
  code = dg_index_build (log->log, path, (unsigned) jobs,
                         interrupt_progress_fn, &interrupt, &index, &error);
  status = interrupt_finish (&interrupt, code, log->path, &error);
  if (status != CLI_OK)
    return status;
  if (dg_index_note (index) != NULL)
    status = cli_fail ("%s", dg_index_note (index));
  else
    status =
      print_result (path, "made", index, dg_log_summary (log->log)->accesses,
                    (double) (g_get_monotonic_time () - start) / 1e6 + 1e-6);
  dg_index_close (index);
  return status;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  char *output = NULL, *path = NULL;
  gboolean force = FALSE;
  int jobs = 0, status;
  const GOptionEntry options[] = {
    {"force", 0, 0, G_OPTION_ARG_NONE, &force,
     "build the index even if it is up to date", NULL},
    CLI_OPTION_OUTPUT (&output),
    CLI_OPTION_JOBS (&jobs),
    {NULL}};
  struct cli_log log;

  status = cli_parse (command, options, &argc, argv, 1);
  if (status < 0 && output != NULL)
    status = cli_check_output (command, output);
  if (status < 0 && output != NULL && force)
    status = cli_fail_usage (
      command, "--force has no effect with -o, which always builds the index");
  if (status >= 0)
    goto out;
  status = CLI_FAILURE;
  if (!cli_log_open (&log, argv[1], jobs, DG_BLOCKS_NONE, 1))
    goto out;
  log.needs_all = true;
  path = output != NULL ? strdup (output) : dg_index_sidecar (log.log);
  status = output != NULL ? -1 : look (&log, path, force);
  if (status < 0)
    status = make (&log, path, jobs);
  status = cli_log_finish (&log, status);
out:
  free (path);
  g_free (output);
  return status;
}

const struct cli_command command_index = {
  .name = "index",
  .args = "LOG",
  .summary = "Builds the index of a log, from which dg_view draws at once",
  .details = "The index is LOG.dgx, unless -o names another file; if LOG "
             "itself contains\n"
             "one, nothing is done.\n",
  .run = run};

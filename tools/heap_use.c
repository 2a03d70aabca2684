/* heap_use.c: `dg heap --sites`, `--blocks`, `--untouched` and `--late`: how
   the blocks of the heap were used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_use.h"

#include "dg_sites.h"
#include "interrupt.h"
#include "partial.h"
#include "report_json.h"
#include "report_text.h"

#include <limits.h>

/* ---- Showing ---------------------------------------------------------- */

static void
tell_what (struct heap_use *use)
{
  const struct cli_log *log = use->input->log;
  const struct dg_process *process = dg_log_process (log->log);

  dg_report_value (use->report, "log", "Log", DG_UNIT_TEXT,
                   DG_CELL_TEXT (log->path));
  if (process != NULL) {
    char *line = cli_log_command (process);

    dg_report_value (use->report, "command", "Command", DG_UNIT_TEXT,
                     DG_CELL_TEXT (line));
    g_free (line);
  }
  partial_report (use->report, log->log);
}

/* What the figures leave out.  */
static void
tell_holders (struct heap_use *use)
{
  size_t n_holders = 0;

  for (size_t i = 0; i < use->n; i++)
    n_holders += !heap_use_counts (use, i);
  if (n_holders > 0)
    dg_report_note (use->report, "Blocks from which the program cut others"
                                 " are left out (%zu); these are told"
                                 " instead.", n_holders);
}

static int
fill_report (struct heap_use *use, struct dg_error *err)
{
  const struct heap_options *options = use->input->options;
  int code = 0;

  tell_what (use);
  if (options->sites)
    code = heap_use_sites (use, err);
  if (code < 0)
    return code;
  if (options->untouched)
    heap_use_untouched (use);
  if (options->blocks)
    heap_use_blocks (use);
  if (options->late)
    heap_use_late (use);
  tell_holders (use);
  return 0;
}

static int
show (struct heap_use *use)
{
  const struct heap_options *options = use->input->options;
  const struct report_text_options as_text = {.top = (uint64_t) options->top,
                                              .width = 100};
  struct output out;
  int status = output_open (&out, options->output, use->input->log->path);

  if (status != CLI_OK)
    return status;
  if (options->json)
    report_json (&out, use->report, (uint64_t) options->top);
  else
    report_text (&out, use->report, &as_text);
  return output_finish (&out);
}

/* ---- Working ---------------------------------------------------------- */

/* Reads the log: CLI_OK, or the exit status after a message.  */
static int
read_log (const struct heap_input *input, struct dg_use **use)
{
  const struct dg_use_options options = {
    .workers = (unsigned) input->options->jobs, .want_bytes = true};
  struct interrupt interrupt;
  struct dg_error error;
  int code;

  interrupt_begin (&interrupt, input->log->path);
  code = dg_use_run (input->log->log, &options, interrupt_progress_fn,
                     &interrupt, use, &error);
  interrupt_end (&interrupt);
  return code < 0 ? cli_fail ("%s: %s", input->log->path, error.message)
                  : CLI_OK;
}

static int
tell (const struct heap_input *input, const struct dg_use *read)
{
  const struct dg_massif_options *massif = &input->options->massif;
  const struct allocs_names_options names = {
    .levels = input->options->by_stack ? UINT_MAX : 1,
    .alloc_fns = massif->alloc_fns, .n_alloc_fns = massif->n_alloc_fns};
  struct heap_use use = {.input = input};
  struct dg_error error;
  int status;

  use.use = dg_use_blocks (read, &use.n);
  use.log = input->log->log;
  use.end_icount = dg_log_summary (input->log->log)->last_icount;
  use.program = dg_log_program (input->log->log);
  use.sites = g_hash_table_new (NULL, NULL);
  use.strings = g_string_chunk_new (4096);
  use.report = dg_report_new (&error);
  if (use.report != NULL)
    use.names = allocs_names_new (input->log->log, &names, &error);
  if (use.names != NULL && fill_report (&use, &error) == 0) {
    status = show (&use);
    cli_warn_of_symbols (allocs_names_symbols (use.names));
  } else {
    status = cli_fail ("%s: %s", input->log->path, error.message);
  }
  allocs_names_free (use.names);
  dg_report_free (use.report);
  g_hash_table_unref (use.sites);
  g_string_chunk_free (use.strings);
  return status;
}

int
heap_use (const struct heap_input *input)
{
  struct dg_use *read;
  int status = read_log (input, &read);

  if (status == CLI_OK) {
    status = tell (input, read);
    dg_use_free (read);
  }
  return status;
}

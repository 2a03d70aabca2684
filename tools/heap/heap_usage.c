/* heap_usage.c: `dg heap --sites`, `--blocks`, `--untouched` and `--late`: how
   the blocks of the heap were used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_usage.h"

#include "libdatagrind.h"
#include "base/interrupt.h"
#include "base/partial.h"
#include "base/report_json.h"
#include "base/report_sort.h"
#include "base/report_text.h"
#include "base/schema.h"

#include <limits.h>
#include <stdlib.h>

/* ---- Showing ---------------------------------------------------------- */

static void
report_log (struct heap_usage *use)
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

/* Blocks that the figures omit.  */
static void
report_holders (struct heap_usage *use)
{
  guint n_holders = g_hash_table_size (use->holders);

  if (n_holders > 0)
    dg_report_note (use->report,
                    "Blocks that a memory pool was carved from are omitted "
                    "(%u); the pool's own blocks are shown instead.",
                    n_holders);
}

static int
show (struct heap_usage *use)
{
  const struct heap_options *options = use->input->options;
  const struct report_text_options as_text =
    report_text_options (options->output, (uint64_t) options->top,
                         options->sort, options->is_wide, 100);
  const struct report_json_options as_json = {.schema = schema_id ("heap"),
                                              .top = (uint64_t) options->top,
                                              .sort = options->sort};
  struct output out;
  int status =
    report_sort_check (options->command, use->report, options->sort);

  if (status == CLI_OK)
    status = output_open (&out, options->output, use->input->log->path);
  if (status != CLI_OK)
    return status;
  if (options->json)
    report_json (&out, use->report, &as_json);
  else
    report_text (&out, use->report, &as_text);
  return output_finish (&out);
}

/* ---- Working ---------------------------------------------------------- */

/* The tables that are wanted, in the order of the report.  */
#define TABLES 4
struct tables {
  struct heap_usage use;
  const struct heap_usage_table *kinds[TABLES];
  void *tables[TABLES];
  unsigned n;
};

static void
add_table (struct tables *tables, gboolean is_wanted,
           const struct heap_usage_table *kind)
{
  if (!is_wanted)
    return;
  tables->kinds[tables->n] = kind;
  tables->tables[tables->n++] = kind->make (&tables->use);
}

static void
end_block (void *user, uint32_t index, const struct dg_usage_block *block_use)
{
  struct tables *tables = user;
  struct heap_usage *use = &tables->use;
  struct heap_usage_block block = {.index = index, .use = block_use};

  if ((block_use->flags & DG_USAGE_HAS_PIECES) != 0) {
    g_hash_table_add (use->holders, GUINT_TO_POINTER (index));
    return;
  }
  block.block = dg_log_block (use->log, index);
  block.end = block.block.free_icount != DG_NEVER ? block.block.free_icount
                                                  : use->end_icount;
  block.life = block.end - MIN (block.end, block.block.alloc_icount);
  for (unsigned i = 0; i < tables->n; i++)
    tables->kinds[i]->add (tables->tables[i], &block);
}

static int
read_log (struct tables *tables, struct dg_error *err)
{
  const struct heap_input *input = tables->use.input;
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = end_block,
                                           .ended_user = tables,
                                           .workers =
                                             (unsigned) input->options->jobs,
                                           .want_bytes = true};
  struct interrupt interrupt;
  int code;

  interrupt_begin (&interrupt, input->log->progress, "use of blocks", 1);
  code = dg_usage_run (input->log->log, &options, interrupt_progress_fn,
                       &interrupt, err);
  interrupt_end (&interrupt);
  return code;
}

static int
fill_report (struct tables *tables, struct dg_error *err)
{
  const struct heap_options *options = tables->use.input->options;
  int code;

  add_table (tables, options->sites, &heap_usage_sites);
  add_table (tables, options->untouched, &heap_usage_untouched);
  add_table (tables, options->blocks, &heap_usage_blocks);
  add_table (tables, options->late, &heap_usage_late);
  report_log (&tables->use);
  code = dg_temporary_find (tables->use.log, &tables->use.are_temporary, err);
  if (code >= 0)
    code = read_log (tables, err);
  for (unsigned i = 0; i < tables->n && code >= 0; i++)
    code = tables->kinds[i]->report (tables->tables[i], err);
  report_holders (&tables->use);
  if (code >= 0)
    code = dg_report_check (tables->use.report, err);
  for (unsigned i = 0; i < tables->n; i++)
    tables->kinds[i]->free (tables->tables[i]);
  return code;
}

int
heap_usage (const struct heap_input *input)
{
  const struct dg_massif_options *massif = &input->options->massif;
  const struct stack_names_options names = {
    .levels = input->options->by_stack ? UINT_MAX : 1,
    .alloc_fns = massif->alloc_fns,
    .n_alloc_fns = massif->n_alloc_fns};
  struct tables tables = {.use = {.input = input}};
  struct heap_usage *use = &tables.use;
  struct dg_error error;
  int status;

  use->log = input->log->log;
  use->end_icount = dg_log_summary (use->log)->last_icount;
  use->program = dg_log_program (use->log);
  use->sites = g_hash_table_new (NULL, NULL);
  use->lasts = heap_usage_lasts_new ();
  use->holders = g_hash_table_new (NULL, NULL);
  use->strings = g_string_chunk_new (4096);
  use->report = dg_report_new (&error);
  if (use->report != NULL)
    use->names = stack_names_new (use->log, &names, &error);
  if (use->names != NULL && fill_report (&tables, &error) >= 0) {
    status = show (use);
    cli_warn_of_symbols (stack_names_symbols (use->names));
  } else {
    status = cli_fail ("%s: %s", input->log->path, error.message);
  }
  stack_names_free (use->names);
  dg_report_free (use->report);
  g_hash_table_unref (use->sites);
  g_hash_table_unref (use->lasts);
  g_hash_table_unref (use->holders);
  g_string_chunk_free (use->strings);
  free (use->are_temporary);
  return status;
}

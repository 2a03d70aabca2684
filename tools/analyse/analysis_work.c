/* analysis_work.c: analyses of a log, from its file to a report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis_work.h"

#include "base/parse.h"
#include "base/partial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Threads -------------------------------------------------------- */

/* "1, 2 and 5 to 9": which threads there are.  */
static char *
describe_threads (const struct dg_thread *threads, size_t n)
{
  GString *text = g_string_new (NULL);

  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n
                      && threads[end].number == threads[end - 1].number + 1;)
      end++;
    g_string_append_printf (text, "%s%" PRIu32,
                            i == 0 ? "" : end < n ? ", " : " and ",
                            threads[i].number);
    if (end > i + 1)
      g_string_append_printf (text, " to %" PRIu32, threads[end - 1].number);
  }
  return g_string_free (text, FALSE);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const struct dg_thread *x = a, *y = b;

  return x->number < y->number ? -1 : x->number > y->number;
}

/* A part of the list that no thread is in.  */
static void
warn_of_threads (const struct dg_thread *all, size_t n,
                 const struct parse_numbers *numbers)
{
  struct dg_thread *sorted = g_memdup2 (all, n * sizeof *all);
  char *there;

  if (n > 0)
    qsort (sorted, n, sizeof *sorted, compare_numbers);
  there = describe_threads (sorted, n);
  if (numbers->first == numbers->last)
    cli_warn ("warning: --threads: there is no thread %" PRIu32
              "; there %s %s", numbers->first,
              n == 1 ? "is only" : "are", there);
  else
    cli_warn ("warning: --threads: there are no threads %" PRIu32 " to %"
              PRIu32 "; there %s %s", numbers->first, numbers->last,
              n == 1 ? "is only" : "are", there);
  g_free (there);
  g_free (sorted);
}

static void
add_once (GArray *threads, uint32_t number)
{
  for (guint i = 0; i < threads->len; i++)
    if (g_array_index (threads, uint32_t, i) == number)
      return;
  g_array_append_val (threads, number);
}

/* The threads of the log that were asked for; a number that none of them has
   if there is no such thread.  */
static GArray *
choose_threads (const struct dg_log *log, const GArray *list)
{
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  size_t n;
  const struct dg_thread *all = dg_log_threads (log, &n);
  const uint32_t none = 0;

  for (guint j = 0; list != NULL && j < list->len; j++) {
    const struct parse_numbers *numbers =
      &g_array_index (list, struct parse_numbers, j);
    bool is_met = false;

    for (size_t i = 0; i < n; i++)
      if (all[i].number >= numbers->first && all[i].number <= numbers->last) {
        add_once (threads, all[i].number);
        is_met = true;
      }
    if (!is_met)
      warn_of_threads (all, n, numbers);
  }
  if (list != NULL && threads->len == 0)
    g_array_append_val (threads, none);
  return threads;
}

/* ---- From a log to a report ------------------------------------------- */

/* Processor time of each, beside that of reading all accesses.  */
double
analysis_work_amount (const char *name)
{
  static const struct {
    const char *name;
    double amount;
  } amounts[] = {{"branches", 2}, {"cache", 2},    {"calls", 1},
                 {"counts", 0.3}, {"invariants", 3}, {"pages", 2},
                 {"opcodes", 0.3}, {"patterns", 5}, {"reuse", 3},
                 {"schedule", 0.3}, {"sharing", 0.5},
                 {"time", 8},     {"tlb", 1},        {"whatif", 8}};

  for (size_t i = 0; i < G_N_ELEMENTS (amounts); i++)
    if (strcmp (amounts[i].name, name) == 0)
      return amounts[i].amount;
  return 1;
}

/* The work of all analyses of the command.  */
static double
amount_of_all (const struct analysis_work *work)
{
  double sum = 0;

  for (size_t i = 0; i < work->n; i++)
    sum += analysis_work_amount (work->analyses[i]->name);
  return sum;
}

enum dg_blocks
analysis_work_blocks (const struct dg_analysis *const *analyses, size_t n,
                      const struct analysis_options *options)
{
  const struct dg_analyse_options how = {
    .size = sizeof how,
    .settings = (const struct dg_setting *) (void *) options->settings->data,
    .n_settings = options->settings->len};

  enum dg_blocks of_filter = cli_filter_blocks (options->ranges);

  return of_filter != DG_BLOCKS_NONE
           ? of_filter : dg_analyse_blocks (analyses, n, &how);
}

int
analysis_work_open (struct analysis_work *work, const char *path)
{
  const struct analysis_options *options = work->options;
  double amount = amount_of_all (work) + work->more;
  struct dg_error error;
  int status;

  if (options->events != NULL || options->ranges != NULL)
    amount += CLI_WORK_NAMES;
  if (work->given != NULL)
    cli_log_borrow (&work->log, work->given, amount);
  else if (!cli_log_open_part (
             &work->log, path, options->jobs,
             work->needs_all_blocks
               ? DG_BLOCKS_ALL
               : analysis_work_blocks (work->analyses, work->n, options),
             amount, work->progress))
    return CLI_FAILURE;
  work->is_open = true;
  work->symbols =
    dg_symbols_new (work->log.log,
                    (const char *const *) options->source_map, &error);
  if (work->symbols == NULL)
    return cli_fail ("%s: %s", work->log.path, error.message);
  status = cli_filter_init (&work->filter, work->command, &work->log,
                            work->symbols, options->events, options->ranges);
  work->threads = choose_threads (work->log.log, options->thread_list);
  return status;
}

/* How the log is read, without settings of analyses.  */
static struct dg_analyse_options
how_to_read (const struct analysis_work *work)
{
  const struct analysis_options *options = work->options;

  return (struct dg_analyse_options) {
    .size = sizeof (struct dg_analyse_options),
    .workers = (unsigned) options->jobs,
    .filter = work->filter.filter,
    .threads = (const uint32_t *) (void *) work->threads->data,
    .n_threads = work->threads->len,
    .start_icount = options->start_icount,
    .end_icount = options->end_icount,
    .interval_instructions = options->interval_instructions,
    .interval_ns = options->interval_ns,
    .symbols = work->symbols,
    .space = work->filter.space,
    .allocators = options->allocators,
    .top = options->top,
    .scales = true};
}

int
analysis_work_another (struct analysis_work *work,
                       const struct dg_analysis *analysis,
                       const struct dg_setting *settings, size_t n,
                       struct interrupt *interrupt, struct dg_report *report,
                       struct dg_error *error)
{
  struct dg_analyse_options how = how_to_read (work);

  how.interval_instructions = how.interval_ns = 0;
  how.settings = settings;
  how.n_settings = n;
  return dg_analyse (work->log.log, &analysis, 1, &how, interrupt_progress_fn,
                     interrupt, report, error);
}

static int
analyse (struct analysis_work *work, struct interrupt *interrupt)
{
  const struct analysis_options *options = work->options;
  struct dg_analyse_options how = how_to_read (work);
  double *amounts = g_new (double, work->n);
  struct dg_error error;
  int code;

  how.settings = (const struct dg_setting *) (void *) options->settings->data;
  how.n_settings = options->settings->len;
  how.user = work->user;
  for (size_t i = 0; i < work->n; i++)
    amounts[i] = analysis_work_amount (work->analyses[i]->name);
  how.amounts = amounts;
  code = dg_analyse (work->log.log, work->analyses, work->n, &how,
                     interrupt_progress_fn, interrupt, work->report, &error);
  g_free (amounts);
  if (code >= 0)
    return CLI_OK;
  /* Only by a signal, which says enough.  */
  if (error.code == DG_ERR_CANCELLED)
    return CLI_FAILURE;
  if (error.code == DG_ERR_INVALID)
    return cli_fail_usage_of (work->command, NULL, "%s", error.message);
  return cli_fail ("%s: %s", work->log.path, error.message);
}

int
analysis_work_report (struct analysis_work *work, struct interrupt *interrupt)
{
  struct dg_error error;

  work->report = dg_report_new (&error);
  if (work->report == NULL)
    return cli_fail ("%s: %s", work->log.path, error.message);
  partial_report (work->report, work->log.log);
  cli_progress_expect (work->log.progress, amount_of_all (work) + work->more);
  cli_progress_phase (work->log.progress, "analysing", amount_of_all (work));
  return analyse (work, interrupt);
}

static void
say (struct output *out, const char *name, const char *text)
{
  output_format (out, "%-9s  ", name);
  output_name (out, text);
  output_text (out, "\n");
}

static void
add_choice (GString *line, const char *option, const char *value)
{
  if (value == NULL)
    return;
  if (line->len > 0)
    g_string_append_c (line, ' ');
  g_string_append_printf (line, "--%s=%s", option, value);
}

void
analysis_work_heading (const struct analysis_work *work, struct output *out)
{
  const struct analysis_options *options = work->options;
  const struct cli_log *log = &work->log;
  const struct dg_process *process = dg_log_process (log->log);
  GString *only = g_string_new (NULL);

  say (out, "Log", log->path);
  if (process != NULL) {
    char *line = cli_log_command (process);

    say (out, "Command", line);
    g_free (line);
  }
  add_choice (only, "events", options->events);
  add_choice (only, "ranges", options->ranges);
  add_choice (only, "threads", options->threads);
  add_choice (only, "instructions", options->instructions);
  if (only->len > 0)
    say (out, "Only", only->str);
  g_string_free (only, TRUE);
}

int
analysis_work_close (struct analysis_work *work, int status)
{
  if (work->is_open)
    cli_progress_hide (work->log.progress);
  cli_filter_fini (&work->filter);
  if (work->threads != NULL)
    g_array_unref (work->threads);
  dg_report_free (work->report);
  if (status == CLI_OK && work->symbols != NULL)
    cli_warn_of_symbols (work->symbols);
  dg_symbols_free (work->symbols);
  return work->is_open ? cli_log_finish (&work->log, status) : status;
}

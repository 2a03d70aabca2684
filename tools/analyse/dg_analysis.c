/* dg_analysis.c: `dg counts`, `dg reuse,cache` and so on: analyses of a log,
   in one pass, and what they found.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis_names.h"
#include "analysis_options.h"
#include "base/commands.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/partial.h"
#include "base/report_json.h"
#include "base/report_sort.h"
#include "base/report_text.h"
#include "base/printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One command line at work.  */
struct work {
  const struct cli_command *command;
  const struct dg_analysis *const *analyses;
  size_t n;
  const struct analysis_options *options;
  struct cli_log log;
  struct dg_symbols *symbols;
  struct cli_filter filter;
  GArray *threads;         /* uint32_t */
  struct dg_report *report;
  struct output out;
};

/* ---- Preparing -------------------------------------------------------- */

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

/* ---- Showing ---------------------------------------------------------- */

static void
say (struct output *out, const char *name, const char *text)
{
  char *safe = printable_text (text);

  output_format (out, "%-9s  %s\n", name, safe);
  g_free (safe);
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

/* What was analysed.  */
static void
write_heading (struct work *work)
{
  const struct analysis_options *options = work->options;
  const struct dg_process *process = dg_log_process (work->log.log);
  GString *only = g_string_new (NULL);

  say (&work->out, "Log", work->log.path);
  if (process != NULL) {
    char *line = cli_log_command (process);

    say (&work->out, "Command", line);
    g_free (line);
  }
  add_choice (only, "events", options->events);
  add_choice (only, "ranges", options->ranges);
  add_choice (only, "threads", options->threads);
  add_choice (only, "instructions", options->instructions);
  if (only->len > 0)
    say (&work->out, "Only", only->str);
  g_string_free (only, TRUE);
}

static int
show (struct work *work)
{
  const struct analysis_options *options = work->options;
  struct report_text_options as_text = report_text_options (
    work->out.path, options->top, options->sort, options->is_wide, 80);

  as_text.has_parts = work->n > 1;
  /* An analysis wrote the requested data there.  */
  if (dg_report_has_output (work->report) && work->out.path == NULL)
    return output_finish (&work->out);
  if (options->as_json) {
    report_json (&work->out, work->report, options->top, options->sort);
  } else {
    write_heading (work);
    report_text (&work->out, work->report, &as_text);
  }
  return output_finish (&work->out);
}

/* ---- Analysing -------------------------------------------------------- */

static int
analyse (struct work *work, struct interrupt *interrupt)
{
  const struct analysis_options *options = work->options;
  const struct dg_analyse_options how = {
    .size = sizeof how,
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
    .settings = (const struct dg_setting *) (void *) options->settings->data,
    .n_settings = options->settings->len};
  struct dg_error error;

  if (dg_analyse (work->log.log, work->analyses, work->n, &how,
                  interrupt_progress_fn, interrupt, work->report, &error)
      >= 0)
    return CLI_OK;
  /* Only by a signal, which says enough.  */
  if (error.code == DG_ERR_CANCELLED)
    return CLI_FAILURE;
  if (error.code == DG_ERR_INVALID)
    return cli_fail_usage_of (work->command, NULL, "%s", error.message);
  return cli_fail ("%s: %s", work->log.path, error.message);
}

/* With the output open.  A signal ends dg when nothing is half done: who
   reads standard output may take his time, a file does not.  */
static int
analyse_and_show (struct work *work)
{
  struct interrupt interrupt;
  struct dg_error error;
  bool is_file = work->out.path != NULL;
  int status;

  interrupt_begin (&interrupt, work->log.path);
  work->report = dg_report_new (&error);
  if (work->report != NULL) {
    partial_report (work->report, work->log.log);
    status = analyse (work, &interrupt);
  } else {
    status = cli_fail ("%s: %s", work->log.path, error.message);
  }
  /* Which columns there are is known when there are tables.  */
  if (status == CLI_OK)
    status = report_sort_check (work->command, work->report,
                                work->options->sort);
  if (status != CLI_OK) {
    output_drop (&work->out);
    g_clear_pointer (&work->report, dg_report_free);
  }
  if (!is_file || status != CLI_OK)
    interrupt_end (&interrupt);
  if (status == CLI_OK) {
    status = show (work);
    if (is_file)
      interrupt_end (&interrupt);
    if (dg_report_has_failed (work->report) && status == CLI_OK)
      status = CLI_FAILURE;
  }
  dg_report_free (work->report);
  return status;
}

/* With the log open.  */
static int
prepare (struct work *work)
{
  const struct analysis_options *options = work->options;
  struct dg_error error;
  int status;

  work->symbols =
    dg_symbols_new (work->log.log,
                    (const char *const *) options->source_map, &error);
  if (work->symbols == NULL)
    return cli_fail ("%s: %s", work->log.path, error.message);
  status = cli_filter_init (&work->filter, work->command, &work->log,
                            work->symbols, options->events, options->ranges);
  work->threads = choose_threads (work->log.log, options->thread_list);
  if (status == CLI_OK)
    status = output_open (&work->out, options->output, work->log.path);
  if (status == CLI_OK)
    status = analyse_and_show (work);
  cli_filter_fini (&work->filter);
  g_array_unref (work->threads);
  if (status == CLI_OK)
    cli_warn_of_symbols (work->symbols);
  dg_symbols_free (work->symbols);
  return status;
}

/* ---- The command ------------------------------------------------------ */

static int
run_parsed (const struct cli_command *command, const GPtrArray *analyses,
            const struct analysis_options *options, const char *path)
{
  struct work *work = g_new0 (struct work, 1);
  int status = CLI_FAILURE;

  work->command = command;
  work->analyses = (const struct dg_analysis *const *) analyses->pdata;
  work->n = analyses->len - 1;
  work->options = options;
  if (cli_log_open (&work->log, path, options->jobs))
    status = cli_log_finish (&work->log, prepare (work));
  g_free (work);
  return status;
}

/* The texts of --help of several analyses.  */
static void
describe (struct cli_command *command, const GPtrArray *analyses,
          GPtrArray *made)
{
  const struct dg_analysis *first = analyses->pdata[0];
  GString *details = g_string_new (NULL);
  char *text;

  for (guint i = 0; i + 1 < analyses->len; i++) {
    const struct dg_analysis *analysis = analyses->pdata[i];

    if (analysis->details != NULL)
      g_string_append_printf (details, "%s%s", details->len > 0 ? "\n" : "",
                              analysis->details);
  }
  if (details->len > 0 && details->str[details->len - 1] != '\n')
    g_string_append_c (details, '\n');
  command->details = details->str;
  g_ptr_array_add (made, g_string_free (details, FALSE));
  if (command->details[0] == '\0')
    command->details = NULL;
  if (analyses->len == 2)
    text = g_strdup (first->summary);
  else
    text = g_strdup_printf ("Runs the analyses %s in one pass over a log",
                            command->name);
  if (g_str_has_suffix (text, "."))
    text[strlen (text) - 1] = '\0';
  command->summary = text;
  g_ptr_array_add (made, text);
}

int
analysis_run (const struct cli_command *const *commands, int argc,
              char **argv)
{
  struct cli_command command = {.name = argv[0], .args = "LOG"};
  struct analysis_options options;
  GPtrArray *analyses, *made;
  int status;

  analyses = analysis_names_find (argv[0], commands, argc, argv, &status);
  if (analyses == NULL)
    return status;
  made = g_ptr_array_new_with_free_func (g_free);
  describe (&command, analyses, made);
  status = analysis_options_parse (
    &options, &command, (const struct dg_analysis *const *) analyses->pdata,
    &argc, argv);
  if (status < 0)
    status = run_parsed (&command, analyses, &options, argv[1]);
  analysis_options_fini (&options);
  g_ptr_array_unref (made);
  g_ptr_array_unref (analyses);
  return status;
}

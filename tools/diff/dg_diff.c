/* dg_diff.c: `dg diff`: what changed between two runs, and whether that is
   more than it may.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse/analysis_names.h"
#include "analyse/analysis_work.h"
#include "base/commands.h"
#include "base/output.h"
#include "base/partial.h"
#include "base/printable.h"
#include "base/report_json.h"
#include "base/report_sort.h"
#include "base/report_text.h"
#include "base/schema.h"
#include "diff_findings.h"
#include "diff_heap.h"
#include "diff_limit.h"
#include "diff_program.h"
#include "diff_report.h"
#include "diff_results.h"

#include <string.h>

/* A limit is broken.  */
#define DIFF_BROKEN 3

/* The analyses that are compared if the user gives none, and the number of
   rows that each of their tables shows.  */
#define OVERVIEW "counts,time,heap"
#define OVERVIEW_ROWS 5

struct diff {
  struct cli_command command;
  const struct dg_analysis *const *analyses;
  size_t n_analyses;
  struct advise_work *advise;    /* NULL: analyses are compared */
  struct analysis_options own_options, *options;     /* or those of advise */
  /* Its own options.  */
  char **more_before, **more_after, **fail_if;
  char *junit, *benchmark; /* paths of files for what limits say */
  char *least_text;
  double least;
  GArray *limits;          /* struct diff_limit */

  GPtrArray *paths;        /* of all logs; the first n_before before */
  unsigned n_before;
  GPtrArray *reports;
  GPtrArray *found;        /* of advise: the findings of each log */
  GPtrArray *cautions;     /* of each log, what it lacks, or NULL */
  GPtrArray *samples;      /* that it is a sample, or NULL */
  GPtrArray *programs;     /* the name of its main program */
  struct dg_report *report;
  struct output out;
  bool is_overview;        /* no analysis is given */
};

/* ---- The command line ------------------------------------------------- */

static bool
is_given (const struct diff *diff, const char *option)
{
  const GArray *settings = diff->options->settings;

  for (guint i = 0; i < settings->len; i++)
    if (strcmp (g_array_index (settings, struct dg_setting, i).name, option)
        == 0)
      return true;
  return false;
}

/* A file that is written for each log would be that of the last one.  */
static int
refuse_files (const struct diff *diff)
{
  for (size_t i = 0; i < diff->n_analyses; i++)
    for (const struct dg_option *option = diff->analyses[i]->options;
         option != NULL && option->name != NULL; option++)
      if (option->type == DG_OPTION_FILE && is_given (diff, option->name))
        return cli_fail_usage (&diff->command,
                               "--%s: there is one file, but several logs",
                               option->name);
  return -1;
}

/* Results are about limits.  The report is on standard output, or in a file;
   each of the results is in another file.  */
static int
refuse_results (const struct diff *diff)
{
  const char *const files[] = {diff->junit, diff->benchmark,
                               diff->options->output};

  if ((diff->junit != NULL || diff->benchmark != NULL)
      && diff->limits->len == 0)
    return cli_fail_usage (&diff->command,
                           "--%s is about --fail-if, which is not given",
                           diff->junit != NULL ? "junit" : "benchmark");
  for (size_t i = 0; i < 2; i++)
    for (size_t k = i + 1; k < G_N_ELEMENTS (files) && files[i] != NULL; k++)
      if (strcmp (files[i], "-") == 0 || g_strcmp0 (files[i], files[k]) == 0)
        return cli_fail_usage (&diff->command,
                               "--%s needs a file of its own, not '%s'",
                               i == 0 ? "junit" : "benchmark", files[i]);
  return refuse_files (diff);
}

static int
parse_own (struct diff *diff)
{
  char *end;

  diff->least = diff->advise != NULL ? DIFF_FINDINGS_LEAST : 0;
  if (diff->options->interval != NULL)
    return cli_fail_usage (&diff->command,
                           "intervals of two runs cannot be compared");
  if (diff->least_text != NULL) {
    diff->least = g_ascii_strtod (diff->least_text, &end) / 100;
    end += *end == '%';
    if (end == diff->least_text || *end != '\0'
        || !(diff->least >= 0 && diff->least < 1e6))
      return cli_fail_usage (&diff->command, "'%s' is not a percentage",
                             diff->least_text);
  }
  for (char **text = diff->fail_if; text != NULL && *text != NULL; text++) {
    struct diff_limit limit;

    if (!diff_limit_parse (&limit, *text))
      return cli_fail_usage (
        &diff->command, "'%s' is not a limit such as 'reads>+2%%'", *text);
    g_array_append_val (diff->limits, limit);
  }
  return refuse_results (diff);
}

static void
add_paths (struct diff *diff, char *first, char **more)
{
  g_ptr_array_add (diff->paths, first);
  for (; more != NULL && *more != NULL; more++)
    g_ptr_array_add (diff->paths, *more);
}

/* Those of the command itself.  */
#define OWN_OPTIONS(diff)                                                   \
  {"before", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(diff)->more_before,       \
   "another log of the runs before; can be repeated", "LOG"},               \
  {"after", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(diff)->more_after,         \
   "another log of the runs after; can be repeated", "LOG"},                \
  {"min", 0, 0, G_OPTION_ARG_FILENAME, &(diff)->least_text,                 \
   "show only changes of at least this many percent", "PERCENT"},           \
  {"fail-if", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(diff)->fail_if,          \
   "exit with status 3 if this is so, such as 'reads>+2%'; can be repeated",\
   "LIMIT"},                                                                \
  {"junit", 0, 0, G_OPTION_ARG_FILENAME, &(diff)->junit,                    \
   "also write the limits of --fail-if as results of tests", "FILE"},       \
  {"benchmark", 0, 0, G_OPTION_ARG_FILENAME, &(diff)->benchmark,            \
   "also write the figures of --fail-if as results of a benchmark", "FILE"}

/* What is asked of analyses without being told: what threads suffer from most
   is what changes most.  */
static void
add_defaults (struct diff *diff)
{
  const struct dg_setting wants_false = {"false", NULL};

  for (size_t i = 0; i < diff->n_analyses; i++)
    if (strcmp (diff->analyses[i]->name, "sharing") == 0
        && !is_given (diff, wants_false.name))
      g_array_append_val (diff->options->settings, wants_false);
}

static int
parse (struct diff *diff, int *argc, char **argv)
{
  const GOptionEntry own[] = {OWN_OPTIONS (diff), {NULL}};
  int status =
    diff->advise != NULL
      ? advise_work_parse (diff->advise, &diff->command, own, 2, 2, argc, argv)
      : analysis_options_parse (diff->options, &diff->command, diff->analyses,
                                own, 2, 2, argc, argv);

  if (status < 0)
    status = parse_own (diff);
  if (status >= 0)
    return status;
  if (diff->is_overview && diff->options->top_text == NULL
      && !diff->options->as_json)
    diff->options->top = OVERVIEW_ROWS;
  add_defaults (diff);
  add_paths (diff, argv[1], diff->more_before);
  diff->n_before = diff->paths->len;
  add_paths (diff, argv[2], diff->more_after);
  return -1;
}

/* ---- Comparing -------------------------------------------------------- */

static void
keep_log (struct diff *diff, const struct dg_log *log,
          struct dg_report *report)
{
  g_ptr_array_add (diff->cautions, partial_text (log));
  g_ptr_array_add (diff->samples, partial_sample (log));
  g_ptr_array_add (diff->programs, diff_program_name (dg_log_program (log)));
  g_ptr_array_add (diff->reports, report);
}

/* The same for findings, which are kept, too.  */
static int
advise_log (struct diff *diff, const char *path, struct interrupt *interrupt)
{
  struct advise_work *work = diff->advise;
  struct dg_report *report = NULL;
  struct dg_error error;
  int status;

  work->progress = interrupt->progress;
  status = advise_work_open (work, path);
  work->log.log.needs_all = diff->limits->len > 0;
  if (status == CLI_OK)
    status = advise_work_run (work, interrupt);
  if (status == CLI_OK) {
    report = diff_findings_report (work, &error);
    if (report == NULL)
      status = cli_fail ("%s", error.message);
  }
  if (report != NULL) {
    keep_log (diff, work->log.log.log, report);
    g_ptr_array_add (diff->found, g_steal_pointer (&work->found));
  }
  return advise_work_close (work, status);
}

/* Analyses one of the logs, which is closed again: what is kept of it is the
   report.  */
static int
report_log (struct diff *diff, const char *path, struct interrupt *interrupt)
{
  struct analysis_work *work = g_new0 (struct analysis_work, 1);
  int status;

  work->command = &diff->command;
  work->analyses = diff->analyses;
  work->n = diff->n_analyses;
  work->options = diff->options;
  work->progress = interrupt->progress;
  status = analysis_work_open (work, path);
  work->log.needs_all = diff->limits->len > 0;
  if (status == CLI_OK)
    status = analysis_work_report (work, interrupt);
  if (status == CLI_OK) {
    bool has_failed = dg_report_has_failed (work->report);

    keep_log (diff, work->log.log, g_steal_pointer (&work->report));
    status = has_failed ? CLI_FAILURE : CLI_OK;
  }
  status = analysis_work_close (work, status);
  g_free (work);
  return status;
}

/* A log that is damaged is still compared, and said to be so.  */
static int
report_logs (struct diff *diff, struct interrupt *interrupt)
{
  int status = CLI_OK;

  for (guint i = 0; i < diff->paths->len; i++) {
    const char *path = diff->paths->pdata[i];
    int code;

    cli_progress_file (interrupt->progress,
                       (const char *const *) diff->paths->pdata,
                       diff->paths->len, i);
    code = diff->advise != NULL ? advise_log (diff, path, interrupt)
                                : report_log (diff, path, interrupt);
    if (diff->reports->len <= i)
      return code;
    status = code != CLI_OK ? code : status;
  }
  return status;
}

static void
write_logs (struct diff *diff, const char *title, unsigned first, unsigned end)
{
  for (unsigned i = first; i < end; i++) {
    char *path = printable_text (diff->paths->pdata[i]);

    output_format (&diff->out, "%-9s  %s\n", title, path);
    g_free (path);
  }
}

static void
write_json (struct diff *diff)
{
  const struct report_json_options as_json = {.schema = schema_id ("diff"),
                                              .top = diff->options->top,
                                              .sort = diff->options->sort};

  report_json (&diff->out, diff->report, &as_json);
}

static void
write_text (struct diff *diff)
{
  const struct analysis_options *options = diff->options;
  struct report_text_options as_text = report_text_options (
    diff->out.path, options->top, options->sort, options->is_wide, 80);

  write_logs (diff, "Before", 0, diff->n_before);
  write_logs (diff, "After", diff->n_before, diff->paths->len);
  report_text (&diff->out, diff->report, &as_text);
}

/* What broke, on standard error, where it is found in the log of a pipeline:
   CLI_OK, DIFF_BROKEN, or CLI_USAGE for a limit that is about nothing.  */
static int
tell_limits (const struct diff *diff)
{
  int status = CLI_OK;

  for (guint i = 0; i < diff->limits->len; i++) {
    const struct diff_limit *limit =
      &g_array_index (diff->limits, struct diff_limit, i);

    if (limit->is_senseless)
      return cli_fail_usage (
        &diff->command,
        "--fail-if: '%s' is not a share; a change has a sign: '+2%%'",
        limit->key);
    if (!limit->is_met)
      return cli_fail_usage (&diff->command,
                             "--fail-if: there is no '%s%s%s' in the reports",
                             limit->key, limit->row != NULL ? "@" : "",
                             limit->row != NULL ? limit->row : "");
  }
  for (guint i = 0; i < diff->limits->len; i++) {
    const struct diff_limit *limit =
      &g_array_index (diff->limits, struct diff_limit, i);

    if (limit->is_broken) {
      cli_fail ("%s", limit->says);
      status = DIFF_BROKEN;
    }
  }
  return status;
}

static void
put_logs (struct diff *diff)
{
  static const struct dg_column columns[] = {
    {"log", "Log", DG_UNIT_TEXT, 0},
    {"is_partial", "Partial", DG_UNIT_BOOLEAN, 0}};
  struct dg_rows *rows = NULL;

  for (unsigned i = 0; i < diff->paths->len; i++) {
    const char *caution = diff->cautions->pdata[i];
    const struct dg_cell cells[] = {DG_CELL_TEXT (diff->paths->pdata[i]),
                                    DG_CELL_NUMBER (caution != NULL)};

    if (caution != NULL)
      dg_report_note (diff->report, "%s: %s", (char *) diff->paths->pdata[i],
                      caution);
    if (diff->samples->pdata[i] != NULL)
      dg_report_note (diff->report, "%s: %s", (char *) diff->paths->pdata[i],
                      (char *) diff->samples->pdata[i]);
    if (i == 0 || i == diff->n_before)
      rows = dg_report_table (diff->report,
                              i == 0 ? "before_logs" : "after_logs", NULL,
                              columns, G_N_ELEMENTS (columns));
    dg_rows_add (rows, cells);
    dg_rows_show_all (rows);
  }
}

/* The column that is sorted by may be one of a table of which no row changed,
   which is not shown.  */
static int
check_sort (const struct diff *diff)
{
  const char *column = diff->options->sort;
  const struct dg_report_item *item;

  if (column != NULL && column[0] == '-')
    column++;
  for (size_t i = 0;
       column != NULL && (item = dg_report_at (diff->report, i)) != NULL; i++)
    for (size_t k = 0; item->kind == DG_ITEM_TABLE && k < item->n_columns; k++)
      if (g_strcmp0 (item->columns[k].key, column) == 0)
        return CLI_OK;
  return report_sort_check (&diff->command, diff->report, diff->options->sort);
}

static int
compare (struct diff *diff)
{
  const struct diff_logs logs = {
    .reports = (const struct dg_report *const *) diff->reports->pdata,
    .n = diff->reports->len, .n_before = diff->n_before,
    .programs = (const char *const *) diff->programs->pdata};
  const struct diff_options options = {diff->least, diff->limits};
  struct dg_error error;
  int status;

  diff->report = dg_report_new (&error);
  if (diff->report == NULL)
    return cli_fail ("%s", error.message);
  put_logs (diff);
  if ((diff->advise != NULL
         ? diff_findings (&logs, &options, diff->found, diff->options->top,
                          diff->report, &error)
         : diff_report (&logs, &options, diff->report, &error)) < 0
      || dg_report_check (diff->report, &error) < 0)
    return cli_fail ("%s", error.message);
  status = check_sort (diff);
  return status == CLI_OK ? tell_limits (diff) : status;
}

/* None of the logs may be replaced.  */
static int
open_output (struct diff *diff)
{
  const char *const outputs[] = {diff->options->output, diff->junit,
                                 diff->benchmark};
  int status = CLI_OK;

  for (size_t k = 0; k < G_N_ELEMENTS (outputs); k++)
    for (guint i = 0;
         outputs[k] != NULL && i < diff->paths->len && status == CLI_OK; i++)
      status = output_check_input (outputs[k], diff->paths->pdata[i]);
  return status == CLI_OK ? output_open (&diff->out, outputs[0], NULL)
                          : status;
}

static int
run_diff (struct diff *diff)
{
  struct cli_progress progress;
  struct interrupt interrupt;
  int status = open_output (diff), limits, written;

  if (status != CLI_OK)
    return status;
  cli_progress_init (&progress, diff->command.name);
  interrupt_begin (&interrupt, &progress, NULL, 0);
  status = report_logs (diff, &interrupt);
  if (diff->reports->len < diff->paths->len)
    output_drop (&diff->out);
  interrupt_end (&interrupt);
  cli_progress_fini (&progress);
  if (diff->reports->len < diff->paths->len)
    return status;
  limits = compare (diff);
  if (limits != CLI_OK && limits != DIFF_BROKEN) {
    output_drop (&diff->out);
    return limits;
  }
  if (diff->is_overview && !diff->options->as_json)
    dg_report_note (diff->report,
                    "More: dg diff advise, which findings are gone and "
                    "new; dg diff time --by=line, cache, sharing, calls ...");
  if (diff->options->as_json)
    write_json (diff);
  else
    write_text (diff);
  written = output_finish (&diff->out);
  if (written == CLI_OK)
    written = diff_results_write (diff->junit, diff->benchmark, diff->limits);
  status = status != CLI_OK ? status : written;
  return status != CLI_OK ? status : limits;
}

static void
diff_free (struct diff *diff)
{
  if (diff->advise != NULL)
    advise_work_fini (diff->advise);
  else
    analysis_options_fini (diff->options);
  g_free (diff->advise);
  dg_report_free (diff->report);
  g_ptr_array_unref (diff->reports);
  g_ptr_array_unref (diff->found);
  g_ptr_array_unref (diff->cautions);
  g_ptr_array_unref (diff->samples);
  g_ptr_array_unref (diff->programs);
  g_ptr_array_unref (diff->paths);
  g_array_unref (diff->limits);
  g_strfreev (diff->more_before);
  g_strfreev (diff->more_after);
  g_strfreev (diff->fail_if);
  g_free (diff->least_text);
  g_free (diff->junit);
  g_free (diff->benchmark);
  g_free (diff);
}

/* analyses: NULL: argv[0] is advise; else NULL-terminated.  */
static int
run_kind (const struct cli_command *command, GPtrArray *analyses,
          bool is_overview, int argc, char **argv)
{
  struct diff *diff = g_new0 (struct diff, 1);
  char *name = g_strdup_printf ("%s %s", command->name, argv[0]);
  int status;

  diff->is_overview = is_overview;
  diff->command = *command;
  diff->command.name = name;
  diff->command.args = "BEFORE AFTER";
  if (analyses != NULL) {
    diff->analyses = (const struct dg_analysis *const *) analyses->pdata;
    diff->n_analyses = analyses->len - 1;
    diff->options = &diff->own_options;
  } else {
    diff->advise = g_new0 (struct advise_work, 1);
    diff->options = &diff->advise->options;
  }
  diff->limits = g_array_new (FALSE, FALSE, sizeof (struct diff_limit));
  g_array_set_clear_func (diff->limits, diff_limit_clear);
  diff->reports =
    g_ptr_array_new_with_free_func ((GDestroyNotify) dg_report_free);
  diff->found =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  diff->cautions = g_ptr_array_new_with_free_func (g_free);
  diff->samples = g_ptr_array_new_with_free_func (g_free);
  diff->programs = g_ptr_array_new_with_free_func (g_free);
  diff->paths = g_ptr_array_new ();
  status = parse (diff, &argc, argv);
  if (status < 0)
    status = run_diff (diff);
  diff_free (diff);
  g_free (name);
  return status;
}

/* argv[0] names analyses; of an overview, it is replaced by those.  */
static int
run_analyses (const struct cli_command *command, bool is_overview, int argc,
              char **argv)
{
  static const struct cli_command *const no_others[] = {NULL};
  int status;
  GPtrArray *analyses;

  if (is_overview)
    argv[0] = (char *) OVERVIEW;
  analyses = analysis_names_find (argv[0], &diff_heap, no_others, argc, argv,
                                  &status);

  if (analyses == NULL)
    return status;
  status = run_kind (command, analyses, is_overview, argc, argv);
  g_ptr_array_unref (analyses);
  return status;
}

/* Whether the first argument is a log, or an option of the overview.  A name
   of an analysis is one, also if there is a file of this name.  */
static bool
is_overview (int argc, char **argv)
{
  if (argc < 2 || strcmp (argv[1], "--help") == 0
      || strcmp (argv[1], "-h") == 0)
    return false;
  return argv[1][0] == '-'
         || (dg_analysis_find (argv[1]) == NULL
             && strcmp (argv[1], diff_heap.name) != 0
             && g_file_test (argv[1], G_FILE_TEST_EXISTS));
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct diff unused = {.own_options.jobs = 0};
  const GOptionEntry options[] = {
    OWN_OPTIONS (&unused), CLI_OPTION_JOBS (&unused.own_options.jobs), {NULL}};

  if (argc > 1 && strcmp (argv[1], "allocs") == 0) {
    argv[0] = (char *) "allocs";
    argv[1] = (char *) "diff";
    return command_allocs.run (&command_allocs, argc, argv);
  }
  if (argc > 1 && strcmp (argv[1], "advise") == 0)
    return run_kind (command, NULL, false, argc - 1, argv + 1);
  if (is_overview (argc, argv))
    return run_analyses (command, true, argc, argv);
  if (argc > 1 && argv[1][0] != '-')
    return run_analyses (command, false, argc - 1, argv + 1);
  return cli_parse (command, options, &argc, argv, 3);
}

const struct cli_command command_diff = {
  .name = "diff",
  .args = "[ANALYSIS[,ANALYSIS]...] BEFORE AFTER",
  .summary = "Shows what changed between two runs, by an analysis",
  .details =
    "ANALYSIS is counts, cache, reuse, pages, sharing, calls, patterns, tlb,"
    " time,\nheap or that of a plug-in, with its options; or allocs.  Rows are"
    " found again by\ntheir names: functions, files and lines, variables,"
    " allocation sites.\n"
    "advise shows which findings are gone, new and changed.  Without ANALYSIS,"
    " an overview:\ncounts, time and heap, and the rows that changed most.\n"
    "The program itself is the same whatever its file is called.  sharing"
    " shows false\nsharing without being asked.\n\n"
    "A LIMIT is the key of a figure in JSON, or COLUMN@ROW, then >, <, >= or"
    " <=, and a\nnumber: with a sign it is the change, with % relative to what"
    " was before.\nThe exit status is 3 if a limit is broken.\n",
  .run = run};

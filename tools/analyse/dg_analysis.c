/* dg_analysis.c: `dg counts`, `dg reuse,cache` and so on: analyses of a log,
   in one pass, and what they found.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis_names.h"
#include "analysis_work.h"
#include "base/commands.h"
#include "base/output.h"
#include "base/report_json.h"
#include "base/report_sort.h"
#include "base/report_text.h"
#include "base/schema.h"
#include "base/printable.h"

#include <string.h>

/* One command line at work.  */
struct work {
  struct analysis_work log;
  struct output out;
};

/* ---- Showing ---------------------------------------------------------- */

/* A plug-in may have the name of a built-in analysis.  */
static const char *
schema_of (const struct dg_analysis *analysis)
{
  return schema_id (dg_analysis_find (analysis->name) == analysis
                      ? analysis->name
                      : SCHEMA_PLUGIN);
}

static void
write_json (struct work *work)
{
  const struct analysis_work *log = &work->log;
  const char **parts = g_new0 (const char *, log->n);
  struct report_json_options as_json = {
    .top = log->options->top, .sort = log->options->sort};

  for (size_t i = 0; i < log->n; i++)
    parts[i] = schema_of (log->analyses[i]);
  as_json.schema = log->n > 1 ? schema_id ("analyses") : parts[0];
  as_json.part_schemas = log->n > 1 ? parts : NULL;
  report_json (&work->out, log->report, &as_json);
  g_free (parts);
}

static int
show (struct work *work)
{
  const struct analysis_options *options = work->log.options;
  const struct dg_report *report = work->log.report;
  struct report_text_options as_text = report_text_options (
    work->out.path, options->top, options->sort, options->is_wide, 80);

  as_text.has_parts = work->log.n > 1;
  /* An analysis wrote the requested data there.  */
  if (dg_report_has_output (report) && work->out.path == NULL)
    return output_finish (&work->out);
  if (options->as_json) {
    write_json (work);
  } else {
    analysis_work_heading (&work->log, &work->out);
    report_text (&work->out, report, &as_text);
  }
  return output_finish (&work->out);
}

/* ---- Analysing -------------------------------------------------------- */

/* With the output open.  A signal ends dg when nothing is half done: who
   reads standard output may take his time, a file does not.  */
static int
analyse_and_show (struct work *work)
{
  struct analysis_work *log = &work->log;
  struct interrupt interrupt;
  bool is_file = work->out.path != NULL;
  int status;

  interrupt_begin (&interrupt, log->log.progress, NULL, 0);
  status = analysis_work_report (log, &interrupt);
  /* Which columns there are is known when there are tables.  */
  if (status == CLI_OK)
    status = report_sort_check (log->command, log->report,
                                log->options->sort);
  if (status != CLI_OK) {
    output_drop (&work->out);
    /* It may have files, too.  */
    g_clear_pointer (&log->report, dg_report_free);
  }
  if (!is_file || status != CLI_OK)
    interrupt_end (&interrupt);
  if (status == CLI_OK) {
    status = show (work);
    if (is_file)
      interrupt_end (&interrupt);
    if (dg_report_has_failed (log->report) && status == CLI_OK)
      status = CLI_FAILURE;
  }
  return status;
}

/* ---- The command ------------------------------------------------------ */

struct parsed {
  const struct cli_command *command;
  const GPtrArray *analyses;
  const struct analysis_options *options;
  const char *path;
};

/* log: that one, which is loaded; NULL: it is opened.  */
static int
run_parsed (void *user, const struct cli_log *log)
{
  const struct parsed *parsed = user;
  struct work *work = g_new0 (struct work, 1);
  int status;

  work->log = (struct analysis_work) {
    .command = parsed->command,
    .analyses = (const struct dg_analysis *const *) parsed->analyses->pdata,
    .n = parsed->analyses->len - 1,
    .options = parsed->options,
    .given = log};
  status = analysis_work_open (&work->log, parsed->path);
  if (status == CLI_OK)
    status = output_open (&work->out, parsed->options->output,
                          work->log.log.path);
  if (status == CLI_OK)
    status = analyse_and_show (work);
  status = analysis_work_close (&work->log, status);
  g_free (work);
  return status;
}

static int
run_or_follow (struct parsed *parsed)
{
  const struct follow follow = {.path = parsed->path,
                                .jobs = parsed->options->jobs,
                                .blocks = analysis_work_blocks (
                                  (const struct dg_analysis *const *)
                                    parsed->analyses->pdata,
                                  parsed->analyses->len - 1, parsed->options),
                                .as_json = parsed->options->as_json,
                                .run = run_parsed,
                                .user = parsed};

  return parsed->options->is_follow ? follow_run (&follow)
                                    : run_parsed (parsed, NULL);
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

  analyses =
    analysis_names_find (argv[0], NULL, commands, argc, argv, &status);
  if (analyses == NULL)
    return status;
  made = g_ptr_array_new_with_free_func (g_free);
  describe (&command, analyses, made);
  status = analysis_options_parse (
    &options, &command, (const struct dg_analysis *const *) analyses->pdata,
    NULL, 1, 1, &argc, argv);
  if (status < 0)
    status = run_or_follow (
      &(struct parsed) {&command, analyses, &options, argv[1]});
  analysis_options_fini (&options);
  g_ptr_array_unref (made);
  g_ptr_array_unref (analyses);
  return status;
}

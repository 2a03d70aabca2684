/* dg_advise.c: `dg advise`: what is wrong with a program's use of memory, and
   what to do.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_format.h"
#include "advise_work.h"
#include "base/commands.h"
#include "base/output.h"
#include "base/partial.h"
#include "base/report_json.h"
#include "base/report_sort.h"
#include "base/report_text.h"
#include "base/schema.h"

#include <string.h>

/* How findings are shown.  */
struct shown {
  const struct advise_format *format;    /* NULL: as text or JSON */
  char *format_name, *root;
};

/* For other programs.  */
static int
show_format (const struct advise_work *work, const struct shown *shown,
             struct output *out)
{
  guint n = advise_work_shown (work);
  struct advise_root root;
  char *partial = partial_text (work->log.log.log);

  if (partial != NULL)
    cli_warn ("%s: %s", work->log.log.path, partial);
  advise_root_init (&root, shown->root);
  shown->format->put (work, &root, n, out);
  advise_root_fini (&root);
  g_free (partial);
  return output_finish (out);
}

static int
show (const struct advise_work *work, struct output *out)
{
  const struct analysis_options *options = &work->options;
  struct report_text_options as_text = report_text_options (
    out->path, options->top, options->sort, options->is_wide, 80);
  const struct report_json_options as_json = {.schema = schema_id ("advise"),
                                              .top = options->top,
                                              .sort = options->sort};
  struct dg_error error;
  struct dg_report *report = dg_report_new (&error);
  int status;

  if (report == NULL) {
    output_drop (out);
    return cli_fail ("%s", error.message);
  }
  advise_report (work, report);
  if (dg_report_check (report, &error) < 0)
    status = cli_fail ("%s", error.message);
  else
    status =
      report_sort_check (work->log.command, report, options->sort);
  if (status != CLI_OK) {
    output_drop (out);
  } else {
    if (options->as_json) {
      report_json (out, report, &as_json);
    } else {
      analysis_work_heading (&work->log, out);
      report_text (out, report, &as_text);
    }
    status = output_finish (out);
  }
  dg_report_free (report);
  return status;
}

static int
advise (struct advise_work *work, const struct shown *shown, const char *path)
{
  struct interrupt interrupt;
  struct output out;
  int status = advise_work_open (work, path);

  if (status == CLI_OK)
    status = output_open (&out, work->options.output, path);
  if (status != CLI_OK)
    return advise_work_close (work, status);
  interrupt_begin (&interrupt, work->log.log.progress, NULL, 0);
  status = advise_work_run (work, &interrupt);
  if (status != CLI_OK)
    output_drop (&out);
  interrupt_end (&interrupt);
  if (status == CLI_OK)
    status = shown->format != NULL ? show_format (work, shown, &out)
                                   : show (work, &out);
  return advise_work_close (work, status);
}

/* What may be found, and from which share of the run on.  */
static int
list_rules (void)
{
  struct output out;
  size_t n;
  const struct advise_rule *rules = advise_rules (&n);

  output_init (&out);
  for (size_t i = 0; i < n; i++)
    output_format (&out, "%-16s  %3.0f %% of %-7s  %s\n", rules[i].name,
                   rules[i].least * 100,
                   rules[i].measure == ADVISE_TIME ? "cycles" : "bytes",
                   rules[i].title);
  return output_finish (&out);
}

/* Finds the format, and refuses what has no effect with it: -1, or the exit
   status.  */
static int
check_format (const struct cli_command *command,
              const struct analysis_options *options, struct shown *shown)
{
  int status =
    advise_format_find (command, shown->format_name, &shown->format);
  const char *other = options->as_json           ? "json"
                      : options->is_wide         ? "wide"
                      : options->sort != NULL    ? "sort"
                                                 : NULL;

  if (status != CLI_OK)
    return status;
  if (shown->format == NULL && shown->root != NULL)
    return cli_fail_usage (command, "--root has no effect without --format");
  if (shown->format != NULL && other != NULL)
    return cli_fail_usage (command, "--%s has no effect with --format=%s",
                           other, shown->format_name);
  return -1;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  gboolean lists_rules = FALSE;
  struct shown shown = {NULL};
  const GOptionEntry own[] = {
    {"rules", 0, 0, G_OPTION_ARG_NONE, &lists_rules,
     "list the rules, and their thresholds; without a log", NULL},
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &shown.format_name,
     "write findings as text, as lines of a compiler, or for a code host ("
     ADVISE_FORMATS "; default: text)", "FORMAT"},
    {"root", 0, 0, G_OPTION_ARG_FILENAME, &shown.root,
     "make paths below this folder relative to it, in these formats (default:"
     " the current folder)", "DIR"},
    {NULL}};
  struct advise_work work;
  int status;

  if (argc == 2 && strcmp (argv[1], "--rules") == 0)
    return list_rules ();
  status = advise_work_parse (&work, command, own, 1, 1, &argc, argv);
  if (status < 0 && lists_rules)
    status = cli_fail_usage (command, "--rules stands alone");
  if (status < 0)
    status = check_format (command, &work.options, &shown);
  if (status < 0)
    status = advise (&work, &shown, argv[1]);
  advise_work_fini (&work);
  g_free (shown.format_name);
  g_free (shown.root);
  return status;
}

const struct cli_command command_advise = {
  .name = "advise",
  .args = "LOG",
  .summary = "Finds what is slow or wasteful, and says what to do",
  .run = run};

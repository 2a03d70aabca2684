/* dg_report.c: `dg report`: a page of HTML about a run, or about what changed
   between two.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/output.h"
#include "base/partial.h"
#include "diff/diff_program.h"
#include "page_parts.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

struct report {
  const struct cli_command *command;
  struct advise_work work;
  gboolean has_no_picture;
  bool is_named;           /* the page, after the log */
  char *title;
  GPtrArray *runs;         /* struct page_run, in their order */
  struct output out;
};

/* ---- A log ------------------------------------------------------------ */

static void
keep_process (struct page_run *run, const struct cli_log *log)
{
  const struct dg_process *process = dg_log_process (log->log);

  run->path = g_strdup (log->path);
  run->cautions = partial_text (log->log);
  run->program = diff_program_name (dg_log_program (log->log));
  run->threads = dg_log_summary (log->log)->threads;
  if (process == NULL)
    return;
  run->command = cli_log_command (process);
  if (process->tool_version != NULL && process->arch != NULL)
    run->machine = g_strdup_printf (
      "exp-datagrind %s, Valgrind %s, %s", process->tool_version,
      process->valgrind_version != NULL ? process->valgrind_version : "",
      process->arch);
}

/* What the log is not needed for any more.  */
static void
keep_findings (struct page_run *run, struct advise_work *work)
{
  const struct advise_facts *facts = &work->facts;

  run->instructions = facts->instructions;
  run->accesses = facts->accesses;
  run->misses = facts->misses;
  run->ll_misses = facts->ll_misses;
  run->cycles = (uint64_t) facts->cycles;
  run->heap_bytes = facts->heap_bytes;
  run->heap_peak = facts->heap_peak;
  run->has_heap = facts->has_heap;
  run->found = g_steal_pointer (&work->found);
  page_keep_sources (run, work->log.log.log);
}

/* The tables of calls write the stacks for the flame graph to this file.  */
static int
analyse (struct report *report, struct page_run *run, const char *stacks,
         struct interrupt *interrupt)
{
  struct advise_work *work = &report->work;
  const struct dg_setting calls[] = {{"folded", stacks},
                                     {"weight", "cycles"}};
  struct dg_error error = {.code = 0};
  int status;

  g_array_append_vals (work->options.settings, calls, G_N_ELEMENTS (calls));
  status = advise_work_run (work, interrupt);
  if (status != CLI_OK)
    return status;
  run->flame = page_flame_read (stacks, &error);
  g_unlink (stacks);
  if (run->flame == NULL)
    return cli_fail ("%s: %s", stacks, error.message);
  keep_findings (run, work);
  page_tables (run->tables, work);
  if (page_charts (run->charts, work, interrupt, &error) < 0)
    return error.code == DG_ERR_CANCELLED
             ? CLI_FAILURE
             : cli_fail ("%s: %s", work->log.log.path, error.message);
  run->report = g_steal_pointer (&work->log.report);
  return CLI_OK;
}

/* A log that is damaged gets a page as far as it goes; the exit status says
   so.  */
static int
add_run (struct report *report, const char *path, struct interrupt *interrupt)
{
  struct advise_work *work = &report->work;
  struct page_run *run = page_run_new ();
  char *folder = g_dir_make_tmp ("dg-report-XXXXXX", NULL);
  char *stacks = g_build_filename (folder != NULL ? folder : "", "stacks",
                                   NULL);
  int status, drawn = CLI_OK;

  work->progress = interrupt->progress;
  work->more = PAGE_WORK_CHARTS
               + (report->has_no_picture ? 0 : 2 * PAGE_WORK_PICTURE);
  work->needs_all_blocks = true;
  status = advise_work_open (work, path);
  if (status == CLI_OK && folder == NULL)
    status = cli_fail ("there is no folder for temporary files");
  if (status == CLI_OK) {
    keep_process (run, &work->log.log);
    status = analyse (report, run, stacks, interrupt);
  }
  if (run->report != NULL) {
    if (!report->has_no_picture)
      drawn = page_plot (run->plot, path, interrupt);
    status = status == CLI_OK ? drawn : status;
    g_ptr_array_add (report->runs, g_steal_pointer (&run));
  }
  status = advise_work_close (work, status);
  g_unlink (stacks);
  if (folder != NULL)
    g_rmdir (folder);
  if (run != NULL)
    page_run_free (run);
  g_free (stacks);
  g_free (folder);
  return status;
}

/* ---- The page --------------------------------------------------------- */

static void
put_head (const struct report *report, GString *page)
{
  const struct page_run *last =
    report->runs->pdata[report->runs->len - 1];
  const char *title = report->title != NULL    ? report->title
                      : last->command != NULL ? last->command
                                              : last->path;

  page_html (page,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
             "<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width,"
             " initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\""
             "default-src 'none'; style-src 'unsafe-inline'; script-src"
             " 'unsafe-inline'; img-src data:\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n<title>");
  page_text (page, title);
  page_html (page, "</title>\n<style>\n");
  page_html (page, page_style);
  page_html (page, "</style>\n</head>\n<body>\n<header><h1>");
  page_text (page, title);
  page_html (page, "</h1>\n");
}

static void
put_run_line (GString *page, const char *label, const struct page_run *run)
{
  page_html (page, "<p class=\"faint\">");
  page_textf (page, "%s%s", label, run->path);
  if (run->command != NULL)
    page_textf (page, ": %s", run->command);
  if (run->machine != NULL)
    page_textf (page, " (%s)", run->machine);
  page_html (page, "</p>\n");
  if (run->cautions != NULL) {
    page_html (page, "<p class=\"caution\">");
    page_text (page, run->cautions);
    page_html (page, "</p>\n");
  }
}

/* Links to the sections that there are.  */
static void
put_links (GString *page, const char *body)
{
  GRegex *regex =
    g_regex_new ("<section id=\"([a-z-]+)\"[^>]*><h2[^>]*>([^<]*)</h2>", 0, 0,
                 NULL);
  GMatchInfo *match;

  page_html (page, "<nav aria-label=\"Sections\"><ul>");
  g_regex_match (regex, body, 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
    char *id = g_match_info_fetch (match, 1);
    char *title = g_match_info_fetch (match, 2);

    g_string_append_printf (page, "<li><a href=\"#%s\">%s</a></li>", id,
                            title);
    g_free (id);
    g_free (title);
  }
  page_html (page, "</ul></nav></header>\n<main>\n");
  g_match_info_free (match);
  g_regex_unref (regex);
}

static void
put_figure (GString *page, const char *title, uint64_t number, bool is_bytes)
{
  page_html (page, "<div>");
  page_element (page, "dt", title);
  page_html (page, "<dd>");
  if (is_bytes)
    page_bytes (page, number);
  else
    page_count (page, number);
  page_html (page, "</dd></div>\n");
}

static void
put_figures (GString *page, const struct page_run *run)
{
  page_html (page, "<dl class=\"figures\">\n");
  put_figure (page, "Instructions", run->instructions, false);
  put_figure (page, "Accesses", run->accesses, false);
  put_figure (page, "D1 misses", run->misses, false);
  put_figure (page, "LL misses", run->ll_misses, false);
  put_figure (page, "Estimated cycles", run->cycles, false);
  if (run->has_heap) {
    put_figure (page, "Heap, allocated in all", run->heap_bytes, true);
    put_figure (page, "Heap, peak", run->heap_peak, true);
  }
  put_figure (page, "Threads", run->threads, false);
  page_html (page, "</dl>\n");
}

static int
put_body (const struct report *report, GString *body)
{
  struct page_run *run = report->runs->pdata[0];
  struct dg_error error;

  if (report->runs->len == 2)
    return page_compare (body, run, report->runs->pdata[1], &error) < 0
             ? cli_fail ("%s", error.message) : CLI_OK;
  put_figures (body, run);
  page_findings (body, run);
  page_section (body, "picture", "Accesses");
  page_html (body, run->plot->str);
  page_section_end (body);
  page_html (body, run->charts->str);
  page_flame_write (body, run->flame, NULL);
  page_html (body, run->tables->str);
  return CLI_OK;
}

static int
write_page (struct report *report)
{
  GString *page = g_string_new (NULL), *body = g_string_new (NULL);
  int status = put_body (report, body);

  if (status == CLI_OK) {
    put_head (report, page);
    if (report->runs->len == 2) {
      put_run_line (page, "Before: ", report->runs->pdata[0]);
      put_run_line (page, "After: ", report->runs->pdata[1]);
    } else {
      put_run_line (page, "", report->runs->pdata[0]);
    }
    put_links (page, body->str);
    page_html (page, body->str);
    page_html (page, "</main>\n<footer class=\"faint\"><p>Made by Datagrind:"
                     " dg report.</p></footer>\n<script>\n");
    page_html (page, page_script);
    page_html (page, "</script>\n</body>\n</html>\n");
    output_bytes (&report->out, page->str, page->len);
  }
  g_string_free (page, TRUE);
  g_string_free (body, TRUE);
  return status;
}

/* ---- The command ------------------------------------------------------ */

static int
open_output (struct report *report, char **paths, int n)
{
  const char *path = report->work.options.output;
  int status = CLI_OK;

  for (int i = 0; i < n && status == CLI_OK; i++)
    status = output_check_input (path, paths[i]);
  return status == CLI_OK ? output_open (&report->out, path, NULL) : status;
}

/* A name that the user has not given.  */
static int
say_name (const struct report *report)
{
  struct output out;

  output_init (&out);
  output_text (&out, "Wrote ");
  output_name (&out, report->work.options.output);
  output_text (&out, ".\n");
  return output_finish (&out);
}

static int
run_report (struct report *report, char **paths, int n)
{
  struct cli_progress progress;
  struct interrupt interrupt;
  int status = open_output (report, paths, n), written = CLI_OK;

  if (status != CLI_OK)
    return status;
  cli_progress_init (&progress, "dg report");
  interrupt_begin (&interrupt, &progress, NULL, 0);
  for (int i = 0; i < n && report->runs->len == (guint) i; i++) {
    int code;

    cli_progress_file (&progress, (const char *const *) paths, (size_t) n,
                       (size_t) i);
    code = add_run (report, paths[i], &interrupt);
    status = code != CLI_OK ? code : status;
  }
  if (report->runs->len == (guint) n)
    written = write_page (report);
  if (report->runs->len < (guint) n || written != CLI_OK)
    output_drop (&report->out);
  interrupt_end (&interrupt);
  cli_progress_fini (&progress);
  if (report->runs->len == (guint) n && written == CLI_OK)
    written = output_finish (&report->out);
  if (report->is_named && report->runs->len == (guint) n && written == CLI_OK)
    written = say_name (report);
  return status != CLI_OK ? status : written;
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct report *report = g_new0 (struct report, 1);
  const GOptionEntry own[] = {
    {"title", 0, 0, G_OPTION_ARG_STRING, &report->title,
     "heading of the page (default: the program's command line)", "TEXT"},
    {"no-picture", 0, 0, G_OPTION_ARG_NONE, &report->has_no_picture,
     "leave out the picture of all accesses", NULL},
    {NULL}};
  int status;

  report->command = command;
  report->runs = g_ptr_array_new_with_free_func (page_run_free);
  status = advise_work_parse (&report->work, command, own, 1, 2, &argc, argv);
  if (status < 0 && report->work.options.output == NULL) {
    char *name = g_path_get_basename (argv[argc - 1]);

    report->work.options.output = g_strconcat (name, ".html", NULL);
    report->is_named = true;
    g_free (name);
  }
  if (status < 0)
    status = run_report (report, argv + 1, argc - 1);
  advise_work_fini (&report->work);
  g_ptr_array_unref (report->runs);
  g_free (report->title);
  g_free (report);
  return status;
}

const struct cli_command command_report = {
  .name = "report",
  .args = "[BEFORE] LOG",
  .summary = "Writes a page of HTML about a run, or what changed between two",
  .is_page = true,
  .run = run};

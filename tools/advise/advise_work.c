/* advise_work.c: findings of a log, from its file on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_work.h"

#include "advise_gains.h"
#include "advise_where.h"
#include "base/partial.h"
#include "base/stack_names.h"

#include <inttypes.h>
#include <string.h>

/* What facts are made of.  */
static const char *const names[] = {"cache", "patterns", "reuse", "calls",
                                    "sharing", "time"};

/* And how they are asked for it.  */
static const struct dg_setting settings[] = {
  {"by", "line"}, {"program", NULL}, {"false", NULL}, {"edges", NULL},
  {"worst", "0"}};

/* Options of a user, which are those of the analyses.  */
static const struct dg_option own_options[] = {
  {"I1", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,
   "first level for instructions, as for dg cache"},
  {"D1", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL,
   "first level for data"},
  {"LL", DG_OPTION_TEXT, "SIZE,WAYS,LINE", NULL, NULL, "last level"},
  {"machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
   "the processor, as for dg time"},
  {"host", DG_OPTION_FLAG, NULL, NULL, NULL,
   "simulate this machine's caches, except those given"},
  {NULL, 0, NULL, NULL, NULL, NULL}};

static const struct dg_analysis own = {
  .version = DG_ANALYSIS_VERSION, .size = sizeof own, .name = "advise",
  .options = own_options};

/* ---- The command line ------------------------------------------------- */

/* Distances are counted up to the first level as it is simulated: the lines
   of "SIZE,WAYS,LINE", to be freed; NULL: another error, which dg cache
   reports.  */
static char *
far_lines (const GArray *given)
{
  for (guint i = 0; i < given->len; i++) {
    const struct dg_setting *setting =
      &g_array_index (given, struct dg_setting, i);
    char **parts;
    uint64_t size, line;
    char *far = NULL;

    if (strcmp (setting->name, "D1") != 0)
      continue;
    parts = g_strsplit (setting->value, ",", -1);
    if (g_strv_length (parts) == 3
        && dg_number_parse (parts[0], DG_QUANTITY_BYTES, &size)
        && dg_number_parse (parts[2], DG_QUANTITY_BYTES, &line) && line > 0)
      far = g_strdup_printf ("%" PRIu64, size / line);
    g_strfreev (parts);
    return far;
  }
  return NULL;
}

int
advise_work_parse (struct advise_work *work, const struct cli_command *command,
                   const GOptionEntry *entries, int least, int most,
                   int *argc, char **argv)
{
  const struct dg_analysis *const parsed[] = {&own, NULL};
  int status;
  char *far;

  *work = (struct advise_work) {.log.command = command};
  work->analyses = g_ptr_array_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    g_ptr_array_add (work->analyses, (gpointer) dg_analysis_find (names[i]));
  g_ptr_array_add (work->analyses, NULL);
  status = analysis_options_parse (&work->options, command, parsed, entries,
                                   least, most, argc, argv);
  if (status < 0 && work->options.interval != NULL)
    status = cli_fail_usage (command, "%s does not support intervals",
                             command->name);
  if (status >= 0)
    return status;
  far = far_lines (work->options.settings);
  g_array_append_vals (work->options.settings, settings,
                       G_N_ELEMENTS (settings));
  if (far != NULL) {
    const struct dg_setting setting = {"far", far};

    g_ptr_array_add (work->options.made, far);
    g_array_append_val (work->options.settings, setting);
  }
  work->n_settings = work->options.settings->len;
  return status;
}

/* ---- Working ---------------------------------------------------------- */

/* Accesses whose patterns are examined in any case, and the part of the lines
   whose distances are enough for a log with more.  */
#define EXAMINED      (25u * 1000 * 1000)
#define LINES_EXAMINED "0.1"

/* The work of following all blocks, in the unit of progress.  */
#define HEAP_AMOUNT 1.0

/* Patterns and distances are found in a part of a long log as well; misses are
   counted in all of it.  */
static void
choose_sample (struct advise_work *work)
{
  const struct dg_summary *summary = dg_log_summary (work->log.log.log);
  uint64_t n = (summary->reads + summary->writes) / EXAMINED;
  struct dg_setting sample = {"sample", NULL};
  const struct dg_setting approx = {"approx", LINES_EXAMINED};

  if (n < 2)
    return;
  sample.value = g_strdup_printf ("%" PRIu64, n);
  g_ptr_array_add (work->options.made, (gpointer) sample.value);
  g_array_append_val (work->options.settings, sample);
  g_array_append_val (work->options.settings, approx);
}

int
advise_work_open (struct advise_work *work, const char *path)
{
  const struct cli_command *command = work->log.command;
  int status;

  g_array_set_size (work->options.settings, work->n_settings);
  work->log = (struct analysis_work) {
    .command = command,
    .analyses = (const struct dg_analysis *const *) work->analyses->pdata,
    .n = work->analyses->len - 1,
    .options = &work->options,
    .progress = work->progress,
    .needs_all_blocks = work->needs_all_blocks,
    .more = HEAP_AMOUNT + work->more};
  status = analysis_work_open (&work->log, path);
  if (status == CLI_OK) {
    choose_sample (work);
    work->log.more += advise_gains_amount (work->log.log.log);
  }
  return status;
}

/* Blocks are of all threads and of the whole run.  */
static bool
has_heap (const struct advise_work *work)
{
  const struct analysis_options *options = &work->options;

  return options->thread_list == NULL && options->instructions == NULL
         && options->events == NULL && options->ranges == NULL;
}

int
advise_work_run (struct advise_work *work, struct interrupt *interrupt)
{
  const struct dg_log *log = work->log.log.log;
  struct dg_error error;
  char *partial;
  int status = analysis_work_report (&work->log, interrupt), code = 0;

  if (status != CLI_OK)
    return status;
  advise_facts_init (&work->facts, work->log.report);
  work->has_facts = true;
  partial = partial_text (work->log.log.log);
  work->facts.is_partial = partial != NULL;
  g_free (partial);
  work->facts.has_heap = has_heap (work);
  cli_progress_phase (interrupt->progress, "use of heap blocks", HEAP_AMOUNT);
  if (work->facts.has_heap)
    code = advise_facts_add_heap (&work->facts, log,
                                  (unsigned) work->options.jobs,
                                  interrupt_progress_fn, interrupt, &error);
  if (code == DG_ERR_CANCELLED)
    return CLI_FAILURE;
  if (code < 0)
    return cli_fail ("%s: %s", work->log.log.path, error.message);
  work->found = advise_rules_apply (&work->facts);
  return advise_gains_predict (&work->log, work->found, interrupt,
                               work->more, &work->n_left_out);
}

int
advise_work_close (struct advise_work *work, int status)
{
  if (work->log.is_open)
    cli_progress_hide (work->log.log.progress);
  /* The names of heap blocks come from elsewhere than those of the tables: of
     these it is told when the log is closed.  */
  if (status == CLI_OK && work->has_facts && work->facts.names != NULL)
    cli_warn_of_more_symbols (stack_names_symbols (work->facts.names),
                              work->log.symbols);
  g_clear_pointer (&work->found, g_ptr_array_unref);
  if (work->has_facts)
    advise_facts_fini (&work->facts);
  work->has_facts = false;
  return analysis_work_close (&work->log, status);
}

void
advise_work_fini (struct advise_work *work)
{
  analysis_options_fini (&work->options);
  g_ptr_array_unref (work->analyses);
}

/* ---- Showing ---------------------------------------------------------- */

static void
put_row (struct dg_rows *rows, const struct advise_finding *finding)
{
  struct dg_pair others[64];
  size_t n = MIN (finding->others->len, G_N_ELEMENTS (others));
  const struct advise_code *code = &finding->code;
  char *command = advise_finding_command (finding);

  for (size_t i = 0; i < n; i++)
    others[i] = (struct dg_pair) {
      g_array_index (finding->others, uint32_t, i), 1};
  dg_rows_add (
    rows, (const struct dg_cell[]) {
            DG_CELL_TEXT (finding->rule), DG_CELL_TEXT (finding->title),
            DG_CELL_TEXT (finding->measure == ADVISE_TIME ? "time" : "memory"),
            DG_CELL_REAL (finding->share),
            finding->is_predicted
              ? DG_CELL_REAL (CLAMP (finding->gain, 0, 1)) : DG_CELL_EMPTY,
            finding->change != NULL ? DG_CELL_REAL (finding->misses_change)
                                    : DG_CELL_EMPTY,
            DG_CELL_TEXT (command),
            DG_CELL_NUMBER ((uint64_t) finding->amount),
            DG_CELL_TEXT (finding->text), DG_CELL_TEXT (finding->action),
            DG_CELL_TEXT (code->function), DG_CELL_TEXT (code->file),
            code->line > 0 ? DG_CELL_NUMBER (code->line) : DG_CELL_EMPTY,
            DG_CELL_TEXT (code->module), DG_CELL_TEXT (finding->memory),
            DG_CELL_PAIRS (others, n), DG_CELL_TEXT (finding->evidence)});
  g_free (command);
}

static void
put_table (const struct advise_work *work, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    {"rule", "Rule", DG_UNIT_TEXT, 0},
    {"title", "Title", DG_UNIT_TEXT, 0},
    {"measure", "Measure", DG_UNIT_TEXT, 0},
    {"share", "Share", DG_UNIT_PERCENT, 0},
    {"gain_share", "Predicted gain", DG_UNIT_PERCENT, 0},
    {"l1_misses_relative", "Misses", DG_UNIT_CHANGE_PERCENT, 0},
    {"predicted_by", "Predicted by", DG_UNIT_TEXT, 0},
    {"amount", "Amount", DG_UNIT_COUNT, 0},
    {"text", "Text", DG_UNIT_TEXT, 0},
    {"action", "Action", DG_UNIT_TEXT, 0},
    {"function", "Function", DG_UNIT_TEXT, 0},
    {"file", "File", DG_UNIT_TEXT, 0},
    {"line", "Line", DG_UNIT_NUMBER, 0},
    {"module", "Module", DG_UNIT_TEXT, 0},
    {"memory", "Memory", DG_UNIT_TEXT, 0},
    {"other_lines", "Other lines", DG_UNIT_LIST, 0},
    {"evidence", "Evidence", DG_UNIT_TEXT, 0}};
  struct dg_rows *rows = dg_report_table (report, "findings", NULL, columns,
                                          G_N_ELEMENTS (columns));

  for (guint i = 0; i < work->found->len; i++)
    put_row (rows, work->found->pdata[i]);
}

static void
put_paragraphs (struct dg_report *report, guint number,
                const struct advise_finding *finding)
{
  char *share = advise_percent_text (finding->share);
  char *title = g_strdup_printf (
    "%u  %s  (%s, %s of the %s)", number, finding->title, finding->rule, share,
    advise_measure_text (finding->measure));
  char *prediction = advise_finding_prediction (finding);
  GString *others = g_string_new (NULL);

  dg_report_begin (report, NULL, title);
  for (guint i = 0; i < finding->others->len; i++)
    g_string_append_printf (others, "%s%" PRIu32, i == 0 ? "" : ", ",
                            g_array_index (finding->others, uint32_t, i));
  dg_report_note (report, "%s%s%s%s", finding->text,
                  finding->others->len == 0   ? ""
                  : finding->others->len == 1 ? "  Also in line "
                                              : "  Also in lines ",
                  others->str,
                  others->len > 0 ? "." : "");
  dg_report_note (report, "What to do: %s", finding->action);
  if (prediction != NULL)
    dg_report_note (report, "Predicted: %s", prediction);
  dg_report_note (report, "More: %s", finding->evidence);
  dg_report_end (report);
  g_string_free (others, TRUE);
  g_free (share);
  g_free (title);
  g_free (prediction);
}

guint
advise_work_shown (const struct advise_work *work)
{
  const struct analysis_options *options = &work->options;

  return options->top_text != NULL && options->top > 0
           ? (guint) MIN (work->found->len, options->top)
           : work->found->len;
}

void
advise_report (const struct advise_work *work, struct dg_report *report)
{
  const struct advise_facts *facts = &work->facts;
  guint n = advise_work_shown (work);
  char *sample = partial_sample (work->log.log.log);

  partial_report (report, work->log.log.log);
  if (sample != NULL)
    dg_report_note (report, "%s", sample);
  g_free (sample);
  dg_report_count (report, "instructions", "Instructions",
                   facts->instructions);
  dg_report_count (report, "estimated_cycles", "Estimated cycles",
                   (uint64_t) facts->cycles);
  dg_report_value (report, "allocated_bytes", "Heap, allocated in all",
                   DG_UNIT_BYTES,
                   facts->has_heap ? DG_CELL_NUMBER (facts->heap_bytes)
                                   : DG_CELL_EMPTY);
  dg_report_count (report, NULL, "Findings", work->found->len);
  put_table (work, report);
  for (guint i = 0; i < n; i++)
    put_paragraphs (report, i + 1, work->found->pdata[i]);
  if (n < work->found->len)
    dg_report_note (report, "%u more findings: --top=0 shows all.",
                    work->found->len - n);
  if (work->n_left_out > 0)
    dg_report_note (report,
                    "Not shown: findings whose repairs would gain less than"
                    " 2 %%, %u.", work->n_left_out);
  else if (work->found->len == 0)
    dg_report_note (report, "No rule applies.");
  advise_where_report (facts, work->found->len > 0, report);
  if (work->found->len > 0)
    dg_report_note (report,
                    "Estimated cycles: those of dg time.  Shares of what this"
                    " leaves out, as when threads wait for a line, are of the"
                    " sum of both.  They do not add up: what is mended changes"
                    " the others.");
}

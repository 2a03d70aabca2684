/* advise_gains.c: what the repair of a finding would gain.

   The log is executed again by dg whatif, with the repair: the other layout of
   a structure, accesses in order, a variable in a register.  Of several
   repairs, the best counts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_gains.h"

#include "advise_table.h"

#include <inttypes.h>
#include <string.h>

/* A repair that gains less is not worth its trouble.  */
#define LEAST_GAIN 0.02
/* Findings whose repairs are tried, at most.  */
#define MOST_TRIED 8
/* Their changes, as long as nothing is found.  */
#define CHANGES_EXPECTED 4
/* Instructions that are executed for a repair, about: of a longer log, a
   sample.  */
#define EXECUTED (UINT64_C (8) << 20)
/* If a repair reaches less of the accesses that a finding is about, or a
   change of code reaches many more, its gain says nothing.  */
#define LEAST_REACHED 0.5
#define MOST_REACHED 5.0

/* What dg whatif says.  */
struct outcome {
  double before, after;    /* cycles */
  double pages_before, pages_after;  /* of them, of the kernel */
  double misses_before, misses_after;
  double branch, forward;  /* cycles that are saved: of wrong predictions, of
                              values that were just stored */
  double accesses;         /* that the change reaches */
};

/* ---- One repair ------------------------------------------------------- */

static void
read_figures (const struct dg_report *report, struct outcome *outcome)
{
  struct advise_table table;

  advise_table_init (&table, report, NULL, "figures");
  while (advise_table_next (&table)) {
    const char *figure = advise_table_text (&table, "figure");
    double before = (double) advise_table_number (&table, "before");
    double after = (double) advise_table_number (&table, "after");

    if (strcmp (figure, "cycles") == 0) {
      outcome->before = before;
      outcome->after = after;
    } else if (strcmp (figure, "page_cycles") == 0) {
      outcome->pages_before = before;
      outcome->pages_after = after;
    } else if (strcmp (figure, "branch_cycles") == 0) {
      outcome->branch = before - after;
    } else if (strcmp (figure, "forward_cycles") == 0) {
      outcome->forward = before - after;
    } else if (strcmp (figure, "l1_misses") == 0) {
      outcome->misses_before = before;
      outcome->misses_after = after;
    }
  }
  advise_table_init (&table, report, NULL, "changed");
  while (advise_table_next (&table))
    outcome->accesses += (double) advise_table_number (&table, "accesses");
}

static bool
is_sampled (const struct dg_summary *summary)
{
  return summary->instructions > 2 * EXECUTED;
}

/* Whether a change is one of lines or functions, not of data.  */
static bool
changes_code (const struct advise_change *change)
{
  return g_str_has_prefix (change->options[0], "in-")
         || g_str_has_prefix (change->options[0], "remove")
         || strcmp (change->options[0], "exchange") == 0
         || strcmp (change->options[0], "predicted") == 0;
}

/* Whether a change is also one of the libraries that a line calls.  --remove
   is not: it names copies of the line itself, or the library's functions.  */
static bool
has_libraries (const struct advise_change *change)
{
  return changes_code (change) && strcmp (change->options[0], "remove") != 0;
}

/* The settings of dg whatif; strings belong to `made`.  */
static GArray *
settings_of (const struct analysis_work *work,
             const struct advise_change *change, GPtrArray *made)
{
  GArray *settings = g_array_new (FALSE, FALSE, sizeof (struct dg_setting));
  const struct dg_summary *summary = dg_log_summary (work->log.log);
  const GArray *given = work->options->settings;
  struct dg_setting sample = {"sample", NULL};
  const struct dg_setting program = {"program", NULL};

  /* As the rules, which count libraries for the line that calls them.  */
  if (has_libraries (change))
    g_array_append_val (settings, program);
  for (size_t i = 0; i < G_N_ELEMENTS (change->options); i++)
    if (change->options[i] != NULL) {
      const struct dg_setting setting = {change->options[i],
                                         change->values[i]};

      g_array_append_val (settings, setting);
    }
  for (guint i = 0; i < given->len; i++) {
    const struct dg_setting *setting =
      &g_array_index (given, struct dg_setting, i);

    if (strcmp (setting->name, "machine") == 0)
      g_array_append_val (settings, *setting);
  }
  if (is_sampled (summary)) {
    sample.value =
      g_strdup_printf ("%" PRIu64, summary->instructions / EXECUTED);
    g_ptr_array_add (made, (gpointer) sample.value);
    g_array_append_val (settings, sample);
  }
  return settings;
}

/* 0, an error of the work, or DG_ERR_INVALID: dg whatif does not know what
   is to be changed.  */
static int
try_change (struct analysis_work *work, const struct advise_change *change,
            struct interrupt *interrupt, struct outcome *outcome,
            struct dg_error *error)
{
  GPtrArray *made = g_ptr_array_new_with_free_func (g_free);
  GArray *settings = settings_of (work, change, made);
  struct dg_report *report = dg_report_new (error);
  int code = DG_ERR_NOMEM;

  *outcome = (struct outcome) {.before = 0};
  if (report != NULL)
    code = analysis_work_another (
      work, dg_analysis_find ("whatif"),
      (const struct dg_setting *) (void *) settings->data, settings->len,
      interrupt, report, error);
  if (code == 0)
    read_figures (report, outcome);
  dg_report_free (report);
  g_array_unref (settings);
  g_ptr_array_unref (made);
  return code;
}

/* Whether a change reaches what a finding is about, and little else.  */
static bool
has_reached (const struct advise_finding *finding,
             const struct advise_change *change,
             const struct outcome *outcome)
{
  const char *option = change->options[0];

  if (strcmp (option, "predicted") == 0)
    return outcome->branch >= LEAST_REACHED * finding->amount;
  if (strcmp (option, "in-register") == 0)
    return outcome->forward >= LEAST_REACHED * finding->amount;
  return outcome->accesses >= LEAST_REACHED * (double) finding->accesses
         && (!changes_code (change) || finding->accesses == 0
             || outcome->accesses
                  <= MOST_REACHED * (double) finding->accesses);
}

/* Takes an outcome, if it is better than that of another repair.  A repair
   that moves no data touches as many new pages as before.  */
static void
take_outcome (struct advise_finding *finding,
              const struct advise_change *change,
              const struct outcome *outcome)
{
  double saved = outcome->before - outcome->after, gain;

  if (changes_code (change))
    saved -= outcome->pages_before - outcome->pages_after;
  if (outcome->before <= 0 || !has_reached (finding, change, outcome))
    return;
  gain = saved / outcome->before;
  if (finding->is_predicted && finding->gain >= gain)
    return;
  finding->is_predicted = true;
  finding->change = change;
  finding->gain = gain;
  finding->misses_change =
    outcome->misses_before > 0
      ? outcome->misses_after / outcome->misses_before - 1 : 0;
}

/* What selects the processor and the part of the run, as it was given.  */
static char *
settings_text (const struct analysis_work *work,
               const struct advise_change *change)
{
  const struct analysis_options *options = work->options;
  const struct dg_summary *summary = dg_log_summary (work->log.log);
  const struct {
    const char *name, *value;
  } choices[] = {
    {"threads", options->threads}, {"instructions", options->instructions},
    {"events", options->events},   {"ranges", options->ranges}};
  GString *text = g_string_new (has_libraries (change) ? " --program" : "");

  for (guint i = 0; i < options->settings->len; i++) {
    const struct dg_setting *setting =
      &g_array_index (options->settings, struct dg_setting, i);

    if (strcmp (setting->name, "machine") == 0)
      g_string_append_printf (text, " --machine=%s", setting->value);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].value != NULL) {
      char *quoted = g_shell_quote (choices[i].value);

      g_string_append_printf (text, " --%s=%s", choices[i].name, quoted);
      g_free (quoted);
    }
  if (is_sampled (summary))
    g_string_append_printf (text, " --sample=%" PRIu64,
                            summary->instructions / EXECUTED);
  return g_string_free (text, FALSE);
}

/* The work of one change.  */
static double
amount_of (const struct dg_log *log)
{
  const struct dg_summary *summary = dg_log_summary (log);
  double amount = analysis_work_amount ("whatif");

  return is_sampled (summary)
           ? amount * EXECUTED / (double) summary->instructions : amount;
}

static int
predict (struct analysis_work *work, struct advise_finding *finding,
         struct interrupt *interrupt)
{
  for (guint i = 0; i < finding->changes->len; i++) {
    const struct advise_change *change = finding->changes->pdata[i];
    struct outcome outcome;
    struct dg_error error;
    int code;

    cli_progress_phase (interrupt->progress, "repairs",
                        amount_of (work->log.log));
    code = try_change (work, change, interrupt, &outcome, &error);

    if (code == DG_ERR_CANCELLED)
      return CLI_FAILURE;
    if (code == 0)
      take_outcome (finding, change, &outcome);
    else if (code != DG_ERR_INVALID)
      return cli_fail ("%s: %s", work->log.path, error.message);
  }
  if (finding->change != NULL)
    finding->settings = settings_text (work, finding->change);
  return CLI_OK;
}

/* ---- All -------------------------------------------------------------- */

double
advise_gains_amount (const struct dg_log *log)
{
  return CHANGES_EXPECTED * amount_of (log);
}

/* The changes that are tried.  */
static guint
count_changes (const GPtrArray *found)
{
  guint n_tried = 0, n = 0;

  for (guint i = 0; i < found->len && n_tried < MOST_TRIED; i++) {
    const struct advise_finding *finding = found->pdata[i];

    n_tried += finding->changes->len > 0;
    n += finding->changes->len;
  }
  return n;
}

int
advise_gains_predict (struct analysis_work *work, GPtrArray *found,
                      struct interrupt *interrupt, double more,
                      guint *n_left_out)
{
  guint n_tried = 0;

  cli_progress_expect (interrupt->progress,
                       count_changes (found) * amount_of (work->log.log)
                         + more);
  *n_left_out = 0;
  for (guint i = 0; i < found->len;) {
    struct advise_finding *finding = found->pdata[i];
    int status = CLI_OK;

    if (finding->changes->len > 0 && n_tried++ < MOST_TRIED)
      status = predict (work, finding, interrupt);
    if (status != CLI_OK)
      return status;
    if (finding->is_minor
        && (!finding->is_predicted || finding->gain < finding->least)) {
      g_ptr_array_remove_index (found, i);
      continue;
    }
    if (finding->is_predicted && finding->gain < LEAST_GAIN) {
      bool was_tried = finding->change != NULL;

      finding->is_predicted = false;
      finding->change = NULL;
      /* An estimate from costs leaves out more than an execution does.  */
      if (was_tried && finding->measure == ADVISE_TIME) {
        g_ptr_array_remove_index (found, i);
        ++*n_left_out;
        continue;
      }
    }
    i++;
  }
  advise_rules_sort (found);
  return CLI_OK;
}

/* analyse.c: running analyses over a log, from their options to the report.

   The pass over the log is in analyse_run.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "analyse_run.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/sized.h"
#include "log/log.h"
#include "report.h"
#include "report_files.h"
#include "sampled.h"

#define WORKERS_MAX 64u
#define PARTS_MAX 64u
#define NO_MESSAGE                       \
  {                                      \
    DG_ERR_NOMEM, 0, "not enough memory" \
  }

/* Contexts from which on each analysis gets a pass of its own: what they keep
   grows with these, and decoding a log once more takes less than that.  */
#define CONTEXTS_APART (500u * 1000)

/* The report takes this part of the time of a pass, about.  */
#define REPORT_PART 0.05
/* The work of a service that takes long before a pass, such as finding
   variables: as much as one reading of the log.  */
#define SERVICE_AMOUNT 1.0

struct command {
  size_t n_all;            /* analyses */
  size_t n;                /* of them, those of the pass in hand */
  bool is_creating;        /* before the pass */
  struct dg_services services;
  struct dg_analyse_options options;
  struct dg_pass pass;
  GThread *thread;         /* that called */
};

const struct dg_analysis *const *
dg_analyses (size_t *n)
{
  const struct dg_analysis *const *table = dg_analysis_table ();

  for (*n = 0; table[*n];)
    ++*n;
  return table;
}

const struct dg_analysis *
dg_analysis_find (const char *name)
{
  const struct dg_analysis *const *table = dg_analysis_table ();

  for (size_t i = 0; table[i]; i++)
    if (strcmp (table[i]->name, name) == 0)
      return table[i];
  return NULL;
}

/* ---- What was asked for ---- */

static int
check_analyses (const struct dg_analysis *const *analyses, size_t n,
                struct dg_error *err)
{
  if (n == 0)
    return dg_error_set (err, DG_ERR_INVALID, "no analysis is given");
  for (size_t i = 0; i < n; i++) {
    const struct dg_analysis *analysis = analyses[i];

    if (analysis->version != DG_ANALYSIS_VERSION
        || analysis->size != sizeof *analysis)
      return dg_error_set (err, DG_ERR_VERSION,
                           "the analysis is of version %u, not %d",
                           analysis->version, DG_ANALYSIS_VERSION);
    for (size_t k = 0; k < i; k++)
      if (strcmp (analyses[k]->name, analysis->name) == 0)
        return dg_error_set (err, DG_ERR_INVALID, "%s is given twice",
                             analysis->name);
  }
  return 0;
}

static int
check_settings (const struct dg_analysis *const *analyses, size_t n,
                const struct dg_analyse_options *options,
                struct dg_error *err)
{
  for (size_t i = 0; i < options->n_settings; i++) {
    bool is_known = false;

    for (size_t k = 0; k < n; k++)
      is_known |= dg_option_find (analyses[k]->options,
                                  options->settings[i].name) != NULL;
    if (!is_known)
      return dg_error_set (err, DG_ERR_INVALID, "%s: no option --%s",
                           analyses[0]->name, options->settings[i].name);
  }
  return 0;
}

static int
check_intervals (const struct dg_analysis *analysis,
                 const struct dg_analyse_options *options,
                 struct dg_error *err)
{
  bool has = analysis->snapshot && analysis->combine && analysis->print
             && analysis->release;

  if (has || (options->interval_instructions == 0
              && options->interval_ns == 0))
    return 0;
  return dg_error_set (err, DG_ERR_INVALID,
                       "%s: does not support intervals", analysis->name);
}

/* Sorts, and leaves each once.  */
static size_t
unique (uint32_t *numbers, size_t n)
{
  qsort (numbers, n, sizeof *numbers, dg_compare_u32);
  return DG_UNIQUE (numbers, n);
}

/* The threads of the log and those that are to be left.  */
static int
prepare_threads (struct dg_pass *pass,
                 const struct dg_analyse_options *options,
                 struct dg_error *err)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (pass->log, &n);
  uint32_t *wanted = g_try_new (uint32_t, options->n_threads + 1);

  pass->threads = g_try_new (uint32_t, n + 1);
  if (!pass->threads || !wanted) {
    g_free (wanted);
    return dg_error_nomem (err);
  }
  for (size_t i = 0; i < n; i++)
    pass->threads[i] = threads[i].number;
  pass->n_threads = unique (pass->threads, n);
  if (options->n_threads > 0)
    memcpy (wanted, options->threads, options->n_threads * sizeof *wanted);
  pass->feed.n_threads = unique (wanted, options->n_threads);
  pass->feed.threads = wanted;
  return 0;
}

static int
prepare_pass (struct command *command, struct dg_error *err)
{
  struct dg_pass *pass = &command->pass;
  const struct dg_analyse_options *options = &command->options;
  const struct dg_summary *summary = dg_log_summary (pass->log);
  int code;

  pass->end_icount = summary->last_icount;
  if (options->end_icount > 0)
    pass->end_icount = MIN (pass->end_icount, options->end_icount);
  pass->start_icount = MIN (options->start_icount, pass->end_icount);
  pass->feed.log = pass->log;
  pass->feed.takes_alike = true;
  pass->feed.filter = options->filter;
  pass->feed.start_icount = options->start_icount;
  pass->feed.end_icount = options->end_icount > 0 ? options->end_icount
                                                  : DG_NEVER;
  code = prepare_threads (pass, options, err);
  if (code == 0)
    code = dg_times_init (&pass->times, pass->log, err);
  if (code == 0)
    code = dg_intervals_init (&pass->intervals, &pass->times, options,
                              pass->start_icount, pass->end_icount, err);
  if (code == 0 && pass->intervals.ends) {
    pass->feed.ends = pass->intervals.ends;
    pass->feed.n_ends = pass->intervals.n + 1;
    /* Nothing may be behind the last one.  */
    pass->feed.end_icount = pass->end_icount;
  }
  if (code == 0)
    code = dg_sampled_init (&pass->sampled, pass->log, pass->start_icount,
                            pass->end_icount, &pass->intervals,
                            options->scales, err);
  if (code == 0 && pass->sampled.ends) {
    pass->feed.ends = pass->sampled.ends;
    pass->feed.n_ends = pass->sampled.n;
  }
  command->services.is_sampled = pass->sampled.executed > 0;
  return code;
}

/* ---- Analyses ---- */

static int
create (struct command *command, struct dg_member *member,
        struct dg_error *err)
{
  const struct dg_analysis *analysis = member->analysis;
  struct dg_error error = NO_MESSAGE;
  int code = dg_setup_init (&member->setup, &command->services, analysis,
                            &error);

  member->setup.is_apart = member->group >= 0;
  if (code < 0)
    return dg_member_error (member, NULL, code, &error, err);
  member->self = analysis->create (&member->setup, &error);
  if (!member->self)
    return dg_member_error (member, NULL, error.code, &error, err);
  member->plan = (struct dg_plan) { .shard = DG_SHARD_CHUNK,
                                    .needs_addresses = true,
                                    .needs_contexts = true };
  code = analysis->plan (member->self, &member->plan, &error);
  if (code < 0)
    return dg_member_error (member, NULL, code, &error, err);
  if ((member->plan.shard == DG_SHARD_PART
       && (member->plan.parts < 1 || member->plan.parts > PARTS_MAX))
      || (member->plan.view == DG_VIEW_RECORDS
          && member->plan.shard != DG_SHARD_WHOLE))
    return dg_error_set (err, DG_ERR_INVALID, "%s: its plan is invalid",
                         analysis->name);
  if (member->plan.view != DG_VIEW_RECORDS) {
    command->pass.feed.needs_addresses
      |= member->plan.needs_addresses
         || member->plan.view == DG_VIEW_ACCESSES;
    command->pass.feed.needs_contexts |= member->plan.needs_contexts;
    command->pass.feed.takes_alike
      &= member->plan.takes_alike && member->plan.view == DG_VIEW_RUNS
         && member->plan.shard == DG_SHARD_CHUNK;
  }
  return dg_pass_shards (&command->pass, member, err);
}

static int
create_member (struct command *command, const struct dg_analysis *analysis,
               size_t main, int group, struct dg_error *err)
{
  struct dg_pass *pass = &command->pass;
  struct dg_member *member = &pass->members[pass->n++];

  member->analysis = analysis;
  member->intervals = &pass->intervals;
  member->main = main;
  member->group = group;
  return create (command, member, err);
}

/* Parts of the log are left out if all members need the same ones only.  */
static void
choose_stretches (struct dg_pass *pass)
{
  const struct dg_plan *first = &pass->members[0].plan;
  bool are_equal = first->one_in > 1;

  for (size_t i = 0; i < pass->n; i++) {
    const struct dg_plan *plan = &pass->members[i].plan;

    are_equal &= plan->view != DG_VIEW_RECORDS
                 && plan->stretch == first->stretch
                 && plan->one_in == first->one_in;
  }
  pass->feed.stretch = are_equal ? first->stretch : 0;
  pass->feed.one_in = are_equal ? first->one_in : 0;
}

/* Each analysis, and behind them all, for each group of a sample's windows,
   those again.  */
static int
create_all (struct command *command, const struct dg_analysis *const *analyses,
            size_t n, struct dg_error *err)
{
  struct dg_pass *pass = &command->pass;
  int groups = (int) pass->sampled.estimate.n;
  int code = 0;

  pass->members = g_try_new0 (struct dg_member, n * (1 + (size_t) groups));
  if (!pass->members)
    return dg_error_nomem (err);
  command->n = n;
  for (size_t i = 0; i < n && code == 0; i++)
    code = create_member (command, analyses[i], i, -1, err);
  for (size_t i = 0; i < n && code == 0; i++)
    for (int g = 0; g < groups && code == 0; g++)
      if (pass->members[i].plan.view != DG_VIEW_RECORDS)
        code = create_member (command, analyses[i], i, g, err);
  choose_stretches (pass);
  return code;
}

/* What the groups alone would say; groups: room for all reports.  */
static int
report_groups (struct command *command, size_t main,
               struct dg_report **groups, struct dg_error *err)
{
  struct dg_pass *pass = &command->pass;
  struct dg_error error = NO_MESSAGE;
  int code = 0;

  for (size_t i = command->n; i < pass->n && code == 0; i++) {
    struct dg_member *member = &pass->members[i];
    struct dg_report *report;

    if (member->main != main)
      continue;
    report = groups[member->group] = dg_report_new (err);
    if (!report)
      return DG_ERR_NOMEM;
    dg_report_set_apart (report);
    code = member->analysis->report (member->self, report, &error);
    if (code < 0)
      dg_member_error (member, NULL, code, &error, err);
    else
      code = dg_pass_pace (pass, pass->bytes, err);
  }
  return MIN (code, 0);
}

/* Scales the totals that the report has from item `first' on.  */
static int
scale_one (struct command *command, size_t main, struct dg_report *report,
           size_t first, struct dg_error *err)
{
  const struct dg_sampled *sampled = &command->pass.sampled;
  struct dg_report *groups[DG_ESTIMATE_GROUPS] = { NULL };
  int code = 0;

  if (sampled->executed == 0
      || command->pass.members[main].plan.view == DG_VIEW_RECORDS)
    return 0;
  if (sampled->estimate.n > 0)
    code = report_groups (command, main, groups, err);
  if (code == 0)
    code = dg_sampled_report (sampled, report, first,
                              sampled->estimate.n > 0 ? groups : NULL, err);
  for (unsigned g = 0; g < DG_ESTIMATE_GROUPS; g++)
    dg_report_free (groups[g]);
  return code;
}

static int
report_one (struct command *command, size_t main, struct dg_report *report,
            struct dg_error *err)
{
  struct dg_member *member = &command->pass.members[main];
  const struct dg_analysis *analysis = member->analysis;
  struct dg_error error = NO_MESSAGE;
  size_t start, first, end;
  int code;

  if (command->n_all > 1)
    dg_report_begin (report, analysis->name, analysis->name);
  start = first = dg_report_n_items (report);
  code = dg_intervals_tell (&command->pass.intervals, member, report, err);
  end = dg_report_n_items (report);
  if (code == 0) {
    code = analysis->report (member->self, report, &error);
    if (code < 0)
      dg_member_error (member, NULL, code, &error, err);
  }
  /* What the whole log says matters more.  */
  dg_report_put_last (report, first, end);
  if (code >= 0)
    code = scale_one (command, main, report, start, err);
  if (command->n_all > 1)
    dg_report_end (report);
  return MIN (code, 0);
}

static void
free_members (struct command *command)
{
  struct dg_pass *pass = &command->pass;

  for (size_t i = 0; i < pass->n; i++) {
    struct dg_member *member = &pass->members[i];

    for (uint32_t k = 0; k < member->n_shards; k++)
      dg_shard_fini (&member->shards[k]);
    for (size_t k = 0; k < member->snapshots.n; k++)
      member->analysis->release (
        member->self, ((struct dg_snapshot **) member->snapshots.items)[k]);
    dg_table_fini (&member->snapshots);
    if (member->self && member->analysis->free)
      member->analysis->free (member->self);
    g_free (member->shards);
    dg_setup_fini (&member->setup);
  }
  g_clear_pointer (&pass->members, g_free);
  pass->n = 0;
}

static void
free_all (struct command *command)
{
  struct dg_pass *pass = &command->pass;

  free_members (command);
  g_free (pass->threads);
  g_free ((uint32_t *) pass->feed.threads);
  dg_intervals_fini (&pass->intervals);
  dg_sampled_fini (&pass->sampled);
  dg_times_fini (&pass->times);
  dg_analyse_services_fini (&command->services);
}

/* ---- All ---- */

/* Part of the bytes of the log.  */
static uint64_t
part_of_bytes (const struct dg_pass *pass, uint64_t done, uint64_t total)
{
  return total > 0 ? (uint64_t) ((double) pass->bytes
                                 * (double) MIN (done, total)
                                 / (double) total)
                   : 0;
}

/* The progress function of a service that takes long.  Within a pass, the
   reported share stays the same, but the user can cancel.  */
static int
wait_for_service (void *user, uint64_t done, uint64_t total)
{
  struct command *command = user;
  struct dg_pass *pass = &command->pass;

  if (g_thread_self () != command->thread)
    return atomic_load (&pass->limit) == 0;
  if (command->is_creating && pass->amount == 0) {
    pass->amount = SERVICE_AMOUNT;
    pass->bytes_all += SERVICE_AMOUNT * (double) pass->bytes;
  }
  return dg_pass_pace (
    pass, command->is_creating ? part_of_bytes (pass, done, total) : 0, NULL);
}

static void
init_command (struct command *command, const struct dg_log *log,
              dg_progress_fn progress, void *user)
{
  const struct dg_analyse_options *options;
  struct dg_services *services = &command->services;
  struct dg_pass *pass = &command->pass;

  options = &command->options;
  pass->log = log;
  pass->workers = options->workers > 0 ? options->workers
                                       : g_get_num_processors ();
  pass->workers = MIN (pass->workers, WORKERS_MAX);
  pass->progress = (struct dg_progress) { progress, user, 0 };
  pass->bytes = dg_log_header (log)->file_size;
  atomic_init (&pass->limit, SIZE_MAX);
  command->thread = g_thread_self ();
  dg_analyse_services_init (services);
  pass->services = services;
  services->log = log;
  services->options = options;
  services->workers = pass->workers;
  services->pace = wait_for_service;
  services->pace_user = command;
  services->is_filtered = options->filter || options->n_threads > 0
                          || options->start_icount > 0
                          || options->end_icount > 0;
}

/* How many analyses have a pass together.  */
static size_t
at_once (const struct command *command)
{
  return dg_log_summary (command->pass.log)->contexts < CONTEXTS_APART
           ? command->n_all
           : 1;
}

/* What an analysis has freed in small pieces is not left beside what the next
   one asks for.  */
static void
give_back (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

/* A report may take several steps, each of which counts from 0.  */
static int
pace_report (void *user, uint64_t done, uint64_t total)
{
  struct dg_pass *pass = user;

  return dg_pass_pace (pass, part_of_bytes (pass, done, total), NULL);
}

/* The next part of the work.  */
static void
begin_amount (struct dg_pass *pass, double amount)
{
  pass->bytes_before += pass->amount * (double) pass->bytes;
  pass->amount = amount;
}

/* The work of n analyses in one pass, from the analysis `first` on.  */
static double
amount_of (const struct command *command, size_t first, size_t n)
{
  double sum = 0;

  for (size_t i = first; i < first + n; i++)
    sum += command->options.amounts ? command->options.amounts[i] : 1;
  return sum;
}

/* One pass, and what its analyses say.  */
static int
run_pass (struct command *command, const struct dg_analysis *const *analyses,
          size_t first, size_t n, struct dg_report *report,
          struct dg_error *err)
{
  struct dg_pass *pass = &command->pass;
  double amount = amount_of (command, first, n), each = amount / (double) n;
  int code;

  pass->feed.needs_addresses = pass->feed.needs_contexts = false;
  pass->feed.takes_alike = true;
  atomic_store (&pass->limit, SIZE_MAX);
  pass->amount = 0;
  command->is_creating = true;
  code = create_all (command, analyses + first, n, err);
  command->is_creating = false;
  begin_amount (pass, amount);
  if (code == 0)
    code = dg_pass_run (pass, err);
  begin_amount (pass, each * REPORT_PART);
  for (size_t i = 0; i < n && code == 0; i++) {
    code = report_one (command, i, report, err);
    begin_amount (pass, each * REPORT_PART);
  }
  free_members (command);
  give_back ();
  return code;
}

static int
run (struct command *command, const struct dg_analysis *const *analyses,
     size_t n, struct dg_report *report, struct dg_error *err)
{
  int code = check_settings (analyses, n, &command->options, err);
  size_t step;

  for (size_t i = 0; i < n && code == 0; i++)
    code = check_intervals (analyses[i], &command->options, err);
  if (code == 0)
    code = prepare_pass (command, err);
  command->n_all = n;
  step = at_once (command);
  command->pass.bytes_all = (double) command->pass.bytes
                            * amount_of (command, 0, n) * (1 + REPORT_PART);
  for (size_t i = 0; i < n && code == 0; i += step)
    code = run_pass (command, analyses, i, MIN (step, n - i), report, err);
  return code == 0 ? dg_report_finish (report, err) : code;
}

int
dg_analyse (const struct dg_log *log,
            const struct dg_analysis *const *analyses, size_t n,
            const struct dg_analyse_options *options, dg_progress_fn progress,
            void *user, struct dg_report *report, struct dg_error *err)
{
  struct command command = { 0 };
  struct dg_error error;
  int code = check_analyses (analyses, n, err);

  if (code < 0)
    return code;
  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (DG_SIZED_TAKE (&command.options, n_settings, options, err) < 0)
    return DG_ERR_INVALID;
  init_command (&command, log, progress, user);
  dg_report_set_progress (report, pace_report, &command.pass);
  dg_report_set_log (report, log);
  code = run (&command, analyses, n, report, &error);
  if (code < 0)
    dg_error_copy (err, &error);
  dg_report_set_progress (report, NULL, NULL);
  dg_report_set_log (report, NULL);
  free_all (&command);
  return code;
}

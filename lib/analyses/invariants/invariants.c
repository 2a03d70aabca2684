/* invariants.c: "dg invariants": checks that a log is consistent.

   What a log's format demands is checked when it is loaded; here, records are
   compared with what came before them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "invariants.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"

/* By enum inv_kind.  */
static const struct {
  const char *key, *title;
} kinds[INV_KINDS] = {
  { "whole", "Logs that end early" },
  { "totals", "Totals that do not match" },
  { "time", "Time that goes backwards" },
  { "thread", "Threads that are not running" },
  { "signal", "Signal handlers that return without starting" },
  { "heap", "Heap blocks that overlap or do not exist" },
  { "range", "Untracked ranges that were not tracked" },
  { "event", "Ended events that had not started" },
  { "module", "Unloaded modules that were not loaded" },
  { "block", "Blocks with impossible instructions" },
  { "context", "Contexts that do not match their blocks" },
  { "access", "Accesses beyond the address space" },
  { "code", "Code in memory that is not executable" },
  { "continuity", "Runs that do not continue where they stopped" },
  { "call", "Call paths without a call" },
  { "stack", "Return addresses in another thread's stack" }
};

void
invariants_find (struct invariants *inv, enum inv_kind kind,
                 const char *format, ...)
{
  struct inv_finding *finding;
  va_list args;

  inv->counts[kind]++;
  if (inv->findings.n >= INV_KEPT)
    return;
  finding = dg_table_add (&inv->findings, sizeof *finding);
  if (finding == NULL) {
    inv->is_short = true;
    return;
  }
  finding->kind = kind;
  finding->icount = inv->icount;
  finding->thread = inv->thread->number;
  va_start (args, format);
  finding->text = g_strdup_vprintf (format, args);
  va_end (args);
}

static void
invariants_free (void *self)
{
  struct invariants *inv = self;
  struct inv_finding *findings = inv->findings.items;

  for (size_t i = 0; i < inv->findings.n; i++)
    g_free (findings[i].text);
  dg_table_fini (&inv->findings);
  g_hash_table_unref (inv->threads);
  g_hash_table_unref (inv->ranges);
  g_hash_table_unref (inv->events);
  g_hash_table_unref (inv->modules);
  invariants_calls_free (inv->calls);
  invariants_heap_free (inv->heap);
  g_free (inv);
}

static GHashTable *
new_pairs (void)
{
  return g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
}

static void *
invariants_create (struct dg_setup *setup, struct dg_error *err)
{
  struct invariants *inv;

  if (dg_setup_is_filtered (setup)) {
    dg_error_set (err, DG_ERR_INVALID, "consistency can only be checked in "
                                       "the whole log: filters are not "
                                       "possible");
    return NULL;
  }
  inv = g_new0 (struct invariants, 1);
  inv->log = dg_setup_log (setup);
  inv->generation = 1;
  inv->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  inv->ranges = new_pairs ();
  inv->events = new_pairs ();
  inv->modules = new_pairs ();
  inv->heap = invariants_heap_new ();
  inv->thread = invariants_thread_at (inv, 1);
  inv->calls = invariants_calls_new (inv->log, err);
  if (inv->calls == NULL) {
    invariants_free (inv);
    return NULL;
  }
  /* Who writes PROCESS records tells of threads, too.  */
  inv->has_starts = dg_log_process (inv->log) != NULL;
  return inv;
}

static int
invariants_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  plan->view = DG_VIEW_RECORDS;
  plan->shard = DG_SHARD_WHOLE;
  return 0;
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  return self;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct invariants *inv = self;
  const struct dg_record *rec = batch->record;

  if (rec->icount < inv->icount)
    invariants_find (inv, INV_TIME, "the instruction count goes backwards");
  inv->icount = rec->icount;
  inv->records++;
  invariants_calls_take (inv, rec);
  if (rec->type != DG_R_BBRUN) {
    invariants_records_take (inv, rec);
    invariants_heap_take (inv, rec);
  }
  return inv->is_short ? dg_error_nomem (err) : 0;
}

static void
shard_free (void *self, void *shard)
{
}

static void
tell_kinds (struct invariants *inv, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "kind", "Kind", DG_UNIT_TEXT, 0 },
    { "count", "Findings", DG_UNIT_COUNT, 0 },
    { "title", "What", DG_UNIT_TEXT, DG_COLUMN_LAST }
  };
  struct dg_rows *rows = dg_report_table (report, "kinds", "Kinds", columns,
                                          G_N_ELEMENTS (columns));

  for (unsigned i = 0; i < INV_KINDS; i++)
    if (inv->counts[i] > 0)
      dg_rows_add (rows, (struct dg_cell[]) {
        DG_CELL_TEXT (kinds[i].key), DG_CELL_NUMBER (inv->counts[i]),
        DG_CELL_TEXT (kinds[i].title) });
}

static void
tell_findings (struct invariants *inv, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "icount", "Instruction", DG_UNIT_COUNT, 0 },
    { "thread", "Thread", DG_UNIT_NUMBER, 0 },
    { "kind", "Kind", DG_UNIT_TEXT, 0 },
    { "what", "What", DG_UNIT_TEXT, DG_COLUMN_LAST }
  };
  const struct inv_finding *findings = inv->findings.items;
  struct dg_rows *rows = dg_report_table (report, "findings", "Findings",
                                          columns, G_N_ELEMENTS (columns));

  for (size_t i = 0; i < inv->findings.n; i++)
    dg_rows_add (rows, (struct dg_cell[]) {
      DG_CELL_NUMBER (findings[i].icount), DG_CELL_NUMBER (findings[i].thread),
      DG_CELL_TEXT (kinds[findings[i].kind].key),
      DG_CELL_TEXT (findings[i].text) });
}

static int
invariants_report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct invariants *inv = self;
  uint64_t n = 0;

  invariants_records_end (inv);
  for (unsigned i = 0; i < INV_KINDS; i++)
    n += inv->counts[i];
  dg_report_count (report, "records", "Records", inv->records);
  dg_report_count (report, "count", "Findings", n);
  if (n > 0) {
    tell_kinds (inv, report);
    dg_report_fail (report);
  }
  tell_findings (inv, report);
  if (n > inv->findings.n)
    dg_report_note (report, "Only the first %d findings are listed.",
                    INV_KEPT);
  if (n == 0)
    dg_report_note (report, "The log is consistent.");
  else
    dg_report_note (report, "Start with the first finding: \"dg dump\" shows "
                            "the records there.  From there on, other "
                            "analyses may report wrong figures.");
  return inv->is_short ? dg_error_nomem (err) : 0;
}

const struct dg_analysis dg_analysis_invariants = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "invariants",
  .summary = "Checks that a log is consistent",
  .details = "The exit status is 1 if the log is not consistent.\n",
  .needs_blocks = dg_setup_needs_no_blocks,
  .create = invariants_create,
  .plan = invariants_plan,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .shard_free = shard_free,
  .report = invariants_report,
  .free = invariants_free
};

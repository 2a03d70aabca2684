/* schedule.c: "dg schedule": how threads took turns: time slices, switches and
   waits.

   A time slice is what a thread executes until another one runs.  The moments
   of runs show where one ends, also where only some threads are read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>

#include "analysis/analysis.h"
#include "base/error.h"

struct thread {
  uint32_t number;
  uint64_t slices, instructions, longest;
  uint64_t end_icount;     /* of the latest slice */
  uint64_t waits;          /* slices after another one of the thread */
  uint64_t waited, longest_wait;       /* instructions of others between */
};

/* From one thread to another.  */
struct handoff {
  uint64_t key;            /* from << 32 | to */
  uint64_t times;
};

struct schedule {
  const struct dg_log *log;
  GHashTable *threads;     /* number -> struct thread */
  GHashTable *handoffs;    /* struct handoff */
  /* The slice that goes on.  */
  struct thread *thread;   /* NULL: none yet */
  uint64_t next_icount, length;
  uint64_t slices, switches, instructions, longest;
};

static void
schedule_free (void *data)
{
  struct schedule *self = data;

  g_hash_table_unref (self->threads);
  g_hash_table_unref (self->handoffs);
  g_free (self);
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct schedule *self = g_new0 (struct schedule, 1);

  (void) err;
  self->log = dg_setup_log (setup);
  self->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->handoffs =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, NULL, g_free);
  return self;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  plan->needs_addresses = false;
  plan->needs_contexts = false;
  return 0;
}

/* ---- Time slices -------------------------------------------------------- */

static struct thread *
thread_of (struct schedule *self, uint32_t number)
{
  gpointer key = GUINT_TO_POINTER (number);
  struct thread *thread = g_hash_table_lookup (self->threads, key);

  if (thread == NULL) {
    thread = g_new0 (struct thread, 1);
    thread->number = number;
    g_hash_table_insert (self->threads, key, thread);
  }
  return thread;
}

static void
end_slice (struct schedule *self)
{
  struct thread *thread = self->thread;

  if (thread == NULL)
    return;
  thread->slices++;
  thread->instructions += self->length;
  thread->longest = MAX (thread->longest, self->length);
  thread->end_icount = self->next_icount;
  self->slices++;
  self->instructions += self->length;
  self->longest = MAX (self->longest, self->length);
}

static void
count_handoff (struct schedule *self, uint32_t from, uint32_t to)
{
  uint64_t key = (uint64_t) from << 32 | to;
  struct handoff *handoff = g_hash_table_lookup (self->handoffs, &key);

  if (handoff == NULL) {
    handoff = g_new0 (struct handoff, 1);
    handoff->key = key;
    g_hash_table_insert (self->handoffs, &handoff->key, handoff);
  }
  handoff->times++;
  self->switches++;
}

static void
begin_slice (struct schedule *self, uint32_t number, uint64_t icount)
{
  struct thread *before = self->thread, *thread = thread_of (self, number);

  end_slice (self);
  if (before != NULL && before != thread)
    count_handoff (self, before->number, number);
  if (thread->slices > 0) {
    uint64_t wait = icount - MIN (icount, thread->end_icount);

    thread->waits++;
    thread->waited += wait;
    thread->longest_wait = MAX (thread->longest_wait, wait);
  }
  self->thread = thread;
  self->length = 0;
}

static int
shard_feed (void *data, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct schedule *self = data;

  (void) shard;
  (void) feed;
  (void) err;
  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];
    uint64_t icount = run->icount + run->first_instr;

    if (G_UNLIKELY (self->thread == NULL
                    || self->thread->number != run->thread
                    || icount != self->next_icount))
      begin_slice (self, run->thread, icount);
    self->length += dg_run_instructions (run);
    self->next_icount = run->icount + run->n_instrs;
  }
  return 0;
}

/* ---- Report ------------------------------------------------------------- */

static gint
compare_threads (gconstpointer one, gconstpointer other)
{
  const struct thread *a = one, *b = other;

  if (a->instructions != b->instructions)
    return a->instructions > b->instructions ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static gint
compare_handoffs (gconstpointer one, gconstpointer other)
{
  const struct handoff *a = one, *b = other;

  if (a->times != b->times)
    return a->times > b->times ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

static double
mean (uint64_t sum, uint64_t n)
{
  return n > 0 ? (double) sum / (double) n : 0;
}

static void
put_threads (const struct schedule *self, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "share", "Share", DG_UNIT_PERCENT, 0 },
    { "instructions", "Instructions", DG_UNIT_COUNT, 0 },
    { "time_slices", "Slices", DG_UNIT_COUNT, 0 },
    { "mean_time_slice", "Mean", DG_UNIT_REAL, 0 },
    { "longest_time_slice", "Longest", DG_UNIT_COUNT, 0 },
    { "mean_wait", "Mean wait", DG_UNIT_REAL, 0 },
    { "longest_wait", "Longest wait", DG_UNIT_COUNT, 0 },
    { "thread", "Thread", DG_UNIT_NUMBER, DG_COLUMN_ID },
    { "thread_name", "Name", DG_UNIT_TEXT, DG_COLUMN_LAST }
  };
  struct dg_rows *table =
    dg_report_table (report, "rows", "By thread", columns,
                     G_N_ELEMENTS (columns));
  GList *threads =
    g_list_sort (g_hash_table_get_values (self->threads), compare_threads);

  for (const GList *i = threads; i != NULL; i = i->next) {
    const struct thread *thread = i->data;
    const struct dg_thread *known = dg_log_thread (self->log, thread->number);
    const struct dg_cell cells[] = {
      DG_CELL_REAL (mean (thread->instructions, self->instructions)),
      DG_CELL_NUMBER (thread->instructions),
      DG_CELL_NUMBER (thread->slices),
      DG_CELL_REAL (mean (thread->instructions, thread->slices)),
      DG_CELL_NUMBER (thread->longest),
      DG_CELL_REAL (mean (thread->waited, thread->waits)),
      DG_CELL_NUMBER (thread->longest_wait),
      DG_CELL_NUMBER (thread->number),
      DG_CELL_TEXT (known != NULL && known->name[0] != '\0' ? known->name
                                                           : NULL)
    };

    dg_rows_add (table, cells);
  }
  g_list_free (threads);
}

static void
put_handoffs (const struct schedule *self, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "switches", "Switches", DG_UNIT_COUNT, 0 },
    { "from_thread", "From thread", DG_UNIT_NUMBER, DG_COLUMN_ID },
    { "to_thread", "To thread", DG_UNIT_NUMBER, DG_COLUMN_ID }
  };
  struct dg_rows *table =
    dg_report_table (report, "handoffs", "From one thread to another",
                     columns, G_N_ELEMENTS (columns));
  GList *handoffs =
    g_list_sort (g_hash_table_get_values (self->handoffs), compare_handoffs);

  for (const GList *i = handoffs; i != NULL; i = i->next) {
    const struct handoff *handoff = i->data;
    const struct dg_cell cells[] = {
      DG_CELL_NUMBER (handoff->times),
      DG_CELL_NUMBER (handoff->key >> 32),
      DG_CELL_NUMBER (handoff->key & UINT32_MAX)
    };

    dg_rows_add (table, cells);
  }
  g_list_free (handoffs);
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct schedule *self = data;

  (void) err;
  end_slice (self);
  self->thread = NULL;
  dg_report_count (report, "instructions", "Instructions",
                   self->instructions);
  dg_report_count (report, "threads", "Threads that ran",
                   g_hash_table_size (self->threads));
  dg_report_count (report, "time_slices", "Time slices", self->slices);
  dg_report_count (report, "switches", "Switches between threads",
                   self->switches);
  dg_report_value (report, "mean_time_slice", "Instructions in a slice",
                   DG_UNIT_REAL,
                   DG_CELL_REAL (mean (self->instructions, self->slices)));
  dg_report_count (report, "longest_time_slice", "  in the longest one",
                   self->longest);
  put_threads (self, report);
  put_handoffs (self, report);
  return 0;
}

const struct dg_analysis dg_analysis_schedule = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "schedule",
  .summary = "How threads took turns: time slices, switches and waits",
  .needs_blocks = dg_setup_needs_no_blocks,
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = schedule_free
};

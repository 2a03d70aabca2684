/* calls_time.c: what the runs of each thread take, by the time model.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_time.h"

#include <string.h>

#include "base/error.h"
#include "time/time_figures.h"

struct calls_time {
  struct dg_time_meter *meter;
  struct calls_tree *tree;
  bool is_by_instr;        /* the tree tells instructions of a block apart */
};

/* A run and its counts.  The model may add counts to the last run after that,
   when it knows where a branch of this run went.  */
struct timed_run {
  const struct dg_bbdef *bbdef;
  uint32_t context;
  uint16_t first, end;
  bool is_counted;
  uint64_t *rows;          /* all 0, but for these counts */
};

struct calls_time_thread {
  struct calls_time *time;
  struct timed_run runs[2];
  unsigned latest;         /* of these */
};

struct calls_time *
calls_time_new (struct dg_time_meter *meter, struct calls_tree *tree,
                struct dg_error *err)
{
  struct calls_time *time = g_try_new0 (struct calls_time, 1);

  if (time == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  time->meter = meter;
  time->tree = tree;
  time->is_by_instr = tree != NULL && calls_tree_is_inlined (tree);
  return time;
}

void
calls_time_free (struct calls_time *time)
{
  g_free (time);
}

struct calls_time_thread *
calls_time_thread_new (struct calls_time *time, struct dg_error *err)
{
  struct calls_time_thread *thread
    = g_try_new0 (struct calls_time_thread, 1);
  size_t n = time->is_by_instr ? DG_TIME_BLOCK : 1;

  for (unsigned i = 0; thread != NULL && i < 2; i++) {
    thread->runs[i].rows = g_try_new0 (uint64_t, n * DG_TIME_COUNTS);
    if (thread->runs[i].rows == NULL) {
      calls_time_thread_free (thread);
      thread = NULL;
    }
  }
  if (thread == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  thread->time = time;
  return thread;
}

void
calls_time_thread_free (struct calls_time_thread *thread)
{
  if (thread == NULL)
    return;
  g_free (thread->runs[0].rows);
  g_free (thread->runs[1].rows);
  g_free (thread);
}

static void
figures_of (const struct calls_time *time, const uint64_t *row,
            uint64_t figures[CALLS_TIMES])
{
  static const enum dg_time_figure of[CALLS_TIMES] = {
    [CALLS_CYCLES - CALLS_COUNTED] = DG_TIME_FIGURE_CYCLES,
    [CALLS_MEMORY_CYCLES - CALLS_COUNTED] = DG_TIME_FIGURE_MEMORY,
    [CALLS_L1_MISSES - CALLS_COUNTED] = DG_TIME_FIGURE_L1_MISSES,
    [CALLS_L2_MISSES - CALLS_COUNTED] = DG_TIME_FIGURE_L2_MISSES,
    [CALLS_L3_MISSES - CALLS_COUNTED] = DG_TIME_FIGURE_L3_MISSES,
  };
  const struct dg_time_machine *machine = dg_time_meter_machine (time->meter);

  for (unsigned i = 0; i < CALLS_TIMES; i++)
    figures[i] = dg_time_figure (row, machine, of[i]);
}

/* Most instructions leave together with others.  */
static inline bool
has_figures (const uint64_t *row)
{
  return (row[DG_TIME_CYCLES] | row[DG_TIME_PAGES] | row[DG_TIME_L1_MISSES])
         != 0;
}

/* Moves the counts of a run to the stack, on which the run is, and to its
   path.  */
static void
give (struct calls_time *time, struct timed_run *run,
      struct calls_stack *stack)
{
  unsigned first = time->is_by_instr ? run->first : 0;
  unsigned end = time->is_by_instr ? run->end : 1;

  if (run->bbdef == NULL)
    return;
  for (unsigned i = first; i < end; i++) {
    uint64_t *row = run->rows + (size_t) i * DG_TIME_COUNTS;
    uint64_t figures[CALLS_TIMES];

    if (run->is_counted) {
      if (has_figures (row)) {
        figures_of (time, row, figures);
        calls_stack_add (stack, figures);
        if (time->tree != NULL)
          calls_tree_add (time->tree, run->context, run->bbdef, i, figures);
      }
    }
    memset (row, 0, DG_TIME_COUNTS * sizeof *row);
  }
}

int
calls_time_feed (struct calls_time_thread *thread, struct calls_stack *stack,
                 const struct dg_run *run, struct dg_error *err)
{
  struct calls_time *time = thread->time;
  int take = dg_time_meter_take (time->meter, run, err);
  struct timed_run *before = &thread->runs[thread->latest];
  struct timed_run *now = &thread->runs[!thread->latest];
  int code;

  if (take <= DG_TIME_SKIP) {
    calls_stack_feed (stack, run, 1);
    return take;
  }
  *now = (struct timed_run){ run->bbdef, run->context, run->first_instr,
                             run->n_instrs, take == DG_TIME_COUNT,
                             now->rows };
  code = dg_time_meter_run (time->meter, run, take, now->rows,
                            time->is_by_instr ? DG_TIME_COUNTS : 0, err);
  /* What came late still belongs to the function of the last run.  */
  give (time, before, stack);
  calls_stack_feed (stack, run, 1);
  give (time, now, stack);
  thread->latest = !thread->latest;
  return code;
}

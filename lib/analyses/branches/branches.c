/* branches.c: `dg branches`: which branches a processor predicts wrongly, and
   what this costs.

   The branches of a block are decoded when it runs first; a run visits only
   these.  Where a branch went shows the next instruction of the thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "branches_global.h"
#include "time/time_branches.h"
#include "time/time_choice.h"
#include "time/time_places.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/breakdown.h"
#include "base/error.h"
#include "dg_record.h"

static const struct dg_option options[] = {
  { "predictor", DG_OPTION_CHOICE, "NAME", "tage", "tage,cachegrind",
    "that of dg time, or that of Cachegrind" },
  { "machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
    "the processor (default: zen5, neoverse-v2 for arm64)" },
  { "by", DG_OPTION_CHOICE, "WHAT", "function",
    "thread,function,line,module,instruction",
    "one row per function, line ... or thread" },
  DG_MINE_OPTIONS,
  { NULL }
};

enum count {
  CONDITIONAL = 0,
  CONDITIONAL_WRONG,
  TAKEN,                   /* of the conditional ones */
  INDIRECT,
  INDIRECT_WRONG,
  COUNTS
};

/* A branch of a block.  */
struct branch {
  uint64_t address, next;  /* next: the instruction behind it */
  uint16_t index;          /* of the instruction in the block */
  bool is_conditional;
};

struct block {
  uint32_t n;
  struct branch branches[];
};

/* A thread of the program, and the branch whose outcome is not known yet.  */
struct thread {
  struct dg_time_branches *tage;         /* of its core */
  const struct branch *branch;           /* NULL: there is none */
  uint64_t *row;
};

struct branches {
  struct dg_setup *setup;
  struct dg_time_machine machine;
  struct dg_breakdown *groups;
  struct dg_breakdown_sums *sums;
  enum dg_by by;
  struct dg_insn_decoder *decoder;       /* NULL: another architecture */
  struct block **blocks;                 /* by number; NULL: not decoded */
  uint32_t n_blocks;
  GHashTable *threads;                   /* number -> thread */
  struct dg_time_places places;
  GPtrArray *tages;                      /* of these */
  struct dg_branches_global *global;     /* NULL: --predictor=tage */
  unsigned shift;          /* low bits that are zero in all addresses */
  uint8_t bytes[DG_INSN_CODE_MAX];
};

static void
free_tage (gpointer tage)
{
  dg_time_branches_free (tage);
}

static void
branches_free (void *data)
{
  struct branches *self = data;

  for (uint32_t i = 0; self->blocks != NULL && i < self->n_blocks; i++)
    g_free (self->blocks[i]);
  g_free (self->blocks);
  dg_insn_decoder_free (self->decoder);
  if (self->threads != NULL)
    g_hash_table_unref (self->threads);
  if (self->tages != NULL)
    g_ptr_array_unref (self->tages);
  dg_time_places_fini (&self->places);
  g_free (self->global);
  dg_breakdown_sums_free (self->sums);
  dg_breakdown_free (self->groups);
  g_free (self);
}

static int
start (struct branches *self, struct dg_error *err)
{
  const struct dg_log *log = dg_setup_log (self->setup);
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  self->decoder = dg_insn_decoder_new (log, symbols);
  self->n_blocks = (uint32_t) dg_log_summary (log)->bbdefs;
  self->blocks = g_try_new0 (struct block *, self->n_blocks + 1);
  self->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->tages = g_ptr_array_new_with_free_func (free_tage);
  self->places.log = log;
  if (strcmp (dg_setup_text (self->setup, "predictor"), "cachegrind") == 0) {
    self->global = g_try_new0 (struct dg_branches_global, 1);
    if (self->global == NULL)
      return dg_error_nomem (err);
  }
  if (self->blocks == NULL)
    return dg_error_nomem (err);
  self->shift = strcmp (dg_insn_arch_name (log), "arm64") == 0 ? 2 : 0;
  self->groups = dg_breakdown_open (self->setup, self->by, COUNTS, err);
  if (self->groups == NULL)
    return DG_ERR_NOMEM;
  self->sums = dg_breakdown_sums_new (self->groups, err);
  return self->sums == NULL ? DG_ERR_NOMEM : 0;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct branches *self = g_new0 (struct branches, 1);

  self->setup = setup;
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  if (dg_breakdown_check_mine (setup, self->by, err) == 0
      && dg_time_machine_choose (dg_setup_text (setup, "machine"),
                                 dg_setup_log (setup), &self->machine, err)
           == 0
      && start (self, err) == 0)
    return self;
  branches_free (self);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_WHOLE;
  return 0;
}

/* ---- Blocks ---- */

static bool
is_predicted (uint8_t branch)
{
  return branch == DG_INSN_CONDITIONAL || branch == DG_INSN_INDIRECT_JUMP
         || branch == DG_INSN_INDIRECT_CALL;
}

static struct block *
decode (struct branches *self, const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  struct dg_insn *decoded = g_try_new0 (struct dg_insn, bbdef->n_instrs + 1);
  struct block *block;
  uint32_t n = 0;

  if (decoded == NULL)
    return NULL;
  if (self->decoder != NULL
      && dg_insn_decoder_block (self->decoder, bbdef, run->icount, decoded,
                                self->bytes) > 0)
    for (uint32_t i = 0; i < bbdef->n_instrs; i++)
      n += is_predicted (decoded[i].branch);
  block = g_try_malloc0 (sizeof *block + n * sizeof block->branches[0]);
  for (uint32_t i = 0; block != NULL && block->n < n; i++)
    if (is_predicted (decoded[i].branch))
      block->branches[block->n++] = (struct branch) {
        .address = bbdef->instrs[i].address,
        .next = bbdef->instrs[i].address + bbdef->instrs[i].size,
        .index = (uint16_t) i,
        .is_conditional = decoded[i].branch == DG_INSN_CONDITIONAL
      };
  g_free (decoded);
  return block;
}

/* ---- Runs ---- */

/* The predictor of a thread's core.  NULL: no memory.  */
static struct dg_time_branches *
tage_of (struct branches *self, uint32_t number)
{
  uint32_t i = dg_time_places_take (&self->places, number);
  struct dg_time_branches *tage;

  if (i < self->tages->len)
    return g_ptr_array_index (self->tages, i);
  tage = i != UINT32_MAX ? dg_time_branches_new () : NULL;
  if (tage != NULL)
    g_ptr_array_add (self->tages, tage);
  return tage;
}

static struct thread *
thread_of (struct branches *self, uint32_t number)
{
  gpointer key = GUINT_TO_POINTER (number);
  struct thread *thread = g_hash_table_lookup (self->threads, key);

  if (thread != NULL)
    return thread;
  thread = g_new0 (struct thread, 1);
  if (self->global == NULL) {
    thread->tage = tage_of (self, number);
    if (thread->tage == NULL) {
      g_free (thread);
      return NULL;
    }
  }
  g_hash_table_insert (self->threads, key, thread);
  return thread;
}

/* A branch went to `target`.  */
static void
resolve (struct branches *self, struct thread *thread,
         const struct branch *branch, uint64_t *row, uint64_t target)
{
  struct dg_branches_global *global = self->global;
  uint64_t address = branch->address;
  bool is_taken = target != branch->next, is_right;

  if (branch->is_conditional) {
    is_right = global != NULL
                 ? dg_branches_global_conditional (
                     global, address >> self->shift, is_taken)
                 : dg_time_branches_conditional (thread->tage, address,
                                                 is_taken);
    row[CONDITIONAL]++;
    row[CONDITIONAL_WRONG] += !is_right;
    row[TAKEN] += is_taken;
  } else {
    is_right = global != NULL
                 ? dg_branches_global_indirect (
                     global, address >> self->shift, target)
                 : dg_time_branches_indirect (thread->tage, address, target);
    row[INDIRECT]++;
    row[INDIRECT_WRONG] += !is_right;
  }
}

static int
feed_run (struct branches *self, struct thread *thread,
          const struct dg_run *run, struct dg_error *err)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  struct block **block = &self->blocks[bbdef->number];
  size_t stride = self->by == DG_BY_THREAD ? 0 : COUNTS;
  uint64_t *rows;

  if (run->first_instr >= run->n_instrs)
    return 0;
  if (thread->branch != NULL) {
    resolve (self, thread, thread->branch, thread->row,
             bbdef->instrs[run->first_instr].address);
    thread->branch = NULL;
  }
  if (*block == NULL) {
    *block = decode (self, run);
    if (*block == NULL)
      return dg_error_nomem (err);
  }
  if ((*block)->n == 0)
    return 0;
  rows = stride == 0 ? dg_sums_number (self->sums, run->thread)
                     : dg_sums_code (self->sums, bbdef->number, run->context,
                                     run->icount);
  for (uint32_t i = 0; i < (*block)->n; i++) {
    const struct branch *branch = &(*block)->branches[i];
    uint64_t *row = rows + branch->index * stride;

    if (branch->index < run->first_instr)
      continue;
    if (branch->index >= run->n_instrs)
      break;
    if (branch->index + 1u < run->n_instrs)
      resolve (self, thread, branch, row,
               bbdef->instrs[branch->index + 1].address);
    else {
      thread->branch = branch;
      thread->row = row;
    }
  }
  return 0;
}

static int
shard_feed (void *data, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct branches *self = data;
  struct thread *thread;

  (void) shard;
  (void) feed;
  if (batch->n_runs == 0)
    return 0;
  thread = thread_of (self, batch->runs[0].thread);
  if (thread == NULL)
    return dg_error_nomem (err);
  for (size_t i = 0; i < batch->n_runs; i++) {
    int code = feed_run (self, thread, &batch->runs[i], err);

    if (code < 0)
      return code;
  }
  return 0;
}

/* ---- Report ---- */

static uint64_t
weigh (const uint64_t *counts, const void *user)
{
  const struct branches *self = user;

  return (counts[CONDITIONAL_WRONG] + counts[INDIRECT_WRONG])
         * self->machine.mispredicted;
}

static double
part (uint64_t count, uint64_t whole)
{
  return whole > 0 ? (double) count / (double) whole : 0;
}

static const struct dg_column columns[] = {
  { "mispredicted_cycles", "Cycles", DG_UNIT_COUNT, 0 },
  { "conditional", "Conditional", DG_UNIT_COUNT, 0 },
  { "conditional_mispredicted", "Wrong", DG_UNIT_COUNT, 0 },
  { "conditional_share", "Wrong share", DG_UNIT_PERCENT, 0 },
  { "taken_share", "Taken", DG_UNIT_PERCENT, 0 },
  { "indirect", "Indirect", DG_UNIT_COUNT, 0 },
  { "indirect_mispredicted", "Wrong", DG_UNIT_COUNT, 0 },
  { "indirect_share", "Wrong share", DG_UNIT_PERCENT, 0 }
};

static void
fill (const uint64_t *counts, struct dg_cell *cells, const void *user)
{
  *cells++ = DG_CELL_NUMBER (weigh (counts, user));
  *cells++ = DG_CELL_NUMBER (counts[CONDITIONAL]);
  *cells++ = DG_CELL_NUMBER (counts[CONDITIONAL_WRONG]);
  *cells++ = DG_CELL_REAL (part (counts[CONDITIONAL_WRONG],
                                 counts[CONDITIONAL]));
  *cells++ = DG_CELL_REAL (part (counts[TAKEN], counts[CONDITIONAL]));
  *cells++ = DG_CELL_NUMBER (counts[INDIRECT]);
  *cells++ = DG_CELL_NUMBER (counts[INDIRECT_WRONG]);
  *cells++ = DG_CELL_REAL (part (counts[INDIRECT_WRONG], counts[INDIRECT]));
}

static void
tell_totals (const struct branches *self, const uint64_t *totals,
             struct dg_report *report)
{
  dg_report_value (report, "machine", "Processor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (self->machine.name));
  dg_report_value (report, "predictor", "Predictor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (self->global != NULL ? "cachegrind"
                                                      : "tage"));
  dg_report_total (report, "mispredicted_cycles", "Cycles lost",
                   DG_UNIT_COUNT, weigh (totals, self));
  dg_report_total (report, "conditional", "Conditional branches",
                   DG_UNIT_COUNT, totals[CONDITIONAL]);
  dg_report_total (report, "conditional_mispredicted", "  predicted wrongly",
                   DG_UNIT_COUNT, totals[CONDITIONAL_WRONG]);
  dg_report_total (report, "indirect", "Indirect branches", DG_UNIT_COUNT,
                   totals[INDIRECT]);
  dg_report_total (report, "indirect_mispredicted", "  predicted wrongly",
                   DG_UNIT_COUNT, totals[INDIRECT_WRONG]);
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct branches *self = data;
  uint64_t totals[COUNTS] = { 0 };
  const struct dg_breakdown_table table = {
    .key = "rows",
    .title = "Where branches are predicted wrongly",
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .fill = fill,
    .weigh = weigh,
    .user = self
  };
  const struct dg_breakdown_group *rows;
  size_t n;

  if (dg_breakdown_take (self->groups, self->sums, err) < 0)
    return DG_ERR_NOMEM;
  rows = dg_breakdown_rows (self->groups, weigh, self, NULL, NULL, &n, err);
  if (rows == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < COUNTS; k++)
      totals[k] += rows[i].sums[k];
  tell_totals (self, totals, report);
  if (self->decoder == NULL)
    dg_report_note (report,
                    "Machine code of %s is not understood: no branch is "
                    "known.",
                    dg_insn_arch_name (dg_setup_log (self->setup)));
  return dg_breakdown_report (self->groups, &table, report, err);
}

const struct dg_analysis dg_analysis_branches = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "branches",
  .summary = "Branches that a processor predicts wrongly, and their cost",
  .options = options,
  .needs_blocks = dg_setup_needs_no_blocks,
  .create = create,
  .plan = plan,
  .shard_new = dg_shard_self,
  .shard_feed = shard_feed,
  .report = report,
  .free = branches_free
};

/* opcodes.c: "dg opcodes": which kinds of instructions a program executes, by
   opcode and by category.

   Runs that are alike are counted, and decoded once, at the end.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include <dg_record.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "feed/run_counts.h"

enum sum { INSTRUCTIONS, READS, WRITES, SUMS };

/* One instruction of a block, or all of an opcode or a category.  */
struct sums { uint64_t of[SUMS]; };

struct block {
  struct sums *instrs;     /* NULL: it did not run */
  uint64_t icount;         /* at which it ran */
};

struct worker {
  const struct dg_log *log;
  struct dg_run_counts *runs;
  struct block *blocks;    /* by number */
  bool has_failed;         /* out of memory */
};

struct opcodes {
  struct worker whole;     /* without runs */
  struct dg_setup *setup;
  size_t n_blocks;
};

/* An opcode or a category.  */
struct row {
  char *name;
  const char *category;
  struct sums sums;
};

/* Blocks of code that is not known.  */
#define UNKNOWN "unknown"

static void
free_blocks (struct block *blocks, size_t n)
{
  for (size_t i = 0; blocks != NULL && i < n; i++)
    g_free (blocks[i].instrs);
  g_free (blocks);
}

static void
opcodes_free (void *data)
{
  struct opcodes *self = data;

  free_blocks (self->whole.blocks, self->n_blocks);
  g_free (self);
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct opcodes *self = g_new0 (struct opcodes, 1);

  self->setup = setup;
  self->whole.log = dg_setup_log (setup);
  self->n_blocks = dg_log_summary (self->whole.log)->bbdefs;
  self->whole.blocks = g_try_new0 (struct block, self->n_blocks + 1);
  if (self->whole.blocks != NULL)
    return self;
  opcodes_free (self);
  dg_error_nomem (err);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  (void) self;
  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  plan->needs_addresses = false;
  plan->needs_contexts = false;
  plan->takes_alike = true;
  return 0;
}

/* ---- Runs --------------------------------------------------------------- */

static void
worker_free (void *data, void *freed)
{
  struct opcodes *self = data;
  struct worker *worker = freed;

  dg_run_counts_free (worker->runs);
  free_blocks (worker->blocks, self->n_blocks);
  g_free (worker);
}

static void *
worker_new (void *data, struct dg_error *err)
{
  struct opcodes *self = data;
  struct worker *worker = g_new0 (struct worker, 1);

  worker->log = self->whole.log;
  worker->runs = dg_run_counts_new (worker->log, false, err);
  if (worker->runs != NULL) {
    worker->blocks = g_try_new0 (struct block, self->n_blocks + 1);
    if (worker->blocks != NULL)
      return worker;
    dg_error_nomem (err);
  }
  worker_free (self, worker);
  return NULL;
}

static void *
shard_new (void *self, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  (void) self;
  (void) feed;
  (void) err;
  return worker;
}

static int
shard_feed (void *self, void *shard, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct worker *worker = shard;

  (void) self;
  (void) feed;
  (void) err;
  dg_run_counts_add_batch (worker->runs, batch);
  return 0;
}

/* NULL: not enough memory.  */
static struct sums *
instrs_of (struct worker *worker, uint32_t number, uint64_t icount)
{
  struct block *block = &worker->blocks[number];

  if (block->instrs == NULL) {
    const struct dg_bbdef *bbdef = dg_log_bbdef (worker->log, number);

    block->instrs = g_try_new0 (struct sums, bbdef->n_instrs + 1u);
    block->icount = icount;
    worker->has_failed |= block->instrs == NULL;
  }
  return block->instrs;
}

static void
take_runs (void *user, const struct dg_run_sum *sum)
{
  struct worker *worker = user;
  const struct dg_bbdef *bbdef = dg_log_bbdef (worker->log, sum->bbdef);
  struct sums *instrs = instrs_of (worker, sum->bbdef, sum->icount);
  unsigned end = sum->end - dg_run_sum_is_repetition (bbdef, sum);

  for (unsigned i = sum->first; instrs != NULL && i < end; i++)
    instrs[i].of[INSTRUCTIONS] += sum->times;
  for (unsigned i = sum->first_slot; instrs != NULL && i < sum->end_slot; i++)
    instrs[bbdef->slots[i].iseq]
      .of[bbdef->slots[i].kind == DG_ACC_WRITE ? WRITES : READS] +=
      sum->times;
}

/* Sums wrap, and come out right when all is added.  */
static void
take_unmade (void *user, uint32_t number, uint32_t context, unsigned slot,
             uint64_t times)
{
  struct worker *worker = user;
  const struct dg_slot *unmade
    = &dg_log_bbdef (worker->log, number)->slots[slot];
  struct sums *instrs = instrs_of (worker, number, 0);

  (void) context;
  if (instrs != NULL)
    instrs[unmade->iseq].of[unmade->kind == DG_ACC_WRITE ? WRITES : READS] -=
      times;
}

static int
worker_merge (void *data, void *merged, struct dg_error *err)
{
  struct opcodes *self = data;
  struct worker *worker = merged;
  const struct dg_run_visitor visitor = { take_runs, take_unmade, worker };

  if (dg_run_counts_take (worker->runs, &visitor, err) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < self->n_blocks; i++) {
    const struct block *block = &worker->blocks[i];
    struct sums *instrs;
    unsigned n;

    if (block->instrs == NULL)
      continue;
    instrs = instrs_of (&self->whole, (uint32_t) i, block->icount);
    n = dg_log_bbdef (worker->log, (uint32_t) i)->n_instrs;
    for (unsigned k = 0; instrs != NULL && k < n; k++)
      for (unsigned j = 0; j < SUMS; j++)
        instrs[k].of[j] += block->instrs[k].of[j];
  }
  return worker->has_failed || self->whole.has_failed ? dg_error_nomem (err)
                                                      : 0;
}

/* ---- Opcodes ------------------------------------------------------------ */

static const char *
category_of (const struct dg_insn *insn)
{
  static const char *const branches[] = {
    [DG_INSN_JUMP] = "jump",
    [DG_INSN_INDIRECT_JUMP] = "indirect jump",
    [DG_INSN_CONDITIONAL] = "conditional branch",
    [DG_INSN_CALL] = "call",
    [DG_INSN_INDIRECT_CALL] = "indirect call",
    [DG_INSN_RETURN] = "return"
  };
  static const char *const works[DG_INSN_WORKS] = {
    [DG_INSN_INTEGER] = "integer",
    [DG_INSN_MOVE] = "move",
    [DG_INSN_CROSS] = "move between register files",
    [DG_INSN_MULTIPLY] = "integer multiply",
    [DG_INSN_DIVIDE] = "integer divide",
    [DG_INSN_VECTOR] = "vector",
    [DG_INSN_VECTOR_MULTIPLY] = "vector multiply",
    [DG_INSN_COMPARE] = "floating-point compare",
    [DG_INSN_FLOAT_ADD] = "floating-point add",
    [DG_INSN_FLOAT_MULTIPLY] = "floating-point multiply",
    [DG_INSN_FLOAT_FUSED] = "floating-point fused multiply-add",
    [DG_INSN_FLOAT_DIVIDE] = "floating-point divide",
    [DG_INSN_FLOAT_ROOT] = "floating-point root",
    [DG_INSN_CONVERT] = "conversion",
    [DG_INSN_X87] = "x87",
    [DG_INSN_SLOW] = "microcode"
  };

  return insn->branch != DG_INSN_NO_BRANCH ? branches[insn->branch]
                                           : works[insn->work];
}

/* The table of rows by name.  */
static GHashTable *
new_rows (void)
{
  return g_hash_table_new_full (dg_hash_text, g_str_equal, NULL, g_free);
}

static void
add_to (GHashTable *rows, const char *name, const char *category,
        const struct sums *sums)
{
  struct row *row = g_hash_table_lookup (rows, name);

  if (row == NULL) {
    row = g_new0 (struct row, 1);
    row->name = g_strdup (name);
    row->category = category;
    g_hash_table_insert (rows, row->name, row);
  }
  for (unsigned i = 0; i < SUMS; i++)
    row->sums.of[i] += sums->of[i];
}

struct reader {
  struct opcodes *self;
  struct dg_insn_decoder *decoder;       /* NULL: another architecture */
  struct dg_insn *decoded;
  uint8_t *bytes;
  GHashTable *opcodes, *categories;
  struct sums totals;
  uint64_t n_unknown;      /* instructions */
};

static void
read_block (struct reader *reader, const struct dg_bbdef *bbdef,
            const struct block *block)
{
  const uint8_t *at = reader->bytes;
  bool is_known =
    reader->decoder != NULL
    && dg_insn_decoder_block (reader->decoder, bbdef, block->icount,
                              reader->decoded, reader->bytes) > 0;

  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    const struct sums *sums = &block->instrs[i];
    uint8_t size = bbdef->instrs[i].size;
    const char *name =
      is_known ? dg_insn_decoder_opcode (reader->decoder, at, size) : NULL;
    const char *category =
      name != NULL ? category_of (&reader->decoded[i]) : UNKNOWN;

    at += size;
    for (unsigned k = 0; k < SUMS; k++)
      reader->totals.of[k] += sums->of[k];
    if (name == NULL)
      reader->n_unknown += sums->of[INSTRUCTIONS];
    if (sums->of[INSTRUCTIONS] == 0 && sums->of[READS] == 0
        && sums->of[WRITES] == 0)
      continue;
    add_to (reader->opcodes, name != NULL ? name : UNKNOWN, category,
            sums);
    add_to (reader->categories, category, category, sums);
  }
}

static int
read_blocks (struct reader *reader, struct dg_error *err)
{
  struct opcodes *self = reader->self;
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  reader->decoder = dg_insn_decoder_new (self->whole.log, symbols);
  for (size_t i = 0; i < self->n_blocks; i++)
    if (self->whole.blocks[i].instrs != NULL)
      read_block (reader, dg_log_bbdef (self->whole.log, (uint32_t) i),
                  &self->whole.blocks[i]);
  dg_insn_decoder_free (reader->decoder);
  return 0;
}

/* ---- Report ------------------------------------------------------------- */

static gint
compare_rows (gconstpointer one, gconstpointer other)
{
  const struct row *a = one, *b = other;
  uint64_t x = a->sums.of[INSTRUCTIONS], y = b->sums.of[INSTRUCTIONS];

  return x != y ? (x > y ? -1 : 1) : strcmp (a->name, b->name);
}

static const struct dg_column columns[] = {
  { "share", "Share", DG_UNIT_PERCENT, 0 },
  { "instructions", "Instructions", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "reads", "Reads", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "category", "Category", DG_UNIT_TEXT, 0 },
  { "opcode", "Opcode", DG_UNIT_TEXT, DG_COLUMN_LAST | DG_COLUMN_ID }
};
/* The last one is not in the table of categories.  */
#define CATEGORY_COLUMNS (G_N_ELEMENTS (columns) - 1)

static void
put_rows (struct reader *reader, GHashTable *from, const char *key,
          const char *title, size_t n_columns, struct dg_report *report)
{
  uint64_t all = reader->totals.of[INSTRUCTIONS];
  struct dg_rows *table =
    dg_report_table (report, key, title, columns, n_columns);
  GList *rows = g_list_sort (g_hash_table_get_values (from), compare_rows);

  for (const GList *i = rows; i != NULL; i = i->next) {
    const struct row *row = i->data;
    const uint64_t *of = row->sums.of;
    const struct dg_cell cells[] = {
      DG_CELL_REAL (all > 0 ? (double) of[INSTRUCTIONS] / (double) all : 0),
      DG_CELL_NUMBER (of[INSTRUCTIONS]),
      DG_CELL_NUMBER (of[READS]),
      DG_CELL_NUMBER (of[WRITES]),
      DG_CELL_TEXT (row->category),
      DG_CELL_TEXT (row->name)
    };

    dg_rows_add (table, cells);
  }
  g_list_free (rows);
}

static void
put_report (struct reader *reader, struct dg_report *report)
{
  const struct dg_log *log = reader->self->whole.log;
  const char *lacks = dg_insn_decoder_lacks (log);

  dg_report_total (report, "instructions", "Instructions", DG_UNIT_COUNT,
                   reader->totals.of[INSTRUCTIONS]);
  dg_report_total (report, "unknown_instructions", "  of unknown code",
                   DG_UNIT_COUNT, reader->n_unknown);
  dg_report_total (report, "reads", "Reads", DG_UNIT_COUNT,
                   reader->totals.of[READS]);
  dg_report_total (report, "writes", "Writes", DG_UNIT_COUNT,
                   reader->totals.of[WRITES]);
  put_rows (reader, reader->categories, "categories", "By category",
            CATEGORY_COLUMNS, report);
  put_rows (reader, reader->opcodes, "opcodes", "By opcode",
            G_N_ELEMENTS (columns), report);
  if (lacks != NULL)
    dg_report_note (report, "Machine code of %s is not understood.", lacks);
}

static void
free_rows (GHashTable *rows)
{
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    g_free (((struct row *) row)->name);
  g_hash_table_unref (rows);
}

static int
report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct reader reader = { .self = data };
  int code;

  reader.decoded = g_try_new0 (struct dg_insn, UINT16_MAX);
  reader.bytes = g_try_malloc (DG_INSN_CODE_MAX);
  reader.opcodes = new_rows ();
  reader.categories = new_rows ();
  code = reader.decoded != NULL && reader.bytes != NULL
           ? read_blocks (&reader, err)
           : dg_error_nomem (err);
  if (code == 0)
    put_report (&reader, report);
  free_rows (reader.opcodes);
  free_rows (reader.categories);
  g_free (reader.bytes);
  g_free (reader.decoded);
  return code;
}

const struct dg_analysis dg_analysis_opcodes = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "opcodes",
  .summary = "Executed instructions by opcode and by category",
  .needs_blocks = dg_setup_needs_no_blocks,
  .create = create,
  .plan = plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .worker_merge = worker_merge,
  .worker_free = worker_free,
  .report = report,
  .free = opcodes_free
};

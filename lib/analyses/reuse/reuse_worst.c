/* reuse_worst.c: the cache lines with most far reuses, whose they are, and
   which code comes back to them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse.h"

#include "base/compare.h"
#include "base/error.h"
#include "symbols/frame_text.h"
#include "variables/variables.h"

struct worst {
  uint64_t line, touches;
  uint32_t thread;
  const struct reuse_far *far;
};

struct naming {
  struct dg_symbols *symbols;
  struct dg_variables *variables;
};

/* Those that come first are the worst.  */
static int
compare_worst (const void *a, const void *b)
{
  const struct worst *x = a, *y = b;

  return DG_COMPARE (y->far->n, x->far->n)
         ?: DG_COMPARE (x->line, y->line)
         ?: DG_COMPARE (x->thread, y->thread);
}

/* All lines that have far reuses, of all stacks.  */
static int
gather (const struct reuse *self, struct dg_table *all)
{
  for (guint i = 0; i < self->wholes->len; i++) {
    const struct reuse_whole *whole = g_ptr_array_index (self->wholes, i);
    const struct dg_reuse_stack *stack = &whole->whole.stack;

    for (size_t k = 0; stack->slots && k >> stack->bits == 0; k++) {
      const struct dg_reuse_slot *slot = &stack->slots[k];
      const struct reuse_far *far = (const struct reuse_far *)
                                      whole->fars.items + slot->id;
      struct worst *worst;

      if (slot->key == 0 || far->n == 0)
        continue;
      worst = dg_table_add (all, sizeof *worst);
      if (!worst)
        return DG_ERR_NOMEM;
      *worst = (struct worst) {
        .line = slot->key - 1, .thread = whole->thread, .far = far,
        .touches = ((const uint64_t *) whole->touches.items)[slot->id]
      };
    }
  }
  if (all->n > 0)
    qsort (all->items, all->n, sizeof (struct worst), compare_worst);
  return 0;
}

/* The address of the instruction that made most of them, or the latest.  */
static uint64_t
instruction_of (const struct reuse *self, const struct reuse_far *far)
{
  const struct reuse_touch *latest = &far->latest;

  return far->lead > 0
           ? dg_log_bbdef (self->log, far->bbdef)->instrs[far->iseq].address
           : dg_log_bbdef (self->log, dg_log_context (self->log,
                                                      latest->context)
                                        .bbdef)
               ->instrs[latest->iseq].address;
}

static struct dg_access
latest_of (const struct reuse *self, const struct reuse_far *far)
{
  return (struct dg_access) {
    .icount = far->latest.icount,
    .address = far->latest.address,
    .instruction = instruction_of (self, far),
    .size = 1,
    .context = far->latest.context,
    .thread = far->latest.thread
  };
}

static void
add_row (const struct reuse *self, const struct naming *naming,
         const struct worst *worst, uint32_t variable, struct dg_rows *rows)
{
  const struct reuse_far *far = worst->far;
  const uint64_t instruction = instruction_of (self, far);
  const struct dg_named *named = dg_variables_named (naming->variables,
                                                     variable);
  struct dg_frame frame = { NULL };
  char *code;

  dg_symbols_frames (naming->symbols, instruction, far->latest.icount, &frame,
                     1);
  code = dg_frame_text (&frame, instruction);
  dg_rows_add (rows, (struct dg_cell[]) {
    DG_CELL_NUMBER (worst->line << self->line_shift),
    DG_CELL_NUMBER (far->n),
    DG_CELL_NUMBER (worst->touches),
    DG_CELL_REAL ((double) far->n / (double) worst->touches),
    DG_CELL_NUMBER (worst->thread),
    DG_CELL_TEXT (named->name),
    DG_CELL_TEXT (frame.function),
    DG_CELL_TEXT (frame.file),
    frame.line ? DG_CELL_NUMBER (frame.line) : DG_CELL_EMPTY,
    DG_CELL_NUMBER (instruction),
    DG_CELL_TEXT (code),
  });
  g_free (code);
}

/* The first n of all.  */
static int
add_rows (struct reuse *self, const struct dg_table *all, size_t n,
          struct dg_rows *rows, struct dg_report *report, struct dg_error *err)
{
  const struct worst *worst = all->items;
  struct naming naming = { .symbols = dg_setup_symbols (self->setup, err) };
  struct dg_access *accesses = g_try_new (struct dg_access, n);
  uint32_t *numbers = g_try_new (uint32_t, n);
  int code = DG_ERR_NOMEM;

  if (naming.symbols)
    naming.variables = dg_setup_variables (self->setup, err);
  if (!accesses || !numbers) {
    dg_error_nomem (err);
  } else if (naming.variables) {
    for (size_t i = 0; i < n; i++)
      accesses[i] = latest_of (self, worst[i].far);
    code = dg_finder_all (naming.variables, accesses, n, numbers, err);
  } else if (err && err->code < 0) {
    code = err->code;
  }
  for (size_t i = 0; i < n && code == 0; i++) {
    add_row (self, &naming, &worst[i], numbers[i], rows);
    code = dg_report_pace (report, i, n, err);
  }
  g_free (accesses);
  g_free (numbers);
  return code;
}

int
reuse_report_worst (struct reuse *self, struct dg_report *report,
                    struct dg_error *err)
{
  struct dg_column columns[] = {
    { "address", "Line", DG_UNIT_ADDRESS, 0 },
    { "far", "Far reuses", DG_UNIT_COUNT, 0 },
    { "accesses", "Touches", DG_UNIT_COUNT, 0 },
    { "far_share", "Far", DG_UNIT_PERCENT, 0 },
    { "thread", "Thread", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
    { "variable", "Whose", DG_UNIT_TEXT, 0 },
    { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "file", "File", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "line", "Source line", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
    { "instruction", "Instruction", DG_UNIT_ADDRESS, DG_COLUMN_JSON_ONLY },
    { "code", "Mostly by", DG_UNIT_TEXT,
      DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
  };
  struct dg_table all = { 0 };
  struct dg_rows *rows;
  int code = 0;

  if (self->worst == 0)
    return 0;
  if (self->is_per_thread)
    columns[4].flags = 0;
  if (gather (self, &all) < 0) {
    dg_table_fini (&all);
    return dg_error_nomem (err);
  }
  rows = dg_report_table (report, "worst", "Lines with the most far reuses",
                          columns, G_N_ELEMENTS (columns));
  if (all.n > 0)
    code = add_rows (self, &all, MIN (all.n, self->worst), rows, report, err);
  dg_table_fini (&all);
  return code;
}

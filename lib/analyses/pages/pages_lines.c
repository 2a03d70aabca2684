/* pages_lines.c: the lines that were touched: how much of them is used, by the
   variables that they belong to, and the hottest of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "symbols/frame_text.h"
#include "pages.h"
#include "variables/variables.h"
#include "variables/variables_locals.h"

struct line {
  uint64_t number, last;
  const struct pages_sums *leaf;
  uint32_t variable;       /* when it was last touched */
};

static size_t
index_of (const struct line *line)
{
  return line->number & (PAGES_LEAF - 1);
}

/* By the moment of the last touch: the finder is quick in the order of the
   log.  */
static int
compare_last (const void *a, const void *b)
{
  const struct line *x = a, *y = b;

  return DG_COMPARE (x->last, y->last) ?: DG_COMPARE (x->number, y->number);
}

/* The hottest first.  */
static int
compare_count (const void *a, const void *b)
{
  const struct line *x = a, *y = b;
  const uint64_t x_count = x->leaf->count[index_of (x)];
  const uint64_t y_count = y->leaf->count[index_of (y)];

  return DG_COMPARE (y_count, x_count) ?: DG_COMPARE (x->number, y->number);
}

static int
gather (const struct pages *self, struct dg_table *lines)
{
  if (dg_table_reserve (lines, sizeof (struct line), self->lines) < 0)
    return DG_ERR_NOMEM;
  for (uint32_t k = 0; k < self->leaves.pages.n; k++) {
    const struct pages_sums *leaf = dg_shadow_at (&self->leaves, k);

    for (size_t i = 0; i < PAGES_LEAF; i++)
      if (leaf->count[i] > 0) {
        struct line *line = dg_table_add (lines, sizeof *line);

        if (!line)
          return DG_ERR_NOMEM;
        *line = (struct line) {
          .number = (leaf->number << PAGES_LEAF_SHIFT) + i,
          .last = leaf->last[i], .leaf = leaf
        };
      }
  }
  return 0;
}

/* The variable of a line, when it was last touched.  */
static uint32_t
variable_of (const struct pages *self, struct dg_finder *finder,
             const struct line *line)
{
  const size_t i = index_of (line);
  const uint64_t now = line->leaf->now[i], used = line->leaf->used[i];
  const struct dg_access access = {
    .icount = line->last,
    .address = (line->number << self->line_shift)
               + (unsigned) __builtin_ctzll (now ? now : used),
    .size = 1,
    .context = line->leaf->context[i]
  };

  return dg_finder_variable (finder, &access);
}

/* ---- By variable ---- */

/* Variables as a whole: fields share lines.  */
struct owner {
  const struct dg_named *named;        /* one of them */
  uint64_t fetched, used, touches;
};

static int
compare_owners (const void *a, const void *b)
{
  const struct owner *x = *(struct owner *const *) a;
  const struct owner *y = *(struct owner *const *) b;
  const uint64_t x_wasted = x->fetched - x->used;
  const uint64_t y_wasted = y->fetched - y->used;

  return DG_COMPARE (y_wasted, x_wasted)
           ?: strcmp (x->named->whole, y->named->whole);
}

static void
count_line (GHashTable *owners, const struct pages *self,
            const struct dg_named *named, const struct line *line)
{
  const size_t i = index_of (line);
  struct owner *owner = g_hash_table_lookup (owners, named->whole);

  if (!owner) {
    owner = g_new0 (struct owner, 1);
    owner->named = named;
    g_hash_table_insert (owners, (void *) named->whole, owner);
  }
  owner->fetched += UINT64_C (1) << self->line_shift;
  owner->used += (uint64_t) __builtin_popcountll (line->leaf->used[i]
                                                  | line->leaf->now[i]);
  owner->touches += line->leaf->count[i];
}

static void
add_owners (GHashTable *owners, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "unused_bytes", "Not used", DG_UNIT_BYTES, 0 },
    { "line_bytes", "Lines", DG_UNIT_BYTES, 0 },
    { "used_share", "Used", DG_UNIT_PERCENT, 0 },
    { "touches", "Touches", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "variable", "Variable", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  struct dg_rows *rows
    = dg_report_table (report, "variables",
                       "Lines, by bytes never used, and their owner when last "
                       "touched", columns,
                       G_N_ELEMENTS (columns));
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, owners);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    g_ptr_array_add (all, item);
  g_ptr_array_sort (all, compare_owners);
  for (guint i = 0; i < all->len; i++) {
    const struct owner *owner = g_ptr_array_index (all, i);

    dg_rows_add (rows, (struct dg_cell[]) {
      DG_CELL_NUMBER (owner->fetched - owner->used),
      DG_CELL_NUMBER (owner->fetched),
      DG_CELL_REAL ((double) owner->used / (double) owner->fetched),
      DG_CELL_NUMBER (owner->touches),
      DG_CELL_TEXT (owner->named->whole)
    });
  }
  g_ptr_array_unref (all);
}

static int
tell_owners (struct pages *self, const struct dg_table *lines,
             struct dg_report *report, struct dg_error *err)
{
  struct dg_finder *finder = dg_finder_new (self->variables, err);
  GHashTable *owners;
  int code = 0;

  if (!finder)
    return DG_ERR_NOMEM;
  owners = g_hash_table_new_full (dg_hash_text, g_str_equal, NULL, g_free);
  for (size_t k = 0; k < lines->n && code == 0; k++) {
    struct line *line = (struct line *) lines->items + k;

    code = dg_variables_go_to (self->variables, line->last, err);
    if (code < 0)
      break;
    line->variable = variable_of (self, finder, line);
    count_line (owners, self,
                dg_variables_named (self->variables, line->variable), line);
    if (k % 65536 == 0)
      code = dg_report_pace (report, k, lines->n, err);
  }
  if (code == 0)
    add_owners (owners, report);
  g_hash_table_unref (owners);
  dg_finder_free (finder);
  return code;
}

/* ---- Hot lines ---- */

static void
add_hot (const struct pages *self, const struct line *line,
         struct dg_rows *rows)
{
  const struct pages_sums *leaf = line->leaf;
  const size_t i = index_of (line);
  const struct dg_context context = dg_log_context (self->log,
                                                     leaf->context[i]);
  const uint64_t instruction
    = dg_log_bbdef (self->log, context.bbdef)->instrs[leaf->iseq[i]].address;
  const struct dg_named *named
    = dg_variables_named (self->variables, line->variable);
  struct dg_frame frame = { NULL };
  char *code;

  dg_symbols_frames (self->symbols, instruction, leaf->last[i], &frame, 1);
  code = dg_frame_text (&frame, instruction);
  dg_rows_add (rows, (struct dg_cell[]) {
    DG_CELL_NUMBER (line->number << self->line_shift),
    DG_CELL_NUMBER (leaf->count[i]),
    DG_CELL_REAL ((double) leaf->count[i] / (double) self->accesses),
    DG_CELL_NUMBER ((uint64_t) __builtin_popcountll (leaf->used[i]
                                                     | leaf->now[i])),
    DG_CELL_TEXT (named->name),
    DG_CELL_TEXT (frame.function),
    DG_CELL_TEXT (frame.file),
    frame.line ? DG_CELL_NUMBER (frame.line) : DG_CELL_EMPTY,
    DG_CELL_NUMBER (instruction),
    DG_CELL_TEXT (code),
  });
  g_free (code);
}

static void
tell_hot (struct pages *self, struct dg_table *lines,
          struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "address", "Line", DG_UNIT_ADDRESS, DG_COLUMN_ID },
    { "touches", "Touches", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "share", "Share", DG_UNIT_PERCENT, 0 },
    { "used_bytes", "Bytes used", DG_UNIT_NUMBER, 0 },
    { "variable", "Last owner", DG_UNIT_TEXT, 0 },
    { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "file", "File", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "line", "Source line", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
    { "instruction", "Instruction", DG_UNIT_ADDRESS, DG_COLUMN_JSON_ONLY },
    { "code", "Mostly by", DG_UNIT_TEXT,
      DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
  };
  struct dg_rows *rows
    = dg_report_table (report, "hot", "Lines with the most accesses", columns,
                       G_N_ELEMENTS (columns));

  if (lines->n == 0)
    return;
  qsort (lines->items, lines->n, sizeof (struct line), compare_count);
  for (size_t i = 0; i < lines->n && i < self->hot; i++)
    add_hot (self, (const struct line *) lines->items + i, rows);
}

int
pages_report_lines (struct pages *self, struct dg_report *report,
                    struct dg_error *err)
{
  struct dg_table lines = { 0 };
  int code = 0;

  if (self->frames)
    dg_variables_give_frames (self->variables,
                              g_steal_pointer (&self->frames));
  if (gather (self, &lines) < 0)
    code = dg_error_nomem (err);
  if (code == 0 && lines.n > 1)
    qsort (lines.items, lines.n, sizeof (struct line), compare_last);
  if (code == 0)
    code = tell_owners (self, &lines, report, err);
  if (code == 0 && self->hot > 0)
    tell_hot (self, &lines, report);
  dg_table_fini (&lines);
  return code;
}

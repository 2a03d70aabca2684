/* diff_rows.c: the rows of a table, before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_rows.h"

#include "base/report_cells.h"
#include "diff_align.h"
#include "diff_limit.h"
#include "diff_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 64

/* ---- Cells ------------------------------------------------------------ */

static const uint32_t *
numbers_of (const struct diff_rows *rows, guint group)
{
  return &g_array_index (rows->groups, uint32_t, group);
}

void
diff_rows_read (struct diff_rows *rows, guint group)
{
  const uint32_t *numbers = numbers_of (rows, group);

  for (unsigned log = 0; log < rows->logs->n; log++)
    if (numbers[log] != DIFF_NO_ROW)
      dg_report_row (rows->tables[log]->item, numbers[log],
                     rows->cells + log * COLUMNS);
}

/* The logs of a side.  */
static void
side (const struct diff_rows *rows, bool is_after, unsigned *first,
      unsigned *end)
{
  *first = is_after ? rows->logs->n_before : 0;
  *end = is_after ? rows->logs->n : rows->logs->n_before;
}

bool
diff_rows_has (const struct diff_rows *rows, guint group, bool is_after)
{
  unsigned first, end;

  side (rows, is_after, &first, &end);
  for (unsigned log = first; log < end; log++)
    if (numbers_of (rows, group)[log] != DIFF_NO_ROW)
      return true;
  return false;
}

const struct dg_cell *
diff_rows_cell (const struct diff_rows *rows, guint group, size_t column)
{
  unsigned log = rows->logs->n - 1;

  while (numbers_of (rows, group)[log] == DIFF_NO_ROW)
    log--;
  return &rows->cells[log * COLUMNS + column];
}

struct diff_value
diff_rows_value (struct diff_rows *rows, guint group, size_t column)
{
  const uint32_t *numbers = numbers_of (rows, group);

  for (unsigned log = 0; log < rows->logs->n; log++)
    if (numbers[log] != DIFF_NO_ROW)
      rows->column[log] = rows->cells[log * COLUMNS + column];
    else
      rows->column[log] = DG_CELL_EMPTY;
  return diff_value_of (rows->item->columns[column].unit, rows->column,
                        rows->logs->n, rows->logs->n_before);
}

/* The last log of a side that has the row, or n.  */
static unsigned
last_of (const struct diff_rows *rows, guint group, bool is_after)
{
  unsigned first, end;

  side (rows, is_after, &first, &end);
  while (end-- > first)
    if (numbers_of (rows, group)[end] != DIFF_NO_ROW)
      return end;
  return rows->logs->n;
}

static const char *
word_of (const struct diff_rows *rows, unsigned log, size_t column)
{
  const struct dg_cell *cell = &rows->cells[log * COLUMNS + column];

  return log == rows->logs->n || cell->is_empty ? NULL : cell->text;
}

bool
diff_rows_words (const struct diff_rows *rows, guint group, size_t column,
                 const char **before, const char **after)
{
  unsigned x = last_of (rows, group, false), y = last_of (rows, group, true);
  const char *const *programs = rows->logs->programs;
  bool is_on_both = x < rows->logs->n && y < rows->logs->n;

  *before = word_of (rows, x, column);
  *after = word_of (rows, y, column);
  return is_on_both
         && !diff_program_is_same (
           *before, programs != NULL ? programs[x] : NULL, *after,
           programs != NULL ? programs[y] : NULL);
}

/* ---- Rows that changed ------------------------------------------------ */

/* What the measures of a row say.  Shares alone do not make a row change: they
   do when other rows do.  */
struct verdict {
  double size;             /* of the change of the primary measure */
  bool is_shown, is_small, is_noise;
};

static void
judge_measure (struct diff_rows *rows, guint group, size_t column,
               struct verdict *verdict)
{
  bool is_primary = column == rows->like->primary;
  struct diff_value value = diff_rows_value (rows, group, column);

  if (is_primary)
    verdict->size = fabs (value.change);
  if (value.change == 0 || diff_table_is_chance (rows->item, column)
      || (dg_unit_is_real (rows->item->columns[column].unit) && !is_primary))
    return;
  if (value.is_noise)
    verdict->is_noise = true;
  else if (fabs (value.relative) < rows->options->least)
    verdict->is_small = true;
  else
    verdict->is_shown = true;
}

static void
judge (struct diff_rows *rows, guint group)
{
  struct verdict verdict = {.size = 0};
  struct diff_changed changed = {.group = group};
  bool is_on_both = diff_rows_has (rows, group, false)
                    && diff_rows_has (rows, group, true);
  const char *before, *after;

  for (size_t i = 0; i < rows->item->n_columns; i++)
    if (rows->like->roles[i] == DIFF_MEASURE)
      judge_measure (rows, group, i, &verdict);
    else if (rows->like->roles[i] == DIFF_STATE)
      verdict.is_shown |= diff_rows_words (rows, group, i, &before, &after);
  /* A row without measures, such as a hint, or of nothing but zeros.  */
  if (!is_on_both && !verdict.is_noise)
    verdict.is_shown = true;
  changed.size = verdict.size;
  if (verdict.is_shown)
    g_array_append_val (rows->changed, changed);
  else if (verdict.is_noise)
    rows->noise++;
  else if (verdict.is_small)
    rows->small++;
  else
    rows->same++;
}

/* Limits are about all rows, also those that are not shown.  */
static void
check_limits (struct diff_rows *rows, guint group)
{
  const struct dg_report_item *item = rows->item;
  size_t label = rows->like->label;
  char *name;

  if (rows->options->limits->len == 0 || label == item->n_columns)
    return;
  name = report_cell_text (item->columns[label].unit,
                           diff_rows_cell (rows, group, label));
  for (size_t i = 0; i < item->n_columns; i++)
    if (rows->like->roles[i] == DIFF_MEASURE) {
      struct diff_value value = diff_rows_value (rows, group, i);

      diff_limit_check (rows->options->limits, item->columns[i].key, name,
                        item->columns[i].unit, &value);
    }
  g_free (name);
}

static gint
compare_changed (gconstpointer a, gconstpointer b)
{
  const struct diff_changed *x = a, *y = b;

  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

/* ---- All of a table --------------------------------------------------- */

static bool
has_same_columns (const struct dg_report_item *a,
                  const struct dg_report_item *b)
{
  if (a->n_columns != b->n_columns)
    return false;
  for (size_t i = 0; i < a->n_columns; i++)
    if (g_strcmp0 (a->columns[i].key, b->columns[i].key) != 0
        || a->columns[i].unit != b->columns[i].unit)
      return false;
  return true;
}

/* What the program of a log is called, if not all are called the same.  */
static const char *
program_of (const struct diff_logs *logs, unsigned log)
{
  for (unsigned i = 1; logs->programs != NULL && i < logs->n; i++)
    if (strcmp (logs->programs[i], logs->programs[0]) != 0)
      return logs->programs[log];
  return NULL;
}

int
diff_rows_init (struct diff_rows *rows, const struct diff_logs *logs,
                const struct diff_options *options,
                const struct diff_item *item, struct dg_error *err)
{
  for (unsigned log = 0; log < logs->n; log++)
    if (item->items[log] != NULL
        && !has_same_columns (item->items[log], item->like))
      return 0;
  *rows = (struct diff_rows) {
    .logs = logs, .options = options, .item = item->like};
  rows->tables = g_new0 (struct diff_table *, logs->n);
  rows->cells = g_new0 (struct dg_cell, (gsize) logs->n * COLUMNS);
  rows->column = g_new0 (struct dg_cell, logs->n);
  rows->changed = g_array_new (FALSE, FALSE, sizeof (struct diff_changed));
  for (unsigned log = 0; log < logs->n; log++)
    if (item->items[log] != NULL)
      rows->like = rows->tables[log] =
        diff_table_new (item->items[log], program_of (logs, log));
  rows->groups = diff_align ((const struct diff_table *const *) rows->tables,
                             logs->n, err);
  if (rows->groups == NULL) {
    diff_rows_fini (rows);
    return err->code;
  }
  for (guint group = 0; group < rows->groups->len; group += logs->n) {
    diff_rows_read (rows, group);
    check_limits (rows, group);
    judge (rows, group);
  }
  g_array_sort (rows->changed, compare_changed);
  return 1;
}

void
diff_rows_fini (struct diff_rows *rows)
{
  for (unsigned log = 0; log < rows->logs->n; log++)
    diff_table_free (rows->tables[log]);
  g_free (rows->tables);
  g_free (rows->cells);
  g_free (rows->column);
  g_array_unref (rows->changed);
  g_clear_pointer (&rows->groups, g_array_unref);
}

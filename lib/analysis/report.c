/* report.c: the document that an analysis fills: figures, groups, tables,
   notes and texts in memory, in their order.  Rows of tables are in
   report_rows.c, the files that it writes in report_files.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report.h"

#include <glib.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/progress.h"
#include "report_files.h"
#include "report_parts.h"

struct dg_report *
dg_report_new (struct dg_error *err)
{
  struct dg_report *report = g_try_new0 (struct dg_report, 1);

  if (!report)
    dg_error_nomem (err);
  return report;
}

static struct dg_rows *
item_at (const struct dg_report *report, size_t i)
{
  return ((struct dg_rows **) report->items.items)[i];
}

void
dg_report_free (struct dg_report *report)
{
  if (!report)
    return;
  dg_report_files_fini (report);
  for (size_t i = 0; i < report->items.n; i++)
    dg_report_rows_fini (item_at (report, i));
  dg_table_fini (&report->items);
  dg_table_fini (&report->references);
  dg_arena_fini (&report->arena);
  g_free (report);
}

/* ---- Writing ---------------------------------------------------------- */

/* A copy of a text; NULL stays so.  */
const char *
dg_report_keep (struct dg_report *report, const char *text)
{
  const char *kept = text ? dg_arena_string (&report->arena, text) : NULL;

  if (text && !kept)
    report->is_short = true;
  return kept;
}

/* The item that takes what there is no memory for: it is never shown.  */
static struct dg_rows *
item_lost (struct dg_report *report)
{
  report->is_short = true;
  report->lost.report = report;
  return &report->lost;
}

static struct dg_rows *
item_add (struct dg_report *report, enum dg_report_kind kind, const char *key,
          const char *title)
{
  struct dg_rows *rows = dg_arena_alloc (&report->arena, sizeof *rows), **at;

  if (!rows)
    return item_lost (report);
  memset (rows, 0, sizeof *rows);
  rows->report = report;
  rows->item.kind = kind;
  rows->item.key = dg_report_keep (report, key);
  rows->item.title = dg_report_keep (report, title);
  at = dg_table_add (&report->items, sizeof *at);
  if (!at)
    return item_lost (report);
  *at = rows;
  return rows;
}

size_t
dg_report_n_items (const struct dg_report *report)
{
  return report->items.n;
}

void
dg_report_put_last (struct dg_report *report, size_t first, size_t end)
{
  struct dg_rows **items = report->items.items;
  size_t n = end - first, place = report->items.n;
  struct dg_rows **moved = g_try_new (struct dg_rows *, n + 1);

  while (place > end && items[place - 1]->item.kind == DG_ITEM_NOTE)
    place--;
  /* Without memory, their order is the least that is missed.  */
  if (moved != NULL && n > 0) {
    memcpy (moved, items + first, n * sizeof *moved);
    memmove (items + first, items + end, (place - end) * sizeof *items);
    memcpy (items + place - n, moved, n * sizeof *moved);
  }
  g_free (moved);
}

void
dg_report_put_at (struct dg_report *report, size_t place, size_t first)
{
  struct dg_rows **items = report->items.items;
  size_t n = report->items.n - first;
  struct dg_rows **moved = g_try_new (struct dg_rows *, n + 1);

  if (moved == NULL) {
    report->is_short = true;
    return;
  }
  memcpy (moved, items + first, n * sizeof *moved);
  memmove (items + place + n, items + place, (first - place) * sizeof *items);
  memcpy (items + place, moved, n * sizeof *moved);
  g_free (moved);
}

struct dg_rows *
dg_report_rows (const struct dg_report *report, size_t i)
{
  return item_at (report, i);
}

void
dg_report_reorder (struct dg_report *report, size_t first,
                   struct dg_rows *const *items, size_t n)
{
  if (dg_table_reserve (&report->items, sizeof *items, first + n) < 0) {
    report->is_short = true;
    return;
  }
  /* What is not among them was emptied by the caller.  */
  memcpy ((struct dg_rows **) report->items.items + first, items,
          n * sizeof *items);
  report->items.n = first + n;
}

/* Its columns; false without memory.  */
static bool
take_columns (struct dg_rows *rows, const struct dg_column *columns, size_t n)
{
  struct dg_report *report = rows->report;
  struct dg_column *copy = NULL;

  if (rows != &report->lost)
    copy = dg_arena_alloc (&report->arena, n * sizeof *copy);
  if (!copy) {
    report->is_short = true;
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    copy[i] = columns[i];
    copy[i].key = dg_report_keep (report, columns[i].key);
    copy[i].title = dg_report_keep (report, columns[i].title);
  }
  rows->item.columns = copy;
  rows->item.n_columns = n;
  return true;
}

void
dg_rows_show_all (struct dg_rows *rows)
{
  rows->item.shows_all = true;
}

struct dg_rows *
dg_report_table (struct dg_report *report, const char *key, const char *title,
                 const struct dg_column *columns, size_t n)
{
  struct dg_rows *rows;

  g_assert (n > 0 && n <= 64);
  rows = item_add (report, DG_ITEM_TABLE, key, title);
  return take_columns (rows, columns, n) ? rows : item_lost (report);
}

static struct dg_rows *
add_value (struct dg_report *report, const struct dg_column *column,
           const struct dg_cell *value)
{
  struct dg_rows *rows =
    item_add (report, DG_ITEM_VALUE, column->key, column->title);

  if (take_columns (rows, column, 1))
    dg_rows_add (rows, value);
  return rows;
}

void
dg_report_value (struct dg_report *report, const char *key, const char *title,
                 enum dg_unit unit, struct dg_cell value)
{
  const struct dg_column column = {.key = key, .title = title, .unit = unit};

  add_value (report, &column, &value);
}

void
dg_report_total (struct dg_report *report, const char *key, const char *title,
                 enum dg_unit unit, uint64_t total)
{
  const struct dg_column column = {.key = key, .title = title, .unit = unit,
                                   .flags = DG_COLUMN_TOTAL};
  const struct dg_cell value = DG_CELL_NUMBER (total);

  add_value (report, &column, &value);
}

static void
add_bound (struct dg_report *report, const char *key, const char *suffix,
           enum dg_unit unit, unsigned flag, uint64_t bound)
{
  char *whole = g_strconcat (key, suffix, NULL);
  const struct dg_column column = {.key = whole, .unit = unit,
                                   .flags = DG_COLUMN_TOTAL | flag};
  const struct dg_cell value = DG_CELL_NUMBER (bound);

  add_value (report, &column, &value);
  g_free (whole);
}

void
dg_report_bounds (struct dg_report *report, const char *key,
                  enum dg_unit unit, uint64_t least, uint64_t most)
{
  add_bound (report, key, "_least", unit, DG_COLUMN_LEAST, least);
  add_bound (report, key, "_most", unit, DG_COLUMN_MOST, most);
}

struct dg_rows *
dg_report_silent (struct dg_report *report, const char *key,
                  struct dg_cell value)
{
  const struct dg_column column = {.key = key, .unit = DG_UNIT_REAL};

  return add_value (report, &column, &value);
}

void
dg_report_count (struct dg_report *report, const char *key, const char *title,
                 uint64_t count)
{
  dg_report_value (report, key, title, DG_UNIT_COUNT, DG_CELL_NUMBER (count));
}

void
dg_report_begin (struct dg_report *report, const char *key, const char *title)
{
  item_add (report, DG_ITEM_BEGIN, key, title);
  report->depth++;
}

void
dg_report_end (struct dg_report *report)
{
  g_assert (report->depth > 0);
  report->depth--;
  item_add (report, DG_ITEM_END, NULL, NULL);
}

void
dg_report_text (struct dg_report *report, const char *key, const char *title,
                const char *text)
{
  item_add (report, DG_ITEM_TEXT, key, title)->item.text =
    dg_report_keep (report, text);
}

void
dg_report_note (struct dg_report *report, const char *format, ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  item_add (report, DG_ITEM_NOTE, NULL, NULL)->item.text =
    dg_report_keep (report, text);
  g_free (text);
}

void
dg_report_fail (struct dg_report *report)
{
  report->has_failed = true;
}

/* ---- Reading ---------------------------------------------------------- */

const struct dg_report_item *
dg_report_at (const struct dg_report *report, size_t i)
{
  return i < report->items.n ? &item_at (report, i)->item : NULL;
}

bool
dg_report_has_failed (const struct dg_report *report)
{
  return report->has_failed;
}

/* ---- For dg_analyse --------------------------------------------------- */

void
dg_report_set_progress (struct dg_report *report, dg_progress_fn progress,
                        void *user)
{
  report->progress = (struct dg_progress) { progress, user, 0 };
}

void
dg_report_set_apart (struct dg_report *report)
{
  report->is_apart = true;
}

int
dg_report_pace (struct dg_report *report, uint64_t done, uint64_t total,
                struct dg_error *err)
{
  return dg_progress_pace (&report->progress, done, total, err);
}

int
dg_report_check (const struct dg_report *report, struct dg_error *err)
{
  return report->is_short ? dg_error_nomem (err) : 0;
}

int
dg_report_finish (struct dg_report *report, struct dg_error *err)
{
  if (dg_report_check (report, err) < 0)
    return DG_ERR_NOMEM;
  /* What an analysis began, it ended.  */
  g_assert (report->depth == 0);
  return dg_report_files_commit (report, err);
}

/* diff_figures.c: the figures of reports, before and after.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_figures.h"

#include "base/report_cells.h"
#include "diff_limit.h"

#include <math.h>

struct figure {
  char *key;               /* "reads", "counts.reads" */
  const char *title;       /* NULL: for programs only */
  enum dg_unit unit;
  struct diff_value value;
};

static void
clear_figure (gpointer figure)
{
  g_free (((struct figure *) figure)->key);
}

/* ---- Comparing -------------------------------------------------------- */

static void
add_figure (const struct diff_logs *logs, const struct diff_item *item,
            GArray *limits, GArray *figures)
{
  struct dg_cell *cells = g_new0 (struct dg_cell, logs->n);
  struct figure figure = {.title = item->like->title,
                          .unit = item->like->columns[0].unit};

  for (unsigned log = 0; log < logs->n; log++)
    if (item->items[log] != NULL)
      dg_report_row (item->items[log], 0, &cells[log]);
    else
      cells[log] = DG_CELL_EMPTY;
  figure.value =
    diff_value_of (figure.unit, cells, logs->n, logs->n_before);
  figure.key = g_strdelimit (g_strconcat (item->path, item->like->key, NULL),
                             "/", '.');
  diff_limit_check (limits, item->like->key, NULL, figure.unit,
                    &figure.value);
  if (item->path[0] != '\0')
    diff_limit_check (limits, figure.key, NULL, figure.unit, &figure.value);
  g_array_append_val (figures, figure);
  g_free (cells);
}

/* ---- For people ------------------------------------------------------- */

/* Texts, since each may have a unit of its own.  */
static const struct dg_column shown_columns[] = {
  {NULL, "Figure", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY},
  {NULL, "Before", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "After", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "Change", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "", DG_UNIT_CHANGE_PERCENT, DG_COLUMN_TEXT_ONLY},
  /* With several logs of a side.  */
  {NULL, "Spread", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT}};

static char *
spread_text (const struct figure *figure)
{
  double spread = MAX (figure->value.spread[0], figure->value.spread[1]);
  struct dg_cell cell = {.number = (uint64_t) spread, .real = spread};

  return report_cell_text (figure->unit, &cell);
}

static void
show_figure (struct dg_rows *rows, const struct figure *figure)
{
  enum dg_unit unit = figure->unit;
  const struct diff_value *value = &figure->value;
  struct dg_cell change = diff_value_change (unit, value);
  char *before = report_cell_text (unit, &value->before);
  char *after = report_cell_text (unit, &value->after);
  char *by = report_cell_text (diff_value_change_unit (unit), &change);
  char *spread = spread_text (figure);
  const struct dg_cell cells[] = {
    DG_CELL_TEXT (figure->title), DG_CELL_TEXT (before), DG_CELL_TEXT (after),
    DG_CELL_TEXT (by),
    /* Of shares, the difference says enough.  */
    unit == DG_UNIT_PERCENT ? DG_CELL_EMPTY : diff_value_relative (value),
    DG_CELL_TEXT (spread)};

  dg_rows_add (rows, cells);
  g_free (before);
  g_free (after);
  g_free (by);
  g_free (spread);
}

/* Several analyses count instructions, for example.  */
static bool
is_repeated (const GArray *figures, guint i)
{
  const struct figure *all = (const struct figure *) (void *) figures->data;

  for (guint k = 0; k < i; k++)
    if (g_strcmp0 (all[k].title, all[i].title) == 0
        && all[k].value.before.number == all[i].value.before.number
        && all[k].value.before.real == all[i].value.before.real
        && all[k].value.change == all[i].value.change)
      return true;
  return false;
}

static void
show (const GArray *figures, const struct diff_logs *logs, double least,
      struct dg_report *out)
{
  size_t n_columns = G_N_ELEMENTS (shown_columns) - (logs->n == 2);
  struct dg_rows *rows = NULL;
  bool has_changed = false;

  for (guint i = 0; i < figures->len; i++) {
    const struct figure *figure = &g_array_index (figures, struct figure, i);
    const struct diff_value *value = &figure->value;

    has_changed |= value->change != 0 && !value->is_noise;
    if (figure->title == NULL || value->change == 0 || value->is_noise
        || fabs (value->relative) < least || is_repeated (figures, i))
      continue;
    if (rows == NULL)
      rows = dg_report_table (out, NULL, "Figures that changed",
                              shown_columns, n_columns);
    show_figure (rows, figure);
  }
  if (rows != NULL)
    dg_rows_show_all (rows);
  else if (!has_changed && figures->len > 0)
    dg_report_note (out, "No figure changed.");
}

/* ---- For programs ----------------------------------------------------- */

/* Whole numbers, or others.  */
static void
put (const GArray *figures, const char *key, bool is_real,
     struct dg_report *out)
{
  const enum dg_unit unit = is_real ? DG_UNIT_REAL : DG_UNIT_COUNT;
  const struct dg_column columns[] = {
    {"figure", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
    {"before", NULL, unit, DG_COLUMN_JSON_ONLY},
    {"after", NULL, unit, DG_COLUMN_JSON_ONLY},
    {"change", NULL, diff_value_change_unit (unit), DG_COLUMN_JSON_ONLY},
    {"relative", NULL, DG_UNIT_CHANGE_PERCENT, DG_COLUMN_JSON_ONLY},
    {"before_spread", NULL, DG_UNIT_REAL, DG_COLUMN_JSON_ONLY},
    {"after_spread", NULL, DG_UNIT_REAL, DG_COLUMN_JSON_ONLY},
    {"is_noise", NULL, DG_UNIT_BOOLEAN, DG_COLUMN_JSON_ONLY}};
  struct dg_rows *rows =
    dg_report_table (out, key, NULL, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < figures->len; i++) {
    const struct figure *figure = &g_array_index (figures, struct figure, i);
    const struct diff_value *value = &figure->value;
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (figure->key),
      value->before,
      value->after,
      diff_value_change (figure->unit, value),
      diff_value_relative (value),
      DG_CELL_REAL (value->spread[0]),
      DG_CELL_REAL (value->spread[1]),
      DG_CELL_NUMBER (value->is_noise)};

    if (dg_unit_is_real (figure->unit) == is_real)
      dg_rows_add (rows, cells);
  }
  dg_rows_show_all (rows);
}

void
diff_figures (const struct diff_logs *logs, const struct diff_options *options,
              struct dg_report *out)
{
  GPtrArray *items = diff_items_new (logs, DG_ITEM_VALUE);
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (struct figure));

  g_array_set_clear_func (figures, clear_figure);
  for (guint i = 0; i < items->len; i++) {
    const struct diff_item *item = items->pdata[i];

    if (diff_value_is_measure (item->like->columns[0].unit))
      add_figure (logs, item, options->limits, figures);
  }
  put (figures, "figures", false, out);
  put (figures, "ratios", true, out);
  show (figures, logs, options->least, out);
  g_array_unref (figures);
  g_ptr_array_unref (items);
}

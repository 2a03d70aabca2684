/* sampled_report.c: reports of a sample: totals are scaled to what ran, and
   get errors, from what each group of windows has in the same place.

   A figure KEY gets a figure KEY_error behind it, and a row one for each of
   its totals; people are shown that of the first one.  Where a total has a
   least and a most, these get wider by their errors, and its error is what
   covers both.  Rows are the same if their texts, addresses and plain numbers
   are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sampled.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "report.h"
#include "report_parts.h"

#define COLUMNS 64

/* What is made of one report.  */
struct scaling {
  const struct dg_sampled *sampled;
  struct dg_report *report;
  struct dg_report *const *groups;
  unsigned n;              /* groups */
  GHashTable **items;      /* of each group: path -> item number */
  GString *path;           /* of the groups of items that are open */
  GArray *lengths;         /* gsize: of the path, before each of them */
  GPtrArray *order;        /* struct dg_rows *: all items, as they are to be */
  bool has_totals;
  /* The largest error of a figure, and of one that people are shown; -1: it is
     unknown.  */
  double most, most_shown;
};

static bool
is_total (const struct dg_column *column)
{
  return (column->flags & DG_COLUMN_TOTAL) != 0;
}

/* ---- Where things are ---- */

static void
open_path (GString *path, GArray *lengths, const struct dg_report_item *item)
{
  g_array_append_val (lengths, path->len);
  g_string_append_printf (path, "%s/", item->key != NULL ? item->key
                                       : item->title != NULL ? item->title
                                                             : "");
}

static void
close_path (GString *path, GArray *lengths)
{
  if (lengths->len == 0)
    return;
  g_string_truncate (path,
                     g_array_index (lengths, gsize, lengths->len - 1));
  g_array_set_size (lengths, lengths->len - 1);
}

static char *
path_of (const GString *path, const struct dg_report_item *item)
{
  return g_strdup_printf ("%s%s", path->str, item->key != NULL ? item->key
                                             : item->title != NULL
                                               ? item->title : "");
}

static GHashTable *
index_items (const struct dg_report *report)
{
  GHashTable *items =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  GString *path = g_string_new (NULL);
  const struct dg_report_item *item;

  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    if (item->kind == DG_ITEM_BEGIN)
      open_path (path, lengths, item);
    else if (item->kind == DG_ITEM_END)
      close_path (path, lengths);
    else if (item->kind == DG_ITEM_VALUE || item->kind == DG_ITEM_TABLE) {
      char *key = path_of (path, item);

      if (g_hash_table_contains (items, key))
        g_free (key);
      else
        g_hash_table_insert (items, key, GSIZE_TO_POINTER (i + 1));
    }
  }
  g_string_free (path, TRUE);
  g_array_unref (lengths);
  return items;
}

/* The same item of a group's report; NULL: it has none.  */
static const struct dg_report_item *
find_item (const struct scaling *scaling, unsigned group,
           const struct dg_report_item *item)
{
  char *key = path_of (scaling->path, item);
  size_t place = GPOINTER_TO_SIZE (
    g_hash_table_lookup (scaling->items[group], key));
  const struct dg_report_item *found =
    place > 0 ? dg_report_at (scaling->groups[group], place - 1) : NULL;

  g_free (key);
  return found != NULL && found->kind == item->kind
             && found->n_columns == item->n_columns
           ? found : NULL;
}

/* Whether a column is a part of what rows are about; has_ids: some are said to
   be.  */
static bool
is_id (const struct dg_column *column, bool has_ids)
{
  if (has_ids)
    return (column->flags & DG_COLUMN_ID) != 0;
  return column->unit == DG_UNIT_TEXT || column->unit == DG_UNIT_ADDRESS
         || (column->unit == DG_UNIT_NUMBER && !is_total (column));
}

/* What a row is about.  */
static char *
name_row (const struct dg_report_item *item, const struct dg_cell *cells)
{
  GString *name = g_string_new (NULL);
  bool has_ids = false;

  for (size_t i = 0; i < item->n_columns; i++)
    has_ids |= (item->columns[i].flags & DG_COLUMN_ID) != 0;
  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];

    if (!is_id (column, has_ids))
      continue;
    if (column->unit == DG_UNIT_TEXT && !cells[i].is_empty)
      g_string_append (name, cells[i].text);
    else if (!cells[i].is_empty)
      g_string_append_printf (name, "%" PRIu64, cells[i].number);
    g_string_append_c (name, '\n');
  }
  return g_string_free (name, FALSE);
}

/* ---- Errors ---- */

static double
amount (const struct dg_column *column, const struct dg_cell *cell)
{
  if (cell->is_empty)
    return 0;
  return dg_unit_is_real (column->unit) ? cell->real : (double) cell->number;
}

/* Adds the rows of an item, by name; they are part `part' of the n that there
   are: for each column, the groups, and behind them the whole.  */
static void
add_rows (GHashTable *rows, const struct dg_report_item *item, unsigned part,
          unsigned n)
{
  struct dg_cell cells[COLUMNS];

  for (uint64_t row = 0; item != NULL && row < item->n_rows; row++) {
    double *y;
    char *name;

    dg_report_row (item, row, cells);
    name = name_row (item, cells);
    y = g_hash_table_lookup (rows, name);
    if (y == NULL) {
      y = g_new0 (double, n * item->n_columns);
      g_hash_table_insert (rows, name, y);
    } else {
      g_free (name);
    }
    for (size_t i = 0; i < item->n_columns; i++)
      y[i * n + part] += amount (&item->columns[i], &cells[i]);
  }
}

static GHashTable *
collect_rows (const struct scaling *scaling,
              const struct dg_report_item *item)
{
  GHashTable *rows =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, g_free);
  unsigned n = scaling->n;

  if (n > 0)
    add_rows (rows, item, n, n + 1);
  for (unsigned g = 0; g < n; g++)
    add_rows (rows, find_item (scaling, g, item), g, n + 1);
  return rows;
}

static double
factor_of (const struct scaling *scaling)
{
  return (double) scaling->sampled->executed
         / (double) scaling->sampled->recorded;
}

/* By chance, of total i of a row; y: what add_rows has of it, or NULL.  */
static double
chance_of (const struct scaling *scaling, const struct dg_column *column,
          const struct dg_cell *cell, const double *y, size_t i)
{
  unsigned n = scaling->n;

  if (y == NULL || cell->is_empty || column->unit == DG_UNIT_PAIRS)
    return -1;
  y += i * (n + 1);
  return dg_estimate_error (&scaling->sampled->estimate, y, y[n]);
}

/* Column i of a row, which is a least or a most, of the whole; negative: not
   known.  What was seen is not scaled away.  */
static double
bound_of (const struct scaling *scaling, const struct dg_column *column,
          const struct dg_cell *cell, const double *y, size_t i)
{
  double error = chance_of (scaling, column, cell, y, i);
  double recorded = amount (column, cell);
  double whole = recorded * factor_of (scaling);

  if (scaling->n == 0 || y == NULL || cell->is_empty)
    return -1;
  if ((column->flags & DG_COLUMN_MOST) != 0)
    return error >= 0 ? whole * (1 + error) : -1;
  if (recorded <= 0)
    return 0;
  return error >= 0 ? MAX (whole * (1 - error), recorded) : -1;
}

static bool
is_bound (const struct dg_column *column)
{
  return (column->flags & (DG_COLUMN_LEAST | DG_COLUMN_MOST)) != 0;
}

/* Whether the two after the first of n columns are its least and most.  */
static bool
has_bounds (const struct dg_column *columns, size_t n)
{
  return n > 2 && (columns[1].flags & DG_COLUMN_LEAST) != 0
         && (columns[2].flags & DG_COLUMN_MOST) != 0;
}

/* The error that covers both bounds of a total.  */
static double
error_within (double total, double least, double most)
{
  if (total <= 0 || least < 0 || most < 0)
    return -1;
  return MAX (MAX (most - total, total - least), 0) / total;
}

/* Of total i of a row, with its bounds, if it has some.  */
static double
error_of (const struct scaling *scaling, const struct dg_report_item *item,
          const struct dg_cell *cells, const double *y, size_t i)
{
  const struct dg_column *column = &item->columns[i];

  if (cells[i].is_empty || !has_bounds (column, item->n_columns - i))
    return chance_of (scaling, column, &cells[i], y, i);
  return error_within (
    amount (column, &cells[i]) * factor_of (scaling),
    bound_of (scaling, column + 1, &cells[i + 1], y, i + 1),
    bound_of (scaling, column + 2, &cells[i + 2], y, i + 2));
}

/* A bound of whole numbers.  */
static struct dg_cell
bound_cell (const struct dg_column *column, double bound)
{
  if (bound < 0)
    return DG_CELL_EMPTY;
  return DG_CELL_NUMBER ((uint64_t) ((column->flags & DG_COLUMN_MOST) != 0
                                       ? ceil (bound) : bound));
}

static struct dg_cell
error_cell (double error)
{
  return error >= 0 ? DG_CELL_REAL (error) : DG_CELL_EMPTY;
}

/* ---- Scaling ---- */

static uint64_t
scale_number (const struct scaling *scaling, uint64_t number)
{
  const struct dg_sampled *sampled = scaling->sampled;

  return (uint64_t) llroundl ((long double) number
                              * (long double) sampled->executed
                              / (long double) sampled->recorded);
}

/* pairs: room for those of the cell.  */
static void
scale_cell (const struct scaling *scaling, const struct dg_column *column,
            struct dg_cell *cell, GArray *pairs)
{
  if (cell->is_empty)
    return;
  if (column->unit == DG_UNIT_PAIRS) {
    g_array_set_size (pairs, 0);
    for (size_t i = 0; i < cell->n_pairs; i++) {
      struct dg_pair pair = {cell->pairs[i].key,
                             scale_number (scaling, cell->pairs[i].count)};

      g_array_append_val (pairs, pair);
    }
    cell->pairs = (const struct dg_pair *) (const void *) pairs->data;
  } else if (dg_unit_is_real (column->unit)) {
    cell->real *= factor_of (scaling);
  } else {
    cell->number = scale_number (scaling, cell->number);
  }
}

/* Where each column of the new table is from, and its errors; the number of
   columns.  */
struct place {
  size_t column;
  enum { PLACE_CELL, PLACE_ERROR, PLACE_SHOWN } what;
};

static size_t
plan_columns (const struct dg_report_item *item, struct dg_column *columns,
              struct place *places, char **keys)
{
  size_t n = 0;
  bool is_shown = false;

  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];
    bool is_text = (column->flags & DG_COLUMN_JSON_ONLY) == 0;
    bool is_json = (column->flags & DG_COLUMN_TEXT_ONLY) == 0;

    columns[n] = *column;
    places[n++] = (struct place){i, PLACE_CELL};
    if (!is_total (column) || is_bound (column)
        || column->unit == DG_UNIT_PAIRS)
      continue;
    if (is_text && !is_shown && n + item->n_columns - i < COLUMNS) {
      columns[n] = (struct dg_column){"error", "\u00b1", DG_UNIT_PERCENT,
                                      DG_COLUMN_TEXT_ONLY};
      places[n++] = (struct place){i, PLACE_SHOWN};
      is_shown = true;
    }
    if (is_json && item->key != NULL && n + item->n_columns - i < COLUMNS) {
      keys[n] = g_strdup_printf ("%s_error", column->key);
      columns[n] = (struct dg_column){keys[n], NULL, DG_UNIT_REAL,
                                      DG_COLUMN_JSON_ONLY};
      places[n++] = (struct place){i, PLACE_ERROR};
    }
  }
  return n;
}

static void
fill_row (const struct scaling *scaling, const struct dg_report_item *item,
          const struct place *places, size_t n, const double *y,
          struct dg_cell *from, struct dg_cell *to, GArray **pairs)
{
  for (size_t k = 0; k < n; k++) {
    size_t i = places[k].column;
    const struct dg_column *column = &item->columns[i];

    if (places[k].what != PLACE_CELL) {
      to[k] = error_cell (error_of (scaling, item, from, y, i));
    } else if (is_bound (column)) {
      to[k] = bound_cell (column, bound_of (scaling, column, &from[i], y, i));
    } else {
      to[k] = from[i];
      if (is_total (column))
        scale_cell (scaling, column, &to[k], pairs[i]);
    }
  }
}

static void
scale_table (struct scaling *scaling, struct dg_rows *rows)
{
  const struct dg_report_item *item = &rows->item;
  struct dg_column columns[COLUMNS];
  struct place places[COLUMNS];
  struct dg_cell from[COLUMNS], to[COLUMNS];
  char *keys[COLUMNS] = {NULL};
  GArray *pairs[COLUMNS];
  size_t n = plan_columns (item, columns, places, keys);
  struct dg_rows *scaled = dg_report_table (scaling->report, item->key,
                                            item->title, columns, n);
  GHashTable *groups = collect_rows (scaling, item);

  for (size_t i = 0; i < COLUMNS; i++)
    pairs[i] = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  for (uint64_t row = 0; row < item->n_rows; row++) {
    char *name;
    const double *y;

    dg_report_row (item, row, from);
    name = name_row (item, from);
    y = g_hash_table_lookup (groups, name);
    fill_row (scaling, item, places, n, y, from, to, pairs);
    dg_rows_add (scaled, to);
    g_free (name);
  }
  if (item->shows_all)
    dg_rows_show_all (scaled);
  for (size_t i = 0; i < COLUMNS; i++) {
    g_array_unref (pairs[i]);
    g_free (keys[i]);
  }
  g_hash_table_unref (groups);
  dg_report_rows_fini (rows);
  g_ptr_array_add (scaling->order, scaled);
}

/* What add_rows has of a figure, in the memory of *groups.  */
static const double *
figure_of (const struct scaling *scaling, const struct dg_report_item *item,
           GHashTable **groups)
{
  *groups = collect_rows (scaling, item);
  return g_hash_table_lookup (*groups, "");
}

/* A bound of a figure, which is scaled; negative: not known.  */
static double
scale_bound (struct scaling *scaling, struct dg_rows *rows)
{
  const struct dg_report_item *item = &rows->item;
  GHashTable *groups;
  const double *y = figure_of (scaling, item, &groups);
  struct dg_cell cell;
  double bound;

  dg_report_row (item, 0, &cell);
  bound = bound_of (scaling, &item->columns[0], &cell, y, 0);
  cell = bound_cell (&item->columns[0], bound);
  dg_report_replace (rows, &cell);
  g_hash_table_unref (groups);
  return bound;
}

/* bounds: the two figures that are those of this one, or NULL.  */
static void
scale_value (struct scaling *scaling, struct dg_rows *rows,
             struct dg_rows *const *bounds)
{
  const struct dg_report_item *item = &rows->item;
  const struct dg_column *column = &item->columns[0];
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  GHashTable *groups;
  const double *y = figure_of (scaling, item, &groups);
  struct dg_cell cell;
  double error, least = 0;
  char *key;

  dg_report_row (item, 0, &cell);
  if (bounds == NULL) {
    error = chance_of (scaling, column, &cell, y, 0);
  } else {
    least = scale_bound (scaling, bounds[0]);
    error = error_within (amount (column, &cell) * factor_of (scaling), least,
                          scale_bound (scaling, bounds[1]));
  }
  scale_cell (scaling, column, &cell, pairs);
  dg_report_replace (rows, &cell);
  g_ptr_array_add (scaling->order, rows);
  /* What may be nothing has no error that says much.  */
  if (bounds == NULL || least > 0)
    scaling->most = MAX (scaling->most, error);
  if (item->title != NULL)
    scaling->most_shown = MAX (scaling->most_shown, error);
  if (item->key != NULL && column->unit != DG_UNIT_PAIRS) {
    key = g_strdup_printf ("%s_error", item->key);
    g_ptr_array_add (scaling->order,
                     dg_report_silent (scaling->report, key,
                                       error_cell (error)));
    g_free (key);
  }
  g_hash_table_unref (groups);
  g_array_unref (pairs);
}

/* The two figures after figure i, if they are its bounds; else NULL.  */
static struct dg_rows *const *
bounds_of (struct dg_report *report, size_t i, size_t end,
           struct dg_rows *bounds[2])
{
  for (size_t k = 0; k < 2; k++) {
    const unsigned flag = k == 0 ? DG_COLUMN_LEAST : DG_COLUMN_MOST;

    bounds[k] = i + 1 + k < end ? dg_report_rows (report, i + 1 + k) : NULL;
    if (bounds[k] == NULL || bounds[k]->item.kind != DG_ITEM_VALUE
        || (bounds[k]->item.columns[0].flags & flag) == 0)
      return NULL;
  }
  return bounds;
}

static bool
has_total (const struct dg_report_item *item)
{
  for (size_t i = 0; i < item->n_columns; i++)
    if (is_total (&item->columns[i]))
      return true;
  return false;
}

/* Item i of those before `end`.  */
static void
scale_item (struct scaling *scaling, size_t i, size_t end)
{
  struct dg_rows *rows = dg_report_rows (scaling->report, i), *bounds[2];
  const struct dg_report_item *item = &rows->item;

  if (item->kind == DG_ITEM_VALUE && is_bound (&item->columns[0])) {
    g_ptr_array_add (scaling->order, rows);
    return;
  }
  if (has_total (item)) {
    scaling->has_totals = true;
    if (item->kind == DG_ITEM_TABLE)
      scale_table (scaling, rows);
    else
      scale_value (scaling, rows,
                   bounds_of (scaling->report, i, end, bounds));
    return;
  }
  if (item->kind == DG_ITEM_BEGIN)
    open_path (scaling->path, scaling->lengths, item);
  else if (item->kind == DG_ITEM_END)
    close_path (scaling->path, scaling->lengths);
  g_ptr_array_add (scaling->order, rows);
}

/* ---- What is said of it ---- */

static void
tell_members (struct scaling *scaling)
{
  const struct dg_sampled *sampled = scaling->sampled;
  struct dg_report *report = scaling->report;

  dg_report_begin (report, "sampling", NULL);
  dg_report_value (report, "recorded_share", NULL, DG_UNIT_PERCENT,
                   DG_CELL_REAL (sampled->estimate.share));
  dg_report_count (report, "sampled_windows", NULL,
                   (uint64_t) sampled->estimate.windows);
  dg_report_count (report, "recorded_instructions", NULL, sampled->recorded);
  dg_report_count (report, "executed_instructions", NULL, sampled->executed);
  dg_report_value (report, "scale", NULL, DG_UNIT_REAL,
                   scaling->has_totals ? DG_CELL_REAL (
                     (double) sampled->executed / (double) sampled->recorded)
                                       : DG_CELL_EMPTY);
  dg_report_value (report, "confidence_share", NULL, DG_UNIT_PERCENT,
                   DG_CELL_REAL (DG_ESTIMATE_CONFIDENCE));
  dg_report_value (report, "largest_error", NULL, DG_UNIT_REAL,
                   error_cell (scaling->most));
  dg_report_end (report);
}

static void
tell_people (struct scaling *scaling)
{
  const struct dg_sampled *sampled = scaling->sampled;
  char share[DG_NUMBER_TEXT], windows[DG_NUMBER_TEXT], scale[DG_NUMBER_TEXT];
  char most[DG_NUMBER_TEXT], confidence[DG_NUMBER_TEXT];
  const char *plural = sampled->estimate.windows == 1 ? "" : "s";
  double factor = (double) sampled->executed / (double) sampled->recorded;

  dg_number_text_real (share, sizeof share, 100 * sampled->estimate.share, 2);
  dg_number_text (windows, sizeof windows,
                  (uint64_t) sampled->estimate.windows);
  dg_number_text_real (scale, sizeof scale, factor, factor < 100 ? 2 : 1);
  dg_number_text_real (most, sizeof most, 100 * scaling->most_shown, 1);
  dg_number_text_real (confidence, sizeof confidence,
                       100 * DG_ESTIMATE_CONFIDENCE, 0);
  if (!scaling->has_totals)
    dg_report_note (scaling->report,
                    "Sampled: %s %% of the instructions, in %s window%s; "
                    "figures are of these alone.", share, windows, plural);
  else if (sampled->estimate.n == 0)
    dg_report_note (scaling->report,
                    "Sampled: %s %% of the instructions, in %s window%s; "
                    "totals are scaled by %s.  Their error is unknown: that "
                    "takes %d windows.", share, windows, plural, scale,
                    DG_ESTIMATE_LEAST);
  else if (scaling->most_shown < 0)
    dg_report_note (scaling->report,
                    "Sampled: %s %% of the instructions, in %s window%s; "
                    "totals are scaled by %s, and have errors in a column "
                    "(\u00b1, %s %% confidence).", share, windows, plural,
                    scale, confidence);
  else
    dg_report_note (scaling->report,
                    "Sampled: %s %% of the instructions, in %s window%s; "
                    "totals are scaled by %s, \u00b1 %s %% or less for the "
                    "whole, and as tables say for rows (%s %% confidence).",
                    share, windows, plural, scale, most, confidence);
}

/* Nothing of it was recorded: there is nothing to be scaled.  */
static void
tell_nothing (struct dg_report *report, size_t first)
{
  size_t end = dg_report_n_items (report);

  dg_report_note (report, "Sampled: nothing was recorded of the instructions "
                          "that were asked for.");
  dg_report_put_at (report, first, end);
}

int
dg_sampled_report (const struct dg_sampled *sampled, struct dg_report *report,
                   size_t first, struct dg_report *const *groups,
                   struct dg_error *err)
{
  struct scaling scaling = {
    .sampled = sampled, .report = report, .groups = groups,
    .n = groups != NULL ? sampled->estimate.n : 0,
    .most = -1,
    .most_shown = -1};
  size_t end = dg_report_n_items (report);

  if (sampled->executed == 0)
    return 0;
  if (sampled->recorded == 0) {
    tell_nothing (report, first);
    return 0;
  }
  scaling.items = g_new0 (GHashTable *, scaling.n + 1);
  scaling.path = g_string_new (NULL);
  scaling.lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  scaling.order = g_ptr_array_new ();
  for (unsigned g = 0; g < scaling.n; g++)
    scaling.items[g] = index_items (groups[g]);
  for (size_t i = first; i < end; i++)
    scale_item (&scaling, i, end);
  dg_report_reorder (report, first, (struct dg_rows **) scaling.order->pdata,
                     scaling.order->len);
  end = dg_report_n_items (report);
  tell_members (&scaling);
  tell_people (&scaling);
  dg_report_put_at (report, first, end);
  for (unsigned g = 0; g < scaling.n; g++)
    g_hash_table_unref (scaling.items[g]);
  g_free (scaling.items);
  g_string_free (scaling.path, TRUE);
  g_array_unref (scaling.lengths);
  g_ptr_array_unref (scaling.order);
  return 0;
}

/* arrow_analysis.c: the tables of a report as tables of the log.

   The analysis runs when the stream is first asked for something, since its
   options decide which columns there are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_source.h"
#include "base/error.h"

/* Of the report's tables and figures.  */
#define VALUES "values"
/* struct dg_report_item.  */
#define MOST_CELLS 64

/* A column that is given: of the table, or an item that is a figure.  */
struct origin {
  const struct dg_report_item *item;
  size_t column;
  enum dg_unit unit;
};

struct result {
  struct dg_arrow_asked *asked;
  struct dg_report *report;
  const struct dg_report_item *table;    /* NULL: all figures, in one row */
  uint64_t next;
  GArray *columns;         /* struct dg_arrow_column, whose names are ours */
  GArray *origins;         /* as many */
};

#define LIMITS (DG_ARROW_THREADS | DG_ARROW_ICOUNTS | DG_ARROW_FILTER)

/* ---- Running it ---- */

static const struct dg_analysis *
analysis_of (const struct dg_arrow_query *query)
{
  char *name = g_strndup (query->table, strcspn (query->table, "/"));
  const struct dg_analysis *analysis = dg_analysis_find (name);

  g_free (name);
  return analysis;
}

static const struct dg_option *
find_option (const struct dg_analysis *analysis, const char *name)
{
  const struct dg_option *option = analysis->options;

  for (; option && option->name; option++)
    if (strcmp (option->name, name) == 0)
      return option;
  return NULL;
}

static int
unknown_option (const struct dg_analysis *analysis, const char *name,
                struct dg_error *err)
{
  struct dg_nearest *nearest = dg_nearest_new (name, err);
  const struct dg_option *option = analysis->options;
  char *hint;

  if (!nearest)
    return DG_ERR_NOMEM;
  for (; option && option->name; option++)
    dg_nearest_add (nearest, option->name);
  hint = dg_nearest_hint (nearest);
  dg_error_set (err, DG_ERR_INVALID, "%s has no option %.60s%s",
                analysis->name, name, hint ? hint : "");
  free (hint);
  dg_nearest_free (nearest);
  return DG_ERR_INVALID;
}

/* dg_analyse passes over options that an analysis does not have.  */
static int
check_settings (const struct dg_analysis *analysis,
                const struct dg_arrow_query *query, struct dg_error *err)
{
  for (size_t i = 0; i < query->n_settings; i++) {
    const struct dg_setting *setting = &query->settings[i];
    const struct dg_option *option = find_option (analysis, setting->name);
    int code;

    if (!option)
      return unknown_option (analysis, setting->name, err);
    if (option->type == DG_OPTION_FILE && query->no_files)
      return dg_error_set (err, DG_ERR_INVALID,
                           "%s: files cannot be written here", setting->name);
    if (option->type == DG_OPTION_FILE && g_strcmp0 (setting->value, "-") == 0)
      return dg_error_set (err, DG_ERR_INVALID,
                           "%s: standard output is not possible here",
                           setting->name);
    code = dg_option_check (option, setting->value, err);
    if (code < 0)
      return code;
  }
  return 0;
}

static int
run (struct result *result, struct dg_error *err)
{
  struct dg_arrow_asked *asked = result->asked;
  const struct dg_arrow_query *query = &asked->query;
  const struct dg_analysis *analysis = analysis_of (query);
  struct dg_analyse_options options = {
    .size = sizeof options, .workers = query->workers,
    .threads = query->threads, .n_threads = query->n_threads,
    .start_icount = query->icounts.low,
    .end_icount = query->icounts.high == DG_NEVER ? 0 : query->icounts.high,
    .top = query->top, .settings = query->settings,
    .n_settings = query->n_settings
  };
  int code = check_settings (analysis, query, err);

  if (code < 0)
    return code;
  code = dg_arrow_query_filter (asked, &options.filter, err);
  if (code < 0)
    return code;
  options.symbols = dg_arrow_shared_symbols (asked->shared, err);
  result->report = options.symbols ? dg_report_new (err) : NULL;
  if (!result->report)
    return DG_ERR_NOMEM;
  return dg_analyse (asked->log, &analysis, 1, &options, query->progress,
                     query->user, result->report, err);
}

/* ---- What is in the report ---- */

static const char *
format_of (enum dg_unit unit)
{
  if (dg_unit_is_real (unit))
    return "g";
  switch (unit) {
  case DG_UNIT_TEXT:
    return "u";
  case DG_UNIT_PAIRS:
    return "+p";
  case DG_UNIT_LIST:
    return "+l";
  case DG_UNIT_BOOLEAN:
    return "b";
  case DG_UNIT_STEP:
  case DG_UNIT_CHANGE:
  case DG_UNIT_CHANGE_BYTES:
    return "l";
  default:
    return "L";
  }
}

static void
add_column (struct result *result, char *name,
            const struct dg_report_item *item, size_t i)
{
  const struct dg_column *from = &item->columns[i];
  struct dg_arrow_column column = {
    .name = name, .format = format_of (from->unit),
    .flags = DG_ARROW_NULLABLE
             | (from->unit == DG_UNIT_ADDRESS ? DG_ARROW_ADDRESS : 0),
    .help = from->title ? from->title : ""
  };
  struct origin origin = { item, i, from->unit };

  g_array_append_val (result->columns, column);
  g_array_append_val (result->origins, origin);
}

static void
take_table (struct result *result, const struct dg_report_item *item)
{
  result->table = item;
  for (size_t i = 0; i < item->n_columns; i++)
    if (item->columns[i].key
        && !(item->columns[i].flags & DG_COLUMN_TEXT_ONLY))
      add_column (result, g_strdup (item->columns[i].key), item, i);
}

/* The keys of the groups that are open, each followed by a dot.  */
static void
enter (GString *path, GArray *lengths, const struct dg_report_item *item)
{
  g_array_append_val (lengths, path->len);
  if (item->key)
    g_string_append_printf (path, "%s.", item->key);
}

static void
leave (GString *path, GArray *lengths)
{
  if (lengths->len == 0)
    return;
  g_string_truncate (path, g_array_index (lengths, gsize, lengths->len - 1));
  g_array_set_size (lengths, lengths->len - 1);
}

static bool
is_asked_for (const char *key, const char *path, const char *name)
{
  size_t n = strlen (path);

  return key == NULL || strcmp (key, name) == 0
         || (strncmp (key, path, n) == 0 && strcmp (key + n, name) == 0);
}

/* Finds the table `key`, NULL: the first one; or, if it is VALUES, all
   figures.  What there is is added to `names`.  */
static bool
find (struct result *result, const char *key, GString *names)
{
  bool is_values = g_strcmp0 (key, VALUES) == 0, found = is_values;
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  GString *path = g_string_new (NULL);
  const struct dg_report_item *item;

  for (size_t i = 0; (item = dg_report_at (result->report, i)); i++) {
    if (item->kind == DG_ITEM_BEGIN)
      enter (path, lengths, item);
    else if (item->kind == DG_ITEM_END)
      leave (path, lengths);
    else if (item->kind == DG_ITEM_VALUE && is_values && item->key)
      add_column (result, g_strconcat (path->str, item->key, NULL), item, 0);
    else if (item->kind == DG_ITEM_TABLE && item->key) {
      g_string_append_printf (names, ", '%s%s'", path->str, item->key);
      if (!found && is_asked_for (key, path->str, item->key)) {
        take_table (result, item);
        found = true;
      }
    }
  }
  g_string_free (path, TRUE);
  g_array_unref (lengths);
  return found;
}

static int
choose (struct result *result, struct dg_error *err)
{
  const char *slash = strchr (result->asked->query.table, '/');
  GString *names = g_string_new ("'" VALUES "'");
  bool found = slash ? find (result, slash + 1, names)
                     : find (result, "rows", names)
                         || find (result, "totals", names)
                         || find (result, NULL, names)
                         || find (result, VALUES, names);
  int code = found ? 0
                   : dg_error_set (err, DG_ERR_INVALID,
                                   "the report has no table '%.60s'; there "
                                   "are %.100s",
                                   slash + 1, names->str);

  g_string_free (names, TRUE);
  return code;
}

/* ---- The source ---- */

static void
close_result (void *self)
{
  struct result *result = self;

  for (guint i = 0; i < result->columns->len; i++)
    g_free ((char *) g_array_index (result->columns, struct dg_arrow_column,
                                    i)
              .name);
  g_array_unref (result->columns);
  g_array_unref (result->origins);
  dg_report_free (result->report);
  g_free (result);
}

static void *
open_result (struct dg_arrow_asked *asked, struct dg_error *err)
{
  struct result *result = g_try_new0 (struct result, 1);

  if (!result) {
    dg_error_nomem (err);
    return NULL;
  }
  result->asked = asked;
  result->columns
    = g_array_new (FALSE, FALSE, sizeof (struct dg_arrow_column));
  result->origins = g_array_new (FALSE, FALSE, sizeof (struct origin));
  if (run (result, err) == 0 && choose (result, err) == 0)
    return result;
  close_result (result);
  return NULL;
}

static int
describe (void *self, const struct dg_arrow_column **columns, size_t *n,
          struct dg_error *err)
{
  struct result *result = self;

  *columns = (const struct dg_arrow_column *) (void *) result->columns->data;
  *n = result->columns->len;
  return 0;
}

static void
put_list (struct dg_arrow_array *array, const struct dg_cell *cell,
          struct dg_table *keys)
{
  keys->n = 0;
  if (dg_table_reserve (keys, sizeof (uint64_t), cell->n_pairs) < 0) {
    array->code = DG_ERR_NOMEM;
    return;
  }
  for (size_t i = 0; i < cell->n_pairs; i++)
    ((uint64_t *) keys->items)[i] = cell->pairs[i].key;
  dg_arrow_array_list (array, keys->items, cell->n_pairs);
}

static void
put_cell (struct dg_arrow_array *array, enum dg_unit unit,
          const struct dg_cell *cell)
{
  struct dg_table keys = { .n = 0 };

  if (cell->is_empty)
    dg_arrow_array_null (array);
  else
    switch (unit) {
    case DG_UNIT_REAL:
    case DG_UNIT_PERCENT:
    case DG_UNIT_CHANGE_REAL:
    case DG_UNIT_CHANGE_PERCENT:
      dg_arrow_array_real (array, cell->real);
      break;
    case DG_UNIT_TEXT:
      dg_arrow_array_text (array, cell->text);
      break;
    case DG_UNIT_PAIRS:
      dg_arrow_array_pairs (array, cell->pairs, cell->n_pairs);
      break;
    case DG_UNIT_LIST:
      put_list (array, cell, &keys);
      break;
    default:
      dg_arrow_array_number (array, cell->number);
    }
  dg_table_fini (&keys);
}

static void
put_row (struct result *result, struct dg_arrow_array *const *columns)
{
  const struct origin *origins
    = (const struct origin *) (void *) result->origins->data;
  struct dg_cell cells[MOST_CELLS];

  if (result->table)
    dg_report_row (result->table, result->next, cells);
  for (guint i = 0; i < result->origins->len; i++) {
    const struct dg_cell *cell = &cells[origins[i].column];

    if (!columns[i])
      continue;
    if (!result->table) {
      dg_report_row (origins[i].item, 0, cells);
      cell = &cells[0];
    }
    put_cell (columns[i], origins[i].unit, cell);
  }
}

static uint64_t
rows_of (const struct result *result)
{
  uint64_t top = result->asked->query.top;

  if (!result->table)
    return 1;
  return top > 0 && !result->table->shows_all
           ? MIN (top, result->table->n_rows)
           : result->table->n_rows;
}

static ptrdiff_t
next_result (void *self, struct dg_arrow_array *const *columns, size_t max,
             struct dg_error *err)
{
  struct result *result = self;
  uint64_t n_rows = rows_of (result);
  size_t n = 0;

  for (; result->next < n_rows && n < max; result->next++, n++)
    put_row (result, columns);
  return n;
}

static size_t
most_rows (const void *self)
{
  const struct result *result = self;

  return rows_of (result) - result->next;
}

static bool
needs_blocks (const struct dg_arrow_query *query)
{
  const struct dg_analysis *analysis = analysis_of (query);
  const struct dg_analyse_options options = {
    .size = sizeof options, .settings = query->settings,
    .n_settings = query->n_settings
  };

  return dg_analyse_blocks (&analysis, 1, &options) != DG_BLOCKS_NONE;
}

const struct dg_arrow_source dg_arrow_source_analysis = {
  { .name = "an analysis", .help = "rows of its report", .limits = LIMITS },
  open_result, describe, next_result, close_result, most_rows, needs_blocks
};

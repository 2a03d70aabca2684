/* diff_report.c: what changed between reports of logs, as a report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_report.h"

#include "base/report_cells.h"
#include "diff_align.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Items ------------------------------------------------------------ */

/* The item of another report that is this one: the k-th of its kind with this
   key in the groups of these names.  */
static const struct dg_report_item *
find_item (const struct dg_report *report, const char *path,
           enum dg_report_kind kind, const char *key)
{
  GString *at = g_string_new (NULL);
  const struct dg_report_item *item, *found = NULL;

  for (size_t i = 0;
       found == NULL && (item = dg_report_at (report, i)) != NULL; i++) {
    if (item->kind == DG_ITEM_BEGIN)
      g_string_append_printf (at, "%s/", item->key != NULL ? item->key : "");
    else if (item->kind == DG_ITEM_END) {
      g_string_truncate (at, at->len - 1);
      g_string_truncate (at, strrchr (at->str, '/') != NULL
                               ? (gsize) (strrchr (at->str, '/') + 1 - at->str)
                               : 0);
    } else if (item->kind == kind && g_strcmp0 (item->key, key) == 0
               && strcmp (at->str, path) == 0)
      found = item;
  }
  g_string_free (at, TRUE);
  return found;
}

/* The same item of all logs; NULL where there is none.  */
static void
find_items (const struct diff_logs *logs, const char *path,
            const struct dg_report_item *like,
            const struct dg_report_item **items)
{
  for (unsigned log = 0; log < logs->n; log++)
    items[log] = find_item (logs->reports[log], path, like->kind, like->key);
}

/* ---- Figures ---------------------------------------------------------- */

/* What is put together.  */
struct figures {
  struct dg_report *out;
  GArray *all;             /* struct figure */
  GString *unchanged;      /* titles of tables */
};

struct figure {
  char *key;               /* "reads", "counts.reads" */
  const struct dg_report_item *item;
  enum dg_unit unit;
  struct diff_value value;
  bool is_shown;           /* to people */
};

static void
clear_figure (gpointer figure)
{
  g_free (((struct figure *) figure)->key);
}

/* Texts, since each may have a unit of its own.  */
static const struct dg_column shown_columns[] = {
  {NULL, "Figure", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY},
  {NULL, "Before", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "After", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "Change", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_RIGHT},
  {NULL, "", DG_UNIT_CHANGE_PERCENT, DG_COLUMN_TEXT_ONLY}};

static void
show_figure (struct dg_rows *rows, const struct figure *figure)
{
  enum dg_unit unit = figure->unit;
  const struct diff_value *value = &figure->value;
  struct dg_cell change = diff_value_change (unit, value);
  char *before = report_cell_text (unit, &value->before);
  char *after = report_cell_text (unit, &value->after);
  char *by = report_cell_text (diff_value_change_unit (unit), &change);
  const struct dg_cell cells[] = {
    DG_CELL_TEXT (figure->item->title), DG_CELL_TEXT (before),
    DG_CELL_TEXT (after), DG_CELL_TEXT (by),
    /* Of shares, the difference says enough.  */
    unit == DG_UNIT_PERCENT ? DG_CELL_EMPTY : diff_value_relative (value)};

  dg_rows_add (rows, cells);
  g_free (before);
  g_free (after);
  g_free (by);
}

/* Those that changed, for people.  */
static void
show_figures (const struct figures *figures)
{
  struct dg_rows *rows = NULL;

  for (guint i = 0; i < figures->all->len; i++) {
    const struct figure *figure =
      &g_array_index (figures->all, struct figure, i);

    if (!figure->is_shown)
      continue;
    if (rows == NULL)
      rows = dg_report_table (figures->out, NULL, "Figures that changed",
                              shown_columns, G_N_ELEMENTS (shown_columns));
    show_figure (rows, figure);
  }
  if (rows != NULL)
    dg_rows_show_all (rows);
  else
    dg_report_note (figures->out, "No figure changed.");
}

/* All of them, for programs: whole numbers, or others.  */
static void
put_figures (const struct figures *figures, const char *key, bool is_real)
{
  const enum dg_unit unit = is_real ? DG_UNIT_REAL : DG_UNIT_COUNT;
  const struct dg_column columns[] = {
    {"figure", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
    {"before", NULL, unit, DG_COLUMN_JSON_ONLY},
    {"after", NULL, unit, DG_COLUMN_JSON_ONLY},
    {"change", NULL, diff_value_change_unit (unit), DG_COLUMN_JSON_ONLY},
    {"relative", NULL, DG_UNIT_CHANGE_PERCENT, DG_COLUMN_JSON_ONLY}};
  struct dg_rows *rows = dg_report_table (figures->out, key, NULL, columns,
                                          G_N_ELEMENTS (columns));

  for (guint i = 0; i < figures->all->len; i++) {
    const struct figure *figure =
      &g_array_index (figures->all, struct figure, i);
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (figure->key), figure->value.before, figure->value.after,
      diff_value_change (figure->unit, &figure->value),
      diff_value_relative (&figure->value)};

    if (dg_unit_is_real (figure->unit) == is_real)
      dg_rows_add (rows, cells);
  }
}

static bool
is_shown (const struct diff_value *value, const struct diff_options *options)
{
  return value->change != 0 && !value->is_noise
         && fabs (value->relative) >= options->least;
}

/* path: "counts/" of a group.  */
static void
add_figure (struct figures *figures, const char *path,
            const struct dg_report_item *item, const struct diff_value *value,
            bool is_shown, GArray *limits)
{
  struct figure figure = {.item = item, .unit = item->columns[0].unit,
                          .value = *value, .is_shown = is_shown};

  figure.key = g_strconcat (path, item->key, NULL);
  g_strdelimit (figure.key, "/", '.');
  g_array_append_val (figures->all, figure);
  diff_limit_check (limits, item->key, NULL, figure.unit, value);
  if (path[0] != '\0')
    diff_limit_check (limits, figure.key, NULL, figure.unit, value);
}

static void
compare_figure (const struct diff_logs *logs,
                const struct diff_options *options, const char *path,
                const struct dg_report_item *item, struct figures *figures)
{
  const struct dg_report_item **items =
    g_new0 (const struct dg_report_item *, logs->n);
  struct dg_cell *cells = g_new0 (struct dg_cell, logs->n);
  enum dg_unit unit = item->columns[0].unit;
  struct diff_value value;

  find_items (logs, path, item, items);
  for (unsigned log = 0; log < logs->n; log++) {
    cells[log] = DG_CELL_EMPTY;
    if (items[log] != NULL)
      dg_report_row (items[log], 0, &cells[log]);
  }
  value = diff_value_of (unit, cells, logs->n, logs->n_before);
  add_figure (figures, path, item, &value,
              item->title != NULL && is_shown (&value, options),
              options->limits);
  g_free (items);
  g_free (cells);
}

static bool
is_measure (enum dg_unit unit)
{
  return unit == DG_UNIT_COUNT || unit == DG_UNIT_BYTES || unit == DG_UNIT_NS
         || unit == DG_UNIT_REAL || unit == DG_UNIT_PERCENT
         || unit == DG_UNIT_NUMBER;
}

/* ---- Rows ------------------------------------------------------------- */

/* A table of all logs, and what it becomes.  */
struct compared {
  const struct diff_logs *logs;
  const struct diff_options *options;
  const struct dg_report_item *item;    /* of the last log that has it */
  struct diff_table **tables;           /* of each log, or NULL */
  enum diff_role roles[64];
  size_t label, primary;
  GArray *rows;                         /* struct changed */
  uint64_t same, small, noise;          /* rows that are not shown */
};

struct changed {
  const uint32_t *group;   /* of diff_align */
  double change;           /* of the primary measure, its size */
};

static const struct diff_table *
last_table (const struct compared *compared, const uint32_t *group,
            unsigned *log)
{
  for (unsigned k = compared->logs->n; k-- > 0;)
    if (group[k] != DIFF_NO_ROW) {
      *log = k;
      return compared->tables[k];
    }
  return NULL;
}

/* The cells of column i in all logs.  A row that is not there has no count,
   which is 0 of what adds up.  */
static void
read_column (const struct compared *compared, const uint32_t *group, size_t i,
             struct dg_cell *cells)
{
  struct dg_cell row[64];

  for (unsigned log = 0; log < compared->logs->n; log++) {
    cells[log] = DG_CELL_EMPTY;
    if (group[log] == DIFF_NO_ROW)
      continue;
    dg_report_row (compared->tables[log]->item,
                   g_array_index (compared->tables[log]->rows, struct diff_row,
                                  group[log])
                     .row,
                   row);
    cells[log] = row[i];
  }
}

static struct diff_value
value_of (const struct compared *compared, const uint32_t *group, size_t i)
{
  unsigned n = compared->logs->n;
  struct dg_cell *cells = g_new0 (struct dg_cell, n);
  struct diff_value value;

  read_column (compared, group, i, cells);
  value = diff_value_of (compared->item->columns[i].unit, cells, n,
                         compared->logs->n_before);
  g_free (cells);
  return value;
}

/* The word of a side: of its last log that has the row.  */
static const char *
state_of (const struct compared *compared, const uint32_t *group, size_t i,
          bool is_after)
{
  unsigned first = is_after ? compared->logs->n_before : 0;
  unsigned end = is_after ? compared->logs->n : compared->logs->n_before;
  struct dg_cell row[64];

  for (unsigned k = end; k-- > first;)
    if (group[k] != DIFF_NO_ROW) {
      dg_report_row (compared->tables[k]->item,
                     g_array_index (compared->tables[k]->rows, struct diff_row,
                                    group[k])
                       .row,
                     row);
      return row[i].is_empty ? NULL : row[i].text;
    }
  return NULL;
}

static bool
has_side (const struct compared *compared, const uint32_t *group,
          bool is_after)
{
  unsigned first = is_after ? compared->logs->n_before : 0;
  unsigned end = is_after ? compared->logs->n : compared->logs->n_before;

  for (unsigned k = first; k < end; k++)
    if (group[k] != DIFF_NO_ROW)
      return true;
  return false;
}

/* Sorts a row out, or keeps it.  Shares alone do not make a row change: they
   do when other rows do.  */
static void
judge_row (struct compared *compared, const uint32_t *group)
{
  const struct dg_report_item *item = compared->item;
  struct changed changed = {.group = group};
  bool is_shown_one = !has_side (compared, group, false)
                      || !has_side (compared, group, true);
  bool is_small = false, is_noise = false;

  for (size_t i = 0; i < item->n_columns; i++) {
    struct diff_value value;

    if (compared->roles[i] == DIFF_STATE)
      is_shown_one |= g_strcmp0 (state_of (compared, group, i, false),
                                 state_of (compared, group, i, true))
                      != 0;
    if (compared->roles[i] != DIFF_MEASURE)
      continue;
    value = value_of (compared, group, i);
    if (i == compared->primary)
      changed.change = fabs (value.change);
    if (value.change == 0
        || (dg_unit_is_real (item->columns[i].unit)
            && i != compared->primary))
      continue;
    is_noise |= value.is_noise;
    is_small |= fabs (value.relative) < compared->options->least;
    is_shown_one |= is_shown (&value, compared->options);
  }
  if (is_shown_one)
    g_array_append_val (compared->rows, changed);
  else if (is_noise)
    compared->noise++;
  else if (is_small)
    compared->small++;
  else
    compared->same++;
}

static gint
compare_changed (gconstpointer a, gconstpointer b)
{
  const struct changed *x = a, *y = b;

  if (x->change != y->change)
    return x->change > y->change ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

/* ---- Tables ----------------------------------------------------------- */

/* A column of the result.  */
enum what { BEFORE, AFTER, CHANGE, RELATIVE, NAME, WORDS, STATUS };

struct made {
  struct dg_column columns[64];
  enum what what[64];
  size_t from[64];         /* column of the item */
  size_t n;
  GPtrArray *texts;
};

static void
add_column (struct made *made, enum what what, size_t from, char *key,
            const char *title, enum dg_unit unit, unsigned flags)
{
  g_ptr_array_add (made->texts, key);
  if (made->n == G_N_ELEMENTS (made->columns))
    return;
  made->columns[made->n] = (struct dg_column) {key, title, unit, flags};
  made->what[made->n] = what;
  made->from[made->n++] = from;
}

/* Of the measure by which rows are sorted, people see all; of the others, the
   change.  */
static void
add_measure (struct made *made, const struct dg_report_item *item, size_t i,
             bool is_primary)
{
  static const struct {
    const char *suffix, *title;
    enum what what;
  } parts[] = {{"change", "Change", CHANGE},
               {"relative", "", RELATIVE},
               {"before", "Before", BEFORE},
               {"after", "After", AFTER}};
  const struct dg_column *column = &item->columns[i];

  for (size_t k = 0; k < G_N_ELEMENTS (parts); k++) {
    enum dg_unit unit = parts[k].what == CHANGE
                          ? diff_value_change_unit (column->unit)
                        : parts[k].what == RELATIVE ? DG_UNIT_CHANGE_PERCENT
                                                    : column->unit;
    bool is_seen = is_primary
                   || (parts[k].what == CHANGE && column->title != NULL
                       && column->title[0] != '\0'
                       && !dg_unit_is_real (column->unit));

    if (!is_primary && parts[k].what == RELATIVE)
      continue;
    add_column (made, parts[k].what, i,
                g_strdup_printf ("%s_%s", column->key, parts[k].suffix),
                is_primary ? parts[k].title : column->title, unit,
                is_seen ? 0 : DG_COLUMN_JSON_ONLY);
  }
}

static void
make_columns (const struct compared *compared, struct made *made)
{
  const struct dg_report_item *item = compared->item;

  if (compared->primary < item->n_columns)
    add_measure (made, item, compared->primary, true);
  add_column (made, STATUS, 0, g_strdup ("status"), "", DG_UNIT_TEXT, 0);
  for (size_t i = 0; i < item->n_columns; i++)
    if (compared->roles[i] == DIFF_MEASURE && i != compared->primary)
      add_measure (made, item, i, false);
  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];

    if (compared->roles[i] == DIFF_STATE)
      add_column (made, WORDS, i, g_strdup (column->key), column->title,
                  DG_UNIT_TEXT, column->flags & DG_COLUMN_JSON_ONLY);
    else if (compared->roles[i] == DIFF_NAME
             || compared->roles[i] == DIFF_LINE)
      add_column (made, NAME, i, g_strdup (column->key), column->title,
                  column->unit,
                  i == compared->label ? DG_COLUMN_LAST : DG_COLUMN_JSON_ONLY);
  }
}

/* "strided", or "sequential > strided"; to be freed.  */
static char *
words_of (const struct compared *compared, const uint32_t *group, size_t i)
{
  const char *before = state_of (compared, group, i, false);
  const char *after = state_of (compared, group, i, true);

  if (before == NULL || after == NULL || strcmp (before, after) == 0)
    return g_strdup (after != NULL ? after : before);
  return g_strdup_printf ("%s > %s", before, after);
}

static struct dg_cell
name_of (const struct compared *compared, const uint32_t *group, size_t i)
{
  struct dg_cell row[64];
  unsigned log = 0;
  const struct diff_table *table = last_table (compared, group, &log);

  dg_report_row (
    table->item,
    g_array_index (table->rows, struct diff_row, group[log]).row, row);
  return row[i];
}

static struct dg_cell
cell_of (const struct compared *compared, const uint32_t *group,
         const struct made *made, size_t k, char **text)
{
  size_t i = made->from[k];
  enum dg_unit unit = compared->item->columns[i].unit;
  struct diff_value value;

  switch (made->what[k]) {
  case STATUS:
    return !has_side (compared, group, false)  ? DG_CELL_TEXT ("new")
           : !has_side (compared, group, true) ? DG_CELL_TEXT ("gone")
                                               : DG_CELL_EMPTY;
  case NAME:
    return name_of (compared, group, i);
  case WORDS:
    *text = words_of (compared, group, i);
    return *text != NULL ? DG_CELL_TEXT (*text) : DG_CELL_EMPTY;
  default:
    value = value_of (compared, group, i);
  }
  switch (made->what[k]) {
  case BEFORE:
    return value.before;
  case AFTER:
    return value.after;
  case CHANGE:
    return diff_value_change (unit, &value);
  default:
    return diff_value_relative (&value);
  }
}

static void
put_rows (const struct compared *compared, const struct made *made,
          struct dg_report *out, const char *title)
{
  struct dg_rows *rows = dg_report_table (out, compared->item->key, title,
                                          made->columns, made->n);

  for (guint r = 0; r < compared->rows->len; r++) {
    const struct changed *changed =
      &g_array_index (compared->rows, struct changed, r);
    struct dg_cell cells[64];
    char *texts[64] = {NULL};

    for (size_t k = 0; k < made->n; k++)
      cells[k] = cell_of (compared, changed->group, made, k, &texts[k]);
    dg_rows_add (rows, cells);
    for (size_t k = 0; k < made->n; k++)
      g_free (texts[k]);
  }
}

static void
put_note (struct dg_report *out, uint64_t n, const char *what)
{
  char text[DG_NUMBER_TEXT];

  if (n == 0)
    return;
  dg_number_text (text, sizeof text, n);
  dg_report_note (out, "%s %s %s", text, n == 1 ? "row" : "rows", what);
}

static void
put_table (const struct compared *compared, struct dg_report *out)
{
  struct made made = {.texts = g_ptr_array_new_with_free_func (g_free)};
  const char *old = compared->item->title;
  char *title = g_strdup_printf ("%s: changes", old);
  char *counts = g_strdup_printf ("%s_not_shown", compared->item->key);

  make_columns (compared, &made);
  put_rows (compared, &made, out,
            old != NULL && compared->rows->len > 0 ? title : NULL);
  dg_report_begin (out, counts, NULL);
  dg_report_count (out, "same", NULL, compared->same);
  dg_report_count (out, "small", NULL, compared->small);
  dg_report_count (out, "noise", NULL, compared->noise);
  dg_report_end (out);
  if (old != NULL) {
    put_note (out, compared->small, "changed by less than --min.");
    put_note (out, compared->noise,
              "changed by no more than logs of one side differ.");
  }
  g_free (counts);
  g_free (title);
  g_ptr_array_unref (made.texts);
}

/* Limits are about all rows, also those that are not shown.  */
static void
check_limits (const struct compared *compared, const uint32_t *group)
{
  const struct dg_report_item *item = compared->item;
  struct dg_cell name = name_of (compared, group, compared->label);

  if (compared->options->limits == NULL
      || item->columns[compared->label].unit != DG_UNIT_TEXT || name.is_empty)
    return;
  for (size_t i = 0; i < item->n_columns; i++)
    if (compared->roles[i] == DIFF_MEASURE) {
      struct diff_value value = value_of (compared, group, i);

      diff_limit_check (compared->options->limits, item->columns[i].key,
                        name.text, item->columns[i].unit, &value);
    }
}

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

static void
compare_table (const struct diff_logs *logs,
               const struct diff_options *options, const char *path,
               const struct dg_report_item *item, struct figures *figures)
{
  const struct dg_report_item **items =
    g_new0 (const struct dg_report_item *, logs->n);
  struct compared compared = {.logs = logs, .options = options, .item = item};
  GArray *groups;

  compared.tables = g_new0 (struct diff_table *, logs->n);
  find_items (logs, path, item, items);
  for (unsigned log = 0; log < logs->n; log++)
    if (items[log] != NULL && has_same_columns (items[log], item)
        && diff_table_roles (items[log], compared.roles)) {
      compared.tables[log] = diff_table_new (items[log]);
      compared.label = compared.tables[log]->label;
      compared.primary = compared.tables[log]->primary;
    }
  compared.rows = g_array_new (FALSE, FALSE, sizeof (struct changed));
  groups = diff_align ((const struct diff_table *const *) compared.tables,
                       logs->n);
  for (guint i = 0; i < groups->len; i += logs->n) {
    const uint32_t *group = &g_array_index (groups, uint32_t, i);

    check_limits (&compared, group);
    judge_row (&compared, group);
  }
  g_array_sort (compared.rows, compare_changed);
  put_table (&compared, figures->out);
  if (compared.rows->len == 0 && item->title != NULL)
    g_string_append_printf (figures->unchanged, "%s%s",
                            figures->unchanged->len > 0 ? "; " : "",
                            item->title);
  g_array_unref (compared.rows);
  g_array_unref (groups);
  for (unsigned log = 0; log < logs->n; log++)
    diff_table_free (compared.tables[log]);
  g_free (compared.tables);
  g_free (items);
}

/* ---- All -------------------------------------------------------------- */

/* Figures or tables of the last report, in its order.  */
static void
compare_items (const struct diff_logs *logs,
               const struct diff_options *options, enum dg_report_kind kind,
               struct figures *figures)
{
  const struct dg_report *last = logs->reports[logs->n - 1];
  GString *path = g_string_new (NULL);
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  const struct dg_report_item *item;
  enum diff_role roles[64];

  for (size_t i = 0; (item = dg_report_at (last, i)) != NULL; i++) {
    if (item->kind == DG_ITEM_BEGIN) {
      g_array_append_val (lengths, path->len);
      g_string_append_printf (path, "%s/", item->key != NULL ? item->key : "");
      if (kind == DG_ITEM_TABLE)
        dg_report_begin (figures->out, item->key, NULL);
    } else if (item->kind == DG_ITEM_END) {
      g_string_truncate (path,
                         g_array_index (lengths, gsize, lengths->len - 1));
      g_array_set_size (lengths, lengths->len - 1);
      if (kind == DG_ITEM_TABLE)
        dg_report_end (figures->out);
    } else if (kind == DG_ITEM_VALUE && item->kind == kind
               && item->key != NULL && is_measure (item->columns[0].unit)) {
      compare_figure (logs, options, path->str, item, figures);
    } else if (kind == DG_ITEM_TABLE && item->kind == kind
               && item->key != NULL && diff_table_roles (item, roles)) {
      compare_table (logs, options, path->str, item, figures);
    }
  }
  g_array_unref (lengths);
  g_string_free (path, TRUE);
}

void
diff_report (const struct diff_logs *logs, const struct diff_options *options,
             struct dg_report *out)
{
  struct figures figures = {
    .out = out, .unchanged = g_string_new (NULL),
    .all = g_array_new (FALSE, FALSE, sizeof (struct figure))};

  g_array_set_clear_func (figures.all, clear_figure);
  compare_items (logs, options, DG_ITEM_VALUE, &figures);
  put_figures (&figures, "figures", false);
  put_figures (&figures, "ratios", true);
  show_figures (&figures);
  dg_report_begin (out, "tables", NULL);
  compare_items (logs, options, DG_ITEM_TABLE, &figures);
  dg_report_end (out);
  if (figures.unchanged->len > 0)
    dg_report_note (out, "No row changed: %s.", figures.unchanged->str);
  g_string_free (figures.unchanged, TRUE);
  g_array_unref (figures.all);
}

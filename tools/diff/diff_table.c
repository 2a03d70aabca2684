/* diff_table.c: a table of a report as rows that can be found in another run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_table.h"

#include <inttypes.h>
#include <string.h>

/* ---- Columns ---------------------------------------------------------- */

/* The roles of texts and plain numbers, by their keys, which mean the same in
   all analyses (docs/json.md).  */
static const struct {
  const char *key;
  enum diff_role role;
} known[] = {
  {"name", DIFF_NAME},      {"function", DIFF_NAME}, {"file", DIFF_NAME},
  {"line", DIFF_LINE},      {"module", DIFF_NAME},   {"variable", DIFF_NAME},
  {"site", DIFF_NAME},      {"thread", DIFF_NAME},   {"access", DIFF_NAME},
  {"structure", DIFF_NAME}, {"offset", DIFF_NAME},   {"field", DIFF_NAME},
  {"hint", DIFF_NAME},      {"caller", DIFF_NAME},   {"callee", DIFF_NAME},
  {"kind", DIFF_NAME},      {"stack", DIFF_NAME},    {"pattern", DIFF_STATE},
  {"type", DIFF_STATE},     {"holds", DIFF_STATE},   {"of", DIFF_STATE},
  {"text", DIFF_STATE},     {"column", DIFF_IGNORED},
};

static enum diff_role
role_of (const struct dg_column *column)
{
  const char *key = column->key != NULL ? column->key : "";

  if ((column->flags & (DG_COLUMN_TEXT_ONLY | DG_COLUMN_BAR)) != 0)
    return DIFF_IGNORED;
  if (column->unit == DG_UNIT_NUMBER && strcmp (key, "size") == 0)
    return DIFF_NAME;
  if (column->unit == DG_UNIT_TEXT || column->unit == DG_UNIT_NUMBER)
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
      if (strcmp (key, known[i].key) == 0)
        return known[i].role;
  switch (column->unit) {
  case DG_UNIT_COUNT:
  case DG_UNIT_BYTES:
  case DG_UNIT_NUMBER:
  case DG_UNIT_NS:
  case DG_UNIT_REAL:
  case DG_UNIT_PERCENT:
    return DIFF_MEASURE;
  default:
    return DIFF_IGNORED;
  }
}

/* Without a name, a word, or the first number, is what rows differ in.  */
static bool
find_name (const struct dg_report_item *item, enum diff_role *roles)
{
  static const enum diff_role next[] = {DIFF_NAME, DIFF_STATE, DIFF_MEASURE};

  for (unsigned k = 0; k < G_N_ELEMENTS (next); k++)
    for (size_t i = 0; i < item->n_columns; i++)
      if (roles[i] == next[k]) {
        roles[i] = DIFF_NAME;
        return true;
      }
  return false;
}

bool
diff_table_roles (const struct dg_report_item *item, enum diff_role *roles)
{
  bool has_measure = false;

  /* What a log lacks is not a result.  */
  if (g_strcmp0 (item->key, "partial") == 0)
    return false;
  for (size_t i = 0; i < item->n_columns; i++) {
    const char *key = item->columns[i].key;

    /* Intervals of two runs are not about the same.  */
    if (key != NULL && strcmp (key, "end_icount") == 0)
      return false;
    roles[i] = role_of (&item->columns[i]);
  }
  if (item->kind != DG_ITEM_TABLE || !find_name (item, roles))
    return false;
  for (size_t i = 0; i < item->n_columns; i++)
    has_measure |= roles[i] == DIFF_MEASURE || roles[i] == DIFF_STATE;
  return has_measure;
}

/* What people read of a row: "name", or what is last in the line.  */
static size_t
find_label (const struct dg_report_item *item, const enum diff_role *roles)
{
  size_t label = item->n_columns;

  for (size_t i = 0; i < item->n_columns; i++) {
    if (roles[i] != DIFF_NAME)
      continue;
    if (item->columns[i].key != NULL
        && strcmp (item->columns[i].key, "name") == 0)
      return i;
    if (label == item->n_columns
        || (item->columns[i].flags & DG_COLUMN_LAST) != 0)
      label = i;
  }
  return label;
}

/* What tables are about that begin with something else.  */
static bool
is_preferred (const struct dg_column *column)
{
  static const char *const keys[] = {"D1mr", "l1_misses", "read_misses",
                                     "far"};

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_strcmp0 (column->key, keys[i]) == 0)
      return true;
  return false;
}

/* Otherwise the first measure that adds up; shares do not.  */
static size_t
find_primary (const struct dg_report_item *item, const enum diff_role *roles)
{
  size_t first = item->n_columns;

  for (size_t i = 0; i < item->n_columns; i++)
    if (roles[i] == DIFF_MEASURE && is_preferred (&item->columns[i]))
      return i;
  for (size_t i = 0; i < item->n_columns; i++) {
    if (roles[i] != DIFF_MEASURE)
      continue;
    if (!dg_unit_is_real (item->columns[i].unit))
      return i;
    first = MIN (first, i);
  }
  return first;
}

/* ---- Names ------------------------------------------------------------ */

/* Appends a text without the numbers of lines in it: "list (mix.c:57)" is
   "list (mix.c:)".  */
static void
append_without_lines (GString *out, const char *text)
{
  for (; *text != '\0'; text++) {
    g_string_append_c (out, *text);
    if (*text == ':' && text[1] >= '0' && text[1] <= '9')
      text += strspn (text + 1, "0123456789");
  }
}

/* Appends a text without what a compiler puts behind the names of parts of
   functions, nor "(file:)" at its end.  */
static void
append_stem (GString *out, const char *text)
{
  static const char *const suffixes[] = {".isra.", ".part.", ".constprop.",
                                         ".cold", ".lto_priv."};
  const char *end = text + strlen (text), *found = strrchr (text, '(');

  if (found != NULL && found > text && end[-1] == ')' && end[-2] == ':')
    end = found;
  for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    found = strstr (text, suffixes[i]);
    if (found != NULL && found < end)
      end = found;
  }
  g_string_append_len (out, text, end - text);
}

static bool
has_key (const struct dg_column *column, const char *key)
{
  return column->key != NULL && strcmp (column->key, key) == 0;
}

/* Whether functions are in a column of their own, so that the text for people
   need not be looked at.  */
static bool
has_function (const struct dg_report_item *item, const enum diff_role *roles)
{
  for (size_t i = 0; i < item->n_columns; i++)
    if (roles[i] == DIFF_NAME && has_key (&item->columns[i], "function"))
      return true;
  return false;
}

/* Appends the name of a cell to all names, and to the few.  */
static void
append_name (const struct dg_column *column, const struct dg_cell *cell,
             GString *names, GString *few)
{
  bool is_path = has_key (column, "file") || has_key (column, "module");
  const char *text = cell->is_empty || cell->text == NULL ? "" : cell->text;
  GString *plain;

  if (column->unit != DG_UNIT_TEXT) {
    if (!cell->is_empty) {
      g_string_append_printf (names, "%" PRIu64, cell->number);
      g_string_append_printf (few, "%" PRIu64, cell->number);
    }
  } else if (is_path) {
    const char *slash = strrchr (text, '/');

    g_string_append (names, slash != NULL ? slash + 1 : text);
  } else {
    plain = g_string_new (NULL);
    append_without_lines (plain, text);
    g_string_append (names, plain->str);
    append_stem (few, plain->str);
    g_string_free (plain, TRUE);
  }
  g_string_append_c (names, '\n');
  g_string_append_c (few, '\n');
}

/* A line that is told only in the text for people.  */
static uint64_t
line_in_text (const char *text)
{
  const char *colon = text != NULL ? strrchr (text, ':') : NULL;

  return colon != NULL && colon[1] >= '0' && colon[1] <= '9'
           ? g_ascii_strtoull (colon + 1, NULL, 10)
           : 0;
}

/* ---- Rows ------------------------------------------------------------- */

static void
add_row (struct diff_table *table, uint64_t row, bool names_functions,
         GString *names, GString *few)
{
  const struct dg_report_item *item = table->item;
  struct diff_row new = {.row = row};
  struct dg_cell cells[64];

  dg_report_row (item, row, cells);
  g_string_truncate (names, 0);
  g_string_truncate (few, 0);
  for (size_t i = 0; i < item->n_columns; i++) {
    if (table->roles[i] == DIFF_LINE)
      new.line = cells[i].is_empty ? 0 : cells[i].number;
    else if (table->roles[i] == DIFF_NAME
             && !(names_functions && has_key (&item->columns[i], "name")))
      append_name (&item->columns[i], &cells[i], names, few);
  }
  if (new.line == 0 && item->columns[table->label].unit == DG_UNIT_TEXT
      && !cells[table->label].is_empty)
    new.line = line_in_text (cells[table->label].text);
  new.names = g_string_chunk_insert_const (table->texts, names->str);
  new.few_names = g_string_chunk_insert_const (table->texts, few->str);
  g_array_append_val (table->rows, new);
}

struct diff_table *
diff_table_new (const struct dg_report_item *item)
{
  struct diff_table *table = g_new0 (struct diff_table, 1);
  GString *names = g_string_new (NULL), *few = g_string_new (NULL);
  bool names_functions;

  table->item = item;
  diff_table_roles (item, table->roles);
  table->label = find_label (item, table->roles);
  table->primary = find_primary (item, table->roles);
  table->rows = g_array_new (FALSE, FALSE, sizeof (struct diff_row));
  table->texts = g_string_chunk_new (4096);
  names_functions = has_function (item, table->roles);
  for (uint64_t row = 0; row < item->n_rows; row++)
    add_row (table, row, names_functions, names, few);
  g_string_free (names, TRUE);
  g_string_free (few, TRUE);
  return table;
}

void
diff_table_free (struct diff_table *table)
{
  if (table == NULL)
    return;
  g_array_unref (table->rows);
  g_string_chunk_free (table->texts);
  g_free (table);
}

static double
size_of (enum dg_unit unit, const struct dg_cell *cell)
{
  if (cell->is_empty)
    return 0;
  return dg_unit_is_real (unit) ? cell->real : (double) cell->number;
}

double
diff_table_similarity (const struct diff_table *a, const struct diff_row *x,
                       const struct diff_table *b, const struct diff_row *y)
{
  const struct dg_report_item *item = a->item;
  struct dg_cell left[64], right[64];
  double sum = 0;
  unsigned n = 0;

  dg_report_row (item, x->row, left);
  dg_report_row (b->item, y->row, right);
  for (size_t i = 0; i < item->n_columns; i++) {
    double l, r;

    if (a->roles[i] != DIFF_MEASURE)
      continue;
    l = size_of (item->columns[i].unit, &left[i]);
    r = size_of (item->columns[i].unit, &right[i]);
    n++;
    /* Not 0 / 0.  */
    if (l == r)
      sum += 1;
    else if (l > 0 && r > 0)
      sum += MIN (l, r) / MAX (l, r);
  }
  return n > 0 ? sum / n : 1;
}

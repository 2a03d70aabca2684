/* diff_table.c: a table of a report as rows that can be found in another run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_table.h"

#include "diff_value.h"

#include <inttypes.h>
#include <stdlib.h>
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
  {"writer", DIFF_NAME},    {"sufferer", DIFF_NAME}, {"pattern", DIFF_STATE},
  {"type", DIFF_STATE},     {"holds", DIFF_STATE},   {"of", DIFF_STATE},
  {"text", DIFF_STATE},     {"verdict", DIFF_STATE}, {"advice", DIFF_STATE},
  {"column", DIFF_IGNORED},
};

static bool
has_key (const struct dg_column *column, const char *key)
{
  return g_strcmp0 (column->key, key) == 0;
}

static bool
has_column (const struct dg_report_item *item, const char *key)
{
  for (size_t i = 0; i < item->n_columns; i++)
    if (has_key (&item->columns[i], key))
      return true;
  return false;
}

/* Sentences of a finding have its figures in them.  */
static bool
is_told (const struct dg_column *column)
{
  return has_key (column, "title") || has_key (column, "text")
         || has_key (column, "action");
}

/* Other texts are names; other numbers are measures, but for moments.  */
static enum diff_role
role_of (const struct dg_column *column)
{
  const char *key = column->key;

  if (key == NULL || key[0] == '\0'
      || (column->flags & (DG_COLUMN_TEXT_ONLY | DG_COLUMN_BAR)) != 0
      || g_str_has_suffix (key, "icount") || diff_value_is_of_sampling (key))
    return DIFF_IGNORED;
  if (column->unit == DG_UNIT_NUMBER && has_key (column, "size"))
    return DIFF_NAME;
  if (column->unit == DG_UNIT_TEXT || column->unit == DG_UNIT_NUMBER)
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
      if (strcmp (key, known[i].key) == 0)
        return known[i].role;
  if (column->unit == DG_UNIT_TEXT)
    return DIFF_NAME;
  return diff_value_is_measure (column->unit) ? DIFF_MEASURE : DIFF_IGNORED;
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
  bool has_measure = false, is_finding = has_column (item, "rule");

  /* What a log lacks is not a result.  */
  if (g_strcmp0 (item->key, "partial") == 0)
    return false;
  for (size_t i = 0; i < item->n_columns; i++) {
    /* Intervals of two runs are not about the same.  */
    if (has_key (&item->columns[i], "end_icount"))
      return false;
    roles[i] = role_of (&item->columns[i]);
    if (is_finding && is_told (&item->columns[i]))
      roles[i] = DIFF_TOLD;
  }
  if (item->kind != DG_ITEM_TABLE || !find_name (item, roles))
    return false;
  for (size_t i = 0; i < item->n_columns; i++)
    has_measure |= roles[i] == DIFF_MEASURE || roles[i] == DIFF_STATE;
  return has_measure;
}

bool
diff_table_is_first (const struct dg_report_item *item)
{
  return has_column (item, "estimated_false")
         || g_strcmp0 (item->key, "contents") == 0;
}

bool
diff_table_is_chance (const struct dg_report_item *item, size_t column)
{
  return has_column (item, "estimated_false")
         && (has_key (&item->columns[column], "transfers")
             || has_key (&item->columns[column], "false_transfers"));
}

/* What people read of a row: "name", or the text that stands last in the line;
   else a name that they see, or any.  */
static size_t
find_label (const struct dg_report_item *item, const enum diff_role *roles)
{
  size_t label = item->n_columns;
  unsigned best = 0;

  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];
    bool is_seen =
      (column->flags & (DG_COLUMN_JSON_ONLY | DG_COLUMN_BAR)) == 0;
    unsigned worth = 0;

    if (has_key (column, "name") && roles[i] == DIFF_NAME)
      worth = 4;
    else if ((column->flags & DG_COLUMN_LAST) != 0 && is_seen
             && column->unit == DG_UNIT_TEXT)
      worth = 3;
    else if (roles[i] == DIFF_NAME)
      worth = is_seen ? 2 : 1;
    if (worth > best) {
      best = worth;
      label = i;
    }
  }
  return label;
}

/* What tables are about that begin with something else.  */
static bool
is_preferred (const struct dg_column *column)
{
  static const char *const keys[] = {"D1mr", "l1_misses", "read_misses", "far",
                                     "misses"};

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    if (has_key (column, keys[i]))
      return true;
  return false;
}

/* Cycles are what all else of a table is for.  */
static bool
is_cycles (const struct dg_column *column)
{
  return has_key (column, "cycles");
}

static size_t
find_measure (const struct dg_report_item *item, const enum diff_role *roles,
              bool (*is_wanted) (const struct dg_column *column))
{
  size_t i = 0;

  while (i < item->n_columns
         && !(roles[i] == DIFF_MEASURE && is_wanted (&item->columns[i])))
    i++;
  return i;
}

/* Otherwise the first measure that adds up; shares do not.  */
static size_t
find_primary (const struct dg_report_item *item, const enum diff_role *roles)
{
  size_t first = find_measure (item, roles, is_cycles);

  if (first == item->n_columns)
    first = find_measure (item, roles, is_preferred);
  if (first < item->n_columns)
    return first;
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

/* The column of names with this key; n_columns: there is none.  */
static size_t
find_names (const struct dg_report_item *item, const enum diff_role *roles,
            const char *key)
{
  size_t i = 0;

  while (i < item->n_columns
         && !(roles[i] == DIFF_NAME && has_key (&item->columns[i], key)))
    i++;
  return i;
}

/* Appends the text of a cell to its names.  Functions may be called as the
   program is.  */
static void
append_text (const struct diff_table *table, const struct dg_column *column,
             const char *text, GString *const names[DIFF_WHOLE_NAMES])
{
  bool is_module = has_key (column, "module");
  bool is_path = is_module || has_key (column, "file");
  const char *slash = is_path ? strrchr (text, '/') : NULL;
  const char *program = has_key (column, "function") ? NULL : table->program;

  for (int k = 0; k < DIFF_WHOLE_NAMES - is_path; k++) {
    char *name = dg_align_name (slash != NULL ? slash + 1 : text, k, program,
                                is_module || has_key (column, "name"));

    g_string_append (names[k], name);
    free (name);
  }
}

static void
append_name (const struct diff_table *table, const struct dg_column *column,
             const struct dg_cell *cell,
             GString *const names[DIFF_WHOLE_NAMES])
{
  if (column->unit == DG_UNIT_TEXT)
    append_text (table, column,
                 cell->is_empty || cell->text == NULL ? "" : cell->text,
                 names);
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++) {
    if (column->unit != DG_UNIT_TEXT && !cell->is_empty)
      g_string_append_printf (names[k], "%" PRIu64, cell->number);
    g_string_append_c (names[k], '\n');
  }
}

/* A line that is only in the text for people.  */
static uint64_t
line_in_text (const char *text)
{
  const char *colon = text != NULL ? strrchr (text, ':') : NULL;

  return colon != NULL && colon[1] >= '0' && colon[1] <= '9'
           ? g_ascii_strtoull (colon + 1, NULL, 10)
           : 0;
}

/* ---- Rows ------------------------------------------------------------- */

/* Is this column a part of the names of a row?  What is in the text for people
   is in other columns as well, but for what has no function, and for
   threads.  */
static bool
is_named (const struct diff_table *table, size_t i,
          const struct dg_cell *cells)
{
  size_t n = table->item->n_columns;

  if (table->roles[i] != DIFF_NAME)
    return false;
  if (i == table->name)
    return table->function == n || cells[table->function].is_empty;
  return i != table->thread || table->name == n;
}

static void
add_measures (struct diff_table *table, const struct dg_cell *cells)
{
  for (size_t i = 0; i < table->item->n_columns; i++) {
    double size = 0;

    if (table->roles[i] != DIFF_MEASURE)
      continue;
    if (!cells[i].is_empty)
      size = dg_unit_is_real (table->item->columns[i].unit)
               ? cells[i].real
               : (double) cells[i].number;
    g_array_append_val (table->measures, size);
  }
}

/* The rule and one more name of a finding; empty without.  */
static void
keep_two (struct diff_table *table, const struct dg_cell *cells, size_t other,
          const char **kept)
{
  const size_t both[] = {table->rule, other};
  size_t n = table->item->n_columns;
  GString *names[DIFF_WHOLE_NAMES];

  *kept = "";
  if (table->rule == n || other == n || cells[other].is_empty)
    return;
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++)
    names[k] = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (both); i++)
    append_name (table, &table->item->columns[both[i]], &cells[both[i]],
                 names);
  *kept = g_string_chunk_insert_const (table->texts,
                                       names[DG_ALIGN_FEW_NAMES]->str);
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++)
    g_string_free (names[k], TRUE);
}

/* Of a row that was read.  Where programs have one name, nothing is found by
   DG_ALIGN_ANY_PROGRAM that is not found by all names.  */
static void
keep_names (struct diff_table *table, GString *const names[DIFF_WHOLE_NAMES],
            struct diff_row *row)
{
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++) {
    const char *text = names[k]->str;

    if ((k == DG_ALIGN_FEW_NAMES && strspn (text, "\n") == names[k]->len)
        || (k == DG_ALIGN_ANY_PROGRAM && table->program == NULL))
      text = "";
    row->names[k] = g_string_chunk_insert_const (table->texts, text);
  }
}

static void
add_row (struct diff_table *table, uint64_t row,
         GString *const names[DIFF_WHOLE_NAMES])
{
  const struct dg_report_item *item = table->item;
  struct diff_row new = {.order = row};
  struct dg_cell cells[64];
  const struct dg_cell *label = &cells[table->label];

  dg_report_row (item, row, cells);
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++)
    g_string_truncate (names[k], 0);
  for (size_t i = item->n_columns; i-- > 0;) {
    if (table->roles[i] == DIFF_LINE)
      new.line = cells[i].is_empty ? 0 : cells[i].number;
    else if (is_named (table, i, cells))
      append_name (table, &item->columns[i], &cells[i], names);
    if (item->columns[i].unit == DG_UNIT_ADDRESS && !cells[i].is_empty)
      new.order = cells[i].number;
  }
  if (new.line == 0 && table->label < item->n_columns
      && item->columns[table->label].unit == DG_UNIT_TEXT && !label->is_empty)
    new.line = line_in_text (label->text);
  keep_names (table, names, &new);
  keep_two (table, cells, table->memory, &new.names[DIFF_RULE_AND_MEMORY]);
  keep_two (table, cells, table->function,
            &new.names[DIFF_RULE_AND_FUNCTION]);
  g_array_append_val (table->rows, new);
  add_measures (table, cells);
}

struct diff_table *
diff_table_new (const struct dg_report_item *item, const char *program)
{
  struct diff_table *table = g_new0 (struct diff_table, 1);
  GString *names[DIFF_WHOLE_NAMES];

  table->item = item;
  table->program = program;
  diff_table_roles (item, table->roles);
  table->label = find_label (item, table->roles);
  table->primary = find_primary (item, table->roles);
  table->name = find_names (item, table->roles, "name");
  table->function = find_names (item, table->roles, "function");
  table->thread = find_names (item, table->roles, "thread");
  table->rule = find_names (item, table->roles, "rule");
  table->memory = find_names (item, table->roles, "memory");
  for (size_t i = 0; i < item->n_columns; i++)
    table->n_measures += table->roles[i] == DIFF_MEASURE;
  table->rows = g_array_new (FALSE, FALSE, sizeof (struct diff_row));
  table->measures = g_array_new (FALSE, FALSE, sizeof (double));
  table->texts = g_string_chunk_new (4096);
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++)
    names[k] = g_string_new (NULL);
  for (uint64_t row = 0; row < item->n_rows; row++)
    add_row (table, row, names);
  for (unsigned k = 0; k < DIFF_WHOLE_NAMES; k++)
    g_string_free (names[k], TRUE);
  return table;
}

void
diff_table_free (struct diff_table *table)
{
  if (table == NULL)
    return;
  g_array_unref (table->rows);
  g_array_unref (table->measures);
  g_string_chunk_free (table->texts);
  g_free (table);
}

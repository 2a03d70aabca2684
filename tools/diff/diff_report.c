/* diff_report.c: what changed between reports of logs, as a report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_report.h"

#include <string.h>

/* ---- Columns ---------------------------------------------------------- */

/* A column of the result, and what is in it.  */
enum what { BEFORE, AFTER, CHANGE, RELATIVE, NAME, WORDS, STATUS };

struct made {
  struct dg_column columns[64];
  enum what what[64];
  size_t from[64];         /* column of the table */
  size_t n;
  GPtrArray *texts;
};

/* key: becomes that of the columns.  */
static void
add_column (struct made *made, enum what what, size_t from, char *key,
            const char *title, enum dg_unit unit, unsigned flags)
{
  g_ptr_array_add (made->texts, key);
  if (made->n == G_N_ELEMENTS (made->columns))
    return;
  made->columns[made->n] =
    (struct dg_column) {key, title != NULL ? title : "", unit, flags};
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

/* The name that people read stands last, and may be in no other form; the
   names that they saw before are seen here, too.  */
static void
add_names (struct made *made, const struct diff_rows *rows)
{
  const struct dg_report_item *item = rows->item;
  const unsigned kept = DG_COLUMN_JSON_ONLY | DG_COLUMN_TEXT_ONLY;

  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];
    enum diff_role role = rows->like->roles[i];
    bool is_label = i == rows->like->label;

    if (role == DIFF_STATE)
      add_column (made, WORDS, i, g_strdup (column->key), column->title,
                  DG_UNIT_TEXT, column->flags & DG_COLUMN_JSON_ONLY);
    else if (role == DIFF_NAME || role == DIFF_LINE || role == DIFF_TOLD
             || is_label)
      add_column (made, NAME, i, g_strdup (column->key), column->title,
                  column->unit,
                  is_label ? DG_COLUMN_LAST
                               | (column->flags & DG_COLUMN_TEXT_ONLY)
                           : column->flags & kept);
  }
}

static void
make_columns (const struct diff_rows *rows, struct made *made)
{
  const struct dg_report_item *item = rows->item;
  size_t primary = rows->like->primary;

  /* First what a row cannot be without; if there are too many columns, some
     measures are left out.  */
  if (primary < item->n_columns)
    add_measure (made, item, primary, true);
  add_column (made, STATUS, 0, g_strdup ("status"), "", DG_UNIT_TEXT, 0);
  add_names (made, rows);
  for (size_t i = 0; i < item->n_columns; i++)
    if (rows->like->roles[i] == DIFF_MEASURE && i != primary)
      add_measure (made, item, i, false);
}

/* ---- Rows ------------------------------------------------------------- */

/* "strided", or "sequential > strided"; to be freed.  */
static char *
words_of (const struct diff_rows *rows, guint group, size_t column)
{
  const char *before, *after;
  bool differ = diff_rows_words (rows, group, column, &before, &after);

  if (before == NULL || after == NULL || !differ)
    return g_strdup (after != NULL ? after : before);
  return g_strdup_printf ("%s > %s", before, after);
}

static struct dg_cell
status_of (const struct diff_rows *rows, guint group)
{
  if (!diff_rows_has (rows, group, false))
    return DG_CELL_TEXT ("new");
  if (!diff_rows_has (rows, group, true))
    return DG_CELL_TEXT ("gone");
  return DG_CELL_EMPTY;
}

static struct dg_cell
measure_of (struct diff_rows *rows, guint group, enum what what, size_t column)
{
  enum dg_unit unit = rows->item->columns[column].unit;
  struct diff_value value = diff_rows_value (rows, group, column);

  switch (what) {
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
put_row (struct diff_rows *rows, guint group, const struct made *made,
         struct dg_rows *out)
{
  struct dg_cell cells[64];
  char *texts[64] = {NULL};

  diff_rows_read (rows, group);
  for (size_t k = 0; k < made->n; k++)
    switch (made->what[k]) {
    case STATUS:
      cells[k] = status_of (rows, group);
      break;
    case NAME:
      cells[k] = *diff_rows_cell (rows, group, made->from[k]);
      break;
    case WORDS:
      texts[k] = words_of (rows, group, made->from[k]);
      cells[k] = texts[k] != NULL ? DG_CELL_TEXT (texts[k]) : DG_CELL_EMPTY;
      break;
    default:
      cells[k] = measure_of (rows, group, made->what[k], made->from[k]);
    }
  dg_rows_add (out, cells);
  for (size_t k = 0; k < made->n; k++)
    g_free (texts[k]);
}

/* ---- Tables ----------------------------------------------------------- */

static void
put_note (struct dg_report *out, const char *table, uint64_t n,
          const char *what)
{
  char text[DG_NUMBER_TEXT];

  if (n == 0)
    return;
  dg_number_text (text, sizeof text, n);
  dg_report_note (out, "%s: %s %s %s", table, text, n == 1 ? "row" : "rows",
                  what);
}

/* Those that are not shown.  */
static void
put_counts (const struct diff_rows *rows, struct dg_report *out)
{
  const char *title = rows->item->title;
  char *key = g_strdup_printf ("%s_not_shown", rows->item->key);

  dg_report_begin (out, key, NULL);
  dg_report_count (out, "same", NULL, rows->same);
  dg_report_count (out, "small", NULL, rows->small);
  dg_report_count (out, "noise", NULL, rows->noise);
  dg_report_end (out);
  g_free (key);
  if (title == NULL)
    return;
  put_note (out, title, rows->small, "changed by less than --min.");
  put_note (out, title, rows->noise,
            "changed by no more than logs of one side differ.");
}

/* "counts, by function: changes": whose table it is, if several analyses have
   tables.  */
static char *
title_of (const struct diff_item *item)
{
  char *of = g_strdelimit (g_strdup (item->path), "/", ' ');
  char *title = item->like->title == NULL ? NULL
                : of[0] == '\0'
                  ? g_strdup_printf ("%s: changes", item->like->title)
                  : g_strdup_printf ("%s: %s: changes", g_strchomp (of),
                                     item->like->title);

  g_free (of);
  return title;
}

void
diff_report_rows (struct diff_rows *rows, const char *key, const char *title,
                  struct dg_report *out)
{
  struct made made = {.texts = g_ptr_array_new_with_free_func (g_free)};
  struct dg_rows *table;

  make_columns (rows, &made);
  table = dg_report_table (out, key, title, made.columns, made.n);
  for (guint i = 0; i < rows->changed->len; i++)
    put_row (rows, g_array_index (rows->changed, struct diff_changed, i).group,
             &made, table);
  put_counts (rows, out);
  g_ptr_array_unref (made.texts);
}

static void
put_table (struct diff_rows *rows, const struct diff_item *item,
           GString *unchanged, struct dg_report *out)
{
  char *title = rows->changed->len > 0 ? title_of (item) : NULL;

  diff_report_rows (rows, item->like->key, title, out);
  if (rows->changed->len == 0 && rows->small == 0 && rows->noise == 0
      && item->like->title != NULL)
    g_string_append_printf (unchanged, "%s%s",
                            unchanged->len > 0 ? "; " : "",
                            item->like->title);
  g_free (title);
}

/* Opens and closes groups, so that the path is that of the item.  */
static void
go_to (struct dg_report *out, char **at, const char *path)
{
  char **names;

  if (strcmp (*at, path) == 0)
    return;
  names = g_strsplit (*at, "/", -1);
  for (char **name = names; *name != NULL && **name != '\0'; name++)
    dg_report_end (out);
  g_strfreev (names);
  names = g_strsplit (path, "/", -1);
  for (char **name = names; *name != NULL && **name != '\0'; name++)
    dg_report_begin (out, *name, NULL);
  g_strfreev (names);
  g_free (*at);
  *at = g_strdup (path);
}

static gint
compare_items (gconstpointer a, gconstpointer b)
{
  const struct diff_item *x = *(struct diff_item *const *) a;
  const struct diff_item *y = *(struct diff_item *const *) b;
  int result = strcmp (x->path, y->path);

  return result != 0 ? result
                     : diff_table_is_first (y->like)
                         - diff_table_is_first (x->like);
}

static int
put_tables (const struct diff_logs *logs, const struct diff_options *options,
            GString *unchanged, struct dg_report *out, struct dg_error *err)
{
  GPtrArray *items = diff_items_new (logs, DG_ITEM_TABLE);
  enum diff_role roles[64];
  char *at = g_strdup ("");
  int code = 0;

  /* What only one log has comes last, but each group is one.  */
  g_ptr_array_sort (items, compare_items);
  for (guint i = 0; i < items->len && code >= 0; i++) {
    const struct diff_item *item = items->pdata[i];
    struct diff_rows rows;

    if (!diff_table_roles (item->like, roles))
      continue;
    go_to (out, &at, item->path);
    code = diff_rows_init (&rows, logs, options, item, err);
    if (code > 0) {
      put_table (&rows, item, unchanged, out);
      diff_rows_fini (&rows);
    } else if (code == 0 && item->like->title != NULL) {
      dg_report_note (out, "%s: not compared, as its columns are not the same"
                           " in all logs.", item->like->title);
    }
  }
  go_to (out, &at, "");
  g_free (at);
  g_ptr_array_unref (items);
  return MIN (code, 0);
}

int
diff_report (const struct diff_logs *logs, const struct diff_options *options,
             struct dg_report *out, struct dg_error *err)
{
  GString *unchanged = g_string_new (NULL);
  int code;

  diff_figures (logs, options, out);
  dg_report_begin (out, "tables", NULL);
  code = put_tables (logs, options, unchanged, out, err);
  dg_report_end (out);
  if (unchanged->len > 0)
    dg_report_note (out, "No row changed: %s.", unchanged->str);
  g_string_free (unchanged, TRUE);
  return code;
}

/* report_table.c: a table of a report for people: columns as wide as what is
   in them, with heads of several lines where their titles are longer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_table.h"

#include "dg_analysis.h"
#include "report_cells.h"
#include "report_sort.h"
#include "printable.h"

#include <string.h>

#define GAP 2
/* A text is not shortened to less.  */
#define TEXT_LEAST 20

struct column {
  const struct dg_column *column;
  size_t index;            /* of its cells */
  int width;
  int natural, least;      /* as wide as what is in it; as it must be */
  GPtrArray *head;         /* lines */
};

struct table {
  struct output *out;
  const struct dg_report_item *item;
  uint64_t n_rows;         /* shown */
  int limit;               /* of lines; 0: none */
  uint64_t *order;         /* rows; NULL: as they are */
  GString *left_out;       /* titles of columns */
  int indent;
  size_t n;                /* columns shown */
  size_t n_head;           /* lines of heads */
  struct column columns[64];
};

void
report_table_pad (struct output *out, int n)
{
  static const char spaces[] = "                                        ";
  const int most = (int) sizeof spaces - 1;

  for (; n > 0; n -= most)
    output_bytes (out, spaces, (size_t) MIN (n, most));
}

/* ---- Columns ---------------------------------------------------------- */

/* Those that people see, the long names last.  */
static void
choose_columns (struct table *table)
{
  const struct dg_report_item *item = table->item;

  for (unsigned last = 0; last < 2; last++)
    for (size_t i = 0; i < item->n_columns; i++) {
      unsigned flags = item->columns[i].flags;

      if ((flags & DG_COLUMN_JSON_ONLY) != 0
          || ((flags & DG_COLUMN_LAST) != 0) != (last != 0))
        continue;
      table->columns[table->n++] =
        (struct column){.column = &item->columns[i], .index = i};
    }
}

static void
read_row (const struct table *table, uint64_t row, struct dg_cell *cells)
{
  dg_report_row (table->item,
                 table->order != NULL ? table->order[row] : row, cells);
}

/* As wide as what is in it.  The last one needs no width if it begins on the
   left.  */
static void
measure_rows (struct table *table)
{
  struct dg_cell cells[64];

  for (uint64_t row = 0; row < table->n_rows; row++) {
    read_row (table, row, cells);
    for (size_t i = 0; i < table->n; i++) {
      struct column *column = &table->columns[i];
      char *text =
        report_cell_text (column->column->unit, &cells[column->index]);

      column->width = MAX (column->width, printable_width (text));
      g_free (text);
    }
  }
}

/* The longest word of the title decides, too.  */
static void
measure_head (struct column *column)
{
  char *title = printable_text (column->column->title);
  char **words = g_strsplit (title, " ", -1);

  for (char **word = words; *word != NULL; word++)
    column->width = MAX (column->width, printable_width (*word));
  column->natural = column->least = column->width;
  if (column->column->unit == DG_UNIT_TEXT
      && (column->column->flags & DG_COLUMN_BAR) == 0)
    column->least = MIN (column->width, TEXT_LEAST);
  g_strfreev (words);
  g_free (title);
}

/* ---- Room ------------------------------------------------------------- */

static int
width_of (const struct table *table)
{
  int width = table->indent;

  for (size_t i = 0; i < table->n; i++)
    width += table->columns[i].width + (i > 0 ? GAP : 0);
  return width;
}

/* Texts, the longest ones first, as long as it is too wide.  */
static void
shorten (struct table *table, int width)
{
  for (size_t i = 0; i < table->n; i++)
    table->columns[i].width = table->columns[i].natural;
  while (width_of (table) > width) {
    struct column *longest = NULL;

    for (size_t i = 0; i < table->n; i++) {
      struct column *column = &table->columns[i];

      if (column->width > column->least
          && (longest == NULL || column->width >= longest->width))
        longest = column;
    }
    if (longest == NULL)
      return;
    longest->width--;
  }
}

/* The column to do without: a picture, or the rightmost that is not a name,
   but not the first.  n: none.  */
static size_t
find_least (const struct table *table)
{
  size_t found = table->n;

  for (size_t i = 1; i < table->n; i++) {
    unsigned flags = table->columns[i].column->flags;

    if ((flags & DG_COLUMN_BAR) != 0)
      return i;
    if ((flags & DG_COLUMN_LAST) == 0)
      found = i;
  }
  return found;
}

static void
leave_out (struct table *table, size_t index)
{
  const struct dg_column *column = table->columns[index].column;

  if ((column->flags & DG_COLUMN_BAR) == 0)
    g_string_append_printf (table->left_out, "%s%s",
                            table->left_out->len > 0 ? ", " : "",
                            column->title);
  table->n--;
  memmove (&table->columns[index], &table->columns[index + 1],
           (table->n - index) * sizeof table->columns[0]);
}

static void
fit (struct table *table, int width)
{
  size_t index;

  if (width == 0 || width_of (table) <= width)
    return;
  if (table->n > 1 && (index = find_least (table)) < table->n
      && (table->columns[index].column->flags & DG_COLUMN_BAR) != 0)
    leave_out (table, index);
  shorten (table, width);
  while (width_of (table) > width && (index = find_least (table)) < table->n) {
    leave_out (table, index);
    shorten (table, width);
  }
}

/* Puts the title into lines as wide as the column.  */
static void
break_head (struct column *column)
{
  char *title = printable_text (column->column->title);
  char **words = g_strsplit (title, " ", -1);
  GString *line = g_string_new (NULL);

  column->head = g_ptr_array_new_with_free_func (g_free);
  for (char **word = words; *word != NULL; word++) {
    if (line->len > 0
        && printable_width (line->str) + 1 + printable_width (*word)
             > column->width) {
      g_ptr_array_add (column->head, g_strdup (line->str));
      g_string_truncate (line, 0);
    }
    g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", *word);
  }
  g_ptr_array_add (column->head, g_string_free (line, FALSE));
  g_strfreev (words);
  g_free (title);
}

/* ---- Lines ------------------------------------------------------------ */

/* A cell or a part of a head in its column.  Blanks are put before what
   follows only: *owed says how many.  */
static void
write_field (struct table *table, size_t i, const char *whole,
             enum output_style style, int *owed)
{
  const struct column *column = &table->columns[i];
  char *text = printable_width (whole) > column->width
                 ? printable_shorten (whole, column->width)
                 : g_strdup (whole);
  int space = column->width - printable_width (text);
  bool is_right = report_column_is_right (column->column);

  *owed += (i > 0 ? GAP : table->indent) + (is_right ? space : 0);
  if (text[0] != '\0') {
    report_table_pad (table->out, *owed);
    if (style != OUTPUT_PLAIN)
      output_style (table->out, style);
    output_text (table->out, text);
    if (style != OUTPUT_PLAIN)
      output_style (table->out, OUTPUT_PLAIN);
    *owed = 0;
  }
  *owed += is_right ? 0 : space;
  g_free (text);
}

/* Titles stand at the bottom of the head.  */
static void
write_head (struct table *table)
{
  for (size_t line = 0; line < table->n_head; line++) {
    int owed = 0;

    for (size_t i = 0; i < table->n; i++) {
      const GPtrArray *head = table->columns[i].head;
      size_t above = table->n_head - head->len;

      write_field (table, i,
                   line >= above ? (char *) head->pdata[line - above] : "",
                   OUTPUT_HEAD, &owed);
    }
    output_text (table->out, "\n");
  }
}

static void
write_rows (struct table *table)
{
  struct dg_cell cells[64];

  for (uint64_t row = 0; row < table->n_rows && !output_failed (table->out);
       row++) {
    int owed = 0;

    read_row (table, row, cells);
    for (size_t i = 0; i < table->n; i++) {
      struct column *column = &table->columns[i];
      char *text =
        report_cell_text (column->column->unit, &cells[column->index]);

      write_field (table, i, text,
                   (column->column->flags & DG_COLUMN_BAR) != 0
                     ? OUTPUT_BAR : OUTPUT_PLAIN, &owed);
      g_free (text);
    }
    output_text (table->out, "\n");
  }
}

/* A text in lines that are no wider than the table may be.  */
static void
write_words (struct table *table, const char *text)
{
  char *safe = printable_text (text), **words = g_strsplit (safe, " ", -1);
  int at = table->indent;

  report_table_pad (table->out, table->indent);
  for (char **word = words; *word != NULL; word++) {
    int width = printable_width (*word);

    if (word > words && table->limit > 0 && at + 1 + width > table->limit) {
      output_text (table->out, "\n");
      report_table_pad (table->out, table->indent);
      at = table->indent;
    } else if (word > words) {
      output_text (table->out, " ");
      at++;
    }
    output_text (table->out, *word);
    at += width;
  }
  output_text (table->out, "\n");
  g_strfreev (words);
  g_free (safe);
}

static void
write_title (struct table *table)
{
  char *title = g_strdup_printf ("%s%s", table->item->title,
                                 table->item->n_rows == 0 ? ": none" : "");

  output_style (table->out, OUTPUT_TITLE);
  write_words (table, title);
  output_style (table->out, OUTPUT_PLAIN);
  g_free (title);
}

static void
write_rest (struct table *table)
{
  char *more;

  if (table->left_out->len > 0) {
    char *text = g_strdup_printf ("(--wide also shows: %s)",
                                  table->left_out->str);

    write_words (table, text);
    g_free (text);
  }
  if (table->n_rows == table->item->n_rows)
    return;
  more = printable_number (table->item->n_rows - table->n_rows);
  report_table_pad (table->out, table->indent);
  output_format (table->out, "... %s more (--top=0 shows all)\n", more);
  g_free (more);
}

void
report_table (struct output *out, const struct dg_report_item *item,
              const struct report_table_options *options, int indent)
{
  struct table table = {.out = out, .item = item, .indent = indent,
                        .limit = options->width};

  table.n_rows = options->top > 0 && !item->shows_all
                   ? MIN (options->top, item->n_rows)
                   : item->n_rows;
  write_title (&table);
  if (item->n_rows == 0)
    return;
  table.left_out = g_string_new (NULL);
  table.order = report_sort_rows (item, options->sort);
  choose_columns (&table);
  measure_rows (&table);
  for (size_t i = 0; i < table.n; i++)
    measure_head (&table.columns[i]);
  fit (&table, options->width);
  for (size_t i = 0; i < table.n; i++) {
    break_head (&table.columns[i]);
    table.n_head = MAX (table.n_head, table.columns[i].head->len);
  }
  write_head (&table);
  write_rows (&table);
  write_rest (&table);
  for (size_t i = 0; i < table.n; i++)
    g_ptr_array_unref (table.columns[i].head);
  g_string_free (table.left_out, TRUE);
  g_free (table.order);
}

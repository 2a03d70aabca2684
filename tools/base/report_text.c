/* report_text.c: a report for people: figures one per line, tables in
   columns, notes in paragraphs.  Tables are report_table.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_text.h"

#include "dg_analysis.h"
#include "report_cells.h"
#include "report_table.h"
#include "terminal.h"
#include "printable.h"

#include <string.h>

#define INDENT 2

struct writer {
  struct output *out;
  const struct dg_report *report;
  const struct report_text_options *options;
  unsigned indent;
  GArray *indents;         /* unsigned: those around the groups that are
                              open */
  bool is_begun;           /* something was written */
};

/* An empty line, but not at the beginning.  */
static void
write_gap (struct writer *writer)
{
  if (writer->is_begun)
    output_text (writer->out, "\n");
  writer->is_begun = true;
}

static void
write_indent (struct writer *writer)
{
  report_table_pad (writer->out, (int) writer->indent);
}

/* ---- Figures ---------------------------------------------------------- */

/* Is it for people?  */
static bool
is_shown (const struct dg_report_item *item)
{
  return item->title != NULL || item->kind == DG_ITEM_NOTE
         || item->kind == DG_ITEM_BEGIN || item->kind == DG_ITEM_END;
}

/* The figures that stand together, from item `first` on: where they end, how
   wide their titles are, and their numbers.  */
static size_t
measure_values (const struct writer *writer, size_t first, int *titles,
                int *numbers)
{
  const struct dg_report_item *item;
  size_t i = first;

  *titles = *numbers = 0;
  for (; (item = dg_report_at (writer->report, i)) != NULL
         && (item->kind == DG_ITEM_VALUE || !is_shown (item));
       i++) {
    struct dg_cell cell;
    char *title;

    if (!is_shown (item))
      continue;
    title = printable_text (item->title);
    *titles = MAX (*titles, printable_width (title));
    g_free (title);
    dg_report_row (item, 0, &cell);
    if (report_column_is_right (&item->columns[0])) {
      char *text = report_cell_text (item->columns[0].unit, &cell);

      *numbers = MAX (*numbers, printable_width (text));
      g_free (text);
    }
  }
  return i;
}

/* "± 3.1 %", if the next item is the error of item i, a scaled total of a
   sample; else NULL.  */
static char *
error_text (const struct dg_report *report, size_t i)
{
  const struct dg_report_item *item = dg_report_at (report, i);
  const struct dg_report_item *next = dg_report_at (report, i + 1);
  struct dg_cell cell;
  char *key, *percent, *text = NULL;

  if (item->key == NULL || next == NULL || next->kind != DG_ITEM_VALUE
      || next->title != NULL || next->key == NULL)
    return NULL;
  key = g_strconcat (item->key, "_error", NULL);
  dg_report_row (next, 0, &cell);
  if (strcmp (next->key, key) == 0 && !cell.is_empty) {
    percent = report_cell_text (DG_UNIT_PERCENT, &cell);
    text = g_strconcat ("\u00b1 ", percent, NULL);
    g_free (percent);
  }
  g_free (key);
  return text;
}

static void
write_value (struct writer *writer, size_t i, int titles, int numbers)
{
  const struct dg_report_item *item = dg_report_at (writer->report, i);
  enum dg_unit unit = item->columns[0].unit;
  char *title = printable_text (item->title), *text;
  char *error = error_text (writer->report, i);
  struct dg_cell cell;

  dg_report_row (item, 0, &cell);
  text = cell.is_empty ? g_strdup ("-") : report_cell_text (unit, &cell);
  write_indent (writer);
  output_text (writer->out, title);
  report_table_pad (writer->out, titles - printable_width (title) + INDENT);
  if (report_column_is_right (&item->columns[0]))
    report_table_pad (writer->out, numbers - printable_width (text));
  output_text (writer->out, text);
  if (error != NULL)
    output_format (writer->out, "  %s", error);
  output_text (writer->out, "\n");
  g_free (error);
  g_free (text);
  g_free (title);
}

static size_t
write_values (struct writer *writer, size_t first)
{
  int titles, numbers;
  size_t end = measure_values (writer, first, &titles, &numbers);

  write_gap (writer);
  for (size_t i = first; i < end; i++) {
    const struct dg_report_item *item = dg_report_at (writer->report, i);

    if (is_shown (item))
      write_value (writer, i, titles, numbers);
  }
  return end;
}

/* ---- Notes and texts -------------------------------------------------- */

/* A paragraph in lines of the width.  */
static void
write_paragraph (struct writer *writer, const char *text)
{
  unsigned at = writer->indent, blanks = 0;
  char **words = g_strsplit (text, " ", -1);

  write_indent (writer);
  for (char **word = words; *word != NULL; word++) {
    unsigned width = (unsigned) printable_width (*word);

    /* Between two blanks.  */
    if (width == 0) {
      blanks++;
      continue;
    }
    if (blanks > 0 && at + blanks + width > writer->options->width) {
      output_text (writer->out, "\n");
      write_indent (writer);
      at = writer->indent;
    } else {
      report_table_pad (writer->out, (int) blanks);
      at += blanks;
    }
    output_text (writer->out, *word);
    at += width;
    blanks = 1;
  }
  output_text (writer->out, "\n");
  g_strfreev (words);
}

static void
write_note (struct writer *writer, const struct dg_report_item *item)
{
  char **lines;

  if (item->text == NULL)
    return;
  lines = g_strsplit (item->text, "\n", -1);
  write_gap (writer);
  for (char **line = lines; *line != NULL; line++) {
    char *safe = printable_text (*line);
    bool is_caution = g_str_has_prefix (safe, "Caution: ");

    if (is_caution)
      output_style (writer->out, OUTPUT_CAUTION);
    write_paragraph (writer, safe);
    if (is_caution)
      output_style (writer->out, OUTPUT_PLAIN);
    g_free (safe);
  }
  g_strfreev (lines);
}

static void
write_title (struct writer *writer, const char *title)
{
  write_indent (writer);
  output_style (writer->out, OUTPUT_TITLE);
  output_name (writer->out, title);
  output_style (writer->out, OUTPUT_PLAIN);
  output_text (writer->out, "\n");
}

/* A text as it is: tabs stay.  */
static void
write_text (struct writer *writer, const struct dg_report_item *item)
{
  const char *at = item->text;

  write_gap (writer);
  write_title (writer, item->title);
  while (at != NULL && *at != '\0') {
    size_t n = strcspn (at, "\n\t");
    char *part = g_strndup (at, n), *safe = printable_text (part);

    output_text (writer->out, safe);
    g_free (safe);
    g_free (part);
    at += n;
    if (*at == '\0')
      output_text (writer->out, "\n");
    else
      output_bytes (writer->out, at++, 1);
  }
}

/* ---- The whole -------------------------------------------------------- */

static void
write_begin (struct writer *writer, const struct dg_report_item *item)
{
  g_array_append_val (writer->indents, writer->indent);
  if (item->title == NULL)
    return;
  write_gap (writer);
  if (writer->options->has_parts && writer->indents->len == 1) {
    char *safe = printable_text (item->title);
    int n = printable_width (safe);

    output_format (writer->out, "%s\n", safe);
    for (int i = 0; i < n; i++)
      output_text (writer->out, "=");
    output_text (writer->out, "\n");
    g_free (safe);
  } else {
    write_title (writer, item->title);
    writer->indent += INDENT;
    /* Its first lines stand right below.  */
    writer->is_begun = false;
  }
}

static void
write_end (struct writer *writer)
{
  GArray *indents = writer->indents;

  writer->indent = g_array_index (indents, unsigned, indents->len - 1);
  g_array_set_size (indents, indents->len - 1);
  writer->is_begun = true;
}

static size_t
write_item (struct writer *writer, size_t i)
{
  const struct dg_report_item *item = dg_report_at (writer->report, i);

  if (!is_shown (item))
    return i + 1;
  switch (item->kind) {
  case DG_ITEM_VALUE:
    return write_values (writer, i);
  case DG_ITEM_BEGIN:
    write_begin (writer, item);
    break;
  case DG_ITEM_END:
    write_end (writer);
    break;
  case DG_ITEM_TABLE:
    write_gap (writer);
    report_table (writer->out, item, &writer->options->table,
                  (int) writer->indent);
    break;
  case DG_ITEM_NOTE:
    write_note (writer, item);
    break;
  case DG_ITEM_TEXT:
    write_text (writer, item);
    break;
  }
  return i + 1;
}

struct report_text_options
report_text_options (const char *path, uint64_t top, const char *sort,
                     bool is_wide, unsigned width)
{
  unsigned terminal = path == NULL ? terminal_width () : 0;

  return (struct report_text_options){
    .table = {.top = top, .sort = sort, .width = is_wide ? 0 : (int) terminal},
    .width = terminal > 0 ? CLAMP (terminal, 40, 100) : width};
}

void
report_text (struct output *out, const struct dg_report *report,
             const struct report_text_options *options)
{
  struct writer writer = {
    .out = out, .report = report, .options = options, .is_begun = true};

  writer.indents = g_array_new (FALSE, FALSE, sizeof (unsigned));
  for (size_t i = 0; dg_report_at (report, i) != NULL
                     && !output_failed (out);)
    i = write_item (&writer, i);
  g_array_unref (writer.indents);
}

/* report_json.c: a report as JSON. It is written row by row, not built in
   memory first, and numbers of 64 bits are exact.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report_json.h"

#include "dg_analysis.h"
#include "json_text.h"
#include "report_sort.h"

#include <inttypes.h>
#include <string.h>

struct writer {
  struct output *out;
  const struct report_json_options *options;
  unsigned depth;          /* of braces */
  bool has_member;         /* the innermost object has one already */
  GByteArray *groups;      /* open groups: whether they have braces */
  size_t n_parts;          /* groups at the top, so far */
};

/* ---- Values ----------------------------------------------------------- */

static void
write_pairs (struct output *out, const struct dg_pair *pairs, size_t n)
{
  output_bytes (out, "[", 1);
  for (size_t i = 0; i < n; i++) {
    output_text (out, i > 0 ? ", [" : "[");
    output_decimal (out, pairs[i].key);
    output_bytes (out, ", ", 2);
    output_decimal (out, pairs[i].count);
    output_bytes (out, "]", 1);
  }
  output_bytes (out, "]", 1);
}

static void
write_list (struct output *out, const struct dg_pair *pairs, size_t n)
{
  output_bytes (out, "[", 1);
  for (size_t i = 0; i < n; i++) {
    output_text (out, i > 0 ? ", " : "");
    output_decimal (out, pairs[i].key);
  }
  output_bytes (out, "]", 1);
}

/* What people read for an unknown variable is not one; but a name is what they
   read.  */
static bool
is_unknown (const struct dg_column *column, const struct dg_cell *cell)
{
  return cell->is_empty
         || (column->unit == DG_UNIT_TEXT && strcmp (cell->text, "<NA>") == 0
             && strcmp (column->key, "name") != 0);
}

static void
write_cell (struct output *out, const struct dg_column *column,
            const struct dg_cell *cell)
{
  if (is_unknown (column, cell)) {
    output_text (out, "null");
    return;
  }
  switch (column->unit) {
  case DG_UNIT_ADDRESS:
    output_bytes (out, "\"", 1);
    output_hex (out, cell->number);
    output_bytes (out, "\"", 1);
    break;
  case DG_UNIT_REAL:
  case DG_UNIT_PERCENT:
  case DG_UNIT_CHANGE_REAL:
  case DG_UNIT_CHANGE_PERCENT:
    json_text_real (out, cell->real);
    break;
  case DG_UNIT_TEXT:
    json_text_string (out, cell->text);
    break;
  case DG_UNIT_PAIRS:
    write_pairs (out, cell->pairs, cell->n_pairs);
    break;
  case DG_UNIT_LIST:
    write_list (out, cell->pairs, cell->n_pairs);
    break;
  case DG_UNIT_BOOLEAN:
    output_text (out, cell->number != 0 ? "true" : "false");
    break;
  case DG_UNIT_STEP:
  case DG_UNIT_CHANGE:
  case DG_UNIT_CHANGE_BYTES:
    output_format (out, "%" PRId64, (int64_t) cell->number);
    break;
  default:
    output_decimal (out, cell->number);
  }
}

/* ---- Members ---------------------------------------------------------- */

static void
write_line (struct writer *writer)
{
  output_text (writer->out, "\n");
  for (unsigned i = 0; i < writer->depth; i++)
    output_text (writer->out, "  ");
}

/* `"key": ` on a line of its own.  */
static void
write_key (struct writer *writer, const char *key)
{
  if (writer->has_member)
    output_text (writer->out, ",");
  writer->has_member = true;
  write_line (writer);
  json_text_string (writer->out, key);
  output_text (writer->out, ": ");
}

static void
open_brace (struct writer *writer)
{
  output_text (writer->out, "{");
  writer->depth++;
  writer->has_member = false;
}

static void
close_brace (struct writer *writer)
{
  writer->depth--;
  if (writer->has_member)
    write_line (writer);
  output_text (writer->out, "}");
  writer->has_member = true;
}

static void
write_schema (struct writer *writer, const char *schema)
{
  write_key (writer, "schema");
  json_text_string (writer->out, schema);
}

static void
write_row (struct output *out, const struct dg_report_item *item, uint64_t row)
{
  struct dg_cell cells[64];
  bool is_first = true;

  dg_report_row (item, row, cells);
  output_text (out, "{");
  for (size_t i = 0; i < item->n_columns; i++) {
    const struct dg_column *column = &item->columns[i];

    if (column->flags & DG_COLUMN_TEXT_ONLY)
      continue;
    if (!is_first)
      output_text (out, ", ");
    is_first = false;
    json_text_string (out, column->key);
    output_text (out, ": ");
    write_cell (out, column, &cells[i]);
  }
  output_text (out, "}");
}

static void
write_table (struct writer *writer, const struct dg_report_item *item)
{
  uint64_t top = writer->options->top;
  uint64_t n = top > 0 && !item->shows_all ? MIN (top, item->n_rows)
                                          : item->n_rows;
  uint64_t *order = report_sort_rows (item, writer->options->sort);

  output_text (writer->out, "[");
  writer->depth++;
  for (uint64_t row = 0; row < n && !output_failed (writer->out); row++) {
    if (row > 0)
      output_text (writer->out, ",");
    write_line (writer);
    write_row (writer->out, item, order != NULL ? order[row] : row);
  }
  g_free (order);
  writer->depth--;
  if (n > 0)
    write_line (writer);
  output_text (writer->out, "]");
}

static void
write_group (struct writer *writer, const struct dg_report_item *item)
{
  GByteArray *groups = writer->groups;
  uint8_t has_braces = item->key != NULL;

  if (item->kind == DG_ITEM_BEGIN) {
    g_byte_array_append (groups, &has_braces, 1);
    if (has_braces) {
      write_key (writer, item->key);
      open_brace (writer);
      if (groups->len == 1 && writer->options->part_schemas != NULL)
        write_schema (writer,
                      writer->options->part_schemas[writer->n_parts++]);
    }
    return;
  }
  if (groups->data[groups->len - 1])
    close_brace (writer);
  g_byte_array_set_size (groups, groups->len - 1);
}

static void
write_item (struct writer *writer, const struct dg_report_item *item)
{
  struct dg_cell cell;

  if (item->kind == DG_ITEM_BEGIN || item->kind == DG_ITEM_END) {
    write_group (writer, item);
    return;
  }
  if (item->kind == DG_ITEM_NOTE || item->key == NULL)
    return;
  write_key (writer, item->key);
  switch (item->kind) {
  case DG_ITEM_VALUE:
    dg_report_row (item, 0, &cell);
    write_cell (writer->out, &item->columns[0], &cell);
    break;
  case DG_ITEM_TABLE:
    write_table (writer, item);
    break;
  default:
    if (item->text != NULL)
      json_text_string (writer->out, item->text);
    else
      output_text (writer->out, "null");
  }
}

void
report_json (struct output *out, const struct dg_report *report,
             const struct report_json_options *options)
{
  struct writer writer = {
    .out = out, .options = options, .groups = g_byte_array_new ()};
  const struct dg_report_item *item;

  open_brace (&writer);
  write_schema (&writer, options->schema);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++)
    write_item (&writer, item);
  close_brace (&writer);
  output_text (out, "\n");
  g_byte_array_unref (writer.groups);
}

/* export_text.c: a table of a log as CSV, or as a line of JSON for each row.

   The rows are those of dg_arrow.h, batch by batch.  CSV is as in RFC 4180,
   but its lines end with \n; what is null is empty, and a list is in one
   field, its items apart by blanks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/printable.h"
#include "export_pipe.h"
#include "libdatagrind.h"

/* How a column is written.  */
struct column {
  const struct ArrowSchema *schema;
  bool is_address;
};

struct writer {
  const struct export_text *text;
  struct output out;
  struct ArrowSchema schema;
  struct column *columns;
};

/* ---- Values ------------------------------------------------------------- */

static bool
is_null (const struct ArrowArray *array, int64_t row)
{
  const uint8_t *valid = array->buffers[0];
  int64_t i = array->offset + row;

  return valid != NULL && (valid[i / 8] >> (i % 8) & 1) == 0;
}

static uint64_t
number_at (const struct ArrowArray *array, const char *format, int64_t row)
{
  int64_t i = array->offset + row;

  switch (format[0]) {
  case 'I':
    return ((const uint32_t *) array->buffers[1])[i];
  case 'i':
    return (uint64_t) (int64_t) ((const int32_t *) array->buffers[1])[i];
  default:
    return ((const uint64_t *) array->buffers[1])[i];
  }
}

/* The bytes of a text; they do not end with 0.  */
static const char *
text_at (const struct ArrowArray *array, int64_t row, size_t *n)
{
  const int32_t *ends = array->buffers[1];
  int64_t i = array->offset + row;

  *n = (size_t) (ends[i + 1] - ends[i]);
  return (const char *) array->buffers[2] + ends[i];
}

static void
write_item (struct writer *writer, const struct column *column,
            uint64_t number)
{
  const char *quote = writer->text->is_csv || !column->is_address ? "" : "\"";

  output_text (&writer->out, quote);
  if (column->is_address)
    output_hex (&writer->out, number);
  else
    output_decimal (&writer->out, number);
  output_text (&writer->out, quote);
}

static void
write_number (struct writer *writer, const struct column *column,
              uint64_t number)
{
  char format = column->schema->format[0];

  if (format == 'l' || format == 'i')
    output_format (&writer->out, "%" PRId64, (int64_t) number);
  else
    write_item (writer, column, number);
}

/* Quotes only where a field needs them: an empty one without quotes is a
   missing value.  */
static void
write_field (struct output *out, const char *text, size_t n)
{
  bool is_plain = n > 0;

  for (size_t i = 0; i < n && is_plain; i++)
    is_plain = text[i] != '"' && text[i] != ','
               && !printable_is_control (&text[i], true);
  if (is_plain) {
    output_bytes (out, text, n);
    return;
  }
  output_bytes (out, "\"", 1);
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '"')
      output_bytes (out, "\"\"", 2);
    else if (text[i] != '\n' && text[i] != '\t'
             && printable_is_control (&text[i], true))
      output_format (out, "\\x%02x", (unsigned char) text[i]);
    else
      output_bytes (out, &text[i], 1);
  }
  output_bytes (out, "\"", 1);
}

static void
write_text (struct writer *writer, const struct ArrowArray *array, int64_t row)
{
  size_t n;
  const char *text = text_at (array, row, &n);
  char *copy;

  if (writer->text->is_csv) {
    write_field (&writer->out, text, n);
    return;
  }
  copy = g_strndup (text, n);
  json_text_string (&writer->out, copy);
  g_free (copy);
}

/* "1 2 3", or of pairs "1:10 2:20"; in JSON [1, 2, 3], [[1, 10], [2, 20]].  */
static void
write_list (struct writer *writer, const struct column *column,
            const struct ArrowArray *array, int64_t row)
{
  bool is_csv = writer->text->is_csv;
  const int32_t *ends = array->buffers[1];
  const struct ArrowArray *items = array->children[0];
  int64_t first = ends[array->offset + row],
          end = ends[array->offset + row + 1];
  struct output *out = &writer->out;

  output_text (out, is_csv ? "" : "[");
  for (int64_t i = first; i < end; i++) {
    output_text (out, i == first ? "" : is_csv ? " " : ", ");
    if (items->n_children == 0) {
      write_item (writer, column, number_at (items, "L", i));
      continue;
    }
    output_text (out, is_csv ? "" : "[");
    output_decimal (out, number_at (items->children[0], "L", i));
    output_text (out, is_csv ? ":" : ", ");
    output_decimal (out, number_at (items->children[1], "L", i));
    output_text (out, is_csv ? "" : "]");
  }
  output_text (out, is_csv ? "" : "]");
}

static void
write_value (struct writer *writer, const struct column *column,
             const struct ArrowArray *array, int64_t row)
{
  const char *format = column->schema->format;
  const uint8_t *bits;
  int64_t i = array->offset + row;

  if (is_null (array, row)) {
    output_text (&writer->out, writer->text->is_csv ? "" : "null");
    return;
  }
  if (array->dictionary != NULL) {
    write_text (writer, array->dictionary,
                (int64_t) number_at (array, format, row));
    return;
  }
  switch (format[0]) {
  case 'g':
    json_text_real (&writer->out, ((const double *) array->buffers[1])[i]);
    break;
  case 'b':
    bits = array->buffers[1];
    output_text (&writer->out,
                 (bits[i / 8] >> (i % 8) & 1) != 0 ? "true" : "false");
    break;
  case 'u':
    write_text (writer, array, row);
    break;
  case '+':
    write_list (writer, column, array, row);
    break;
  default:
    write_number (writer, column, number_at (array, format, row));
    break;
  }
}

/* ---- Rows --------------------------------------------------------------- */

static void
write_row (struct writer *writer, const struct ArrowArray *batch, int64_t row)
{
  bool is_csv = writer->text->is_csv;
  struct output *out = &writer->out;

  output_text (out, is_csv ? "" : "{");
  for (int64_t i = 0; i < batch->n_children; i++) {
    output_text (out, i == 0 ? "" : is_csv ? "," : ", ");
    if (!is_csv) {
      json_text_string (out, writer->columns[i].schema->name);
      output_text (out, ": ");
    }
    write_value (writer, &writer->columns[i], batch->children[i], row);
  }
  output_text (out, is_csv ? "\n" : "}\n");
}

static void
write_head (struct writer *writer)
{
  const struct ArrowSchema *schema = &writer->schema;

  for (int64_t i = 0; writer->text->is_csv && i < schema->n_children; i++) {
    const char *name = schema->children[i]->name;

    output_text (&writer->out, i == 0 ? "" : ",");
    write_field (&writer->out, name, strlen (name));
  }
  if (writer->text->is_csv)
    output_text (&writer->out, "\n");
}

/* Which columns have addresses: those of the log's tables say it; in those of
   analyses, a key means the same everywhere (docs/json.md).  */
static bool
is_address (const struct export_text *text, const char *name)
{
  struct dg_arrow_table table;

  for (size_t i = 0; dg_arrow_table_at (i, &table); i++)
    for (size_t k = 0; strcmp (table.name, text->table) == 0
                       && k < table.n_columns; k++)
      if (strcmp (table.columns[k].name, name) == 0)
        return (table.columns[k].flags & DG_ARROW_ADDRESS) != 0;
  return strcmp (name, "address") == 0 || strcmp (name, "instruction") == 0
         || strcmp (name, "old_address") == 0;
}

static int
write_rows (struct writer *writer, struct ArrowArrayStream *stream)
{
  struct ArrowArray batch;
  int code = stream->get_schema (stream, &writer->schema);

  if (code != 0)
    return code;
  writer->columns = g_new0 (struct column, writer->schema.n_children + 1);
  for (int64_t i = 0; i < writer->schema.n_children; i++) {
    struct column *column = &writer->columns[i];

    column->schema = writer->schema.children[i];
    column->is_address = is_address (writer->text, column->schema->name);
  }
  write_head (writer);
  while ((code = stream->get_next (stream, &batch)) == 0
         && batch.release != NULL) {
    for (int64_t row = 0; row < batch.length && !output_failed (&writer->out);
         row++)
      write_row (writer, &batch, row);
    batch.release (&batch);
    if (output_failed (&writer->out))
      break;
  }
  return code;
}

/* ---- The query ---------------------------------------------------------- */

/* The threads that are chosen: each number.  */
static GArray *
list_threads (const struct analysis_options *options, const struct dg_log *log)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  size_t n;
  const struct dg_thread *threads = dg_log_threads (log, &n);
  static const uint32_t none = UINT32_MAX;

  for (guint i = 0; options->thread_list != NULL
                    && i < options->thread_list->len; i++) {
    const struct parse_numbers *span =
      &g_array_index (options->thread_list, struct parse_numbers, i);
    guint before = list->len;

    for (size_t k = 0; k < n; k++)
      if (threads[k].number >= span->first && threads[k].number <= span->last)
        g_array_append_val (list, threads[k].number);
    if (list->len == before)
      cli_warn (span->first == span->last
                  ? "warning: --threads: there is no thread %" PRIu32
                  : "warning: --threads: there is no thread %" PRIu32
                    " to %" PRIu32, span->first, span->last);
  }
  /* None of them: an empty list would be all.  */
  if (options->thread_list != NULL && list->len == 0)
    g_array_append_val (list, none);
  return list;
}

/* The options of the analysis: "by=line", or "program".  The array is to be
   freed, and so are the names in `made`.  */
static GArray *
list_settings (char **with, GPtrArray *made)
{
  GArray *settings = g_array_new (FALSE, FALSE, sizeof (struct dg_setting));

  for (; with != NULL && *with != NULL; with++) {
    const char *equal = strchr (*with, '=');
    struct dg_setting setting = {
      equal != NULL ? g_strndup (*with, (gsize) (equal - *with))
                    : g_strdup (*with),
      equal != NULL ? equal + 1 : NULL};

    g_ptr_array_add (made, (gpointer) setting.name);
    g_array_append_val (settings, setting);
  }
  return settings;
}

static int
open_stream (const struct export_text *text, const struct dg_log *log,
             struct interrupt *interrupt, struct ArrowArrayStream *stream,
             struct dg_error *err)
{
  const struct analysis_options *options = text->options;
  char **columns =
    text->columns != NULL ? g_strsplit (text->columns, ",", -1) : NULL;
  GArray *threads = list_threads (options, log);
  GPtrArray *made = g_ptr_array_new_with_free_func (g_free);
  GArray *settings = list_settings (text->with, made);
  struct dg_arrow_shared *shared =
    dg_arrow_shared_new (log, (const char *const *) options->source_map, err);
  const struct dg_arrow_query query = {
    .size = sizeof query, .table = text->table,
    .columns = (const char *const *) columns,
    .n_columns = columns != NULL ? g_strv_length (columns) : 0,
    .threads = (const uint32_t *) (void *) threads->data,
    .n_threads = threads->len,
    .icounts = {options->start_icount, options->end_icount},
    .events = options->events, .ranges = options->ranges,
    .settings = (const struct dg_setting *) (void *) settings->data,
    .n_settings = settings->len,
    .workers = (unsigned) options->jobs, .shared = shared,
    .progress = interrupt_progress_fn, .user = interrupt};
  int code = shared != NULL ? dg_arrow_open (log, &query, stream, err)
                            : DG_ERR_NOMEM;

  dg_arrow_shared_free (shared);
  g_array_unref (settings);
  g_ptr_array_unref (made);
  g_array_unref (threads);
  g_strfreev (columns);
  return code;
}

static int
run_stream (struct writer *writer, const struct cli_log *log)
{
  struct interrupt interrupt;
  struct ArrowArrayStream stream = {.release = NULL};
  struct dg_error error;
  int status = CLI_OK;

  interrupt_begin (&interrupt, log->progress, "rows", 1);
  if (open_stream (writer->text, log->log, &interrupt, &stream, &error) < 0)
    status = cli_fail ("%s: %s", log->path, error.message);
  else if (write_rows (writer, &stream) != 0)
    status = cli_fail ("%s: %s", log->path, stream.get_last_error (&stream));
  if (stream.release != NULL)
    stream.release (&stream);
  interrupt_end (&interrupt);
  return status;
}

static int
write_table (struct writer *writer, const struct cli_log *log)
{
  struct export_pipe pipe = {NULL};
  int status =
    output_open (&writer->out, writer->text->options->output, log->path);

  if (status != CLI_OK)
    return status;
  status = export_pipe_begin (&pipe, &writer->out);
  if (status == CLI_OK)
    status = export_pipe_end (&pipe, &writer->out, run_stream (writer, log));
  if (status == CLI_OK)
    return output_finish (&writer->out);
  output_drop (&writer->out);
  return status;
}

/* The blocks that the rows are made from.  */
static enum dg_blocks
blocks_of (const struct export_text *text)
{
  char **columns =
    text->columns != NULL ? g_strsplit (text->columns, ",", -1) : NULL;
  GPtrArray *made = g_ptr_array_new_with_free_func (g_free);
  GArray *settings = list_settings (text->with, made);
  const struct dg_arrow_query query = {
    .size = sizeof query, .table = text->table,
    .columns = (const char *const *) columns,
    .n_columns = columns != NULL ? g_strv_length (columns) : 0,
    .ranges = text->options->ranges,
    .settings = (const struct dg_setting *) (void *) settings->data,
    .n_settings = settings->len};
  bool needs = dg_arrow_needs_blocks (&query);

  g_array_unref (settings);
  g_ptr_array_unref (made);
  g_strfreev (columns);
  return needs ? DG_BLOCKS_ALL : DG_BLOCKS_NONE;
}

int
export_text_run (const struct export_text *text, const char *path)
{
  struct writer *writer = g_new0 (struct writer, 1);
  struct cli_log log;
  int status = CLI_FAILURE;

  writer->text = text;
  if (cli_log_open (&log, path, text->options->jobs, blocks_of (text), 1))
    status = cli_log_finish (&log, write_table (writer, &log));
  if (writer->schema.release != NULL)
    writer->schema.release (&writer->schema);
  g_free (writer->columns);
  g_free (writer);
  return status;
}

/* arrow_test.c: streams of Arrow as text, and whether they obey the rules.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_test.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

/* ---- Rules ---- */

void
arrow_test_schema (const struct ArrowSchema *schema)
{
  g_assert_nonnull (schema->release);
  g_assert_nonnull (schema->format);
  g_assert_nonnull (schema->name);
  g_assert_null (schema->metadata);
  g_assert_cmpint (schema->flags & ~ARROW_FLAG_NULLABLE, ==, 0);
  for (int64_t i = 0; i < schema->n_children; i++)
    arrow_test_schema (schema->children[i]);
  if (schema->dictionary) {
    g_assert_cmpstr (schema->format, ==, "i");
    arrow_test_schema (schema->dictionary);
  }
  if (g_str_has_prefix (schema->format, "+l"))
    g_assert_cmpint (schema->n_children, ==, 1);
  else if (!g_str_equal (schema->format, "+s"))
    g_assert_cmpint (schema->n_children, ==, 0);
}

static bool
is_null (const struct ArrowArray *array, int64_t row)
{
  const uint8_t *valid = array->buffers[0];

  return valid && !(valid[row / 8] >> row % 8 & 1);
}

static void
check_ends (const struct ArrowArray *array, int64_t most)
{
  const int32_t *ends = array->buffers[1];

  g_assert_cmpint (ends[0], ==, 0);
  for (int64_t i = 0; i < array->length; i++)
    g_assert_cmpint (ends[i], <=, ends[i + 1]);
  g_assert_cmpint (ends[array->length], <=, most);
}

static void
check_texts (const struct ArrowArray *array)
{
  const int32_t *ends = array->buffers[1];
  const char *bytes = array->buffers[2];

  check_ends (array, INT32_MAX);
  for (int64_t i = 0; i < array->length; i++)
    g_assert_true (ends[i] == ends[i + 1]
                   || g_utf8_validate (bytes + ends[i],
                                       ends[i + 1] - ends[i], NULL));
}

static void
check_indices (const struct ArrowArray *array)
{
  const int32_t *index = array->buffers[1];

  for (int64_t i = 0; i < array->length; i++)
    if (!is_null (array, i)) {
      g_assert_cmpint (index[i], >=, 0);
      g_assert_cmpint (index[i], <, array->dictionary->length);
    }
}

void
arrow_test_batch (const struct ArrowSchema *schema,
                  const struct ArrowArray *batch)
{
  const char *format = schema->format;
  bool is_struct = g_str_equal (format, "+s"), is_text = format[0] == 'u';
  int64_t nulls = 0;

  g_assert_nonnull (batch->release);
  g_assert_cmpint (batch->offset, ==, 0);
  g_assert_cmpint (batch->n_buffers, ==, is_struct ? 1 : is_text ? 3 : 2);
  g_assert_cmpint (batch->n_children, ==, schema->n_children);
  g_assert_true (!batch->dictionary == !schema->dictionary);
  for (int64_t i = 0; i < batch->length; i++)
    nulls += is_null (batch, i);
  g_assert_cmpint (batch->null_count, ==, nulls);
  g_assert_true (nulls == 0 || (schema->flags & ARROW_FLAG_NULLABLE));
  if (is_text)
    check_texts (batch);
  if (g_str_equal (format, "+l"))
    check_ends (batch, batch->children[0]->length);
  for (int64_t i = 0; i < batch->n_children; i++) {
    if (is_struct)
      g_assert_cmpint (batch->children[i]->length, ==, batch->length);
    arrow_test_batch (schema->children[i], batch->children[i]);
  }
  if (batch->dictionary) {
    arrow_test_batch (schema->dictionary, batch->dictionary);
    check_indices (batch);
  }
}

/* ---- Text ---- */

static void
append_schema (GString *text, const struct ArrowSchema *schema)
{
  g_string_append_printf (text, "%s:%s", schema->name, schema->format);
  if (schema->dictionary)
    g_string_append_printf (text, "<%s>", schema->dictionary->format);
  if (g_str_equal (schema->format, "+l"))
    g_string_append_printf (text, "(%s)", schema->children[0]->format);
  if (schema->flags & ARROW_FLAG_NULLABLE)
    g_string_append_c (text, '?');
}

char *
arrow_test_schema_text (const struct ArrowSchema *schema)
{
  GString *text = g_string_new (NULL);

  for (int64_t i = 0; i < schema->n_children; i++) {
    if (i > 0)
      g_string_append_c (text, ' ');
    append_schema (text, schema->children[i]);
  }
  return g_string_free (text, FALSE);
}

static void append_cell (GString *text, const struct ArrowSchema *schema,
                         const struct ArrowArray *array, int64_t row);

static void
append_text (GString *text, const struct ArrowArray *array, int64_t row)
{
  const int32_t *ends = array->buffers[1];
  const char *bytes = array->buffers[2];

  if (ends[row + 1] > ends[row])
    g_string_append_len (text, bytes + ends[row], ends[row + 1] - ends[row]);
}

static void
append_list (GString *text, const struct ArrowSchema *schema,
             const struct ArrowArray *array, int64_t row)
{
  const int32_t *ends = array->buffers[1];

  g_string_append_c (text, '[');
  for (int32_t i = ends[row]; i < ends[row + 1]; i++) {
    if (i > ends[row])
      g_string_append_c (text, ' ');
    append_cell (text, schema->children[0], array->children[0], i);
  }
  g_string_append_c (text, ']');
}

static void
append_struct (GString *text, const struct ArrowSchema *schema,
               const struct ArrowArray *array, int64_t row)
{
  for (int64_t i = 0; i < array->n_children; i++) {
    if (i > 0)
      g_string_append_c (text, schema->name[0] ? ':' : ' ');
    append_cell (text, schema->children[i], array->children[i], row);
  }
}

static void
append_number (GString *text, const char *format, const void *values,
               int64_t row)
{
  switch (format[0]) {
  case 'I':
    g_string_append_printf (text, "%" PRIu32,
                            ((const uint32_t *) values)[row]);
    break;
  case 'i':
    g_string_append_printf (text, "%" PRId32,
                            ((const int32_t *) values)[row]);
    break;
  case 'L':
    g_string_append_printf (text, "%" PRIu64,
                            ((const uint64_t *) values)[row]);
    break;
  case 'l':
    g_string_append_printf (text, "%" PRId64,
                            ((const int64_t *) values)[row]);
    break;
  case 'g':
    g_string_append_printf (text, "%g", ((const double *) values)[row]);
    break;
  case 'b':
    g_string_append (text, ((const uint8_t *) values)[row / 8] >> row % 8 & 1
                             ? "yes" : "no");
    break;
  default:
    g_assert_not_reached ();
  }
}

static void
append_cell (GString *text, const struct ArrowSchema *schema,
             const struct ArrowArray *array, int64_t row)
{
  if (is_null (array, row))
    g_string_append_c (text, '-');
  else if (array->dictionary)
    append_text (text, array->dictionary,
                 ((const int32_t *) array->buffers[1])[row]);
  else if (schema->format[0] == 'u')
    append_text (text, array, row);
  else if (g_str_equal (schema->format, "+s"))
    append_struct (text, schema, array, row);
  else if (g_str_equal (schema->format, "+l"))
    append_list (text, schema, array, row);
  else
    append_number (text, schema->format, array->buffers[1], row);
}

void
arrow_test_rows (GString *text, const struct ArrowSchema *schema,
                 const struct ArrowArray *batch)
{
  for (int64_t i = 0; i < batch->length; i++) {
    append_cell (text, schema, batch, i);
    g_string_append_c (text, '\n');
  }
}

char *
arrow_test_text (struct ArrowArrayStream *stream)
{
  GString *text = g_string_new (NULL);
  struct ArrowSchema schema;
  struct ArrowArray batch;
  int code = stream->get_schema (stream, &schema);
  bool has_schema = code == 0;

  if (has_schema)
    arrow_test_schema (&schema);
  while (code == 0 && (code = stream->get_next (stream, &batch)) == 0
         && batch.release) {
    g_assert_cmpint (batch.length, >, 0);
    arrow_test_batch (&schema, &batch);
    arrow_test_rows (text, &schema, &batch);
    batch.release (&batch);
    g_assert_null (batch.release);
  }
  if (code != 0)
    g_string_append_printf (text, "ERROR: %s\n",
                            stream->get_last_error (stream));
  if (has_schema)
    schema.release (&schema);
  stream->release (stream);
  g_assert_null (stream->release);
  return g_string_free (text, FALSE);
}

char *
arrow_test_query (const struct dg_log *log, const struct dg_arrow_query *query)
{
  struct ArrowArrayStream stream;
  struct dg_error err = { .message = "" };
  int code = dg_arrow_open (log, query, &stream, &err);

  g_assert_cmpstr (err.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  return arrow_test_text (&stream);
}

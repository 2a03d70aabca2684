/* arrow.c: streams of batches, as Arrow's C stream interface has them.

   A stream is a query and a source of rows (arrow_source.h), which is opened
   by the first call.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_schema.h"
#include "arrow_source.h"
#include "base/error.h"
#include "base/sized.h"

#define BATCH_ROWS 65536

struct stream {
  struct dg_arrow_asked asked;
  const struct dg_arrow_source *source;
  void *self;              /* of the source; NULL: not open */
  const struct dg_arrow_column *columns;
  size_t n_columns;        /* of the table, of which there may be none */
  bool has_columns;        /* they are known */
  /* Of the query: their numbers, and what is filled.  */
  uint32_t *numbers;
  struct dg_arrow_array *arrays;
  size_t n;
  struct dg_arrow_array **by_number;     /* n_columns; NULL: not needed */
  struct dg_arrow_status status;
};

/* ---- Columns ---- */

static int
unknown_column (const struct stream *stream, const char *name,
                struct dg_error *err)
{
  struct dg_nearest *nearest = dg_nearest_new (name, err);
  char *hint;

  if (!nearest)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < stream->n_columns; i++)
    dg_nearest_add (nearest, stream->columns[i].name);
  hint = dg_nearest_hint (nearest);
  dg_error_set (err, DG_ERR_INVALID, "table %s has no column '%s'%s",
                stream->asked.query.table, name, hint ? hint : "");
  free (hint);
  dg_nearest_free (nearest);
  return DG_ERR_INVALID;
}

/* The number of a column that the query names, once.  */
static int
find_column (const struct stream *stream, const char *name, uint32_t *number,
             struct dg_error *err)
{
  for (size_t i = 0; i < stream->n_columns; i++)
    if (strcmp (stream->columns[i].name, name) == 0) {
      for (size_t k = 0; k < stream->n; k++)
        if (stream->numbers[k] == i)
          return dg_error_set (err, DG_ERR_INVALID,
                               "column %s is named twice", name);
      *number = i;
      return 0;
    }
  return unknown_column (stream, name, err);
}

static int
choose_columns (struct stream *stream, struct dg_error *err)
{
  const struct dg_arrow_query *query = &stream->asked.query;
  int code = 0;

  stream->numbers = g_try_new (uint32_t, stream->n_columns + 1);
  if (!stream->numbers)
    return dg_error_nomem (err);
  if (query->is_empty)
    return 0;
  for (size_t i = 0; i < query->n_columns && code == 0; i++) {
    code = find_column (stream, query->columns[i],
                        &stream->numbers[stream->n], err);
    stream->n += code == 0;
  }
  for (size_t i = 0; i < stream->n_columns && query->n_columns == 0; i++)
    if (!(stream->columns[i].flags & DG_ARROW_ON_DEMAND))
      stream->numbers[stream->n++] = i;
  return code;
}

static int
take_columns (struct stream *stream, const struct dg_arrow_column *columns,
              size_t n, struct dg_error *err)
{
  int code;

  stream->columns = columns;
  stream->n_columns = n;
  code = choose_columns (stream, err);
  if (code == 0) {
    stream->arrays = g_try_new0 (struct dg_arrow_array, stream->n + 1);
    stream->by_number = g_try_new0 (struct dg_arrow_array *, n + 1);
    if (!stream->arrays || !stream->by_number)
      code = dg_error_nomem (err);
  }
  for (size_t i = 0; i < stream->n && code == 0; i++) {
    code = dg_arrow_array_init (&stream->arrays[i],
                                &columns[stream->numbers[i]], err);
    stream->by_number[stream->numbers[i]] = &stream->arrays[i];
  }
  stream->has_columns = code == 0;
  return code;
}

/* Frees the columns, so that they can be chosen again.  */
static void
drop_columns (struct stream *stream)
{
  for (size_t i = 0; stream->arrays && i < stream->n; i++)
    dg_arrow_array_fini (&stream->arrays[i]);
  g_clear_pointer (&stream->arrays, g_free);
  g_clear_pointer (&stream->by_number, g_free);
  g_clear_pointer (&stream->numbers, g_free);
  stream->n = stream->n_columns = 0;
  stream->has_columns = false;
}

/* ---- The stream ---- */

/* Opens the source: what a table without columns of its own needs for its
   schema, and others for their first row.  */
static int
open_source (struct stream *stream, struct dg_error *err)
{
  const struct dg_arrow_source *source = stream->source;
  const struct dg_arrow_column *columns;
  size_t n;
  int code;

  if (!stream->self)
    stream->self = source->open (&stream->asked, err);
  if (!stream->self)
    return DG_ERR_INVALID;
  if (stream->has_columns)
    return 0;
  code = source->describe (stream->self, &columns, &n, err);
  if (code == 0)
    code = take_columns (stream, columns, n, err);
  if (code < 0)
    drop_columns (stream);
  return code;
}

/* The errno of what failed.  */
static int
tell_failure (struct stream *stream, const struct dg_error *failed)
{
  stream->status.error = *failed;
  switch (failed->code) {
  case DG_ERR_NOMEM:
    return ENOMEM;
  case DG_ERR_CANCELLED:
    return ECANCELED;
  case DG_ERR_TRUNCATED:
  case DG_ERR_DAMAGED:
  case DG_ERR_NOT_A_LOG:
    return EILSEQ;
  case DG_ERR_INVALID:
  case DG_ERR_FILTER:
  case DG_ERR_VERSION:
    return EINVAL;
  default:
    return EIO;
  }
}

static int
get_schema (struct ArrowArrayStream *out, struct ArrowSchema *schema)
{
  struct stream *stream = out->private_data;
  struct dg_error failed = { .code = 0 };
  int code = 0;

  schema->release = NULL;
  if (!stream->has_columns)
    code = open_source (stream, &failed);
  if (code == 0)
    code = dg_arrow_schema_make (stream->columns, stream->numbers, stream->n,
                                 stream->asked.query.is_signed, schema,
                                 &failed);
  return code < 0 ? tell_failure (stream, &failed) : 0;
}

/* The next rows in the arrays: how many, 0, < 0.  */
static ptrdiff_t
fill (struct stream *stream, struct dg_error *err)
{
  size_t max = stream->asked.query.batch_rows;
  ptrdiff_t n = open_source (stream, err);

  if (n < 0)
    return n;
  max = max > 0 ? max : BATCH_ROWS;
  max = MIN (max, MAX (stream->source->most (stream->self), 1));
  for (size_t i = 0; i < stream->n && n == 0; i++)
    n = dg_arrow_array_begin (&stream->arrays[i], max, err);
  return n < 0 ? n : stream->source->next (stream->self, stream->by_number,
                                           max, err);
}

static int
get_next (struct ArrowArrayStream *out, struct ArrowArray *batch)
{
  struct stream *stream = out->private_data;
  struct dg_error failed = { .code = 0 };
  ptrdiff_t n = fill (stream, &failed);
  int code = 0;

  batch->release = NULL;
  if (n > 0)
    code = dg_arrow_array_batch (stream->arrays, stream->n, n, batch,
                                 &failed);
  if (n < 0 || code < 0)
    return tell_failure (stream, &failed);
  stream->status.rows += n;
  stream->status.batches += n > 0;
  return 0;
}

static const char *
get_last_error (struct ArrowArrayStream *out)
{
  struct stream *stream = out->private_data;

  return stream->status.error.code < 0 ? stream->status.error.message : NULL;
}

static void
free_stream (struct stream *stream)
{
  void (*closed) (void *owner) = stream->asked.query.closed;
  void *owner = stream->asked.query.owner;

  if (stream->self)
    stream->source->close (stream->self);
  drop_columns (stream);
  dg_arrow_query_fini (&stream->asked);
  g_free (stream);
  if (closed)
    closed (owner);
}

static void
release (struct ArrowArrayStream *out)
{
  free_stream (out->private_data);
  out->release = NULL;
  out->private_data = NULL;
}

int
dg_arrow_open (const struct dg_log *log, const struct dg_arrow_query *query,
               struct ArrowArrayStream *out, struct dg_error *err)
{
  const char *table = query && query->table ? query->table : "accesses";
  const struct dg_arrow_source *source = dg_arrow_source_find (table, err);
  struct stream *stream;
  int code;

  *out = (struct ArrowArrayStream) { .release = NULL };
  if (!source)
    return DG_ERR_INVALID;
  stream = g_try_new0 (struct stream, 1);
  if (!stream)
    return dg_error_nomem (err);
  stream->source = source;
  code = dg_arrow_query_take (&stream->asked, log, query, &source->table, err);
  if (code < 0) {
    g_free (stream);
    return code;
  }
  stream->asked.status = &stream->status;
  if (source->table.columns)
    code = take_columns (stream, source->table.columns,
                         source->table.n_columns, err);
  if (code < 0) {
    stream->asked.query.closed = NULL;
    free_stream (stream);
    return code;
  }
  *out = (struct ArrowArrayStream) { .get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = stream };
  return 0;
}

const char *
dg_arrow_problem (struct ArrowArrayStream *of, size_t i)
{
  struct stream *stream = of->private_data;
  const struct dg_filter *filter;
  struct dg_error error;

  if (!of->release || of->get_next != get_next
      || dg_arrow_query_filter (&stream->asked, &filter, &error) < 0
      || filter == NULL)
    return NULL;
  return dg_filter_problem (filter, i);
}

int
dg_arrow_status (const struct ArrowArrayStream *of,
                 struct dg_arrow_status *status, struct dg_error *err)
{
  const struct stream *stream = of->private_data;

  if (!of->release || of->get_next != get_next)
    return dg_error_set (err, DG_ERR_INVALID,
                         "this is not an open stream of a log");
  dg_sized_give (status, status->size, &stream->status,
                 sizeof stream->status);
  return 0;
}

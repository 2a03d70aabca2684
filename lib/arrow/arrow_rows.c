/* arrow_rows.c: tables that have a row for each item of a list of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_rows.h"

#include <glib.h>

#include "base/error.h"

/* Items between two looks at the clock.  */
#define PACE 1024

struct reader {
  struct dg_arrow_asked *asked;
  const struct dg_arrow_rows *rows;
  size_t next, n;          /* items */
};

void *
dg_arrow_rows_open (struct dg_arrow_asked *asked,
                    const struct dg_arrow_rows *rows, struct dg_error *err)
{
  struct reader *reader = g_try_new0 (struct reader, 1);

  if (!reader) {
    dg_error_nomem (err);
    return NULL;
  }
  reader->asked = asked;
  reader->rows = rows;
  reader->n = rows->count (asked->log);
  return reader;
}

void
dg_arrow_rows_close (void *self)
{
  g_free (self);
}

size_t
dg_arrow_rows_most (const void *self)
{
  const struct reader *reader = self;

  return reader->n - reader->next;
}

static bool
is_full (struct dg_arrow_array *const *columns, size_t n_columns)
{
  for (size_t i = 0; i < n_columns; i++)
    if (columns[i] && dg_arrow_array_is_full (columns[i]))
      return true;
  return false;
}

ptrdiff_t
dg_arrow_rows_next (void *self, struct dg_arrow_array *const *columns,
                    size_t max, struct dg_error *err)
{
  struct reader *reader = self;
  size_t first = reader->next, n = 0;

  while (reader->next < reader->n && n < max) {
    struct dg_arrow_row row = { columns };
    int code = reader->next % PACE == 0
                 ? dg_progress_pace (&reader->asked->progress, reader->next,
                                     reader->n, err)
                 : 0;

    /* Callers cancel once only: the rows of this call are made again by
       the next one.  */
    if (code < 0) {
      reader->next = first;
      return code;
    }
    code = reader->rows->put (reader->asked, reader->next, &row, err);
    if (code < 0 && n > 0)
      break;               /* told at the next call */
    if (code < 0)
      return code;
    reader->next++;
    n += code;
    if (code > 0 && is_full (columns, row.column - columns))
      break;
  }
  return n;
}

/* arrow_rows.h: tables that have a row for each item of a list of the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_ROWS_H
#define DG_ARROW_ROWS_H

#include "arrow_source.h"

/* A row that is being made: the columns that come next, in their order.  */
struct dg_arrow_row {
  struct dg_arrow_array *const *column;
};

/* The next column; NULL columns are passed over.  */
static inline void
dg_arrow_row_number (struct dg_arrow_row *row, uint64_t number)
{
  dg_arrow_array_number (*row->column++, number);
}

/* Null if it is this one: DG_NEVER, DG_NONE or 0.  */
static inline void
dg_arrow_row_unless (struct dg_arrow_row *row, uint64_t number, uint64_t none)
{
  if (number == none)
    dg_arrow_array_null (*row->column++);
  else
    dg_arrow_array_number (*row->column++, number);
}

/* NULL is null.  */
static inline void
dg_arrow_row_text (struct dg_arrow_row *row, const char *text)
{
  dg_arrow_array_text (*row->column++, text);
}

static inline void
dg_arrow_row_stack (struct dg_arrow_row *row, const struct dg_stack *stack)
{
  dg_arrow_array_list (*row->column++, stack->sites, stack->n);
}

/* Whether anybody wants what comes next; if not, it is passed over.  */
static inline bool
dg_arrow_row_wants (struct dg_arrow_row *row)
{
  if (*row->column)
    return true;
  row->column++;
  return false;
}

/* The list that a table is made of.  */
struct dg_arrow_rows {
  size_t (*count) (const struct dg_log *log);
  /* Adds item i: 1; or leaves it out: 0; or fails without adding anything.  */
  int (*put) (struct dg_arrow_asked *asked, size_t i,
              struct dg_arrow_row *row, struct dg_error *err);
};

/* For struct dg_arrow_source.  */
void *dg_arrow_rows_open (struct dg_arrow_asked *asked,
                          const struct dg_arrow_rows *rows,
                          struct dg_error *err);
ptrdiff_t dg_arrow_rows_next (void *self,
                              struct dg_arrow_array *const *columns,
                              size_t max, struct dg_error *err);
void dg_arrow_rows_close (void *self);
size_t dg_arrow_rows_most (const void *self);

/* A table NAME of the static `NAME_columns` and `NAME_rows`.  */
#define DG_ARROW_ROWS_TABLE(name, help, limits)                          \
  static void *open_##name (struct dg_arrow_asked *asked,                \
                            struct dg_error *err)                        \
  {                                                                      \
    return dg_arrow_rows_open (asked, &name##_rows, err);                \
  }                                                                      \
  const struct dg_arrow_source dg_arrow_source_##name = {                \
    { #name, help, name##_columns, G_N_ELEMENTS (name##_columns),        \
      limits },                                                          \
    open_##name, NULL, dg_arrow_rows_next, dg_arrow_rows_close,          \
    dg_arrow_rows_most                                                   \
  }

#endif /* DG_ARROW_ROWS_H */

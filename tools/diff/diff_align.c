/* diff_align.c: which rows of the tables of several logs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_align.h"

#include <stdlib.h>

/* The rows of a table, or none; false: no memory.  */
static bool
take_rows (const struct diff_table *table, struct dg_align_table *aligned)
{
  struct dg_align_row *rows;

  if (table == NULL || table->rows->len == 0)
    return true;
  rows = g_try_new (struct dg_align_row, table->rows->len);
  if (rows == NULL)
    return false;
  aligned->rows = rows;
  aligned->n = table->rows->len;
  for (guint i = 0; i < table->rows->len; i++) {
    const struct diff_row *row =
      &g_array_index (table->rows, struct diff_row, i);

    rows[i] = (struct dg_align_row) {
      row->names, row->line, row->order,
      (const double *) (void *) table->measures->data
        + i * table->n_measures};
  }
  return true;
}

GArray *
diff_align (const struct diff_table *const *tables, unsigned n,
            struct dg_error *err)
{
  struct dg_align_options options = {.size = sizeof options,
                                     .n_names = DIFF_N_NAMES};
  struct dg_align_table *aligned = g_new0 (struct dg_align_table, n);
  GArray *result = NULL;
  uint32_t *groups;
  size_t n_groups;
  bool has_all = true;

  for (unsigned log = 0; log < n && has_all; log++) {
    has_all = take_rows (tables[log], &aligned[log]);
    if (tables[log] == NULL)
      continue;
    options.n_measures = (unsigned) tables[log]->n_measures;
    options.takes_best =
      tables[log]->rule < tables[log]->item->n_columns;
  }
  if (!has_all) {
    *err = (struct dg_error) {DG_ERR_NOMEM, 0, "not enough memory"};
  } else if (dg_align (&options, aligned, n, &groups, &n_groups, err) == 0) {
    result = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_array_append_vals (result, groups, (guint) (n_groups * n));
    free (groups);
  }
  for (unsigned log = 0; log < n; log++)
    g_free ((struct dg_align_row *) aligned[log].rows);
  g_free (aligned);
  return result;
}

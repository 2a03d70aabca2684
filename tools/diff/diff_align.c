/* diff_align.c: which rows of the tables of several logs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_align.h"

#include "base/cli_message.h"

#include <stdlib.h>

/* The rows of a table, or none.  */
static struct dg_align_row *
rows_of (const struct diff_table *table, struct dg_align_table *aligned)
{
  struct dg_align_row *rows;

  aligned->n = table != NULL ? table->rows->len : 0;
  rows = g_new (struct dg_align_row, aligned->n);
  for (guint i = 0; i < aligned->n; i++) {
    const struct diff_row *row =
      &g_array_index (table->rows, struct diff_row, i);

    rows[i] = (struct dg_align_row) {
      row->names, row->line, row->order,
      (const double *) (void *) table->measures->data
        + i * table->n_measures};
  }
  aligned->rows = rows;
  return rows;
}

GArray *
diff_align (const struct diff_table *const *tables, unsigned n)
{
  struct dg_align_options options = {.size = sizeof options,
                                     .n_names = DIFF_N_NAMES};
  struct dg_align_table *aligned = g_new (struct dg_align_table, n);
  struct dg_align_row **rows = g_new (struct dg_align_row *, n);
  GArray *result = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  struct dg_error error;
  uint32_t *groups;
  size_t n_groups;

  for (unsigned log = 0; log < n; log++) {
    rows[log] = rows_of (tables[log], &aligned[log]);
    if (tables[log] == NULL)
      continue;
    options.n_measures = (unsigned) tables[log]->n_measures;
    options.takes_best =
      tables[log]->rule < tables[log]->item->n_columns;
  }
  /* As of all that is made of a table, there is memory or no result: what is
     written comes into its place only as a whole.  */
  if (dg_align (&options, aligned, n, &groups, &n_groups, &error) < 0) {
    cli_fail ("%s", error.message);
    exit (CLI_FAILURE);
  }
  g_array_append_vals (result, groups, (guint) (n_groups * n));
  free (groups);
  for (unsigned log = 0; log < n; log++)
    g_free (rows[log]);
  g_free (rows);
  g_free (aligned);
  return result;
}

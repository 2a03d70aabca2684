/* arrow_tables.c: all tables, by name.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "arrow_source.h"
#include "base/error.h"
#include "base/sized.h"

static const struct dg_arrow_source *const tables[] = {
  &dg_arrow_source_accesses, &dg_arrow_source_runs,
  &dg_arrow_source_contexts, &dg_arrow_source_functions,
  &dg_arrow_source_blocks, &dg_arrow_source_ranges, &dg_arrow_source_events,
  &dg_arrow_source_threads, &dg_arrow_source_modules,
  &dg_arrow_source_mappings, &dg_arrow_source_kernel_accesses,
  &dg_arrow_source_clock, &dg_arrow_source_chunks, &dg_arrow_source_lines
};

bool
dg_arrow_table_at (size_t i, struct dg_arrow_table *table)
{
  size_t n, k = i - G_N_ELEMENTS (tables);
  const struct dg_analysis *const *analyses = dg_analyses (&n);

  if (i < G_N_ELEMENTS (tables))
    *table = tables[i]->table;
  else if (k < n) {
    *table = dg_arrow_source_analysis.table;
    table->name = analyses[k]->name;
    table->help = analyses[k]->summary;
  }
  return i < G_N_ELEMENTS (tables) || k < n;
}

/* "; did you mean ...", or what there is.  To be freed.  */
static char *
hint_for (const char *name)
{
  struct dg_nearest *nearest = dg_nearest_new (name, NULL);
  struct dg_arrow_table table;
  char *hint;

  if (!nearest)
    return NULL;
  for (size_t i = 0; dg_arrow_table_at (i, &table); i++)
    dg_nearest_add (nearest, table.name);
  hint = dg_nearest_hint (nearest);
  dg_nearest_free (nearest);
  return hint;
}

bool
dg_arrow_needs_blocks (const struct dg_arrow_query *query)
{
  const char *table =
    query != NULL && query->table != NULL ? query->table : "accesses";
  const struct dg_arrow_source *source = dg_arrow_source_find (table, NULL);
  struct dg_arrow_query own;

  if (DG_SIZED_TAKE (&own, owner, query, NULL) < 0 || source == NULL
      || source == &dg_arrow_source_blocks)
    return true;
  own.table = table;
  return own.ranges != NULL
         || (source->needs_blocks != NULL && source->needs_blocks (&own));
}

const struct dg_arrow_source *
dg_arrow_source_find (const char *name, struct dg_error *err)
{
  size_t n = strcspn (name, "/"), n_analyses;
  const struct dg_analysis *const *analyses = dg_analyses (&n_analyses);
  char *hint;

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    if (strcmp (tables[i]->table.name, name) == 0)
      return tables[i];
  for (size_t i = 0; i < n_analyses; i++)
    if (strlen (analyses[i]->name) == n
        && memcmp (analyses[i]->name, name, n) == 0)
      return &dg_arrow_source_analysis;
  hint = hint_for (name);
  dg_error_set (err, DG_ERR_INVALID, "there is no table '%.60s'%s", name,
                hint ? hint : "");
  free (hint);
  return NULL;
}

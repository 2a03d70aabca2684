/* pair_rows.c: functions and owners of two logs, aligned by their names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_rows.h"

#include <string.h>

#include "model/log/refs.h"

static void
row_clear (gpointer memory)
{
  struct dv_pair_row *row = memory;
  g_free (row->name);
  g_free (row->where);
}

static void
rows_clear (void *memory)
{
  struct dv_pair_rows *rows = memory;
  g_array_unref (rows->functions);
  g_array_unref (rows->owners);
  dv_rows_unref (rows->sides[0]);
  dv_rows_unref (rows->sides[1]);
  dv_calltree_merged_unref (rows->calls);
  dv_pair_counts_unref (rows->counts);
}

DV_DEFINE_REFS (dv_pair_rows, rows_clear)

static GArray *
new_rows (void)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (struct dv_pair_row));
  g_array_set_clear_func (rows, row_clear);
  return rows;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const struct dv_pair_row *x = a, *y = b;
  int64_t first = dv_pair_row_change (x), second = dv_pair_row_change (y);
  first = first < 0 ? -first : first;
  second = second < 0 ? -second : second;
  if (first != second)
    return first > second ? -1 : 1;
  if (x->accesses[1] != y->accesses[1])
    return x->accesses[1] > y->accesses[1] ? -1 : 1;
  int order = strcmp (x->name, y->name);
  return order != 0 ? order : strcmp (x->where, y->where);
}

/* ---- Functions ------------------------------------------------------ */

static struct dv_pair_row *
function_of (struct dv_pair_rows *of, GHashTable *known,
             const struct dv_row *row, unsigned side)
{
  GArray *rows = of->functions;
  const char *module =
    dv_pair_module_key (of->counts->pair->scenes[side], row->module);
  char *key = g_strdup_printf ("%s\n%s", module, row->name);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (known, key));
  if (number == 0) {
    struct dv_pair_row new = { .name = g_strdup (row->name),
                               .where = g_strdup (row->where),
                               .owner = DG_NONE };
    g_array_append_val (rows, new);
    number = rows->len;
    g_hash_table_insert (known, g_strdup (key), GUINT_TO_POINTER (number));
  }
  g_free (key);
  struct dv_pair_row *found =
    &g_array_index (rows, struct dv_pair_row, number - 1);
  /* The source is that of the last log.  */
  if (side == 1 && found->on[0] && *row->where != '\0') {
    g_free (found->where);
    found->where = g_strdup (row->where);
  }
  found->file = row->file;
  found->line = row->line;
  return found;
}

static void
add_functions (struct dv_pair_rows *rows)
{
  GHashTable *known =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  for (unsigned s = 0; s < 2; s++)
    for (guint i = 0; rows->sides[s] != NULL && i < rows->sides[s]->rows.n;
         i++) {
      const struct dv_row *row = dv_rows_at (rows->sides[s], i);
      struct dv_pair_row *both = function_of (rows, known, row, s);
      both->on[s] = true;
      both->accesses[s] += dv_tally_count_accesses (&row->count);
      both->inclusive[s] += row->inclusive;
    }
  g_hash_table_unref (known);
  g_array_sort (rows->functions, compare_rows);
}

/* ---- Memory --------------------------------------------------------- */

static void
add_owners (struct dv_pair_rows *rows)
{
  const struct dv_pair_counts *counts = rows->counts;
  const struct dv_pair_axis *axis = &counts->pair->axis;
  for (guint i = 0; i < axis->owners->len; i++) {
    const struct dv_pair_owner *owner = dv_pair_axis_owner (axis, i);
    struct dv_pair_row row = { .owner = i, .file = owner->file,
                               .line = owner->line };
    for (unsigned s = 0; s < 2; s++) {
      row.accesses[s] = dv_tally_count_accesses (&counts->owners[s][i]);
      row.on[s] = row.accesses[s] > 0;
      row.blocks[s] = owner->blocks[s];
    }
    if (!row.on[0] && !row.on[1])
      continue;
    row.name = g_strdup (owner->name);
    row.where = g_strdup (owner->where);
    g_array_append_val (rows->owners, row);
  }
  g_array_sort (rows->owners, compare_rows);
}

/* ---- All ------------------------------------------------------------ */

static bool
make (struct dv_pair_rows *rows, dg_progress_fn progress, void *user,
      struct dg_error *err)
{
  struct dv_calltree *trees[2] = { NULL, NULL };
  bool is_good = true;
  for (unsigned s = 0; s < 2 && is_good; s++) {
    struct dv_tally *tally = rows->counts->tallies[s];
    if (tally == NULL)
      continue;
    rows->sides[s] =
      dv_rows_new (tally, DV_ROWS_FUNCTIONS, progress, user, err);
    if (rows->sides[s] != NULL)
      trees[s] = dv_calltree_new (tally, 0, progress, user, err);
    is_good = trees[s] != NULL;
  }
  if (is_good)
    rows->calls = dv_calltree_merge (trees[0], trees[1]);
  dv_calltree_unref (trees[0]);
  dv_calltree_unref (trees[1]);
  return is_good;
}

struct dv_pair_rows *
dv_pair_rows_new (struct dv_pair_counts *counts, dg_progress_fn progress,
                  void *user, struct dg_error *err)
{
  struct dv_pair_rows *rows = g_atomic_rc_box_new0 (struct dv_pair_rows);
  rows->counts = dv_pair_counts_ref (counts);
  rows->functions = new_rows ();
  rows->owners = new_rows ();
  if (!make (rows, progress, user, err)) {
    dv_pair_rows_unref (rows);
    return NULL;
  }
  add_functions (rows);
  add_owners (rows);
  return rows;
}

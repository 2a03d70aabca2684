/* sharing_rows.c: from counts by address, variable, thread and instruction to
   rows of an address and a variable.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

/* Writes that are many are as many as this, and one in so many of all
   accesses.  */
#define MANY 100
#define MUCH 1000

/* ---- Pairs -------------------------------------------------------------- */

DG_COMPARE_BY (compare_keys, struct dg_pair, key)

static int
compare_counts (const void *a, const void *b)
{
  const struct dg_pair *x = a, *y = b;

  return DG_COMPARE (y->count, x->count) ?: compare_keys (a, b);
}

size_t
sharing_add_pairs (GArray *to, struct dg_pair *pairs, size_t n)
{
  size_t kept = 0;

  if (n == 0)
    return 0;
  qsort (pairs, n, sizeof *pairs, compare_keys);
  for (size_t i = 0; i < n; i++) {
    if (kept > 0 && pairs[kept - 1].key == pairs[i].key)
      pairs[kept - 1].count += pairs[i].count;
    else
      pairs[kept++] = pairs[i];
  }
  qsort (pairs, kept, sizeof *pairs, compare_counts);
  g_array_append_vals (to, pairs, (guint) kept);
  return kept;
}

bool
sharing_is_uniform (const struct dg_pair *threads, size_t n)
{
  if (n < 2)
    return false;
  /* Twice the second may be more than 64 bits hold.  */
  return threads[1].count > UINT64_MAX / 2
         || threads[0].count < 2 * threads[1].count;
}

bool
sharing_is_left_out (const struct sharing *sharing, uint64_t writes)
{
  return !sharing->has_runtime
         && writes < MAX (MANY, sharing->accesses / MUCH);
}

/* ---- Rows --------------------------------------------------------------- */

int
sharing_compare_named (const struct dg_named *x, const struct dg_named *y)
{
  return strcmp (x->name, y->name)
         ?: g_strcmp0 (x->file, y->file)
         ?: DG_COMPARE (x->line, y->line)
         ?: (int) x->kind - (int) y->kind
         ?: (int) x->is_runtime - (int) y->is_runtime;
}

static int
compare_rows (const void *a, const void *b)
{
  const struct sharing_row *x = a, *y = b;

  return sharing_compare_named (x->named, y->named);
}

void
sharing_rows_begin (struct sharing_rows *rows, struct sharing *sharing)
{
  *rows = (struct sharing_rows){
    .sharing = sharing,
    .cursor = dg_sums_begin (&sharing->sums.packed, false),
    .rows = g_array_new (FALSE, FALSE, sizeof (struct sharing_row)),
    .sums = g_array_new (FALSE, FALSE, sizeof (struct dg_sum)),
    .pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair)),
  };
}

void
sharing_rows_end (struct sharing_rows *rows)
{
  g_array_unref (rows->rows);
  g_array_unref (rows->sums);
  g_array_unref (rows->pairs);
}

/* Sums first to end - 1 are those of one address and variable.  */
static void
add_row (struct sharing_rows *rows, guint first, guint end)
{
  const struct dg_sum *sums = (struct dg_sum *) (void *) rows->sums->data;
  struct sharing_row row = {
    .address = sums[first].key[SHARING_ADDRESS],
    .variable = (uint32_t) sums[first].key[SHARING_VARIABLE],
    .first = first, .n = end - first, .first_pair = rows->pairs->len };
  struct dg_pair *pairs;
  bool is_foreign = false;

  for (guint i = first; i < end; i++) {
    struct dg_pair pair = { sums[i].key[SHARING_THREAD],
                            sums[i].reads + sums[i].writes };
    struct dg_pair *last =
      row.n_threads > 0
        ? &g_array_index (rows->pairs, struct dg_pair, rows->pairs->len - 1)
        : NULL;

    row.reads += sums[i].reads;
    row.writes += sums[i].writes;
    is_foreign |= sums[i].flag;
    /* They come by thread.  */
    if (last != NULL && last->key == pair.key) {
      last->count += pair.count;
    } else {
      g_array_append_val (rows->pairs, pair);
      row.n_threads++;
    }
  }
  pairs = &g_array_index (rows->pairs, struct dg_pair, row.first_pair);
  qsort (pairs, row.n_threads, sizeof *pairs, compare_counts);
  /* Stacks that were at one address, one after the other, are not shared.  */
  if (row.n_threads < 2 || !is_foreign
      || (rows->sharing->is_uniform
          && !sharing_is_uniform (pairs, row.n_threads))) {
    g_array_set_size (rows->pairs, row.first_pair);
    return;
  }
  row.named = dg_variables_named (rows->sharing->variables, row.variable);
  if (row.named->is_runtime
      && sharing_is_left_out (rows->sharing, row.writes)) {
    rows->runtime_rows++;
    rows->runtime_accesses += row.reads + row.writes;
    g_array_set_size (rows->pairs, row.first_pair);
    return;
  }
  g_array_append_val (rows->rows, row);
}

/* The rows of the next address that has any.  */
static bool
next_address (struct sharing_rows *rows)
{
  const struct dg_sum *sum = dg_sums_next (&rows->cursor);

  rows->at = 0;
  g_array_set_size (rows->rows, 0);
  while (sum != NULL && rows->rows->len == 0) {
    uint64_t address = sum->key[SHARING_ADDRESS];
    guint first = 0;

    g_array_set_size (rows->sums, 0);
    g_array_set_size (rows->pairs, 0);
    for (; sum != NULL && sum->key[SHARING_ADDRESS] == address;
         sum = dg_sums_next (&rows->cursor)) {
      guint n = rows->sums->len;

      if (n > first
          && g_array_index (rows->sums, struct dg_sum, first)
                 .key[SHARING_VARIABLE] != sum->key[SHARING_VARIABLE]) {
        add_row (rows, first, n);
        first = n;
      }
      g_array_append_val (rows->sums, *sum);
    }
    add_row (rows, first, rows->sums->len);
  }
  rows->cursor.is_held = sum != NULL;
  if (rows->rows->len > 1)
    g_array_sort (rows->rows, compare_rows);
  return rows->rows->len > 0;
}

const struct sharing_row *
sharing_rows_next (struct sharing_rows *rows)
{
  struct sharing_row *row;

  if (rows->at >= rows->rows->len && !next_address (rows))
    return NULL;
  row = &g_array_index (rows->rows, struct sharing_row, rows->at++);
  row->threads = &g_array_index (rows->pairs, struct dg_pair, row->first_pair);
  row->sums = &g_array_index (rows->sums, struct dg_sum, row->first);
  return row;
}

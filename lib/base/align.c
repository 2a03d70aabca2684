/* align.c: which things of several runs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sized.h"

/* So many pairs of two sequences are compared at most, and of all; others are
   paired in their order.  */
#define MOST_PAIRS ((size_t) 1 << 22)
#define MOST_PAIRS_OF_ALL ((size_t) 1 << 25)
/* Of more, the most alike are not searched for.  */
#define MOST_TO_SEARCH 100

/* Rows of all tables that were aligned so far.  */
struct all {
  const struct dg_align_options *options;
  const struct dg_align_table *tables;
  size_t n;
  uint32_t *rows;          /* groups of n */
  uint32_t n_groups;
};

/* A row of one side, of those with the same names.  */
struct member {
  const char *name;
  uint64_t line, order;    /* as in struct dg_align_row */
  uint32_t index;          /* of the group, or of the row */
};

struct members {
  struct member *items;
  size_t n;
};

static uint32_t *
group_at (const struct all *all, uint32_t i)
{
  return all->rows + (size_t) i * all->n;
}

/* The row of a group in the latest table that has it.  */
static const struct dg_align_row *
latest (const struct all *all, uint32_t i)
{
  const uint32_t *group = group_at (all, i);
  size_t table = all->n - 1;

  while (group[table] == DG_ALIGN_NONE)
    table--;
  return &all->tables[table].rows[group[table]];
}

/* ---- Those with the same names ---------------------------------------- */

static int
compare_members (const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  int result = strcmp (x->name, y->name);

  if (result != 0)
    return result;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Placing the rows of a table among those of the tables before.  */
struct pairing {
  struct all *all;
  size_t table;
  uint32_t n_old;          /* groups before */
  bool *is_placed;         /* rows of that table */
  /* Rows with the same names as some on the other side: what is not paired
     with these is not the same as anything.  */
  bool *old_met, *new_met;
  size_t n_compared;       /* pairs */
};

static void
add_member (struct members *to, const struct dg_align_row *row, unsigned by,
            uint32_t index)
{
  /* What has no names in common is not the same.  */
  if (row->names[by][0] != '\0')
    to->items[to->n++] =
      (struct member) { row->names[by], row->line, row->order, index };
}

/* The rows before that have met none, by their names.  0 or DG_ERR_NOMEM.  */
static int
members_before (const struct pairing *pairing, unsigned by,
                struct members *members)
{
  members->n = 0;
  members->items = g_try_new (struct member, (size_t) pairing->n_old + 1);
  if (members->items == NULL)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < pairing->n_old; i++)
    if (!pairing->old_met[i])
      add_member (members, latest (pairing->all, i), by, i);
  qsort (members->items, members->n, sizeof *members->items, compare_members);
  return 0;
}

/* And those of this table.  */
static int
members_of (const struct pairing *pairing, unsigned by,
            struct members *members)
{
  const struct dg_align_table *table = &pairing->all->tables[pairing->table];

  members->n = 0;
  members->items = g_try_new (struct member, table->n + 1);
  if (members->items == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < table->n; i++)
    if (!pairing->new_met[i])
      add_member (members, &table->rows[i], by, (uint32_t) i);
  qsort (members->items, members->n, sizeof *members->items, compare_members);
  return 0;
}

/* ---- Sequences -------------------------------------------------------- */

static void
pair (struct pairing *pairing, const struct member *old,
      const struct member *new)
{
  group_at (pairing->all, old->index)[pairing->table] = new->index;
  pairing->is_placed[new->index] = true;
}

/* How alike measures are: 0 to 1.  */
static double
similarity (const double *left, const double *right, unsigned n)
{
  double sum = 0;

  for (unsigned i = 0; i < n; i++) {
    /* Not 0 / 0.  */
    if (left[i] == right[i])
      sum += 1;
    else if (left[i] > 0 && right[i] > 0)
      sum += MIN (left[i], right[i]) / MAX (left[i], right[i]);
  }
  return n > 0 ? sum / n : 1;
}

/* A pair is worth something; the more, the more alike the two are.  */
static float
worth (const struct pairing *pairing, const struct member *old,
       const struct member *new)
{
  const struct all *all = pairing->all;
  const struct dg_align_row *row =
    &all->tables[pairing->table].rows[new->index];

  return (float) (1
                  + 2 * similarity (latest (all, old->index)->measures,
                                    row->measures, all->options->n_measures));
}

enum step { BOTH, OLD_ONLY, NEW_ONLY };

/* steps: (n_old + 1) * (n_new + 1), of the best way to the beginning; best:
   n_new + 1 zeros.  */
static void
fill_steps (const struct pairing *pairing, const struct member *old,
            size_t n_old, const struct member *new, size_t n_new,
            uint8_t *steps, float *best)
{
  size_t width = n_new + 1;

  memset (steps, NEW_ONLY, width);
  for (size_t i = 1; i <= n_old; i++) {
    float corner = best[0];

    steps[i * width] = OLD_ONLY;
    for (size_t j = 1; j <= n_new; j++) {
      float value = corner + worth (pairing, &old[i - 1], &new[j - 1]);
      enum step step = BOTH;

      corner = best[j];
      if (best[j] > value) {
        value = best[j];
        step = OLD_ONLY;
      }
      if (best[j - 1] > value) {
        value = best[j - 1];
        step = NEW_ONLY;
      }
      best[j] = value;
      steps[i * width + j] = (uint8_t) step;
    }
  }
}

/* Whether they are on the same lines, so that nothing has moved.  */
static bool
has_same_lines (const struct member *old, const struct member *new, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (old[i].line != new[i].line)
      return false;
  return true;
}

/* Few of each: the two that are the most alike are the same, and so on.  */
static void
pair_best (struct pairing *pairing, const struct member *old, size_t n_old,
           const struct member *new, size_t n_new)
{
  bool taken[MOST_TO_SEARCH] = { false };

  for (size_t left = MIN (n_old, n_new); left > 0; left--) {
    size_t x = 0, y = 0;
    float best = -1;

    for (size_t i = 0; i < n_old; i++)
      for (size_t j = 0; j < n_new && !taken[i]; j++) {
        float value = pairing->is_placed[new[j].index]
                        ? -1
                        : worth (pairing, &old[i], &new[j]);

        if (value > best) {
          best = value;
          x = i;
          y = j;
        }
      }
    taken[x] = true;
    pair (pairing, &old[x], &new[y]);
  }
}

static int
pair_sequences (struct pairing *pairing, const struct member *old,
                size_t n_old, const struct member *new, size_t n_new)
{
  size_t i = n_old, j = n_new, width = n_new + 1;
  uint8_t *steps;
  float *best;
  bool is_good;

  if (pairing->all->options->takes_best
      && MAX (n_old, n_new) <= MOST_TO_SEARCH) {
    pair_best (pairing, old, n_old, new, n_new);
    return 0;
  }
  if ((n_old == n_new && has_same_lines (old, new, n_old))
      || n_old > MOST_PAIRS / n_new
      || pairing->n_compared > MOST_PAIRS_OF_ALL) {
    for (size_t k = 0; k < MIN (n_old, n_new); k++)
      pair (pairing, &old[k], &new[k]);
    return 0;
  }
  pairing->n_compared += n_old * n_new;
  steps = g_try_malloc ((n_old + 1) * width);
  best = g_try_new0 (float, width);
  is_good = steps != NULL && best != NULL;
  if (is_good)
    fill_steps (pairing, old, n_old, new, n_new, steps, best);
  while (is_good && i > 0 && j > 0)
    switch (steps[i * width + j]) {
    case BOTH:
      pair (pairing, &old[--i], &new[--j]);
      break;
    case OLD_ONLY:
      i--;
      break;
    default:
      j--;
    }
  g_free (steps);
  g_free (best);
  return is_good ? 0 : DG_ERR_NOMEM;
}

/* The end of the members from the first on that have the same names.  */
static size_t
end_of (const struct members *members, size_t first)
{
  size_t end = first;

  while (end < members->n
         && strcmp (members->items[end].name, members->items[first].name) == 0)
    end++;
  return end;
}

static void
note_met (bool *met, const struct members *members, size_t first, size_t end)
{
  for (size_t i = first; i < end; i++)
    met[members->items[i].index] = true;
}

static int
pair_members (struct pairing *pairing, const struct members *old,
              const struct members *new)
{
  size_t i = 0, j = 0;
  int code = 0;

  while (i < old->n && j < new->n && code == 0) {
    int order = strcmp (old->items[i].name, new->items[j].name);
    size_t end_i = order <= 0 ? end_of (old, i) : i;
    size_t end_j = order >= 0 ? end_of (new, j) : j;

    if (order == 0) {
      code = pair_sequences (pairing, old->items + i, end_i - i,
                             new->items + j, end_j - j);
      note_met (pairing->old_met, old, i, end_i);
      note_met (pairing->new_met, new, j, end_j);
    }
    i = end_i;
    j = end_j;
  }
  return code;
}

static int
pair_by_names (struct pairing *pairing, unsigned by)
{
  struct members old = { .n = 0 }, new = { .n = 0 };
  int code = members_before (pairing, by, &old);

  if (code == 0)
    code = members_of (pairing, by, &new);
  if (code == 0)
    code = pair_members (pairing, &old, &new);
  g_free (old.items);
  g_free (new.items);
  return code;
}

/* ---- All tables ------------------------------------------------------- */

/* A row that no table before has.  */
static void
add_group (struct all *all, size_t table, uint32_t row)
{
  uint32_t *group = group_at (all, all->n_groups++);

  for (size_t k = 0; k < all->n; k++)
    group[k] = DG_ALIGN_NONE;
  group[table] = row;
}

static int
add_table (struct all *all, size_t table)
{
  size_t n = all->tables[table].n;
  struct pairing pairing = { .all = all, .table = table,
                             .n_old = all->n_groups,
                             .is_placed = g_try_new0 (bool, n + 1),
                             .old_met = g_try_new0 (bool, all->n_groups + 1),
                             .new_met = g_try_new0 (bool, n + 1) };
  int code = pairing.is_placed != NULL && pairing.old_met != NULL
                 && pairing.new_met != NULL
               ? 0
               : DG_ERR_NOMEM;

  for (unsigned by = 0; by < all->options->n_names && code == 0; by++)
    code = pair_by_names (&pairing, by);
  for (size_t i = 0; i < n && code == 0; i++)
    if (!pairing.is_placed[i])
      add_group (all, table, (uint32_t) i);
  g_free (pairing.is_placed);
  g_free (pairing.old_met);
  g_free (pairing.new_met);
  return code;
}

/* In the order of the last table.  */
static gint
compare_groups (gconstpointer a, gconstpointer b, gpointer user)
{
  size_t n = *(const size_t *) user;
  const uint32_t *x = a, *y = b;

  for (size_t k = n; k-- > 0;)
    if (x[k] != y[k])
      return x[k] < y[k] ? -1 : 1;
  return 0;
}

int
dg_align (const struct dg_align_options *options,
          const struct dg_align_table *tables, size_t n, uint32_t **groups,
          size_t *n_groups, struct dg_error *err)
{
  struct dg_align_options own;
  struct all all = { &own, tables, n, NULL, 0 };
  int code = DG_SIZED_TAKE (&own, takes_best, options, err);
  size_t most = 0;

  *groups = NULL;
  *n_groups = 0;
  if (code < 0)
    return code;
  for (size_t i = 0; i < n; i++)
    most += tables[i].n;
  if (n > 0 && most < UINT32_MAX && most < SIZE_MAX / sizeof (uint32_t) / n)
    all.rows = malloc ((most * n + 1) * sizeof (uint32_t));
  code = all.rows != NULL ? 0 : DG_ERR_NOMEM;
  for (size_t i = 0; i < n && code == 0; i++)
    code = add_table (&all, i);
  if (code < 0) {
    free (all.rows);
    return dg_error_nomem (err);
  }
  if (all.n_groups > 0)
    g_qsort_with_data (all.rows, (gint) all.n_groups, n * sizeof (uint32_t),
                       compare_groups, &n);
  *groups = all.rows;
  *n_groups = all.n_groups;
  return 0;
}

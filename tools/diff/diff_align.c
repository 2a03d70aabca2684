/* diff_align.c: which rows of the tables of several logs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_align.h"

#include <string.h>

/* So many pairs of two sequences are compared at most, and of all; others are
   paired in their order.  */
#define MOST_PAIRS ((size_t) 1 << 22)
#define MOST_PAIRS_OF_ALL ((size_t) 1 << 25)
/* Of more, the most alike are not searched for.  */
#define MOST_FINDINGS 100

/* Rows of all logs that were aligned so far.  */
struct all {
  const struct diff_table *const *tables;
  unsigned n;
  GArray *rows;            /* groups of n uint32_t */
};

/* A row of one side, of those with the same names.  */
struct member {
  const char *names;
  uint64_t line, order;    /* as in struct diff_row */
  uint32_t index;          /* of the group of numbers, or of the row */
};

static uint32_t *
group_at (const struct all *all, uint32_t i)
{
  return (uint32_t *) (void *) all->rows->data + (size_t) i * all->n;
}

static uint32_t
n_groups (const struct all *all)
{
  return all->rows->len / all->n;
}

/* The latest log that has the row.  */
static unsigned
latest (const struct all *all, uint32_t i)
{
  const uint32_t *group = group_at (all, i);
  unsigned log = all->n - 1;

  while (group[log] == DIFF_NO_ROW)
    log--;
  return log;
}

/* ---- Those with the same names ---------------------------------------- */

static gint
compare_members (gconstpointer a, gconstpointer b)
{
  const struct member *x = a, *y = b;
  int result = strcmp (x->names, y->names);

  if (result != 0)
    return result;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Placing the rows of a log among those of the logs before.  */
struct pairing {
  struct all *all;
  unsigned log;
  GByteArray *is_placed;   /* rows of that log's table */
  /* Rows with the same names as some on the other side: what is not paired
     with these is not the same as anything.  */
  GByteArray *old_met, *new_met;
  size_t n_compared;       /* pairs */
};

/* The rows before, and those of this log, that have met none, by their
   names.  */
static GArray *
members_before (const struct pairing *pairing, enum diff_names by)
{
  const struct all *all = pairing->all;
  GArray *members = g_array_new (FALSE, FALSE, sizeof (struct member));

  for (uint32_t i = 0; i < n_groups (all); i++) {
    const struct diff_row *row;
    struct member member;
    unsigned last;

    if (pairing->old_met->data[i])
      continue;
    last = latest (all, i);
    row = &g_array_index (all->tables[last]->rows, struct diff_row,
                          group_at (all, i)[last]);
    member = (struct member) {row->names[by], row->line,
                              row->order, i};
    /* What has no names in common is not the same.  */
    if (member.names[0] != '\0')
      g_array_append_val (members, member);
  }
  g_array_sort (members, compare_members);
  return members;
}

static GArray *
members_of (const struct pairing *pairing, enum diff_names by)
{
  const struct diff_table *table = pairing->all->tables[pairing->log];
  GArray *members = g_array_new (FALSE, FALSE, sizeof (struct member));

  for (uint32_t i = 0; i < table->rows->len; i++) {
    const struct diff_row *row =
      &g_array_index (table->rows, struct diff_row, i);
    struct member member = {row->names[by], row->line,
                            row->order, i};

    if (!pairing->new_met->data[i] && member.names[0] != '\0')
      g_array_append_val (members, member);
  }
  g_array_sort (members, compare_members);
  return members;
}

/* ---- Sequences -------------------------------------------------------- */

static void
pair (struct pairing *pairing, const struct member *old,
      const struct member *new)
{
  group_at (pairing->all, old->index)[pairing->log] = new->index;
  pairing->is_placed->data[new->index] = 1;
}

static bool
has_rules (const struct pairing *pairing)
{
  const struct diff_table *table = pairing->all->tables[pairing->log];

  return table->rule < table->item->n_columns;
}

/* A pair is worth something; the more, the more alike the two are.  */
static float
worth (const struct pairing *pairing, const struct member *old,
       const struct member *new)
{
  const struct all *all = pairing->all;
  unsigned last = latest (all, old->index);

  return (float) (1
                  + 2 * diff_table_similarity (
                      all->tables[last], group_at (all, old->index)[last],
                      all->tables[pairing->log], new->index));
}

enum step { BOTH, OLD_ONLY, NEW_ONLY };

/* steps: (n_old + 1) * (n_new + 1), of the best way to the beginning.  */
static void
fill_steps (const struct pairing *pairing, const struct member *old,
            size_t n_old, const struct member *new, size_t n_new,
            uint8_t *steps)
{
  float *best = g_new0 (float, n_new + 1);
  size_t width = n_new + 1;

  memset (steps, NEW_ONLY, width);
  for (size_t i = 1; i <= n_old; i++) {
    float corner = best[0];

    steps[i * width] = OLD_ONLY;
    for (size_t j = 1; j <= n_new; j++) {
      float both = corner + worth (pairing, &old[i - 1], &new[j - 1]);
      enum step step = BOTH;
      float value = both;

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
      steps[i * width + j] = step;
    }
  }
  g_free (best);
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

/* Findings of a function are few, and their lines say little: the two that are
   the most alike are the same, and so on.  */
static void
pair_best (struct pairing *pairing, const struct member *old, size_t n_old,
           const struct member *new, size_t n_new)
{
  bool *taken = g_new0 (bool, n_old);

  for (size_t left = MIN (n_old, n_new); left > 0; left--) {
    size_t x = 0, y = 0;
    float best = -1;

    for (size_t i = 0; i < n_old; i++)
      for (size_t j = 0; j < n_new && !taken[i]; j++) {
        float value = pairing->is_placed->data[new[j].index]
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
  g_free (taken);
}

static void
pair_sequences (struct pairing *pairing, const struct member *old,
                size_t n_old, const struct member *new, size_t n_new)
{
  size_t i = n_old, j = n_new, width = n_new + 1;
  uint8_t *steps;

  if (has_rules (pairing) && MAX (n_old, n_new) <= MOST_FINDINGS) {
    pair_best (pairing, old, n_old, new, n_new);
    return;
  }
  if ((n_old == n_new && has_same_lines (old, new, n_old))
      || n_old > MOST_PAIRS / n_new
      || pairing->n_compared > MOST_PAIRS_OF_ALL) {
    for (size_t k = 0; k < MIN (n_old, n_new); k++)
      pair (pairing, &old[k], &new[k]);
    return;
  }
  pairing->n_compared += n_old * n_new;
  steps = g_malloc ((n_old + 1) * width);
  fill_steps (pairing, old, n_old, new, n_new, steps);
  while (i > 0 && j > 0)
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
}

/* The end of the members from the first on that have the same names.  */
static guint
end_of (const GArray *members, guint first)
{
  const struct member *m = (const struct member *) (void *) members->data;
  guint end = first;

  while (end < members->len && strcmp (m[end].names, m[first].names) == 0)
    end++;
  return end;
}

static void
note_met (GByteArray *met, const struct member *members, guint first,
          guint end)
{
  for (guint i = first; i < end; i++)
    met->data[members[i].index] = 1;
}

static void
pair_by_names (struct pairing *pairing, enum diff_names by)
{
  GArray *old = members_before (pairing, by);
  GArray *new = members_of (pairing, by);
  const struct member *o = (const struct member *) (void *) old->data;
  const struct member *n = (const struct member *) (void *) new->data;
  guint i = 0, j = 0;

  while (i < old->len && j < new->len) {
    int order = strcmp (o[i].names, n[j].names);
    guint end_i = order <= 0 ? end_of (old, i) : i;
    guint end_j = order >= 0 ? end_of (new, j) : j;

    if (order == 0) {
      pair_sequences (pairing, o + i, end_i - i, n + j, end_j - j);
      note_met (pairing->old_met, o, i, end_i);
      note_met (pairing->new_met, n, j, end_j);
    }
    i = end_i;
    j = end_j;
  }
  g_array_unref (old);
  g_array_unref (new);
}

/* ---- All logs --------------------------------------------------------- */

/* A row that no log before has.  */
static void
add_group (struct all *all, unsigned log, uint32_t row)
{
  uint32_t none = DIFF_NO_ROW;

  for (unsigned k = 0; k < all->n; k++)
    g_array_append_val (all->rows, none);
  group_at (all, n_groups (all) - 1)[log] = row;
}

/* n marks, none of which is set.  */
static GByteArray *
marks_new (guint n)
{
  GByteArray *marks = g_byte_array_sized_new (n + 1);

  g_byte_array_set_size (marks, n + 1);
  memset (marks->data, 0, n + 1);
  return marks;
}

static void
add_log (struct all *all, unsigned log)
{
  guint n = all->tables[log]->rows->len;
  struct pairing pairing = {.all = all, .log = log,
                            .is_placed = marks_new (n),
                            .old_met = marks_new (n_groups (all)),
                            .new_met = marks_new (n)};

  for (unsigned by = 0; by < DIFF_N_NAMES; by++)
    pair_by_names (&pairing, by);
  for (uint32_t i = 0; i < n; i++)
    if (!pairing.is_placed->data[i])
      add_group (all, log, i);
  g_byte_array_unref (pairing.is_placed);
  g_byte_array_unref (pairing.old_met);
  g_byte_array_unref (pairing.new_met);
}

/* In the order of the last table.  */
static gint
compare_groups (gconstpointer a, gconstpointer b, gpointer user)
{
  unsigned n = *(const unsigned *) user;
  const uint32_t *x = a, *y = b;

  for (unsigned k = n; k-- > 0;)
    if (x[k] != y[k])
      return x[k] < y[k] ? -1 : 1;
  return 0;
}

GArray *
diff_align (const struct diff_table *const *tables, unsigned n)
{
  struct all all = {tables, n,
                    g_array_new (FALSE, FALSE, sizeof (uint32_t))};

  for (unsigned log = 0; log < n; log++)
    if (tables[log] != NULL)
      add_log (&all, log);
  if (all.rows->len > 0)
    g_qsort_with_data (all.rows->data, (gint) n_groups (&all),
                       n * sizeof (uint32_t), compare_groups, &n);
  return all.rows;
}

/* callrows.c: the rows of a call tree.

   Callees: a row is a node of the tree.  Callers: a row stands for all nodes
   whose paths end with the row's, read from the innermost; it keeps them as
   pairs, of the node that accesses memory and the caller of it that the row
   is about.  Children come after their parents and side by side, so a row's
   place among its brothers is a subtraction.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "callrows.h"

#include <string.h>

struct pair {
  uint32_t leaf, at;           /* nodes of the tree */
};

static struct dv_callrow *
row_of (const struct dv_callrows *rows, uint32_t row)
{
  return &g_array_index (rows->rows, struct dv_callrow, row);
}

static const struct pair *
pair_of (const struct dv_callrows *rows, uint32_t pair)
{
  return &g_array_index (rows->pairs, struct pair, pair);
}

static uint64_t
key_of (const struct dv_callrows *rows, uint32_t parent, uint32_t function)
{
  uint64_t hash = row_of (rows, parent)->key * 0x9e3779b97f4a7c15
                  ^ dv_calltree_function (rows->tree, function)->key;
  return hash ^ hash >> 29;
}

/* ---- Making ----------------------------------------------------------- */

/* All nodes that access memory themselves.  */
static void
add_leaves (struct dv_callrows *rows)
{
  const struct dv_calltree *tree = rows->tree;
  struct dv_callrow *root = row_of (rows, 0);
  for (uint32_t i = 1; i < tree->n; i++) {
    struct pair pair = { i, i };
    if (dv_tally_count_accesses (&tree->nodes[i].self) > 0)
      g_array_append_val (rows->pairs, pair);
  }
  root->n_pairs = rows->pairs->len;
  root->has_children = rows->pairs->len > 0;
}

struct dv_callrows *
dv_callrows_new (struct dv_calltree *tree, bool are_callers,
                 enum dv_call_order order)
{
  struct dv_callrows *rows = g_new0 (struct dv_callrows, 1);
  rows->tree = dv_calltree_ref (tree);
  rows->are_callers = are_callers;
  rows->order = order;
  rows->rows = g_array_new (FALSE, FALSE, sizeof (struct dv_callrow));
  rows->pairs = g_array_new (FALSE, FALSE, sizeof (struct pair));
  struct dv_callrow root = {
    .function = DV_CALL_NONE, .parent = DV_CALL_NONE,
    .self = tree->nodes[0].self, .all = tree->nodes[0].all, .key = 1,
    .has_children = tree->n > 1,
  };
  g_array_append_val (rows->rows, root);
  if (are_callers)
    add_leaves (rows);
  return rows;
}

void
dv_callrows_free (struct dv_callrows *rows)
{
  if (rows == NULL)
    return;
  g_array_unref (rows->rows);
  g_array_unref (rows->pairs);
  dv_calltree_unref (rows->tree);
  g_free (rows);
}

static void
add_callees (struct dv_callrows *rows, uint32_t parent)
{
  const struct dv_calltree *tree = rows->tree;
  uint32_t node = dv_calltree_child (tree, row_of (rows, parent)->node);
  for (; node != DV_CALL_NONE; node = dv_calltree_next (tree, node)) {
    const struct dv_call_node *n = &tree->nodes[node];
    struct dv_callrow row = {
      .function = n->function, .parent = parent, .line = n->line,
      .file = n->file, .self = n->self, .all = n->all,
      .key = key_of (rows, parent, n->function), .node = node,
      .has_children = n->end > node + 1,
    };
    g_array_append_val (rows->rows, row);
  }
}

static int
compare_callers (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_calltree *tree = data;
  const struct pair *x = a, *y = b;
  uint32_t f = tree->nodes[x->at].function, g = tree->nodes[y->at].function;
  if (f != g)
    return f < g ? -1 : 1;
  return x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

/* A row for the pairs [from, to), which are at one function.  */
static void
add_caller (struct dv_callrows *rows, uint32_t parent, uint32_t from,
            uint32_t to)
{
  const struct dv_call_node *nodes = rows->tree->nodes;
  struct dv_callrow row = {
    .function = nodes[pair_of (rows, from)->at].function, .parent = parent,
    .pairs = from, .n_pairs = to - from,
  };
  uint64_t most = 0;
  for (uint32_t i = from; i < to; i++) {
    const struct pair *pair = pair_of (rows, i);
    const struct dv_tally_count *self = &nodes[pair->leaf].self;
    dv_tally_count_add (&row.all, self);
    row.has_children = row.has_children || nodes[pair->at].parent != 0;
    if (dv_tally_count_accesses (self) > most) {
      most = dv_tally_count_accesses (self);
      row.file = nodes[pair->at].file;
      row.line = nodes[pair->at].line;
    }
  }
  row.self = row.all;
  row.key = key_of (rows, parent, row.function);
  g_array_append_val (rows->rows, row);
}

static void
add_callers (struct dv_callrows *rows, uint32_t parent)
{
  struct dv_calltree *tree = rows->tree;
  const struct dv_callrow *row = row_of (rows, parent);
  uint32_t first = row->pairs, n = row->n_pairs;
  uint32_t start = parent == 0 ? 0 : rows->pairs->len;
  for (uint32_t i = first; i < first + n && parent != 0; i++) {
    struct pair pair = *pair_of (rows, i);
    pair.at = tree->nodes[pair.at].parent;
    if (pair.at != 0)
      g_array_append_val (rows->pairs, pair);
  }
  uint32_t end = rows->pairs->len;
  if (end > start)
    g_qsort_with_data (&g_array_index (rows->pairs, struct pair, start),
                       (gint) (end - start), sizeof (struct pair),
                       compare_callers, tree);
  for (uint32_t i = start; i < end;) {
    uint32_t j = i, function = tree->nodes[pair_of (rows, i)->at].function;
    while (j < end
           && tree->nodes[pair_of (rows, j)->at].function == function)
      j++;
    add_caller (rows, parent, i, j);
    i = j;
  }
}

static uint64_t
sort_value (const struct dv_callrow *row, enum dv_call_order order)
{
  switch (order) {
  case DV_CALL_BY_SELF:
    return dv_tally_count_accesses (&row->self);
  case DV_CALL_BY_READS:
    return row->all.reads;
  case DV_CALL_BY_WRITES:
    return row->all.writes;
  case DV_CALL_BY_BYTES:
    return dv_call_weigh (&row->all, DV_CALL_BYTES);
  default:
    return dv_tally_count_accesses (&row->all);
  }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct dv_callrows *rows = data;
  const struct dv_callrow *x = a, *y = b;
  uint64_t more = sort_value (x, rows->order);
  uint64_t less = sort_value (y, rows->order);
  if (rows->order == DV_CALL_BY_NAME || more == less)
    return strcmp (dv_calltree_function (rows->tree, x->function)->label,
                   dv_calltree_function (rows->tree, y->function)->label);
  return more > less ? -1 : 1;
}

uint32_t
dv_callrows_children (struct dv_callrows *rows, uint32_t row,
                      uint32_t *first)
{
  if (!row_of (rows, row)->is_made) {
    uint32_t start = rows->rows->len;
    if (rows->are_callers)
      add_callers (rows, row);
    else
      add_callees (rows, row);
    uint32_t n = rows->rows->len - start;
    if (n > 1)
      g_qsort_with_data (row_of (rows, start), (gint) n,
                         sizeof (struct dv_callrow), compare_rows, rows);
    row_of (rows, row)->is_made = true;
    row_of (rows, row)->first = start;
    row_of (rows, row)->n = n;
  }
  *first = row_of (rows, row)->first;
  return row_of (rows, row)->n;
}

/* ---- Asking ----------------------------------------------------------- */

const struct dv_callrow *
dv_callrows_row (const struct dv_callrows *rows, uint32_t row)
{
  return row_of (rows, row);
}

uint32_t
dv_callrows_place (const struct dv_callrows *rows, uint32_t row)
{
  uint32_t parent = row_of (rows, row)->parent;
  return parent == DV_CALL_NONE ? 0 : row - row_of (rows, parent)->first;
}

const char *
dv_callrows_label (const struct dv_callrows *rows, uint32_t row)
{
  uint32_t function = row_of (rows, row)->function;
  return function == DV_CALL_NONE
         ? dv_calltree_label (rows->tree, 0)
         : dv_calltree_function (rows->tree, function)->label;
}

struct dv_highlight *
dv_callrows_highlight (const struct dv_callrows *rows, uint32_t row)
{
  const struct dv_calltree *tree = rows->tree;
  const struct dv_callrow *r = row_of (rows, row);
  if (!rows->are_callers || row == 0)
    return dv_calltree_highlight (tree, r->node);
  struct dv_highlight *highlight
    = dv_highlight_new (dv_callrows_label (rows, row));
  uint8_t *is_meant = g_new0 (uint8_t, tree->n);
  for (uint32_t i = 0; i < r->n_pairs; i++)
    is_meant[pair_of (rows, r->pairs + i)->leaf] = 1;
  const GArray *contexts = tree->tally->contexts;
  for (guint i = 0; i < contexts->len; i++)
    if (is_meant[tree->leaves[i]])
      dv_highlight_add_context (
        highlight,
        g_array_index (contexts, struct dv_tally_context, i).context);
  g_free (is_meant);
  dv_highlight_finish (highlight);
  return highlight;
}

uint32_t
dv_callrows_heaviest (struct dv_callrows *rows, uint32_t row)
{
  uint32_t first, n = dv_callrows_children (rows, row, &first);
  uint32_t best = DV_CALL_NONE;
  uint64_t most = 0;
  for (uint32_t i = first; i < first + n; i++) {
    uint64_t all = dv_tally_count_accesses (&row_of (rows, i)->all);
    if (all > most) {
      most = all;
      best = i;
    }
  }
  const struct dv_callrow *r = row_of (rows, row);
  uint64_t own = rows->are_callers ? 0 : dv_tally_count_accesses (&r->self);
  return best != DV_CALL_NONE && most > own
         && most >= dv_tally_count_accesses (&r->all) / 8 ? best : row;
}

/* ---- Searching -------------------------------------------------------- */

struct search {
  struct dv_callrows *rows;
  const uint8_t *matches;
  /* Callees: how many nodes before this one match.  Callers: whether a row
     below this one matches.  */
  uint32_t *counts;
};

static void
search_init (struct search *search)
{
  const struct dv_callrows *rows = search->rows;
  const struct dv_calltree *tree = rows->tree;
  if (!rows->are_callers) {
    search->counts = g_new0 (uint32_t, (gsize) tree->n + 1);
    for (uint32_t i = 1; i < tree->n; i++)
      search->counts[i + 1] = search->counts[i]
                              + (search->matches[tree->nodes[i].function]
                                 != 0);
    return;
  }
  search->counts = g_new0 (uint32_t, rows->rows->len);
  for (uint32_t i = rows->rows->len; i-- > 1;) {
    const struct dv_callrow *row = row_of (rows, i);
    if (search->matches[row->function] || search->counts[i])
      search->counts[row->parent] = 1;
  }
}

static bool
is_match (const struct search *search, uint32_t row)
{
  return row != 0
         && search->matches[row_of (search->rows, row)->function];
}

static bool
has_match (const struct search *search, uint32_t row)
{
  const struct dv_callrow *r = row_of (search->rows, row);
  if (search->rows->are_callers)
    return search->counts[row] != 0;
  return search->counts[search->rows->tree->nodes[r->node].end]
         > search->counts[r->node + 1];
}

/* The first, or the last, match below a row that has one.  */
static uint32_t
descend (const struct search *search, uint32_t row, bool backwards)
{
  for (;;) {
    uint32_t first, n = dv_callrows_children (search->rows, row, &first);
    uint32_t below = DV_CALL_NONE;
    for (uint32_t i = 0; i < n && below == DV_CALL_NONE; i++) {
      uint32_t child = backwards ? first + n - 1 - i : first + i;
      if (is_match (search, child)
          && !(backwards && has_match (search, child)))
        return child;
      if (has_match (search, child))
        below = child;
    }
    if (below == DV_CALL_NONE)
      return DV_CALL_NONE;
    row = below;
  }
}

static uint32_t
find_forward (const struct search *search, uint32_t row)
{
  if (has_match (search, row))
    return descend (search, row, false);
  while (row != 0) {
    uint32_t first, parent = row_of (search->rows, row)->parent;
    uint32_t n = dv_callrows_children (search->rows, parent, &first);
    for (uint32_t i = row + 1; i < first + n; i++) {
      if (is_match (search, i))
        return i;
      if (has_match (search, i))
        return descend (search, i, false);
    }
    row = parent;
  }
  return DV_CALL_NONE;
}

static uint32_t
find_backward (const struct search *search, uint32_t row)
{
  while (row != 0) {
    uint32_t first, parent = row_of (search->rows, row)->parent;
    dv_callrows_children (search->rows, parent, &first);
    for (uint32_t i = row; i-- > first;) {
      if (has_match (search, i))
        return descend (search, i, true);
      if (is_match (search, i))
        return i;
    }
    if (is_match (search, parent))
      return parent;
    row = parent;
  }
  return DV_CALL_NONE;
}

uint32_t
dv_callrows_find (struct dv_callrows *rows, uint32_t row,
                  const uint8_t *matches, bool backwards)
{
  struct search search = { rows, matches, NULL };
  uint32_t first, found = DV_CALL_NONE;
  dv_callrows_children (rows, 0, &first);
  search_init (&search);
  if (row != DV_CALL_NONE && row != 0)
    found = backwards ? find_backward (&search, row)
                      : find_forward (&search, row);
  else if (has_match (&search, 0))
    found = descend (&search, 0, backwards);
  g_free (search.counts);
  return found;
}

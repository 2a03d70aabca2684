/* calltree_merge.c: two call trees as one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calltree_merge.h"

#include "i18n.h"
#include "model/log/refs.h"

static void
merged_clear (void *memory)
{
  struct dv_calltree_merged *merged = memory;
  dv_calltree_unref (merged->tree);
  g_free (merged->changes);
  dv_calltree_unref (merged->sides[0]);
  dv_calltree_unref (merged->sides[1]);
}

DV_DEFINE_REFS (dv_calltree_merged, merged_clear)

struct merge {
  struct dv_calltree *sides[2];
  struct dv_calltree *tree;
  GArray *nodes;           /* struct dv_call_node */
  GArray *changes;         /* struct dv_call_change */
  GHashTable *functions;   /* by module and label: number + 1 */
};

/* ---- Functions ------------------------------------------------------ */

/* The program itself may have another name in the other log.  */
static char *
key_of (const struct dv_call_function *function)
{
  char *base = function->module != NULL && function->module_number != 0
                 ? g_path_get_basename (function->module)
                 : g_strdup ("");
  char *key = g_strdup_printf ("%s\n%s", base, function->label);
  g_free (base);
  return key;
}

static uint32_t
function_of (struct merge *merge, const struct dv_call_function *function)
{
  char *key = key_of (function);
  guint number =
    GPOINTER_TO_UINT (g_hash_table_lookup (merge->functions, key));
  if (number != 0) {
    g_free (key);
    return number - 1;
  }
  struct dv_call_function *copy =
    dv_items_add (&merge->tree->functions, sizeof *copy);
  if (copy == NULL) {
    g_free (key);
    return DV_CALL_NONE;
  }
  *copy = *function;
  copy->label = g_strdup (function->label);
  copy->key = (uint64_t) g_str_hash (key) * 0x9e3779b97f4a7c15u;
  number = merge->tree->functions.n;
  g_hash_table_insert (merge->functions, key, GUINT_TO_POINTER (number));
  return number - 1;
}

/* ---- Nodes ---------------------------------------------------------- */

/* A node of each tree; DV_CALL_NONE: it is not there.  */
struct both {
  uint32_t nodes[2];
  uint32_t function;       /* of the merged tree */
  uint64_t most;
};

static uint64_t
accesses_of (const struct merge *merge, unsigned side, uint32_t node)
{
  return node == DV_CALL_NONE
           ? 0
           : dv_tally_count_accesses (&merge->sides[side]->nodes[node].all);
}

static int
compare_both (gconstpointer a, gconstpointer b)
{
  const struct both *x = a, *y = b;
  if (x->most != y->most)
    return x->most > y->most ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* What the two call, each once, the heaviest first.  */
static GArray *
children_of (struct merge *merge, const struct both *both)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (struct both));
  GHashTable *seen = g_hash_table_new (NULL, NULL);
  for (unsigned s = 0; s < 2; s++) {
    const struct dv_calltree *tree = merge->sides[s];
    if (both->nodes[s] == DV_CALL_NONE)
      continue;
    for (uint32_t node = dv_calltree_child (tree, both->nodes[s]);
         node != DV_CALL_NONE; node = dv_calltree_next (tree, node)) {
      uint32_t function = function_of (
        merge, dv_calltree_function (tree, tree->nodes[node].function));
      gpointer key = GUINT_TO_POINTER (function);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (seen, key));
      if (place == 0) {
        struct both child = { { DV_CALL_NONE, DV_CALL_NONE }, function, 0 };
        g_array_append_val (children, child);
        place = children->len;
        g_hash_table_insert (seen, key, GUINT_TO_POINTER (place));
      }
      struct both *child = &g_array_index (children, struct both, place - 1);
      child->nodes[s] = node;
      child->most = MAX (child->most, accesses_of (merge, s, node));
    }
  }
  g_hash_table_unref (seen);
  g_array_sort (children, compare_both);
  return children;
}

/* Appends the two with all that they call; returns how wide they are.  */
static uint64_t
add_nodes (struct merge *merge, const struct both *both, uint32_t parent)
{
  struct dv_call_node node = { .function = both->function, .parent = parent };
  struct dv_call_change change = {
    accesses_of (merge, 0, both->nodes[0]),
    accesses_of (merge, 1, both->nodes[1]) };
  uint32_t number = merge->nodes->len;
  for (unsigned s = 0; s < 2; s++) {
    if (both->nodes[s] == DV_CALL_NONE)
      continue;
    const struct dv_call_node *old = &merge->sides[s]->nodes[both->nodes[s]];
    node.self.reads = MAX (node.self.reads,
                           dv_tally_count_accesses (&old->self));
    node.file = old->file;
    node.line = old->line;
  }
  g_array_append_val (merge->nodes, node);
  g_array_append_val (merge->changes, change);
  GArray *children = children_of (merge, both);
  uint64_t all = node.self.reads;
  for (guint i = 0; i < children->len; i++)
    all += add_nodes (merge, &g_array_index (children, struct both, i),
                      number);
  g_array_unref (children);
  struct dv_call_node *added =
    &g_array_index (merge->nodes, struct dv_call_node, number);
  added->all.reads = all;
  added->end = merge->nodes->len;
  return all;
}

struct dv_calltree_merged *
dv_calltree_merge (struct dv_calltree *before, struct dv_calltree *after)
{
  struct dv_calltree_merged *merged =
    g_atomic_rc_box_new0 (struct dv_calltree_merged);
  struct dv_calltree *tree = g_atomic_rc_box_new0 (struct dv_calltree);
  struct merge merge = { { before, after }, tree,
                         g_array_new (FALSE, FALSE,
                                      sizeof (struct dv_call_node)),
                         g_array_new (FALSE, FALSE,
                                      sizeof (struct dv_call_change)),
                         g_hash_table_new_full (dg_hash_text, g_str_equal,
                                                g_free, NULL) };
  const struct both root = { { 0, after != NULL ? 0 : DV_CALL_NONE },
                             DV_CALL_NONE, 0 };
  add_nodes (&merge, &root, DV_CALL_NONE);
  tree->n = merge.nodes->len;
  tree->nodes =
    (struct dv_call_node *) (void *) g_array_free (merge.nodes, FALSE);
  merged->tree = tree;
  merged->changes =
    (struct dv_call_change *) (void *) g_array_free (merge.changes, FALSE);
  merged->sides[0] = dv_calltree_ref (before);
  merged->sides[1] = after != NULL ? dv_calltree_ref (after) : NULL;
  g_hash_table_unref (merge.functions);
  return merged;
}

/* ---- For people ----------------------------------------------------- */

struct dv_rgb
dv_call_change_colour (const struct dv_call_change *change, bool is_dark)
{
  static const struct dv_rgb same[2] = { { 0.84, 0.85, 0.87 },
                                         { 0.29, 0.32, 0.36 } };
  static const struct dv_rgb more[2] = { { 0.95, 0.56, 0.10 },
                                         { 0.78, 0.40, 0.00 } };
  static const struct dv_rgb less[2] = { { 0.34, 0.63, 0.95 },
                                         { 0.10, 0.42, 0.75 } };
  uint64_t most = MAX (change->before, change->after);
  uint64_t least = MIN (change->before, change->after);
  if (most == least)
    return same[is_dark];
  /* A small change must be seen, too.  */
  double size = 0.15 + 0.85 * (double) (most - least) / (double) most;
  return dv_palette_blend (&same[is_dark],
                           change->after > change->before ? &more[is_dark]
                                                          : &less[is_dark],
                           size);
}

char *
dv_call_change_text (const struct dv_call_change *change)
{
  char before[32], after[32];
  dg_number_text (before, sizeof before, change->before);
  dg_number_text (after, sizeof after, change->after);
  if (change->before == 0)
    /* TRANSLATORS: accesses of a function in two logs.  */
    return g_strdup_printf (_ ("%s before, %s after"), before, after);
  double relative = (double) change->after / (double) change->before - 1;
  char share[32];
  dg_number_text_percent (share, sizeof share, ABS (relative));
  return g_strdup_printf (relative < 0 ? _ ("%s before, %s after (−%s)")
                                       : _ ("%s before, %s after (+%s)"),
                          before, after, share);
}

/* calls_tree.c: call paths by function, with the cost of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <dg_record.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/lookup.h"
#include "base/shown.h"

#define ROOT      0
#define MAX_CHAIN 64

/* Node 0 is the root, which is not a function.  Parents stand before their
   children.  */
struct node {
  uint32_t parent, function;
  uint64_t self[CALLS_COUNTED], all[CALLS_COUNTED];
};

/* The same by the time model.  */
struct node_time { uint64_t self[CALLS_TIMES], all[CALLS_TIMES]; };

struct calls_tree {
  const struct dg_log *log;
  struct calls_code *code;
  struct calls_tables tables;
  bool inlined;
  struct node *nodes;
  uint32_t n, room;
  struct node_time *times; /* of each node; NULL: not asked for */
  uint32_t room_times;
  /* With these, of each context: the nodes of its instructions, or of all of
     them; NULL: it did not run.  */
  uint32_t **of_context;
  struct dg_lookup lookup; /* by parent and function */
  GHashTable *of_path;     /* number of a path -> its node, + 1 */
  bool has_failed;         /* out of memory */
};

/* ---- Nodes ---- */

/* Without memory: the parent.  */
static uint32_t
child (struct calls_tree *tree, uint32_t parent, uint32_t function)
{
  uint64_t hash = dg_hash ((uint64_t) parent << 32 | function);
  struct dg_probe probe = dg_lookup_probe (&tree->lookup, hash);
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (tree->nodes[i].parent == parent && tree->nodes[i].function == function)
      return i;
  if (!DG_ARRAY_ROOM (tree->nodes, tree->room, tree->n)
      || (tree->times != NULL
          && !DG_ARRAY_ROOM (tree->times, tree->room_times, tree->n))
      || !dg_lookup_add (&tree->lookup, hash, tree->n)) {
    tree->has_failed = true;
    return parent;
  }
  if (tree->times != NULL)
    tree->times[tree->n] = (struct node_time){ 0 };
  tree->nodes[tree->n]
    = (struct node){ .parent = parent, .function = function };
  return tree->n++;
}

struct calls_tree *
calls_tree_new (const struct dg_log *log, struct calls_code *code,
                bool inlined, bool is_timed)
{
  struct calls_tree *tree = g_new0 (struct calls_tree, 1);

  tree->log = log;
  tree->code = code;
  tree->tables = calls_code_tables (code);
  tree->inlined = inlined;
  tree->of_path = g_hash_table_new (NULL, NULL);
  if (is_timed)
    tree->of_context = g_try_new0 (
      uint32_t *, dg_log_summary (log)->contexts + 1);
  if (!DG_ARRAY_ROOM (tree->nodes, tree->room, tree->n)
      || (is_timed
          && (tree->of_context == NULL
              || !DG_ARRAY_ROOM (tree->times, tree->room_times, tree->n)))) {
    calls_tree_free (tree);
    return NULL;
  }
  if (is_timed)
    tree->times[ROOT] = (struct node_time){ 0 };
  tree->nodes[ROOT] = (struct node){ .function = UINT32_MAX };
  tree->n = 1;
  return tree;
}

void
calls_tree_free (struct calls_tree *tree)
{
  if (tree == NULL)
    return;
  for (uint64_t i = 0; tree->of_context != NULL
                       && i < dg_log_summary (tree->log)->contexts; i++)
    g_free (tree->of_context[i]);
  g_free (tree->of_context);
  g_hash_table_unref (tree->of_path);
  g_free (tree->times);
  g_free (tree->nodes);
  dg_lookup_fini (&tree->lookup);
  g_free (tree);
}

/* ---- Paths ---- */

/* The functions of an address, the outermost first, below a node.  */
static uint32_t
extend (struct calls_tree *tree, uint32_t node, uint32_t context,
        uint64_t address)
{
  uint32_t functions[MAX_CHAIN];
  size_t n = calls_code_functions (tree->code, context, address,
                                   tree->inlined, functions, MAX_CHAIN);

  while (n > 0)
    node = child (tree, node, functions[--n]);
  return node;
}

/* The node of the callers of a path.  */
static uint32_t
node_of_path (struct calls_tree *tree, uint32_t context)
{
  uint32_t numbers[DG_STACK_MAX], n = 0, node = ROOT;
  uint32_t path = dg_log_context (tree->log, context).path;

  while (path != 0 && n < G_N_ELEMENTS (numbers)) {
    gpointer known
      = g_hash_table_lookup (tree->of_path, GUINT_TO_POINTER (path));
    if (known != NULL) {
      node = GPOINTER_TO_UINT (known) - 1;
      break;
    }
    numbers[n++] = path;
    path = calls_outer_path (&tree->tables, path);
  }
  while (n > 0) {
    path = numbers[--n];
    node = extend (tree, node, context,
                   dg_program_path (tree->tables.paths, path)->site);
    g_hash_table_insert (tree->of_path, GUINT_TO_POINTER (path),
                         GUINT_TO_POINTER (node + 1));
  }
  return node;
}

/* ---- Taking counts ---- */

static void
add_slot (struct node *node, const struct dg_slot *slot, uint64_t times)
{
  node->self[CALLS_ACCESSES] += times;
  node->self[slot->kind == DG_ACC_WRITE ? CALLS_WRITES : CALLS_READS] += times;
  node->self[CALLS_BYTES] += times * slot->size;
}

/* The node of an instruction of a context whose callers' node is known.  */
static uint32_t
node_of_instr (struct calls_tree *tree, uint32_t callers, uint32_t context,
               uint64_t address)
{
  if (!tree->inlined)
    return child (tree, callers,
                  calls_code_context (tree->code, &tree->tables,
                                      context).block->function);
  return extend (tree, callers, context, address);
}

static void
take_runs (void *user, const struct dg_run_sum *sum)
{
  struct calls_tree *tree = user;
  const struct dg_bbdef *block = dg_log_bbdef (tree->log, sum->bbdef);
  uint32_t callers = node_of_path (tree, sum->context);
  unsigned slot = sum->first_slot;
  unsigned end = sum->end - dg_run_sum_is_repetition (block, sum);

  for (unsigned i = sum->first; i < sum->end; i++) {
    uint32_t number = node_of_instr (tree, callers, sum->context,
                                     block->instrs[i].address);
    struct node *node = &tree->nodes[number];
    node->self[CALLS_INSTRUCTIONS] += i < end ? sum->times : 0;
    for (; slot < sum->end_slot && block->slots[slot].iseq == i; slot++)
      add_slot (node, &block->slots[slot], sum->times);
  }
}

static void
take_unmade (void *user, uint32_t bbdef, uint32_t context, unsigned slot,
             uint64_t times)
{
  struct calls_tree *tree = user;
  const struct dg_bbdef *block = dg_log_bbdef (tree->log, bbdef);
  const struct dg_slot *unmade = &block->slots[slot];
  uint32_t callers = node_of_path (tree, context);
  uint32_t node = node_of_instr (tree, callers, context,
                                 block->instrs[unmade->iseq].address);

  add_slot (&tree->nodes[node], unmade, -times);
}

void
calls_tree_meet (struct calls_tree *tree, uint32_t context)
{
  node_of_path (tree, context);
}

int
calls_tree_take (struct calls_tree *tree, struct dg_run_counts *counts,
                 struct dg_error *err)
{
  const struct dg_run_visitor visitor = { take_runs, take_unmade, tree };
  int result = dg_run_counts_take (counts, &visitor, err);

  return result == 0 && tree->has_failed ? dg_error_nomem (err) : result;
}

/* ---- Taking figures of the time model ---- */

bool
calls_tree_is_inlined (const struct calls_tree *tree)
{
  return tree->inlined;
}

/* NULL: no memory.  */
static uint32_t *
nodes_of_context (struct calls_tree *tree, uint32_t context,
                  const struct dg_bbdef *block)
{
  uint32_t callers, n = tree->inlined ? block->n_instrs : 1;
  uint32_t *nodes = g_try_new (uint32_t, MAX (n, 1));

  if (nodes == NULL) {
    tree->has_failed = true;
    return NULL;
  }
  callers = node_of_path (tree, context);
  for (uint32_t i = 0; i < n; i++)
    nodes[i] = node_of_instr (tree, callers, context,
                              block->instrs[i].address);
  tree->of_context[context] = nodes;
  return nodes;
}

void
calls_tree_add (struct calls_tree *tree, uint32_t context,
                const struct dg_bbdef *block, unsigned i,
                const uint64_t figures[CALLS_TIMES])
{
  uint32_t *nodes = tree->of_context[context];

  if (G_UNLIKELY (nodes == NULL))
    nodes = nodes_of_context (tree, context, block);
  if (G_UNLIKELY (nodes == NULL))
    return;
  for (unsigned k = 0; k < CALLS_TIMES; k++)
    tree->times[nodes[i]].self[k] += figures[k];
}

/* ---- Sums by function ---- */

static bool
is_within_itself (const struct calls_tree *tree, uint32_t number)
{
  uint32_t function = tree->nodes[number].function;

  for (uint32_t i = tree->nodes[number].parent; i != ROOT;
       i = tree->nodes[i].parent)
    if (tree->nodes[i].function == function)
      return true;
  return false;
}

/* Sets what each node has with those below it.  */
static void
add_up (struct calls_tree *tree)
{
  struct node *nodes = tree->nodes;
  struct node_time *times = tree->times;

  for (uint32_t i = 0; i < tree->n; i++)
    memcpy (nodes[i].all, nodes[i].self, sizeof nodes[i].all);
  for (uint32_t i = 0; times != NULL && i < tree->n; i++)
    memcpy (times[i].all, times[i].self, sizeof times[i].all);
  for (uint32_t i = tree->n - 1; i > ROOT; i--) {
    for (unsigned k = 0; k < CALLS_COUNTED; k++)
      nodes[nodes[i].parent].all[k] += nodes[i].all[k];
    for (unsigned k = 0; times != NULL && k < CALLS_TIMES; k++)
      times[nodes[i].parent].all[k] += times[i].all[k];
  }
}

void
calls_tree_functions (struct calls_tree *tree, calls_tree_fn tell, void *user)
{
  static const uint64_t nothing[CALLS_N_WEIGHTS];
  uint64_t self[CALLS_N_WEIGHTS] = { 0 }, all[CALLS_N_WEIGHTS] = { 0 };

  add_up (tree);
  for (uint32_t i = 1; i < tree->n; i++) {
    const struct node *node = &tree->nodes[i];

    memcpy (self, node->self, sizeof node->self);
    memcpy (all, node->all, sizeof node->all);
    if (tree->times != NULL) {
      memcpy (self + CALLS_COUNTED, tree->times[i].self,
              sizeof tree->times[i].self);
      memcpy (all + CALLS_COUNTED, tree->times[i].all,
              sizeof tree->times[i].all);
    }
    tell (user, node->function, self,
          is_within_itself (tree, i) ? nothing : all);
  }
}

/* ---- Paths ---- */

int
calls_tree_each (struct calls_tree *tree, calls_tree_path_fn take, void *user,
                 struct dg_report *report, struct dg_error *err)
{
  uint32_t *path = g_try_new (uint32_t, tree->n);
  int result = path != NULL ? 0 : dg_error_nomem (err);

  for (uint32_t i = ROOT + 1; i < tree->n && result == 0; i++) {
    uint64_t self[CALLS_N_WEIGHTS] = { 0 };
    uint64_t any = 0;
    size_t n = 0;

    memcpy (self, tree->nodes[i].self, sizeof tree->nodes[i].self);
    if (tree->times != NULL)
      memcpy (&self[CALLS_COUNTED], tree->times[i].self,
              sizeof tree->times[i].self);
    for (unsigned k = 0; k < CALLS_N_WEIGHTS; k++)
      any |= self[k];
    for (uint32_t at = i; at != ROOT; at = tree->nodes[at].parent)
      path[n++] = tree->nodes[at].function;
    if (any != 0)
      take (user, path, n, self);
    if ((i & 1023) == 0)
      result = dg_report_pace (report, i, tree->n, err);
  }
  g_free (path);
  return result;
}

/* ---- Folded stacks ---- */

struct by_name {
  const struct calls_tree *tree;
  const uint32_t *ranks;   /* of functions, by name */
};

static int
compare_functions (const void *a, const void *b, void *user)
{
  struct calls_code *code = user;
  struct calls_function x
    = calls_code_function (code, *(const uint32_t *) a);
  struct calls_function y
    = calls_code_function (code, *(const uint32_t *) b);

  return calls_function_compare (&x, &y);
}

static int
compare_nodes (const void *a, const void *b, void *user)
{
  const struct by_name *by = user;
  const struct node *x = &by->tree->nodes[*(const uint32_t *) a];
  const struct node *y = &by->tree->nodes[*(const uint32_t *) b];

  return DG_COMPARE (x->parent, y->parent)
           ?: DG_COMPARE (by->ranks[x->function], by->ranks[y->function]);
}

static void
append_name (GString *line, const char *name)
{
  while (*name != '\0') {
    const char *from = name;

    if (dg_shown_next (&name) && *from != ';')
      g_string_append_len (line, from, name - from);
    else
      g_string_append_c (line, ':');
  }
}

/* What the writing needs: order has the nodes but the root, those of one
   parent together, by name; first[i] is where those of parent i begin.  */
struct folding {
  uint32_t *ranks, *functions, *order, *first, *path;
  size_t *lengths;
};

static void
folding_fini (struct folding *f)
{
  g_free (f->ranks);
  g_free (f->functions);
  g_free (f->order);
  g_free (f->first);
  g_free (f->path);
  g_free (f->lengths);
}

static bool
folding_init (struct folding *f, struct calls_tree *tree)
{
  uint32_t n_functions = calls_code_n_functions (tree->code);
  struct by_name by = { tree, NULL };

  *f = (struct folding){
    .ranks = g_try_new (uint32_t, n_functions + 1),
    .functions = g_try_new (uint32_t, n_functions + 1),
    .order = g_try_new (uint32_t, tree->n),
    .first = g_try_new0 (uint32_t, tree->n + 1),
    .path = g_try_new (uint32_t, tree->n),
    .lengths = g_try_new (size_t, tree->n),
  };
  if (f->ranks == NULL || f->functions == NULL || f->order == NULL
      || f->first == NULL || f->path == NULL || f->lengths == NULL)
    return false;
  for (uint32_t i = 0; i < n_functions; i++)
    f->functions[i] = i;
  g_qsort_with_data (f->functions, (gint) n_functions, sizeof (uint32_t),
                     compare_functions, tree->code);
  for (uint32_t i = 0; i < n_functions; i++)
    f->ranks[f->functions[i]] = i;
  for (uint32_t i = 1; i < tree->n; i++)
    f->order[i - 1] = i;
  by.ranks = f->ranks;
  g_qsort_with_data (f->order, (gint) tree->n - 1, sizeof (uint32_t),
                     compare_nodes, &by);
  for (uint32_t i = 1; i < tree->n; i++)
    f->first[tree->nodes[i].parent + 1]++;
  for (uint32_t i = 0; i < tree->n; i++)
    f->first[i + 1] += f->first[i];
  return true;
}

int
calls_tree_folded (struct calls_tree *tree, enum calls_weight weight,
                   const struct dg_time_meter *meter, FILE *file,
                   struct dg_report *report, struct dg_error *err)
{
  struct folding f;
  GString *line = g_string_new (NULL);
  uint32_t depth = 0, told = 0;
  int result = folding_init (&f, tree) ? 0 : dg_error_nomem (err);

  /* path: where each level is in `order`.  */
  if (result == 0) {
    f.path[0] = f.first[ROOT];
    f.lengths[0] = 0;
  }
  while (result == 0) {
    uint32_t parent
      = depth == 0 ? ROOT : f.order[f.path[depth - 1] - 1];
    if (f.path[depth] == f.first[parent + 1]) {
      if (depth-- == 0)
        break;
      continue;
    }
    uint32_t number = f.order[f.path[depth]++];
    const struct node *node = &tree->nodes[number];
    g_string_truncate (line, f.lengths[depth]);
    if (depth > 0)
      g_string_append_c (line, ';');
    append_name (line,
                 calls_code_function (tree->code, node->function).label);
    uint64_t self = calls_weight_is_time (weight)
                      ? dg_time_meter_scaled (
                        meter,
                        tree->times[number].self[weight - CALLS_COUNTED])
                      : node->self[weight];
    if (self > 0)
      fprintf (file, "%s %" PRIu64 "\n", line->str, self);
    f.lengths[++depth] = line->len;
    f.path[depth] = f.first[number];
    if ((++told & 1023) == 0)
      result = dg_report_pace (report, told, tree->n, err);
  }
  folding_fini (&f);
  g_string_free (line, TRUE);
  return result;
}

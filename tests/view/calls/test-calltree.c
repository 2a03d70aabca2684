/* test-calltree.c: call trees and their rows, against what the call paths
   say.

   Each module of the log stands for a function: code without names has one
   function for each module.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/calls/callrows.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "asm.h"
#include "unit_main.h"

#define N_MODULES 6
#define BASE(i) (0x100000 + 0x10000 * (uint64_t) (i))

static struct dv_scene *
scene_of (const char *text)
{
  struct dg_asm as;
  struct dg_error err = { 0 };
  char *message = NULL, *path;
  dg_asm_init (&as);
  g_assert_true (dg_asm_text (&as, text, &message));
  int fd = g_file_open_tmp ("calltree-XXXXXX", &path, NULL);
  g_assert_cmpint (write (fd, as.bytes->data, as.bytes->len), ==,
                   as.bytes->len);
  close (fd);
  dg_asm_fini (&as);
  struct dv_scene *scene = g_atomic_rc_box_new0 (struct dv_scene);
  scene->events = g_strdup ("");
  scene->ranges = g_strdup ("");
  scene->data = dv_data_new (path, false, NULL, NULL, &err);
  g_assert_nonnull (scene->data);
  g_unlink (path);
  g_free (path);
  return scene;
}

static void
add_modules (GString *text)
{
  for (int i = 0; i < N_MODULES; i++)
    g_string_append_printf (
      text, "text_avma 0x%" G_GINT64_MODIFIER "x \"/none/m%d\"\n"
      "module 0x%" G_GINT64_MODIFIER "x 0x10000 0 [] \"\"\n", BASE (i), i,
      BASE (i));
  for (int i = 0; i < N_MODULES; i++)
    g_string_append_printf (text, "bbdef [0x%" G_GINT64_MODIFIER
                            "x+4] [R8@0]\n", BASE (i));
}

static struct dv_tally *
tally_of (struct dv_scene *scene)
{
  struct dv_tally *tally = g_atomic_rc_box_new0 (struct dv_tally);
  GArray **arrays[] = { &tally->threads, &tally->pages, &tally->lines,
                        &tally->sites };
  tally->scene = scene;
  tally->code_done = 1;
  tally->contexts = g_array_new (FALSE, FALSE,
                                 sizeof (struct dv_tally_context));
  tally->code = g_array_new (FALSE, FALSE, sizeof (struct dv_tally_code));
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_array_new (FALSE, FALSE, 8);
  return tally;
}

static void
add_count (struct dv_tally *tally, uint32_t context, uint64_t reads,
           uint64_t writes)
{
  struct dv_tally_context entry = {
    context, { reads, writes, 8 * reads, 4 * writes } };
  g_array_append_val (tally->contexts, entry);
  dv_tally_count_add (&tally->code_total, &entry.count);
}

/* The node below `node` of the function that module `i` stands for.  */
static uint32_t
below (const struct dv_calltree *tree, uint32_t node, int i)
{
  char label[20];
  g_snprintf (label, sizeof label, "code of m%d", i);
  for (uint32_t child = dv_calltree_child (tree, node);
       child != DV_CALL_NONE; child = dv_calltree_next (tree, child))
    if (strcmp (dv_calltree_label (tree, child), label) == 0)
      return child;
  return DV_CALL_NONE;
}

static uint64_t
all_of (const struct dv_calltree *tree, uint32_t node)
{
  g_assert_cmpuint (node, !=, DV_CALL_NONE);
  return dv_tally_count_accesses (&tree->nodes[node].all);
}

static uint64_t
self_of (const struct dv_calltree *tree, uint32_t node)
{
  g_assert_cmpuint (node, !=, DV_CALL_NONE);
  return dv_tally_count_accesses (&tree->nodes[node].self);
}

/* m0 calls m1 and m2; m1 calls m2; m2 calls itself.  */
static struct dv_calltree *
known_tree (void)
{
  GString *text = g_string_new (NULL);
  add_modules (text);
  g_string_append (
    text,
    "context 0 [0x100000]\n"                              /* m0 */
    "context 1 [0x110000 0x100010]\n"                     /* m0 m1 */
    "context 2 [0x120000 0x110010 0x100010]\n"            /* m0 m1 m2 */
    "context 2 [0x120000 0x110020 0x100020]\n"            /* the same */
    "context 2 [0x120000 0x100030]\n"                     /* m0 m2 */
    "context 2 [0x120000 0x120010 0x100030]\n"            /* m0 m2 m2 */
    "context 3 [0x130000 0x120010 0x100030]\n"            /* m0 m2 m3 */
    "end\n");
  struct dv_tally *tally = tally_of (scene_of (text->str));
  static const uint64_t counts[][2] = { { 1, 0 }, { 2, 0 }, { 4, 1 },
                                        { 8, 2 }, { 16, 0 }, { 32, 0 },
                                        { 0, 64 } };
  for (uint32_t i = 0; i < G_N_ELEMENTS (counts); i++)
    add_count (tally, i, counts[i][0], counts[i][1]);
  g_string_free (text, TRUE);
  struct dv_calltree *tree = dv_calltree_new (tally, 0, NULL, NULL, NULL);
  dv_tally_unref (tally);
  return tree;
}

static void
test_known (void)
{
  struct dv_calltree *tree = known_tree ();
  uint32_t m0 = below (tree, 0, 0), m1 = below (tree, m0, 1);
  uint32_t m12 = below (tree, m1, 2), m2 = below (tree, m0, 2);
  uint32_t m22 = below (tree, m2, 2), m23 = below (tree, m2, 3);
  g_assert_cmpuint (tree->n, ==, 7);
  g_assert_cmpuint (all_of (tree, 0), ==, 130);
  g_assert_cmpuint (self_of (tree, 0), ==, 0);
  g_assert_cmpuint (all_of (tree, m0), ==, 130);
  g_assert_cmpuint (self_of (tree, m0), ==, 1);
  g_assert_cmpuint (all_of (tree, m1), ==, 17);
  g_assert_cmpuint (self_of (tree, m1), ==, 2);
  g_assert_cmpuint (all_of (tree, m12), ==, 15);
  g_assert_cmpuint (tree->nodes[m12].all.reads, ==, 12);
  g_assert_cmpuint (tree->nodes[m12].all.written_bytes, ==, 12);
  g_assert_cmpuint (dv_call_weigh (&tree->nodes[m12].all, DV_CALL_BYTES), ==,
                    12 * 8 + 12);
  g_assert_cmpuint (all_of (tree, m2), ==, 112);
  g_assert_cmpuint (self_of (tree, m2), ==, 16);
  g_assert_cmpuint (self_of (tree, m22), ==, 32);
  g_assert_cmpuint (self_of (tree, m23), ==, 64);
  g_assert_cmpuint (tree->cut, ==, 0);
  /* The heaviest first.  */
  g_assert_cmpuint (dv_calltree_child (tree, m0), ==, m2);
  g_assert_cmpuint (dv_calltree_child (tree, m2), ==, m23);
  g_assert_cmpuint (dv_calltree_child (tree, m23), ==, DV_CALL_NONE);
  g_assert_cmpuint (dv_calltree_next (tree, m1), ==, DV_CALL_NONE);
  g_assert_cmpuint (dv_calltree_next (tree, 0), ==, DV_CALL_NONE);
  g_assert_cmpuint (dv_calltree_function (
                      tree, tree->nodes[m2].function)->module_number, ==, 2);
  dv_calltree_unref (tree);
}

static void
test_highlight (void)
{
  struct dv_calltree *tree = known_tree ();
  uint32_t m0 = below (tree, 0, 0), m2 = below (tree, m0, 2);
  struct dv_highlight *highlight = dv_calltree_highlight (tree, m2);
  static const bool meant[] = { false, false, false, false, true, true,
                                true };
  g_assert_cmpstr (highlight->label, ==, "code of m2");
  for (uint32_t i = 0; i < G_N_ELEMENTS (meant); i++)
    g_assert_cmpint (dv_highlight_context (highlight, i), ==, meant[i]);
  dv_highlight_unref (highlight);
  char *condition = dv_calltree_condition (tree, tree->nodes[m2].function);
  g_assert_cmpstr (condition, ==, "dso:m2");
  g_free (condition);
  g_assert_null (dv_calltree_condition (tree, DV_CALL_NONE));
  dv_calltree_unref (tree);
}

static void
test_condition (void)
{
  struct dv_call_function functions[] = { { .name = "f(int, \\x)" },
                                          { .name = "\xff" } };
  struct dv_calltree tree = { .functions = { .items = functions, .n = 2 } };
  char *condition = dv_calltree_condition (&tree, 0);
  g_assert_cmpstr (condition, ==, "fn:f(int\\, \\\\x)");
  g_free (condition);
  g_assert_null (dv_calltree_condition (&tree, 1));
}

static void
test_search (void)
{
  struct dv_calltree *tree = known_tree ();
  uint32_t n, m0 = below (tree, 0, 0);
  uint8_t *matches = dv_calltree_match (tree, "OF M2", &n);
  g_assert_cmpuint (n, ==, 1);
  /* What m2 calls, itself included, counts once.  */
  g_assert_cmpuint (dv_calltree_matched (tree, 0, matches,
                                         DV_CALL_ACCESSES), ==, 127);
  g_assert_cmpuint (dv_calltree_matched (tree, below (tree, m0, 1), matches,
                                         DV_CALL_READS), ==, 12);
  g_free (matches);
  matches = dv_calltree_match (tree, "", &n);
  g_assert_cmpuint (n, ==, 0);
  g_free (matches);
  matches = dv_calltree_match (tree, "code", &n);
  g_assert_cmpuint (n, ==, 4);
  g_free (matches);
  dv_calltree_unref (tree);
}

static void
test_folded (void)
{
  struct dv_calltree *tree = known_tree ();
  bool whole;
  char *text = dv_calltree_folded (tree, 0, DV_CALL_ACCESSES, 10000, &whole);
  g_assert_true (whole);
  g_assert_cmpstr (text, ==,
                   "code of m0 1\n"
                   "code of m0;code of m2 16\n"
                   "code of m0;code of m2;code of m3 64\n"
                   "code of m0;code of m2;code of m2 32\n"
                   "code of m0;code of m1 2\n"
                   "code of m0;code of m1;code of m2 15\n");
  g_free (text);
  text = dv_calltree_folded (tree, below (tree, below (tree, 0, 0), 1),
                             DV_CALL_WRITES, 10, &whole);
  g_assert_false (whole);
  g_assert_cmpstr (text, ==, "");
  g_free (text);
  dv_calltree_unref (tree);
}

/* ---- Rows ------------------------------------------------------------- */

static uint32_t
row_below (struct dv_callrows *rows, uint32_t row, const char *label)
{
  uint32_t first, n = dv_callrows_children (rows, row, &first);
  for (uint32_t i = first; i < first + n; i++) {
    g_assert_cmpuint (dv_callrows_place (rows, i), ==, i - first);
    if (strcmp (dv_callrows_label (rows, i), label) == 0)
      return i;
  }
  return DV_CALL_NONE;
}

static uint64_t
row_all (struct dv_callrows *rows, uint32_t row)
{
  g_assert_cmpuint (row, !=, DV_CALL_NONE);
  return dv_tally_count_accesses (&dv_callrows_row (rows, row)->all);
}

static void
test_callees (void)
{
  struct dv_calltree *tree = known_tree ();
  struct dv_callrows *rows = dv_callrows_new (tree, false, DV_CALL_BY_NAME);
  uint32_t m0 = row_below (rows, 0, "code of m0"), first;
  uint32_t m1 = row_below (rows, m0, "code of m1");
  uint32_t m2 = row_below (rows, m0, "code of m2");
  g_assert_cmpuint (dv_callrows_children (rows, 0, &first), ==, 1);
  g_assert_cmpuint (row_all (rows, m0), ==, 130);
  g_assert_cmpuint (m1 + 1, ==, m2);      /* by name */
  g_assert_cmpuint (row_all (rows, row_below (rows, m1, "code of m2")), ==,
                    15);
  g_assert_cmpuint (dv_callrows_heaviest (rows, m0), ==, m2);
  uint32_t m3 = row_below (rows, m2, "code of m3");
  g_assert_cmpuint (dv_callrows_heaviest (rows, m2), ==, m3);
  g_assert_cmpuint (dv_callrows_heaviest (rows, m3), ==, m3);
  g_assert_false (dv_callrows_row (rows, m3)->has_children);
  dv_callrows_free (rows);

  rows = dv_callrows_new (tree, false, DV_CALL_BY_WRITES);
  m0 = row_below (rows, 0, "code of m0");
  m2 = row_below (rows, m0, "code of m2");
  g_assert_cmpuint (dv_callrows_place (rows, m2), ==, 0);
  m3 = row_below (rows, m2, "code of m3");
  g_assert_cmpuint (dv_callrows_place (rows, m3), ==, 0);
  dv_callrows_free (rows);
  dv_calltree_unref (tree);
}

static void
test_callers (void)
{
  struct dv_calltree *tree = known_tree ();
  struct dv_callrows *rows = dv_callrows_new (tree, true, DV_CALL_BY_ALL);
  uint32_t first, n = dv_callrows_children (rows, 0, &first);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (dv_callrows_label (rows, first), ==, "code of m3");
  uint32_t m2 = row_below (rows, 0, "code of m2");
  g_assert_cmpuint (row_all (rows, m2), ==, 15 + 16 + 32);
  g_assert_cmpuint (row_all (rows, row_below (rows, m2, "code of m0")), ==,
                    16);
  g_assert_cmpuint (row_all (rows, row_below (rows, m2, "code of m1")), ==,
                    15);
  uint32_t m22 = row_below (rows, m2, "code of m2");
  g_assert_cmpuint (row_all (rows, m22), ==, 32);
  uint32_t m220 = row_below (rows, m22, "code of m0");
  g_assert_cmpuint (row_all (rows, m220), ==, 32);
  g_assert_false (dv_callrows_row (rows, m220)->has_children);
  g_assert_cmpuint (dv_callrows_children (rows, m220, &first), ==, 0);
  uint64_t sum = 0;
  n = dv_callrows_children (rows, 0, &first);
  for (uint32_t i = first; i < first + n; i++)
    sum += row_all (rows, i);
  g_assert_cmpuint (sum, ==, 130);

  /* m0 as caller of m2: only paths that end with these two.  */
  struct dv_highlight *highlight = dv_callrows_highlight (
    rows, row_below (rows, m2, "code of m0"));
  for (uint32_t i = 0; i < 7; i++)
    g_assert_cmpint (dv_highlight_context (highlight, i), ==, i == 4);
  dv_highlight_unref (highlight);
  dv_callrows_free (rows);
  dv_calltree_unref (tree);
}

static void
test_keys (void)
{
  struct dv_calltree *a = known_tree (), *b = known_tree ();
  struct dv_callrows *rows = dv_callrows_new (a, false, DV_CALL_BY_NAME);
  struct dv_callrows *same = dv_callrows_new (b, false, DV_CALL_BY_ALL);
  uint32_t m0 = row_below (rows, 0, "code of m0");
  uint32_t s0 = row_below (same, 0, "code of m0");
  uint32_t m1 = row_below (rows, m0, "code of m1");
  uint32_t s1 = row_below (same, s0, "code of m1");
  uint32_t m2 = row_below (rows, m0, "code of m2");
  uint32_t m12 = row_below (rows, m1, "code of m2");
  g_assert_cmphex (dv_callrows_row (rows, m0)->key, ==,
                   dv_callrows_row (same, s0)->key);
  g_assert_cmphex (dv_callrows_row (rows, m1)->key, ==,
                   dv_callrows_row (same, s1)->key);
  g_assert_cmphex (dv_callrows_row (rows, m2)->key, !=,
                   dv_callrows_row (rows, m12)->key);
  dv_callrows_free (rows);
  dv_callrows_free (same);
  dv_calltree_unref (a);
  dv_calltree_unref (b);
}

static void
check_find (bool are_callers, const char *text, const char *const *found)
{
  struct dv_calltree *tree = known_tree ();
  struct dv_callrows *rows = dv_callrows_new (tree, are_callers,
                                              DV_CALL_BY_ALL);
  uint32_t n, row = DV_CALL_NONE, rounds = g_strv_length ((char **) found);
  uint8_t *matches = dv_calltree_match (tree, text, &n);
  for (uint32_t i = 0; i < rounds; i++) {
    row = dv_callrows_find (rows, row, matches, false);
    g_assert_cmpuint (row, !=, DV_CALL_NONE);
    GString *path = g_string_new (NULL);
    for (uint32_t r = row; r != 0; r = dv_callrows_row (rows, r)->parent)
      g_string_prepend (path, dv_callrows_label (rows, r) + 8);
    g_assert_cmpstr (path->str, ==, found[i]);
    g_string_free (path, TRUE);
  }
  g_assert_cmpuint (dv_callrows_find (rows, row, matches, false), ==,
                    DV_CALL_NONE);
  /* And back.  */
  uint32_t last = dv_callrows_find (rows, DV_CALL_NONE, matches, true);
  g_assert_cmpuint (last, ==, row);
  for (uint32_t i = 1; i < rounds; i++)
    row = dv_callrows_find (rows, row, matches, true);
  g_assert_cmpuint (row, ==,
                    dv_callrows_find (rows, DV_CALL_NONE, matches, false));
  g_assert_cmpuint (dv_callrows_find (rows, row, matches, true), ==,
                    DV_CALL_NONE);
  g_free (matches);
  dv_callrows_free (rows);
  dv_calltree_unref (tree);
}

static void
test_find (void)
{
  static const char *const m2[] = { "m0m2", "m0m2m2", "m0m1m2", NULL };
  static const char *const all[] = { "m0", "m0m2", "m0m2m3", "m0m2m2",
                                     "m0m1", "m0m1m2", NULL };
  static const char *const callers[] = { "m2", NULL };
  static const char *const every[] = { "m3", "m2", "m1", "m0", NULL };
  check_find (false, "m2", m2);
  check_find (false, "code", all);
  check_find (true, "m2", callers);
  check_find (true, "code", every);
}

/* ---- Random paths ----------------------------------------------------- */

/* The sums by path, in a hash table by text, worked out from the paths.  */
static void
add_to (GHashTable *sums, const char *path, uint64_t n)
{
  uint64_t *sum = g_hash_table_lookup (sums, path);
  if (sum == NULL) {
    sum = g_new0 (uint64_t, 1);
    g_hash_table_insert (sums, g_strdup (path), sum);
  }
  *sum += n;
}

static void
check_node (const struct dv_calltree *tree, uint32_t node, const char *path,
            GHashTable *sums, uint32_t *seen)
{
  uint64_t before = UINT64_MAX, below_it = 0;
  for (uint32_t child = dv_calltree_child (tree, node);
       child != DV_CALL_NONE; child = dv_calltree_next (tree, child)) {
    char *name = g_strconcat (path, dv_calltree_label (tree, child) + 8,
                              NULL);
    uint64_t *sum = g_hash_table_lookup (sums, name);
    g_assert_nonnull (sum);
    g_assert_cmpuint (*sum, ==, all_of (tree, child));
    g_assert_cmpuint (all_of (tree, child), <=, before);
    g_assert_cmpuint (tree->nodes[child].parent, ==, node);
    before = all_of (tree, child);
    below_it += before;
    ++*seen;
    check_node (tree, child, name, sums, seen);
    g_free (name);
  }
  g_assert_cmpuint (self_of (tree, node) + below_it, ==, all_of (tree, node));
}

static void
test_random (void)
{
  GString *text = g_string_new (NULL);
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            g_free);
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  GString *paths[200];
  add_modules (text);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    int depth = g_test_rand_int_range (1, 30), block = 0;
    paths[i] = g_string_new (NULL);
    GString *stack = g_string_new (NULL);
    uint64_t n = (uint64_t) g_test_rand_int_range (1, 1000);
    for (int level = 0; level < depth; level++) {
      block = g_test_rand_int_range (0, N_MODULES);
      g_string_append_printf (paths[i], "m%d", block);
      char *site = g_strdup_printf (
        " 0x%" G_GINT64_MODIFIER "x", BASE (block)
        + (level + 1 < depth ? 4 * (uint64_t) g_test_rand_int_range (1, 4)
                             : 0));
      g_string_prepend (stack, site);
      g_free (site);
      add_to (sums, paths[i]->str, n);
    }
    g_string_append_printf (text, "context %d [%s]\n", block, stack->str);
    g_array_append_val (counts, n);
    g_string_free (stack, TRUE);
  }
  g_string_append (text, "end\n");
  struct dv_tally *tally = tally_of (scene_of (text->str));
  for (guint i = 0; i < counts->len; i++)
    add_count (tally, i, g_array_index (counts, uint64_t, i), 0);
  struct dv_calltree *tree = dv_calltree_new (tally, 0, NULL, NULL, NULL);
  uint32_t seen = 1;
  check_node (tree, 0, "", sums, &seen);
  g_assert_cmpuint (seen, ==, tree->n);
  g_assert_cmpuint (seen, ==, g_hash_table_size (sums) + 1);
  g_assert_cmpuint (all_of (tree, 0), ==,
                    dv_tally_count_accesses (&tally->code_total));
  dv_calltree_unref (tree);

  /* Too many: all that is counted is somewhere.  */
  tree = dv_calltree_new (tally, 50, NULL, NULL, NULL);
  g_assert_cmpuint (tree->n, <=, 50);
  g_assert_cmpuint (all_of (tree, 0), ==,
                    dv_tally_count_accesses (&tally->code_total));
  g_assert_cmpuint (tree->cut, >, 0);
  g_assert_cmpuint (tree->cut, <, all_of (tree, 0));
  dv_calltree_unref (tree);
  dv_tally_unref (tally);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    g_string_free (paths[i], TRUE);
  g_array_unref (counts);
  g_hash_table_unref (sums);
  g_string_free (text, TRUE);
}

static int
stop (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_empty (void)
{
  struct dg_error err = { 0 };
  struct dv_tally *tally = tally_of (scene_of ("end\n"));
  struct dv_calltree *tree = known_tree ();
  g_assert_null (dv_calltree_new (tree->tally, 0, stop, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  dv_calltree_unref (tree);
  tree = dv_calltree_new (tally, 0, stop, NULL, &err);
  g_assert_cmpuint (tree->n, ==, 1);
  g_assert_cmpuint (dv_calltree_child (tree, 0), ==, DV_CALL_NONE);
  struct dv_callrows *rows = dv_callrows_new (tree, true, DV_CALL_BY_ALL);
  uint32_t first;
  g_assert_cmpuint (dv_callrows_children (rows, 0, &first), ==, 0);
  g_assert_cmpuint (dv_callrows_heaviest (rows, 0), ==, 0);
  dv_callrows_free (rows);
  dv_calltree_unref (tree);
  dv_tally_unref (tally);
}

/* ---- What is allocated ------------------------------------------------ */

/* m0 allocates in m1 a block that is freed at once, one that is leaked, and in
   m2 one that outlives another.  The innermost module is the allocator.  */
static struct dv_scene *
heap_scene (void)
{
  GString *text = g_string_new ("");
  add_modules (text);
  g_string_append (text, "context 0 [0x100000]\n"
                         "malloc_block 0x9000 100 [0x150000 0x110000"
                         " 0x100000]\n"
                         "bbrun 0 1 [0x1000]\n"
                         "free_block 0x9000\n"
                         "malloc_block 0x9100 30 [0x150000 0x110000"
                         " 0x100000]\n"
                         "bbrun 0 1 [0x1000]\n"
                         "malloc_block 0x9200 7 [0x150000 0x120000 0x100000]\n"
                         "bbrun 0 1 [0x1000]\n"
                         "malloc_block 0x9300 5 [0x150000 0x120000 0x100000]\n"
                         "bbrun 0 1 [0x1000]\n"
                         "free_block 0x9200\n"
                         "bbrun 0 1 [0x1000]\n"
                         "free_block 0x9300\n"
                         "bbrun 0 1 [0x1000]\n"
                         "end\n");
  struct dv_scene *scene = scene_of (text->str);
  g_string_free (text, TRUE);
  return scene;
}

static void
check_heap (const struct dv_calltree *tree, uint32_t node, uint64_t bytes,
            uint64_t blocks, uint64_t temporary, uint64_t leaked)
{
  g_assert_cmpuint (node, !=, DV_CALL_NONE);
  const struct dv_call_node *n = &tree->nodes[node];
  g_assert_cmpuint (dv_call_node_all (n, DV_CALL_ALLOCATED), ==, bytes);
  g_assert_cmpuint (dv_call_node_all (n, DV_CALL_BLOCKS), ==, blocks);
  g_assert_cmpuint (dv_call_node_all (n, DV_CALL_TEMPORARY), ==, temporary);
  g_assert_cmpuint (dv_call_node_all (n, DV_CALL_LEAKED), ==, leaked);
}

static void
test_heap (void)
{
  struct dv_scene *scene = heap_scene ();
  struct dg_error err = { 0 };
  bool whole;
  struct dv_calltree *tree = dv_calltree_heap_new (
    scene->data, 0, UINT64_MAX, 0, NULL, NULL, &err);
  g_assert_nonnull (tree);
  uint32_t m0 = below (tree, 0, 0);
  check_heap (tree, 0, 142, 4, 1, 30);
  check_heap (tree, m0, 142, 4, 1, 30);
  check_heap (tree, below (tree, m0, 1), 130, 2, 1, 30);
  check_heap (tree, below (tree, m0, 2), 12, 2, 0, 0);
  /* The heaviest comes first.  */
  g_assert_cmpuint (dv_calltree_child (tree, m0), ==, below (tree, m0, 1));
  char *text = dv_calltree_folded (tree, 0, DV_CALL_ALLOCATED, 4096, &whole);
  g_assert_cmpstr (text, ==, "code of m0;code of m1 130\n"
                             "code of m0;code of m2 12\n");
  g_free (text);
  dv_calltree_unref (tree);
  /* Of a part.  */
  tree = dv_calltree_heap_new (scene->data, 1, 3, 0, NULL, NULL, &err);
  check_heap (tree, 0, 37, 2, 0, 30);
  dv_calltree_unref (tree);
  /* With one node beside the root, all else is cut.  */
  tree = dv_calltree_heap_new (scene->data, 0, UINT64_MAX, 2, NULL, NULL,
                               &err);
  g_assert_cmpuint (tree->n, ==, 2);
  g_assert_cmpuint (tree->cut, ==, 142);
  check_heap (tree, 1, 142, 4, 1, 30);
  dv_calltree_unref (tree);
  dv_scene_unref (scene);
}

/* ---- What the time model says ------------------------------------------ */

static void
test_time (void)
{
  struct dv_scene *scene = heap_scene ();
  struct dg_time_options options = { .size = sizeof options,
                                     .symbols = scene->data->symbols };
  struct dg_time_sum *all;
  struct dg_error err = { 0 };
  uint64_t cycles = 0, misses = 0;
  size_t n;
  bool knows_code;
  struct dv_calltree *tree
    = dv_calltree_time_new (scene, 0, UINT64_MAX, 0, NULL, NULL, &err);
  g_assert_nonnull (tree);
  g_assert_cmpint (dg_time_find (scene->data->log, &options, NULL, NULL, &all,
                                 &n, &knows_code, &err), ==, 0);
  g_assert_cmpuint (n, ==, 1);
  for (size_t i = 0; i < n; i++) {
    cycles += all[i].cycles;
    misses += all[i].l1_misses;
  }
  free (all);
  g_assert_cmpuint (cycles, >, 0);
  g_assert_cmpuint (misses, ==, 1);
  g_assert_cmpuint (dv_call_node_all (&tree->nodes[0], DV_CALL_CYCLES), ==,
                    cycles);
  g_assert_cmpuint (dv_call_node_all (&tree->nodes[0], DV_CALL_L1_MISSES), ==,
                    misses);
  g_assert_cmpuint (tree->sample, ==, 1);
  uint32_t m0 = below (tree, 0, 0);
  g_assert_cmpuint (m0, !=, DV_CALL_NONE);
  g_assert_cmpuint (dv_call_node_all (&tree->nodes[m0], DV_CALL_CYCLES), ==,
                    cycles);
  dv_calltree_unref (tree);
  /* Of nothing.  */
  tree = dv_calltree_time_new (scene, 3, 3, 0, NULL, NULL, &err);
  g_assert_nonnull (tree);
  dv_calltree_unref (tree);
  options.machine = "abacus";
  g_assert_cmpint (dg_time_find (scene->data->log, &options, NULL, NULL, &all,
                                 &n, NULL, &err), ==, DG_ERR_INVALID);
  g_assert_null (all);
  dv_scene_unref (scene);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calltree/known", test_known);
  g_test_add_func ("/calltree/highlight", test_highlight);
  g_test_add_func ("/calltree/condition", test_condition);
  g_test_add_func ("/calltree/search", test_search);
  g_test_add_func ("/calltree/folded", test_folded);
  g_test_add_func ("/calltree/random", test_random);
  g_test_add_func ("/calltree/empty", test_empty);
  g_test_add_func ("/calltree/time", test_time);
  g_test_add_func ("/callrows/callees", test_callees);
  g_test_add_func ("/callrows/callers", test_callers);
  g_test_add_func ("/callrows/keys", test_keys);
  g_test_add_func ("/callrows/find", test_find);
  g_test_add_func ("/calltree/heap", test_heap);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

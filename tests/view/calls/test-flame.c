/* test-flame.c: flame graphs: every frame where its share says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/calls/flame_layout.h"
#include "model/calls/flame_svg.h"
#include "unit_main.h"

#include <math.h>
#include <string.h>

/* A tree of random shape and counts, made by hand: its tally is empty.  */
static struct dv_calltree *
random_tree (uint32_t n, uint32_t functions)
{
  struct dv_calltree *tree = g_atomic_rc_box_new0 (struct dv_calltree);
  tree->tally = g_atomic_rc_box_new0 (struct dv_tally);
  tree->tally->code_done = 1;
  tree->tally->scene = g_atomic_rc_box_new0 (struct dv_scene);
  for (uint32_t i = 0; i < functions; i++) {
    struct dv_call_function *f = dv_items_add (&tree->functions, sizeof *f);
    *f = (struct dv_call_function){
      .label = g_strdup_printf ("f<%u>&\"\x01 and a name that is long", i),
      .module_number = i % 5 == 4 ? DV_CALL_NONE : i % 5,
      .key = i * 0x9e3779b97f4a7c15,
    };
  }
  tree->n = n;
  tree->nodes = g_new0 (struct dv_call_node, n);
  tree->nodes[0].parent = tree->nodes[0].function = DV_CALL_NONE;
  /* In preorder: each node hangs somewhere on the path of the last.  */
  for (uint32_t i = 1; i < n; i++) {
    uint32_t parent = i - 1;
    while (parent != 0 && g_test_rand_int_range (0, 3) == 0)
      parent = tree->nodes[parent].parent;
    tree->nodes[i].parent = parent;
    tree->nodes[i].function = (uint32_t) g_test_rand_int_range (
      0, (gint32) functions);
  }
  for (uint32_t i = n; i-- > 0;) {
    struct dv_call_node *node = &tree->nodes[i];
    if (node->end == 0)
      node->end = i + 1;
    node->self.reads = (uint64_t) g_test_rand_int_range (0, 1000);
    node->self.written_bytes = (uint64_t) g_test_rand_int_range (0, 1000);
    dv_tally_count_add (&node->all, &node->self);
    if (i == 0)
      break;
    struct dv_call_node *parent = &tree->nodes[node->parent];
    dv_tally_count_add (&parent->all, &node->all);
    parent->end = MAX (parent->end, node->end);
  }
  return tree;
}

static void
tree_free (struct dv_calltree *tree)
{
  dv_calltree_unref (tree);
}

static bool
is_at_or_above (const struct dv_calltree *tree, uint32_t node, uint32_t below)
{
  return node <= below && below < tree->nodes[node].end;
}

/* The boxes are those that must be, inside their callers, beside each
   other.  */
static void
check (struct dv_calltree *tree, uint32_t zoom, enum dv_call_weight weight,
       double width)
{
  struct dv_flame_layout *layout = dv_flame_layout_new (tree, zoom, weight,
                                                        width, 1);
  uint64_t whole = dv_call_weigh (&tree->nodes[zoom].all, weight);
  guint seen = 0;
  for (uint32_t node = 0; node < tree->n; node++) {
    guint row, box = dv_flame_layout_find (layout, node, &row);
    uint64_t own = dv_call_weigh (&tree->nodes[node].all, weight);
    double share = whole > 0 ? (double) own / (double) whole : 0;
    bool is_shown = is_at_or_above (tree, node, zoom)
                    || (is_at_or_above (tree, zoom, node)
                        && share * width >= 1);
    g_assert_cmpint (box != DV_FLAME_NONE, ==, is_shown);
    if (!is_shown)
      continue;
    seen++;
    const struct dv_flame_box *b = dv_flame_layout_box (layout, box);
    double wanted = is_at_or_above (tree, node, zoom) ? width : share * width;
    g_assert_cmpfloat (fabs (b->x1 - b->x0 - wanted), <, 1e-6);
    if (node != 0) {
      guint above;
      guint parent = dv_flame_layout_find (layout, tree->nodes[node].parent,
                                           &above);
      g_assert_cmpuint (above + 1, ==, row);
      g_assert_cmpfloat (dv_flame_layout_box (layout, parent)->x0, <=,
                         b->x0 + 1e-6);
      g_assert_cmpfloat (dv_flame_layout_box (layout, parent)->x1, >=,
                         b->x1 - 1e-6);
    }
  }
  g_assert_cmpuint (seen, ==, layout->boxes->len);

  for (guint row = 0; row <= dv_flame_layout_rows (layout); row++)
    for (double x = -1; x < width + 2; x += 0.7) {
      guint first = 0, end = 0, wanted = DV_FLAME_NONE;
      if (row < dv_flame_layout_rows (layout))
        dv_flame_layout_row (layout, row, &first, &end);
      for (guint i = first; i < end; i++)
        if (x >= dv_flame_layout_box (layout, i)->x0
            && x < dv_flame_layout_box (layout, i)->x1)
          wanted = i;
      g_assert_cmpuint (dv_flame_layout_at (layout, row, x), ==, wanted);
    }
  dv_flame_layout_free (layout);
}

static void
test_random (void)
{
  for (int round = 0; round < 30; round++) {
    uint32_t n = (uint32_t) g_test_rand_int_range (1, 300);
    struct dv_calltree *tree = random_tree (n, 7);
    check (tree, 0, DV_CALL_ACCESSES, 200);
    check (tree, 0, DV_CALL_BYTES, 200);
    check (tree, (uint32_t) g_test_rand_int_range (0, (gint32) n),
           DV_CALL_READS, 100);
    tree_free (tree);
  }
}

static void
test_steps (void)
{
  struct dv_calltree *tree = random_tree (200, 5);
  struct dv_flame_layout *layout
    = dv_flame_layout_new (tree, 0, DV_CALL_ACCESSES, 400, 1);
  g_assert_cmpuint (dv_flame_layout_step (layout, 0, DV_FLAME_CALLER), ==, 0);
  g_assert_cmpuint (dv_flame_layout_step (layout, 0, DV_FLAME_NEXT), ==, 0);
  for (guint row = 0; row < dv_flame_layout_rows (layout); row++) {
    guint first, end;
    dv_flame_layout_row (layout, row, &first, &end);
    uint32_t node = dv_flame_layout_box (layout, first)->node;
    g_assert_cmpuint (
      dv_flame_layout_step (layout, node, DV_FLAME_PREVIOUS), ==, node);
    for (guint i = first; i < end; i++) {
      g_assert_cmpuint (dv_flame_layout_box (layout, i)->node, ==, node);
      uint32_t below = dv_flame_layout_step (layout, node, DV_FLAME_CALLEE);
      if (below != node) {
        g_assert_cmpuint (tree->nodes[below].parent, ==, node);
        g_assert_cmpuint (
          dv_flame_layout_step (layout, below, DV_FLAME_CALLER), ==, node);
        /* The widest.  */
        for (uint32_t c = dv_calltree_child (tree, node); c != DV_CALL_NONE;
             c = dv_calltree_next (tree, c))
          g_assert_cmpfloat (dv_flame_share (layout, c), <=,
                             dv_flame_share (layout, below));
      }
      node = dv_flame_layout_step (layout, node, DV_FLAME_NEXT);
    }
  }
  g_assert_cmpfloat (dv_flame_share (layout, 0), ==, 1);
  dv_flame_layout_free (layout);
  tree_free (tree);
}

static double
luminance (const struct dv_rgb *c)
{
  double channels[] = { c->r, c->g, c->b }, sum = 0;
  static const double parts[] = { 0.2126, 0.7152, 0.0722 };
  for (int i = 0; i < 3; i++)
    sum += parts[i] * (channels[i] <= 0.04045
                         ? channels[i] / 12.92
                         : pow ((channels[i] + 0.055) / 1.055, 2.4));
  return sum;
}

/* Text can be read on every colour: 4.5 to 1.  */
static void
test_colours (void)
{
  struct dv_calltree *tree = random_tree (60, 40);
  for (uint32_t node = 0; node < tree->n; node++)
    for (int is_dark = 0; is_dark < 2; is_dark++) {
      struct dv_rgb colour = dv_flame_colour (tree, node, is_dark);
      struct dv_rgb ink = dv_flame_ink (&colour);
      double a = luminance (&colour), b = luminance (&ink);
      g_assert_cmpfloat (colour.r, >=, 0);
      g_assert_cmpfloat (colour.r, <=, 1);
      g_assert_cmpfloat ((MAX (a, b) + 0.05) / (MIN (a, b) + 0.05), >=, 4.5);
    }
  tree_free (tree);
}

static void
count_element (GMarkupParseContext *context, const char *element,
               const char **names, const char **values, gpointer user,
               GError **error)
{
  guint *rectangles = user;
  *rectangles += strcmp (element, "rect") == 0;
}

static void
test_svg (void)
{
  struct dv_calltree *tree = random_tree (100, 6);
  struct dv_flame_layout *layout
    = dv_flame_layout_new (tree, 0, DV_CALL_ACCESSES, 800, 1);
  static const GMarkupParser parser = { .start_element = count_element };
  guint rectangles = 0;
  GError *error = NULL;
  char *svg = dv_flame_svg (layout, "A & B", true);
  GMarkupParseContext *context = g_markup_parse_context_new (
    &parser, 0, &rectangles, NULL);
  g_markup_parse_context_parse (context, svg, -1, &error);
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_cmpuint (rectangles, ==, layout->boxes->len + 1);
  g_assert_nonnull (strstr (svg, "A &amp; B"));
  g_assert_null (strchr (svg, '\x01'));
  g_markup_parse_context_free (context);
  g_free (svg);
  dv_flame_layout_free (layout);
  tree_free (tree);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame/random", test_random);
  g_test_add_func ("/flame/steps", test_steps);
  g_test_add_func ("/flame/colours", test_colours);
  g_test_add_func ("/flame/svg", test_svg);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

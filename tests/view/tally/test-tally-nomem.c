/* test-tally-nomem.c: memory runs out while a view is added up: the same sums
   as otherwise, or none and an error that says so; likewise while tables
   and a call tree are made of the sums.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/calls/calltree.h"
#include "model/tally/rows.h"

#include "tally_log.h"
#include "nomem.h"

static struct dv_scene *scene;

/* What a tally says, but for the order of equals.  */
static uint64_t
sum_of (const struct dv_tally *tally)
{
  uint64_t sum = tally->total.reads + 3 * tally->total.writes
                 + 5 * tally->contexts->len + 7 * tally->threads->len
                 + 11 * tally->code->len + 13 * tally->n_pages
                 + 17 * tally->n_lines + 19 * tally->n_sites
                 + 23 * tally->shares->len;
  for (guint i = 0; i < tally->lines->len; i++)
    sum += 29 * g_array_index (tally->lines, struct dv_tally_place,
                               i).sharing;
  return sum;
}

/* Whether something failed.  */
static bool
run_once (int n, bool is_lasting, unsigned workers, uint64_t *sum)
{
  struct dg_error err = { 0 };
  nomem_begin (n, is_lasting);
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, workers, NULL,
                                         NULL, NULL, &err);
  bool has_failed = nomem_end ();
  *sum = tally != NULL ? sum_of (tally) : 0;
  if (tally == NULL) {
    g_assert_cmpint (err.code, ==, DG_ERR_NOMEM);
    g_assert_cmpstr (err.message, !=, "");
  }
  dv_tally_unref (tally);
  return has_failed;
}

static void
test_any (void)
{
  uint64_t right, sum;
  int n = 1;
  for (int i = 0; i < 3; i++) {
    unsigned workers = i == 2 ? 3 : 1;
    g_assert_false (run_once (0, false, workers, &right));
    g_assert_cmpuint (right, >, 0);
    for (n = 1; run_once (n, i == 1, workers, &sum); n++)
      g_assert_true (sum == 0 || sum == right);
    g_assert_cmpint (n, >, 20);
    g_test_message ("%d requests", n - 1);
  }
}

/* ---- What is made of a tally ------------------------------------------ */

/* No request that cannot fail is larger.  */
#define SURE 16384

static struct dv_tally *
whole_tally (void)
{
  struct dg_error err = { 0 };
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, NULL, NULL,
                                         NULL, &err);
  g_assert_nonnull (tally);
  return tally;
}

typedef uint64_t (*make_fn) (struct dv_tally *tally, int kind,
                             struct dg_error *err);

/* What `make' makes has the same sum as otherwise, or there is none, and that
   is said.  */
static void
fail_each (make_fn make, int kind, int least)
{
  struct dv_tally *tally = whole_tally ();
  struct dg_error err = { 0 };
  nomem_begin (0, false);
  uint64_t right = make (tally, kind, &err), sum;
  nomem_end ();
  g_assert_cmpuint (right, >, 0);
  g_assert_cmpuint (nomem_largest (), <=, SURE);
  for (int i = 0; i < 2; i++) {
    bool has_failed = true;
    int n = 1;
    for (; has_failed; n++) {
      err = (struct dg_error){ 0 };
      nomem_begin (n, i == 1);
      sum = make (tally, kind, &err);
      has_failed = nomem_end ();
      g_assert_true (sum == right || sum == 0);
      g_assert_cmpint (err.code, ==, sum == 0 ? DG_ERR_NOMEM : 0);
      g_assert_cmpint (*err.message != '\0', ==, sum == 0);
    }
    g_assert_cmpint (n - 2, >=, least);
    g_test_message ("kind %d: %d requests", kind, n - 2);
  }
  dv_tally_unref (tally);
}

static uint64_t
make_rows (struct dv_tally *tally, int kind, struct dg_error *err)
{
  struct dv_rows *rows = dv_rows_new (tally, kind, NULL, NULL, err);
  uint64_t sum = 0;
  if (rows == NULL)
    return 0;
  for (guint i = 0; i < rows->rows.n; i++)
    sum += (i + 1) * (dv_tally_count_accesses (&dv_rows_at (rows, i)->count)
                      + 3 * dv_rows_at (rows, i)->inclusive);
  dv_rows_unref (rows);
  return sum;
}

static void
test_rows (void)
{
  for (int kind = DV_ROWS_FUNCTIONS; kind <= DV_ROWS_THREADS; kind++)
    fail_each (make_rows, kind, 4);
}

static uint64_t
make_tree (struct dv_tally *tally, int kind, struct dg_error *err)
{
  struct dv_calltree *tree = dv_calltree_new (tally, 0, NULL, NULL, err);
  uint64_t sum = 0;
  if (tree == NULL)
    return 0;
  for (uint32_t i = 0; i < tree->n; i++)
    sum += (i + 1) * (dv_tally_count_accesses (&tree->nodes[i].all)
                      + 3 * tree->nodes[i].end);
  sum += 7 * tree->functions.n;
  dv_calltree_unref (tree);
  return sum;
}

static void
test_tree (void)
{
  fail_each (make_tree, 0, 8);
}

int
main (int argc, char **argv)
{
  const struct tally_log_kind kind = { 8, 4096, 64, false, 3, 150, true };
  struct dg_error err = { 0 };
  g_test_init (&argc, &argv, NULL);
  struct tally_log *log = tally_log_new (&kind);
  struct dv_data *data = dv_data_new (log->path, true, NULL, NULL, &err);
  g_assert_cmpstr (err.message, ==, "");
  scene = dv_scene_new (data, "", "", NULL, NULL, &err);
  g_assert_nonnull (scene);
  dv_data_unref (data);
  g_test_add_func ("/tally-nomem/any", test_any);
  g_test_add_func ("/tally-nomem/rows", test_rows);
  g_test_add_func ("/tally-nomem/tree", test_tree);
  int status = g_test_run ();
  dv_scene_unref (scene);
  tally_log_free (log);
  return status;
}

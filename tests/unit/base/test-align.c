/* test-align.c: which things of two runs are the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"
#include "unit_main.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define NONE DG_ALIGN_NONE

/* ---- Names -------------------------------------------------------------- */

static void
same_name (const char *text, enum dg_align_names which, const char *program,
           bool is_module, const char *wanted)
{
  char *name = dg_align_name (text, which, program, is_module);

  g_assert_cmpstr (name, ==, wanted);
  free (name);
}

static void
test_names (void)
{
  same_name ("list (mix.c:57:3)", DG_ALIGN_ALL_NAMES, NULL, false,
             "list (mix.c::)");
  same_name ("thread 2 (worker)", DG_ALIGN_ALL_NAMES, NULL, false,
             " (worker)");
  same_name ("thread 2", DG_ALIGN_ALL_NAMES, NULL, false, "thread 2");
  same_name ("fs .data", DG_ALIGN_ALL_NAMES, "fs", false, "fs .data");
  same_name ("f.constprop.0 (a.c:7)", DG_ALIGN_FEW_NAMES, NULL, false, "f");
  same_name ("f.cold", DG_ALIGN_FEW_NAMES, NULL, false, "f");
  same_name ("<global>.colder", DG_ALIGN_FEW_NAMES, NULL, false,
             "<global>.colder");
  same_name ("", DG_ALIGN_FEW_NAMES, "fs", true, "");
}

/* What is the program's, and what is only called as it is.  */
static void
test_program (void)
{
  static const char *const modules[] = {
    "%s .data", "<global>.n, %s .bss", "work (%s)", "0x12 in %s",
    "work (in %s, 0x12)", "%s (no section)", "%s f_0x1().i",
    "<thread 2>.%s"};
  static const char *const others[] = {
    "sort (sort.c)", "<global>.sort", "libsort.so .data", "sort.c", "resort",
    "sort"};

  for (size_t i = 0; i < G_N_ELEMENTS (modules); i++) {
    g_autofree char *old = g_strdup_printf (modules[i], "sort");
    g_autofree char *new = g_strdup_printf (modules[i], "sort-2");
    char *x = dg_align_name (old, DG_ALIGN_ANY_PROGRAM, "sort", false);
    char *y = dg_align_name (new, DG_ALIGN_ANY_PROGRAM, "sort-2", false);

    g_assert_cmpstr (x, ==, y);
    g_assert_cmpstr (x, !=, old);
    free (x);
    free (y);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    same_name (others[i], DG_ALIGN_ANY_PROGRAM, "sort", false, others[i]);
  same_name ("sort", DG_ALIGN_ANY_PROGRAM, "sort", true, "/program/");
}

/* ---- Rows --------------------------------------------------------------- */

struct thing {
  const char *names[2];
  uint64_t line;
  double measures[2];
};

#define MOST 8

/* Aligns two tables, whose ends have no names, and compares the groups.  */
static void
same_groups (const struct thing *a, const struct thing *b, bool takes_best,
             const uint32_t *wanted, size_t n_wanted)
{
  struct dg_align_options options = {
    .size = sizeof options, .n_names = 2, .n_measures = 2,
    .takes_best = takes_best};
  const struct thing *both[] = {a, b};
  struct dg_align_row rows[2][MOST];
  struct dg_align_table tables[2] = {{NULL, 0}};
  struct dg_error err;
  uint32_t *groups;
  size_t n;

  for (unsigned t = 0; t < 2; t++) {
    for (const struct thing *x = both[t]; x->names[0] != NULL; x++)
      rows[t][tables[t].n++] = (struct dg_align_row) {
        x->names, x->line, tables[t].n, x->measures};
    tables[t].rows = rows[t];
  }
  g_assert_cmpint (dg_align (&options, tables, 2, &groups, &n, &err), ==, 0);
  g_assert_cmpmem (groups, n * 2 * sizeof *groups, wanted,
                   n_wanted * 2 * sizeof *wanted);
  free (groups);
}

#define SAME(a, b, takes_best, ...)                                       \
  do {                                                                    \
    const uint32_t wanted[] = {__VA_ARGS__};                              \
    same_groups ((a), (b), (takes_best), wanted,                          \
                 G_N_ELEMENTS (wanted) / 2);                              \
  } while (0)

static void
test_rows (void)
{
  const struct thing a[] = {{{"f", "f"}, 10, {1000, 1000}},
                            {{"f", "f"}, 11, {10, 10}},
                            {{"f", "f"}, 12, {500, 500}},
                            {{"g a.c", "g"}, 1, {1, 1}},
                            {{"h", ""}, 1, {1, 1}},
                            {{NULL, NULL}, 0, {0, 0}}};
  /* A line deleted, one appended; a file renamed; a thing that is new.  */
  const struct thing b[] = {{{"i", ""}, 1, {1, 1}},
                            {{"f", "f"}, 20, {10, 10}},
                            {{"f", "f"}, 21, {500, 500}},
                            {{"f", "f"}, 22, {77, 77}},
                            {{"g b.c", "g"}, 5, {1, 1}},
                            {{NULL, NULL}, 0, {0, 0}}};

  SAME (a, b, false, NONE, 0, 1, 1, 2, 2, NONE, 3, 3, 4, 0, NONE, 4, NONE);
  /* The order of lines counts, or what is alike.  */
  const struct thing c[] = {{{"f", "f"}, 1, {1000, 1000}},
                            {{"f", "f"}, 2, {10, 10}},
                            {{NULL, NULL}, 0, {0, 0}}};
  const struct thing d[] = {{{"f", "f"}, 7, {12, 12}},
                            {{"f", "f"}, 8, {900, 900}},
                            {{NULL, NULL}, 0, {0, 0}}};

  SAME (c, c, false, 0, 0, 1, 1);
  SAME (c, d, true, 1, 0, 0, 1);
  SAME (c, d, false, NONE, 0, 0, 1, 1, NONE);
}

/* Nothing, and options that this version does not know.  */
static void
test_edges (void)
{
  struct dg_align_options options = {.size = 3};
  struct dg_align_table tables[2] = {{NULL, 0}};
  struct dg_error err = {.code = 0};
  uint32_t *groups;
  size_t n;

  g_assert_cmpint (dg_align (&options, tables, 2, &groups, &n, &err), ==,
                   DG_ERR_INVALID);
  g_assert_null (groups);
  options.size = sizeof options;
  g_assert_cmpint (dg_align (&options, tables, 2, &groups, &n, &err), ==, 0);
  g_assert_cmpuint (n, ==, 0);
  free (groups);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/align/names", test_names);
  g_test_add_func ("/align/program", test_program);
  g_test_add_func ("/align/rows", test_rows);
  g_test_add_func ("/align/edges", test_edges);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

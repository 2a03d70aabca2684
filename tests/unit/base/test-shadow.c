/* test-shadow.c: items by page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/shadow.h"

#include "libdatagrind.h"
#include "unit_main.h"

struct item { uint64_t page, value; };

/* A page of many, far from each other.  */
static uint64_t
page_of (unsigned i)
{
  return (uint64_t) (i * 7919u % 5000) * 1000;
}

static void
test_pages (void)
{
  struct dg_shadow shadow;
  struct item *items[5000];
  bool is_new;

  dg_shadow_init (&shadow, sizeof (struct item));
  g_assert_null (dg_shadow_find (&shadow, 0));
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; i < 5000; i++) {
      struct item *item = dg_shadow_add (&shadow, page_of (i), &is_new);

      g_assert_true (is_new);
      g_assert_cmpuint (item->page, ==, page_of (i));
      g_assert_cmpuint (item->value, ==, 0);
      item->value = i + 1;
      items[i] = item;
      g_assert_true (dg_shadow_recent (&shadow, page_of (i)) == item);
      g_assert_true (dg_shadow_at (&shadow, i) == item);
    }
    for (unsigned i = 0; i < 5000; i++) {
      g_assert_true (dg_shadow_get (&shadow, page_of (i)) == items[i]);
      g_assert_true (dg_shadow_find (&shadow, page_of (i)) == items[i]);
      g_assert_true (dg_shadow_add (&shadow, page_of (i), &is_new)
                     == items[i]);
      g_assert_false (is_new);
      g_assert_null (dg_shadow_find (&shadow, page_of (i) + 1));
    }
    dg_shadow_clear (&shadow);
    g_assert_null (dg_shadow_recent (&shadow, page_of (0)));
    g_assert_null (dg_shadow_find (&shadow, page_of (0)));
  }
  dg_shadow_fini (&shadow);
}

/* When the last piece is full, what is there needs no other one.  */
static void
test_full (void)
{
  struct dg_shadow shadow;
  bool is_new;

  dg_shadow_init (&shadow, sizeof (struct item));
  for (unsigned i = 0; i < DG_SHADOW_PIECE; i++)
    dg_shadow_add (&shadow, page_of (i), &is_new);
  for (unsigned i = 0; i < DG_SHADOW_PIECE; i++)
    g_assert_true (dg_shadow_add (&shadow, page_of (i), &is_new)
                   == dg_shadow_at (&shadow, i));
  g_assert_cmpuint (shadow.pieces.n, ==, 1);
  dg_shadow_fini (&shadow);
}

/* How many items a walk finds; whether in ascending order, if it has to.  */
static unsigned
count (struct dg_shadow_walk walk, bool ascends)
{
  const struct item *item, *before = NULL;
  unsigned n = 0;

  while ((item = dg_shadow_next (&walk)) != NULL) {
    g_assert_cmpuint (item->page, >=, walk.first);
    g_assert_cmpuint (item->page, <=, walk.last);
    g_assert_true (!ascends || before == NULL || before->page < item->page);
    before = item;
    n++;
  }
  g_assert_null (dg_shadow_next (&walk));
  return n;
}

static void
test_ranges (void)
{
  static const struct { uint64_t first, last; unsigned n; } cases[] = {
    { 0, 0, 1 },          { 1, 999, 0 },          { 0, 3000, 4 },
    { 1, 4999000, 4999 }, { 0, UINT64_MAX, 5000 }, { 5000000, UINT64_MAX, 0 },
    { 0, 4999, 5 },
  };
  struct dg_shadow shadow;

  dg_shadow_init (&shadow, sizeof (struct item));
  g_assert_cmpuint (count (dg_shadow_range (&shadow, 0, UINT64_MAX), false),
                    ==, 0);
  for (unsigned i = 0; i < 5000; i++)
    g_assert_nonnull (dg_shadow_get (&shadow, page_of (i)));
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    uint64_t first = cases[i].first, last = cases[i].last;
    struct dg_shadow_walk walk;

    g_assert_cmpuint (count (dg_shadow_range (&shadow, first, last), false),
                      ==, cases[i].n);
    g_assert_true (dg_shadow_ascending (&shadow, first, last, &walk));
    g_assert_cmpuint (count (walk, true), ==, cases[i].n);
  }
  dg_shadow_fini (&shadow);
}

static void
test_sheet (void)
{
  struct dg_sheet sheet = { .page = 7 };

  dg_sheet_set_whole (&sheet, 5);
  g_assert_cmpuint (sheet.grains[1000 & sheet.mask], ==, 5);
  g_assert_true (dg_sheet_split (&sheet, 16));
  g_assert_cmpuint (sheet.mask, ==, 15);
  for (unsigned i = 0; i < 16; i++)
    g_assert_cmpuint (sheet.grains[i], ==, 5);
  sheet.grains[3] = 6;
  g_assert_true (dg_sheet_split (&sheet, 16));
  g_assert_cmpuint (sheet.grains[3], ==, 6);
  dg_sheet_set_whole (&sheet, 7);
  g_assert_cmpuint (sheet.grains[3 & sheet.mask], ==, 7);
  dg_sheet_fini (&sheet);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shadow/pages", test_pages);
  g_test_add_func ("/shadow/full", test_full);
  g_test_add_func ("/shadow/ranges", test_ranges);
  g_test_add_func ("/shadow/sheet", test_sheet);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

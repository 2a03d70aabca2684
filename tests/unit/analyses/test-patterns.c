/* test-patterns.c: steps from address to address and what they are called;
   visits to objects.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyses/patterns/patterns_moves.h"
#include "analyses/patterns/patterns_visits.h"
#include "unit_main.h"

#include <string.h>

/* ---- Moves ---- */

static void
test_move (void)
{
  g_assert_cmpint (dg_pattern_move_of (100, 100, 8, 8), ==, DG_MOVE_SAME);
  g_assert_cmpint (dg_pattern_move_of (100, 108, 8, 8), ==, DG_MOVE_NEXT);
  g_assert_cmpint (dg_pattern_move_of (108, 100, 8, 0), ==, DG_MOVE_NEXT);
  g_assert_cmpint (dg_pattern_move_of (100, 116, 8, 16), ==, DG_MOVE_STRIDE);
  g_assert_cmpint (dg_pattern_move_of (100, 116, 8, -16), ==, DG_MOVE_NEAR);
  g_assert_cmpint (dg_pattern_move_of (100, 163, 8, 0), ==, DG_MOVE_NEAR);
  g_assert_cmpint (dg_pattern_move_of (100, 164, 8, 0), ==, DG_MOVE_FAR);
  g_assert_cmpint (dg_pattern_move_of (200, 136, 8, 0), ==, DG_MOVE_FAR);
  g_assert_cmpint (dg_pattern_move_of (UINT64_MAX - 3, 4, 8, 0), ==,
                   DG_MOVE_NEXT);
}

/* The moves along a list of addresses, as an analysis makes them.  */
static struct dg_pattern_moves
moves_along (const uint64_t *addresses, size_t n, uint32_t size)
{
  struct dg_pattern_moves moves = { { 0 } };
  int64_t stride = 0;

  for (size_t i = 1; i < n; i++) {
    int64_t bytes = (int64_t) (addresses[i] - addresses[i - 1]);

    dg_pattern_moves_add (
      &moves,
      dg_pattern_move_of (addresses[i - 1], addresses[i], size, stride),
      bytes);
    stride = bytes;
  }
  return moves;
}

#define STEPS 1000

static void
check_pattern (const uint64_t *addresses, uint32_t size,
               enum dg_pattern pattern, int64_t stride)
{
  struct dg_pattern_moves moves = moves_along (addresses, STEPS, size);

  g_assert_cmpuint (dg_pattern_moves_total (&moves), ==, STEPS - 1);
  g_assert_cmpstr (dg_pattern_name (dg_pattern_of (&moves, NULL)), ==,
                   dg_pattern_name (pattern));
  if (stride != 0)
    g_assert_cmpint (dg_pattern_moves_stride (&moves).bytes, ==, stride);
}

static void
test_patterns (void)
{
  uint64_t addresses[STEPS];

  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096;
  check_pattern (addresses, 8, DG_PATTERN_CONSTANT, 0);
  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + 4 * i;
  check_pattern (addresses, 4, DG_PATTERN_SEQUENTIAL, 4);
  check_pattern (addresses, 2, DG_PATTERN_STRIDED, 4);
  for (int i = 0; i < STEPS; i++)
    addresses[i] = (uint64_t) 1 << 40 | (4096u * 4096u - 4096u * i);
  check_pattern (addresses, 8, DG_PATTERN_STRIDED, -4096);
  /* A matrix of rows of 10, column by column.  */
  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + i % 10 * 800 + i / 10 * 8;
  check_pattern (addresses, 8, DG_PATTERN_STRIDED, 800);
  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + g_test_rand_int_range (0, 1 << 24) * 64;
  check_pattern (addresses, 8, DG_PATTERN_RANDOM, 0);
  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + (i * 7 % 13) * 4;
  check_pattern (addresses, 8, DG_PATTERN_LOCAL, 0);
}

/* Walks over an array that leave some elements out.  */
static void
test_left_out (void)
{
  static const int left_out[] = { 3, 4, 6 };
  uint64_t addresses[STEPS], element = 0;

  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + (i / 2 * 3 + i % 2) * 80;
  check_pattern (addresses, 8, DG_PATTERN_STRIDED, 80);
  /* One of three, four or six is left out, by chance.  One of two is at the
     limit of six tenths: some seeds would be under it.  */
  for (size_t k = 0; k < G_N_ELEMENTS (left_out); k++) {
    for (int i = 0; i < STEPS; i++) {
      addresses[i] = 4096 + element * 80;
      do
        element++;
      while (g_test_rand_int_range (0, left_out[k]) == 0);
    }
    check_pattern (addresses, 8, DG_PATTERN_STRIDED, 80);
  }
  for (int i = 0; i < STEPS; i++)
    addresses[i] = 4096 + g_test_rand_int_range (0, 40) * 80;
  check_pattern (addresses, 8, DG_PATTERN_RANDOM, 0);
}

static void
test_few (void)
{
  const uint64_t addresses[] = { 8, 16, 24, 32 };
  struct dg_pattern_moves moves = moves_along (addresses, 4, 8);

  g_assert_cmpint (dg_pattern_of (&moves, NULL), ==, DG_PATTERN_FEW);
  memset (&moves, 0, sizeof moves);
  g_assert_cmpint (dg_pattern_of (&moves, NULL), ==, DG_PATTERN_FEW);
  g_assert_cmpuint (dg_pattern_moves_stride (&moves).count, ==, 0);
}

/* Far moves go by pointers if what is known of their addresses says so.  */
static void
test_chase (void)
{
  struct dg_pattern_moves moves = { .moves = { [DG_MOVE_FAR] = 100 } };
  struct dg_pattern_chase chase = { 0 };

  g_assert_cmpint (dg_pattern_of (&moves, NULL), ==, DG_PATTERN_RANDOM);
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_UNSURE);
  chase.known = 89;
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_UNSURE);
  chase.known = 90;
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_RANDOM);
  chase.gathered = 50;
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_GATHER);
  chase = (struct dg_pattern_chase) { .known = 60, .chased = 50 };
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_CHASING);
  /* Near ones as well, but not what goes on by a stride.  */
  moves = (struct dg_pattern_moves) { .moves = { [DG_MOVE_NEAR] = 100 } };
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_CHASING);
  moves = (struct dg_pattern_moves) { .moves = { [DG_MOVE_STRIDE] = 100 } };
  g_assert_cmpint (dg_pattern_of (&moves, &chase), ==, DG_PATTERN_STRIDED);
}

/* What merged parts say of a stride is never more than the truth, and never
   less by more than the bound.  */
static void
test_merge (void)
{
  struct dg_pattern_moves all = { { 0 } };
  uint64_t truth[64] = { 0 }, total = 0;

  for (int part = 0; part < 20; part++) {
    struct dg_pattern_moves moves = { { 0 } };
    int n = g_test_rand_int_range (0, 2000);

    for (int i = 0; i < n; i++) {
      unsigned bytes = g_test_rand_bit ()
                         ? 8 : g_test_rand_int_range (1, 64);

      dg_pattern_moves_add (&moves, DG_MOVE_NEAR, bytes);
      truth[bytes]++;
    }
    total += n;
    dg_pattern_moves_merge (&all, &moves);
  }
  g_assert_cmpuint (dg_pattern_moves_total (&all), ==, total);
  for (int i = 0; i < DG_STRIDES; i++)
    if (all.strides[i].count > 0)
      g_assert_cmpuint (all.strides[i].count, <=,
                        truth[all.strides[i].bytes]);
  g_assert_cmpint (dg_pattern_moves_stride (&all).bytes, ==, 8);
  g_assert_cmpuint (dg_pattern_moves_stride (&all).count
                      + total / (DG_STRIDES + 1),
                    >=, truth[8]);
}

/* ---- Visits ---- */

static const struct dg_pattern_object_sums *
only_sums (const struct dg_pattern_visits *visits)
{
  const GPtrArray *all = dg_pattern_visits_sums (visits);

  g_assert_cmpuint (all->len, ==, 1);
  return all->pdata[0];
}

/* How many accesses touched these bytes.  */
static uint64_t
reads (const struct dg_pattern_object_sums *sums, uint32_t offset,
       uint32_t bytes)
{
  return dg_pattern_sums_touches (sums, &sums->reads, offset, bytes);
}

static uint64_t
writes (const struct dg_pattern_object_sums *sums, uint32_t offset,
        uint32_t bytes)
{
  return dg_pattern_sums_touches (sums, &sums->writes, offset, bytes);
}

/* Of the visits: those to any of the first granules, or to both of two.  */
static uint64_t
visits_any (const struct dg_pattern_object_sums *sums, uint64_t granules)
{
  return dg_pattern_sums_visits_any (
    sums, &(struct dg_pattern_granules){{granules}});
}

static uint64_t
visits_both (const struct dg_pattern_object_sums *sums, uint64_t a, uint64_t b)
{
  return visits_any (sums, a) + visits_any (sums, b)
         - visits_any (sums, a | b);
}

static unsigned
granule (uint32_t bytes)
{
  return dg_pattern_kind_granule (
    (struct dg_pattern_object_kind){.bytes = bytes});
}

/* Four strides are kept, each less what the fifth had.  */
static void
test_merge_strides (void)
{
  struct dg_pattern_moves to = {
    .strides = { { 8, 50 }, { 16, 40 }, { 24, 30 }, { 32, 20 } }
  };
  const struct dg_pattern_moves from = {
    .strides = { { 40, 45 }, { 8, 5 }, { 48, 10 } }
  };
  const struct dg_pattern_stride merged[DG_STRIDES] = {
    { 8, 35 }, { 40, 25 }, { 16, 20 }, { 24, 10 }
  };

  dg_pattern_moves_merge (&to, &from);
  for (int i = 0; i < DG_STRIDES; i++) {
    g_assert_cmpint (to.strides[i].bytes, ==, merged[i].bytes);
    g_assert_cmpuint (to.strides[i].count, ==, merged[i].count);
  }
}

static void
test_granules (void)
{
  g_assert_cmpuint (granule (1), ==, 4);
  g_assert_cmpuint (granule (256), ==, 4);
  g_assert_cmpuint (granule (257), ==, 8);
  g_assert_cmpuint (granule (DG_OBJECT_MAX), ==, 16);
}

static void
test_visits (void)
{
  const struct dg_pattern_object_kind kind = { .site = 3, .bytes = 24 };
  struct dg_pattern_visits *visits = dg_pattern_visits_new ();
  const struct dg_pattern_object_sums *sums;

  /* Two objects by turns: a visit each, as long as it is.  */
  for (unsigned i = 0; i < DG_VISIT_ACCESSES; i += 2) {
    dg_pattern_visits_add (visits, kind, 0x1000, 0, 8, false, i);
    dg_pattern_visits_add (visits, kind, 0x2000, 8, 4, true, i + 1);
  }
  /* And the second visit to the first.  */
  dg_pattern_visits_add (visits, kind, 0x1000, 16, 8, false,
                         DG_VISIT_ACCESSES);
  dg_pattern_visits_end (visits);
  sums = only_sums (visits);
  g_assert_cmpuint (sums->visits, ==, 3);
  g_assert_cmpuint (reads (sums, 0, 4), ==, DG_VISIT_ACCESSES / 2);
  g_assert_cmpuint (reads (sums, 4, 4), ==, DG_VISIT_ACCESSES / 2);
  g_assert_cmpuint (writes (sums, 8, 4), ==, DG_VISIT_ACCESSES / 2);
  g_assert_cmpuint (reads (sums, 16, 4), ==, 1);
  g_assert_cmpuint (visits_any (sums, 1), ==, 1);
  g_assert_cmpuint (visits_any (sums, 1 | 4), ==, 2);
  g_assert_cmpuint (visits_both (sums, 1, 2), ==, 1);
  g_assert_cmpuint (visits_both (sums, 1, 4), ==, 0);
  dg_pattern_visits_free (visits);
}

/* A constructor makes an object, and then it is used.  */
static void
test_visits_makings (void)
{
  const struct dg_pattern_object_kind kind = { .site = 3, .bytes = 24,
                                       .is_typed = true };
  struct dg_pattern_visits *visits = dg_pattern_visits_new ();
  const struct dg_pattern_object_sums *sums;

  for (unsigned i = 0; i < 24; i += 8)
    dg_pattern_visits_add (visits, kind, 0x1000, i, 8, true, i);
  dg_pattern_visits_add (visits, kind, 0x1000, 8, 8, false, 30);
  /* Half of it.  */
  dg_pattern_visits_add (visits, kind, 0x2000, 0, 8, true, 31);
  dg_pattern_visits_add (visits, kind, 0x2000, 8, 4, true, 32);
  /* Less; more, but something was read first; half is read.  */
  dg_pattern_visits_add (visits, kind, 0x3000, 0, 8, true, 33);
  dg_pattern_visits_add (visits, kind, 0x4000, 0, 1, false, 34);
  dg_pattern_visits_add (visits, kind, 0x4000, 0, 16, true, 35);
  dg_pattern_visits_add (visits, kind, 0x5000, 0, 8, true, 36);
  dg_pattern_visits_add (visits, kind, 0x5000, 8, 16, false, 37);
  dg_pattern_visits_end (visits);
  sums = only_sums (visits);
  g_assert_cmpuint (sums->makings, ==, 2);
  g_assert_cmpuint (sums->visits, ==, 3);
  g_assert_cmpuint (visits_any (sums, 1 << 8), ==, 2);
  /* An access is one, however many bytes it touches.  */
  g_assert_cmpuint (writes (sums, 0, 24), ==, 8);
  g_assert_cmpuint (writes (sums, 0, 1), ==, 5);
  g_assert_cmpuint (writes (sums, 1, 1), ==, 5);
  g_assert_cmpuint (reads (sums, 1, 7), ==, 0);
  dg_pattern_visits_free (visits);
}

/* Neighbouring fields of an object of which a granule has several.  */
static void
test_visits_fields (void)
{
  const struct dg_pattern_object_kind kind = { .site = 3, .bytes = 1000,
                                       .is_typed = true };
  struct dg_pattern_visits *visits = dg_pattern_visits_new ();
  const struct dg_pattern_object_sums *sums;

  g_assert_cmpuint (dg_pattern_kind_granule (kind), ==, 4);
  for (unsigned i = 0; i < 7; i++)
    dg_pattern_visits_add (visits, kind, 0x1000, 32, 4, false, i);
  for (unsigned i = 0; i < 5; i++)
    dg_pattern_visits_add (visits, kind, 0x1000, 36, 4, true, i);
  /* Both of them, and what lies before; and behind.  */
  dg_pattern_visits_add (visits, kind, 0x1000, 24, 16, false, 9);
  dg_pattern_visits_add (visits, kind, 0x1000, 999, 1, false, 9);
  dg_pattern_visits_end (visits);
  sums = only_sums (visits);
  g_assert_cmpuint (reads (sums, 24, 8), ==, 1);
  g_assert_cmpuint (reads (sums, 32, 4), ==, 8);
  g_assert_cmpuint (reads (sums, 36, 4), ==, 1);
  g_assert_cmpuint (reads (sums, 40, 959), ==, 0);
  g_assert_cmpuint (reads (sums, 999, 1), ==, 1);
  g_assert_cmpuint (writes (sums, 32, 4), ==, 0);
  g_assert_cmpuint (writes (sums, 36, 4), ==, 5);
  g_assert_cmpuint (writes (sums, 0, 1000), ==, 5);
  dg_pattern_visits_free (visits);
}

/* Offsets, sizes and objects that make no sense.  */
static void
test_visits_bad (void)
{
  struct dg_pattern_visits *visits = dg_pattern_visits_new ();

  dg_pattern_visits_add (visits, (struct dg_pattern_object_kind){1, 8}, 0, 8,
                         1, false, 0);
  dg_pattern_visits_add (visits, (struct dg_pattern_object_kind){1, 8}, 0, 0,
                         0, false, 0);
  dg_pattern_visits_add (visits, (struct dg_pattern_object_kind){1, 0}, 0, 0,
                         8, false, 0);
  dg_pattern_visits_add (visits,
                         (struct dg_pattern_object_kind){1, DG_OBJECT_MAX + 1},
                         0, 0, 8, false, 0);
  g_assert_cmpuint (dg_pattern_visits_sums (visits)->len, ==, 0);
  dg_pattern_visits_add (visits,
                         (struct dg_pattern_object_kind){1, DG_OBJECT_MAX}, 0,
                         DG_OBJECT_MAX - 1, UINT16_MAX, true, 0);
  dg_pattern_visits_end (visits);
  g_assert_cmpuint (writes (only_sums (visits), DG_OBJECT_MAX - 16, 16),
                    ==, 1);
  dg_pattern_visits_free (visits);
}

static struct dg_pattern_object_kind
as_one_site (void *user, struct dg_pattern_object_kind kind)
{
  kind.site = 9;
  return kind;
}

static void
test_visits_merge (void)
{
  struct dg_pattern_visits *parts[2] = {dg_pattern_visits_new (),
                                        dg_pattern_visits_new ()};
  struct dg_pattern_visits *all = dg_pattern_visits_new ();
  const struct dg_pattern_object_sums *sums;

  for (unsigned i = 0; i < 2; i++) {
    dg_pattern_visits_add (parts[i],
                           (struct dg_pattern_object_kind){i + 1, 16}, 64,
                           4 * i, 4, i == 1, 0);
    dg_pattern_visits_add (parts[i],
                           (struct dg_pattern_object_kind){i + 1, 16}, 128, 0,
                           4, false, 1);
    dg_pattern_visits_end (parts[i]);
    dg_pattern_visits_merge (all, parts[i], as_one_site, NULL);
    dg_pattern_visits_free (parts[i]);
  }
  sums = only_sums (all);
  g_assert_cmpuint (sums->kind.site, ==, 9);
  g_assert_cmpuint (sums->visits, ==, 4);
  g_assert_cmpuint (reads (sums, 0, 4), ==, 3);
  g_assert_cmpuint (writes (sums, 4, 4), ==, 1);
  g_assert_cmpuint (visits_any (sums, 1), ==, 3);
  g_assert_cmpuint (dg_pattern_visits_lost (all), ==, 0);
  dg_pattern_visits_free (all);
}

/* More kinds and sets than there is room for are told, not kept.  */
static void
test_visits_room (void)
{
  struct dg_pattern_visits *visits = dg_pattern_visits_new ();

  for (unsigned i = 0; i < DG_KINDS_MAX + 5; i++)
    dg_pattern_visits_add (visits, (struct dg_pattern_object_kind){i, 16},
                           i * 16, 0, 4, false, i);
  dg_pattern_visits_end (visits);
  g_assert_cmpuint (dg_pattern_visits_sums (visits)->len, ==, DG_KINDS_MAX);
  g_assert_cmpuint (dg_pattern_visits_lost (visits), ==, 5);
  dg_pattern_visits_free (visits);

  visits = dg_pattern_visits_new ();
  for (unsigned set = 1; set <= DG_SETS_MAX + 5; set++) {
    for (unsigned i = 0; i < 16; i++)
      if (set >> i & 1)
        dg_pattern_visits_add (visits, (struct dg_pattern_object_kind){1, 64},
                               64, 4 * i, 4, false,
                               (uint64_t) set * DG_VISIT_ACCESSES);
  }
  dg_pattern_visits_end (visits);
  g_assert_cmpuint (only_sums (visits)->visits, ==, DG_SETS_MAX + 5);
  g_assert_cmpuint (only_sums (visits)->lost, ==, 5);
  dg_pattern_visits_free (visits);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/patterns/move", test_move);
  g_test_add_func ("/patterns/patterns", test_patterns);
  g_test_add_func ("/patterns/few", test_few);
  g_test_add_func ("/patterns/left-out", test_left_out);
  g_test_add_func ("/patterns/chase", test_chase);
  g_test_add_func ("/patterns/merge", test_merge);
  g_test_add_func ("/patterns/merge-strides", test_merge_strides);
  g_test_add_func ("/patterns/granules", test_granules);
  g_test_add_func ("/patterns/visits/fields", test_visits_fields);
  g_test_add_func ("/patterns/visits", test_visits);
  g_test_add_func ("/patterns/visits-makings", test_visits_makings);
  g_test_add_func ("/patterns/visits-bad", test_visits_bad);
  g_test_add_func ("/patterns/visits-merge", test_visits_merge);
  g_test_add_func ("/patterns/visits-room", test_visits_room);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

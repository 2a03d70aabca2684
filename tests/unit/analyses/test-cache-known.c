/* test-cache-known.c: what windows of a sample know of caches: by hand,
   against caches whose contents are known, and through the analysis.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyses/cache/cache_known.h"
#include "core_test.h"
#include "dg_analysis.h"
#include "unit_main.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LINE 16

static void
make_cache (struct dg_cache *cache, unsigned sets, unsigned ways)
{
  const struct dg_cache_shape shape = {(uint64_t) sets * ways * LINE, ways,
                                       LINE};

  g_assert_cmpint (dg_cache_init (cache, &shape, DG_CACHE_LRU, NULL), ==, 0);
}

static void
make (struct dg_cache *cache, struct dg_cache_depths *depths, unsigned sets,
      unsigned ways)
{
  make_cache (cache, sets, ways);
  g_assert_cmpint (dg_cache_depths_init (depths, ways, NULL), ==, 0);
}

/* What touches of lines say: "a" is line 0, and so on; "A" may be no touch at
   all.  "h", "?" and "m" for each.  */
static void
check_touches (unsigned sets, unsigned ways, const char *lines,
               const char *expected)
{
  struct dg_cache cache;
  struct dg_cache_depths depths;
  GString *got = g_string_new (NULL);

  make (&cache, &depths, sets, ways);
  for (; *lines != '\0'; lines++) {
    bool is_certain = g_ascii_islower (*lines);
    uint64_t line = (uint64_t) (g_ascii_tolower (*lines) - 'a');

    g_string_append_c (
      got,
      "h?m"[dg_cache_known_touch (&cache, line, is_certain, &depths)]);
  }
  g_assert_cmpstr (got->str, ==, expected);
  g_string_free (got, TRUE);
  dg_cache_fini (&cache);
  dg_cache_depths_fini (&depths);
}

static void
test_touches (void)
{
  /* A line that was seen hits; others are unknown until the set is full.  */
  check_touches (1, 2, "aab", "?h?");
  check_touches (1, 2, "abab", "??hh");
  /* The set is full of a and b: c is a miss, and then it is full of c and
     b.  */
  check_touches (1, 2, "abcbac", "??mhmm");
  /* Each set is by itself: b and d are in the other one.  */
  check_touches (2, 2, "abcde", "????m");
  check_touches (2, 2, "abcdeb", "????mh");
  /* A line that may have been touched does not hit until it has been.  */
  check_touches (1, 2, "Aaa", "??h");
  /* Its place is none that is known: b may be there.  */
  check_touches (1, 2, "aBc", "???");
  check_touches (1, 2, "aBcda", "????m");
  /* What may have been touched makes others older.  */
  check_touches (1, 2, "abAb", "??hh");
  check_touches (1, 2, "abCb", "??mh");
  check_touches (1, 2, "abCa", "??m?");
}

static void
test_access (void)
{
  struct dg_cache cache;
  struct dg_cache_depths depths;

  make (&cache, &depths, 2, 1);
  /* Line 0; lines 0 and 1, one of which is known; both; lines 1 and 2, one of
     which is a miss.  */
  g_assert_cmpint (dg_cache_known_access (&cache, 3, 3, 0, true, &depths), ==,
                   DG_CACHE_UNKNOWN);
  g_assert_cmpint (dg_cache_known_access (&cache, 12, 7, 0, true, &depths), ==,
                   DG_CACHE_UNKNOWN);
  g_assert_cmpint (dg_cache_known_access (&cache, 12, 7, 0, true, &depths), ==,
                   DG_CACHE_HIT);
  g_assert_cmpint (dg_cache_known_access (&cache, 28, 7, 0, true, &depths), ==,
                   DG_CACHE_MISS);
  g_assert_cmpuint (depths.hits[0], ==, 4);
  g_assert_cmpuint (depths.unknown[0], ==, 2);
  g_assert_cmpuint (depths.misses, ==, 1);
  dg_cache_fini (&cache);
  dg_cache_depths_fini (&depths);
}

/* Of bursts, only what is first since a moment is noted.  Such moments are the
   1st, the 3rd and the 7th touch, and the 1st after a window's beginning.  */
static void
test_first_only (void)
{
  struct dg_cache cache;
  struct dg_cache_depths depths;

  make (&cache, &depths, 1, 4);
  g_assert_cmpint (dg_cache_known_first_only (&cache, NULL), ==, 0);
  for (const char *line = "abaabbb"; *line != '\0'; line++)
    dg_cache_known_touch (&cache, (uint64_t) *line, true, &depths);
  g_assert_cmpuint (depths.hits[0], ==, 1);
  g_assert_cmpuint (depths.hits[1], ==, 2);
  dg_cache_clear (&cache);
  dg_cache_known_touch (&cache, 'a', true, &depths);
  dg_cache_known_touch (&cache, 'a', true, &depths);
  g_assert_cmpuint (depths.hits[0], ==, 1);
  g_assert_cmpuint (depths.unknown[0], ==, 2);
  g_assert_cmpuint (depths.unknown[1], ==, 1);
  dg_cache_fini (&cache);
  dg_cache_depths_fini (&depths);
}

/* By hand: at depth 0, 10 of 10 + 20 + 30 + 40 + 60 of one unknown with two
   known lines find their line; at depth 1, 20 of the rest; then 30 of those
   that are left.  */
static void
test_likely (void)
{
  uint64_t hits[3] = {10, 20, 30}, unknown[3] = {5, 4, 60}, maybe[3] = {1};
  const struct dg_cache_depths depths = {
    .n = 3, .hits = hits, .unknown = unknown, .misses = 40,
    .maybe_unknown = maybe, .maybe_misses = 1};
  /* Those who looked: at depth 0 the unknown of 1 and 2, too.  */
  double at2 = 1 - 30. / (30 + 40), at1 = at2 * (1 - 20. / (50 + 40 + 60));
  double at0 = at1 * (1 - 10. / (60 + 40 + 4 + 60));
  struct dg_cache_likely likely = dg_cache_known_likely (&depths, 1, 0);

  g_assert_cmpfloat (
    fabs (likely.unknown - (5 * at0 + 4 * at1 + 60 * at2) / 69), <, 1e-12);
  g_assert_cmpfloat (fabs (likely.maybe - (at0 + 1) / 2), <, 1e-12);
}

static void
test_likely_nothing (void)
{
  struct dg_cache_depths depths[2];
  struct dg_cache_likely likely;
  double slope, at3;

  for (unsigned i = 0; i < 2; i++)
    g_assert_cmpint (dg_cache_depths_init (&depths[i], 4, NULL), ==, 0);
  likely = dg_cache_known_likely (depths, 2, 0);
  g_assert_cmpfloat (likely.unknown, ==, 1);
  /* Too few of its kind: the other kind is asked, too.  */
  depths[0].unknown[3] = 1;
  depths[0].hits[3] = 1;
  depths[1].hits[3] = 29;
  depths[1].misses = 10;
  likely = dg_cache_known_likely (depths, 2, 0);
  g_assert_cmpfloat (fabs (likely.unknown - 0.25), <, 1e-12);
  depths[0].hits[3] = 32;
  likely = dg_cache_known_likely (depths, 2, 0);
  g_assert_cmpfloat (likely.unknown, ==, 0);
  /* At depth 0, 20 of 200 find their line; at 1, none of 100; at 2, 20 of 100;
     and nobody gets to know what is at 3.  */
  memset (depths[0].hits, 0, 4 * sizeof *depths[0].hits);
  memset (depths[1].hits, 0, 4 * sizeof *depths[1].hits);
  depths[1].misses = 0;
  depths[0].hits[0] = 20;
  depths[0].hits[2] = 20;
  depths[0].unknown[1] = 80;
  depths[0].unknown[3] = 80;
  likely = dg_cache_known_likely (depths, 2, 0);
  slope = 40 / (200 + 100 / 2. + 100 / 3.);
  at3 = 1 - slope / 4;
  g_assert_cmpfloat (
    fabs (likely.unknown - (80 * at3 + 80 * at3 * 0.8) / 160), <, 1e-12);
  for (unsigned i = 0; i < 2; i++)
    dg_cache_depths_fini (&depths[i]);
}

/* ---- Against caches whose contents are known --------------------------- */

/* Two levels that are known, and what a window knows of them.  */
struct pair {
  struct dg_cache cache, known;
  struct dg_cache_depths depths;
};

/* A line that is accessed, or may be; the state of what is known, which must
   be what happens.  */
static enum dg_cache_state
touch_both (struct pair *pair, uint64_t line, bool is_made, bool is_certain)
{
  bool is_hit = is_made && dg_cache_touch (&pair->cache, line);
  enum dg_cache_state state =
    dg_cache_known_touch (&pair->known, line, is_certain, &pair->depths);

  g_assert_true (!is_made || state != DG_CACHE_HIT || is_hit);
  g_assert_true (!is_made || state != DG_CACHE_MISS || !is_hit);
  return state;
}

static void
test_random (void)
{
  struct pair first[2], last;
  unsigned unknown = 0, certain = 0;

  for (unsigned i = 0; i < 3; i++) {
    struct pair *pair = i < 2 ? &first[i] : &last;

    make_cache (&pair->cache, i < 2 ? 2 : 4, i < 2 ? 2 : 4);
    make (&pair->known, &pair->depths, i < 2 ? 2 : 4, i < 2 ? 2 : 4);
  }
  for (unsigned i = 0; i < 20000; i++) {
    struct pair *at = &first[g_test_rand_int_range (0, 2)];
    uint64_t line = (uint64_t) g_test_rand_int_range (0, 8)
                    * (uint64_t) g_test_rand_int_range (1, 5);
    enum dg_cache_state state;
    bool was_hit;

    /* A window begins.  */
    if (g_test_rand_int_range (0, 60) == 0) {
      dg_cache_clear (&first[0].known);
      dg_cache_clear (&first[1].known);
      dg_cache_clear (&last.known);
    }
    /* As it is in the first level, before it is touched.  */
    was_hit = false;
    for (unsigned k = 0; k < 2; k++)
      was_hit |= dg_cache_set (&at->cache, line)[k] == line;
    state = touch_both (at, line, true, true);
    unknown += state == DG_CACHE_UNKNOWN;
    if (state == DG_CACHE_HIT)
      continue;
    state = touch_both (&last, line, !was_hit, state == DG_CACHE_MISS);
    certain += state != DG_CACHE_UNKNOWN;
  }
  g_assert_cmpuint (unknown, >, 100);
  g_assert_cmpuint (certain, >, 100);
  for (unsigned i = 0; i < 3; i++) {
    struct pair *pair = i < 2 ? &first[i] : &last;

    dg_cache_fini (&pair->cache);
    dg_cache_fini (&pair->known);
    dg_cache_depths_fini (&pair->depths);
  }
}

/* ---- Through the analysis ---------------------------------------------- */

#define CODE                                                    \
  "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"\" \"\" \"\" []\n"   \
  "bbdef [1+1] [R4@0]\ncontext 0 [1]\n"
#define READ(address) "bbrun 0 1 [" address "]\n"
/* Lines of the same set of D1, but for D.  */
#define A READ ("0x1000")
#define B READ ("0x1020")
#define C READ ("0x1040")
#define D READ ("0x1010")
#define E READ ("0x1060")
#define F READ ("0x1080")

/* "KEY least-most" of what was recorded.  */
static char *
read_bounds (const struct dg_log *log, unsigned workers, const char *instr)
{
  const struct dg_setting settings[] = {
    {"I1", instr}, {"D1", "64,2,16"}, {"LL", "64,4,16"}};
  const struct dg_analysis *analysis = dg_analysis_find ("cache");
  const struct dg_analyse_options options = {
    .size = sizeof options, .workers = workers, .settings = settings,
    .n_settings = G_N_ELEMENTS (settings)};
  struct dg_report *report = dg_report_new (NULL);
  GString *text = g_string_new (NULL);
  const struct dg_report_item *item;
  struct dg_error err = { 0 };

  if (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report, &err) < 0)
    g_error ("%s", err.message);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    struct dg_cell cell;

    if (item->kind != DG_ITEM_VALUE || item->key == NULL)
      continue;
    dg_report_row (item, 0, &cell);
    if (g_str_has_suffix (item->key, "_least"))
      g_string_append_printf (text, "%.4s %" PRIu64 "-", item->key,
                              cell.number);
    else if (g_str_has_suffix (item->key, "_most"))
      g_string_append_printf (text, "%" PRIu64 " ", cell.number);
  }
  dg_report_free (report);
  return g_string_free (text, FALSE);
}

static void
check_log (const struct dg_log *log, const char *expected)
{
  for (unsigned workers = 1; workers < 4; workers += 2)
    for (unsigned k = 0; k < 2; k++) {
      /* The second one is too large for caches to be simulated by chunk.  */
      char *got = read_bounds (log, workers, k == 0 ? "64,2,16" : "4Mi,4,16");

      g_assert_cmpstr (got, ==, expected);
      g_free (got);
    }
}

static void
check_windows (const char *text, const char *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes), *packed;

  check_log (log, expected);
  packed = core_test_pack (log);
  check_log (packed, expected);
  dg_log_close (packed);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_windows (void)
{
  /* In D1, a, b and d may have been there; c, and a then, are misses.  LL is
     never full: the first four were perhaps not accessed at all.  */
#define FIRST "window 1 9 0\n" A A B C A D "window 0 8 6\n"
  check_windows (CODE FIRST "end icount=50\n",
                 "I1mr 0-1 ILmr 0-1 D1mr 2-5 DLmr 0-5 D1mw 0-0 DLmw 0-0 ");
  /* Nothing is known any more: a and c may be there, six others are not.  LL
     is full of b, a, c and e, which were accessed for certain: b hits, and f
     is a miss.  */
#define SECOND "window 1 9 50\n" A C B A C E B F "window 0 8 58\n"
  check_windows (CODE SECOND "end icount=100\n",
                 "I1mr 0-1 ILmr 0-1 D1mr 6-8 DLmr 1-7 D1mw 0-0 DLmw 0-0 ");
  check_windows (CODE FIRST SECOND "end icount=100\n",
                 "I1mr 0-2 ILmr 0-2 D1mr 8-13 DLmr 1-12 D1mw 0-0 DLmw 0-0 ");
  /* A chunk begins in a window, which goes on.  */
  check_windows (CODE "window 1 9 50\n" A C B A "chunk\n" C E B F
                 "window 0 8 58\nend icount=100\n",
                 "I1mr 0-1 ILmr 0-1 D1mr 6-8 DLmr 1-7 D1mw 0-0 DLmw 0-0 ");
  /* A window begins within a chunk, and goes on in the next one.  */
  check_windows (CODE FIRST "window 1 9 50\n" A C B A "chunk\n" C E B F
                 "window 0 8 58\nend icount=100\n",
                 "I1mr 0-2 ILmr 0-2 D1mr 8-13 DLmr 1-12 D1mw 0-0 DLmw 0-0 ");
}

/* What was recorded whole has no bounds, whatever else was left out.  */
static void
test_whole (void)
{
  check_windows (CODE A A B "end\n", "");
  check_windows (CODE A A "window 0 1 2\nwindow 1 1 9\n" B "end\n", "");
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cache-known/touches", test_touches);
  g_test_add_func ("/cache-known/access", test_access);
  g_test_add_func ("/cache-known/first-only", test_first_only);
  g_test_add_func ("/cache-known/likely", test_likely);
  g_test_add_func ("/cache-known/likely-nothing", test_likely_nothing);
  g_test_add_func ("/cache-known/random", test_random);
  g_test_add_func ("/cache-known/windows", test_windows);
  g_test_add_func ("/cache-known/whole", test_whole);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

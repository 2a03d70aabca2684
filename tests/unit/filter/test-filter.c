/* test-filter.c: the --events and --ranges language: its grammar, and what
   passes compared with plain evaluation of random logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter/filter.h"
#include "filter/filter_parse.h"
#include "filter_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- Comparison ------------------------------------------------------- */

static const char *const both_sides[] = {"",
                                         "fn:main",
                                         "fn:ns::work",
                                         "fn:ns::work(double) const",
                                         "fn:(anonymous namespace)::hidden",
                                         "fn:core::fmt::write",
                                         "fn:ns::F::operator()",
                                         "fn:ns::F::operator",
                                         "fn:work",
                                         "fn:absent",
                                         "file:main.c",
                                         "file:lib/main.c",
                                         "file:/lib/main.c",
                                         "file:ain.c",
                                         "file:util.c",
                                         "file:/src/app/main.c",
                                         "dso:app",
                                         "dso:libx.so.6",
                                         "dso:libx.so",
                                         "user:a",
                                         "user:b\\,c",
                                         "user:back\\\\slash",
                                         "user:d e",
                                         "user:none"};
static const char *const ranges_only[] = {
  "range",     "malloc",   "var:table",     "var:ns::count",    "var:none",
  "addr:100",  "addr:50..300", "not addr:..200", "not malloc", "not var:table",
  "not range", "not user:a", "not fn:main"};
static const char *const events_only[] = {
  "thread:1",   "thread:worker", "thread:9",    "not thread:2",
  "not fn:main", "not user:a",   "not dso:app", "not file:util.c"};

static struct dg_access
random_access (const struct world *w)
{
  struct dg_access a = {.icount = random_to (MOMENTS + MOMENTS / 2),
                        .address = random_to (MEMORY + 40),
                        .size = (uint32_t) (1 + random_to (16)),
                        .context = (uint32_t) random_to (N_CONTEXTS),
                        .thread = (uint32_t) (1 + random_to (N_THREADS))};
  const struct dg_bbdef *bbdef = &w->bbdefs[w->contexts[a.context].bbdef];

  /* A context whose code is unloaded does not run.  */
  if (w->log.n_modules > 0
      && (a.icount < SWITCH) != (w->runs[a.context].icount < SWITCH))
    a.icount = w->runs[a.context].icount;
  a.instruction = bbdef->instrs[random_to (bbdef->n_instrs)].address;
  return a;
}

/* Accesses of one context in turn: what was looked up for one serves the next
   ones, but not beyond its end.  */
static void
compare_in_turn (struct world *w, const struct dg_filter *filter)
{
  struct dg_filter_cursor cursor = { 0 };
  struct dg_access a = random_access (w);

  for (a.icount = 0; a.icount < MOMENTS; a.icount++) {
    /* A context whose code is unloaded does not run.  */
    if (w->log.n_modules > 0
        && (a.icount < SWITCH) != (w->runs[a.context].icount < SWITCH))
      continue;
    g_assert_cmpint (dg_filter_next (filter, &cursor, &a), ==,
                     dg_filter_access (filter, &a));
  }
}

static void
compare (struct world *w, const struct dg_space *space, const char *events,
         const char *ranges, unsigned n_accesses)
{
  struct dg_error err = {0};
  struct dg_filter *filter = dg_filter_new (&w->log, &w->symbols, space,
                                            events, ranges, NULL, NULL, &err);
  GArray *e = dg_filter_parse (DG_SIDE_EVENTS, events, NULL);
  GArray *r = dg_filter_parse (DG_SIDE_RANGES, ranges, NULL);

  g_assert_cmpstr (err.message, ==, "");
  g_assert_nonnull (filter);
  for (unsigned i = 0; i < n_accesses; i++) {
    struct dg_access a = random_access (w);
    bool kept = dg_filter_access (filter, &a);

    if (kept != passes (w, e, r, &a))
      g_test_message ("events '%s', ranges '%s', context %u, at %d", events,
                      ranges, a.context, (int) a.icount);
    g_assert_cmpint (kept, ==, passes (w, e, r, &a));
    if (kept)
      g_assert_true (dg_filter_run (filter, a.context, a.icount));
  }
  compare_in_turn (w, filter);
  g_array_unref (e);
  g_array_unref (r);
  dg_filter_free (filter);
}

static const char *
range_text (size_t i)
{
  return i < G_N_ELEMENTS (both_sides)
           ? both_sides[i]
           : ranges_only[i - G_N_ELEMENTS (both_sides)];
}

/* Every condition and every pair of one for each side; pairs on one side.  */
static void
compare_everything (bool reloaded, unsigned n_accesses)
{
  const size_t n_events = G_N_ELEMENTS (both_sides);
  const size_t n_ranges = n_events + G_N_ELEMENTS (ranges_only);
  struct world *w = random_world (reloaded);
  struct dg_space *space = dg_space_new (&w->log, NULL);

  for (size_t i = 0; i < n_events; i++)
    for (size_t k = 0; k < n_ranges; k++)
      compare (w, k % 2 ? space : NULL, both_sides[i], range_text (k),
               n_accesses);
  for (size_t i = 1; i < n_events; i++) {
    for (size_t k = 1; k < n_ranges; k++) {
      char *two = g_strconcat (range_text (i), ",", range_text (k), NULL);

      compare (w, i % 2 ? space : NULL, NULL, two, n_accesses);
      if (k < n_events)
        compare (w, NULL, two, NULL, n_accesses);
      g_free (two);
    }
  }
  dg_space_free (space);
  g_free (w);
}

static void
test_random (void)
{
  compare_everything (false, 60);
}

/* Conditions of one side only, alone, in pairs and with others.  */
static void
test_one_side (void)
{
  struct world *w = random_world (false);

  for (size_t i = 0; i < G_N_ELEMENTS (events_only); i++) {
    for (size_t k = 0; k < G_N_ELEMENTS (events_only); k++) {
      char *two = g_strconcat (events_only[i], ", ", events_only[k], NULL);

      compare (w, NULL, two, ranges_only[(i + k) % G_N_ELEMENTS (ranges_only)],
               60);
      g_free (two);
    }
    for (size_t k = 1; k < G_N_ELEMENTS (both_sides); k++) {
      char *two = g_strconcat (both_sides[k], ",", events_only[i], NULL);

      compare (w, NULL, two, NULL, 60);
      g_free (two);
    }
  }
  g_free (w);
}

/* One module in another's place: names depend on the moment.  */
static void
test_reloaded (void)
{
  compare_everything (true, 30);
}

/* ---- Grammar ---------------------------------------------------------- */

static void
check_bad (enum dg_side side, const char *text, uint64_t column,
           const char *message)
{
  struct dg_error err = {0};

  g_assert_null (dg_filter_parse (side, text, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_FILTER);
  g_assert_cmpuint (err.offset, ==, column);
  g_assert_nonnull (strstr (err.message, message));
  g_assert_null (dg_filter_parse (side, text, NULL));
}

static void
test_bad_text (void)
{
  const enum dg_side e = DG_SIDE_EVENTS, r = DG_SIDE_RANGES;

  check_bad (e, "foo:bar", 0, "--events: unknown condition 'foo'");
  check_bad (e, "foo:bar", 0,
             "fn:FUNCTION, file:SOURCE, dso:LIBRARY, user:LABEL");
  check_bad (r, "fn:a,foo", 5,
             "--ranges: character 6: unknown condition 'foo'");
  check_bad (r, "foo", 0, "range, malloc");
  check_bad (e, "threads:1", 0, "(did you mean 'thread'?); valid");
  check_bad (e, "function:f", 0, "(did you mean 'fn'?)");
  check_bad (e, "heap", 0, "unknown condition 'heap'; valid");
  check_bad (r, "heap", 0, "(did you mean 'malloc'?)");
  check_bad (e, "fn:a,range", 5, "'range' is for --ranges only");
  check_bad (e, "malloc", 0, "'malloc' is for --ranges only");
  check_bad (r, "fn:a, thread:1", 6, "'thread' is for --events only");
  check_bad (e, "not var:x", 4, "'var' is for --ranges only");
  check_bad (e, "not", 0, "unknown condition 'not'");
  check_bad (e, "not ", 4, "empty condition");
  check_bad (e, "not not fn:a", 4, "unknown condition 'not fn'");
  check_bad (r, "addr:x", 0, "'x' are not addresses: addr:START..END");
  check_bad (r, "addr:20..10", 0, "'20..10' are not addresses");
  check_bad (r, "addr:0xffffffffffffffff", 0, "are not addresses");
  check_bad (r, "malloc:x", 0, "'malloc' takes no name");
  check_bad (r, "range:", 0, "'range' takes no name");
  check_bad (e, "fn", 0, "'fn' needs a name: fn:FUNCTION");
  check_bad (e, "user:a,user:", 7, "'user' needs a name: user:LABEL");
  check_bad (e, ",", 0, "empty condition");
  check_bad (e, "fn:a,", 5, "empty condition");
  check_bad (e, "fn:a,,fn:b", 5, "empty condition");
  check_bad (e, ":x", 0, "unknown condition ''");
  check_bad (e, "fn:a\\", 4, "nothing follows the backslash");
  check_bad (e, " fn:a", 0, "unknown condition ' fn'");
  check_bad (e, "fn :a", 0, "unknown condition 'fn '");
  check_bad (e,
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
             0, "valid are: fn:FUNCTION");
}

static void
check_name (const char *text, guint index, const char *name)
{
  GArray *list = dg_filter_parse (DG_SIDE_RANGES, text, NULL);

  g_assert_nonnull (list);
  g_assert_cmpuint (list->len, >, index);
  g_assert_cmpstr (
    g_array_index (list, struct dg_filter_condition, index).name, ==, name);
  g_array_unref (list);
}

static void
test_good_text (void)
{
  GArray *list = dg_filter_parse (DG_SIDE_EVENTS, NULL, NULL);

  g_assert_cmpuint (list->len, ==, 0);
  g_array_unref (list);
  list = dg_filter_parse (DG_SIDE_EVENTS, "", NULL);
  g_assert_cmpuint (list->len, ==, 0);
  g_array_unref (list);
  check_name ("fn:std::map<int\\, int>::find", 0, "std::map<int, int>::find");
  check_name ("user:a:b", 0, "a:b");
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 0, " spaced ");
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 1, NULL);
  check_name ("user: spaced ,range,malloc,user:\\\\\\,", 3, "\\,");
}

static void
check_texts (const char *text, const char *const *parts)
{
  size_t i = 0;

  for (; parts[i] != NULL; i++) {
    char *part = dg_filter_condition_text (text, i);

    g_assert_cmpstr (part, ==, parts[i]);
    free (part);
  }
  g_assert_null (dg_filter_condition_text (text, i));
}

static void
test_condition_text (void)
{
  check_texts (NULL, (const char *const[]){NULL});
  check_texts ("", (const char *const[]){NULL});
  check_texts ("fn:a", (const char *const[]){"fn:a", NULL});
  check_texts ("fn:f<a\\, b>, not user:x\\\\,range",
               (const char *const[]){"fn:f<a\\, b>", "not user:x\\\\",
                                     "range", NULL});
  check_texts (",fn:a", (const char *const[]){"", "fn:a", NULL});
}

/* ---- The rest --------------------------------------------------------- */

static int
count_calls (void *user, uint64_t done, uint64_t total)
{
  g_assert_cmpuint (done, <=, total);
  return ++*(int *) user >= 1;
}

static void
test_errors (void)
{
  struct world *w = random_world (false);
  struct dg_error err = {0};
  int calls = 0;

  g_assert_null (
    dg_filter_new (&w->log, NULL, NULL, "fn:x", NULL, NULL, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  g_assert_null (dg_filter_new (&w->log, &w->symbols, NULL, "fn:x", NULL,
                                count_calls, &calls, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_cmpint (calls, ==, 1);
  calls = 0;
  g_assert_null (dg_filter_new (&w->log, &w->symbols, NULL, NULL, "fn:x",
                                count_calls, &calls, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_null (
    dg_filter_new (&w->log, &w->symbols, NULL, "bad", NULL, NULL, NULL, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_FILTER);
  g_assert_null (
    dg_filter_new (&w->log, &w->symbols, NULL, NULL, "bad", NULL, NULL, NULL));
  g_assert_cmpint (dg_filter_check (NULL, NULL, NULL), ==, 0);
  g_assert_cmpint (dg_filter_check ("fn:x", "malloc,fn:y", NULL), ==, 0);
  g_assert_cmpint (dg_filter_check ("malloc", "", &err), ==, DG_ERR_FILTER);
  g_assert_true (g_str_has_prefix (err.message, "--events"));
  g_assert_cmpint (dg_filter_check ("", "bad", &err), ==, DG_ERR_FILTER);
  g_assert_true (g_str_has_prefix (err.message, "--ranges"));
  dg_filter_free (NULL);
  g_free (w);
}

/* Contexts share their call sites: each is asked once.  */
static void
test_asks_once (void)
{
  struct world *w = random_world (false);
  struct dg_filter *filter = dg_filter_new (
    &w->log, &w->symbols, NULL, "fn:none", "fn:none", NULL, NULL, NULL);

  g_assert_nonnull (filter);
  g_assert_cmpuint (w->symbols.n_asked, <=, N_CODE);
  dg_filter_free (filter);
  g_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/bad-text", test_bad_text);
  g_test_add_func ("/filter/good-text", test_good_text);
  g_test_add_func ("/filter/random", test_random);
  g_test_add_func ("/filter/one-side", test_one_side);
  g_test_add_func ("/filter/condition-text", test_condition_text);
  g_test_add_func ("/filter/reloaded", test_reloaded);
  g_test_add_func ("/filter/errors", test_errors);
  g_test_add_func ("/filter/asks-once", test_asks_once);
  return g_test_run ();
}

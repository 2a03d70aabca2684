/* test-curve.c: curves of the heap against those of a model (curve_model.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "curve_model.h"
#include "dg_record.h"
#include "random_text.h"
#include "unit_main.h"

/* ---- Logs ------------------------------------------------------------- */

/* A log of so many heap records and some others.  Sizes are below most_size;
   addresses below `places` times 64.  */
static char *
random_heap (unsigned n, unsigned places, unsigned most_size)
{
  GString *text = g_string_new (
    "process 42 1 7 8 4096 64 4 30 \"0.1\" \"3\" \"x\" \"/e\" \"/\" [\"e\"]\n"
    "thread_start 2 1 11\nthread_name 2 \"worker\"\nclock 0\n"
    "bbdef [0x400000+4 0x400004+4 0x400008+4 0x40000c+4] []\n"
    "context 0 [0x400000]\n");
  unsigned ns = 0;
  bool on = true;

  for (unsigned i = 0; i < n; i++) {
    unsigned what = g_test_rand_int_range (0, 100);
    unsigned place = g_test_rand_int_range (0, places);

    if (what < 50 && on)
      g_string_append_printf (text, "bbrun 0 %u []\n",
                              g_test_rand_int_range (1, 5));
    if (what < 45) {
      g_string_append_printf (text, "malloc_block 0x%x %u [0x%x 0x500000]\n",
                              0x10000 + 64 * place,
                              g_test_rand_int_range (0, most_size),
                              0x400000 + 16 * g_test_rand_int_range (0, 7));
      if (what != 7)
        g_string_append_printf (text, "heap_alloc %u %u %u 48 0 0\n", i + 1,
                                g_test_rand_int_range (0, 4),
                                g_test_rand_int_range (0, 17));
    } else if (what < 90) {
      g_string_append_printf (text, "free_block 0x%x\n", 0x10000 + 64 * place);
    } else if (what < 93) {
      g_string_append_printf (text, "%s_event \"e%u\"\n",
                              what == 90 ? "end" : "start", place % 3);
    } else if (what < 97) {
      ns += g_test_rand_int_range (0, 50);
      g_string_append_printf (text, "clock %u\n", ns);
    } else if (what == 97) {
      on = !on;
      g_string_append_printf (text, "window %d 1\n", on);
    }
  }
  return g_string_free (text, FALSE);
}

/* "window ON 1" lacks the moment, which dgasm does not know: it is put there
   by counting runs.  */
static char *
add_moments (char *text)
{
  GString *whole = g_string_new (NULL);
  char **lines = g_strsplit (text, "\n", -1);
  uint64_t icount = 0;

  for (char **line = lines; *line != NULL; line++) {
    unsigned n;

    if (sscanf (*line, "bbrun 0 %u", &n) == 1)
      icount += n;
    if (g_str_has_prefix (*line, "window 1"))
      icount += 5;
    g_string_append (whole, *line);
    if (g_str_has_prefix (*line, "window"))
      g_string_append_printf (whole, " %" G_GUINT64_FORMAT, icount);
    g_string_append_c (whole, '\n');
  }
  g_strfreev (lines);
  g_free (text);
  return g_string_free (whole, FALSE);
}

static struct dg_log *
load (char *text, unsigned word_size, unsigned workers, GByteArray **bytes)
{
  struct dg_error err = {0};
  struct dg_log *log;
  int code;

  *bytes = core_test_assemble (text, word_size, false);
  log = core_test_load (*bytes, workers, &code, &err);
  g_assert_true (code == 0 || code == DG_ERR_TRUNCATED);
  g_free (text);
  return log;
}

/* ---- Tests ------------------------------------------------------------ */

static void
check_some (const struct dg_log *log, unsigned times)
{
  struct curve_model model;
  struct dg_error err = {0};
  struct dg_curve_source *source =
    dg_curve_source_new (log, NULL, NULL, NULL, NULL, &err);

  g_assert_nonnull (source);
  curve_model_init (&model, log);
  for (unsigned i = 0; i < times; i++) {
    struct dg_curve_options options = {.size = sizeof options,
                                       .columns =
                                         g_test_rand_int_range (1, 60),
                                       .series = g_test_rand_int_range (1, 9),
                                       .by = g_test_rand_int_range (0, 5),
                                       .time = g_test_rand_int_range (0, 3)};

    if (i % 2 != 0) {
      options.start_icount = g_test_rand_int_range (0, (gint) model.end);
      options.end_icount =
        options.start_icount + g_test_rand_int_range (1, (gint) model.end + 3);
    }
    curve_model_check (&model, source, &options);
  }
  curve_model_fini (&model);
  dg_curve_source_free (source);
}

static void
test_random (void)
{
  for (unsigned i = 0; i < 60; i++) {
    GByteArray *bytes;
    char *text = add_moments (
      random_heap (g_test_rand_int_range (1, 300), 1 + i % 40, 1 + i));
    struct dg_log *log = load (text, i % 3 == 0 ? 4 : 8, 1, &bytes);

    check_some (log, 30);
    dg_log_close (log);
    g_byte_array_unref (bytes);
  }
  for (unsigned i = 0; i < 30; i++) {
    GByteArray *bytes;
    struct dg_log *log = load (random_text_new (400), 8, 1, &bytes);

    if (dg_log_summary (log)->last_icount < 100000)
      check_some (log, 5);
    dg_log_close (log);
    g_byte_array_unref (bytes);
  }
}

/* So many changes that there are several marks, and parts between them.  */
static void
test_marks (void)
{
  GByteArray *bytes;
  struct dg_log *log =
    load (add_moments (random_heap (40000, 3000, 1000)), 8, 1, &bytes);

  check_some (log, 6);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* A peak of one instruction is there however few columns there are.  */
static void
test_peak (void)
{
  GByteArray *bytes;
  struct dg_log *log =
    load (g_strdup ("bbdef [0x400000+4] []\ncontext 0 [0x400000]\n"
                    "malloc_block 0x1000 10 [0x1 0x2]\n"
                    "repeat 100\nbbrun 0 1 []\ndone\n"
                    "malloc_block 0x2000 1000 [0x3 0x4]\n"
                    "malloc_block 0x3000 0 [0x5]\n"
                    "bbrun 0 1 []\n"
                    "free_block 0x2000\n"
                    "repeat 100\nbbrun 0 1 []\ndone\n"
                    "malloc_block 0x4000 990 []\n"
                    "bbrun 0 1 []\nend\n"),
          8, 1, &bytes);
  struct dg_curve_options options = {.size = sizeof options, .columns = 3};
  struct dg_curve_source *source =
    dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
  struct dg_curve *curve;

  g_assert_true (dg_curve_build (source, &options, NULL, NULL, &curve, NULL)
                 == 0);
  g_assert_cmpuint (curve->end_icount, ==, 203);
  g_assert_cmpuint (curve->n_columns, ==, 3);
  g_assert_cmpuint (curve->peak_bytes, ==, 1010);
  g_assert_cmpuint (curve->peak_icount, ==, 100);
  g_assert_cmpuint (curve->peak_blocks, ==, 3);
  g_assert_cmpuint (curve->peak_column, ==, 1);
  g_assert_cmpuint (curve->columns[0].total, ==, 10);
  g_assert_cmpuint (curve->columns[1].min_total, ==, 10);
  g_assert_cmpuint (curve->columns[2].total, ==, 1000);
  g_assert_cmpuint (curve->columns[2].icount, ==, 201);
  g_assert_cmpuint (curve->n_series, ==, 3);
  g_assert_cmpstr (curve->series[0].name, ==, "0x4");
  g_assert_cmpuint (curve->series[0].stack.n, ==, 2);
  g_assert_cmpuint (curve->series[0].stack.sites[1], ==, 4);
  g_assert_cmpuint (curve->series[0].stack_icount, ==, 100);
  g_assert_cmpuint (curve->series[0].rank, ==, 0);
  g_assert_cmpstr (curve->series[1].name, ==, "0x2");
  g_assert_cmpuint (curve->series[1].rank, ==, 2);
  g_assert_cmpstr (curve->series[2].name, ==, "unknown site");
  g_assert_cmpuint (curve->series[2].rank, ==, 1);
  g_assert_cmpuint (curve->bytes[1 * 3 + 0], ==, 1000);
  g_assert_cmpuint (curve->bytes[1 * 3 + 1], ==, 10);
  g_assert_cmpuint (curve->bytes[2 * 3 + 2], ==, 990);
  dg_curve_free (curve);
  /* The same sites keep their numbers where the peak is another.  */
  options.start_icount = 102;
  options.series = 1;
  g_assert_cmpint (dg_curve_build (source, &options, NULL, NULL, &curve, NULL),
                   ==, 0);
  g_assert_cmpuint (curve->peak_bytes, ==, 1000);
  g_assert_cmpuint (curve->n_series, ==, 2);
  g_assert_cmpuint (curve->series[0].rank, ==, 1);
  g_assert_cmpuint (curve->series[1].rank, ==, 2);
  dg_curve_free (curve);
  dg_curve_source_free (source);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
check_text (const char *text, size_t n_series, uint64_t peak)
{
  GByteArray *bytes;
  struct dg_log *log = load (g_strdup (text), 8, 1, &bytes);
  struct dg_curve_source *source =
    dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);

  for (unsigned time = 0; time < 2; time++) {
    struct dg_curve_options options = {.size = sizeof options, .time = time};
    struct dg_curve *curve;

    g_assert_cmpint (
      dg_curve_build (source, &options, NULL, NULL, &curve, NULL), ==, 0);
    g_assert_cmpuint (curve->n_columns, >=, 1);
    g_assert_cmpuint (curve->n_series, ==, n_series);
    g_assert_cmpuint (curve->peak_bytes, ==, peak);
    dg_curve_free (curve);
  }
  dg_curve_source_free (source);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_few (void)
{
  check_text ("end\n", 0, 0);
  check_text ("malloc_block 0x1000 0 [0x1]\nend\n", 0, 0);
  check_text ("malloc_block 0x1000 7 [0x1]\nend\n", 1, 7);
  /* Lives for no instruction.  */
  check_text ("malloc_block 0x1000 7 [0x1]\nfree_block 0x1000\nend\n", 0, 0);
  /* Sums that no number holds.  */
  check_text ("malloc_block 0x1000 0xffffffffffffffff [0x1]\n"
              "malloc_block 0x2000 0xffffffffffffffff [0x2]\nend\n",
              2, (uint64_t) 1 << 62);
}

static void
test_options (void)
{
  enum { SIZE = sizeof (struct dg_curve_options) };
  static const struct dg_curve_options bad[] = {
    {.columns = 1},
    {.size = SIZE, .columns = DG_CURVE_MAX_COLUMNS + 1},
    {.size = SIZE, .series = DG_CURVE_MAX_SERIES + 1},
    {.size = SIZE, .by = 5},
    {.size = SIZE, .time = 3},
    {.size = SIZE, .time = DG_CURVE_NS},
    {.size = SIZE, .start_icount = 2, .end_icount = 2},
    {.size = SIZE, .start_icount = 3, .end_icount = 2}};
  GByteArray *bytes;
  struct dg_log *log =
    load (g_strdup ("malloc_block 0x1000 7 [0x1]\nend\n"), 8, 1, &bytes);
  struct dg_curve_source *source =
    dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
  struct dg_curve *curve;

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    struct dg_error err = {0};

    g_assert_cmpint (
      dg_curve_build (source, bad + i, NULL, NULL, &curve, &err), ==,
      DG_ERR_INVALID);
    g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
    g_assert_null (curve);
  }
  dg_curve_free (NULL);
  dg_curve_source_free (NULL);
  g_assert_cmpstr (dg_curve_by_name (DG_CURVE_BY_THREAD), ==, "thread");
  g_assert_null (dg_curve_by_name (7));
  dg_curve_source_free (source);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_names (void)
{
  GByteArray *bytes;
  struct dg_log *log =
    load (g_strdup ("thread_start 2 1 11\nthread_name 2 \"worker\"\n"
                    "malloc_block 0x1000 8 [0x1]\nheap_alloc 1 2 2 8 0 0\n"
                    "malloc_block 0x2000 7 [0x1]\nheap_alloc 2 1 5 8 0 0\n"
                    "malloc_block 0x3000 6 [0x1]\nend\n"),
          8, 1, &bytes);
  static const char *const names[][3] = {
    [DG_CURVE_BY_SITE] = {"0x1"},
    [DG_CURVE_BY_FUNCTION] = {"??? (unknown module)"},
    [DG_CURVE_BY_MODULE] = {"unknown module"},
    [DG_CURVE_BY_ALLOCATOR] = {"calloc", "operator new", "unknown allocator"},
    [DG_CURVE_BY_THREAD] = {"thread 2 (worker)", "thread 1",
                            "unknown thread"}};
  struct dg_curve_source *source =
    dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);

  for (unsigned by = 0; by < G_N_ELEMENTS (names); by++) {
    struct dg_curve_options options = {.size = sizeof options, .by = by};
    struct dg_curve *curve;

    g_assert_true (dg_curve_build (source, &options, NULL, NULL, &curve, NULL)
                   == 0);
    for (size_t s = 0; s < 3 && names[by][s] != NULL; s++)
      g_assert_cmpstr (curve->series[s].name, ==, names[by][s]);
    dg_curve_free (curve);
  }
  dg_curve_source_free (source);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
refuse (void *user, uint64_t done, uint64_t total)
{
  unsigned *left = user;

  return (*left)-- == 0;
}

static void
test_cancel (void)
{
  GByteArray *bytes;
  struct dg_log *log =
    load (add_moments (random_heap (300, 30, 30)), 8, 1, &bytes);

  for (unsigned i = 0; i < 20; i++) {
    unsigned left = i;
    struct dg_error err = {0};
    struct dg_curve *curve;
    struct dg_curve_source *source =
      dg_curve_source_new (log, NULL, NULL, refuse, &left, &err);

    if (source == NULL) {
      g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
      continue;
    }
    if (dg_curve_build (source, NULL, refuse, &left, &curve, &err) < 0) {
      g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
      g_assert_cmpint (dg_curve_build (source, NULL, NULL, NULL, &curve, NULL),
                       ==, 0);
    }
    dg_curve_free (curve);
    dg_curve_source_free (source);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- Threads ---------------------------------------------------------- */

static gpointer
build_many (gpointer user)
{
  struct dg_curve_source *source = user;
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  char *text;

  for (unsigned i = 0; i < 40; i++) {
    struct dg_curve_options options = {.size = sizeof options,
                                       .columns = 50 + i,
                                       .by = i % 5,
                                       .start_icount = i,
                                       .series = 3};
    struct dg_curve *curve;

    g_assert_cmpint (
      dg_curve_build (source, &options, NULL, NULL, &curve, NULL), ==, 0);
    g_checksum_update (sum, (const guchar *) curve->columns,
                       (gssize) (curve->n_columns * sizeof *curve->columns));
    g_checksum_update (
      sum, (const guchar *) curve->bytes,
      (gssize) (curve->n_columns * curve->n_series * sizeof *curve->bytes));
    for (size_t s = 0; s < curve->n_series; s++)
      g_checksum_update (sum, (const guchar *) curve->series[s].name, -1);
    dg_curve_free (curve);
  }
  text = g_strdup (g_checksum_get_string (sum));
  g_checksum_free (sum);
  return text;
}

/* Logs that several threads loaded, and curves that several threads build at
   once, are the same.  */
static void
test_threads (void)
{
  char *text = add_moments (random_heap (3000, 200, 100)), *first = NULL;

  for (unsigned workers = 1; workers <= 8; workers *= 2) {
    GByteArray *bytes;
    struct dg_log *log = load (g_strdup (text), 8, workers, &bytes);
    struct dg_curve_source *source =
      dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
    GThread *threads[4];

    for (unsigned i = 0; i < 4; i++)
      threads[i] = g_thread_new ("curve", build_many, source);
    for (unsigned i = 0; i < 4; i++) {
      char *sum = g_thread_join (threads[i]);

      if (first == NULL)
        first = g_strdup (sum);
      g_assert_cmpstr (sum, ==, first);
      g_free (sum);
    }
    dg_curve_source_free (source);
    dg_log_close (log);
    g_byte_array_unref (bytes);
  }
  g_free (first);
  g_free (text);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/curve/random", test_random);
  g_test_add_func ("/curve/marks", test_marks);
  g_test_add_func ("/curve/peak", test_peak);
  g_test_add_func ("/curve/few", test_few);
  g_test_add_func ("/curve/options", test_options);
  g_test_add_func ("/curve/names", test_names);
  g_test_add_func ("/curve/cancel", test_cancel);
  g_test_add_func ("/curve/threads", test_threads);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-curve.c: curves of the heap against the list of blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"
#include "dg_record.h"
#include "random_text.h"
#include "all_blocks.h"

#include <string.h>

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
      g_string_append_printf (
        text, "malloc_block 0x%x %u [0x%x 0x500000]\n", 0x10000 + 64 * place,
        g_test_rand_int_range (0, most_size),
        0x400000 + 16 * g_test_rand_int_range (0, 7));
      if (what != 7)
        g_string_append_printf (text, "heap_alloc %u %u %u 48 0 0\n", i + 1,
                                g_test_rand_int_range (0, 4),
                                g_test_rand_int_range (0, 17));
    } else if (what < 90) {
      g_string_append_printf (text, "free_block 0x%x\n",
                              0x10000 + 64 * place);
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
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code;

  *bytes = core_test_assemble (text, word_size, false);
  log = core_test_load (*bytes, workers, &code, &err);
  g_assert_true (code == 0 || code == DG_ERR_TRUNCATED);
  g_free (text);
  return log;
}

/* ---- By brute force --------------------------------------------------- */

struct brute {
  const struct dg_log *log;
  struct dg_block *blocks;
  size_t n_blocks;
  uint64_t end;            /* moments are below */
  uint64_t *total, *turnover, *count;    /* by moment */
};

static bool
counts (const struct dg_block *block)
{
  return block->allocator != DG_ALLOC_POOL
         && block->alloc_icount < block->free_icount;
}

static void
brute_init (struct brute *brute, const struct dg_log *log)
{
  brute->log = log;
  brute->blocks = all_blocks (log, &brute->n_blocks);
  brute->end = dg_log_summary (log)->last_icount + 1;
  brute->total = g_new0 (uint64_t, brute->end + 1);
  brute->turnover = g_new0 (uint64_t, brute->end + 1);
  brute->count = g_new0 (uint64_t, brute->end + 1);
  for (size_t i = 0; i < brute->n_blocks; i++) {
    const struct dg_block *block = brute->blocks + i;

    if (!counts (block))
      continue;
    brute->total[block->alloc_icount] += block->size;
    brute->turnover[block->alloc_icount] += block->size;
    brute->count[block->alloc_icount]++;
    if (block->free_icount < brute->end) {
      brute->total[block->free_icount] -= block->size;
      brute->turnover[block->free_icount] += block->size;
      brute->count[block->free_icount]--;
    }
  }
  for (uint64_t t = 1; t < brute->end; t++) {
    brute->total[t] += brute->total[t - 1];
    brute->turnover[t] += brute->turnover[t - 1];
    brute->count[t] += brute->count[t - 1];
  }
}

static void
brute_fini (struct brute *brute)
{
  g_free (brute->blocks);
  g_free (brute->total);
  g_free (brute->turnover);
  g_free (brute->count);
}

static uint64_t
time_of (const struct brute *brute, enum dg_curve_time time, uint64_t t)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (brute->log, &n);
  uint64_t ns;

  if (time != DG_CURVE_NS)
    return time == DG_CURVE_BYTES ? brute->turnover[t] : t;
  /* An axis goes on behind the last reading.  */
  return dg_log_ns (brute->log, t, &ns) ? ns : clock[n - 1].ns;
}

static uint64_t
edge (const struct dg_curve *curve, size_t c)
{
  return curve->start_time
         + (curve->end_time - curve->start_time) * c / curve->n_columns;
}

/* Moments first..last, the states of which a column has.  */
static void
moments_of (const struct brute *brute, const struct dg_curve *curve, size_t c,
            uint64_t *first, uint64_t *last)
{
  uint64_t from = edge (curve, c), to = edge (curve, c + 1) - 1;

  *first = *last = curve->start_icount;
  for (uint64_t t = curve->start_icount; t < curve->end_icount; t++) {
    uint64_t here = time_of (brute, curve->time, t);

    switch (curve->time) {
    case DG_CURVE_BYTES:
      /* The last moments of the states that have come so far.  */
      if (here <= from)
        *first = t;
      if (here <= to)
        *last = t;
      break;
    default:
      if (here < from)
        *first = t + 1;
      if (here <= to)
        *last = t;
      break;
    }
  }
  if (*first >= curve->end_icount)
    *first = curve->end_icount;
  if (*last < *first)
    *last = *first;
}

static void
check_column (const struct brute *brute, const struct dg_curve *curve,
              size_t c)
{
  const struct dg_curve_column *column = curve->columns + c;
  uint64_t first, last, most = 0, least = UINT64_MAX, when = DG_NEVER;
  uint64_t *sums = g_new0 (uint64_t, curve->n_series + 1);

  moments_of (brute, curve, c, &first, &last);
  if (c == 0)
    g_assert_cmpuint (column->start_icount, ==, curve->start_icount);
  else
    g_assert_cmpuint (column->start_icount, ==, column[-1].end_icount);
  if (c + 1 == curve->n_columns)
    g_assert_cmpuint (column->end_icount, ==, curve->end_icount);
  if (curve->time != DG_CURVE_BYTES)
    g_assert_cmpuint (column->start_icount, ==, first);
  for (uint64_t t = first; t <= MIN (last, brute->end - 1); t++) {
    least = MIN (least, brute->total[t]);
    if (when == DG_NEVER || brute->total[t] > most) {
      when = t;
      most = brute->total[t];
    }
  }
  if (when != DG_NEVER) {
    g_assert_cmpuint (column->total, ==, most);
    g_assert_cmpuint (column->min_total, ==, least);
    if (curve->time == DG_CURVE_INSTRUCTIONS)
      g_assert_cmpuint (column->icount, ==, when);
  }
  when = MIN (column->icount, brute->end - 1);
  g_assert_cmpuint (column->total, ==, brute->total[when]);
  g_assert_cmpuint (column->blocks, ==, brute->count[when]);
  for (size_t i = 0; i < brute->n_blocks; i++) {
    const struct dg_block *block = brute->blocks + i;

    if (!counts (block) || block->alloc_icount > when
        || block->free_icount <= when || block->size == 0)
      continue;
    g_assert_cmpuint (dg_curve_series_of (curve, block), <, curve->n_series);
    sums[dg_curve_series_of (curve, block)] += block->size;
  }
  for (size_t s = 0; s < curve->n_series; s++) {
    g_assert_cmpuint (sums[s], ==, curve->bytes[c * curve->n_series + s]);
    g_assert_cmpuint (sums[s], <=, curve->series[s].max_bytes);
  }
  g_free (sums);
}

static uint64_t
key_of (const struct dg_curve *curve, const struct dg_block *block)
{
  uint32_t n = block->alloc_stack.n;
  uint32_t i = n > 1 && dg_site_is_call (block->allocator);

  switch (curve->by) {
  case DG_CURVE_BY_SITE:
    return n > 0 ? block->alloc_stack.sites[i] : 0;
  case DG_CURVE_BY_ALLOCATOR:
    return block->allocator;
  case DG_CURVE_BY_THREAD:
    return block->alloc_thread;
  default:
    return 0;
  }
}

static void
check_series (const struct brute *brute, const struct dg_curve *curve)
{
  uint64_t *keys = g_new (uint64_t, curve->n_series + 1);
  bool *known = g_new0 (bool, curve->n_series + 1);
  uint64_t *peak = g_new0 (uint64_t, 2 * curve->n_series + 1);

  for (size_t i = 0; i < brute->n_blocks; i++) {
    const struct dg_block *block = brute->blocks + i;
    uint32_t s = dg_curve_series_of (curve, block);

    if (!counts (block))
      g_assert_cmpuint (s, ==, DG_NONE);
    if (s == DG_NONE)
      continue;
    g_assert_cmpuint (s, <, curve->n_series);
    if (block->alloc_icount <= curve->peak_icount
        && block->free_icount > curve->peak_icount) {
      peak[2 * s] += block->size;
      peak[2 * s + 1]++;
    }
    if (curve->series[s].id == DG_NONE)
      continue;
    if (known[s])
      g_assert_cmpuint (keys[s], ==, key_of (curve, block));
    keys[s] = key_of (curve, block);
    known[s] = true;
  }
  for (size_t s = 0; s < curve->n_series; s++) {
    const struct dg_curve_series *series = curve->series + s;
    uint64_t most = 0;

    g_assert_nonnull (series->name);
    g_assert_cmpuint (series->peak_bytes, ==, peak[2 * s]);
    if (series->id == DG_NONE) {
      g_assert_cmpuint (s, ==, curve->n_series - 1);
      g_assert_cmpuint (series->members, >, 1);
      continue;
    }
    g_assert_cmpuint (series->peak_blocks, ==, peak[2 * s + 1]);
    g_assert_true (known[s]);
    for (size_t other = 0; other < s; other++)
      g_assert_cmpuint (keys[other], !=, keys[s]);
    if (s > 0)
      g_assert_cmpuint (series->peak_bytes, <=, series[-1].peak_bytes);
    for (size_t c = 0; c < curve->n_columns; c++)
      most = MAX (most, curve->bytes[c * curve->n_series + s]);
    g_assert_cmpuint (series->max_bytes, ==, most);
  }
  g_free (keys);
  g_free (known);
  g_free (peak);
}

/* Events and gaps, from the log's own lists.  */
static void
check_marks (const struct dg_curve *curve)
{
  size_t n, n_events = 0;
  const struct dg_event *events = dg_log_events (curve->log, &n);

  for (size_t i = 0; i < n; i++) {
    if (events[i].start_icount >= curve->end_icount
        || (events[i].end_icount <= curve->start_icount
            && events[i].start_icount < curve->start_icount))
      continue;
    g_assert_cmpuint (n_events, <, curve->n_events);
    g_assert_cmpuint (curve->events[n_events++], ==, i);
  }
  g_assert_cmpuint (n_events, ==, curve->n_events);
  for (size_t i = 0; i < curve->n_gaps; i++) {
    g_assert_cmpuint (curve->gaps[i].start_icount, <, curve->end_icount);
    g_assert_cmpuint (curve->gaps[i].start_icount, <=,
                      curve->gaps[i].end_icount);
    if (i > 0)
      g_assert_cmpuint (curve->gaps[i - 1].end_icount, <=,
                        curve->gaps[i].start_icount);
  }
}

static void
check_places (const struct brute *brute, const struct dg_curve *curve)
{
  double last = 0;

  for (uint64_t t = curve->start_icount; t < curve->end_icount;
       t += 1 + (curve->end_icount - curve->start_icount) / 50) {
    double position = dg_curve_position (curve, t);
    uint64_t back = dg_curve_moment (curve, position);
    size_t c = dg_curve_column_at (curve, t);

    g_assert_cmpfloat (position, >=, last);
    g_assert_cmpfloat (position, <=, 1);
    last = position;
    g_assert_cmpuint (back, >=, curve->start_icount);
    g_assert_cmpuint (back, <, curve->end_icount);
    if (curve->time == DG_CURVE_INSTRUCTIONS)
      g_assert_true (back == t || back + 1 == t);
    g_assert_cmpuint (curve->columns[c].start_icount, <=, t);
    g_assert_true (c + 1 == curve->n_columns
                   || curve->columns[c + 1].start_icount > t);
  }
  g_assert_cmpfloat (dg_curve_position (curve, DG_NEVER), ==, 1);
  g_assert_cmpuint (dg_curve_moment (curve, -1), >=, curve->start_icount);
  g_assert_cmpuint (dg_curve_moment (curve, 2), <, curve->end_icount);
}

/* A log may say that time ran backwards; then there is nothing to compare
   with.  */
static bool
goes_forward (const struct dg_log *log)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (log, &n);

  for (size_t i = 1; i < n; i++)
    if (clock[i].ns < clock[i - 1].ns)
      return false;
  return true;
}

static void
check (const struct brute *brute, struct dg_curve_source *source,
       const struct dg_curve_options *options)
{
  struct dg_error err = { 0 };
  struct dg_curve *curve;
  uint64_t most = 0;
  int code = dg_curve_build (source, options, NULL, NULL, &curve, &err);

  if (options->time == DG_CURVE_NS && !goes_forward (brute->log)) {
    dg_curve_free (curve);
    return;
  }
  if (options->time == DG_CURVE_NS && code < 0) {
    size_t n;

    dg_log_clock (brute->log, &n);
    g_assert_cmpuint (n, ==, 0);
    g_assert_cmpint (code, ==, DG_ERR_INVALID);
    g_assert_null (curve);
    return;
  }
  g_assert_cmpint (code, ==, 0);
  g_assert_cmpuint (curve->n_columns, <=, options->columns);
  for (size_t c = 0; c < curve->n_columns; c++) {
    check_column (brute, curve, c);
    most = MAX (most, curve->columns[c].total);
  }
  g_assert_cmpuint (curve->peak_bytes, ==, most);
  g_assert_cmpuint (curve->peak_icount, ==,
                    curve->columns[curve->peak_column].icount);
  g_assert_cmpuint (curve->peak_blocks, ==,
                    curve->columns[curve->peak_column].blocks);
  for (size_t c = 0; c < curve->peak_column; c++)
    g_assert_cmpuint (curve->columns[c].total, <, most);
  check_series (brute, curve);
  check_marks (curve);
  check_places (brute, curve);
  dg_curve_free (curve);
}

/* ---- Tests ------------------------------------------------------------ */

static void
check_some (const struct dg_log *log, unsigned times)
{
  struct brute brute;
  struct dg_error err = { 0 };
  struct dg_curve_source *source
    = dg_curve_source_new (log, NULL, NULL, NULL, NULL, &err);

  g_assert_nonnull (source);
  brute_init (&brute, log);
  for (unsigned i = 0; i < times; i++) {
    struct dg_curve_options options = {
      .size = sizeof options, .columns = g_test_rand_int_range (1, 60),
      .series = g_test_rand_int_range (1, 9),
      .by = g_test_rand_int_range (0, 5), .time = g_test_rand_int_range (0, 3)
    };

    if (i % 2 != 0) {
      options.start_icount = g_test_rand_int_range (0, (gint) brute.end);
      options.end_icount = options.start_icount
                           + g_test_rand_int_range (1, (gint) brute.end + 3);
    }
    check (&brute, source, &options);
  }
  brute_fini (&brute);
  dg_curve_source_free (source);
}

static void
test_random (void)
{
  for (unsigned i = 0; i < 60; i++) {
    GByteArray *bytes;
    char *text = add_moments (random_heap (g_test_rand_int_range (1, 300),
                                           1 + i % 40, 1 + i));
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
  struct dg_log *log
    = load (add_moments (random_heap (40000, 3000, 1000)), 8, 1, &bytes);

  check_some (log, 6);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* A peak of one instruction is there however few columns there are.  */
static void
test_peak (void)
{
  GByteArray *bytes;
  struct dg_log *log = load (
    g_strdup ("bbdef [0x400000+4] []\ncontext 0 [0x400000]\n"
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
  struct dg_curve_source *source
    = dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
  struct dg_curve *curve;

  g_assert_true (
    dg_curve_build (source, &options, NULL, NULL, &curve, NULL) == 0);
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
  struct dg_curve_source *source
    = dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);

  for (unsigned time = 0; time < 2; time++) {
    struct dg_curve_options options = {.size = sizeof options, .time = time};
    struct dg_curve *curve;

    g_assert_cmpint (dg_curve_build (source, &options, NULL, NULL, &curve,
                                     NULL),
                     ==, 0);
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
    {.size = SIZE, .by = 5}, {.size = SIZE, .time = 3},
    {.size = SIZE, .time = DG_CURVE_NS},
    {.size = SIZE, .start_icount = 2, .end_icount = 2},
    {.size = SIZE, .start_icount = 3, .end_icount = 2}};
  GByteArray *bytes;
  struct dg_log *log = load (g_strdup ("malloc_block 0x1000 7 [0x1]\nend\n"),
                             8, 1, &bytes);
  struct dg_curve_source *source
    = dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
  struct dg_curve *curve;

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    struct dg_error err = { 0 };

    g_assert_cmpint (dg_curve_build (source, bad + i, NULL, NULL, &curve,
                                     &err),
                     ==, DG_ERR_INVALID);
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
  struct dg_log *log = load (
    g_strdup ("thread_start 2 1 11\nthread_name 2 \"worker\"\n"
              "malloc_block 0x1000 8 [0x1]\nheap_alloc 1 2 2 8 0 0\n"
              "malloc_block 0x2000 7 [0x1]\nheap_alloc 2 1 5 8 0 0\n"
              "malloc_block 0x3000 6 [0x1]\nend\n"),
    8, 1, &bytes);
  static const char *const names[][3] = {
    [DG_CURVE_BY_SITE] = { "0x1" },
    [DG_CURVE_BY_FUNCTION] = { "??? (unknown module)" },
    [DG_CURVE_BY_MODULE] = { "unknown module" },
    [DG_CURVE_BY_ALLOCATOR] = { "calloc", "operator new",
                                "unknown allocator" },
    [DG_CURVE_BY_THREAD] = { "thread 2 (worker)", "thread 1",
                             "unknown thread" }
  };
  struct dg_curve_source *source
    = dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);

  for (unsigned by = 0; by < G_N_ELEMENTS (names); by++) {
    struct dg_curve_options options = {.size = sizeof options, .by = by};
    struct dg_curve *curve;

    g_assert_true (
      dg_curve_build (source, &options, NULL, NULL, &curve, NULL) == 0);
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
  struct dg_log *log
    = load (add_moments (random_heap (300, 30, 30)), 8, 1, &bytes);

  for (unsigned i = 0; i < 20; i++) {
    unsigned left = i;
    struct dg_error err = { 0 };
    struct dg_curve *curve;
    struct dg_curve_source *source
      = dg_curve_source_new (log, NULL, NULL, refuse, &left, &err);

    if (source == NULL) {
      g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
      continue;
    }
    if (dg_curve_build (source, NULL, refuse, &left, &curve, &err) < 0) {
      g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
      g_assert_cmpint (dg_curve_build (source, NULL, NULL, NULL, &curve,
                                       NULL),
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

    g_assert_cmpint (dg_curve_build (source, &options, NULL, NULL, &curve,
                                     NULL),
                     ==, 0);
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
    struct dg_curve_source *source
      = dg_curve_source_new (log, NULL, NULL, NULL, NULL, NULL);
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

int
main (int argc, char **argv)
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

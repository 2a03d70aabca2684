/* test-analyse.c: an analysis that notes everything is given what reading
   every run gives, in order, whatever the number of workers; and what becomes
   of failures.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "analysis/analyse_interval.h"
#include "core_test.h"
#include "filter/filter.h"
#include "mock_analysis.h"
#include "mock_expected.h"
#include "random_text.h"
#include "unit_main.h"

#define MOCKS 3

static unsigned
below (unsigned n)
{
  return g_test_rand_int_range (0, n);
}

/* ---- Commands ---- */

struct command {
  struct mock mocks[MOCKS];
  size_t n;
  struct dg_analyse_options options;
  uint32_t threads[3];
  dg_progress_fn progress;
};

static int
run_with (const struct command *from, unsigned workers,
          const struct dg_log *log, struct command *out, struct dg_error *err)
{
  static const char *const names[MOCKS] = { "a", "b", "c" };
  const struct dg_analysis *analyses[MOCKS];
  struct dg_report *report = dg_report_new (NULL);
  int code;

  *out = *from;
  for (size_t i = 0; i < out->n; i++) {
    mock_init (&out->mocks[i], names[i]);
    analyses[i] = &out->mocks[i].analysis;
  }
  out->options.size = sizeof out->options;
  out->options.workers = workers;
  out->options.threads = out->threads;
  memset (err, 0, sizeof *err);
  code = dg_analyse (log, analyses, out->n, &out->options, from->progress,
                     NULL, report, err);
  g_assert_cmpint (code, ==, err->code);
  dg_report_free (report);
  return code;
}

static void
command_fini (struct command *command)
{
  for (size_t i = 0; i < command->n; i++)
    mock_fini (&command->mocks[i]);
}

static void
random_mock (struct mock *mock)
{
  static const enum dg_shard_kind kinds[] = {
    DG_SHARD_CHUNK, DG_SHARD_CHUNK, DG_SHARD_WHOLE, DG_SHARD_THREAD,
    DG_SHARD_PART
  };

  mock->plan.shard = kinds[below (G_N_ELEMENTS (kinds))];
  mock->plan.view = below (3) ? DG_VIEW_RUNS : DG_VIEW_ACCESSES;
  mock->plan.parts = 1 + below (4);
  mock->plan.needs_addresses = below (2);
  if (below (8) == 0) {
    mock->plan.view = DG_VIEW_RECORDS;
    mock->plan.shard = DG_SHARD_WHOLE;
  }
  if (mock->plan.shard == DG_SHARD_CHUNK)
    mock->has_worker = below (2);
}

static void
random_options (struct command *command, const struct dg_log *log)
{
  struct dg_analyse_options *options = &command->options;
  uint64_t last = dg_log_summary (log)->last_icount;
  size_t n_clock;

  options->size = sizeof *options;
  dg_log_clock (log, &n_clock);
  if (below (3) == 0)
    options->start_icount = below (last + 2);
  if (below (3) == 0)
    options->end_icount = options->start_icount + 1 + below (last + 2);
  if (below (4) == 0) {
    command->threads[0] = 3;
    command->threads[1] = 1 + below (2);
    command->threads[2] = 4;
    options->n_threads = 1 + below (3);
  }
  switch (below (4)) {
  case 0:
    options->interval_instructions = 1 + last / (1 + below (40));
    break;
  case 1:
    if (n_clock > 0)
      options->interval_ns
        = 1 + MAX (mock_clock_at (log, last), 40) / (1 + below (40));
    break;
  default:
    break;
  }
}

static struct dg_filter *
random_filter (const struct dg_log *log)
{
  static const char *const sides[][2] = {
    { "user:e0", "" }, { "user:e2,user:e1", "" }, { "", "range" },
    { "user:e1", "range,malloc" }, { "", "malloc" }, { "user:none", "" }
  };
  unsigned side = below (G_N_ELEMENTS (sides));

  return dg_filter_new (log, NULL, NULL, sides[side][0], sides[side][1],
                        NULL, NULL, NULL);
}

static const unsigned workers_tried[] = { 1, 2, 8 };

static void
check_random (const struct dg_log *log)
{
  struct command command = { .n = 1 + below (MOCKS) }, out;
  struct dg_filter *filter = below (3) ? NULL : random_filter (log);
  bool has_addresses = filter && dg_filter_has_ranges (filter);
  struct dg_error err;

  command.options.filter = filter;
  random_options (&command, log);
  for (size_t i = 0; i < command.n; i++) {
    struct mock *mock = &command.mocks[i];

    random_mock (mock);
    /* Without intervals, which need them.  */
    if (mock->plan.shard == DG_SHARD_CHUNK
        && mock->plan.view != DG_VIEW_RECORDS
        && command.options.interval_instructions
             + command.options.interval_ns == 0)
      mock->shares_worker = below (4) == 0;
    if (mock->plan.view != DG_VIEW_RECORDS)
      has_addresses |= mock->plan.needs_addresses
                       || mock->plan.view == DG_VIEW_ACCESSES;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (workers_tried); i++) {
    if (run_with (&command, workers_tried[i], log, &out, &err) < 0)
      g_error ("%s", err.message);
    for (size_t k = 0; k < out.n; k++)
      if (out.mocks[k].plan.view == DG_VIEW_RECORDS)
        mock_compare_records (&out.mocks[k], log);
      else
        mock_compare (&out.mocks[k], log, &out.options, has_addresses);
    command_fini (&out);
  }
  dg_filter_free (filter);
}

/* ---- Random logs ---- */

/* A raw log, and an archive of it, of some chunks.  */
struct pair {
  GByteArray *bytes;
  struct dg_log *raw, *packed;
};

static struct pair
random_pair (unsigned i)
{
  char *text = random_text_new (below (4) ? 1 + below (400) : 4000);
  struct pair pair = { core_test_assemble (text, i & 1 ? 4 : 8, i & 2) };
  struct dg_error err = { 0 };
  int code;

  pair.raw = core_test_load (pair.bytes, 1, &code, &err);
  pair.raw->piece_accesses = 1 + below (2000);
  pair.packed = core_test_pack (pair.raw);
  g_free (text);
  return pair;
}

static void
pair_fini (struct pair *pair)
{
  dg_log_close (pair->packed);
  dg_log_close (pair->raw);
  g_byte_array_unref (pair->bytes);
}

static void
test_random (void)
{
  unsigned rounds = g_test_slow () ? 300 : 30;

  for (unsigned i = 0; i < rounds; i++) {
    struct pair pair = random_pair (i);

    for (unsigned k = 0; k < 8; k++)
      check_random (k % 4 ? pair.packed : pair.raw);
    pair_fini (&pair);
  }
}

/* ---- Threads that are over ---- */

/* Threads 2 and 3 are, before the last run; 3 runs once more after the record
   of its end.  */
static void
test_ends (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    "bbdef [0x100+1] []\ncontext 0 [0x100]\nbbrun 0 1 []\n"
    "thread_start 2 1 2\nthread_switch 2\nbbrun 0 1 []\nthread_exit 2\n"
    "thread_start 3 1 3\nthread_switch 3\nbbrun 0 1 []\nthread_exit 3\n"
    "bbrun 0 1 []\nthread_switch 1\nbbrun 0 1 []\n", &bytes);
  struct command command = { .n = 1 }, out;
  struct dg_error err;

  command.mocks[0].plan = (struct dg_plan) { .shard = DG_SHARD_THREAD };
  for (size_t i = 0; i < G_N_ELEMENTS (workers_tried); i++) {
    g_assert_cmpint (run_with (&command, workers_tried[i], log, &out, &err),
                     ==, 0);
    mock_compare (&out.mocks[0], log, &out.options, false);
    g_assert_cmpint (out.mocks[0].n_ended, ==, 3);
    if (workers_tried[i] == 1)
      g_assert_cmpint (out.mocks[0].n_ended_before, ==, 2);
    command_fini (&out);
  }
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- Failures ---- */

/* What a command comes to must be the same for any number of workers.  */
static int
check_same (const struct command *command, const struct dg_log *log,
            char **message)
{
  struct dg_error first = { 0 };
  int code = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (workers_tried); i++) {
    struct command out;
    struct dg_error err;

    run_with (command, workers_tried[i], log, &out, &err);
    command_fini (&out);
    if (i == 0) {
      first = err;
      code = err.code;
    }
    g_assert_cmpstr (err.message, ==, first.message);
    g_assert_cmpint (err.code, ==, first.code);
    g_assert_cmpuint (err.offset, ==, first.offset);
  }
  if (message)
    *message = g_strdup (first.message);
  return code;
}

/* Each callback, in each kind of shard, alone and beside others.  */
static void
test_failures (void)
{
  static const enum dg_shard_kind kinds[] = {
    DG_SHARD_WHOLE, DG_SHARD_THREAD, DG_SHARD_CHUNK, DG_SHARD_PART
  };
  struct pair pair = random_pair (0);
  unsigned failed = 0;

  while (dg_log_summary (pair.raw)->instructions < 500) {
    pair_fini (&pair);
    pair = random_pair (0);
  }
  for (int callback = 1; callback < MOCK_CALLBACKS; callback++)
    for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
      struct command command = { .n = 1 + below (2) };
      struct mock *mock = &command.mocks[0];
      char *message;

      for (size_t i = 0; i < command.n; i++)
        random_mock (&command.mocks[i]);
      mock->plan = (struct dg_plan) { .shard = kinds[k], .parts = 3,
                                      .view = below (2) };
      mock->has_worker = kinds[k] == DG_SHARD_CHUNK;
      mock->fails = callback;
      mock->fails_shard = DG_NONE;
      command.options.interval_instructions
        = 1 + dg_log_summary (pair.packed)->last_icount / 10;
      if (check_same (&command, pair.packed, &message) == 0) {
        /* Only chunks have what is a worker's.  */
        g_assert_cmpint (kinds[k], !=, DG_SHARD_CHUNK);
        if (callback != MOCK_WORKER_NEW)
          g_assert_cmpint (callback, ==, MOCK_WORKER_MERGE);
      } else {
        char *end = g_strdup_printf (": callback %d says no", callback);

        g_assert_true (g_str_has_prefix (message, "a: "));
        g_assert_true (g_str_has_suffix (message, end));
        g_free (end);
        failed++;
      }
      g_free (message);
    }
  g_assert_cmpuint (failed, ==, (MOCK_CALLBACKS - 1) * 4 - 6);
  pair_fini (&pair);
}

/* Several of them fail, anywhere: the first one is told.  */
static void
test_first_failure (void)
{
  unsigned rounds = g_test_slow () ? 400 : 40;
  unsigned failed = 0;

  for (unsigned i = 0; i < rounds; i++) {
    struct pair pair = random_pair (i);
    const struct dg_log *log = i % 4 ? pair.packed : pair.raw;
    uint64_t n = dg_log_summary (log)->instructions;
    struct command command = { .n = 1 + below (MOCKS) };

    random_options (&command, log);
    for (size_t k = 0; k < command.n; k++) {
      struct mock *mock = &command.mocks[k];
      size_t n_chunks;

      dg_log_chunks (log, &n_chunks);
      random_mock (mock);
      mock->fails = MOCK_SHARD_NEW + below (MOCK_COMBINE - MOCK_SHARD_NEW);
      mock->fails_shard = below (mock->plan.shard == DG_SHARD_CHUNK
                                   ? n_chunks + 1 : 2);
      mock->fails_after = below (2) ? 0 : below (n + 1);
    }
    failed += check_same (&command, log, NULL) < 0;
    pair_fini (&pair);
  }
  g_assert_cmpuint (failed, >, rounds / 20);
}

/* The file was damaged after it was loaded.  */
static void
test_damage (void)
{
  unsigned rounds = g_test_slow () ? 400 : 40;
  unsigned failed = 0;

  for (unsigned i = 0; i < rounds; i++) {
    struct pair pair = random_pair (i);
    struct command command = { .n = 1 + below (MOCKS) };
    gsize n = pair.bytes->len;

    for (size_t k = 0; k < command.n; k++) {
      random_mock (&command.mocks[k]);
      command.mocks[k].has_worker = false;
      /* Damaged runs may be anybody's.  */
      if (command.mocks[k].plan.view == DG_VIEW_ACCESSES)
        command.mocks[k].plan.view = DG_VIEW_RUNS;
    }
    for (unsigned k = 0; k < 3; k++)
      pair.bytes->data[n / 4 + below (n - n / 4)] ^= 1 << below (8);
    failed += check_same (&command, pair.raw, NULL) < 0;
    pair_fini (&pair);
  }
  g_assert_cmpuint (failed, >, rounds / 20);
}

/* ---- Cancelling ---- */

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  g_assert_cmpuint (done, <=, total);
  return 1;
}

static void
test_cancel (void)
{
  for (unsigned i = 0; i < 20; i++) {
    struct pair pair = random_pair (i);
    struct command command = { .n = 1 + below (MOCKS), .progress = cancel };

    for (size_t k = 0; k < command.n; k++) {
      random_mock (&command.mocks[k]);
      command.mocks[k].sleep_us = 200;
    }
    g_assert_cmpint (check_same (&command, pair.packed, NULL), ==,
                     DG_ERR_CANCELLED);
    pair_fini (&pair);
  }
}

/* ---- Large logs ---- */

static uint64_t furthest;

static int
watch (void *user, uint64_t done, uint64_t total)
{
  (void) user;
  g_assert_cmpuint (done, >=, furthest);
  g_assert_cmpuint (done, <=, total);
  furthest = done;
  return 0;
}

/* With many contexts, each analysis has a pass to itself, and finds the
   same.  */
static void
test_apart (void)
{
  static const double amounts[MOCKS] = { 1, 8, 0.5 };

  for (unsigned i = 0; i < 10; i++) {
    struct pair pair = random_pair (i);
    struct command command = { .n = MOCKS, .progress = watch }, together;
    struct dg_error err;

    for (size_t k = 0; k < command.n; k++)
      random_mock (&command.mocks[k]);
    random_options (&command, pair.packed);
    command.options.amounts = i % 2 == 0 ? amounts : NULL;
    furthest = 0;
    run_with (&command, 2, pair.packed, &together, &err);
    for (size_t k = 0; k < command.n; k++)
      command.mocks[k].is_last = k > 0;
    pair.packed->contents.summary.contexts = 500000;
    furthest = 0;
    for (size_t k = 0; k < command.n; k++) {
      struct command apart;

      g_assert_cmpint (run_with (&command, 1 + k, pair.packed, &apart, &err),
                       ==, 0);
      furthest = 0;
      for (size_t m = 0; m < command.n; m++) {
        const struct mock *a = &apart.mocks[m], *b = &together.mocks[m];

        g_assert_cmpuint (a->worker_sum, ==, b->worker_sum);
        g_assert_cmpuint (a->records, ==, b->records);
        g_assert_cmpuint (a->shards->len, ==, b->shards->len);
        for (guint s = 0; s < a->shards->len; s++) {
          const GArray *x = g_ptr_array_index (a->shards, s);
          const GArray *y = g_ptr_array_index (b->shards, s);

          g_assert_cmpuint (x != NULL ? x->len : 0, ==,
                            y != NULL ? y->len : 0);
        }
      }
      command_fini (&apart);
    }
    command_fini (&together);
    pair_fini (&pair);
  }
}

/* ---- Wrong commands ---- */

static void
assert_refused (struct command *command, const struct dg_log *log, int code,
                const char *expected)
{
  char *message;

  g_assert_cmpint (check_same (command, log, &message), ==, code);
  g_assert_cmpstr (message, ==, expected);
  g_free (message);
}

static void
test_refusals (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log ("bbdef [0x100+1] []\n"
                                      "context 0 [0x100]\nbbrun 0 1 []\n",
                                      &bytes);
  const struct dg_setting setting = { "colour", "red" };
  struct command command = { .n = 1 };
  struct dg_analysis *analysis = &command.mocks[0].analysis, other;
  struct dg_error err;

  command.options.interval_ns = 100;
  assert_refused (&command, log, DG_ERR_INVALID,
                  "intervals by time need a clock, which the log does not "
                  "have");
  command.options.interval_instructions = 100;
  assert_refused (&command, log, DG_ERR_INVALID,
                  "intervals are either by instructions or by time");
  command.options.interval_ns = 0;
  command.mocks[0].shares_worker = true;
  command.mocks[0].plan.shard = DG_SHARD_CHUNK;
  assert_refused (&command, log, DG_ERR_INVALID,
                  "a: does not support intervals");
  command.options.interval_instructions = 0;
  command.options.settings = &setting;
  command.options.n_settings = 1;
  assert_refused (&command, log, DG_ERR_INVALID, "a: no option --colour");
  command.options.n_settings = 0;
  command.mocks[0].shares_worker = false;
  command.mocks[0].plan = (struct dg_plan) { .shard = DG_SHARD_PART,
                                             .parts = 65 };
  assert_refused (&command, log, DG_ERR_INVALID, "a: its plan is invalid");
  command.mocks[0].plan = (struct dg_plan) { .shard = DG_SHARD_CHUNK,
                                             .view = DG_VIEW_RECORDS };
  assert_refused (&command, log, DG_ERR_INVALID, "a: its plan is invalid");
  mock_init (&command.mocks[0], "a");
  other = *analysis;
  other.version++;
  g_assert_cmpint (dg_analyse (log, (const struct dg_analysis *[]) { &other },
                               1, NULL, NULL, NULL, NULL, &err), ==,
                   DG_ERR_VERSION);
  g_assert_cmpint (dg_analyse (log, NULL, 0, NULL, NULL, NULL, NULL, NULL),
                   ==, DG_ERR_INVALID);
  g_assert_cmpint (
    dg_analyse (log, (const struct dg_analysis *[]) { analysis, analysis }, 2,
                NULL, NULL, NULL, NULL, &err), ==, DG_ERR_INVALID);
  g_assert_cmpstr (err.message, ==, "a is given twice");
  mock_fini (&command.mocks[0]);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Too many intervals for memory, of a log that claims to be long.  */
static void
test_many_intervals (void)
{
  GByteArray *bytes;
  struct dg_log *log
    = core_test_log ("window 1 0 9000000000000000\n", &bytes);
  struct command command = { .n = 1,
                             .options.interval_instructions = 1 };

  if (dg_log_summary (log)->last_icount > 1000000)
    assert_refused (&command, log, DG_ERR_INVALID,
                    "intervals of 1 instructions would be 9000000000000000, "
                    "more than 1000000");
  else
    g_test_fail ();
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* ---- The clock ---- */

static void
test_clock (void)
{
  struct dg_times times;
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    "bbdef [0x100+1 0x101+1 0x102+1 0x103+1] []\n"
    "context 0 [0x100]\nclock 1000\n"
    "bbrun 0 4 []\nclock 1400\nbbrun 0 4 []\nclock 1200\nbbrun 0 4 []\n"
    "bbrun 0 4 []\nclock 9000\nbbrun 0 4 []\n", &bytes);

  g_assert_cmpint (dg_times_init (&times, log, NULL), ==, 0);
  g_assert_cmpuint (dg_times_at (&times, 0), ==, 1000);
  g_assert_cmpuint (dg_times_at (&times, 1), ==, 1100);
  g_assert_cmpuint (dg_times_at (&times, 4), ==, 1400);
  g_assert_cmpuint (dg_times_at (&times, 7), ==, 1400);
  g_assert_cmpuint (dg_times_at (&times, 9), ==, 2350);
  g_assert_cmpuint (dg_times_at (&times, 16), ==, 9000);
  g_assert_cmpuint (dg_times_at (&times, 17), ==, 0);
  g_assert_cmpuint (dg_times_at (&times, 99), ==, 0);
  dg_times_fini (&times);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analyse/clock", test_clock);
  g_test_add_func ("/analyse/refusals", test_refusals);
  g_test_add_func ("/analyse/many-intervals", test_many_intervals);
  g_test_add_func ("/analyse/random", test_random);
  g_test_add_func ("/analyse/ends", test_ends);
  g_test_add_func ("/analyse/failures", test_failures);
  g_test_add_func ("/analyse/first-failure", test_first_failure);
  g_test_add_func ("/analyse/damage", test_damage);
  g_test_add_func ("/analyse/cancel", test_cancel);
  g_test_add_func ("/analyse/apart", test_apart);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

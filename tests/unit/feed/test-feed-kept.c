/* test-feed-kept.c: a small archive that has any number of accesses, since
   those at constant addresses take no bytes: what works on it takes little
   memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "archive/builder.h"
#include "core_test.h"
#include "dg_record.h"
#include "feed/feed.h"
#include "log/log.h"
#include "log/packed.h"
#include "unit_main.h"

#define ENTRIES 2000

/* A block that reads ENTRIES constant addresses, and its variant.  */
static void
add_block (struct dg_program *program)
{
  static struct dg_program_entry entries[ENTRIES];
  static const struct dg_program_instr instr = { .address = 0x400000,
                                                 .size = 4 };
  const struct dg_program_block block = { 1, ENTRIES, 0, &instr, entries };
  struct dg_error err;

  for (unsigned i = 0; i < ENTRIES; i++)
    entries[i] = (struct dg_program_entry) { .disp = 0x601000 + 8 * i,
                                             .word = DG_PROGRAM_NO_WORD,
                                             .kind = DG_ACC_READ,
                                             .size = 8 };
  g_assert_cmpint (dg_program_add_block (program, &block, &err), ==, 0);
  g_assert_cmpint (dg_program_add_variant (program, 0, 1, ENTRIES, 0, &err),
                   ==, 0);
}

/* A chunk of so many runs of variant 1.  */
static void
fill_chunk (const struct dg_program *program, bool is_first, unsigned runs,
            struct dg_builder_chunk *chunk)
{
  struct dg_program_counts from = { !is_first, 1 + !is_first, 1 };
  struct dg_program_view view = dg_program_view (program);
  const struct dg_pack_new_context *contexts;
  struct dg_packer *packer = dg_packer_new (1, NULL);
  uint64_t *words = g_new (uint64_t, runs);
  struct dg_error err;
  size_t n;

  for (unsigned i = 0; i < runs; i++)
    words[i] = 1 << DG_RUN_LENGTH_BITS | 1;
  g_assert_cmpint (dg_program_write (program, from, &chunk->definitions,
                                     &err), ==, 0);
  g_assert_cmpint (dg_packer_begin (packer, &view, UINT64_MAX, &err), ==, 0);
  g_assert_cmpint (dg_packer_runs (packer, words, runs, &err), ==, 0);
  g_assert_cmpint (dg_packer_end (packer, &chunk->runs, &contexts, &n, &err),
                   ==, 0);
  chunk->totals = *dg_packer_totals (packer);
  for (size_t i = 0; i < n; i++)
    *(struct dg_pack_new_context *) dg_table_add (&chunk->new_contexts,
                                                  sizeof *contexts)
      = contexts[i];
  g_free (words);
  dg_packer_free (packer);
}

/* The archive of chunks of so many runs each, up to 0; loaded.  */
static struct dg_log *
log_of_chunks (const unsigned *runs)
{
  char *path = g_strdup_printf ("feed-kept-%d.dgz", (int) getpid ());
  const struct dg_builder_options options = {
    .path = path, .format = { .word_size = 8 }, .level = 1
  };
  struct dg_program program = { 0 };
  struct dg_builder *builder;
  uint64_t all = 0;
  struct dg_error err;
  struct dg_log *log;

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  add_block (&program);
  builder = dg_builder_new (&options, &err);
  g_assert_nonnull (builder);
  for (unsigned i = 0; runs[i] > 0; i++) {
    struct dg_builder_chunk chunk = { 0 };

    fill_chunk (&program, i == 0, runs[i], &chunk);
    g_assert_cmpint (dg_builder_add (builder, &chunk, &err), ==, 0);
    dg_builder_chunk_fini (&chunk);
    all += runs[i];
  }
  g_assert_cmpuint (dg_builder_size (builder), <, 65536);
  g_assert_cmpint (dg_builder_finish (builder, NULL, &err), ==, 0);
  dg_builder_free (builder);
  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  dg_log_load (log, 1, NULL, NULL, &err);
  g_assert_cmpuint (dg_log_summary (log)->accesses, ==, ENTRIES * all);
  g_remove (path);
  g_free (path);
  dg_program_fini (&program);
  return log;
}

static struct dg_log *
log_of (unsigned runs)
{
  return log_of_chunks ((const unsigned[]) { runs, 0 });
}

static void
test_may_hold (void)
{
  struct dg_log *small = log_of (4000), *large = log_of (4500);

  g_assert_true (dg_kept_may_hold (small, 0));
  g_assert_false (dg_kept_may_hold (large, 0));
  dg_log_close (small);
  dg_log_close (large);
}

/* More than that is not kept, whatever the chunk says of itself.  */
static void
test_refuses (void)
{
  struct dg_log *log = log_of (20000);
  const struct dg_feed_plan plan = { .log = log, .end_icount = DG_NEVER,
                                     .needs_addresses = true };
  struct dg_error err = { 0 };
  struct dg_feeder *feeder = dg_feeder_new (&plan, &err);
  struct dg_kept *kept = dg_kept_new (&err);

  g_assert_cmpint (dg_feeder_open (feeder, 0, &err), ==, 0);
  g_assert_cmpint (dg_feeder_keep (feeder, kept, &err), ==, DG_ERR_DAMAGED);
  g_assert_cmpstr (err.message, ==, "a chunk has more accesses than it says");
  dg_kept_free (kept);
  dg_feeder_free (feeder);
  dg_log_close (log);
}

/* Instructions, wrong branches and the like of a log by several workers.  */
static char *
figures_of (const struct dg_log *log, const char *name, unsigned workers)
{
  const struct dg_analysis *analysis = dg_analysis_find (name);
  const struct dg_analyse_options options = { .size = sizeof options,
                                              .workers = workers };
  struct dg_report *report = dg_report_new (NULL);
  GString *text = g_string_new (NULL);
  const struct dg_report_item *item;
  struct dg_error err = { 0 };
  struct dg_cell cells[64];

  g_assert_cmpint (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report,
                               &err), ==, 0);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++) {
    g_string_append_printf (text, "%s %s\n",
                            item->key != NULL ? item->key : "",
                            item->text != NULL ? item->text : "");
    for (uint64_t row = 0; row < item->n_rows; row++) {
      dg_report_row (item, row, cells);
      for (size_t k = 0; k < item->n_columns; k++)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT,
                                cells[k].is_empty ? 0 : cells[k].number);
    }
  }
  dg_report_free (report);
  return g_string_free (text, FALSE);
}

/* Chunks that are kept and others that are not, in turn: the same as one
   worker finds.  Of shards in order, of chunks, and of both.  */
static void
test_mixed (void)
{
  static const unsigned runs[] = { 10, 20, 5000, 30, 5000, 5001, 40, 5, 7, 0 };
  static const char *const names[] = { "schedule", "calls", "counts",
                                       "cache", "reuse" };
  struct dg_log *log = log_of_chunks (runs);

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    char *expected = figures_of (log, names[i], 1);

    for (unsigned workers = 2; workers <= 5; workers++) {
      char *got = figures_of (log, names[i], workers);

      g_assert_cmpstr (got, ==, expected);
      g_free (got);
    }
    g_free (expected);
  }
  dg_log_close (log);
}

static uint64_t
peak_kilobytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (uint64_t) usage.ru_maxrss;
}

/* Several workers, shards in order: the chunk's addresses would take a
   gigabyte.  */
static void
test_memory (void)
{
  struct dg_log *log = log_of (65536);
  const struct dg_analysis *analysis = dg_analysis_find ("branches");
  const struct dg_analyse_options options = { .size = sizeof options,
                                              .workers = 4 };
  struct dg_report *report = dg_report_new (NULL);
  uint64_t before = peak_kilobytes ();
  struct dg_error err = { 0 };

  g_assert_cmpint (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report,
                               &err), ==, 0);
  g_assert_cmpuint (peak_kilobytes () - before, <, 200 * 1024);
  dg_report_free (report);
  dg_log_close (log);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed-kept/may-hold", test_may_hold);
  g_test_add_func ("/feed-kept/refuses", test_refuses);
  g_test_add_func ("/feed-kept/mixed", test_mixed);
  g_test_add_func ("/feed-kept/memory", test_memory);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

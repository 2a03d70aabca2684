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
fill_chunk (const struct dg_program *program, unsigned runs,
            struct dg_builder_chunk *chunk)
{
  struct dg_program_view view = dg_program_view (program);
  const struct dg_pack_new_context *contexts;
  struct dg_packer *packer = dg_packer_new (1, NULL);
  uint64_t *words = g_new (uint64_t, runs);
  struct dg_error err;
  size_t n;

  for (unsigned i = 0; i < runs; i++)
    words[i] = 1 << DG_RUN_LENGTH_BITS | 1;
  g_assert_cmpint (dg_program_write (program,
                                     (struct dg_program_counts) { 0, 1, 1 },
                                     &chunk->definitions, &err), ==, 0);
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

/* The archive of such a chunk, loaded.  */
static struct dg_log *
log_of (unsigned runs)
{
  char *path = g_strdup_printf ("feed-kept-%d.dgz", (int) getpid ());
  const struct dg_builder_options options = {
    .path = path, .format = { .word_size = 8 }, .level = 1
  };
  struct dg_builder_chunk chunk = { 0 };
  struct dg_program program = { 0 };
  struct dg_builder *builder;
  struct dg_error err;
  struct dg_log *log;

  g_assert_cmpint (dg_program_init (&program, &err), ==, 0);
  add_block (&program);
  fill_chunk (&program, runs, &chunk);
  builder = dg_builder_new (&options, &err);
  g_assert_nonnull (builder);
  g_assert_cmpint (dg_builder_add (builder, &chunk, &err), ==, 0);
  g_assert_cmpuint (dg_builder_size (builder), <, 65536);
  g_assert_cmpint (dg_builder_finish (builder, NULL, &err), ==, 0);
  dg_builder_free (builder);
  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  dg_log_load (log, 1, NULL, NULL, &err);
  g_assert_cmpuint (dg_log_summary (log)->accesses, ==,
                    (uint64_t) ENTRIES * runs);
  g_remove (path);
  g_free (path);
  dg_builder_chunk_fini (&chunk);
  dg_program_fini (&program);
  return log;
}

static void
test_may_hold (void)
{
  struct dg_log *small = log_of (4000), *large = log_of (4500);

  g_assert_true (dg_kept_may_hold (small));
  g_assert_false (dg_kept_may_hold (large));
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
  g_test_add_func ("/feed-kept/memory", test_memory);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-time-skip.c: what chunks that a sample leaves out have in them: after
   they were passed by the index of the log, no run of them touches a page
   first, and all of their instructions count.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"
#include "time/time_skip.h"
#include "unit_main.h"

#include <string.h>

static struct dg_time_model *
new_model (const struct dg_log *log, struct dg_symbols *symbols)
{
  struct dg_error err;
  struct dg_time_model *model = dg_time_model_new (
    log, symbols, dg_time_machine_find ("zen5"), &err);

  g_assert_nonnull (model);
  return model;
}

/* The first chunk that does not begin with the log; SIZE_MAX.  The chunk that
   a sample begins with is never skipped.  */
static size_t
second_chunk (const struct dg_chunk *chunks, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (chunks[i].icount > 0)
      return i;
  return SIZE_MAX;
}

/* The pages that the runs of the chunks from the second on, but the last one,
   touch first on a core of a model.  *n: their instructions.  */
static uint64_t
first_touches (const struct dg_log *log, struct dg_time_model *model,
               uint64_t *n)
{
  size_t n_chunks;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n_chunks);
  size_t second = second_chunk (chunks, n_chunks);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  uint64_t rows[DG_TIME_COUNTS] = { 0 };
  struct dg_run run;

  *n = 0;
  while (dg_reader_run (reader, &run, NULL) > 0) {
    if (second == SIZE_MAX || run.icount < chunks[second].icount
        || run.icount >= chunks[n_chunks - 1].icount)
      continue;
    *n += run.n_instrs;
    dg_time_core_run (dg_time_model_core (model, run.thread),
                      dg_time_model_block (model, &run), &run, rows, 0);
  }
  dg_reader_free (reader);
  return rows[DG_TIME_PAGES];
}

/* Random logs have accesses of no bytes, which recorders do not write.  They
   are in a page for the model, and in no line for the index.  */
static void
pass_empty (const struct dg_log *log, struct dg_time_model *model)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_run run;

  while (dg_reader_run (reader, &run, NULL) > 0)
    for (unsigned i = 0; i < run.n_slots; i++) {
      const struct dg_slot *slot = &run.bbdef->slots[i];

      if (slot->size == 0)
        dg_time_model_pass_data (model, run.addresses[slot->entry]);
    }
  dg_reader_free (reader);
}

static void
check_skip (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_index *index;
  struct dg_symbols *symbols;
  struct dg_time_model *model;
  struct dg_time_sample sample;
  struct dg_time_skip skip = { 0 };
  uint64_t n, all;

  /* Only archives have an index.  */
  if (dg_index_open (log, &index, &err) < 0)
    return;
  dg_index_close (index);
  symbols = dg_symbols_new (log, NULL, &err);
  model = new_model (log, symbols);
  all = first_touches (log, model, &n);
  g_assert_true (all > 0 || n == 0);
  dg_time_model_free (model);

  model = new_model (log, symbols);
  dg_time_sample_init (&sample, 2, 1 << 20);
  g_assert_cmpint (dg_time_skip_init (&skip, log, &err), ==, 0);
  g_assert_cmpint (dg_time_skip_to (&skip, &sample, model, 0, &err), ==, 0);
  g_assert_cmpuint (sample.fed, ==, 0);
  g_assert_cmpint (dg_time_skip_to (&skip, &sample, model, DG_NEVER, &err),
                   ==, 0);
  g_assert_cmpuint (sample.fed, ==, n);
  pass_empty (log, model);
  g_assert_cmpuint (first_touches (log, model, &n), ==, 0);
  dg_time_skip_fini (&skip);
  dg_time_model_free (model);
  dg_symbols_free (symbols);
}

static void
test_random (void)
{
  core_test_random (g_test_slow () ? 100 : 10, 3000, check_skip);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-skip/random", test_random);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

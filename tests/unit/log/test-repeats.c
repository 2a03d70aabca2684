/* test-repeats.c: instructions that repeat themselves count once, in every way
   in which a log is read: against what a simple model expects, which makes the
   log and knows where each instruction ends.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "dg_analysis.h"
#include "feed/feed.h"
#include "log/arch.h"
#include "unit_main.h"

#define PROCESS(arch) \
  "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"" arch "\" \"\" \"\" []\n"

/* Blocks in pairs: one that begins the instruction, and one that repeats it.
   Then one without; two that repeat an instruction that is begun by itself,
   of which one shows its end; and one whose code only looks like that.  */
enum { STOS, STOS_AGAIN, MOVS, MOVS_AGAIN, CMPS, CMPS_AGAIN, PLAIN, ALONE,
       SCAS, MOV, N_BLOCKS };

static const char blocks[] =
  "bbcode 0x400000 2 1 [0x48 0x89 0xd7 0xf3 0xaa]\n"
  "bbdef [0x400000+3 0x400003+2] [W1@1]\n"
  "bbcode 0x400003 1 1 [0xf3 0xaa]\n"
  "bbdef [0x400003+2] [W1@0]\n"
  "bbcode 0x400010 2 2 [0x48 0x89 0xd7 0xf3 0xa4]\n"
  "bbdef [0x400010+3 0x400013+2] [R1@1 W1@1]\n"
  "bbcode 0x400013 1 2 [0xf3 0xa4]\n"
  "bbdef [0x400013+2] [R1@0 W1@0]\n"
  "bbcode 0x400020 2 2 [0x48 0x89 0xd7 0xf3 0xa6]\n"
  "bbdef [0x400020+3 0x400023+2] [R1@1 R1@1]\n"
  "bbcode 0x400023 1 2 [0xf3 0xa6]\n"
  "bbdef [0x400023+2] [R1@0 R1@0]\n"
  "bbcode 0x400030 2 1 [0x8b 0x07 0x90]\n"
  "bbdef [0x400030+2 0x400032+1] [R4@0]\n"
  "bbcode 0x400040 1 1 [0x66 0xf3 0x48 0xab]\n"
  "bbdef [0x400040+4] [W8@0]\n"
  "bbcode 0x400050 1 1 [0xf2 0xae]\n"
  "bbdef [0x400050+2] [R1@0]\n"
  "bbcode 0x400060 1 1 [0xb8 0x00 0x00 0xf3 0xaa]\n"
  "bbdef [0x400060+5] [R8@0]\n"
  "context 0 [0x400000]\ncontext 1 [0x400003]\ncontext 2 [0x400010]\n"
  "context 3 [0x400013]\ncontext 4 [0x400020]\ncontext 5 [0x400023]\n"
  "context 6 [0x400030]\ncontext 7 [0x400040]\ncontext 8 [0x400050]\n"
  "context 9 [0x400060]\n";

/* ---- Which blocks ---- */

static void
assert_blocks (const char *text, const enum dg_repeats *expected)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);
  struct dg_log *packed = core_test_pack (log);

  for (uint32_t i = 0; i < dg_log_summary (log)->bbdefs; i++) {
    g_assert_cmpint (dg_log_bbdef (log, i)->repeats, ==, expected[i]);
    g_assert_cmpint (dg_log_bbdef (packed, i)->repeats, ==, expected[i]);
  }
  dg_log_close (packed);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_blocks (void)
{
  static const enum dg_repeats no[N_BLOCKS];
  static const enum dg_repeats expected[N_BLOCKS] = {
    [STOS] = DG_REPEATS_TO_ZERO, [STOS_AGAIN] = DG_REPEATS_TO_ZERO,
    [MOVS] = DG_REPEATS_TO_ZERO, [MOVS_AGAIN] = DG_REPEATS_TO_ZERO,
    [CMPS_AGAIN] = DG_REPEATS_FURTHER, [ALONE] = DG_REPEATS_TO_ZERO
  };
  static const enum dg_repeats changed[N_BLOCKS] = {
    [MOVS] = DG_REPEATS_TO_ZERO, [MOVS_AGAIN] = DG_REPEATS_TO_ZERO,
    [CMPS_AGAIN] = DG_REPEATS_FURTHER, [ALONE] = DG_REPEATS_TO_ZERO
  };
  char *text = g_strconcat (PROCESS ("amd64"), blocks, "end\n", NULL);

  assert_blocks (text, expected);
  g_free (text);
  text = g_strconcat (PROCESS ("x86"), blocks, "end\n", NULL);
  assert_blocks (text, expected);
  g_free (text);
  text = g_strconcat (PROCESS ("arm64"), blocks, "end\n", NULL);
  assert_blocks (text, no);
  g_free (text);
  /* The code was overwritten: then it is not known.  */
  text = g_strconcat (PROCESS ("amd64"), blocks,
                      "bbcode 0x400003 1 1 [0x89 0x07]\n", "end\n", NULL);
  assert_blocks (text, changed);
  g_free (text);
}

static void
test_codes (void)
{
  static const struct {
    uint8_t bytes[5], n;
    enum dg_arch_repeats repeats;
  } codes[] = {
    { { 0xf3, 0xa4 }, 2, DG_ARCH_REPEATS_TO_ZERO },         /* rep movsb */
    { { 0xf2, 0xa5 }, 2, DG_ARCH_REPEATS_TO_MATCH },
    { { 0xf3, 0x48, 0xab }, 3, DG_ARCH_REPEATS_TO_ZERO },   /* rep stosq */
    { { 0x66, 0xf3, 0xab }, 3, DG_ARCH_REPEATS_TO_ZERO },   /* rep stosw */
    { { 0x67, 0xf3, 0x48, 0xab }, 4, DG_ARCH_REPEATS_TO_ZERO },
    { { 0xf3, 0xa7 }, 2, DG_ARCH_REPEATS_TO_MATCH },
    { { 0xf2, 0xae }, 2, DG_ARCH_REPEATS_TO_MATCH },        /* repne scasb */
    { { 0xaa }, 1, DG_ARCH_REPEATS_NOT },                   /* stosb */
    { { 0x48, 0xab }, 2, DG_ARCH_REPEATS_NOT },
    { { 0xf3, 0xc3 }, 2, DG_ARCH_REPEATS_NOT },             /* rep ret */
    { { 0xf3, 0x90 }, 2, DG_ARCH_REPEATS_NOT },             /* pause */
    { { 0xf3, 0x0f, 0xa4 }, 3, DG_ARCH_REPEATS_NOT },
    { { 0xf3, 0xa8, 0xaa }, 3, DG_ARCH_REPEATS_NOT },
    { { 0xf3 }, 1, DG_ARCH_REPEATS_NOT },
    { { 0 }, 0, DG_ARCH_REPEATS_NOT }
  };
  static const uint8_t lods[] = { 0xf3, 0xac };
  char *text = g_strconcat (PROCESS ("amd64"), "end\n", NULL);
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);

  for (size_t i = 0; i < G_N_ELEMENTS (codes); i++)
    g_assert_cmpint (dg_arch_of (log)->repeats (codes[i].bytes, codes[i].n),
                     ==, codes[i].repeats);
  /* VEX has it for 32-bit code only.  */
  g_assert_cmpint (dg_arch_of (log)->repeats (lods, sizeof lods), ==,
                   DG_ARCH_REPEATS_NOT);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_free (text);
  text = g_strconcat (PROCESS ("x86"), "end\n", NULL);
  log = core_test_log (text, &bytes);
  g_assert_cmpint (dg_arch_of (log)->repeats (lods, sizeof lods), ==,
                   DG_ARCH_REPEATS_TO_ZERO);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_free (text);
}

/* ---- The model ---- */

#define N_THREADS 3

/* A run, and how many instructions count with it.  */
struct step {
  unsigned context, n_instrs, n_addresses, counts;
};

struct model {
  GArray *steps[N_THREADS];
  uint64_t counts[N_THREADS];
};

static void
add (GArray *steps, unsigned context, unsigned n_instrs, unsigned n_addresses,
     unsigned counts)
{
  struct step step = { context, n_instrs, n_addresses, counts };

  g_array_append_val (steps, step);
  /* A signal handler.  */
  if (g_test_rand_int_range (0, 30) == 0) {
    struct step handler = { PLAIN, 2, 1, 2 };
    g_array_append_val (steps, handler);
  }
}

/* One that ends when its count is 0.  */
static void
add_to_zero (GArray *steps, unsigned first, unsigned again, unsigned times,
             unsigned n_addresses)
{
  if (first != again)
    add (steps, first, 2, times > 0 ? n_addresses : 0, 1 + (times == 0));
  else
    add (steps, first, 1, times > 0 ? n_addresses : 0, times == 0);
  for (unsigned i = 1; i < times; i++)
    add (steps, again, 1, n_addresses, 0);
  if (times > 0)
    add (steps, again, 1, 0, 1);
}

static void
add_execution (GArray *steps)
{
  unsigned times = (unsigned) g_test_rand_int_range (0, 6);

  if (g_test_rand_int_range (0, 8) == 0)
    times += 70;
  switch (g_test_rand_int_range (0, 7)) {
  case 0: add_to_zero (steps, STOS, STOS_AGAIN, times, 1); break;
  case 1: add_to_zero (steps, MOVS, MOVS_AGAIN, times, 2); break;
  case 2: add_to_zero (steps, ALONE, ALONE, times, 1); break;
  case 3:
    add (steps, CMPS, 2, times > 0 ? 2 : 0, 2);
    for (unsigned i = 1; i < times; i++)
      add (steps, CMPS_AGAIN, 1, 2, 0);
    if (times > 0 && g_test_rand_int_range (0, 2) == 0)
      add (steps, CMPS_AGAIN, 1, 0, 0);
    break;
  case 4:
    for (unsigned i = 0; i < times; i++)
      add (steps, SCAS, 1, 1, 1);
    break;
  case 5: add (steps, MOV, 1, 1, 1); break;
  default:
    times = (unsigned) g_test_rand_int_range (1, 3);
    add (steps, PLAIN, times, 1, times);
    break;
  }
}

/* The threads' steps in some order, with chunks between.  */
static char *
make_text (struct model *model)
{
  GString *text = g_string_new (PROCESS ("amd64"));
  guint at[N_THREADS] = { 0 }, left = 0;
  unsigned thread = 0;

  g_string_append (text, blocks);
  for (unsigned i = 0; i < N_THREADS; i++) {
    model->counts[i] = 0;
    model->steps[i] = g_array_new (FALSE, FALSE, sizeof (struct step));
    for (int n = g_test_rand_int_range (0, 60); n > 0; n--)
      add_execution (model->steps[i]);
    left += model->steps[i]->len;
  }
  while (left > 0) {
    struct step *step;

    if (at[thread] == model->steps[thread]->len
        || g_test_rand_int_range (0, 9) == 0) {
      thread = (thread + 1) % N_THREADS;
      g_string_append_printf (text, "thread_switch %u\n", thread + 1);
      continue;
    }
    if (g_test_rand_int_range (0, 12) == 0)
      g_string_append (text, "chunk\n");
    step = &g_array_index (model->steps[thread], struct step, at[thread]++);
    g_string_append_printf (text, "bbrun %u %u [", step->context,
                            step->n_instrs);
    for (unsigned i = 0; i < step->n_addresses; i++)
      g_string_append_printf (text, " 0x%x", 0x1000 + left);
    g_string_append (text, "]\n");
    model->counts[thread] += step->counts;
    left--;
  }
  g_string_append (text, "end\n");
  return g_string_free (text, FALSE);
}

/* ---- All ways ---- */

static uint64_t
count_by_reader (const struct dg_log *log, uint32_t thread)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  uint64_t n = 0;
  struct dg_run run;

  while (dg_reader_run (reader, &run, NULL) > 0)
    n += run.thread == thread ? dg_run_instructions (&run) : 0;
  dg_reader_free (reader);
  return n;
}

static uint64_t
count_alike (const struct dg_log *log)
{
  struct dg_alike *alike = dg_alike_new (log, NULL);
  uint64_t n = 0, times;
  struct dg_run run;
  size_t chunks;

  dg_log_chunks (log, &chunks);
  while (chunks > 0) {
    g_assert_cmpint (dg_alike_open (alike, --chunks, NULL), ==, 0);
    while (dg_alike_next (alike, &run, &times, NULL) > 0)
      n += times * dg_run_instructions (&run);
  }
  dg_alike_free (alike);
  return n;
}

/* Batches of chunks in any order.  */
static uint64_t
count_batches (const struct dg_log *log, bool needs_addresses)
{
  const struct dg_feed_plan plan = { .log = log, .end_icount = DG_NEVER,
                                     .needs_addresses = needs_addresses };
  struct dg_feeder *feeder = dg_feeder_new (&plan, NULL);
  struct dg_batch batch;
  uint64_t n = 0;
  size_t chunks;

  dg_log_chunks (log, &chunks);
  while (chunks > 0) {
    g_assert_cmpint (dg_feeder_open (feeder, --chunks, NULL), ==, 0);
    while (dg_feeder_next (feeder, &batch, NULL) > 0)
      for (size_t i = 0; i < batch.n_runs; i++)
        n += dg_run_instructions (&batch.runs[i]);
  }
  dg_feeder_free (feeder);
  return n;
}

/* The first figure with that key.  */
static uint64_t
analyse (const struct dg_log *log, const char *name, const char *key,
         const char *by, unsigned workers, uint64_t start, uint64_t end)
{
  const struct dg_analysis *analysis = dg_analysis_find (name);
  const struct dg_setting setting = { "by", by };
  const struct dg_analyse_options options = {
    .size = sizeof options, .workers = workers, .start_icount = start,
    .end_icount = end, .settings = &setting, .n_settings = by != NULL
  };
  struct dg_report *report = dg_report_new (NULL);
  const struct dg_report_item *item;
  struct dg_error err = { 0 };
  struct dg_cell cells[64];

  if (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report, &err) < 0)
    g_error ("%s", err.message);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++)
    if (item->kind == DG_ITEM_VALUE && strcmp (item->key, key) == 0)
      break;
  g_assert_nonnull (item);
  dg_report_row (item, 0, cells);
  dg_report_free (report);
  return cells[0].number;
}

/* The sum of a column of the rows by instruction.  */
static uint64_t
sum_rows (const struct dg_log *log, const char *name, const char *key)
{
  const struct dg_analysis *analysis = dg_analysis_find (name);
  const struct dg_setting setting = { "by", "instruction" };
  const struct dg_analyse_options options = {
    .size = sizeof options, .workers = 2, .settings = &setting,
    .n_settings = 1
  };
  struct dg_report *report = dg_report_new (NULL);
  const struct dg_report_item *item;
  struct dg_cell cells[64];
  uint64_t sum = 0;
  size_t column = 0;

  g_assert_cmpint (dg_analyse (log, &analysis, 1, &options, NULL, NULL, report,
                               NULL), ==, 0);
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++)
    if (item->kind == DG_ITEM_TABLE && g_strcmp0 (item->key, "rows") == 0)
      break;
  g_assert_nonnull (item);
  while (strcmp (item->columns[column].key, key) != 0)
    column++;
  for (uint64_t i = 0; i < item->n_rows; i++) {
    dg_report_row (item, i, cells);
    sum += cells[column].number;
  }
  dg_report_free (report);
  return sum;
}

static void
check (const struct dg_log *log, const struct model *model, bool once)
{
  const uint64_t last = dg_log_summary (log)->instructions;
  const uint64_t middle
    = last > 1 ? (uint64_t) g_test_rand_int_range (1, (gint32) last) : 0;
  uint64_t all = once ? 0 : last;

  for (uint32_t i = 0; once && i < N_THREADS; i++) {
    g_assert_cmpuint (count_by_reader (log, i + 1), ==, model->counts[i]);
    all += model->counts[i];
  }
  g_assert_cmpuint (count_alike (log), ==, all);
  g_assert_cmpuint (count_batches (log, false), ==, all);
  g_assert_cmpuint (count_batches (log, true), ==, all);
  g_assert_cmpuint (sum_rows (log, "counts", "instructions"), ==, all);
  g_assert_cmpuint (sum_rows (log, "cache", "Ir"), ==, all);
  for (unsigned workers = 1; workers <= 3; workers += 2) {
    static const struct { const char *name, *key, *by; } ways[] = {
      { "counts", "instructions", NULL }, { "counts", "instructions", "line" },
      { "counts", "instructions", "variable" },
      { "calls", "instructions", NULL }, { "cache", "Ir", NULL },
      { "cache", "Ir", "function" }, { "tlb", "fetches", NULL }
    };

    for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
      g_assert_cmpuint (analyse (log, ways[i].name, ways[i].key, ways[i].by,
                                 workers, 0, 0), ==, all);
      if (middle > 0)
        g_assert_cmpuint (analyse (log, ways[i].name, ways[i].key, ways[i].by,
                                   workers, 0, middle)
                            + analyse (log, ways[i].name, ways[i].key,
                                       ways[i].by, workers, middle, 0),
                          ==, all);
    }
  }
}

static void
test_counts (void)
{
  for (unsigned i = 0; i < 12; i++) {
    struct model model;
    char *text = make_text (&model);
    GByteArray *bytes;
    struct dg_log *log = core_test_log (text, &bytes), *packed, *each;
    struct dg_error err = { 0 };

    log->piece_accesses = (uint64_t) g_test_rand_int_range (1, 60);
    packed = core_test_pack (log);
    check (log, &model, true);
    check (packed, &model, true);
    g_assert_cmpint (dg_log_set_repetitions (log, DG_REPETITIONS_EACH, &err),
                     ==, DG_ERR_INVALID);
    g_assert_cmpint (dg_log_open_memory ("test", bytes->data, bytes->len,
                                         &each, &err), ==, 0);
    g_assert_cmpint (dg_log_set_repetitions (each, DG_REPETITIONS_EACH, &err),
                     ==, 0);
    g_assert_cmpint (dg_log_load (each, 1, NULL, NULL, &err), ==, 0);
    check (each, &model, false);
    dg_log_close (each);
    dg_log_close (packed);
    dg_log_close (log);
    for (unsigned k = 0; k < N_THREADS; k++)
      g_array_unref (model.steps[k]);
    g_byte_array_unref (bytes);
    g_free (text);
  }
}

/* With ranges, an instruction counts for what its last repetition accessed;
   here three of them: within, out of, and into the range; and one of another
   thread in the middle of the first.  */
static void
test_ranges (void)
{
  char *text = g_strconcat (
    PROCESS ("amd64"), blocks,
    "bbrun 0 2 [0x1000]\nbbrun 1 1 [0x1001]\n"
    "thread_switch 2\nbbrun 0 2 [0x2000]\nbbrun 1 1 []\nthread_switch 1\n"
    "bbrun 1 1 []\n"
    "bbrun 0 2 [0x100f]\nbbrun 1 1 [0x1010]\nbbrun 1 1 []\n"
    "bbrun 0 2 [0xfff]\nbbrun 1 1 [0x1000]\nbbrun 1 1 []\n"
    "bbrun 4 2 [0x1000 0x2000]\nbbrun 5 1 [0x1001 0x2001]\nend\n", NULL);
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);
  struct dg_filter *filter = dg_filter_new (log, NULL, NULL, NULL,
                                            "addr:0x1000..0x1010", NULL, NULL,
                                            NULL);
  const struct dg_feed_plan plan = { .log = log, .filter = filter,
                                     .end_icount = DG_NEVER,
                                     .needs_addresses = true };
  struct dg_feeder *feeder = dg_feeder_new (&plan, NULL);
  struct dg_batch batch;
  uint64_t n = 0;
  size_t chunks;

  dg_log_chunks (log, &chunks);
  for (size_t i = 0; i < chunks; i++) {
    g_assert_cmpint (dg_feeder_open (feeder, i, NULL), ==, 0);
    while (dg_feeder_next (feeder, &batch, NULL) > 0)
      for (size_t k = 0; k < batch.n_runs; k++)
        n += dg_run_instructions (&batch.runs[k]);
  }
  /* The first, the third, and that of cmps.  */
  g_assert_cmpuint (n, ==, 3);
  dg_feeder_free (feeder);
  dg_filter_free (filter);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_free (text);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/repeats/codes", test_codes);
  g_test_add_func ("/repeats/blocks", test_blocks);
  g_test_add_func ("/repeats/counts", test_counts);
  g_test_add_func ("/repeats/ranges", test_ranges);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-tally.c: sums of views of random logs against a model's
   (tally_model.h), and of logs made for one thing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "model/tally/place_sums.h"
#include "model/tally/tally_code.h"

#include <unistd.h>

#include "asm.h"
#include "tally_model.h"
#include "unit_main.h"

static const char *const events_of[] = {"", "user:work", ""};
static const char *const ranges_of[] = {"", "", "malloc"};

/* ---- Tests ------------------------------------------------------------ */

static struct dv_scene *
open_scene (const char *path, enum tally_filter filter, bool indexed)
{
  struct dg_error err = {0};
  struct dg_index *index;
  struct dv_data *data = dv_data_new (path, true, NULL, NULL, &err);
  if (data == NULL || data->flaw.code != 0)
    g_error ("%s", data == NULL ? err.message : data->flaw.message);
  if (indexed) {
    if (dg_index_build (data->log, NULL, 2, NULL, NULL, &index, &err) < 0)
      g_error ("%s", err.message);
    data->few = 0;
    data->rate = 0;
    dv_data_set_index (data, index);
  }
  struct dv_scene *scene = dv_scene_new (data, events_of[filter],
                                         ranges_of[filter], NULL, NULL, &err);
  if (scene == NULL)
    g_error ("%s", err.message);
  dv_data_unref (data);
  return scene;
}

#define CHECK_SAME(x, y, array, type, key)                                  \
  do {                                                                      \
    g_assert_cmpuint ((x)->array->len, ==, (y)->array->len);                \
    for (guint i = 0; i < (x)->array->len; i++) {                           \
      const type *a = &g_array_index ((x)->array, type, i);                 \
      const type *b = &g_array_index ((y)->array, type, i);                 \
      g_assert_cmpuint (a->key, ==, b->key);                                \
      g_assert_cmpmem (&a->count, sizeof a->count, &b->count,               \
                       sizeof b->count);                                    \
    }                                                                       \
  } while (0)

/* Code that is counted by itself is what it is with addresses.  */
static void
check_code (struct dv_scene *scene, const struct dv_tally *all)
{
  struct dg_error err = {0};
  struct dv_tally tally = {0};
  struct dv_code_sums *sums = dv_code_sums_new (scene->data->log);
  GArray *chunks = g_array_new (FALSE, FALSE, sizeof (size_t));
  GArray **arrays[] = {&tally.contexts, &tally.threads, &tally.code};
  GArray *const expected[] = {all->contexts, all->threads, all->code};
  size_t n;
  dg_log_chunks (scene->data->log, &n);
  for (size_t i = 0; i < n; i++)
    g_array_append_val (chunks, i);
  if (dv_tally_code_count (scene, &all->view, chunks, 2, sums, NULL, NULL,
                           &err) < 0)
    g_error ("%s", err.message);
  for (int i = 0; i < 3; i++)
    *arrays[i] =
      g_array_new (FALSE, FALSE, g_array_get_element_size (expected[i]));
  dv_code_sums_tell (sums, &tally);
  g_assert_cmpmem (&tally.code_total, sizeof tally.code_total,
                   &all->code_total, sizeof all->code_total);
  CHECK_SAME (&tally, all, contexts, struct dv_tally_context, context);
  CHECK_SAME (&tally, all, threads, struct dv_tally_thread, thread);
  /* Which of its moments an instruction has may differ.  */
  CHECK_SAME (&tally, all, code, struct dv_tally_code, instruction);
  for (int i = 0; i < 3; i++)
    g_array_unref (*arrays[i]);
  g_array_unref (chunks);
  dv_code_sums_free (sums);
}

static void
check_view (const struct tally_model *model, struct dv_scene *scene)
{
  struct dg_error err = {0};
  struct tally_sums *sums = tally_sums_new (model);
  for (unsigned workers = 1; workers <= 3; workers += 2) {
    struct dv_tally *tally =
      dv_tally_new (scene, &model->view, workers, NULL, NULL, NULL, &err);
    g_assert_nonnull (tally);
    tally_sums_check (sums, tally);
    if (dv_tally_code_is_apart (scene, &model->view))
      check_code (scene, tally);
    dv_tally_unref (tally);
  }
  tally_sums_free (sums);
}

static uint64_t
part (uint64_t whole)
{
  return (uint64_t) (g_test_rand_double () * (double) whole);
}

static void
check_views (struct tally_model *model, struct dv_scene *scene, int n)
{
  struct dv_view full = scene->full;
  model->view = full;
  if (dv_view_is_empty (&full))
    return;
  check_view (model, scene);
  for (int i = 0; i < n; i++) {
    model->view = full;
    if (i % 3 != 0) {
      model->view.x0 = part (full.x1);
      model->view.x1 = model->view.x0 + 1 + part (full.x1 - model->view.x0);
    }
    if (i % 3 != 1) {
      model->view.y0 += part (full.y1 - full.y0);
      model->view.y1 =
        model->view.y0 + 1 + part (full.y1 - model->view.y0 - 1);
    }
    model->view.x1 = MIN (model->view.x1, full.x1);
    check_view (model, scene);
  }
}

static void
check_log (const struct tally_log_kind *kind, int views)
{
  struct tally_log *log = tally_log_new (kind);
  for (int filter = 0; filter < TALLY_N_FILTERS; filter++)
    for (int indexed = 0; indexed < 2; indexed++) {
      struct tally_model model;
      struct dv_scene *scene = open_scene (log->path, filter, indexed);
      tally_model_init (&model, log, filter);
      /* The index knows when something was only by the chunk.  */
      if (!indexed && log->accesses->len > 0)
        g_assert_cmpuint (scene->full.x1, ==,
                          (uint64_t) g_hash_table_size (model.pages)
                            * kind->page);
      check_views (&model, scene, views);
      tally_model_fini (&model);
      dv_scene_unref (scene);
    }
  tally_log_free (log);
}

static void
test_one_thread (void)
{
  struct tally_log_kind kind = {8, 4096, 64, false, 1, 1500, false};
  check_log (&kind, 6);
}

static void
test_threads (void)
{
  struct tally_log_kind kind = {8, 4096, 64, false, 3, 1500, false};
  check_log (&kind, 6);
}

static void
test_one_chunk (void)
{
  struct tally_log_kind kind = {8, 4096, 64, false, 4, 900, true};
  check_log (&kind, 3);
}

static void
test_foreign (void)
{
  struct tally_log_kind kind = {4, 4096, 64, true, 2, 700, false};
  check_log (&kind, 3);
}

/* Lines that are a page, many lines in a page, long lines.  */
static void
test_units (void)
{
  struct tally_log_kind small = {4, 512, 64, false, 2, 500, false};
  struct tally_log_kind large = {8, 65536, 16, false, 2, 500, false};
  struct tally_log_kind wide = {8, 4096, 128, true, 2, 500, false};
  check_log (&small, 3);
  check_log (&large, 3);
  check_log (&wide, 3);
}

/* More different runs than one table of a worker holds at first, in an
   archive.  */
static void
test_archive (void)
{
  struct tally_log_kind kind = {8, 4096, 64, false, 3, 4000, true};
  struct tally_log *log = tally_log_new (&kind);
  struct dg_error err = {0};
  struct dg_log *raw;
  char *packed = g_strconcat (log->path, ".dgz", NULL);
  g_assert_cmpint (dg_log_open (log->path, &raw, &err), ==, 0);
  g_assert_cmpint (dg_log_load (raw, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (dg_log_pack (raw, packed, NULL, NULL, NULL, &err), ==, 0);
  dg_log_close (raw);
  struct tally_model model;
  struct dv_scene *scene = open_scene (packed, TALLY_ALL, false);
  tally_model_init (&model, log, TALLY_ALL);
  check_views (&model, scene, 4);
  tally_model_fini (&model);
  dv_scene_unref (scene);
  unlink (packed);
  g_free (packed);
  tally_log_free (log);
}

static void
test_empty (void)
{
  struct tally_log_kind kind = {8, 4096, 64, false, 1, 0, false};
  struct tally_log *log = tally_log_new (&kind);
  struct dg_error err = {0};
  struct dv_scene *scene = open_scene (log->path, TALLY_ALL, false);
  struct dv_tally *tally =
    dv_tally_new (scene, &scene->full, 0, NULL, NULL, NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (dv_tally_count_accesses (&tally->total), ==, 0);
  g_assert_cmpuint (
    tally->contexts->len + tally->lines->len + tally->sites->len, ==, 0);
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  tally_log_free (log);
}

/* ---- Logs made for one thing ------------------------------------------ */

static char *
assemble_text (const char *text)
{
  struct dg_asm as;
  char *message = NULL, *path;
  dg_asm_init (&as);
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  int fd = g_file_open_tmp ("dg-view-XXXXXX", &path, NULL);
  g_assert_cmpint (write (fd, as.bytes->data, as.bytes->len), ==,
                   as.bytes->len);
  close (fd);
  dg_asm_fini (&as);
  return path;
}

/* A log that takes a while.  */
static char *
long_log (unsigned runs)
{
  GString *text = g_string_new ("bbdef [0x400000+4] [R8@0]\n"
                                "context 0 [0x400000]\n");
  g_string_append_printf (text, "repeat %u\n", runs / 1000);
  for (int i = 0; i < 10; i++)
    g_string_append (text, "repeat 100\nbbrun 0 1 [0x10000]\ndone\n");
  g_string_append (text, "chunk\ndone\nend\n");
  char *path = assemble_text (text->str);
  g_string_free (text, TRUE);
  return path;
}

struct watch {
  unsigned partials, calls;
  unsigned stop_after; /* calls; 0: never */
  uint64_t last;
  gint64 stopped;
  struct dv_tally *whole; /* the first one with all of the code; NULL: none */
};

static void
note_partial (void *user, struct dv_tally *tally)
{
  struct watch *watch = user;
  uint64_t n = dv_tally_count_accesses (&tally->total);
  watch->partials++;
  g_assert_cmpfloat (tally->done, <, 1);
  /* Code is ahead of memory.  */
  g_assert_cmpfloat (tally->code_done, >=, tally->done);
  g_assert_cmpuint (dv_tally_count_accesses (&tally->code_total), >=, n);
  if (tally->code_done >= 1) {
    g_assert_cmpuint (dv_tally_count_accesses (&tally->code_total), ==,
                      3000000);
    if (watch->whole == NULL)
      watch->whole = dv_tally_ref (tally);
    g_assert_true (dv_tally_has_same_code (watch->whole, tally));
  }
  g_assert_cmpuint (n, >=, watch->last);
  g_assert_cmpuint (tally->code->len, <=, 1);
  watch->last = n;
}

static int
note_progress (void *user, uint64_t done, uint64_t total)
{
  struct watch *watch = user;
  g_assert_cmpuint (done, <=, total);
  if (watch->stop_after == 0 || ++watch->calls < watch->stop_after)
    return 0;
  watch->stopped = g_get_monotonic_time ();
  return 1;
}

static void
test_stop (void)
{
  char *path = long_log (3000000);
  struct dg_error err = {0};
  struct dv_scene *scene = open_scene (path, TALLY_ALL, false);
  struct watch watch = {.stop_after = 1};
  struct dv_tally *tally = dv_tally_new (scene, &scene->full, 1, note_partial,
                                         note_progress, &watch, &err);
  /* It may have been quicker than the first call.  */
  if (watch.stopped != 0) {
    g_assert_null (tally);
    g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  }
  dv_tally_unref (tally);
  dv_tally_unref (watch.whole);
  struct watch all = {0};
  tally = dv_tally_new (scene, &scene->full, 2, note_partial, note_progress,
                        &all, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (dv_tally_count_accesses (&tally->total), ==, 3000000);
  g_assert_cmpuint (all.last, <=, 3000000);
  g_assert_nonnull (all.whole);
  g_assert_true (dv_tally_has_same_code (all.whole, tally));
  dv_tally_unref (all.whole);
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

/* More lines than are kept.  What is said to be lacking is all that is.  */
static void
test_many_lines (void)
{
  enum { LINES = DV_MOST_LINES * 3 / 2, ROUNDS = 3, HEAVY = 1000 };
  struct tally_log_kind kind = {8, 4096, 64, false, 1, 1, false};
  struct tally_log *log = tally_log_new (&kind);
  struct dv_scene *scene = open_scene (log->path, TALLY_ALL, false);
  struct dv_view all = {0, scene->layout.size, 0, UINT64_MAX};
  struct dv_place_sums *sums = dv_place_sums_new (scene);
  struct dv_tally tally = {0};
  struct dv_sheets sheets;
  GArray **arrays[] = {&tally.pages, &tally.lines, &tally.shares};
  for (int i = 0; i < 3; i++)
    *arrays[i] = g_array_new (FALSE, FALSE,
                              i == 2 ? sizeof (struct dv_tally_share)
                                     : sizeof (struct dv_tally_place));
  g_assert_true (dv_sheets_init (&sheets, scene, &all, 4, 1));
  for (uint64_t i = 0; i < (uint64_t) ROUNDS * LINES; i++) {
    if (!dv_sheets_have_room (&sheets)) {
      dv_place_sums_take (sums, &sheets);
      dv_sheets_clear (&sheets, i);
    }
    uint64_t line = i % LINES;
    for (int k = line % (LINES / HEAVY) == 0 ? 50 : 1; k > 0; k--)
      dv_sheets_count_any (&sheets, 0x100000 + line * 64, 8, 0, i);
  }
  dv_place_sums_take (sums, &sheets);
  dv_place_sums_tell (sums, &tally);
  g_assert_cmpuint (tally.n_lines, ==, LINES);
  g_assert_cmpuint (tally.n_pages, ==, LINES / 64);
  g_assert_cmpuint (tally.lines_lack, >, 0);
  g_assert_cmpuint (tally.lines_lack, <, 50);
  g_assert_cmpuint (tally.lines->len, ==, DV_LISTED);
  g_assert_cmpuint (tally.pages->len, ==, DV_LISTED);
  for (guint i = 0; i < HEAVY; i++) {
    const struct dv_tally_place *p =
      &g_array_index (tally.lines, struct dv_tally_place, i);
    g_assert_cmpuint (((p->address - 0x100000) / 64) % (LINES / HEAVY), ==, 0);
    g_assert_cmpuint (p->count.reads, <=, ROUNDS * 50);
    g_assert_cmpuint (p->count.reads + tally.lines_lack, >=, ROUNDS * 50);
  }
  for (int i = 0; i < 3; i++)
    g_array_unref (*arrays[i]);
  dv_sheets_fini (&sheets);
  dv_place_sums_free (sums);
  dv_scene_unref (scene);
  tally_log_free (log);
}

/* Threads whose numbers are too large for the keys of runs, one line for
   all, and what each has of it.  */
static void
test_large_threads (void)
{
  static const uint32_t threads[] = {1, 16382, 16383, 16384, 70000};
  struct dg_error err = {0};
  GString *text = g_string_new ("bbdef [0x400000+4] [W8@0]\n"
                                "context 0 [0x400000]\n");
  for (int i = 0; i < 200; i++)
    g_string_append_printf (text, "thread_switch %u\nbbrun 0 1 [0x%x]\n",
                            threads[i * 7 % 5], 0x10000 + i * 7 % 5 * 8);
  g_string_append (text, "end\n");
  char *path = assemble_text (text->str);
  struct dv_scene *scene = open_scene (path, TALLY_ALL, false);
  struct dv_tally *tally =
    dv_tally_new (scene, &scene->full, 1, NULL, NULL, NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (tally->threads->len, ==, 5);
  g_assert_cmpuint (tally->lines->len, ==, 1);
  g_assert_cmpuint (tally->shares->len, ==, 5);
  const struct dv_tally_place *line =
    &g_array_index (tally->lines, struct dv_tally_place, 0);
  g_assert_cmpint (line->sharing, ==, DV_SHARING_FALSE);
  g_assert_cmpuint (line->threads, ==, 5);
  for (int i = 0; i < 5; i++) {
    const struct dv_tally_thread *t =
      &g_array_index (tally->threads, struct dv_tally_thread, i);
    const struct dv_tally_share *s =
      &g_array_index (tally->shares, struct dv_tally_share, i);
    g_assert_cmpuint (t->thread, ==, threads[i]);
    g_assert_cmpuint (t->count.writes, ==, 40);
    g_assert_cmpuint (s->thread, ==, threads[i]);
    g_assert_cmpuint (s->written, ==, (uint64_t) 0xff << i * 8);
  }
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
  g_string_free (text, TRUE);
}

/* More threads than a list should have.  */
static void
test_many_threads (void)
{
  enum { THREADS = 5000 };
  GString *text = g_string_new ("bbdef [0x400000+4] [R8@0]\n"
                                "bbdef [0x400010+4] [W4@0]\n"
                                "context 0 [0x400000]\n"
                                "context 1 [0x400010]\n");
  for (int round = 0; round < 2; round++)
    for (int t = 1; t <= THREADS; t++) {
      if (round == 0 && t > 1)
        g_string_append_printf (text, "thread_start %d 1 %d\n", t, t);
      g_string_append_printf (text,
                              "thread_switch %d\n"
                              "bbrun 0 1 [0x10000]\n",
                              t);
      if (t <= 3)
        g_string_append_printf (text, "bbrun 1 1 [0x%x]\n", 0x10000 + 4 * t);
    }
  g_string_append (text, "end\n");
  char *path = assemble_text (text->str);
  g_string_free (text, TRUE);
  struct dg_error err = {0};
  struct dv_scene *scene = open_scene (path, TALLY_ALL, false);
  struct dv_tally *tally =
    dv_tally_new (scene, &scene->full, 1, NULL, NULL, NULL, &err);
  g_assert_nonnull (tally);
  g_assert_cmpuint (tally->lines->len, ==, 1);
  const struct dv_tally_place *line =
    &g_array_index (tally->lines, struct dv_tally_place, 0);
  g_assert_cmpuint (line->threads, ==, THREADS);
  g_assert_cmpuint (line->writers, ==, 3);
  g_assert_cmpuint (line->count.reads, ==, 2 * THREADS);
  /* Of the three that write, one writes bytes that others read.  */
  g_assert_cmpint (line->sharing, ==, DV_SHARING_MIXED);
  /* Of those who read twice, beside five writes, one of them to the same bytes
     (main's first was before): 5 / 7 find the line gone, 1 / 3 need it.  */
  g_assert_cmpfloat_with_epsilon (line->false_share, 1 - 7 / 15.0, 0.001);
  g_assert_cmpuint (tally->shares->len, ==, THREADS);
  for (guint i = 0; i < tally->shares->len; i++) {
    const struct dv_tally_share *share =
      &g_array_index (tally->shares, struct dv_tally_share, i);
    uint64_t own = i < 3 ? (uint64_t) 0xf << 4 * (i + 1) : 0;
    g_assert_cmpuint (share->thread, ==, i + 1);
    g_assert_cmphex (share->touched, ==, 0xff | own);
    g_assert_cmphex (share->written, ==, own);
  }
  dv_tally_unref (tally);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

/* Pages that no processor has would take memory for nothing.  */
static void
test_tiny_pages (void)
{
  char *path = assemble_text (
    "process 1 1 0 0 16 16 0 8 \"t\" \"v\" \"amd64\" \"/a\" \"/\" [\"a\"]\n"
    "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n"
    "bbrun 0 1 [0x10008]\nend\n");
  struct dv_scene *scene = open_scene (path, TALLY_ALL, false);
  g_assert_cmpuint (scene->data->page_shift, ==, 12);
  g_assert_cmpuint (scene->data->line_shift, ==, 4);
  dv_scene_unref (scene);
  unlink (path);
  g_free (path);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tally/one-thread", test_one_thread);
  g_test_add_func ("/tally/threads", test_threads);
  g_test_add_func ("/tally/one-chunk", test_one_chunk);
  g_test_add_func ("/tally/foreign", test_foreign);
  g_test_add_func ("/tally/units", test_units);
  g_test_add_func ("/tally/archive", test_archive);
  g_test_add_func ("/tally/empty", test_empty);
  g_test_add_func ("/tally/stop", test_stop);
  g_test_add_func ("/tally/many-lines", test_many_lines);
  g_test_add_func ("/tally/large-threads", test_large_threads);
  g_test_add_func ("/tally/many-threads", test_many_threads);
  g_test_add_func ("/tally/tiny-pages", test_tiny_pages);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-index.c: indexes against lists worked out from what random logs are
   known to hold.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_sample.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_summary.h"
#include "asm.h"
#include "unit_main.h"

static void
check_kind (unsigned word_size, bool big_endian, unsigned n_runs)
{
  struct index_sample *sample =
    index_sample_new (word_size, big_endian, n_runs);
  struct dg_error err = {0};
  struct dg_index *index = index_sample_index (sample, NULL, 3);

  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_null (dg_index_note (index));
  index_sample_check (sample, index, false);
  dg_index_close (index);

  g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, DG_ERR_IO);
  g_assert_null (index);
  g_assert_nonnull (strstr (err.message, "no index"));

  index = index_sample_index (sample, sample->sidecar, 2);
  g_assert_cmpstr (dg_index_note (index), ==, NULL);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  if (dg_index_open (sample->log, &index, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  g_assert_cmpint (dg_index_bytes (index) > 0, ==,
                   sample->random->accesses->len > 0);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  index_sample_free (sample);
}

static void
test_kinds (void)
{
  for (unsigned n = 1; n <= 5000; n *= 5) {
    check_kind (8, false, n);
    check_kind (8, true, n);
    check_kind (4, false, n);
    check_kind (4, true, n);
  }
}

/* Of a log without any access.  */
static void
test_empty (void)
{
  struct index_sample *sample = index_sample_new (8, false, 0);
  struct dg_index *index = index_sample_index (sample, sample->sidecar, 4);
  uint64_t *pages;
  size_t n;

  g_assert_cmpuint (dg_index_levels (index), <=, 1);
  g_assert_cmpint (dg_index_pages (index, 12, &pages, &n, NULL), ==, 0);
  g_assert_cmpuint (n, ==, 0);
  free (pages);
  dg_index_close (index);
  index_sample_free (sample);
}

/* Accesses of no bytes touch no line, but that is known of them: a chunk of
   nothing else does not make the index unusable.  */
static void
test_no_bytes (void)
{
  struct index_sample *sample = index_sample_new (8, false, 0);
  struct dg_index *index;
  char *message;
  struct dg_asm as;

  dg_asm_init (&as);
  g_assert_true (dg_asm_text (&as,
                              "bbdef [0x400000+4] [R0@0]\n"
                              "context 0 [0x400000]\n"
                              "bbrun 0 1 [0x1800]\n"
                              "end\n",
                              &message));
  g_assert_true (g_file_set_contents (
    sample->random->path, (char *) as.bytes->data, as.bytes->len, NULL));
  dg_asm_fini (&as);
  dg_log_close (sample->log);
  sample->log = index_sample_load (sample->random->path);
  g_assert_cmpuint (dg_log_summary (sample->log)->accesses, ==, 1);
  dg_index_close (index_sample_index (sample, sample->sidecar, 1));
  g_assert_cmpint (dg_index_open (sample->log, &index, NULL), ==, 0);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  index_sample_free (sample);
}

/* The file is the same, no matter who made it.  */
static void
test_workers (void)
{
  struct index_sample *sample = index_sample_new (8, false, 3000);
  char *bytes[2];
  size_t sizes[2];

  for (int i = 0; i < 2; i++) {
    dg_index_close (
      index_sample_index (sample, sample->sidecar, i == 0 ? 1 : 8));
    g_assert_true (
      g_file_get_contents (sample->sidecar, &bytes[i], &sizes[i], NULL));
  }
  g_assert_cmpmem (bytes[0], sizes[0], bytes[1], sizes[1]);
  g_free (bytes[0]);
  g_free (bytes[1]);
  index_sample_free (sample);
}

static void
test_pages (void)
{
  struct index_sample *sample = index_sample_new (4, true, 2000);
  struct dg_index *index = index_sample_index (sample, NULL, 2);
  struct dg_error err = {0};

  for (unsigned shift = 6; shift < 20; shift += 3) {
    GArray *right = index_sample_lines (sample->random, 0, UINT64_MAX);
    uint64_t *pages;
    size_t n, at = 0;

    g_assert_cmpint (dg_index_pages (index, shift, &pages, &n, NULL), ==, 0);
    for (guint i = 0; i < right->len; i++) {
      uint64_t page =
        g_array_index (right, struct dg_line_count, i).line >> (shift - 6);

      if (at == 0 || pages[at - 1] != page) {
        g_assert_cmpuint (at, <, n);
        g_assert_cmpuint (pages[at], ==, page);
        at++;
      }
    }
    g_assert_cmpuint (at, ==, n);
    free (pages);
    g_array_unref (right);
  }
  uint64_t *pages;
  size_t n;
  g_assert_cmpint (dg_index_pages (index, 5, &pages, &n, &err), ==,
                   DG_ERR_INVALID);
  g_assert_null (dg_index_borrow (index, 99, 0, &err));
  g_assert_null (dg_index_borrow (index, 0, 1u << 30, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  dg_index_close (index);
  index_sample_free (sample);
}

/* What a sidecar says of its log is what the log says.  */
static void
test_summary (void)
{
  for (int kind = 0; kind < 4; kind++) {
    struct index_sample *sample =
      index_sample_new (kind & 1 ? 4 : 8, kind & 2, 700);
    struct dg_error err = {0};
    struct dg_index *index;
    struct dg_log *log;
    size_t n, m;

    g_assert_cmpint (dg_log_open (sample->random->path, &log, NULL), ==, 0);
    g_assert_cmpint (dg_index_load_summary (log, &err), ==, DG_ERR_IO);
    dg_index_close (index_sample_index (sample, sample->sidecar, 1));
    if (dg_index_load_summary (log, &err) < 0)
      g_error ("%s", err.message);
    g_assert_cmpstr (dg_archive_summary_differs (dg_log_summary (log),
                                                 dg_log_summary (sample->log)),
                     ==, NULL);
    const struct dg_process *a = dg_log_process (log);
    const struct dg_process *b = dg_log_process (sample->log);
    g_assert_cmpuint (a->pid, ==, b->pid);
    g_assert_cmpuint (a->argc, ==, b->argc);
    g_assert_cmpstr (a->argv[1], ==, b->argv[1]);
    g_assert_cmpuint (dg_log_page_size (log), ==, 4096);
    const struct dg_chunk *chunks = dg_log_chunks (log, &n);
    const struct dg_chunk *right = dg_log_chunks (sample->log, &m);
    g_assert_cmpuint (n, ==, m);
    for (size_t i = 0; i < n; i++) {
      g_assert_cmpuint (chunks[i].icount, ==, right[i].icount);
      g_assert_cmpuint (chunks[i].writes, ==, right[i].writes);
      g_assert_cmpuint (chunks[i].recording, ==, right[i].recording);
    }
    g_assert_cmpint (dg_index_open (log, &index, NULL), ==, 0);
    index_sample_check (sample, index, false);
    dg_index_close (index);
    g_assert_null (dg_reader_new (log, 1, 2, &err));

    /* And then the log itself.  */
    g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
    g_assert_cmpint (dg_index_load_summary (log, &err), ==, DG_ERR_INVALID);
    g_assert_cmpstr (dg_archive_summary_differs (dg_log_summary (log),
                                                 dg_log_summary (sample->log)),
                     ==, NULL);
    dg_log_close (log);
    index_sample_free (sample);
  }
}

/* The lists that a packed log brings, and those made for one that has none,
   are the same.  */
static void
test_archive (void)
{
  for (int kind = 0; kind < 8; kind++) {
    struct index_sample *sample =
      index_sample_new (kind & 1 ? 4 : 8, kind & 2, 2000);
    struct dg_pack_options options = {
      .size = sizeof options, .workers = 2, .no_index = kind & 4};
    char *path = g_strconcat (sample->random->path, ".dgz", NULL);
    struct dg_error err = {0};
    struct dg_index *index;

    sample->log->piece_accesses = 150;
    if (dg_log_pack (sample->log, path, &options, NULL, NULL, &err) < 0)
      g_error ("%s", err.message);
    dg_log_close (sample->log);
    free (sample->sidecar);
    sample->log = index_sample_load (path);
    sample->sidecar = dg_index_sidecar (sample->log);
    if (options.no_index) {
      g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==,
                       DG_ERR_IO);
      g_assert_cmpstr (err.message, ==, "the archive has no index");
      index = index_sample_index (sample, sample->sidecar, 2);
      g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
    } else {
      if (dg_index_open (sample->log, &index, &err) < 0)
        g_error ("%s", err.message);
      g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_ARCHIVE);
    }
    g_assert_cmpuint (dg_index_levels (index), >, 2);
    index_sample_check (sample, index, false);
    dg_index_close (index);

    /* By the summary alone.  */
    dg_log_close (sample->log);
    g_assert_cmpint (dg_log_open (path, &sample->log, NULL), ==, 0);
    g_assert_cmpint (dg_log_load_summary (sample->log, 1, NULL, NULL, &err),
                     ==, 0);
    g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, 0);
    index_sample_check (sample, index, false);
    dg_index_close (index);

    /* Cut short: of the chunks that are left, coarser lists are merged.  */
    dg_log_close (sample->log);
    struct stat status;
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (truncate (path, status.st_size / 2), ==, 0);
    sample->log = index_sample_load (path);
    if (dg_index_open (sample->log, &index, &err) == 0) {
      g_assert_false (options.no_index);
      index_sample_check (sample, index, false);
      dg_index_close (index);
    } else {
      g_assert_true (options.no_index);
    }
    unlink (path);
    g_free (path);
    index_sample_free (sample);
  }
}

/* ---- Many users, little room ---- */

struct reader {
  const struct index_sample *sample;
  struct dg_index *index;
};

static gpointer
read_all (gpointer user)
{
  const struct reader *reader = user;

  for (int i = 0; i < 3; i++)
    index_sample_check (reader->sample, reader->index, false);
  return NULL;
}

static void
test_threads (void)
{
  struct index_sample *sample = index_sample_new (8, false, 2000);
  struct dg_index *index = index_sample_index (sample, sample->sidecar, 2);
  struct reader reader = {sample, index};
  GThread *threads[4];

  index->keep_bytes = 8000;
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new (NULL, read_all, &reader);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (index->kept_bytes, <=, 8000);
  g_assert_cmpuint (index->kept.length, >, 0);
  dg_index_close (index);
  index_sample_free (sample);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/kinds", test_kinds);
  g_test_add_func ("/index/empty", test_empty);
  g_test_add_func ("/index/no-bytes", test_no_bytes);
  g_test_add_func ("/index/workers", test_workers);
  g_test_add_func ("/index/pages", test_pages);
  g_test_add_func ("/index/summary", test_summary);
  g_test_add_func ("/index/archive", test_archive);
  g_test_add_func ("/index/threads", test_threads);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

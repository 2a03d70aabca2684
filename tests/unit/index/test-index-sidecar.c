/* test-index-sidecar.c: index files that do not fit their logs, are damaged,
   or cannot be written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_sample.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "archive/archive_write.h"
#include "archive/lines.h"
#include "index/index_sink.h"
#include "unit_main.h"

/* ---- Sidecars that are of no use ---- */

static void
expect_refusal (const struct index_sample *sample, int code, const char *why)
{
  struct dg_error err = {0};
  struct dg_index *index;

  g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, code);
  g_assert_null (index);
  if (!strstr (err.message, why))
    g_error ("'%s' lacks '%s'", err.message, why);
}

static void
set_times (const char *path, const struct stat *like)
{
  const struct timespec times[2] = {like->st_atim, like->st_mtim};

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_stale (void)
{
  struct index_sample *sample = index_sample_new (8, false, 500);
  struct dg_index *index = index_sample_index (sample, sample->sidecar, 2);
  struct stat status, later;

  dg_index_close (index);
  g_assert_cmpint (stat (sample->random->path, &status), ==, 0);
  later = status;
  later.st_mtim.tv_nsec = (later.st_mtim.tv_nsec + 1) % 1000000000;
  set_times (sample->random->path, &later);
  expect_refusal (sample, DG_ERR_INVALID, "older than the log");
  set_times (sample->random->path, &status);
  g_assert_cmpint (dg_index_open (sample->log, &index, NULL), ==, 0);
  dg_index_close (index);

  /* Longer, at the same time.  */
  int fd = open (sample->random->path, O_WRONLY | O_APPEND);
  g_assert_cmpint (write (fd, "\377\0", 2), ==, 2);
  close (fd);
  set_times (sample->random->path, &status);
  expect_refusal (sample, DG_ERR_INVALID, "older than the log");
  dg_log_close (sample->log);
  sample->log = index_sample_load (sample->random->path);
  expect_refusal (sample, DG_ERR_INVALID, "older than the log");
  index = index_sample_index (sample, sample->sidecar, 2);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  index_sample_free (sample);
}

/* A log that changes while it is read gets no sidecar.  */
static int
touch (void *user, uint64_t done, uint64_t total)
{
  const struct index_sample *sample = user;
  struct stat status;

  g_assert_cmpint (stat (sample->random->path, &status), ==, 0);
  status.st_mtim.tv_sec += 10;
  set_times (sample->random->path, &status);
  return 0;
}

static void
test_changing (void)
{
  struct index_sample *sample = index_sample_new (8, false, 500);
  struct dg_error err = {0};
  struct dg_index *index;

  g_assert_cmpint (dg_index_build (sample->log, sample->sidecar, 1, touch,
                                   sample, &index, &err),
                   ==, 0);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_nonnull (strstr (dg_index_note (index), "has changed"));
  g_assert_false (g_file_test (sample->sidecar, G_FILE_TEST_EXISTS));
  index_sample_check (sample, index, false);
  dg_index_close (index);
  index_sample_free (sample);
}

/* As long as the log and as old, but of another.  */
static void
test_foreign (void)
{
  struct index_sample *one = index_sample_new (8, false, 400);
  struct index_sample *two = index_sample_new (8, true, 400);
  struct stat status;
  struct dg_index *index;
  char *bytes;
  size_t n;

  g_assert_cmpint (truncate (one->random->path, 300000), ==, 0);
  g_assert_cmpint (truncate (two->random->path, 300000), ==, 0);
  g_assert_cmpint (stat (one->random->path, &status), ==, 0);
  set_times (two->random->path, &status);
  dg_log_close (one->log);
  dg_log_close (two->log);
  one->log = index_sample_load (one->random->path);
  two->log = index_sample_load (two->random->path);
  dg_index_close (index_sample_index (one, one->sidecar, 1));
  g_assert_cmpint (dg_index_open (one->log, &index, NULL), ==, 0);
  dg_index_close (index);
  g_assert_true (g_file_get_contents (one->sidecar, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (two->sidecar, bytes, (gssize) n, NULL));
  expect_refusal (two, DG_ERR_INVALID, "of another log");

  /* Not even an index.  */
  g_assert_true (g_file_set_contents (two->sidecar, "text", 4, NULL));
  expect_refusal (two, DG_ERR_NOT_A_LOG, "index beside the log");
  g_assert_true (g_file_set_contents (two->sidecar, "", 0, NULL));
  expect_refusal (two, DG_ERR_NOT_A_LOG, "index beside the log");
  unlink (two->sidecar);
  g_assert_cmpint (g_mkdir (two->sidecar, 0700), ==, 0);
  expect_refusal (two, DG_ERR_IO, "not a regular file");
  g_rmdir (two->sidecar);
  g_free (bytes);
  index_sample_free (one);
  index_sample_free (two);
}

/* Whatever byte is wrong, no list is.  */
static void
test_flips (void)
{
  struct index_sample *sample = index_sample_new (8, false, 700);
  unsigned refused = 0, bad = 0;
  struct dg_index *index;
  char *bytes;
  size_t n;

  dg_index_close (index_sample_index (sample, sample->sidecar, 1));
  g_assert_true (g_file_get_contents (sample->sidecar, &bytes, &n, NULL));
  for (unsigned i = 0; i < 600; i++) {
    size_t at =
      i < 100 ? i % n : (size_t) g_test_rand_int_range (0, (gint32) n);
    char was = bytes[at];
    int fd;

    bytes[at] ^= (char) (1 << g_test_rand_int_range (0, 8));
    fd = open (sample->sidecar, O_WRONLY);
    g_assert_cmpint (pwrite (fd, &bytes[at], 1, (off_t) at), ==, 1);
    if (dg_index_open (sample->log, &index, NULL) < 0)
      refused++;
    else
      bad += index_sample_check (sample, index, true);
    dg_index_close (index);
    bytes[at] = was;
    g_assert_cmpint (pwrite (fd, &bytes[at], 1, (off_t) at), ==, 1);
    close (fd);
  }
  g_assert_cmpuint (refused, >, 0);
  g_assert_cmpuint (bad, >, 0);

  /* Cut short, anywhere.  */
  for (unsigned i = 0; i < 50; i++) {
    size_t length = (size_t) g_test_rand_int_range (0, (gint32) n);

    g_assert_true (
      g_file_set_contents (sample->sidecar, bytes, (gssize) length, NULL));
    g_assert_cmpint (dg_index_open (sample->log, &index, NULL), <, 0);
    g_assert_null (index);
  }
  g_free (bytes);
  index_sample_free (sample);
}

/* ---- Where it goes ---- */

static void
test_nowhere (void)
{
  struct index_sample *sample = index_sample_new (8, false, 700);
  struct dg_index *index =
    index_sample_index (sample, "/nonexistent/log.dgx", 2);

  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_nonnull (strstr (dg_index_note (index), "/nonexistent/log.dgx"));
  index_sample_check (sample, index, false);
  dg_index_close (index);
  index_sample_free (sample);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancel (void)
{
  struct index_sample *sample = index_sample_new (8, false, 700);
  struct dg_error err = {0};
  char *folder = g_path_get_dirname (sample->sidecar);
  char *base = g_path_get_basename (sample->sidecar);
  struct dg_index *index;
  const char *name;
  GDir *dir;

  g_assert_cmpint (dg_index_build (sample->log, sample->sidecar, 2, cancel,
                                   NULL, &index, &err),
                   ==, DG_ERR_CANCELLED);
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_null (index);
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_prefix (name, base));
  g_dir_close (dir);
  g_free (folder);
  g_free (base);
  index_sample_free (sample);
}

/* Gives the chunks of one index to another's sink.  */
static int
pour (const struct index_sample *sample, struct dg_index *from,
      const char *path, uint64_t memory_bytes, struct dg_index **index,
      struct dg_error *err)
{
  struct dg_index_sink sink;
  int code = dg_index_sink_init (&sink, sample->log, path, err);

  *index = NULL;
  sink.memory_bytes = memory_bytes;
  for (size_t i = 0; code == 0 && i < dg_index_lists (from, 0); i++) {
    const struct dg_line_list *list = dg_index_borrow (from, 0, i, NULL);
    struct dg_table bytes = {0};

    if (list->n > 0)
      code = dg_lines_write (list->counts, list->n, &bytes, err);
    if (code == 0)
      code = dg_index_sink_add (&sink, i, bytes.items, bytes.n, err);
    dg_table_fini (&bytes);
    dg_index_return (from, list);
  }
  if (code == 0)
    code = dg_index_sink_finish (&sink, index, err);
  dg_index_sink_fini (&sink);
  return code;
}

/* What does not fit in memory is in the file alone, or nowhere.  */
static void
test_memory (void)
{
  struct index_sample *sample = index_sample_new (8, false, 2000);
  struct dg_index *all = index_sample_index (sample, NULL, 1), *index;
  struct dg_error err = {0};

  g_assert_cmpint (pour (sample, all, NULL, 2000, &index, &err), ==,
                   DG_ERR_LIMIT);
  g_assert_null (index);
  g_assert_cmpint (pour (sample, all, NULL, 1 << 20, &index, &err), ==, 0);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  g_assert_cmpint (pour (sample, all, sample->sidecar, 2000, &index, &err), ==,
                   0);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  dg_index_close (all);
  index_sample_free (sample);
}

/* A disk that is full, halfway.  */
static void
test_full (void)
{
  struct index_sample *sample = index_sample_new (8, false, 2000);
  struct dg_index *all = index_sample_index (sample, NULL, 1), *index;
  struct dg_error err = {0};
  struct dg_index_sink sink;

  g_assert_cmpint (
    dg_index_sink_init (&sink, sample->log, sample->sidecar, &err), ==, 0);
  for (size_t i = 0; i < dg_index_lists (all, 0); i++) {
    const struct dg_line_list *list = dg_index_borrow (all, 0, i, NULL);
    struct dg_table bytes = {0};

    /* It has no name any more, and the writer none to write to.  */
    if (i == 5) {
      dg_archive_abandon (sink.writer);
      sink.writer = NULL;
    }
    g_assert_cmpint (dg_lines_write (list->counts, list->n, &bytes, &err), ==,
                     0);
    g_assert_cmpint (dg_index_sink_add (&sink, i, bytes.items, bytes.n, &err),
                     ==, 0);
    dg_table_fini (&bytes);
    dg_index_return (all, list);
  }
  g_assert_cmpint (dg_index_sink_finish (&sink, &index, &err), ==, 0);
  dg_index_sink_fini (&sink);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  index_sample_check (sample, index, false);
  dg_index_close (index);
  dg_index_close (all);
  index_sample_free (sample);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/stale", test_stale);
  g_test_add_func ("/index/changing", test_changing);
  g_test_add_func ("/index/foreign", test_foreign);
  g_test_add_func ("/index/flips", test_flips);
  g_test_add_func ("/index/nowhere", test_nowhere);
  g_test_add_func ("/index/cancel", test_cancel);
  g_test_add_func ("/index/memory", test_memory);
  g_test_add_func ("/index/full", test_full);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

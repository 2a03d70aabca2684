/* test-archive.c: parts of an archive, written, found and read again; what
   becomes of files that cannot be written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_test.h"
#include "unit_main.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void
expect_rest (struct fixture *f, const struct dg_archive *archive)
{
  const struct dg_archive_lines *lines = archive->lines.items;
  const struct dg_part *tail = archive->tail.items;

  g_assert_cmpuint (archive->lines.n, ==, 1);
  g_assert_cmpuint (lines->level, ==, 1);
  g_assert_cmpuint (lines->first, ==, 0);
  expect_part (f, &lines->part, DG_PART_LINES, 0, "coarse", 6);
  g_assert_cmpuint (archive->tail.n, ==, 2);
  expect_part (f, &tail[0], DG_PART_TAIL, 0, "tail", 4);
  expect_part (f, &tail[1], DG_PART_TAIL, 0, "more", 4);
}

static void
test_whole (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;

  write_whole (f, GPOINTER_TO_INT (data));
  archive = open_archive (f);
  g_assert_true (archive->has_footer);
  g_assert_cmpuint (archive->good_bytes, ==, f->n);
  g_assert_cmpuint (archive->head.word_size, ==, 4);
  g_assert_true (archive->head.big_endian);
  g_assert_cmpuint (archive->head.origin, ==, DG_ORIGIN_LIVE);
  expect_chunks (f, archive, N_CHUNKS);
  expect_rest (f, archive);
  g_assert_cmpint (archive->summary.end_why, ==, -1);
  g_assert_cmpint (archive->summary.exit_code, ==, 255);
  g_assert_cmpuint (archive->summary.runs, ==, 30);
  g_assert_cmpuint (archive->summary.max_address, ==, UINT64_MAX);
  g_assert_cmpmem (archive->process.items, archive->process.n, "process", 7);
  g_assert_cmpuint (archive->end.runs, ==, 30);
  dg_archive_free (archive);
}

/* Without its footer, all but the summary is found all the same.  */
static void
test_no_footer (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;

  write_whole (f, 3);
  f->source.size -= DG_ARCHIVE_FOOTER_BYTES;
  archive = open_archive (f);
  g_assert_false (archive->has_footer);
  g_assert_cmpint (archive->error.code, ==, DG_ERR_TRUNCATED);
  g_assert_cmpuint (archive->error.offset, ==, f->source.size);
  expect_chunks (f, archive, N_CHUNKS);
  expect_rest (f, archive);
  g_assert_cmpuint (archive->end.icount, ==, 300);
  dg_archive_free (archive);
}

/* A reader sees an archive that grows, chunk by chunk.  */
static void
test_growing (struct fixture *f, gconstpointer data)
{
  struct dg_archive_writer *writer = create (f, 3);

  for (unsigned i = 0; i <= N_CHUNKS; i++) {
    struct dg_archive *archive;

    load (f);
    g_assert_cmpuint (f->n, ==, dg_archive_size (writer));
    archive = open_archive (f);
    g_assert_cmpint (archive->error.code, ==, DG_ERR_TRUNCATED);
    g_assert_cmpuint (archive->good_bytes, ==, f->n);
    expect_chunks (f, archive, i);
    dg_archive_free (archive);
    if (i < N_CHUNKS)
      g_assert_cmpint (add_chunk (writer, i, 50 * i, NULL), ==, 0);
  }
  dg_archive_abandon (writer);
}

/* Two chunks whose records and lines are compressed before, or not.  */
static void
write_parts (struct fixture *f, int level, bool is_before)
{
  static uint8_t zeros[4 << 20], noise[4000], text[4000];
  struct dg_compressor *compressor = dg_compressor_new (level, NULL);
  struct dg_archive_writer *writer = create (f, level);
  struct dg_compressed parts[2] = {{{0}}};
  uint32_t random = 1;

  for (unsigned i = 0; i < sizeof noise; i++) {
    random = random * 1664525 + 1013904223;
    noise[i] = random >> 24;
    text[i] = "lines"[i % 5];
  }
  for (unsigned i = 0; i < 2; i++) {
    struct dg_archive_chunk chunk = {.start = start_of (i),
                                     .totals = {.runs = 10,
                                                .instructions = 100,
                                                .entries = 7,
                                                .reads = 4,
                                                .writes = 2},
                                     .records = i == 0 ? zeros : noise,
                                     .lines = text,
                                     .records_size =
                                       i == 0 ? sizeof zeros : sizeof noise,
                                     .lines_size = sizeof text};
    int code = dg_compressor_keep (compressor, DG_PART_RECORDS, chunk.records,
                                   chunk.records_size, &parts[0], NULL);

    if (code == 0)
      code = dg_compressor_keep (compressor, DG_PART_LINES, chunk.lines,
                                 chunk.lines_size, &parts[1], NULL);
    g_assert_cmpint (code, ==, 0);
    if (is_before) {
      chunk.compressed_records = &parts[0];
      chunk.compressed_lines = &parts[1];
    }
    g_assert_cmpint (dg_archive_add_chunk (writer, &chunk, NULL), ==, 0);
  }
  dg_archive_abandon (writer);
  dg_table_fini (&parts[0].bytes);
  dg_table_fini (&parts[1].bytes);
  dg_compressor_free (compressor);
  load (f);
}

/* The archive has the same bytes, whichever thread compresses.  */
static void
test_compressed (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  gsize n;
  char *bytes;

  write_parts (f, GPOINTER_TO_INT (data), false);
  bytes = g_steal_pointer (&f->bytes);
  n = f->n;
  write_parts (f, GPOINTER_TO_INT (data), true);
  g_assert_cmpmem (f->bytes, f->n, bytes, n);
  g_free (bytes);
  archive = open_archive (f);
  g_assert_cmpuint (archive->chunks.n, ==, 2);
  dg_archive_free (archive);
}

/* What compresses beyond what readers take is stored in another way.  */
static void
test_ratio (struct fixture *f, gconstpointer data)
{
  struct dg_archive_writer *writer = create (f, 19);
  static char zeros[8 << 20];
  struct dg_archive_lines *lines;
  struct dg_archive *archive;

  g_assert_cmpint (
    dg_archive_add_lines (writer, 1, 0, zeros, sizeof zeros, NULL), ==, 0);
  dg_archive_abandon (writer);
  load (f);
  archive = open_archive (f);
  lines = archive->lines.items;
  g_assert_cmpuint (archive->lines.n, ==, 1);
  expect_part (f, &lines->part, DG_PART_LINES, 0, zeros, sizeof zeros);
  dg_archive_free (archive);
}

/* ---- What cannot be written ---- */

static void
test_no_file (struct fixture *f, gconstpointer data)
{
  struct dg_archive_writer *writer;
  struct dg_error err;

  g_assert_cmpint (dg_archive_create (f->folder, &head, 1, &writer, &err), ==,
                   DG_ERR_IO);
  g_assert_null (writer);
  g_assert_true (g_file_test (f->folder, G_FILE_TEST_IS_DIR));
  g_assert_cmpint (dg_archive_create ("/dev/null", &head, 1, &writer, &err),
                   ==, DG_ERR_IO);
  g_assert_cmpstr (err.message, ==, "not a regular file");
  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  g_assert_cmpint (dg_archive_create (f->path, &head, 1, &writer, &err), ==,
                   DG_ERR_IO);
}

/* What is there is replaced: who has it open keeps it.  A link stays one.
   A file that is being written is left alone.  */
static void
test_replace (struct fixture *f, gconstpointer data)
{
  char *link = g_build_filename (f->folder, "link", NULL);
  struct dg_archive_writer *writer, *second;
  struct dg_error err;
  char byte;
  int fd;

  g_assert_true (g_file_set_contents (f->path, "old", 3, NULL));
  fd = g_open (f->path, O_RDONLY, 0);
  writer = create (f, 1);
  g_assert_cmpint (read (fd, &byte, 1), ==, 1);
  g_assert_cmpint (byte, ==, 'o');
  close (fd);
  g_assert_cmpint (dg_archive_create (f->path, &head, 1, &second, &err), ==,
                   DG_ERR_IO);
  g_assert_cmpstr (err.message, ==, "another process is writing it");
  g_assert_cmpint (add_chunk (writer, 0, 0, NULL), ==, 0);
  dg_archive_abandon (writer);
  load (f);
  g_assert_cmpuint (f->n, >, DG_ARCHIVE_HEAD_BYTES);
  g_assert_cmpint (symlink ("a.dgz", link), ==, 0);
  g_assert_cmpint (dg_archive_create (link, &head, 1, &writer, &err), ==, 0);
  dg_archive_abandon (writer);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  load (f);
  g_assert_cmpuint (f->n, ==, DG_ARCHIVE_HEAD_BYTES);
  g_unlink (f->path);
  g_assert_cmpint (dg_archive_create (link, &head, 1, &writer, &err), ==, 0);
  dg_archive_abandon (writer);
  g_assert_true (g_file_test (f->path, G_FILE_TEST_IS_REGULAR));
  g_unlink (link);
  g_free (link);
}

/* The file may not grow: it is cut back to its last whole chunk, says why,
   and takes nothing more.  */
static void
test_full (struct fixture *f, gconstpointer data)
{
  struct rlimit old, small;
  struct dg_archive_writer *writer;
  struct dg_archive *archive;
  struct dg_error err = {0};
  uint64_t good;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  writer = create (f, 1);
  g_assert_cmpint (add_chunk (writer, 0, 0, NULL), ==, 0);
  g_assert_cmpint (add_chunk (writer, 1, 50, NULL), ==, 0);
  good = dg_archive_size (writer);
  small = old;
  small.rlim_cur = good + 300;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  g_assert_cmpint (add_chunk (writer, 2, 100000, &err), ==, DG_ERR_IO);
  g_assert_cmpstr (err.message, ==,
                   "the file size limit (ulimit -f) is reached");
  g_assert_cmpuint (dg_archive_size (writer), ==, good);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_cmpint (add_chunk (writer, 2, 100, &err), ==, DG_ERR_IO);
  g_assert_cmpint (dg_archive_finish (writer, NULL, NULL, NULL, 0, &err), ==,
                   DG_ERR_IO);
  load (f);
  g_assert_cmpuint (f->n, ==, good);
  archive = open_archive (f);
  expect_chunks (f, archive, 2);
  dg_archive_free (archive);
}

static void
test_limit (struct fixture *f, gconstpointer data)
{
  struct dg_archive_writer *writer = create (f, 1);
  const struct dg_chunk_start end = start_of (2);
  const struct dg_summary summary = {0};
  struct dg_archive *archive;
  struct dg_error err;
  uint64_t size;

  g_assert_cmpint (add_chunk (writer, 0, 0, NULL), ==, 0);
  size = dg_archive_size (writer);
  dg_archive_limit (writer, size + 1000);
  g_assert_cmpint (add_chunk (writer, 1, 100000, &err), ==, 1);
  g_assert_cmpuint (dg_archive_size (writer), ==, size);
  g_assert_cmpint (add_chunk (writer, 1, 50, &err), ==, 0);
  g_assert_cmpint (dg_archive_finish (writer, &summary, &end, NULL, 0, &err),
                   ==, 0);
  load (f);
  archive = open_archive (f);
  g_assert_true (archive->has_footer);
  expect_chunks (f, archive, 2);
  dg_archive_free (archive);
}

struct follower {
  const char *path;
  gint is_done; /* atomic */
};

/* Takes and leaves the lock that says whether anybody writes, as who
   follows the file does.  */
static gpointer
follow (gpointer data)
{
  struct follower *follower = data;

  while (!g_atomic_int_get (&follower->is_done)) {
    int fd = open (follower->path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
      continue;
    for (unsigned i = 0; i < 100; i++) {
      flock (fd, LOCK_SH | LOCK_NB);
      flock (fd, LOCK_UN);
    }
    close (fd);
  }
  return NULL;
}

static void
test_followed (struct fixture *f, gconstpointer data)
{
  struct follower follower = {f->path, 0};
  GThread *thread = g_thread_new ("follow", follow, &follower);

  for (unsigned i = 0; i < 300; i++)
    dg_archive_abandon (create (f, 1));
  g_atomic_int_set (&follower.is_done, 1);
  g_thread_join (thread);
}

static void
test_sidecar (struct fixture *f, gconstpointer data)
{
  const struct dg_archive_head of = {.word_size = 8,
                                     .origin = DG_ORIGIN_SIDECAR,
                                     .log_size = 123456789012,
                                     .log_mtime_ns = -5};
  for (unsigned whole = 0; whole < 2; whole++) {
    struct dg_archive_writer *writer;
    struct dg_archive_lines *lines;
    struct dg_archive *archive;

    g_assert_cmpint (dg_archive_create (f->path, &of, 1, &writer, NULL), ==,
                     0);
    for (unsigned i = 0; i < 2; i++)
      g_assert_cmpint (dg_archive_add_lines (writer, 0, i, "01" + i, 1, NULL),
                       ==, 0);
    g_assert_cmpint (dg_archive_add_lines (writer, 1, 0, "2", 1, NULL), ==, 0);
    if (whole)
      g_assert_cmpint (dg_archive_finish (writer, NULL, NULL, NULL, 0, NULL),
                       ==, 0);
    else
      dg_archive_abandon (writer);
    load (f);
    archive = open_archive (f);
    g_assert_true (archive->has_footer == whole);
    g_assert_cmpuint (archive->head.log_size, ==, of.log_size);
    g_assert_cmpint (archive->head.log_mtime_ns, ==, -5);
    g_assert_cmpuint (archive->lines.n, ==, 3);
    lines = archive->lines.items;
    g_assert_cmpuint (lines[1].level, ==, 0);
    g_assert_cmpuint (lines[1].first, ==, 1);
    expect_part (f, &lines[1].part, DG_PART_LINES, 0, "1", 1);
    expect_part (f, &lines[2].part, DG_PART_LINES, 0, "2", 1);
    dg_archive_free (archive);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("whole", GINT_TO_POINTER (3), test_whole);
  ADD ("stored", GINT_TO_POINTER (DG_ARCHIVE_STORED), test_whole);
  ADD ("default", GINT_TO_POINTER (0), test_whole);
  ADD ("replace", NULL, test_replace);
  ADD ("footless", NULL, test_no_footer);
  ADD ("growing", NULL, test_growing);
  ADD ("ratio", NULL, test_ratio);
  ADD ("compressed", GINT_TO_POINTER (1), test_compressed);
  ADD ("uncompressed", GINT_TO_POINTER (DG_ARCHIVE_STORED), test_compressed);
  ADD ("no-file", NULL, test_no_file);
  ADD ("full", NULL, test_full);
  ADD ("limit", NULL, test_limit);
  ADD ("followed", NULL, test_followed);
  ADD ("sidecar", NULL, test_sidecar);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

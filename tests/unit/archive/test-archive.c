/* test-archive.c: parts of an archive, written, found and read again; what
   becomes of files that cannot be written, and of bytes that lie.

   What stands in runs does not matter here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include "archive/archive.h"
#include "archive/archive_summary.h"
#include "archive/archive_write.h"

#define N_CHUNKS 3

struct fixture {
  char *folder, *path;
  char *bytes;             /* of the file */
  gsize n;
  struct dg_source source;
};

static void
set_up (struct fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("archive-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "a.dgz", NULL);
}

static void
tear_down (struct fixture *f, gconstpointer data)
{
  g_unlink (f->path);
  g_rmdir (f->folder);
  g_free (f->bytes);
  g_free (f->path);
  g_free (f->folder);
}

static const struct dg_archive_head head = { .word_size = 4,
                                             .big_endian = true,
                                             .origin = DG_ORIGIN_LIVE };

static struct dg_archive_writer *
create (struct fixture *f, int level)
{
  struct dg_archive_writer *writer;
  struct dg_error err;

  if (dg_archive_create (f->path, &head, level, &writer, &err) < 0)
    g_error ("%s", err.message);
  return writer;
}

static struct dg_chunk_start
start_of (unsigned i)
{
  return (struct dg_chunk_start) {
    .icount = 100 * i, .instructions = 100 * i, .reads = 4 * i,
    .writes = 2 * i, .entries = 7 * i, .runs = 10 * i, .bbdefs = i,
    .contexts = i, .thread = 1, .recording = 1
  };
}

static const struct dg_pack_totals totals = {
  .runs = 10, .instructions = 100, .entries = 7, .reads = 4, .writes = 2,
  .min_address = 16, .max_address = 4096
};

static int
add_chunk (struct dg_archive_writer *writer, unsigned i, size_t runs_size,
           struct dg_error *err)
{
  char *zeros = g_malloc0 (10000), *runs = g_malloc (runs_size + 1);
  const struct dg_archive_chunk chunk = {
    .start = start_of (i), .totals = totals,
    .definitions = "definitions", .definitions_size = i == 0 ? 11 : 0,
    .records = zeros, .records_size = 10000,
    .lines = "lines", .lines_size = i == 1 ? 5 : 0,
    .runs = runs, .runs_size = runs_size
  };
  int code;

  memset (runs, 'a' + i, runs_size);
  code = dg_archive_add_chunk (writer, &chunk, err);
  g_free (zeros);
  g_free (runs);
  return code;
}

static void
load (struct fixture *f)
{
  g_free (f->bytes);
  g_assert_true (g_file_get_contents (f->path, &f->bytes, &f->n, NULL));
  f->source = (struct dg_source) { -1, (const uint8_t *) f->bytes, f->n };
}

static struct dg_archive *
open_archive (struct fixture *f)
{
  struct dg_archive *archive;
  struct dg_error err;

  if (dg_archive_open (&f->source, &archive, &err) < 0)
    g_error ("%s", err.message);
  return archive;
}

/* A whole archive of all there is.  */
static void
write_whole (struct fixture *f, int level)
{
  struct dg_archive_writer *writer = create (f, level);
  const struct dg_chunk_start end = start_of (N_CHUNKS);
  const struct dg_summary summary = {
    .complete = DG_COMPLETE_YES, .end_why = -1, .exit_code = 255,
    .runs = 30, .max_address = UINT64_MAX, .threads = 1
  };

  for (unsigned i = 0; i < N_CHUNKS; i++)
    g_assert_cmpint (add_chunk (writer, i, 50 * i, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_tail (writer, "tail", 4, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_tail (writer, "more", 4, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_lines (writer, 1, 0, "coarse", 6, NULL), ==,
                   0);
  g_assert_cmpint (dg_archive_finish (writer, &summary, &end, "process", 7,
                                      NULL), ==, 0);
  load (f);
}

static void
expect_part (struct fixture *f, const struct dg_part *part,
             enum dg_part_type type, size_t skip, const void *bytes, size_t n)
{
  struct dg_table buffer = { 0 };
  struct dg_error err;

  if (dg_archive_read (&f->source, part, type, &buffer, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpint (dg_archive_check (&f->source, part, type, &buffer, &err),
                   ==, 0);
  dg_archive_read (&f->source, part, type, &buffer, &err);
  g_assert_cmpmem ((char *) buffer.items + skip, buffer.n - skip, bytes, n);
  dg_table_fini (&buffer);
}

static void
expect_chunks (struct fixture *f, const struct dg_archive *archive, size_t n)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;
  static const char zeros[10000];
  char runs[200];

  g_assert_cmpuint (archive->chunks.n, ==, n);
  for (unsigned i = 0; i < n; i++, chunk++) {
    const struct dg_chunk_start start = start_of (i);

    g_assert_cmpmem (&chunk->start, sizeof start, &start, sizeof start);
    g_assert_cmpmem (&chunk->totals, sizeof totals, &totals, sizeof totals);
    g_assert_true ((chunk->definitions.size > 0) == (i == 0));
    g_assert_true ((chunk->lines.size > 0) == (i == 1));
    if (i == 0)
      expect_part (f, &chunk->definitions, DG_PART_DEFINITIONS, 0,
                   "definitions", 11);
    if (i == 1)
      expect_part (f, &chunk->lines, DG_PART_LINES, 0, "lines", 5);
    expect_part (f, &chunk->records, DG_PART_RECORDS, 0, zeros, 10000);
    memset (runs, 'a' + i, sizeof runs);
    expect_part (f, &chunk->runs, DG_PART_RUNS, DG_RUNS_HEAD, runs, 50 * i);
  }
}

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

/* What compresses beyond what readers take is stored in another way.  */
static void
test_ratio (struct fixture *f, gconstpointer data)
{
  struct dg_archive_writer *writer = create (f, 19);
  static char zeros[8 << 20];
  struct dg_archive_lines *lines;
  struct dg_archive *archive;

  g_assert_cmpint (dg_archive_add_lines (writer, 1, 0, zeros, sizeof zeros,
                                         NULL), ==, 0);
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
  struct dg_error err = { 0 };
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
  const struct dg_summary summary = { 0 };
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
  gint is_done;            /* atomic */
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
  struct follower follower = { f->path, 0 };
  GThread *thread = g_thread_new ("follow", follow, &follower);

  for (unsigned i = 0; i < 300; i++)
    dg_archive_abandon (create (f, 1));
  g_atomic_int_set (&follower.is_done, 1);
  g_thread_join (thread);
}

static void
test_sidecar (struct fixture *f, gconstpointer data)
{
  const struct dg_archive_head of = { .word_size = 8,
                                      .origin = DG_ORIGIN_SIDECAR,
                                      .log_size = 123456789012,
                                      .log_mtime_ns = -5 };
  for (unsigned whole = 0; whole < 2; whole++) {
    struct dg_archive_writer *writer;
    struct dg_archive_lines *lines;
    struct dg_archive *archive;

    g_assert_cmpint (dg_archive_create (f->path, &of, 1, &writer, NULL), ==,
                     0);
    for (unsigned i = 0; i < 2; i++)
      g_assert_cmpint (dg_archive_add_lines (writer, 0, i, "01" + i, 1, NULL),
                       ==, 0);
    g_assert_cmpint (dg_archive_add_lines (writer, 1, 0, "2", 1, NULL), ==,
                     0);
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

/* ---- Bytes that lie ---- */

static void
put_quad (char *at, uint64_t value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, 8);
}

static void
seal_part (char *part)
{
  put_quad (part + 40, dg_archive_checksum (part, 40));
}

/* Sizes that no file has, in a head with the right checksum.  */
static void
test_sizes (struct fixture *f, gconstpointer data)
{
  static const uint64_t sizes[] = { 0, 1, 135, INT64_MAX, UINT64_MAX,
                                    UINT64_MAX - 47, 1 << 20 };
  const struct dg_chunk_entry *chunk;
  struct dg_archive *archive;
  struct dg_part parts[2];
  struct dg_table buffer = { 0 };
  char *part;

  write_whole (f, 3);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  parts[0] = chunk[0].records;
  parts[1] = chunk[0].runs;
  dg_archive_free (archive);
  f->source.size -= DG_ARCHIVE_FOOTER_BYTES;
  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (unsigned j = 0; j < 4; j++) {
      const struct dg_part *of = &parts[j / 2];
      struct dg_part asked = *of;
      char saved[DG_PART_HEAD_BYTES];

      part = f->bytes + of->offset;
      memcpy (saved, part, sizeof saved);
      put_quad (part + (j % 2 ? 24 : 16), sizes[i]);
      seal_part (part);
      archive = open_archive (f);
      chunk = archive->chunks.items;
      if (archive->chunks.n > 0)
        g_assert_cmpint (
          j < 2 ? dg_archive_read (&f->source, &chunk->records,
                                   DG_PART_RECORDS, &buffer, NULL)
                : dg_archive_read (&f->source, &chunk->runs, DG_PART_RUNS,
                                   &buffer, NULL), ==, DG_ERR_DAMAGED);
      else
        g_assert_cmpuint (archive->good_bytes, <=,
                          of->offset + DG_PART_HEAD_BYTES + 135);
      g_assert_cmpint (archive->error.code, <, 0);
      dg_archive_free (archive);
      if (j % 2)
        asked.raw_size = sizes[i];
      else
        asked.size = sizes[i];
      g_assert_cmpint (dg_archive_read (&f->source, &asked,
                                        j < 2 ? DG_PART_RECORDS
                                              : DG_PART_RUNS,
                                        &buffer, NULL), <, 0);
      memcpy (part, saved, sizeof saved);
    }
  g_assert_cmpuint (buffer.room, <, 1 << 20);
  dg_table_fini (&buffer);
}

/* Two chunks that name the same bytes, or RUNS too short for its fields: a
   small file must not hold any number of large chunks.  */
static void
test_summaries (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive, again;
  struct dg_chunk_entry *chunk;
  struct dg_table bytes = { 0 };

  write_whole (f, 3);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  for (unsigned i = 0; i < 4; i++) {
    const struct dg_chunk_entry saved = chunk[1];

    if (i == 1)
      chunk[1].runs = chunk[0].runs;
    if (i == 2)
      chunk[1].records = chunk[0].records;
    if (i == 3)
      chunk[1].runs.size = chunk[1].runs.raw_size = 40;
    memset (&again, 0, sizeof again);
    bytes.n = 0;
    g_assert_cmpint (dg_archive_summary_put (archive, &bytes, NULL), ==, 0);
    g_assert_cmpint (dg_archive_summary_get (&again, bytes.items, bytes.n,
                                             f->source.size, NULL), ==,
                     i == 0 ? 0 : DG_ERR_DAMAGED);
    dg_table_fini (&again.chunks);
    dg_table_fini (&again.tail);
    dg_table_fini (&again.lines);
    dg_table_fini (&again.process);
    chunk[1] = saved;
  }
  dg_table_fini (&bytes);
  dg_archive_free (archive);
}

static void
test_heads (struct fixture *f, gconstpointer data)
{
  static const struct {
    unsigned at;
    uint8_t value;
    int code;
  } bad[] = {
    { 0, 'X', DG_ERR_NOT_A_LOG }, { 8, 2, DG_ERR_VERSION },
    { 9, 5, DG_ERR_VERSION }, { 10, 2, DG_ERR_VERSION },
    { 11, 3, DG_ERR_VERSION }
  };
  struct dg_archive *archive;
  struct dg_error err;

  write_whole (f, 3);
  for (unsigned i = 0; i < G_N_ELEMENTS (bad); i++) {
    char saved[DG_ARCHIVE_HEAD_BYTES];

    memcpy (saved, f->bytes, sizeof saved);
    f->bytes[bad[i].at] = bad[i].value;
    put_quad (f->bytes + 32, dg_archive_checksum (f->bytes, 32));
    g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                     bad[i].code);
    g_assert_null (archive);
    memcpy (f->bytes, saved, sizeof saved);
  }
  f->bytes[20] ^= 1;
  g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                   DG_ERR_DAMAGED);
  for (f->source.size = 0; f->source.size < DG_ARCHIVE_HEAD_BYTES;
       f->source.size++)
    g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                     DG_ERR_NOT_A_LOG);
}

/* The writer knew fewer types of records than we do; or it was wrong.  */
static void
test_known_types (void)
{
  const struct dg_summary seen = { .unknown_records = 2, .pools = 3,
                                   .runs = 7 };
  const struct {
    uint64_t unknown, pools, runs;
    const char *differs;
  } cases[] = {
    { 2, 3, 7, NULL },                 /* knew as many */
    { 9, 3, 7, NULL },                 /* fewer, pools among the known */
    { 9, 0, 7, NULL },                 /* no pools, either */
    { 5, 0, 7, NULL },
    { 4, 0, 7, "pools" },              /* 2 records make no 3 pools */
    { 9, 4, 7, "pools" },
    { 2, 0, 7, "pools" },
    { 1, 3, 7, "unknown_records" },    /* one is not forgotten */
    { 9, 3, 6, "runs" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct dg_summary told = { .unknown_records = cases[i].unknown,
                                     .pools = cases[i].pools,
                                     .runs = cases[i].runs };

    g_assert_cmpstr (dg_archive_summary_differs (&told, &seen), ==,
                     cases[i].differs);
  }
}

#define ADD(name, data, function)                                           \
  g_test_add ("/archive/" name, struct fixture, data, set_up, function,     \
              tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("whole", GINT_TO_POINTER (3), test_whole);
  ADD ("stored", GINT_TO_POINTER (DG_ARCHIVE_STORED), test_whole);
  ADD ("default", GINT_TO_POINTER (0), test_whole);
  ADD ("replace", NULL, test_replace);
  ADD ("footless", NULL, test_no_footer);
  ADD ("growing", NULL, test_growing);
  ADD ("ratio", NULL, test_ratio);
  ADD ("no-file", NULL, test_no_file);
  ADD ("full", NULL, test_full);
  ADD ("limit", NULL, test_limit);
  ADD ("followed", NULL, test_followed);
  ADD ("sidecar", NULL, test_sidecar);
  ADD ("sizes", NULL, test_sizes);
  ADD ("summaries", NULL, test_summaries);
  ADD ("heads", NULL, test_heads);
  g_test_add_func ("/archive/known-types", test_known_types);
  return g_test_run ();
}

/* test-index.c: indexes against lists worked out from what random logs are
   known to hold; sidecars that do not fit, are damaged, or cannot be written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index/index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "asm.h"
#include "dg_record.h"
#include "index/index_sink.h"
#include "archive/lines.h"
#include "random_log.h"

/* ---- What is right ---- */

struct sample {
  struct random_log *random;
  struct dg_log *log;
  char *sidecar;
};

/* What stands behind the end record of a log is wrong, but all before it is
   there.  */
static struct dg_log *
open_log (const char *path)
{
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code = dg_log_open (path, &log, &err);

  if (code == 0)
    code = dg_log_load (log, 1, NULL, NULL, &err);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED)
    g_error ("%s", err.message);
  return log;
}

static struct sample *
sample_new (unsigned word_size, bool big_endian, unsigned n_runs)
{
  struct sample *sample = g_new0 (struct sample, 1);

  sample->random = random_log_new (word_size, big_endian, n_runs);
  sample->log = open_log (sample->random->path);
  sample->sidecar = dg_index_sidecar (sample->log);
  return sample;
}

static void
sample_free (struct sample *sample)
{
  unlink (sample->sidecar);
  free (sample->sidecar);
  dg_log_close (sample->log);
  random_log_free (sample->random);
  g_free (sample);
}

static int
compare_counts (const void *a, const void *b)
{
  const struct dg_line_count *x = a, *y = b;

  return (x->line > y->line) - (x->line < y->line);
}

/* The list of the accesses from one instruction count to another.  */
static GArray *
right_list (const struct random_log *log, uint64_t start, uint64_t end)
{
  GHashTable *lines = g_hash_table_new (NULL, NULL);
  GArray *list = g_array_new (FALSE, TRUE, sizeof (struct dg_line_count));

  for (guint i = 0; i < log->accesses->len; i++) {
    const struct random_access *access
      = &g_array_index (log->accesses, struct random_access, i);
    uint64_t last = (access->address + access->size - 1) / DG_LINE_BYTES;

    if (access->icount < start || access->icount >= end)
      continue;
    for (uint64_t line = access->address / DG_LINE_BYTES; line <= last;
         line++) {
      gpointer key = GSIZE_TO_POINTER (line + 1);
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (lines, key));

      if (at == 0) {
        g_array_set_size (list, list->len + 1);
        at = list->len;
        g_array_index (list, struct dg_line_count, at - 1).line = line;
        g_hash_table_insert (lines, key, GUINT_TO_POINTER (at));
      }
      if (access->kind == DG_ACC_READ)
        g_array_index (list, struct dg_line_count, at - 1).reads++;
      else
        g_array_index (list, struct dg_line_count, at - 1).writes++;
    }
  }
  g_array_sort (list, compare_counts);
  g_hash_table_unref (lines);
  return list;
}

static bool
is_right (const struct dg_line_list *list, const GArray *right)
{
  if (list->n != right->len)
    return false;
  for (guint i = 0; i < right->len; i++) {
    const struct dg_line_count *a = &list->counts[i];
    const struct dg_line_count *b
      = &g_array_index (right, struct dg_line_count, i);

    if (a->line != b->line || a->reads != b->reads || a->writes != b->writes)
      return false;
  }
  return true;
}

/* All lists of all levels, and what they are about.  Damage may be found, but
   nothing wrong may come out.  Returns the number of bad lists.  */
static unsigned
check_lists (const struct sample *sample, struct dg_index *index,
             bool may_fail)
{
  size_t n, below = 0;
  const struct dg_chunk *chunks = dg_log_chunks (sample->log, &n);
  unsigned bad = 0;

  g_assert_cmpuint (dg_index_lists (index, 0), ==, n);
  for (unsigned k = 0; k < dg_index_levels (index); k++) {
    size_t lists = dg_index_lists (index, k), chunk = 0;

    if (k > 0)
      g_assert_cmpuint (lists, ==, (below + 7) / 8);
    for (size_t i = 0; i < lists; i++) {
      struct dg_index_span span = dg_index_span (index, k, i);
      const struct dg_line_list *list = dg_index_borrow (index, k, i, NULL);
      GArray *right = right_list (sample->random, span.start_icount,
                                  span.end_icount);

      g_assert_cmpuint (span.first_chunk, ==, chunk);
      g_assert_cmpuint (span.start_icount, ==, chunks[chunk].icount);
      chunk = span.end_chunk;
      if (list)
        g_assert_true (is_right (list, right));
      else
        bad++;
      dg_index_return (index, list);
      g_array_unref (right);
    }
    g_assert_cmpuint (chunk, ==, n);
    below = lists;
  }
  g_assert_cmpuint (below, ==, n > 0);
  if (!may_fail)
    g_assert_cmpuint (bad, ==, 0);
  return bad;
}

static struct dg_index *
build (const struct sample *sample, const char *path, unsigned workers)
{
  struct dg_error err = { 0 };
  struct dg_index *index;

  if (dg_index_build (sample->log, path, workers, NULL, NULL, &index, &err)
      < 0)
    g_error ("%s", err.message);
  return index;
}

/* ---- Tests ---- */

static void
check_kind (unsigned word_size, bool big_endian, unsigned n_runs)
{
  struct sample *sample = sample_new (word_size, big_endian, n_runs);
  struct dg_error err = { 0 };
  struct dg_index *index = build (sample, NULL, 3);

  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_null (dg_index_note (index));
  check_lists (sample, index, false);
  dg_index_close (index);

  g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, DG_ERR_IO);
  g_assert_null (index);
  g_assert_nonnull (strstr (err.message, "no index"));

  index = build (sample, sample->sidecar, 2);
  g_assert_cmpstr (dg_index_note (index), ==, NULL);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  check_lists (sample, index, false);
  dg_index_close (index);
  if (dg_index_open (sample->log, &index, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  g_assert_cmpint (dg_index_bytes (index) > 0, ==,
                   sample->random->accesses->len > 0);
  check_lists (sample, index, false);
  dg_index_close (index);
  sample_free (sample);
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
  struct sample *sample = sample_new (8, false, 0);
  struct dg_index *index = build (sample, sample->sidecar, 4);
  uint64_t *pages;
  size_t n;

  g_assert_cmpuint (dg_index_levels (index), <=, 1);
  g_assert_cmpint (dg_index_pages (index, 12, &pages, &n, NULL), ==, 0);
  g_assert_cmpuint (n, ==, 0);
  free (pages);
  dg_index_close (index);
  sample_free (sample);
}

/* Accesses of no bytes touch no line, but that is known of them: a chunk of
   nothing else does not make the index unusable.  */
static void
test_no_bytes (void)
{
  struct sample *sample = sample_new (8, false, 0);
  struct dg_index *index;
  char *message;
  struct dg_asm as;

  dg_asm_init (&as);
  g_assert_true (dg_asm_text (&as, "bbdef [0x400000+4] [R0@0]\n"
                                   "context 0 [0x400000]\n"
                                   "bbrun 0 1 [0x1800]\n"
                                   "end\n", &message));
  g_assert_true (g_file_set_contents (sample->random->path,
                                      (char *) as.bytes->data, as.bytes->len,
                                      NULL));
  dg_asm_fini (&as);
  dg_log_close (sample->log);
  sample->log = open_log (sample->random->path);
  g_assert_cmpuint (dg_log_summary (sample->log)->accesses, ==, 1);
  dg_index_close (build (sample, sample->sidecar, 1));
  g_assert_cmpint (dg_index_open (sample->log, &index, NULL), ==, 0);
  check_lists (sample, index, false);
  dg_index_close (index);
  sample_free (sample);
}

/* The file is the same, no matter who made it.  */
static void
test_workers (void)
{
  struct sample *sample = sample_new (8, false, 3000);
  char *bytes[2];
  size_t sizes[2];

  for (int i = 0; i < 2; i++) {
    dg_index_close (build (sample, sample->sidecar, i == 0 ? 1 : 8));
    g_assert_true (g_file_get_contents (sample->sidecar, &bytes[i], &sizes[i],
                                        NULL));
  }
  g_assert_cmpmem (bytes[0], sizes[0], bytes[1], sizes[1]);
  g_free (bytes[0]);
  g_free (bytes[1]);
  sample_free (sample);
}

static void
test_pages (void)
{
  struct sample *sample = sample_new (4, true, 2000);
  struct dg_index *index = build (sample, NULL, 2);
  struct dg_error err = { 0 };

  for (unsigned shift = 6; shift < 20; shift += 3) {
    GArray *right = right_list (sample->random, 0, UINT64_MAX);
    uint64_t *pages;
    size_t n, at = 0;

    g_assert_cmpint (dg_index_pages (index, shift, &pages, &n, NULL), ==, 0);
    for (guint i = 0; i < right->len; i++) {
      uint64_t page = g_array_index (right, struct dg_line_count, i).line
                      >> (shift - 6);

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
  sample_free (sample);
}

/* What a sidecar says of its log is what the log says.  */
static void
test_summary (void)
{
  for (int kind = 0; kind < 4; kind++) {
    struct sample *sample = sample_new (kind & 1 ? 4 : 8, kind & 2, 700);
    struct dg_error err = { 0 };
    struct dg_index *index;
    struct dg_log *log;
    size_t n, m;

    g_assert_cmpint (dg_log_open (sample->random->path, &log, NULL), ==, 0);
    g_assert_cmpint (dg_index_load_summary (log, &err), ==, DG_ERR_IO);
    dg_index_close (build (sample, sample->sidecar, 1));
    if (dg_index_load_summary (log, &err) < 0)
      g_error ("%s", err.message);
    g_assert_cmpstr (dg_archive_summary_differs (
                       dg_log_summary (log), dg_log_summary (sample->log)),
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
    check_lists (sample, index, false);
    dg_index_close (index);
    g_assert_null (dg_reader_new (log, 1, 2, &err));

    /* And then the log itself.  */
    g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
    g_assert_cmpint (dg_index_load_summary (log, &err), ==, DG_ERR_INVALID);
    g_assert_cmpstr (dg_archive_summary_differs (
                       dg_log_summary (log), dg_log_summary (sample->log)),
                     ==, NULL);
    dg_log_close (log);
    sample_free (sample);
  }
}

/* The lists that a packed log brings, and those made for one that has none,
   are the same.  */
static void
test_archive (void)
{
  for (int kind = 0; kind < 8; kind++) {
    struct sample *sample = sample_new (kind & 1 ? 4 : 8, kind & 2, 2000);
    struct dg_pack_options options = {
      .size = sizeof options, .workers = 2, .no_index = kind & 4};
    char *path = g_strconcat (sample->random->path, ".dgz", NULL);
    struct dg_error err = { 0 };
    struct dg_index *index;

    sample->log->piece_accesses = 150;
    if (dg_log_pack (sample->log, path, &options, NULL, NULL, &err) < 0)
      g_error ("%s", err.message);
    dg_log_close (sample->log);
    free (sample->sidecar);
    sample->log = open_log (path);
    sample->sidecar = dg_index_sidecar (sample->log);
    if (options.no_index) {
      g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==,
                       DG_ERR_IO);
      g_assert_cmpstr (err.message, ==, "the archive has no index");
      index = build (sample, sample->sidecar, 2);
      g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
    } else {
      if (dg_index_open (sample->log, &index, &err) < 0)
        g_error ("%s", err.message);
      g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_ARCHIVE);
    }
    g_assert_cmpuint (dg_index_levels (index), >, 2);
    check_lists (sample, index, false);
    dg_index_close (index);

    /* By the summary alone.  */
    dg_log_close (sample->log);
    g_assert_cmpint (dg_log_open (path, &sample->log, NULL), ==, 0);
    g_assert_cmpint (dg_log_load_summary (sample->log, 1, NULL, NULL, &err),
                     ==, 0);
    g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, 0);
    check_lists (sample, index, false);
    dg_index_close (index);

    /* Cut short: of the chunks that are left, coarser lists are merged.  */
    dg_log_close (sample->log);
    struct stat status;
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (truncate (path, status.st_size / 2), ==, 0);
    sample->log = open_log (path);
    if (dg_index_open (sample->log, &index, &err) == 0) {
      g_assert_false (options.no_index);
      check_lists (sample, index, false);
      dg_index_close (index);
    } else {
      g_assert_true (options.no_index);
    }
    unlink (path);
    g_free (path);
    sample_free (sample);
  }
}

/* ---- Sidecars that are of no use ---- */

static void
expect_refusal (const struct sample *sample, int code, const char *why)
{
  struct dg_error err = { 0 };
  struct dg_index *index;

  g_assert_cmpint (dg_index_open (sample->log, &index, &err), ==, code);
  g_assert_null (index);
  if (!strstr (err.message, why))
    g_error ("'%s' lacks '%s'", err.message, why);
}

static void
set_times (const char *path, const struct stat *like)
{
  const struct timespec times[2] = { like->st_atim, like->st_mtim };

  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_stale (void)
{
  struct sample *sample = sample_new (8, false, 500);
  struct dg_index *index = build (sample, sample->sidecar, 2);
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
  sample->log = open_log (sample->random->path);
  expect_refusal (sample, DG_ERR_INVALID, "older than the log");
  index = build (sample, sample->sidecar, 2);
  check_lists (sample, index, false);
  dg_index_close (index);
  sample_free (sample);
}

/* A log that changes while it is read gets no sidecar.  */
static int
touch (void *user, uint64_t done, uint64_t total)
{
  const struct sample *sample = user;
  struct stat status;

  g_assert_cmpint (stat (sample->random->path, &status), ==, 0);
  status.st_mtim.tv_sec += 10;
  set_times (sample->random->path, &status);
  return 0;
}

static void
test_changing (void)
{
  struct sample *sample = sample_new (8, false, 500);
  struct dg_error err = { 0 };
  struct dg_index *index;

  g_assert_cmpint (dg_index_build (sample->log, sample->sidecar, 1, touch,
                                   sample, &index, &err), ==, 0);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_nonnull (strstr (dg_index_note (index), "has changed"));
  g_assert_false (g_file_test (sample->sidecar, G_FILE_TEST_EXISTS));
  check_lists (sample, index, false);
  dg_index_close (index);
  sample_free (sample);
}

/* As long as the log and as old, but of another.  */
static void
test_foreign (void)
{
  struct sample *one = sample_new (8, false, 400);
  struct sample *two = sample_new (8, true, 400);
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
  one->log = open_log (one->random->path);
  two->log = open_log (two->random->path);
  dg_index_close (build (one, one->sidecar, 1));
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
  sample_free (one);
  sample_free (two);
}

/* Whatever byte is wrong, no list is.  */
static void
test_flips (void)
{
  struct sample *sample = sample_new (8, false, 700);
  unsigned refused = 0, bad = 0;
  struct dg_index *index;
  char *bytes;
  size_t n;

  dg_index_close (build (sample, sample->sidecar, 1));
  g_assert_true (g_file_get_contents (sample->sidecar, &bytes, &n, NULL));
  for (unsigned i = 0; i < 600; i++) {
    size_t at = i < 100 ? i % n
                        : (size_t) g_test_rand_int_range (0, (gint32) n);
    char was = bytes[at];
    int fd;

    bytes[at] ^= (char) (1 << g_test_rand_int_range (0, 8));
    fd = open (sample->sidecar, O_WRONLY);
    g_assert_cmpint (pwrite (fd, &bytes[at], 1, (off_t) at), ==, 1);
    if (dg_index_open (sample->log, &index, NULL) < 0)
      refused++;
    else
      bad += check_lists (sample, index, true);
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

    g_assert_true (g_file_set_contents (sample->sidecar, bytes,
                                        (gssize) length, NULL));
    g_assert_cmpint (dg_index_open (sample->log, &index, NULL), <, 0);
    g_assert_null (index);
  }
  g_free (bytes);
  sample_free (sample);
}

/* ---- Where it goes ---- */

static void
test_nowhere (void)
{
  struct sample *sample = sample_new (8, false, 700);
  struct dg_index *index = build (sample, "/nonexistent/log.dgx", 2);

  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_MEMORY);
  g_assert_nonnull (strstr (dg_index_note (index), "/nonexistent/log.dgx"));
  check_lists (sample, index, false);
  dg_index_close (index);
  sample_free (sample);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancel (void)
{
  struct sample *sample = sample_new (8, false, 700);
  struct dg_error err = { 0 };
  char *folder = g_path_get_dirname (sample->sidecar);
  char *base = g_path_get_basename (sample->sidecar);
  struct dg_index *index;
  const char *name;
  GDir *dir;

  g_assert_cmpint (dg_index_build (sample->log, sample->sidecar, 2, cancel,
                                   NULL, &index, &err), ==,
                   DG_ERR_CANCELLED);
  g_assert_cmpint (err.code, ==, DG_ERR_CANCELLED);
  g_assert_null (index);
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_prefix (name, base));
  g_dir_close (dir);
  g_free (folder);
  g_free (base);
  sample_free (sample);
}

/* Gives the chunks of one index to another's sink.  */
static int
pour (const struct sample *sample, struct dg_index *from, const char *path,
      uint64_t memory_bytes, struct dg_index **index, struct dg_error *err)
{
  struct dg_index_sink sink;
  int code = dg_index_sink_init (&sink, sample->log, path, err);

  *index = NULL;
  sink.memory_bytes = memory_bytes;
  for (size_t i = 0; code == 0 && i < dg_index_lists (from, 0); i++) {
    const struct dg_line_list *list = dg_index_borrow (from, 0, i, NULL);
    struct dg_table bytes = { 0 };

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
  struct sample *sample = sample_new (8, false, 2000);
  struct dg_index *all = build (sample, NULL, 1), *index;
  struct dg_error err = { 0 };

  g_assert_cmpint (pour (sample, all, NULL, 2000, &index, &err), ==,
                   DG_ERR_LIMIT);
  g_assert_null (index);
  g_assert_cmpint (pour (sample, all, NULL, 1 << 20, &index, &err), ==, 0);
  check_lists (sample, index, false);
  dg_index_close (index);
  g_assert_cmpint (pour (sample, all, sample->sidecar, 2000, &index, &err),
                   ==, 0);
  g_assert_cmpint (dg_index_origin (index), ==, DG_INDEX_SIDECAR);
  check_lists (sample, index, false);
  dg_index_close (index);
  dg_index_close (all);
  sample_free (sample);
}

/* A disk that is full, halfway.  */
static void
test_full (void)
{
  struct sample *sample = sample_new (8, false, 2000);
  struct dg_index *all = build (sample, NULL, 1), *index;
  struct dg_error err = { 0 };
  struct dg_index_sink sink;

  g_assert_cmpint (dg_index_sink_init (&sink, sample->log, sample->sidecar,
                                       &err), ==, 0);
  for (size_t i = 0; i < dg_index_lists (all, 0); i++) {
    const struct dg_line_list *list = dg_index_borrow (all, 0, i, NULL);
    struct dg_table bytes = { 0 };

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
  check_lists (sample, index, false);
  dg_index_close (index);
  dg_index_close (all);
  sample_free (sample);
}

/* ---- Many users, little room ---- */

struct reader {
  const struct sample *sample;
  struct dg_index *index;
};

static gpointer
read_all (gpointer user)
{
  const struct reader *reader = user;

  for (int i = 0; i < 3; i++)
    check_lists (reader->sample, reader->index, false);
  return NULL;
}

static void
test_threads (void)
{
  struct sample *sample = sample_new (8, false, 2000);
  struct dg_index *index = build (sample, sample->sidecar, 2);
  struct reader reader = { sample, index };
  GThread *threads[4];

  index->keep_bytes = 8000;
  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new (NULL, read_all, &reader);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (index->kept_bytes, <=, 8000);
  g_assert_cmpuint (index->kept.length, >, 0);
  dg_index_close (index);
  sample_free (sample);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/kinds", test_kinds);
  g_test_add_func ("/index/empty", test_empty);
  g_test_add_func ("/index/no-bytes", test_no_bytes);
  g_test_add_func ("/index/workers", test_workers);
  g_test_add_func ("/index/pages", test_pages);
  g_test_add_func ("/index/summary", test_summary);
  g_test_add_func ("/index/archive", test_archive);
  g_test_add_func ("/index/stale", test_stale);
  g_test_add_func ("/index/changing", test_changing);
  g_test_add_func ("/index/foreign", test_foreign);
  g_test_add_func ("/index/flips", test_flips);
  g_test_add_func ("/index/nowhere", test_nowhere);
  g_test_add_func ("/index/cancel", test_cancel);
  g_test_add_func ("/index/memory", test_memory);
  g_test_add_func ("/index/full", test_full);
  g_test_add_func ("/index/threads", test_threads);
  return g_test_run ();
}

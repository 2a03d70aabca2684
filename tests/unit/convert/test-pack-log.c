/* test-pack-log.c: a log that is packed and unpacked is what it was, byte for
   byte: those of tests/logs and tests/fuzz, and random ones; whatever the
   number of workers, the archive is the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe.h"
#include "core_test.h"
#include "random_text.h"
#include "long_test.h"
#include "unit_main.h"

/* Files of one test.  */
struct files {
  char *folder, *archive, *other, *raw;
};

static void
files_init (struct files *files)
{
  GError *error = NULL;

  files->folder = g_dir_make_tmp ("dg-pack-XXXXXX", &error);
  g_assert_no_error (error);
  files->archive = g_build_filename (files->folder, "log.dgz", NULL);
  files->other = g_build_filename (files->folder, "other.dgz", NULL);
  files->raw = g_build_filename (files->folder, "log.dg", NULL);
}

static void
files_fini (struct files *files)
{
  g_remove (files->archive);
  g_remove (files->other);
  g_remove (files->raw);
  /* Nothing else may be left there.  */
  g_assert_cmpint (g_rmdir (files->folder), ==, 0);
  g_free (files->folder);
  g_free (files->archive);
  g_free (files->other);
  g_free (files->raw);
}

static void
assert_file_is (const char *path, const void *bytes, size_t n)
{
  char *contents;
  gsize size;

  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  g_assert_cmpmem (contents, size, bytes, n);
  g_free (contents);
}

static void
assert_same_files (const char *a, const char *b)
{
  char *contents;
  gsize n;

  g_assert_true (g_file_get_contents (a, &contents, &n, NULL));
  assert_file_is (b, contents, n);
  g_free (contents);
}

static void
pack (const struct dg_log *log, const char *path, unsigned workers, int level)
{
  const struct dg_pack_options options = {
    .size = sizeof options, .level = level, .workers = workers};
  struct dg_error err = { 0 };

  if (dg_log_pack (log, path, &options, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
}

static struct dg_log *
load_file (const char *path)
{
  struct dg_error err = { 0 };
  struct dg_log *log;

  if (dg_log_open (path, &log, &err) < 0)
    g_error ("%s", err.message);
  dg_log_load (log, 1, NULL, NULL, &err);
  if (err.code < 0 && err.code != DG_ERR_TRUNCATED
      && err.code != DG_ERR_DAMAGED)
    g_error ("%s", err.message);
  return log;
}

/* All but the chunks, which an archive has of its own.  */
static char *
describe_log (const struct dg_log *log)
{
  char *text = describe_contents (log, false);
  char *chunks = strstr (text, "\nchunk ");

  if (chunks)
    chunks[1] = '\0';
  return text;
}

/* The lists of lines that packing made are those that are worked out from
   the accesses.  */
static void
check_lines (const struct dg_log *log)
{
  struct dg_index *own, *built;
  struct dg_error err = { 0 };

  if (dg_log_verify (log, 1, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
  if (dg_index_open (log, &own, &err) < 0
      || dg_index_build (log, NULL, 1, NULL, NULL, &built, &err) < 0)
    g_error ("%s", err.message);
  for (size_t i = 0; i < dg_index_lists (own, 0); i++) {
    const struct dg_line_list *a = dg_index_borrow (own, 0, i, NULL);
    const struct dg_line_list *b = dg_index_borrow (built, 0, i, NULL);

    g_assert_cmpuint (a->n, ==, b->n);
    for (size_t k = 0; k < a->n; k++) {
      g_assert_cmpuint (a->counts[k].line, ==, b->counts[k].line);
      g_assert_cmpuint (a->counts[k].reads, ==, b->counts[k].reads);
      g_assert_cmpuint (a->counts[k].writes, ==, b->counts[k].writes);
    }
    dg_index_return (own, a);
    dg_index_return (built, b);
  }
  dg_index_close (own);
  dg_index_close (built);
}

/* Of two ways that do the same, one is taken for each log, the other one for
   the next; in a long test both.  There are four variants of a text.  */
static unsigned n_logs;

static bool
takes (unsigned way)
{
  return is_long_test () || (n_logs + n_logs / 4) % 2 == way;
}

/* What an archive holds is what the raw log holds, and becomes it.  */
static void
check_archive (const struct files *files, const char *path,
               const struct dg_log *raw, const GByteArray *bytes)
{
  struct dg_log *log = load_file (path);
  char *a = describe_log (raw);
  char *b = describe_log (log);
  struct dg_error err = { 0 };

  g_assert_cmpstr (a, ==, b);
  g_free (a);
  g_free (b);
  a = describe_accesses (raw);
  b = describe_accesses (log);
  g_assert_cmpstr (a, ==, b);
  g_free (a);
  g_free (b);
  for (unsigned i = 0; i < 2; i++) {
    unsigned workers = i ? 3 : 1;

    if (!takes (i))
      continue;
    if (dg_log_unpack (log, files->raw, workers, NULL, NULL, &err) < 0)
      g_error ("%s", err.message);
    assert_file_is (files->raw, bytes->data, bytes->len);
  }
  check_lines (log);
  dg_log_close (log);
}

/* Everything that is asked of one log.  False if it does not open.  */
static bool
round_trip (const GByteArray *bytes, uint64_t piece_accesses)
{
  struct files files;
  struct dg_error err = { 0 };
  struct dg_log *log, *again;

  if (dg_log_open_memory ("test", bytes->data, bytes->len, &log, &err) < 0)
    return false;
  /* Archives are read by others.  */
  if (dg_log_header (log)->is_archive) {
    dg_log_close (log);
    return false;
  }
  dg_log_load (log, 1, NULL, NULL, &err);
  log->piece_accesses = piece_accesses;
  files_init (&files);
  pack (log, files.archive, 1, 1);
  for (unsigned i = 0; i < 2; i++) {
    if (!takes (i))
      continue;
    pack (log, files.other, i ? 8 : 2, 1);
    assert_same_files (files.archive, files.other);
  }
  check_archive (&files, files.archive, log, bytes);
  again = load_file (files.archive);
  pack (again, files.other, 2, 5);
  check_archive (&files, files.other, log, bytes);
  dg_log_close (again);
  dg_log_close (log);
  files_fini (&files);
  n_logs++;
  return true;
}

/* ---- Logs that are there ---- */

static void
round_trip_text (const char *text)
{
  for (unsigned variant = 0; variant < 4; variant++) {
    GByteArray *bytes = core_test_assemble (text, variant & 1 ? 4 : 8,
                                            variant & 2);

    round_trip (bytes, 1);
    g_byte_array_unref (bytes);
  }
}

static void
round_trip_file (const char *path)
{
  char *contents;
  gsize n;

  if (g_str_has_suffix (path, ".xz") || g_str_has_suffix (path, ".expect"))
    return;
  g_assert_true (g_file_get_contents (path, &contents, &n, NULL));
  if (g_str_has_suffix (path, ".dgt")) {
    round_trip_text (contents);
    g_free (contents);
  } else {
    GByteArray *bytes = g_byte_array_new_take ((guint8 *) contents, n);

    round_trip (bytes, 1);
    g_byte_array_unref (bytes);
  }
}

static void
test_files (const char *root, const char *name_of_folder)
{
  char *folder = g_build_filename (root ? root : ".", name_of_folder, NULL);
  GDir *dir = g_dir_open (folder, 0, NULL);
  unsigned files = 0;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir))) {
    char *path = g_build_filename (folder, name, NULL);

    if (!g_file_test (path, G_FILE_TEST_IS_DIR)) {
      round_trip_file (path);
      files++;
    }
    g_free (path);
  }
  g_assert_cmpuint (files, >, 0);
  g_dir_close (dir);
  g_free (folder);
}

static void
test_folder (gconstpointer data)
{
  test_files (g_getenv ("abs_srcdir"), data);
}

/* Unpacked by make.  */
static void
test_corpus (void)
{
  test_files (g_getenv ("abs_builddir"), "fuzz/corpus/log");
}

static void
test_everything (void)
{
  round_trip_text (core_test_everything);
}

/* ---- Random logs ---- */

static void
assert_good (const GByteArray *bytes)
{
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  /* Some lack their end record.  */
  if (code < 0 && code != DG_ERR_TRUNCATED)
    g_error ("%s", err.message);
  g_assert_cmpuint (dg_log_summary (log)->good_bytes, ==, bytes->len);
  dg_log_close (log);
}

static void
test_random (void)
{
  unsigned n = is_long_test () ? 40 : 10;

  if (!g_test_quick ())
    n = 400;

  for (unsigned i = 0; i < n; i++) {
    char *text = random_text_new (100 + g_test_rand_int_range (0, 2000));
    unsigned variant = g_test_rand_int_range (0, 4);
    GByteArray *bytes = core_test_assemble (text, variant & 1 ? 4 : 8,
                                            variant & 2);

    assert_good (bytes);
    g_assert_true (round_trip (bytes, g_test_rand_int_range (1, 2000)));
    /* Cut anywhere, and damaged.  */
    for (unsigned j = 0; j < 4; j++) {
      unsigned at = g_test_rand_int_range (DG_HEADER_SIZE, bytes->len);

      bytes->data[at] ^= 1 << g_test_rand_int_range (0, 8);
      g_assert_true (round_trip (bytes, 500));
      g_byte_array_set_size (bytes, at);
      g_assert_true (round_trip (bytes, 500));
      if (bytes->len == DG_HEADER_SIZE)
        break;
    }
    g_byte_array_unref (bytes);
    g_free (text);
  }
}

/* ---- What goes wrong ---- */

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  unsigned *left = user;

  g_assert_cmpuint (done, <=, total);
  return (*left)-- == 0;
}

static void
test_failures (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (core_test_everything, &bytes), *archive;
  struct dg_error err = { 0 };
  struct dg_pack_options options = {.size = sizeof options, .workers = 2};
  struct files files;
  unsigned left = 0;

  files_init (&files);
  g_assert_cmpint (dg_log_pack (log, files.archive, &options, cancel, &left,
                                &err), ==, DG_ERR_CANCELLED);
  g_assert_false (g_file_test (files.archive, G_FILE_TEST_EXISTS));
  g_assert_cmpint (dg_log_pack (log, files.folder, NULL, NULL, NULL, &err),
                   ==, DG_ERR_INVALID);
  g_assert_cmpstr (err.message, ==, "not a regular file");
  g_assert_cmpint (dg_log_pack (log, "/nonexistent/x", NULL, NULL, NULL,
                                &err), ==, DG_ERR_IO);
  options.level = 20;
  g_assert_cmpint (dg_log_pack (log, files.archive, &options, NULL, NULL,
                                &err), ==, DG_ERR_INVALID);
  g_assert_cmpint (dg_log_unpack (log, files.raw, 1, NULL, NULL, &err), ==,
                   DG_ERR_INVALID);
  g_assert_false (g_file_test (files.archive, G_FILE_TEST_EXISTS));

  pack (log, files.archive, 1, 1);
  archive = load_file (files.archive);
  left = 0;
  g_assert_cmpint (dg_log_unpack (archive, files.raw, 2, cancel, &left, &err),
                   ==, DG_ERR_CANCELLED);
  g_assert_cmpint (dg_log_pack (archive, files.archive, NULL, NULL, NULL,
                                &err), ==, DG_ERR_INVALID);
  g_assert_cmpstr (err.message, ==, "input and output are the same file");
  g_assert_cmpint (dg_log_unpack (archive, files.archive, 1, NULL, NULL,
                                  &err), ==, DG_ERR_INVALID);
  dg_log_close (archive);
  dg_log_close (log);
  files_fini (&files);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pack-log/everything", test_everything);
  g_test_add_data_func ("/pack-log/good", "logs/good", test_folder);
  g_test_add_data_func ("/pack-log/bad", "logs/bad", test_folder);
  g_test_add_data_func ("/pack-log/fuzz/regressions",
                        "fuzz/regressions-log", test_folder);
  g_test_add_func ("/pack-log/fuzz/corpus", test_corpus);
  g_test_add_func ("/pack-log/random", test_random);
  g_test_add_func ("/pack-log/failures", test_failures);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

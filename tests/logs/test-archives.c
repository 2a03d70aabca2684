/* test-archives.c: every log of good/ and bad/, packed: what the library says
   of the archive is what it says of the log.

   Then one small archive, cut at every length and with every byte changed:
   what is found of it is a beginning of it, and never silently so.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "asm.h"
#include "long_test.h"
#include "describe.h"
#include "archive/archive_part.h"
#include "log/log.h"
#include "log/packed.h"
#include "unit_main.h"

struct test {
  char *path;
  unsigned word_size;
  bool big_endian;
};

/* ---- Archives in memory ---- */

/* The archive of a log that is loaded, as far as it could be.  */
static GByteArray *
pack (const struct dg_log *log)
{
  struct dg_pack_options options = {
    .size = sizeof options, .level = 1, .workers = 1};
  char *folder = g_dir_make_tmp ("archives-XXXXXX", NULL), *path, *contents;
  struct dg_error err = { 0 };
  gsize n;

  g_assert_nonnull (folder);
  path = g_build_filename (folder, "log.dgz", NULL);
  if (dg_log_pack (log, path, &options, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
  g_assert_true (g_file_get_contents (path, &contents, &n, NULL));
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return g_byte_array_new_take ((guint8 *) contents, n);
}

static int
load (const void *bytes, size_t n, unsigned workers, struct dg_log **log,
      struct dg_error *err)
{
  int code = dg_log_open_memory ("test", bytes, n, log, err);

  if (code < 0)
    return code;
  (*log)->part_min_bytes = 1;
  (*log)->piece_accesses = 0;
  memset (err, 0, sizeof *err);
  return dg_log_load (*log, workers, NULL, NULL, err);
}

/* Contents without chunks, which are others in an archive.  */
static char *
contents_of (const struct dg_log *log)
{
  char *all = describe_contents (log, false);
  GString *out = g_string_new (NULL);
  char **lines = g_strsplit (all, "\n", -1);

  for (unsigned i = 0; lines[i]; i++)
    if (!g_str_has_prefix (lines[i], "chunk "))
      g_string_append_printf (out, "%s\n", lines[i]);
  g_strfreev (lines);
  g_free (all);
  return g_string_free (out, FALSE);
}

static void
same_text (char *a, char *b)
{
  if (strcmp (a, b) != 0)
    g_error ("not the same:\n%s\n---- but ----\n%s", a, b);
  g_free (a);
  g_free (b);
}

static void
same_log (const struct dg_log *log, const struct dg_log *other)
{
  same_text (contents_of (other), contents_of (log));
  same_text (describe_accesses (other), describe_accesses (log));
  same_text (describe_chunked (other), describe_accesses (log));
  same_text (describe_sps (other), describe_sps (log));
  same_text (describe_records (other), describe_records (log));
}

/* A message without the offset before it.  */
static const char *
reason (const struct dg_error *err)
{
  const char *colon = strstr (err->message, ": ");

  return colon ? colon + 2 : err->message;
}

/* What dg_log_load_summary says is what dg_log_load says.  */
static void
check_summary (const GByteArray *archive, const struct dg_log *loaded,
               int code, const struct dg_error *expected)
{
  struct dg_error err = { 0 };
  struct dg_log *log;
  size_t n = 0, n_loaded = 0;

  g_assert_cmpint (dg_log_open_memory ("test", archive->data, archive->len,
                                       &log, &err), ==, 0);
  g_assert_cmpint (dg_log_load_summary (log, 1, NULL, NULL, &err), ==, code);
  g_assert_cmpstr (err.message, ==, expected->message);
  g_assert_true (memcmp (dg_log_summary (log), dg_log_summary (loaded),
                         sizeof (struct dg_summary)) == 0);
  g_assert_true ((dg_log_process (log) != NULL)
                 == (dg_log_process (loaded) != NULL));
  g_assert_cmpuint (dg_log_page_size (log), ==, dg_log_page_size (loaded));
  dg_log_chunks (log, &n);
  dg_log_chunks (loaded, &n_loaded);
  g_assert_cmpuint (n, ==, n_loaded);
  /* And all the rest may follow.  */
  memset (&err, 0, sizeof err);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, code);
  same_log (loaded, log);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==,
                   DG_ERR_INVALID);
  dg_log_close (log);
}

/* By one number of workers, each time by the next one; in a long test by
   all.  */
static void
check_archive (const struct dg_log *raw, int code,
               const struct dg_error *raw_err)
{
  static const unsigned workers[] = { 1, 2, 8 };
  static unsigned turn;
  GByteArray *archive = pack (raw);

  turn++;
  for (unsigned i = 0; i < G_N_ELEMENTS (workers); i++) {
    struct dg_error err;
    struct dg_log *log;
    int packed_code;

    if (!is_long_test () && i != turn % G_N_ELEMENTS (workers))
      continue;
    packed_code = load (archive->data, archive->len, workers[i], &log, &err);
    if (packed_code != code)
      g_error ("%d (%s), not %d (%s)", packed_code, err.message, code,
               raw_err->message);
    g_assert_true (dg_log_header (log)->is_archive);
    /* Only the log knows where its markers should have been.  */
    if (!strstr (raw_err->message, " says back "))
      g_assert_cmpstr (reason (&err), ==, reason (raw_err));
    g_assert_true (code == 0
                   || err.offset == dg_log_summary (log)->good_bytes);
    same_log (raw, log);
    if (code == 0 && dg_log_verify (log, workers[i], NULL, NULL, &err) < 0)
      g_error ("%s", err.message);
    if (i == 0 || !is_long_test ())
      check_summary (archive, log, packed_code, &err);
    dg_log_close (log);
  }
  g_byte_array_unref (archive);
}

static void
test_log (gconstpointer data)
{
  const struct test *test = data;
  struct dg_error err;
  struct dg_log *log;
  struct dg_asm as;
  char *text, *message;
  int code;

  g_assert_true (g_file_get_contents (test->path, &text, NULL, NULL));
  dg_asm_init (&as);
  as.word_size = test->word_size;
  as.big_endian = test->big_endian;
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  code = load (as.bytes->data, as.bytes->len, 1, &log, &err);
  if (log) {
    check_archive (log, code, &err);
    dg_log_close (log);
  }
  dg_asm_fini (&as);
  g_free (text);
}

/* ---- Cut and changed ---- */

/* The records of a log, each in a line.  */
static char **
record_lines (const struct dg_log *log)
{
  char *text = describe_records (log), **lines = g_strsplit (text, "\n", -1);

  g_free (text);
  return lines;
}

/* The log holds nothing but what the first records are.  An error while
   reading ends it, too.  */
static void
check_beginning (const struct dg_log *log, char **expected)
{
  char **lines = record_lines (log);

  for (unsigned i = 0; lines[i] && lines[i][0] != '\0'; i++) {
    if (g_str_has_prefix (lines[i], "error "))
      break;
    g_assert_cmpstr (lines[i], ==, expected[i]);
  }
  g_strfreev (lines);
}

/* Whole chunks before an offset.  */
static size_t
chunks_before (const struct dg_log *whole, uint64_t offset)
{
  const struct dg_chunk_entry *chunk
    = whole->contents.packed->archive->chunks.items;
  size_t n = 0;

  while (n < whole->contents.packed->archive->chunks.n
         && chunk[n].runs.offset + DG_PART_HEAD_BYTES + chunk[n].runs.size
              <= offset)
    n++;
  return n;
}

/* Four chunks with something of everything.  */
static struct dg_log *
make_whole (GByteArray **archive)
{
  static const char text[] =
    "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"\" \"\" \"\" []\n"
    "bbdef [0x1000+4 0x1004+2] [R8@0 W4@1]\n"
    "context 0 [0x1000 0x2000]\n"
    "start_event \"a\"\n"
    "bbrun 0 2 [0x7000 0x8000]\n"
    "chunk\n"
    "bbdef [0x3000+4] [R511@0]\n"
    "context 1 [0x3000 0x1004]\n"
    "bbrun 1 1 [0x9000 0x90ff 0x91fe]\n"
    "malloc_block 0x5000 16 [1 2]\n"
    "heap_alloc 1 1 1 16 0 0\n"
    "chunk\n"
    "bbrun 0 1 [0]\n"
    "thread_switch 2\n"
    "bbrun 0 2 [0x7010 0x8010]\n"
    "chunk\n"
    "window 0 1 100\n"
    "end_event \"a\"\n"
    "end\n";
  struct dg_error err;
  struct dg_log *log, *whole;
  struct dg_asm as;
  char *message;

  dg_asm_init (&as);
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  if (load (as.bytes->data, as.bytes->len, 1, &log, &err) < 0)
    g_error ("%s", err.message);
  *archive = pack (log);
  dg_log_close (log);
  dg_asm_fini (&as);
  if (load ((*archive)->data, (*archive)->len, 1, &whole, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpuint (whole->contents.packed->n_chunks, ==, 4);
  return whole;
}

/* Loads a copy of its exact size, so that reading beyond is seen.  */
static void
check_variant (const struct dg_log *whole, char **expected,
               const guint8 *bytes, size_t n, uint64_t good)
{
  guint8 *copy = g_memdup2 (bytes, n);
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code = load (copy, n, 1 + n % 3, &log, &err);

  if (!log) {
    g_assert_true (code == DG_ERR_NOT_A_LOG || code == DG_ERR_VERSION
                   || code == DG_ERR_DAMAGED);
    g_assert_cmpuint (good, <, DG_ARCHIVE_HEAD_BYTES);
  } else if (code == 0) {
    char *a = contents_of (whole), *b = contents_of (log);

    g_assert_cmpstr (a, ==, b);
    g_free (a);
    g_free (b);
    check_beginning (log, expected);
  } else {
    g_assert_true (code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED);
    g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
    g_assert_cmpuint (dg_log_summary (log)->good_bytes, ==, err.offset);
    g_assert_cmpuint (log->contents.packed->n_chunks, >=,
                      chunks_before (whole, good));
    check_beginning (log, expected);
  }
  dg_log_close (log);
  g_free (copy);
}

static void
test_cut (void)
{
  GByteArray *archive;
  struct dg_log *whole = make_whole (&archive);
  char **expected = record_lines (whole);

  for (guint n = 0; n < archive->len; n++)
    check_variant (whole, expected, archive->data, n, n);
  dg_log_close (whole);
  g_byte_array_unref (archive);
  g_strfreev (expected);
}

/* Every byte of the archive, in one bit and in all.  A change where lines are
   is not seen, for they are not read.  */
static void
test_flip (void)
{
  GByteArray *archive;
  struct dg_log *whole = make_whole (&archive);
  char **expected = record_lines (whole);
  guint8 *copy = g_memdup2 (archive->data, archive->len);

  /* Each byte in one bit, or in all; in a long test in both ways.  */
  for (guint i = 0; i < archive->len; i++)
    for (unsigned all = 0; all < 2; all++) {
      if (!is_long_test () && (i + i / 8) % 2 != all)
        continue;
      copy[i] ^= all ? 255 : 1 << i % 8;
      check_variant (whole, expected, copy, archive->len, i);
      copy[i] = archive->data[i];
    }
  g_free (copy);
  dg_log_close (whole);
  g_byte_array_unref (archive);
  g_strfreev (expected);
}

static void
put_checksum (guint8 *at, const guint8 *bytes, size_t n)
{
  uint64_t sum = GUINT64_TO_LE (dg_archive_checksum (bytes, n));

  memcpy (at, &sum, 8);
}

/* Runs that are alike: the first of them, and how many.  */
static char *
describe_alike (const struct dg_log *log)
{
  struct dg_error err;
  struct dg_alike *alike = dg_alike_new (log, &err);
  GString *text = g_string_new (NULL);
  size_t n_chunks;

  dg_log_chunks (log, &n_chunks);
  for (size_t i = 0; i < n_chunks; i++) {
    struct dg_run run;
    uint64_t times;

    if (dg_alike_open (alike, i, &err) < 0)
      continue;
    while (dg_alike_next (alike, &run, &times, &err) > 0)
      g_string_append_printf (text, "%" PRIu64 ": %u %u %" PRIu64 "\n",
                              run.icount, run.context, run.n_instrs, times);
  }
  dg_alike_free (alike);
  return g_string_free (text, FALSE);
}

/* Changes each byte behind the heads of RUNS, in the lowest bit and in all of
   them, and makes the checksums right again: whoever decodes the runs sees it,
   if there is anything to see.  */
static void
test_sealed (void)
{
  GByteArray *archive;
  struct dg_log *whole = make_whole (&archive);
  const struct dg_chunk_entry *chunk
    = whole->contents.packed->archive->chunks.items;
  size_t n_chunks = whole->contents.packed->n_chunks;
  char *accesses = describe_accesses (whole), *alike = describe_alike (whole);
  guint8 *copy = g_memdup2 (archive->data, archive->len);

  for (size_t i = 0; i < 2 * n_chunks; i++)
    for (uint64_t at = DG_RUNS_HEAD; at < chunk[i / 2].runs.size; at++) {
      guint8 *head = copy + chunk[i / 2].runs.offset;
      guint8 *payload = head + DG_PART_HEAD_BYTES;
      struct dg_error err = { 0 };
      struct dg_log *log;
      char *text, *counted;

      payload[at] ^= i % 2 ? 255 : 1;
      put_checksum (head + 32, payload, chunk[i / 2].runs.size);
      put_checksum (head + 40, head, 40);
      g_assert_cmpint (load (copy, archive->len, 2, &log, &err), ==, 0);
      text = describe_accesses (log);
      counted = describe_alike (log);
      if (dg_log_verify (log, 2, NULL, NULL, &err) == 0) {
        g_assert_cmpstr (text, ==, accesses);
        g_assert_cmpstr (counted, ==, alike);
      } else {
        g_assert_cmpint (err.code, ==, DG_ERR_DAMAGED);
      }
      g_free (counted);
      g_free (text);
      dg_log_close (log);
      memcpy (copy, archive->data, archive->len);
    }
  g_free (copy);
  g_free (alike);
  g_free (accesses);
  dg_log_close (whole);
  g_byte_array_unref (archive);
}

/* ---- All logs ---- */

static void
test_free (gpointer data)
{
  struct test *test = data;

  g_free (test->path);
  g_free (test);
}

static void
add (const char *path, const char *name, const char *kind,
     unsigned word_size, bool big_endian)
{
  struct test *test = g_new0 (struct test, 1);
  char *full = g_strdup_printf ("/archives/%s%s", name, kind);

  test->path = g_strdup (path);
  test->word_size = word_size;
  test->big_endian = big_endian;
  g_test_add_data_func_full (full, test, test_log, test_free);
  g_free (full);
}

static void
add_folder (const char *folder)
{
  const char *root = g_getenv ("abs_srcdir");
  char *path = g_build_filename (root ? root : ".", "logs", folder, NULL);
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *file;

  g_assert_nonnull (dir);
  while ((file = g_dir_read_name (dir))) {
    char *full = g_build_filename (path, file, NULL);
    char *name = g_build_filename (folder, file, NULL);

    if (g_str_has_suffix (file, ".dgt")) {
      add (full, name, "-64-little", 8, false);
      add (full, name, "-64-big", 8, true);
      add (full, name, "-32-little", 4, false);
      add (full, name, "-32-big", 4, true);
    }
    g_free (name);
    g_free (full);
  }
  g_dir_close (dir);
  g_free (path);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_folder ("good");
  add_folder ("bad");
  g_test_add_func ("/archives/cut", test_cut);
  g_test_add_func ("/archives/flip", test_flip);
  g_test_add_func ("/archives/sealed", test_sealed);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-log.c: opening and loading logs: whole ones, cut ones, damaged ones,
   and files that are none.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core_test.h"
#include "describe.h"
#include "long_test.h"
#include "unit_main.h"

static const struct {
  unsigned word_size;
  bool big_endian;
} variants[] = { { 8, false }, { 8, true }, { 4, false }, { 4, true } };

/* A text means the same in any word size and byte order.  */
static void
test_variants (void)
{
  char *contents = NULL, *accesses = NULL, *records = NULL;

  for (unsigned i = 0; i < G_N_ELEMENTS (variants); i++) {
    GByteArray *bytes = core_test_assemble (core_test_everything,
                                            variants[i].word_size,
                                            variants[i].big_endian);
    struct dg_error err;
    int code;
    struct dg_log *log = core_test_load (bytes, 1, &code, &err);
    char *c = describe_contents (log, false), *a = describe_accesses (log);
    char *r = describe_records (log);

    g_assert_cmpstr (err.message, ==, "");
    g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_YES);
    g_assert_cmpint (dg_log_header (log)->word_size, ==,
                     variants[i].word_size);
    g_assert_cmpint (dg_log_header (log)->big_endian, ==,
                     variants[i].big_endian);
    g_assert_cmpuint (dg_log_header (log)->file_size, ==, bytes->len);
    core_test_read (log);
    if (i > 0) {
      g_assert_cmpstr (c, ==, contents);
      g_assert_cmpstr (a, ==, accesses);
    }
    /* Markers tell distances in bytes.  */
    if (i > 0 && variants[i].word_size == variants[i - 1].word_size)
      g_assert_cmpstr (r, ==, records);
    g_free (contents);
    g_free (accesses);
    g_free (records);
    contents = c;
    accesses = a;
    records = r;
    dg_log_close (log);
    g_byte_array_unref (bytes);
  }
  g_free (contents);
  g_free (accesses);
  g_free (records);
}

/* Where the unloaded reader stops: the offset of the record it cannot read,
   or of the end.  */
static uint64_t
reader_stops (const GByteArray *bytes)
{
  struct dg_error err = { 0 };
  struct dg_log *log;
  struct dg_reader *reader;
  struct dg_record record = { 0 };
  uint64_t offset = bytes->len;
  int code = dg_log_open_memory ("test", bytes->data, bytes->len, &log, &err);

  g_assert_cmpint (code, ==, 0);
  reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  g_assert_nonnull (reader);
  while ((code = dg_reader_record (reader, &record, &err)) > 0)
    g_assert_cmpuint (record.offset, <, bytes->len);
  if (code < 0)
    offset = err.offset;
  dg_reader_free (reader);
  dg_log_close (log);
  return offset;
}

/* A log that ends at any byte: what is whole is there, and the error is at
   the record that is not.  */
static void
test_cut (gconstpointer data)
{
  unsigned i = GPOINTER_TO_UINT (data);
  GByteArray *bytes = core_test_assemble (core_test_everything,
                                          variants[i].word_size,
                                          variants[i].big_endian);
  unsigned whole = bytes->len;
  uint64_t last_offset = DG_HEADER_SIZE, runs = 0;

  for (unsigned n = 0; n < whole; n++) {
    /* In memory of exactly that size, where reading too far is caught.  */
    guint8 *copy = g_memdup2 (bytes->data, n);
    GByteArray *cut = g_byte_array_new_take (copy, n);
    struct dg_error err;
    struct dg_log *log;
    int code;

    log = core_test_load (cut, 1, &code, &err);
    if (n < DG_HEADER_SIZE) {
      g_assert_cmpint (code, ==, DG_ERR_NOT_A_LOG);
      g_assert_null (log);
    } else {
      const struct dg_summary *s = dg_log_summary (log);

      /* Without its PROCESS it could be a log that has no end record.  */
      g_assert_true (code == DG_ERR_TRUNCATED
                     || (code == 0 && !dg_log_process (log)));
      g_assert_cmpuint (s->good_bytes, <=, n);
      g_assert_cmpuint (s->good_bytes, >=, last_offset);
      g_assert_cmpuint (s->runs, >=, runs);
      if (code < 0)
        g_assert_cmpuint (s->good_bytes, ==, err.offset);
      g_assert_cmpuint (reader_stops (cut), ==, s->good_bytes);
      last_offset = s->good_bytes;
      runs = s->runs;
      core_test_read (log);
    }
    dg_log_close (log);
    g_byte_array_unref (cut);
  }
  g_assert_cmpuint (runs, ==, 6);
  g_byte_array_unref (bytes);
}

/* Any byte of a log has any of some values: an error or another log, which
   reads as it was loaded.  */
static void
test_flip (gconstpointer data)
{
  static const uint8_t values[] = { 0, 1, 2, 3, 11, 12, 31, 127, 128, 200,
                                    254, 255 };
  unsigned i = GPOINTER_TO_UINT (data);
  GByteArray *bytes = core_test_assemble (core_test_everything,
                                          variants[i].word_size,
                                          variants[i].big_endian);

  for (unsigned at = 0; at < bytes->len; at++) {
    uint8_t old = bytes->data[at];

    /* A quarter of them in each of the four variants; in a long test all.  */
    for (unsigned v = is_long_test () ? 0 : (at + i) % 4;
         v < G_N_ELEMENTS (values) + 8; v += is_long_test () ? 1 : 4) {
      struct dg_error err;
      struct dg_log *log;
      int code;

      bytes->data[at] = v < 8 ? old ^ 1 << v : values[v - 8];
      log = core_test_load (bytes, 1, &code, &err);
      if (log) {
        g_assert_true (code == 0 || code == DG_ERR_TRUNCATED
                       || code == DG_ERR_DAMAGED);
        g_assert_cmpuint (err.offset, <=, bytes->len);
        core_test_read (log);
        g_assert_cmpuint (reader_stops (bytes), >=,
                          dg_log_summary (log)->good_bytes);
      } else {
        g_assert_cmpuint (at, <, DG_HEADER_SIZE);
      }
      dg_log_close (log);
    }
    bytes->data[at] = old;
  }
  g_byte_array_unref (bytes);
}

/* ---- Workers ---- */

/* A log of many parts, with everything that they must agree on.  */
static GByteArray *
parts_log (void)
{
  GString *text = g_string_new (
    "process 1 0 0 0 4096 64 0 8 \"\" \"\" \"\" \"\" \"\" []\n"
    "bbdef [1+1 2+1] [R4@0 W8@1]\ncontext 0 [1]\n");

  for (unsigned i = 0; i < 12; i++)
    g_string_append_printf (
      text, "bbrun %u 1 [0x10]\nbbrun 0 2 [0 0x20]\nchunk\n"
      "bbdef [%u+1] [R%u@0]\ncontext %u [%u 7]\ncontext %u [%u]\n"
      "thread_switch %u\nbbrun %u 1 [%u]\nstart_event \"e%u\"\n"
      "malloc_block %u 8 [1]\nheap_alloc 1 1 1 8 0 0\nrecord 99 1\n"
      "window 0 1 %u\nchunk icount=%u\nwindow 1 1 %u\n"
      "end_event \"e%u\"\nbbrun 0 1 [5]\n",
      i * 2, i + 1, i + 1, i + 1, i + 1, i / 2, i, i % 3 + 1, i * 2 + 1,
      i + 100, i % 4, 4096 + i % 3 * 16, 1000 * i + (i ? 20 : 4),
      1000 * i + 500, 1000 * (i + 1) + 15, i % 4);
  g_string_append (text, "end\n");
  GByteArray *bytes = core_test_assemble (text->str, 8, false);

  g_string_free (text, TRUE);
  return bytes;
}

/* Loads with some workers, in parts as small as markers allow.  */
static char *
load_in_parts (const GByteArray *bytes, unsigned workers,
               struct dg_error *err)
{
  struct dg_log *log;
  char *text;

  memset (err, 0, sizeof *err);
  g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                       err), ==, 0);
  log->part_min_bytes = 1;
  dg_log_load (log, workers, NULL, NULL, err);
  text = describe_contents (log, true);
  core_test_read (log);
  dg_log_close (log);
  return text;
}

static void
test_workers (void)
{
  GByteArray *bytes = parts_log ();
  struct dg_error err;
  char *one = load_in_parts (bytes, 1, &err);

  g_assert_cmpstr (err.message, ==, "");
  for (unsigned workers = 2; workers < 20; workers++) {
    char *many = load_in_parts (bytes, workers, &err);

    g_assert_cmpstr (err.message, ==, "");
    g_assert_cmpstr (many, ==, one);
    g_free (many);
  }
  g_free (one);
  g_byte_array_unref (bytes);
}

/* Whatever is wrong, many workers find what one finds.  */
static void
test_workers_damaged (void)
{
  GByteArray *bytes = parts_log ();

  /* Each third byte; in a long test all.  */
  for (unsigned at = DG_HEADER_SIZE; at < bytes->len;
       at += is_long_test () ? 1 : 3) {
    uint8_t old = bytes->data[at];
    struct dg_error err, other;
    char *one, *many;

    bytes->data[at] ^= 1 << at % 8;
    one = load_in_parts (bytes, 1, &err);
    many = load_in_parts (bytes, 3, &other);
    g_assert_cmpstr (many, ==, one);
    g_assert_cmpstr (other.message, ==, err.message);
    bytes->data[at] = old;
    g_free (one);
    g_free (many);
  }
  g_byte_array_unref (bytes);
}

/* What the end record tells is compared with what was seen.  */
static void
test_flip_end (void)
{
  GByteArray *bytes = core_test_assemble (core_test_everything, 8, false);

  for (unsigned at = bytes->len - DG_END_SIZE + 4; at < bytes->len; at++) {
    struct dg_error err;
    struct dg_log *log;
    unsigned field = (at - (bytes->len - DG_END_SIZE + 4)) / 8;
    int code;

    bytes->data[at] ^= 1;
    log = core_test_load (bytes, 1, &code, &err);
    bytes->data[at] ^= 1;
    /* Threads and lost calls are only told.  */
    if (field == 10 || field == 11 || field == 1) {
      dg_log_close (log);
      continue;
    }
    g_assert_cmpint (code, ==, DG_ERR_DAMAGED);
    g_assert_cmpuint (err.offset, ==, bytes->len - DG_END_SIZE);
    dg_log_close (log);
  }
  g_byte_array_unref (bytes);
}

/* ---- Files ---- */

static char *
write_file (const void *bytes, size_t n)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("dg-test-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, n), ==, n);
  close (fd);
  return path;
}

static void
test_no_log (void)
{
  struct dg_error err;
  struct dg_log *log = (void *) 1;
  char *path;

  g_assert_cmpint (dg_log_open ("/nonexistent/x.dg", &log, &err), ==,
                   DG_ERR_IO);
  g_assert_null (log);
  g_assert_cmpstr (err.message, ==, g_strerror (ENOENT));
  g_assert_cmpint (dg_log_open ("/", &log, &err), ==, DG_ERR_IO);
  g_assert_cmpint (dg_log_open ("/dev/null", &log, NULL), ==, DG_ERR_IO);

  path = write_file ("", 0);
  g_assert_cmpint (dg_log_open (path, &log, &err), ==, DG_ERR_NOT_A_LOG);
  g_unlink (path);
  /* Opening a pipe without a writer must not wait for one.  */
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_cmpint (dg_log_open (path, &log, &err), ==, DG_ERR_IO);
  g_unlink (path);
  g_free (path);
}

/* A file gives what its bytes give in memory; windows end anywhere.  */
static void
test_file (void)
{
  GString *text = g_string_new (NULL);
  GByteArray *bytes;
  struct dg_log *file, *memory;
  struct dg_error err = { 0 };
  char *path, *a, *b;
  int code;

  g_string_append (text, "bbdef [1+1 2+1] [R4@0 W8@1 R300@1]\n"
                   "context 0 [0x400000 0x400100]\n");
  g_string_append (text, "repeat 9000\nbbrun 0 2 [1 2 3 4]\nbbrun 0 1 [0]\n"
                   "start_event \"abc\"\nend_event \"abc\"\ndone\n");
  /* Larger than a window, known and unknown.  */
  g_string_append (text, "record 99");
  for (unsigned i = 0; i < 400000; i++)
    g_string_append (text, " 7");
  g_string_append (text, "\nlong start_event \"");
  for (unsigned i = 0; i < 400000; i++)
    g_string_append_c (text, 'a' + i % 26);
  g_string_append (text, "\"\nbbrun 0 2 [1 2 3 4]\n");
  bytes = core_test_assemble (text->str, 8, false);
  path = write_file (bytes->data, bytes->len);
  g_assert_cmpint (dg_log_open (path, &file, &err), ==, 0);
  g_assert_cmpstr (dg_log_path (file), ==, path);
  g_assert_cmpint (dg_log_load (file, 1, NULL, NULL, &err), ==, 0);
  memory = core_test_load (bytes, 1, &code, &err);
  a = describe_contents (file, true);
  b = describe_contents (memory, true);
  g_assert_cmpstr (a, ==, b);
  g_assert_cmpuint (dg_log_summary (file)->runs, ==, 18001);
  core_test_read (file);
  g_free (a);
  g_free (b);
  a = describe_records (file);
  b = describe_records (memory);
  g_assert_cmpstr (a, ==, b);
  g_free (a);
  g_free (b);
  g_unlink (path);
  g_free (path);
  dg_log_close (file);
  dg_log_close (memory);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
}

/* Only what was there at the opening counts; what goes away is an error.  */
static void
test_file_changes (void)
{
  GByteArray *bytes = core_test_assemble (
    "bbdef [1+1] [R4@0]\ncontext 0 [1]\nrepeat 100\nbbrun 0 1 [1]\ndone\n",
    8, false);
  struct dg_log *log;
  struct dg_error err = { 0 };
  struct dg_reader *reader;
  struct dg_run run;
  char *path = write_file (bytes->data, bytes->len);
  FILE *file;
  int code;

  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  file = fopen (path, "ab");
  fputs ("more", file);
  fclose (file);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (dg_log_summary (log)->runs, ==, 100);
  g_assert_cmpint (truncate (path, 100), ==, 0);
  reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  while ((code = dg_reader_run (reader, &run, &err)) > 0)
    continue;
  g_assert_cmpint (code, ==, DG_ERR_IO);
  g_assert_cmpstr (strstr (err.message, "truncated"), !=, NULL);
  dg_reader_free (reader);
  dg_log_close (log);

  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  g_assert_cmpint (truncate (path, 50), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, DG_ERR_IO);
  g_assert_cmpint (dg_log_summary (log)->bbdefs, ==, 0);
  dg_log_close (log);
  g_unlink (path);
  g_free (path);
  g_byte_array_unref (bytes);
}

/* ---- The call itself ---- */

struct progress {
  unsigned calls;
  uint64_t done, total;
  int answer;
};

static int
count_progress (void *user, uint64_t done, uint64_t total)
{
  struct progress *progress = user;

  progress->calls++;
  g_assert_cmpuint (done, >=, progress->done);
  g_assert_cmpuint (done, <=, total);
  progress->done = done;
  progress->total = total;
  return progress->answer;
}

static void
test_progress (void)
{
  GByteArray *bytes = core_test_assemble (core_test_everything, 8, false);
  struct progress progress = { 0 };
  struct dg_error err = { 0 };
  struct dg_log *log;
  size_t n;

  g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                       &err), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, count_progress, &progress, &err), ==,
                   0);
  g_assert_cmpuint (progress.calls, >=, 1);
  g_assert_cmpuint (progress.done, ==, bytes->len);
  g_assert_cmpuint (progress.total, ==, bytes->len);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==,
                   DG_ERR_INVALID);
  dg_log_close (log);

  progress = (struct progress) { .answer = 1 };
  g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                       &err), ==, 0);
  g_assert_cmpint (dg_log_load (log, 1, count_progress, &progress, &err), ==,
                   DG_ERR_CANCELLED);
  g_assert_cmpuint (progress.calls, ==, 1);
  g_assert_cmpuint (dg_log_summary (log)->runs, ==, 0);
  g_assert_null (dg_log_threads (log, &n));
  g_assert_cmpuint (n, ==, 0);
  dg_log_close (log);
  dg_log_close (NULL);
  g_byte_array_unref (bytes);
}

static void
test_progress_workers (void)
{
  GByteArray *bytes = parts_log ();

  for (int answer = 0; answer < 2; answer++) {
    struct progress progress = { .answer = answer };
    struct dg_error err = { 0 };
    struct dg_log *log;

    g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                         &err), ==, 0);
    log->part_min_bytes = 1;
    g_assert_cmpint (dg_log_load (log, 3, count_progress, &progress, &err),
                     ==, answer ? DG_ERR_CANCELLED : 0);
    g_assert_cmpuint (progress.done, ==, bytes->len);
    g_assert_cmpuint (progress.calls, >=, 1);
    g_assert_cmpuint (dg_log_summary (log)->runs > 0, ==, !answer);
    dg_log_close (log);
  }
  g_byte_array_unref (bytes);
}

static void
test_names (void)
{
  g_assert_cmpstr (dg_code_name (DG_OK), ==, "ok");
  g_assert_cmpstr (dg_code_name (DG_ERR_TRUNCATED), ==, "truncated");
  g_assert_cmpstr (dg_code_name (-100), ==, "unknown");
  g_assert_cmpstr (dg_record_name (DG_R_BBRUN), ==, "BBRUN");
  g_assert_cmpstr (dg_record_name (DG_R_END), ==, "END");
  g_assert_null (dg_record_name (DG_R_RUN_VALUES + 1));
  g_assert_null (dg_record_name (255));
}

static void
add_variant (const char *test, unsigned i, GTestDataFunc function)
{
  char *name = g_strdup_printf ("/log/%s/%u-%s", test,
                                variants[i].word_size * 8,
                                variants[i].big_endian ? "big" : "little");

  g_test_add_data_func (name, GUINT_TO_POINTER (i), function);
  g_free (name);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/log/variants", test_variants);
  for (unsigned i = 0; i < G_N_ELEMENTS (variants); i++) {
    add_variant ("cut", i, test_cut);
    add_variant ("flip", i, test_flip);
  }
  g_test_add_func ("/log/flip-end", test_flip_end);
  g_test_add_func ("/log/workers", test_workers);
  g_test_add_func ("/log/workers-damaged", test_workers_damaged);
  g_test_add_func ("/log/no-log", test_no_log);
  g_test_add_func ("/log/file", test_file);
  g_test_add_func ("/log/file-changes", test_file_changes);
  g_test_add_func ("/log/progress", test_progress);
  g_test_add_func ("/log/progress-workers", test_progress_workers);
  g_test_add_func ("/log/names", test_names);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

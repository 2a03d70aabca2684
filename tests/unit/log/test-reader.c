/* test-reader.c: runs, accesses and records, one by one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "unit_main.h"

#define BLOCK \
  "bbdef [0x100+1 0x101+1 0x102+1] [R4@0 W8@1 R300@1]\n" \
  "context 0 [0x100 0x900]\n"

static void
test_runs (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "bbrun 0 3 [1 0 3 4]\nstart_event \"e\"\nthread_switch 9\n"
    "bbrun 0 2 [1 2 3]\nbbrun 0 1 []\n", &bytes);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_run run;

  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 1);
  g_assert_cmpuint (run.icount, ==, 0);
  g_assert_cmpuint (run.thread, ==, 1);
  g_assert_cmpuint (run.context, ==, 0);
  g_assert_cmpuint (run.n_instrs, ==, 3);
  g_assert_cmpuint (run.n_slots, ==, 3);
  g_assert_true (run.bbdef == dg_log_bbdef (log, 0));
  g_assert_cmpuint (run.bbdef->slots[2].size, ==, 300);
  g_assert_cmpuint (run.bbdef->slots[2].entry, ==, 2);
  g_assert_cmpuint (run.addresses[1], ==, 0);
  g_assert_cmpuint (run.addresses[2], ==, 3);

  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 1);
  g_assert_cmpuint (run.icount, ==, 3);
  g_assert_cmpuint (run.thread, ==, 9);
  /* The last access was not made as a whole.  */
  g_assert_cmpuint (run.n_slots, ==, 2);

  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 1);
  g_assert_cmpuint (run.n_slots, ==, 0);
  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 0);
  g_assert_cmpint (dg_reader_run (reader, &run, NULL), ==, 0);
  dg_reader_free (reader);
  dg_reader_free (NULL);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_accesses (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "repeat 1000\nbbrun 0 3 [0x1000 0 0x2000 0x20ff]\ndone\n", &bytes);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_access out[257];
  struct dg_error err = { 0 };
  uint64_t total = 0;
  ptrdiff_t n;

  g_assert_cmpint (dg_reader_accesses (reader, out, 255, &err), ==,
                   DG_ERR_INVALID);
  while ((n = dg_reader_accesses (reader, out, 257, &err)) > 0)
    for (ptrdiff_t i = 0; i < n; i++, total++) {
      const struct dg_access *a = &out[i];

      g_assert_cmpuint (a->icount, ==, total / 2 * 3 + total % 2);
      g_assert_cmphex (a->address, ==, total % 2 ? 0x2000 : 0x1000);
      g_assert_cmphex (a->instruction, ==, total % 2 ? 0x101 : 0x100);
      g_assert_cmpuint (a->size, ==, total % 2 ? 300 : 4);
      g_assert_cmpuint (a->kind, ==, DG_ACC_READ);
      g_assert_cmpuint (a->context, ==, 0);
      g_assert_cmpuint (a->thread, ==, 1);
    }
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpuint (total, ==, 2000);
  dg_reader_free (reader);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_chunks (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "bbrun 0 1 [1]\nthread_switch 2\nchunk\nbbrun 0 1 [2]\n"
    "bbrun 0 2 [3]\nchunk\nbbrun 0 1 [4]\n", &bytes);
  struct dg_error err = { 0 };
  struct dg_reader *reader;
  struct dg_run run;

  reader = dg_reader_new (log, 1, 2, &err);
  g_assert_cmpint (dg_reader_run (reader, &run, &err), ==, 1);
  g_assert_cmpuint (run.icount, ==, 1);
  g_assert_cmpuint (run.thread, ==, 2);
  g_assert_cmpuint (run.addresses[0], ==, 2);
  g_assert_cmpint (dg_reader_run (reader, &run, &err), ==, 1);
  g_assert_cmpint (dg_reader_run (reader, &run, &err), ==, 0);
  dg_reader_free (reader);

  reader = dg_reader_new (log, 2, 99, &err);
  g_assert_cmpint (dg_reader_run (reader, &run, &err), ==, 1);
  g_assert_cmpuint (run.icount, ==, 4);
  dg_reader_free (reader);

  /* Nothing at all, which is not an error; and chunks that there are not.  */
  reader = dg_reader_new (log, 3, 3, &err);
  g_assert_cmpint (dg_reader_run (reader, &run, &err), ==, 0);
  dg_reader_free (reader);
  g_assert_null (dg_reader_new (log, 4, 5, &err));
  g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
  g_assert_null (dg_reader_new (log, 2, 1, &err));
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
check_record (struct dg_reader *reader, const char *expected)
{
  struct dg_record r;
  GString *text = g_string_new (NULL);

  g_assert_cmpint (dg_reader_record (reader, &r, NULL), ==, 1);
  g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %u:",
                          dg_record_name (r.type) ? dg_record_name (r.type)
                                                  : "?",
                          r.icount, r.thread);
  for (uint32_t i = 0; i < r.n_words; i++)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT, r.words[i]);
  for (uint32_t i = 0; i < r.n_strings; i++)
    g_string_append_printf (text, " '%s'", r.strings[i]);
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

/* Records as they stand, from a log that is loaded or not.  */
static void
test_records (gconstpointer data)
{
  bool load = data != NULL;
  GByteArray *bytes = core_test_assemble (
    "process 1 2 3 4 4096 64 5 6 \"a\" \"b\" \"c\" \"d\" \"e\" [\"f\" \"\"]\n"
    BLOCK "bbrun 0 2 [1 2 3 4]\nthread_switch 2\n"
    "module_unload 5\nrecord 99 1 2\nrecord 200 1\n"
    "malloc_block 1 2 [3 4]\ntext_avma 7 \"/x\"\n"
    "module 7 8 9 [10 11] \"s\"\nwindow 0 1 50\nclock 9\nend icount=60\n",
    8, false);
  struct dg_log *log;
  struct dg_reader *reader;
  struct dg_record r;

  g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                       NULL), ==, 0);
  if (load)
    g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, NULL), ==, 0);
  reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  check_record (reader, "PROCESS 0 1: 1 2 3 4 4096 64 5 6 2 "
                "'a' 'b' 'c' 'd' 'e' 'f' ''");
  check_record (reader, "BBDEF 0 1: 3 4 256 1 257 1 258 1 0 4 0 1 8 1 "
                "0 255 1 0 45 1");
  check_record (reader, "CONTEXT 0 1: 0 2 256 2304");
  check_record (reader, "BBRUN 0 1: 0 2 1 2 3 4");
  check_record (reader, "THREAD_SWITCH 2 2: 2");
  check_record (reader, "MODULE_UNLOAD 2 2: 5");
  check_record (reader, "? 2 2:");
  check_record (reader, "? 2 2:");
  check_record (reader, "MALLOC_BLOCK 2 2: 1 2 2 3 4");
  check_record (reader, "TEXT_AVMA 2 2: 7 '/x'");
  check_record (reader, "MODULE 2 2: 7 8 9 2 10 11 's'");
  check_record (reader, "WINDOW 50 2: 0 1 50");
  check_record (reader, "CLOCK 50 2: 9");
  g_assert_cmpint (dg_reader_record (reader, &r, NULL), ==, 1);
  g_assert_cmpuint (r.type, ==, DG_R_END);
  g_assert_cmpuint (r.icount, ==, 60);
  g_assert_cmpuint (r.offset, ==, bytes->len - DG_END_SIZE);
  g_assert_cmpuint (r.length, ==, DG_END_PAYLOAD);
  g_assert_cmpint (dg_reader_record (reader, &r, NULL), ==, 0);
  dg_reader_free (reader);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* An unloaded log is read up to its first bad record.  */
static void
test_records_bad (void)
{
  GByteArray *bytes = core_test_assemble (
    BLOCK "bbrun 0 1 [1]\nbbrun 1 1 [1]\nbbrun 0 1 [1]\n", 8, false);
  struct dg_error err = { 0 };
  struct dg_log *log;
  struct dg_reader *reader;
  struct dg_record r;
  uint64_t bad = 0;

  g_assert_cmpint (dg_log_open_memory ("x", bytes->data, bytes->len, &log,
                                       NULL), ==, 0);
  reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  for (unsigned i = 0; i < 3; i++) {
    g_assert_cmpint (dg_reader_record (reader, &r, &err), ==, 1);
    bad = r.offset + 2 + r.length;
  }
  g_assert_cmpint (dg_reader_record (reader, &r, &err), ==, DG_ERR_DAMAGED);
  g_assert_cmpuint (err.offset, ==, bad);
  g_assert_nonnull (strstr (err.message, "names context 1"));
  /* And again: it stays where it is.  */
  g_assert_cmpint (dg_reader_record (reader, &r, &err), ==, DG_ERR_DAMAGED);
  dg_reader_free (reader);
  g_assert_null (dg_reader_new (log, 1, 2, &err));
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What was good when it was loaded and is not any more.  */
static void
test_changed (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "bbrun 0 1 [1]\nbbrun 0 1 [2]\n", &bytes);
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_access out[256];

  /* The number of instructions of the last run.  */
  bytes->data[bytes->len - 9] = 77;
  g_assert_cmpint (dg_reader_accesses (reader, out, 256, &err), ==, 1);
  g_assert_cmpint (err.code, ==, 0);
  g_assert_cmpint (dg_reader_accesses (reader, out, 256, &err), ==,
                   DG_ERR_DAMAGED);
  g_assert_cmpint (err.code, ==, DG_ERR_DAMAGED);
  dg_reader_free (reader);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reader/runs", test_runs);
  g_test_add_func ("/reader/accesses", test_accesses);
  g_test_add_func ("/reader/chunks", test_chunks);
  g_test_add_data_func ("/reader/records-loaded", "", test_records);
  g_test_add_data_func ("/reader/records-unloaded", NULL, test_records);
  g_test_add_func ("/reader/records-bad", test_records_bad);
  g_test_add_func ("/reader/changed", test_changed);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-logs.c: the logs of good/ and bad/, and what must become of them.

   Each text of dgasm's language holds its expectations, as "#=" lines:
     KEY VALUE            a number of dg_log_summary
     complete yes|no|unknown
     blocks|ranges|events|mappings|pages|pools|stack_pointers N
                          entries of that timeline
     error CODE LABEL     dg_log_load fails so, at that label
     open CODE            dg_log_open fails so
     message TEXT         which the error's message contains
   A text without a header line stands for four logs, one for each word size
   and byte order.  Logs that are there as .dg.xz have their expectations
   beside them, in a .expect file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <gio/gio.h>
#include <inttypes.h>
#include <string.h>

#include "asm.h"
#include "describe.h"
#include "log/log.h"
#include "unit_main.h"

struct test {
  char *path;
  unsigned word_size;
  bool big_endian;
  bool is_bad;
};

struct outcome {
  struct dg_log *log;
  int open_code, load_code;
  struct dg_error err;
};

static uint64_t
timeline_length (const struct dg_log *log, const char *key)
{
  size_t n = 0;

  if (strcmp (key, "blocks") == 0)
    n = dg_log_n_blocks (log);
  else if (strcmp (key, "ranges") == 0)
    dg_log_ranges (log, &n);
  else if (strcmp (key, "events") == 0)
    dg_log_events (log, &n);
  else if (strcmp (key, "mappings") == 0)
    dg_log_mappings (log, &n);
  else if (strcmp (key, "pages") == 0)
    dg_log_page_changes (log, &n);
  else if (strcmp (key, "pools") == 0)
    dg_log_pools (log, &n);
  else if (strcmp (key, "stack_pointers") == 0)
    dg_log_stack_pointers (log, &n);
  else
    g_error ("no such expectation: %s", key);
  return n;
}

static void
check_number (const struct dg_log *log, const char *key, const char *value)
{
#define FIELD(name) { #name, s->name }
  const struct dg_summary *s = dg_log_summary (log);
  const struct {
    const char *name;
    uint64_t value;
  } fields[] = {
    FIELD (end_why), FIELD (exit_code), FIELD (last_icount),
    FIELD (instructions), FIELD (accesses), FIELD (reads), FIELD (writes),
    FIELD (kernel_reads), FIELD (kernel_writes), FIELD (runs),
    FIELD (bbdefs), FIELD (contexts), FIELD (threads), FIELD (heap_allocs),
    FIELD (heap_frees), FIELD (modules), FIELD (events_started),
    FIELD (events_ended), FIELD (ranges_tracked), FIELD (ranges_untracked),
    FIELD (windows), FIELD (unknown_records), FIELD (lost_calls),
    FIELD (min_address), FIELD (max_address)
  };
#undef FIELD
  uint64_t expected = g_ascii_strtoll (value, NULL, 0);
  unsigned i = 0;

  while (i < G_N_ELEMENTS (fields) && strcmp (fields[i].name, key) != 0)
    i++;
  if (i == G_N_ELEMENTS (fields))
    g_assert_cmpuint (timeline_length (log, key), ==, expected);
  else if (fields[i].value != expected)
    g_error ("%s is %" PRIu64 ", not %" PRIu64, key, fields[i].value,
             expected);
}

static void
check_complete (const struct dg_log *log, const char *value)
{
  static const char *const names[] = { "no", "yes", "unknown" };

  g_assert_cmpstr (names[dg_log_summary (log)->complete], ==, value);
}

/* Where the logs are: make tells.  */
static char *
logs_path (const char *folder, const char *file)
{
  const char *root = g_getenv ("abs_srcdir");

  return g_build_filename (root ? root : ".", "logs", folder, file, NULL);
}

/* One expectation.  */
static void
check (const struct outcome *outcome, GHashTable *labels, const char *text)
{
  char **words = g_strsplit (text, " ", 3);
  const char *key = words[0], *value = words[1];

  g_assert_nonnull (value);
  if (strcmp (key, "open") == 0) {
    g_assert_cmpstr (dg_code_name (outcome->open_code), ==, text + 5);
  } else if (strcmp (key, "message") == 0) {
    if (!strstr (outcome->err.message, text + 8))
      g_error ("the message is '%s'", outcome->err.message);
  } else if (strcmp (key, "error") == 0) {
    gpointer offset;

    g_assert_cmpstr (dg_code_name (outcome->load_code), ==, value);
    g_assert_nonnull (words[2]);
    if (!g_hash_table_lookup_extended (labels, words[2], NULL, &offset))
      g_error ("there is no label %s", words[2]);
    g_assert_cmphex (outcome->err.offset, ==, GPOINTER_TO_SIZE (offset));
    g_assert_cmphex (dg_log_summary (outcome->log)->good_bytes, ==,
                     GPOINTER_TO_SIZE (offset));
  } else if (strcmp (key, "complete") == 0) {
    check_complete (outcome->log, value);
  } else {
    check_number (outcome->log, key, value);
  }
  g_strfreev (words);
}

static void
open_and_load (struct outcome *outcome, const GByteArray *bytes,
               unsigned workers)
{
  memset (outcome, 0, sizeof *outcome);
  outcome->open_code = dg_log_open_memory ("test", bytes->data, bytes->len,
                                           &outcome->log, &outcome->err);
  if (outcome->open_code < 0)
    return;
  /* Short logs have parts, too.  */
  outcome->log->part_min_bytes = 1;
  outcome->load_code = dg_log_load (outcome->log, workers, NULL, NULL,
                                    &outcome->err);
}

/* What readers give is what was loaded, whichever way they read.  */
static void
check_readers (const struct dg_log *log)
{
  char *whole = describe_accesses (log), *parts = describe_chunked (log);
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_error err = { 0 };
  struct dg_run run;
  uint64_t runs = 0, instructions = 0, accesses = 0;
  int code;

  g_assert_cmpstr (whole, ==, parts);
  while ((code = dg_reader_run (reader, &run, &err)) > 0) {
    runs++;
    instructions += run.n_instrs;
    for (unsigned i = 0; i < run.n_slots; i++)
      accesses += run.addresses[run.bbdef->slots[i].entry] != 0;
  }
  g_assert_cmpint (code, ==, 0);
  g_assert_cmpuint (runs, ==, dg_log_summary (log)->runs);
  g_assert_cmpuint (instructions, ==, dg_log_summary (log)->instructions);
  g_assert_cmpuint (accesses, ==, dg_log_summary (log)->accesses);
  dg_reader_free (reader);
  g_free (whole);
  g_free (parts);
}

/* Any number of workers finds the same.  */
static void
check_workers (const GByteArray *bytes, const struct outcome *expected)
{
  static const unsigned workers[] = { 2, 8, 0 };
  char *text = describe_contents (expected->log, true);

  for (unsigned i = 0; i < G_N_ELEMENTS (workers); i++) {
    struct outcome outcome;
    char *other;

    open_and_load (&outcome, bytes, workers[i]);
    other = describe_contents (outcome.log, true);
    g_assert_cmpstr (other, ==, text);
    g_assert_cmpint (outcome.load_code, ==, expected->load_code);
    g_assert_cmpstr (outcome.err.message, ==, expected->err.message);
    g_free (other);
    dg_log_close (outcome.log);
  }
  g_free (text);
}

static void
check_all (const GByteArray *bytes, const GPtrArray *expectations,
           GHashTable *labels, bool is_bad)
{
  struct outcome outcome;

  open_and_load (&outcome, bytes, 1);
  if (!is_bad && outcome.load_code < 0)
    g_error ("%s", outcome.err.message);
  if (is_bad)
    g_assert_true (outcome.open_code < 0 || outcome.load_code < 0);
  for (unsigned i = 0; i < expectations->len; i++)
    check (&outcome, labels, expectations->pdata[i]);
  if (outcome.log) {
    check_readers (outcome.log);
    check_workers (bytes, &outcome);
  }
  dg_log_close (outcome.log);
}

static void
test_text (gconstpointer data)
{
  const struct test *test = data;
  struct dg_asm as;
  char *text, *message;

  g_assert_true (g_file_get_contents (test->path, &text, NULL, NULL));
  dg_asm_init (&as);
  as.word_size = test->word_size;
  as.big_endian = test->big_endian;
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  check_all (as.bytes, as.expectations, as.labels, test->is_bad);
  dg_asm_fini (&as);
  g_free (text);
}

static void
test_packed (gconstpointer data)
{
  const struct test *test = data;
  const char *argv[] = { "xz", "-dc", test->path, NULL };
  char *expect_path = g_strconcat (test->path, ".expect", NULL);
  char *text, **lines;
  GPtrArray *expectations = g_ptr_array_new ();
  GSubprocess *xz;
  GBytes *out = NULL;
  GByteArray *bytes;

  xz = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  if (!xz) {
    g_test_skip ("there is no xz");
    return;
  }
  g_assert_true (g_subprocess_communicate (xz, NULL, NULL, &out, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (xz));
  g_assert_true (g_file_get_contents (expect_path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (unsigned i = 0; lines[i]; i++)
    if (lines[i][0] != '\0' && lines[i][0] != '#')
      g_ptr_array_add (expectations, lines[i]);
  bytes = g_bytes_unref_to_array (out);
  check_all (bytes, expectations, NULL, test->is_bad);
  g_byte_array_unref (bytes);
  g_ptr_array_free (expectations, TRUE);
  g_strfreev (lines);
  g_free (text);
  g_free (expect_path);
  g_object_unref (xz);
}

static void
test_free (gpointer data)
{
  struct test *test = data;

  g_free (test->path);
  g_free (test);
}

static void
add (const char *folder, const char *file, const char *kind,
     unsigned word_size, bool big_endian, GTestDataFunc function)
{
  struct test *test = g_new0 (struct test, 1);
  char *name = g_strdup_printf ("/logs/%s/%s%s", folder, file, kind);

  test->path = logs_path (folder, file);
  test->word_size = word_size;
  test->big_endian = big_endian;
  test->is_bad = strcmp (folder, "bad") == 0;
  g_test_add_data_func_full (name, test, function, test_free);
  g_free (name);
}

static bool
has_header (const char *path)
{
  char *text = NULL;
  bool found;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  found = g_regex_match_simple ("^\\s*(no)?header", text, G_REGEX_MULTILINE,
                                0);
  g_free (text);
  return found;
}

static void
add_folder (const char *folder)
{
  char *path = logs_path (folder, NULL);
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *file;

  g_assert_nonnull (dir);
  while ((file = g_dir_read_name (dir))) {
    char *full = g_build_filename (path, file, NULL);

    if (g_str_has_suffix (file, ".dg.xz")) {
      add (folder, file, "", 8, false, test_packed);
    } else if (g_str_has_suffix (file, ".dgt")) {
      add (folder, file, "", 8, false, test_text);
      if (!has_header (full)) {
        add (folder, file, "-64-big", 8, true, test_text);
        add (folder, file, "-32-little", 4, false, test_text);
        add (folder, file, "-32-big", 4, true, test_text);
      }
    }
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
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-capture.c: rings become archives.

   The recorder's side is played by fake_ring.c, in the name of child
   processes that do nothing but live.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "capture/capture_name.h"
#include "capture_test.h"
#include "core_test.h"
#include "unit_main.h"

/* ---- Whole recordings ---- */

/* Definitions stand where they are first used, as the recorder has them.  */
static const char everything[] =
  PROCESS
  "thread_start 1 0 42\n"
  "stack 1 0x7000 0x8000\n"
  "text_avma 0x400000 \"/exe\"\n"
  "module 0x400000 0x1000 0x200 [1 2 3 4] \"exe.so\"\n"
  "map 0x10000 0x4000 3 1 0x1000 \"/lib/x\"\n"
  "bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R300@2]\n"
  "context 0 [0x400000 0x400100]\n"
  "bbrun 0 3 [0x1000 0 0x1040 0x113f]\n"
  "bbrun 0 2 [0x1000 0x1020]\n"
  "track_range 0x1000 64 \"int\" \"array\"\n"
  "bbdef [0x400010+3] []\n"
  "context 1 [0x400010]\n"
  "bbrun 1 1 []\n"
  "start_event \"phase\"\n"
  "malloc_block 0x5000 16 [0x400000 0x400100]\n"
  "heap_alloc 1 1 1 24 0 0\n"
  "clock 1000\n"
  "thread_start 2 1 43\n"
  "thread_name 2 \"worker\"\n"
  "thread_switch 2\n"
  "context 0 [0x400000 0x400100 0x400200]\n"
  "bbrun 2 3 [0x1000 0x1008 0x2000 0x20ff]\n"
  "kernel_access 1 0x1000 16 0\n"
  "kernel_access 0 0x1000 16 0\n"
  "signal 2 11 0\n"
  "signal 2 11 1\n"
  "window 0 1 9\n"
  "end_event \"phase\"\n"
  "untrack_range 0x1000 64\n"
  "free_block 0x5000\n"
  "heap_free 2 2 11 [0x400200]\n"
  "window 1 1 1000\n"
  "thread_exit 2\n"
  "thread_switch 1\n"
  "bbrun 0 1 [0x3000]\n"
  "unmap 0x11000 0x1000\n"
  "module_unload 0x400000\n"
  "record 99 \"unknown\"\n"
  "record 200 7\n"
  "end exit_code=3 threads=2\n";

/* How programs are that are recorded; of the other byte order under an
   emulator only.  */
static const struct machine {
  unsigned word_size;
  bool big_endian;
} machines[] = { { 8, false }, { 4, false }, { 8, true }, { 4, true } };

static void
test_whole (gconstpointer data)
{
  const struct machine *machine = data;
  pid_t pid = capture_test_start ();
  struct fake_ring *ring;
  struct capture_test test;
  struct dg_log *log, *raw;
  struct dg_error error;
  GByteArray *bytes;
  int code;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  bytes = core_test_assemble (everything, machine->word_size,
                              machine->big_endian);
  fake_ring_put_log (ring, bytes);
  fake_ring_close (ring);
  capture_test_wait (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (test.n_ended, ==, 1);
  g_assert_true (test.is_whole);

  log = capture_test_open (&test, "log.dgz", 0);
  raw = core_test_load (bytes, 1, &code, &error);
  g_assert_cmpint (code, ==, 0);
  capture_test_compare (log, raw);
  core_test_read (log);
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* A chunk whose accesses touch no line has a list of lines all the same.  */
static void
test_no_bytes (void)
{
  static const char text[] =
    PROCESS
    "bbdef [0x400000+4] [R0@0]\n"
    "context 0 [0x400000]\n"
    "bbrun 0 1 [0x1800]\n"
    "end\n";
  pid_t pid = capture_test_start ();
  struct dg_error err = { 0 };
  struct dg_index *index;
  struct capture_test test;
  struct fake_ring *ring;
  struct dg_log *log;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, text, 8);
  fake_ring_close (ring);
  capture_test_wait (&test, 0);
  log = capture_test_open (&test, "log.dgz", 0);
  g_assert_cmpuint (dg_log_summary (log)->accesses, ==, 1);
  if (dg_index_open (log, &index, &err) < 0
      || dg_log_verify (log, 1, NULL, NULL, &err) < 0)
    g_error ("%s", err.message);
  dg_index_close (index);
  dg_log_close (log);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* The archive of a text says what its log says.  Returns its chunks.  */
static size_t
check_same (const char *text)
{
  GByteArray *bytes;
  struct dg_log *log, *raw = core_test_log (text, &bytes);
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  struct capture_test test;
  size_t n;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_log (ring, bytes);
  fake_ring_close (ring);
  capture_test_wait (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  log = capture_test_open (&test, "log.dgz", 0);
  capture_test_compare (log, raw);
  dg_log_chunks (log, &n);
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
  return n;
}

static void
test_long (void)
{
  GString *text = capture_test_long_text (100, "end threads=3\n");

  g_assert_cmpuint (check_same (text->str), >, 10);
  g_string_free (text, TRUE);
}

/* What is skipped is told in a later chunk.  */
static void
test_off (void)
{
  static const char begin[] =
    PROCESS
    "bbdef [0x400000+4] [R8@0]\n"
    "context 0 [0x400000]\n"
    "bbrun 0 1 [0x1000]\n"
    "window 0 1 1\n"
    "repeat 20000\n"
    "clock 1000\n"
    "done\n"
    "window 1 1 333\n"
    "bbrun 0 1 [0x1000]\n"
    "window 0 1 334\n"
    "repeat 20000\n"
    "clock 2000\n"
    "done\n";
  static const char *const ends[] = { "window 1 1 400\nend\n",
                                      "end icount=500\n" };

  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++) {
    char *text = g_strconcat (begin, ends[i], NULL);

    g_assert_cmpuint (check_same (text), >, 2);
    g_free (text);
  }
}

/* ---- Requests ---- */

static void
test_asked (void)
{
  pid_t pid = capture_test_start (), other = capture_test_start ();
  struct fake_ring *ring, *second, *child;
  struct dg_log *log;
  struct capture_test test;
  char *name;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, PROCESS "end why=1\n", 8);
  /* The same process after an exec, and a child.  */
  capture_test_ask (&test, pid);
  second = fake_ring_open (dg_capture_directory (test.capture), pid);
  capture_test_ask (&test, other);
  child = fake_ring_open (dg_capture_directory (test.capture), other);
  g_assert_nonnull (second);
  g_assert_nonnull (child);
  fake_ring_put_text (second, PROCESS "clock 5\nend\n", 8);
  fake_ring_put_text (child, PROCESS "clock 6\nclock 7\nend\n", 8);
  fake_ring_close (second);
  fake_ring_close (child);
  capture_test_wait (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (test.n_ended, ==, 3);
  log = capture_test_open (&test, "log.dgz", 0);
  g_assert_cmpint (dg_log_summary (log)->end_why, ==, DG_END_EXEC);
  dg_log_close (log);
  name = g_strdup_printf ("log.%d.dgz", (int) pid);
  dg_log_close (capture_test_open (&test, name, 0));
  g_free (name);
  name = g_strdup_printf ("log.%d.dgz", (int) other);
  dg_log_close (capture_test_open (&test, name, 0));
  g_free (name);
  fake_ring_free (ring);
  fake_ring_free (second);
  fake_ring_free (child);
  capture_test_kill (pid);
  capture_test_kill (other);
  capture_test_end (&test);
}

/* A fork that is told of counts as active until it asks, or is gone.  */
static void
test_announced (void)
{
  pid_t pid = capture_test_start (), child = capture_test_start ();
  char *text = g_strdup_printf (PROCESS "fork %d\nend\n", (int) child);
  struct fake_ring *ring;
  struct capture_test test;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, text, 8);
  fake_ring_close (ring);
  capture_test_wait_event (&test, &test.n_ended);
  capture_test_wait (&test, 1);
  capture_test_kill (child);
  capture_test_wait (&test, 0);
  g_free (text);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* ---- Names ---- */

static void
check_name (GHashTable *used, const char *template, uint64_t pid,
            const char *expected)
{
  struct dg_error error = { 0 };
  char *name = dg_capture_name (template, pid, used, &error);

  g_assert_cmpstr (name, ==, expected);
  g_assert_cmpint (error.code, ==, expected ? 0 : DG_ERR_INVALID);
  g_free (name);
}

static void
test_names (void)
{
  GHashTable *used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            NULL);

  check_name (used, "a.%p.dgz", 12, "a.12.dgz");
  check_name (used, "a.%p.dgz", 13, "a.13.dgz");
  check_name (used, "a.%p.dgz", 12, "a.12.2.dgz");
  check_name (used, "a.%p.dgz", 12, "a.12.3.dgz");
  check_name (used, "d.x/prog.dgz", 12, "d.x/prog.dgz");
  check_name (used, "d.x/prog.dgz", 13, "d.x/prog.13.dgz");
  check_name (used, "d.x/prog.dgz", 13, "d.x/prog.13.2.dgz");
  check_name (used, "d.x/prog", 12, "d.x/prog");
  check_name (used, "d.x/prog", 13, "d.x/prog.13");
  check_name (used, ".hidden", 1, ".hidden");
  check_name (used, ".hidden", 2, ".hidden.2");
  check_name (used, "%q{DG_TEST_NAME}%%", 1, "value%");
  check_name (used, "/dev/null", 1, "/dev/null");
  check_name (used, "/dev/null", 2, "/dev/null");
  check_name (used, "%q{DG_TEST_NO_NAME}", 1, NULL);
  check_name (used, "%q", 1, NULL);
  check_name (used, "%q{x", 1, NULL);
  check_name (used, "a%", 1, NULL);
  check_name (used, "a%x", 1, NULL);
  check_name (used, "", 1, NULL);
  g_hash_table_destroy (used);
}

/* ---- Options ---- */

static void
test_options (void)
{
  enum { SIZE = sizeof (struct dg_capture_options) };
  const struct dg_capture_options bad[] = {
    {.output = "no-size"},
    {.size = SIZE, .output = ""},
    {.size = SIZE, .output = "%x"},
    {.size = SIZE, .output = "a", .ring_bytes = 3 << 20},
    {.size = SIZE, .output = "a", .ring_bytes = 4096},
    {.size = SIZE, .output = "a", .level = 20},
    {.size = SIZE, .output = "a", .level = -1},
    {.size = SIZE, .output = "a", .directory = "/none/no"}};

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    struct dg_error error = { 0 };

    g_assert_null (dg_capture_new (&bad[i], &error));
    g_assert_cmpint (error.code, <, 0);
    g_assert_cmpstr (error.message, !=, "");
  }
  dg_capture_free (NULL);
}

static int
run_tests (int argc, char **argv)
{
  g_setenv ("DG_TEST_NAME", "value", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++) {
    char *name = g_strdup_printf ("/capture/whole/%u/%s",
                                  8 * machines[i].word_size,
                                  machines[i].big_endian ? "big" : "little");

    g_test_add_data_func (name, &machines[i], test_whole);
    g_free (name);
  }
  g_test_add_func ("/capture/no-bytes", test_no_bytes);
  g_test_add_func ("/capture/long", test_long);
  g_test_add_func ("/capture/off", test_off);
  g_test_add_func ("/capture/asked", test_asked);
  g_test_add_func ("/capture/announced", test_announced);
  g_test_add_func ("/capture/names", test_names);
  g_test_add_func ("/capture/options", test_options);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

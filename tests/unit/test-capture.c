/* test-capture.c: rings become archives, whatever happens meanwhile.

   The recorder's side is played by fake_ring.c, in the name of child
   processes that do nothing but live.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"
#include "core_test.h"
#include "describe.h"
#include "fake_ring.h"

/* ---- A capture with its surroundings ---- */

struct test {
  char *folder;
  struct dg_capture *capture;
  GMutex lock;
  GString *events;         /* their texts, a line each */
  unsigned n_failed, n_ended;
  bool is_whole;           /* the last that ended */
};

static void
on_event (void *user, const struct dg_capture_event *event)
{
  struct test *test = user;

  g_mutex_lock (&test->lock);
  if (event->text)
    g_string_append_printf (test->events, "%s\n", event->text);
  test->n_failed += event->type == DG_CAPTURE_FAILED;
  test->n_ended += event->type == DG_CAPTURE_ENDED;
  if (event->type == DG_CAPTURE_ENDED)
    test->is_whole = event->recording->is_whole;
  g_mutex_unlock (&test->lock);
}

/* options: NULL, or what differs from the usual.  */
static void
begin (struct test *test, const struct dg_capture_options *options)
{
  struct dg_capture_options own = { 0 };
  struct dg_error error = { 0 };
  char *output;

  if (options)
    own = *options;
  *test = (struct test) { 0 };
  g_mutex_init (&test->lock);
  test->events = g_string_new (NULL);
  test->folder = g_dir_make_tmp ("dg-test-XXXXXX", NULL);
  output = g_build_filename (test->folder,
                             own.output ? own.output : "log.dgz", NULL);
  own.output = output;
  own.directory = test->folder;
  if (own.ring_bytes == 0)
    own.ring_bytes = DG_RING_MIN;
  if (own.workers == 0)
    own.workers = 2;
  own.event = on_event;
  own.user = test;
  test->capture = dg_capture_new (&own, &error);
  g_assert_cmpstr (error.message, ==, "");
  g_assert_nonnull (test->capture);
  g_free (output);
}

static size_t
active (struct test *test)
{
  struct dg_capture_status status;

  dg_capture_status (test->capture, &status);
  return status.active;
}

/* Until so many are active.  */
static void
wait_active (struct test *test, size_t n)
{
  for (int i = 0; i < 10000 && active (test) != n; i++)
    g_usleep (1000);
  g_assert_cmpuint (active (test), ==, n);
}

static void
end (struct test *test)
{
  GDir *dir;
  const char *name;

  dg_capture_free (test->capture);
  dir = g_dir_open (test->folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL) {
    char *path = g_build_filename (test->folder, name, NULL);

    /* Archives only: the private folder is gone.  */
    g_assert_true (g_str_has_suffix (name, ".dgz"));
    g_unlink (path);
    g_free (path);
  }
  g_dir_close (dir);
  g_assert_cmpint (g_rmdir (test->folder), ==, 0);
  g_free (test->folder);
  g_string_free (test->events, TRUE);
  g_mutex_clear (&test->lock);
}

/* A process that lives until it is killed.  */
static pid_t
start_process (void)
{
  pid_t pid = fork ();

  if (pid == 0) {
    signal (SIGALRM, SIG_DFL);
    alarm (120);
    for (;;)
      pause ();
  }
  g_assert_cmpint (pid, >, 0);
  return pid;
}

static void
end_process (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static struct fake_ring *
expect (struct test *test, pid_t pid)
{
  struct dg_error error = { 0 };
  struct fake_ring *ring;

  dg_capture_expect (test->capture, pid, &error);
  g_assert_cmpstr (error.message, ==, "");
  ring = fake_ring_open (dg_capture_directory (test->capture), pid);
  g_assert_nonnull (ring);
  return ring;
}

static struct dg_log *
open_archive (struct test *test, const char *name, int expected_code)
{
  char *path = g_build_filename (test->folder, name, NULL);
  struct dg_error error = { 0 };
  struct dg_log *log;
  int code = dg_log_open (path, &log, &error);

  g_assert_cmpstr (error.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  code = dg_log_load (log, 2, NULL, NULL, &error);
  if (code != expected_code)
    g_error ("%s: %s", path, error.message);
  g_free (path);
  return log;
}

/* The line of a text that has this byte; to be freed.  */
static char *
line_at (const char *text, size_t at)
{
  size_t start = at;

  while (start > 0 && text[start - 1] != '\n')
    start--;
  return g_strndup (text + start, at - start + strcspn (text + at, "\n"));
}

/* Frees both.  Of long texts, the first lines that differ are shown.  */
static void
compare_texts (char *a, char *b)
{
  size_t at = 0;

  while (a[at] && a[at] == b[at])
    at++;
  if (a[at] != b[at]) {
    char *line = line_at (a, at), *other = line_at (b, at);

    g_assert_cmpstr (line, ==, other);
  }
  g_free (a);
  g_free (b);
}

/* Where chunks begin is the one thing that may differ.  */
static char *
contents (const struct dg_log *log)
{
  char *text = describe_contents (log, false);
  char *chunks = strstr (text, "\nchunk ");

  g_assert_nonnull (chunks);
  chunks[1] = '\0';
  return text;
}

/* Both logs say the same.  */
static void
compare (const struct dg_log *log, const struct dg_log *other)
{
  compare_texts (contents (log), contents (other));
  compare_texts (describe_accesses (log), describe_accesses (other));
}

/* ---- Whole recordings ---- */

#define PROCESS \
  "process 42 1 7 8 4096 64 4 30 \"0.1\" \"3.19\" \"amd64\" \"/exe\"" \
  " \"/cwd\" [\"exe\" \"arg\"]\n"

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

static void
test_whole (gconstpointer data)
{
  unsigned word_size = GPOINTER_TO_UINT (data);
  pid_t pid = start_process ();
  struct fake_ring *ring;
  struct test test;
  struct dg_log *log, *raw;
  struct dg_error error;
  GByteArray *bytes;
  int code;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, everything, word_size);
  fake_ring_close (ring);
  wait_active (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (test.n_ended, ==, 1);
  g_assert_true (test.is_whole);

  log = open_archive (&test, "log.dgz", 0);
  bytes = core_test_assemble (everything, word_size,
                              G_BYTE_ORDER == G_BIG_ENDIAN);
  raw = core_test_load (bytes, 1, &code, &error);
  g_assert_cmpint (code, ==, 0);
  compare (log, raw);
  core_test_read (log);
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
}

/* Numbers that no packer foresees.  */
static uint32_t
scatter (uint32_t i)
{
  i = (i ^ i >> 15) * 2246822519u;
  i = (i ^ i >> 13) * 3266489917u;
  return i ^ i >> 16;
}

/* A long log of n times 1000 runs: many chunks, many times around the smallest
   ring.  The text repeats, so that it is not as long.  */
static GString *
long_text (unsigned n, const char *last)
{
  GString *text = g_string_new (PROCESS);

  for (unsigned i = 0; i < n; i++) {
    unsigned block = i % 40;

    if (i < 40)
      g_string_append_printf (text, "bbdef [0x%x+4] [R8@0 W8@0]\n"
                              "context %u [0x%x 0x123 0x%x]\n",
                              0x400000 + 16 * block, block,
                              0x400000 + 16 * block, i);
    g_string_append_printf (text, "thread_switch %u\nrepeat 10\n"
                            "malloc_block 0x%x 16 [0x400000]\n"
                            "heap_alloc %u 1 1 24 0 0\n",
                            1 + i % 3, 0x100000 + i, i + 1);
    for (unsigned j = 100 * i; j < 100 * (i + 1); j++)
      g_string_append_printf (text, "bbrun %u 1 [0x%x 0x%x]\n", block,
                              0x10000000 + 8 * j,
                              0x20000000 + scatter (j) % (1 << 24));
    g_string_append (text, "done\n");
  }
  g_string_append (text, last);
  return text;
}

static void
test_long (void)
{
  GString *text = long_text (100, "end threads=3\n");
  GByteArray *bytes;
  struct dg_log *log, *raw = core_test_log (text->str, &bytes);
  struct fake_ring *ring;
  pid_t pid = start_process ();
  struct test test;
  size_t n;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_log (ring, bytes);
  fake_ring_close (ring);
  wait_active (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  log = open_archive (&test, "log.dgz", 0);
  compare (log, raw);
  dg_log_chunks (log, &n);
  g_assert_cmpuint (n, >, 10);
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
}

/* ---- Ends that are none ---- */

static void
test_killed (void)
{
  GString *text = long_text (3, "");
  struct fake_ring *ring;
  pid_t pid = start_process ();
  struct dg_log *log;
  struct test test;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  end_process (pid);
  wait_active (&test, 0);
  g_assert_nonnull (strstr (test.events->str, "the program was killed"));
  g_assert_cmpuint (test.n_failed, ==, 0);
  g_assert_false (test.is_whole);
  log = open_archive (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
  g_assert_cmpuint (dg_log_summary (log)->runs, ==, 3000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  end (&test);
}

static void
test_stopped (void)
{
  GString *text = long_text (3, "");
  struct fake_ring *ring;
  pid_t pid = start_process ();
  struct dg_log *log;
  struct test test;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  dg_capture_stop (test.capture);
  wait_active (&test, 0);
  g_assert_cmpuint (ring->header->stop, !=, 0);
  g_assert_nonnull (strstr (test.events->str, "recording was stopped"));
  log = open_archive (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpuint (dg_log_summary (log)->runs, ==, 3000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
}

/* The process never came, and nothing is left of it.  */
static void
test_never_attached (void)
{
  struct dg_error error = { 0 };
  pid_t pid = start_process ();
  struct test test;
  char *path;

  begin (&test, NULL);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), ==, 0);
  g_assert_cmpuint (active (&test), ==, 1);
  end_process (pid);
  wait_active (&test, 0);
  g_assert_cmpuint (test.n_ended, ==, 0);
  path = g_build_filename (test.folder, "log.dgz", NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_free (path);
  end (&test);
}

static void
test_max_size (void)
{
  GString *text = long_text (100, "end threads=3\n");
  const struct dg_capture_options options = { .max_bytes = 25000 };
  const struct dg_summary *summary;
  struct fake_ring *ring;
  pid_t pid = start_process ();
  struct dg_log *log;
  struct test test;

  begin (&test, &options);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  wait_active (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (ring->header->stop, ==, DG_END_MAX_SIZE);
  log = open_archive (&test, "log.dgz", 0);
  summary = dg_log_summary (log);
  g_assert_cmpint (summary->end_why, ==, DG_END_MAX_SIZE);
  g_assert_cmpuint (summary->runs, >, 0);
  g_assert_cmpuint (summary->runs, <, 100000);
  g_assert_cmpuint (summary->windows, ==, 1);
  g_assert_cmpuint (dg_log_header (log)->file_size, <=, 25000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
}

/* ---- Requests ---- */

static void
ask (struct test *test, pid_t pid)
{
  char *want = dg_capture_place_file (&test->capture->place, pid, "want");

  g_assert_true (g_file_set_contents (want, "", 0, NULL));
  g_free (want);
}

static void
test_asked (void)
{
  pid_t pid = start_process (), other = start_process ();
  struct fake_ring *ring, *second, *child;
  struct dg_log *log;
  struct test test;
  char *name;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, PROCESS "end why=1\n", 8);
  /* The same process after an exec, and a child.  */
  ask (&test, pid);
  second = fake_ring_open (dg_capture_directory (test.capture), pid);
  ask (&test, other);
  child = fake_ring_open (dg_capture_directory (test.capture), other);
  g_assert_nonnull (second);
  g_assert_nonnull (child);
  fake_ring_put_text (second, PROCESS "clock 5\nend\n", 8);
  fake_ring_put_text (child, PROCESS "clock 6\nclock 7\nend\n", 8);
  fake_ring_close (second);
  fake_ring_close (child);
  wait_active (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (test.n_ended, ==, 3);
  log = open_archive (&test, "log.dgz", 0);
  g_assert_cmpint (dg_log_summary (log)->end_why, ==, DG_END_EXEC);
  dg_log_close (log);
  name = g_strdup_printf ("log.%d.dgz", (int) pid);
  dg_log_close (open_archive (&test, name, 0));
  g_free (name);
  name = g_strdup_printf ("log.%d.dgz", (int) other);
  dg_log_close (open_archive (&test, name, 0));
  g_free (name);
  fake_ring_free (ring);
  fake_ring_free (second);
  fake_ring_free (child);
  end_process (pid);
  end_process (other);
  end (&test);
}

/* A fork that is told of counts as active until it asks, or is gone.  */
static void
test_announced (void)
{
  pid_t pid = start_process (), child = start_process ();
  char *text = g_strdup_printf (PROCESS "fork %d\nend\n", (int) child);
  struct fake_ring *ring;
  struct test test;

  begin (&test, NULL);
  ring = expect (&test, pid);
  fake_ring_put_text (ring, text, 8);
  fake_ring_close (ring);
  for (int i = 0; i < 5000 && test.n_ended == 0; i++)
    g_usleep (1000);
  g_assert_cmpuint (active (&test), ==, 1);
  end_process (child);
  wait_active (&test, 0);
  g_free (text);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
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

/* ---- What cannot be ---- */

static void
test_no_output (void)
{
  const struct dg_capture_options options = { .output = "none/log.dgz" };
  struct dg_error error = { 0 };
  pid_t pid = start_process ();
  struct test test;

  begin (&test, &options);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), <, 0);
  g_assert_nonnull (strstr (error.message, "none/log.dgz"));
  g_assert_cmpuint (active (&test), ==, 0);
  end_process (pid);
  end (&test);
}

/* The ring is larger than a file may be.  */
static void
test_no_memory (void)
{
  const struct rlimit limit = { 1 << 20, RLIM_INFINITY };
  struct dg_error error = { 0 };
  pid_t pid = start_process ();
  struct rlimit old;
  struct test test;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  begin (&test, NULL);
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), <, 0);
  g_assert_nonnull (strstr (error.message, "no memory for a ring"));
  /* A child that asks is told.  */
  ask (&test, pid);
  for (int i = 0; i < 5000 && test.n_failed == 0; i++)
    g_usleep (1000);
  g_assert_nonnull (strstr (test.events->str, "no memory for a ring"));
  setrlimit (RLIMIT_FSIZE, &old);
  end_process (pid);
  end (&test);
}

static void
test_disk_full (void)
{
  GString *text = long_text (100, "end threads=3\n");
  const struct rlimit limit = { 25000, RLIM_INFINITY };
  struct fake_ring *ring;
  pid_t pid = start_process ();
  struct rlimit old;
  struct dg_log *log;
  struct test test;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  begin (&test, NULL);
  ring = expect (&test, pid);
  setrlimit (RLIMIT_FSIZE, &limit);
  fake_ring_put_text (ring, text->str, 8);
  wait_active (&test, 0);
  setrlimit (RLIMIT_FSIZE, &old);
  g_assert_cmpuint (test.n_failed, ==, 1);
  g_assert_nonnull (strstr (test.events->str, "recording has stopped"));
  g_assert_cmpuint (ring->header->stop, ==, DG_END_OUTPUT);
  g_assert_false (test.is_whole);
  log = open_archive (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpuint (dg_log_summary (log)->runs, >, 0);
  g_assert_cmpuint (dg_log_summary (log)->runs, <, 100000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  end_process (pid);
  end (&test);
}

/* ---- Mad programs ---- */

#define GOOD PROCESS \
  "bbdef [0x400000+4] [R8@0]\ncontext 0 [0x400000]\n" \
  "bbrun 0 1 [0x1000]\nbbrun 0 1 [0x1008]\n"

static void
put_record (struct fake_ring *ring, const void *bytes, size_t n)
{
  fake_ring_put (ring, DG_RING_RECORD, bytes, n);
}

/* One way to be mad behind two good runs.  */
static void
do_bad (struct fake_ring *ring, unsigned way)
{
  uint32_t all = ring->header->data_size / DG_RING_UNIT;
  const uint64_t run = UINT64_C (1) << 5 | 2, words[] = { run, 1, 77 << 5 };
  const uint32_t big[4] = { UINT32_MAX, 1, 1, 1 };
  uint8_t *end = ring->data + (size_t) (ring->head % all) * DG_RING_UNIT;
  const struct dg_ring_message heads[] = {
    { 99, 8 }, { DG_RING_RUNS, DG_RING_MESSAGE_MAX + 1 },
    { DG_RING_RUNS, UINT32_MAX }, { DG_RING_RECORD, 4096 }
  };

  switch (way) {
  case 0: case 1: case 2: case 3:
    memcpy (end, &heads[way], 8);
    ring->head += 2;
    fake_ring_tell (ring);
    break;
  case 4: put_record (ring, "", 0); break;
  case 5: put_record (ring, "\x05\x04" "ab", 4); break;
  case 6: put_record (ring, "\x05\x02" "ab", 4); break;
  case 7: put_record (ring, "\x00\x0e" "DATAGRIND1\0\1\0\x8", 16); break;
  case 8: put_record (ring, "\x0d\x01" "a", 3); break;
  case 9: put_record (ring, "\x09\x18" "aaaaaaaabbbbbbbbcccccccc", 26); break;
  case 10: fake_ring_put (ring, DG_RING_RUNS, words, sizeof words); break;
  case 11: fake_ring_put (ring, DG_RING_RUNS, words, 8); break;
  case 12: fake_ring_put (ring, DG_RING_SKIP, words, 4); break;
  case 13:
    fake_ring_put (ring, DG_RING_SKIP, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
    break;
  case 14: fake_ring_put (ring, DG_RING_BLOCK, big, 8); break;
  case 15: fake_ring_put (ring, DG_RING_BLOCK, big, 16); break;
  case 16: fake_ring_put (ring, DG_RING_VARIANTS, big, 16); break;
  case 17: fake_ring_put (ring, DG_RING_VARIANTS, big, 15); break;
  case 18: fake_ring_put (ring, DG_RING_NODES, big, 16); break;
  case 19:
    /* When what was good has been read.  */
    g_usleep (100000);
    __atomic_store_n (&ring->header->head, ring->head + all + 5,
                      __ATOMIC_RELEASE);
    break;
  default:
    g_assert_not_reached ();
  }
}

static void
test_mad (void)
{
  pid_t pid = start_process ();

  for (unsigned way = 0; way < 20; way++) {
    struct fake_ring *ring;
    struct dg_log *log;
    struct test test;

    begin (&test, NULL);
    ring = expect (&test, pid);
    fake_ring_put_text (ring, GOOD, 8);
    do_bad (ring, way);
    wait_active (&test, 0);
    g_test_message ("%u: %s", way, test.events->str);
    g_assert_cmpuint (test.n_failed, ==, 1);
    g_assert_cmpuint (ring->header->stop, ==, DG_END_OUTPUT);
    log = open_archive (&test, "log.dgz", 0);
    g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
    g_assert_cmpuint (dg_log_summary (log)->runs, >=, 2);
    g_assert_cmpuint (dg_log_summary (log)->runs, <=, 3);
    dg_log_close (log);
    fake_ring_free (ring);
    end (&test);
  }
  end_process (pid);
}

/* No good beginning: there is no archive.  */
static void
test_mad_beginning (void)
{
  pid_t pid = start_process ();

  for (unsigned way = 0; way < 4; way++) {
    struct fake_ring *ring;
    struct test test;

    begin (&test, NULL);
    ring = expect (&test, pid);
    if (way == 0)
      fake_ring_put (ring, DG_RING_RUNS, "aaaaaaaa", 8);
    else if (way == 1)
      put_record (ring, "\x05\x02" "a", 4);
    else if (way == 2)
      put_record (ring, "\x00\x0e" "DATAGRIND1\0\x7\0\x8", 16);
    else
      put_record (ring, G_BYTE_ORDER == G_LITTLE_ENDIAN
                          ? "\x00\x0e" "DATAGRIND1\0\1\1\x8"
                          : "\x00\x0e" "DATAGRIND1\0\1\0\x8", 16);
    wait_active (&test, 0);
    g_assert_cmpuint (test.n_failed, ==, 1);
    g_assert_cmpuint (test.n_ended, ==, 0);
    fake_ring_free (ring);
    end (&test);
  }
  end_process (pid);
}

/* Anything at all in the ring.  */
static void
test_garbage (void)
{
  pid_t pid = start_process ();
  unsigned rounds = g_test_thorough () ? 300 : 30;

  for (unsigned i = 0; i < rounds; i++) {
    struct fake_ring *ring;
    struct test test;
    uint64_t words[64];

    begin (&test, NULL);
    ring = expect (&test, pid);
    fake_ring_put_text (ring, GOOD, 8);
    for (unsigned j = 0; j < 200; j++) {
      for (unsigned k = 0; k < G_N_ELEMENTS (words); k++)
        words[k] = (uint64_t) g_test_rand_int_range (0, 4) << 32
                   | (uint32_t) g_test_rand_int_range (0, 300);
      fake_ring_put (ring, g_test_rand_int_range (1, 7), words,
                     g_test_rand_int_range (0, sizeof words));
    }
    fake_ring_close (ring);
    wait_active (&test, 0);
    fake_ring_free (ring);
    end (&test);
  }
  end_process (pid);
}

/* ---- Options ---- */

static void
test_options (void)
{
  const struct dg_capture_options bad[] = {
    { .output = "" }, { .output = "%x" },
    { .output = "a", .ring_bytes = 3 << 20 },
    { .output = "a", .ring_bytes = 4096 }, { .output = "a", .level = 20 },
    { .output = "a", .level = -1 }, { .output = "a", .directory = "/none/no" }
  };

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    struct dg_error error = { 0 };

    g_assert_null (dg_capture_new (&bad[i], &error));
    g_assert_cmpint (error.code, <, 0);
    g_assert_cmpstr (error.message, !=, "");
  }
  dg_capture_free (NULL);
}

int
main (int argc, char **argv)
{
  g_setenv ("DG_TEST_NAME", "value", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/capture/whole/64", GUINT_TO_POINTER (8),
                        test_whole);
  g_test_add_data_func ("/capture/whole/32", GUINT_TO_POINTER (4),
                        test_whole);
  g_test_add_func ("/capture/long", test_long);
  g_test_add_func ("/capture/killed", test_killed);
  g_test_add_func ("/capture/stopped", test_stopped);
  g_test_add_func ("/capture/never-attached", test_never_attached);
  g_test_add_func ("/capture/max-size", test_max_size);
  g_test_add_func ("/capture/asked", test_asked);
  g_test_add_func ("/capture/announced", test_announced);
  g_test_add_func ("/capture/names", test_names);
  g_test_add_func ("/capture/no-output", test_no_output);
  g_test_add_func ("/capture/no-memory", test_no_memory);
  g_test_add_func ("/capture/disk-full", test_disk_full);
  g_test_add_func ("/capture/mad", test_mad);
  g_test_add_func ("/capture/mad-beginning", test_mad_beginning);
  g_test_add_func ("/capture/garbage", test_garbage);
  g_test_add_func ("/capture/options", test_options);
  return g_test_run ();
}

/* test-capture-faults.c: whatever happens while rings become archives

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "capture_test.h"
#include "core_test.h"
#include "unit_main.h"

/* ---- Ends that are none ---- */

static void
test_killed (void)
{
  GString *text = capture_test_long_text (3, "");
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  struct dg_log *log;
  struct capture_test test;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  capture_test_kill (pid);
  capture_test_wait (&test, 0);
  g_assert_nonnull (strstr (test.events->str, "the program was killed"));
  g_assert_cmpuint (test.n_failed, ==, 0);
  g_assert_false (test.is_whole);
  log = capture_test_open (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
  g_assert_cmpuint (dg_log_summary (log)->runs, ==, 3000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  capture_test_end (&test);
}

static void
test_stopped (void)
{
  GString *text = capture_test_long_text (3, "");
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  struct dg_log *log;
  struct capture_test test;

  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  dg_capture_stop (test.capture);
  capture_test_wait (&test, 0);
  g_assert_cmpuint (ring->header->stop, !=, 0);
  g_assert_nonnull (strstr (test.events->str, "recording was stopped"));
  log = capture_test_open (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpuint (dg_log_summary (log)->runs, ==, 3000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* The process never came, and nothing is left of it.  */
static void
test_never_attached (void)
{
  struct dg_error error = { 0 };
  pid_t pid = capture_test_start ();
  struct capture_test test;
  char *path;

  capture_test_begin (&test, NULL);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), ==, 0);
  g_assert_cmpuint (capture_test_active (&test), ==, 1);
  capture_test_kill (pid);
  capture_test_wait (&test, 0);
  g_assert_cmpuint (test.n_ended, ==, 0);
  path = g_build_filename (test.folder, "log.dgz", NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_free (path);
  capture_test_end (&test);
}

static void
test_max_size (void)
{
  GString *text = capture_test_long_text (100, "end threads=3\n");
  const struct dg_capture_options options = {.size = sizeof options,
                                             .max_bytes = 25000};
  const struct dg_summary *summary;
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  struct dg_log *log;
  struct capture_test test;

  capture_test_begin (&test, &options);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_text (ring, text->str, 8);
  capture_test_wait (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_cmpuint (ring->header->stop, ==, DG_END_MAX_SIZE);
  log = capture_test_open (&test, "log.dgz", 0);
  summary = dg_log_summary (log);
  g_assert_cmpint (summary->end_why, ==, DG_END_MAX_SIZE);
  g_assert_cmpuint (summary->runs, >, 0);
  g_assert_cmpuint (summary->runs, <, 100000);
  g_assert_cmpuint (summary->windows, ==, 1);
  g_assert_cmpuint (dg_log_header (log)->file_size, <=, 25000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* ---- What cannot be ---- */

static void
test_no_output (void)
{
  const struct dg_capture_options options = {.size = sizeof options,
                                             .output = "none/log.dgz"};
  struct dg_error error = { 0 };
  pid_t pid = capture_test_start ();
  struct capture_test test;

  capture_test_begin (&test, &options);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), ==,
                   DG_ERR_IO);
  g_assert_nonnull (strstr (error.message, "none/log.dgz"));
  g_assert_cmpuint (capture_test_active (&test), ==, 0);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* The name was good when the capture began.  */
static void
test_no_name (void)
{
  const struct dg_capture_options options = {.size = sizeof options,
                                             .output = "%q{DG_TEST_NAME}.dgz"};
  struct dg_error error = { 0 };
  pid_t pid = capture_test_start ();
  struct capture_test test;

  g_setenv ("DG_TEST_NAME", "log", TRUE);
  capture_test_begin (&test, &options);
  g_unsetenv ("DG_TEST_NAME");
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), ==,
                   DG_ERR_INVALID);
  g_assert_cmpint (error.code, ==, DG_ERR_INVALID);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, NULL), ==,
                   DG_ERR_INVALID);
  capture_test_kill (pid);
  capture_test_end (&test);
}

/* The ring is larger than a file may be.  */
static void
test_no_memory (void)
{
  const struct rlimit limit = { 1 << 20, RLIM_INFINITY };
  struct dg_error error = { 0 };
  pid_t pid = capture_test_start ();
  struct rlimit old;
  struct capture_test test;
  char *told;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  capture_test_begin (&test, NULL);
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_cmpint (dg_capture_expect (test.capture, pid, &error), <, 0);
  g_assert_nonnull (strstr (error.message, "not enough memory for a ring"));
  /* A child that asks is told.  */
  capture_test_ask (&test, pid);
  capture_test_wait_event (&test, &test.n_failed);
  told = capture_test_events (&test);
  g_assert_nonnull (strstr (told, "not enough memory for a ring"));
  g_free (told);
  setrlimit (RLIMIT_FSIZE, &old);
  capture_test_kill (pid);
  capture_test_end (&test);
}

static void
test_disk_full (void)
{
  GString *text = capture_test_long_text (100, "end threads=3\n");
  const struct rlimit limit = { 25000, RLIM_INFINITY };
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  struct rlimit old;
  struct dg_log *log;
  struct capture_test test;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  capture_test_begin (&test, NULL);
  ring = capture_test_expect (&test, pid);
  setrlimit (RLIMIT_FSIZE, &limit);
  fake_ring_put_text (ring, text->str, 8);
  capture_test_wait (&test, 0);
  setrlimit (RLIMIT_FSIZE, &old);
  g_assert_cmpuint (test.n_failed, ==, 1);
  g_assert_nonnull (strstr (test.events->str, "recording has stopped"));
  g_assert_cmpuint (ring->header->stop, ==, DG_END_OUTPUT);
  g_assert_false (test.is_whole);
  log = capture_test_open (&test, "log.dgz", DG_ERR_TRUNCATED);
  g_assert_cmpuint (dg_log_summary (log)->runs, >, 0);
  g_assert_cmpuint (dg_log_summary (log)->runs, <, 100000);
  dg_log_close (log);
  g_string_free (text, TRUE);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
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
  case 20: put_record (ring, "\x0e\x01" "a", 3); break;
  case 19:
    /* When what was good has been read.  */
    for (int i = 0; i < 600000
                    && __atomic_load_n (&ring->header->tail, __ATOMIC_ACQUIRE)
                         != ring->head; i++)
      g_usleep (1000);
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
  pid_t pid = capture_test_start ();

  for (unsigned way = 0; way <= 20; way++) {
    struct fake_ring *ring;
    struct dg_log *log;
    struct capture_test test;

    capture_test_begin (&test, NULL);
    ring = capture_test_expect (&test, pid);
    fake_ring_put_text (ring, GOOD, 8);
    do_bad (ring, way);
    capture_test_wait (&test, 0);
    g_test_message ("%u: %s", way, test.events->str);
    g_assert_cmpuint (test.n_failed, ==, 1);
    g_assert_cmpuint (ring->header->stop, ==, DG_END_OUTPUT);
    log = capture_test_open (&test, "log.dgz", 0);
    g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
    g_assert_cmpuint (dg_log_summary (log)->runs, >=, 2);
    g_assert_cmpuint (dg_log_summary (log)->runs, <=, 3);
    dg_log_close (log);
    fake_ring_free (ring);
    capture_test_end (&test);
  }
  capture_test_kill (pid);
}

/* No good beginning: there is no archive.  */
static void
test_mad_beginning (void)
{
  pid_t pid = capture_test_start ();

  for (unsigned way = 0; way < 4; way++) {
    struct fake_ring *ring;
    struct capture_test test;

    capture_test_begin (&test, NULL);
    ring = capture_test_expect (&test, pid);
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
    capture_test_wait (&test, 0);
    g_assert_cmpuint (test.n_failed, ==, 1);
    g_assert_cmpuint (test.n_ended, ==, 0);
    fake_ring_free (ring);
    capture_test_end (&test);
  }
  capture_test_kill (pid);
}

/* Anything at all in the ring.  */
static void
test_garbage (void)
{
  pid_t pid = capture_test_start ();
  unsigned rounds = g_test_thorough () ? 300 : 30;

  for (unsigned i = 0; i < rounds; i++) {
    struct fake_ring *ring;
    struct capture_test test;
    uint64_t words[64];

    capture_test_begin (&test, NULL);
    ring = capture_test_expect (&test, pid);
    fake_ring_put_text (ring, GOOD, 8);
    for (unsigned j = 0; j < 200; j++) {
      for (unsigned k = 0; k < G_N_ELEMENTS (words); k++)
        words[k] = (uint64_t) g_test_rand_int_range (0, 4) << 32
                   | (uint32_t) g_test_rand_int_range (0, 300);
      fake_ring_put (ring, g_test_rand_int_range (1, 7), words,
                     g_test_rand_int_range (0, sizeof words));
    }
    fake_ring_close (ring);
    capture_test_wait (&test, 0);
    fake_ring_free (ring);
    capture_test_end (&test);
  }
  capture_test_kill (pid);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture/killed", test_killed);
  g_test_add_func ("/capture/stopped", test_stopped);
  g_test_add_func ("/capture/never-attached", test_never_attached);
  g_test_add_func ("/capture/max-size", test_max_size);
  g_test_add_func ("/capture/no-output", test_no_output);
  g_test_add_func ("/capture/no-name", test_no_name);
  g_test_add_func ("/capture/no-memory", test_no_memory);
  g_test_add_func ("/capture/disk-full", test_disk_full);
  g_test_add_func ("/capture/mad", test_mad);
  g_test_add_func ("/capture/mad-beginning", test_mad_beginning);
  g_test_add_func ("/capture/garbage", test_garbage);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

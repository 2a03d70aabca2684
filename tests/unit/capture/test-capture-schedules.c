/* test-capture-schedules.c: a ring whose two sides are delayed anywhere: what
   is packed is what was sent.

   DG_TEST_SCHEDULES=N: so many of each, for a longer search;
   DG_TEST_SEED=N: beginning with this one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "capture_test.h"
#include "core_test.h"
#include "delays.h"
#include "describe.h"
#include "unit_main.h"

#define SCHEDULES 8
#define MAX_US 4000

static unsigned
number_of (const char *name, unsigned usual)
{
  const char *value = g_getenv (name);
  return value != NULL ? strtoul (value, NULL, 0) : usual;
}

/* Each seed has its own number of workers, so that chunks are packed in order,
   or not.  */
static void
begin (struct capture_test *test, unsigned seed)
{
  const struct dg_capture_options options
    = {.size = sizeof options, .workers = 1 + seed % 4};
  capture_test_begin (test, &options);
}

/* ---- The whole of it ------------------------------------------------- */

static void
check_whole (const GByteArray *bytes, const struct dg_log *raw, unsigned seed)
{
  struct capture_test test;
  struct delays *delays;
  struct fake_ring *ring;
  pid_t pid = capture_test_start ();
  begin (&test, seed);
  delays = delays_begin (seed, MAX_US);
  ring = capture_test_expect (&test, pid);
  fake_ring_put_log (ring, bytes);
  fake_ring_close (ring);
  capture_test_wait (&test, 0);
  g_assert_cmpuint (delays_end (delays), >, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  g_assert_true (test.is_whole);
  struct dg_log *log = capture_test_open (&test, "log.dgz", 0);
  capture_test_compare (log, raw);
  dg_log_close (log);
  fake_ring_free (ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

static void
test_whole (void)
{
  unsigned n = number_of ("DG_TEST_SCHEDULES", SCHEDULES);
  unsigned first = number_of ("DG_TEST_SEED", 1);
  GString *text = capture_test_long_text (40, "end threads=3\n");
  GByteArray *bytes;
  struct dg_log *raw = core_test_log (text->str, &bytes);
  for (unsigned seed = first; seed < first + n; seed++) {
    g_test_message ("seed %u", seed);
    check_whole (bytes, raw, seed);
  }
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
}

/* ---- Who sends dies --------------------------------------------------- */

struct sender {
  struct fake_ring *ring;
  const GByteArray *bytes;
};

static gpointer
send (gpointer data)
{
  struct sender *sender = data;
  fake_ring_put_log (sender->ring, sender->bytes);
  return NULL;
}

/* The last lines are sums.  */
static void
check_beginning (const struct dg_log *log, const char *all)
{
  char *text = describe_accesses (log);
  uint64_t n = 0;
  for (const char *at = text, *end; n < dg_log_summary (log)->accesses;
       at = end + 1, n++) {
    end = strchr (at, '\n');
    g_assert_nonnull (end);
    size_t length = end - at;
    g_assert_cmpmem (at, length, all + (at - text), length);
  }
  g_free (text);
}

/* Its process is gone while the packer is anywhere: what was sent by then is
   a beginning of the log, which says that it is incomplete.  */
static void
check_killed (const GByteArray *bytes, const char *all, unsigned seed)
{
  struct capture_test test;
  struct sender sender = {.bytes = bytes};
  GRand *rand = g_rand_new_with_seed (seed);
  pid_t pid = capture_test_start ();
  begin (&test, seed);
  struct delays *delays = delays_begin (seed, MAX_US);
  sender.ring = capture_test_expect (&test, pid);
  GThread *thread = g_thread_new ("sender", send, &sender);
  g_usleep (g_rand_int_range (rand, 0, 100000));
  /* It sends no more: nobody writes to the ring of one that is dead.  */
  __atomic_store_n (&sender.ring->header->stop, 1, __ATOMIC_RELEASE);
  g_thread_join (thread);
  capture_test_kill (pid);
  capture_test_wait (&test, 0);
  delays_end (delays);
  g_assert_false (test.is_whole);
  char *path = g_build_filename (test.folder, "log.dgz", NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS)) {
    struct dg_log *log = capture_test_open (&test, "log.dgz",
                                            DG_ERR_TRUNCATED);
    g_assert_cmpint (dg_log_summary (log)->complete, ==, DG_COMPLETE_NO);
    check_beginning (log, all);
    dg_log_close (log);
  }
  g_free (path);
  fake_ring_free (sender.ring);
  capture_test_end (&test);
  g_rand_free (rand);
}

static void
test_killed (void)
{
  unsigned n = number_of ("DG_TEST_SCHEDULES", SCHEDULES);
  unsigned first = number_of ("DG_TEST_SEED", 1);
  GString *text = capture_test_long_text (40, "");
  GByteArray *whole, *bytes
    = core_test_assemble (text->str, 8, G_BYTE_ORDER == G_BIG_ENDIAN);
  struct dg_log *raw
    = core_test_log (g_string_append (text, "end threads=3\n")->str, &whole);
  char *all = describe_accesses (raw);
  for (unsigned seed = first; seed < first + n; seed++) {
    g_test_message ("seed %u", seed);
    check_killed (bytes, all, seed);
  }
  g_free (all);
  dg_log_close (raw);
  g_byte_array_unref (whole);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture/schedules/whole", test_whole);
  g_test_add_func ("/capture/schedules/killed", test_killed);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

/* test-recording.c: a recording whose archive cannot be written for a while.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture/recording.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture_test.h"
#include "core_test.h"
#include "unit_main.h"

/* How often the program looks for room before it is taken to wait.  */
#define MANY_WAITS 100

/* ---- The disk ----------------------------------------------------------- */

/* Writes to files wait while none is allowed; what is not shut allows all.  */
static struct {
  GMutex lock;
  GCond changed;
  bool is_shut;
  unsigned n_allowed;
} disk;

/* The library's own calls come here.  */
ssize_t
writev (int fd, const struct iovec *at, int n)
{
  struct stat st;

  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode)) {
    g_mutex_lock (&disk.lock);
    while (disk.is_shut && disk.n_allowed == 0)
      g_cond_wait (&disk.changed, &disk.lock);
    disk.n_allowed -= disk.is_shut;
    g_mutex_unlock (&disk.lock);
  }
  return syscall (SYS_writev, fd, at, n);
}

static void
allow (bool is_shut, unsigned n)
{
  g_mutex_lock (&disk.lock);
  disk.is_shut = is_shut;
  disk.n_allowed = n;
  g_cond_broadcast (&disk.changed);
  g_mutex_unlock (&disk.lock);
}

/* ---- The program -------------------------------------------------------- */

struct program {
  struct fake_ring *ring;
  const GByteArray *log;
  bool has_ended;          /* atomic */
};

static gpointer
run_program (gpointer data)
{
  struct program *program = data;

  fake_ring_put_log (program->ring, program->log);
  fake_ring_close (program->ring);
  __atomic_store_n (&program->has_ended, true, __ATOMIC_RELEASE);
  return NULL;
}

static uint32_t
tail_of (const struct program *program)
{
  return __atomic_load_n (&program->ring->header->tail, __ATOMIC_ACQUIRE);
}

/* Until it waits for room, and has done so many times since n.  */
static uint64_t
wait_until_it_waits (struct capture_test *test, const struct program *program,
                     uint64_t n)
{
  struct dg_capture_status status = {.size = sizeof status};

  do {
    g_usleep (1000);
    dg_capture_status (test->capture, &status);
  } while (status.ring_waits < n + MANY_WAITS
           && !__atomic_load_n (&program->has_ended, __ATOMIC_ACQUIRE));
  return status.ring_waits;
}

/* ---- The test ----------------------------------------------------------- */

/* As many runs as an archive has that was left as it is.  */
static uint64_t
runs_so_far (struct capture_test *test)
{
  struct dg_log *log = capture_test_open (test, "log.dgz", DG_ERR_TRUNCATED);
  uint64_t runs = dg_log_summary (log)->runs;

  dg_log_close (log);
  return runs;
}

/* The program's place is given back when what was there is in the archive, not
   when it is packed: the program waits, and nothing is kept that has no place
   in the ring.  */
static void
test_no_disk (void)
{
  GString *text = capture_test_long_text (100, "end threads=3\n");
  struct program program = {0};
  struct capture_test test;
  GByteArray *bytes;
  struct dg_log *log, *raw = core_test_log (text->str, &bytes);
  pid_t pid = capture_test_start ();
  GThread *thread;
  uint64_t waits;

  capture_test_begin (&test, NULL);
  program.ring = capture_test_expect (&test, pid);
  program.log = bytes;
  /* The archive's head.  */
  allow (true, 1);
  thread = g_thread_new ("program", run_program, &program);
  waits = wait_until_it_waits (&test, &program, 0);
  g_assert_false (__atomic_load_n (&program.has_ended, __ATOMIC_ACQUIRE));
  g_assert_cmpuint (tail_of (&program), ==, 0);
  g_assert_cmpuint (runs_so_far (&test), ==, 0);

  /* One chunk, for which the program has room then, and not for more.  */
  allow (true, 1);
  while (tail_of (&program) == 0)
    g_usleep (1000);
  wait_until_it_waits (&test, &program, waits);
  g_assert_false (__atomic_load_n (&program.has_ended, __ATOMIC_ACQUIRE));
  g_assert_cmpuint (tail_of (&program), <, 2 * DG_RING_MIN / 4 / DG_RING_UNIT);
  g_assert_cmpuint (runs_so_far (&test), >, 0);

  allow (false, 0);
  g_thread_join (thread);
  capture_test_wait (&test, 0);
  g_assert_cmpstr (test.events->str, ==, "");
  log = capture_test_open (&test, "log.dgz", 0);
  capture_test_compare (log, raw);
  dg_log_close (log);
  dg_log_close (raw);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
  fake_ring_free (program.ring);
  capture_test_kill (pid);
  capture_test_end (&test);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/no-disk", test_no_disk);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

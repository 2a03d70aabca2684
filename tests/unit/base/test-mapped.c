/* test-mapped.c: mapped files that become shorter, with the handler of a
   program that has its own faults.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/mapped.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_source.h"
#include "unit_main.h"

#define BYTES ((size_t) 1 << 20)
#define READERS 8

static size_t page_size;

/* A file of BYTES bytes of 7, without a name.  */
static int
make_file (void)
{
  char *path, *bytes = g_malloc (BYTES);
  int fd = g_file_open_tmp ("test-mapped-XXXXXX", &path, NULL);

  memset (bytes, 7, BYTES);
  g_assert_cmpint (fd, >=, 0);
  g_unlink (path);
  g_assert_cmpint (write (fd, bytes, BYTES), ==, BYTES);
  g_free (bytes);
  g_free (path);
  return fd;
}

/* How many bytes are 7; all others are 0.  */
static size_t
count (const uint8_t *bytes, size_t n)
{
  size_t sevens = 0;

  for (size_t i = 0; i < n; i++) {
    uint8_t byte = ((const volatile uint8_t *) bytes)[i];

    g_assert_true (byte == 7 || byte == 0);
    sevens += byte == 7;
  }
  return sevens;
}

static size_t
rounded (size_t n)
{
  return (n + page_size - 1) / page_size * page_size;
}

/* ---- The program's own faults ---- */

static struct {
  gint calls;              /* atomic */
  void *address;           /* of the last one */
} own;

/* Mends the fault, so that it does not happen again.  */
static void
on_own_fault (int number, siginfo_t *info, void *context)
{
  uintptr_t page = (uintptr_t) info->si_addr & ~(uintptr_t) (page_size - 1);

  (void) context;
  g_atomic_int_inc (&own.calls);
  own.address = info->si_addr;
  if (info->si_code > 0
      && mmap ((void *) page, page_size, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    _exit (number);
}

static void
set_handler (void (*handler) (int, siginfo_t *, void *))
{
  struct sigaction action = { .sa_flags = SA_SIGINFO };

  action.sa_sigaction = handler;
  g_assert_cmpint (sigaction (SIGBUS, &action, NULL), ==, 0);
}

/* A mapping that the library knows nothing of, with nothing behind it.  */
static uint8_t *
foreign_hole (void)
{
  int fd = make_file ();
  uint8_t *bytes = mmap (NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);

  g_assert_true (bytes != MAP_FAILED);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  close (fd);
  return bytes;
}

static void
test_own_faults (void)
{
  int fd = make_file ();
  struct dg_mapped *mapped = dg_mapped_new (fd, BYTES);
  uint8_t *foreign = foreign_hole ();
  gint before = g_atomic_int_get (&own.calls);

  g_assert_nonnull (mapped);
  g_assert_cmpuint (count (foreign + 5, 1), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&own.calls), ==, before + 1);
  g_assert_true (own.address == foreign + 5);
  /* Ours are none of its business.  */
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_cmpuint (count (dg_mapped_use (mapped, 9, 50), 50), ==, 0);
  g_assert_false (dg_mapped_is_whole (mapped, 1));
  g_assert_cmpint (g_atomic_int_get (&own.calls), ==, before + 1);
  /* One that somebody sent is.  */
  g_assert_cmpint (raise (SIGBUS), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&own.calls), ==, before + 2);
  munmap (foreign, BYTES);
  dg_mapped_unref (mapped);
  close (fd);
}

static void
test_another_handler (void)
{
  struct sigaction ours;

  g_assert_true (dg_mapped_is_safe ());
  sigaction (SIGBUS, NULL, &ours);
  set_handler (on_own_fault);
  g_assert_false (dg_mapped_is_safe ());
  sigaction (SIGBUS, &ours, NULL);
  g_assert_true (dg_mapped_is_safe ());
}

static void
test_blocked (void)
{
  sigset_t bus, before;

  sigemptyset (&bus);
  sigaddset (&bus, SIGBUS);
  pthread_sigmask (SIG_BLOCK, &bus, &before);
  g_assert_false (dg_mapped_is_safe ());
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  g_assert_true (dg_mapped_is_safe ());
}

/* ---- Without a handler of the program ---- */

/* What a child does that has only our handler.  */
enum deed { FAULT, SEND, SEND_IGNORED, FAULT_IGNORED };

static int
status_of (enum deed deed)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0) {
    /* From the start, as the library's handler is installed once.  */
    execl ("/proc/self/exe", "test-mapped", "--deed",
           (char[]) { '0' + deed, '\0' }, NULL);
    _exit (99);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  return status;
}

static int
do_deed (enum deed deed)
{
  int fd = make_file ();
  struct dg_mapped *mapped;

  /* A sanitizer has a handler of its own.  */
  signal (SIGBUS, deed == SEND_IGNORED || deed == FAULT_IGNORED ? SIG_IGN
                                                                : SIG_DFL);
  mapped = dg_mapped_new (fd, BYTES);
  if (ftruncate (fd, 0) < 0
      || count (dg_mapped_use (mapped, 0, 50), 50) != 0)
    return 98;
  if (deed == SEND || deed == SEND_IGNORED)
    kill (getpid (), SIGBUS);
  else
    count (foreign_hole (), 1);
  return 42;
}

static void
test_no_handler (void)
{
  static const enum deed deadly[] = { FAULT, SEND, FAULT_IGNORED };

  for (size_t i = 0; i < G_N_ELEMENTS (deadly); i++) {
    int status = status_of (deadly[i]);

    g_assert_true (WIFSIGNALED (status));
    g_assert_cmpint (WTERMSIG (status), ==, SIGBUS);
  }
  g_assert_cmpint (WEXITSTATUS (status_of (SEND_IGNORED)), ==, 42);
}

/* ---- Files ---- */

static void
test_whole (void)
{
  int fd = make_file ();
  struct dg_mapped *mapped = dg_mapped_new (fd, BYTES - 1);
  const uint8_t *bytes;

  close (fd);
  g_assert_nonnull (mapped);
  for (size_t at = 0; at < BYTES - 70000; at += 12345) {
    bytes = dg_mapped_use (mapped, at, 70000);
    g_assert_cmpuint (count (bytes, 70000), ==, 70000);
    dg_mapped_leave (mapped, at, 70000);
    g_assert_cmpuint (count (bytes, 70000), ==, 70000);
  }
  g_assert_true (dg_mapped_is_whole (mapped, BYTES - 1));
  dg_mapped_unref (dg_mapped_ref (mapped));
  g_assert_cmpuint (count (dg_mapped_use (mapped, 3, 4), 4), ==, 4);
  dg_mapped_unref (mapped);
  dg_mapped_unref (NULL);
}

static void
test_shortened (void)
{
  const size_t sizes[] = { 0, 1, page_size, page_size + 1, 100000, BYTES - 1 };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    size_t size = sizes[i], there = rounded (size);
    int fd = make_file ();
    struct dg_mapped *mapped = dg_mapped_new (fd, BYTES);
    const uint8_t *bytes = dg_mapped_use (mapped, 0, BYTES);

    g_assert_nonnull (bytes);
    g_assert_cmpint (ftruncate (fd, size), ==, 0);
    g_assert_cmpuint (count (bytes, BYTES), ==, size);
    g_assert_true (dg_mapped_is_whole (mapped, there));
    g_assert_true (dg_mapped_is_whole (mapped, there + 1) == (there == BYTES));
    dg_mapped_leave (mapped, 0, BYTES);
    g_assert_cmpuint (count (bytes, BYTES), ==, size);
    g_assert_true (!dg_mapped_use (mapped, 0, BYTES) == (there < BYTES));
    dg_mapped_unref (mapped);
    close (fd);
  }
}

struct reading {
  const struct dg_mapped *mapped;
  const uint8_t *bytes;
  gint is_over;            /* atomic */
};

static void *
read_on (void *user)
{
  struct reading *reading = user;
  gboolean is_last;

  do {
    is_last = g_atomic_int_get (&reading->is_over);
    for (size_t at = 0; at < BYTES; at += page_size) {
      size_t n = count (reading->bytes + at, 64);

      if (dg_mapped_is_whole (reading->mapped, at + 64))
        g_assert_cmpuint (n, ==, 64);
    }
  } while (!is_last);
  return NULL;
}

/* Page by page while others read.  */
static void
test_threads (void)
{
  for (int round = 0; round < 20; round++) {
    GThread *threads[READERS];
    int fd = make_file ();
    struct dg_mapped *mapped = dg_mapped_new (fd, BYTES);
    struct reading reading = { mapped, dg_mapped_use (mapped, 0, BYTES), 0 };

    for (int i = 0; i < READERS; i++)
      threads[i] = g_thread_new ("reader", read_on, &reading);
    for (size_t size = BYTES; size > 0; size -= 16 * page_size)
      g_assert_cmpint (ftruncate (fd, size - 16 * page_size), ==, 0);
    g_atomic_int_set (&reading.is_over, 1);
    for (int i = 0; i < READERS; i++)
      g_thread_join (threads[i]);
    g_assert_false (dg_mapped_is_whole (mapped, 1));
    dg_mapped_unref (mapped);
    close (fd);
  }
}

/* There are only so many places; they are given back.  */
static void
test_many (void)
{
  struct dg_mapped *mapped[1000];
  int fd = make_file (), n = 0;

  while (n < 1000 && (mapped[n] = dg_mapped_new (fd, BYTES)) != NULL)
    n++;
  g_assert_cmpint (n, >, 100);
  g_assert_cmpint (n, <, 1000);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  for (int i = 0; i < n; i++) {
    g_assert_true (dg_mapped_is_whole (mapped[i], BYTES));
    g_assert_cmpuint (count (dg_mapped_use (mapped[i], 0, 64), 64), ==, 0);
    g_assert_false (dg_mapped_is_whole (mapped[i], 64));
    dg_mapped_unref (mapped[i]);
  }
  close (fd);
  test_whole ();
}

static void
test_others (void)
{
  /* A regular file by name, of a file system that maps nothing.  */
  int fd = open ("/sys/devices/system/cpu/online", O_RDONLY), ends[2];
  struct dg_source source = { .fd = fd, .size = 4096 };

  if (fd >= 0) {
    g_assert_null (dg_mapped_new (fd, 4096));
    dg_source_map (&source);
    g_assert_null (source.mapped);
    g_assert_null (dg_source_use (&source, 0, 10));
    dg_source_close (&source);
    g_assert_cmpint (source.fd, <, 0);
  }
  g_assert_cmpint (pipe (ends), ==, 0);
  g_assert_null (dg_mapped_new (ends[0], 10));
  close (ends[0]);
  close (ends[1]);
  fd = make_file ();
  g_assert_null (dg_mapped_new (fd, 0));
  g_assert_null (dg_mapped_new (fd, UINT64_MAX));
  g_assert_null (dg_mapped_new (-1, 10));
  close (fd);
}

static void
test_source (void)
{
  struct dg_source source = { .fd = make_file (), .size = BYTES }, other;
  struct dg_source empty = { .fd = -1 };
  const uint8_t *bytes;

  dg_source_map (&source);
  if (!source.mapped) {
    g_test_skip ("the temporary folder is not on a local file system");
    return;
  }
  /* It is quicker to read so few.  */
  g_assert_null (dg_source_use (&source, 10, 20));
  source.use_min_bytes = 1;
  g_assert_cmpint (dg_source_share (&source, &other, NULL), ==, 0);
  dg_source_close (&source);
  bytes = dg_source_use (&other, 10, 20);
  g_assert_cmpuint (count (bytes, 20), ==, 20);
  g_assert_true (dg_source_leave (&other, 10, 20));
  bytes = dg_source_use (&other, 10, 20);
  g_assert_cmpint (ftruncate (other.fd, 0), ==, 0);
  g_assert_cmpuint (count (bytes, 20), ==, 0);
  g_assert_false (dg_source_leave (&other, 10, 20));
  g_assert_null (dg_source_use (&other, 10, 20));
  dg_source_close (&other);
  dg_source_close (&empty);
}

static int
run_tests (int argc, char **argv)
{
  page_size = sysconf (_SC_PAGESIZE);
  if (argc == 3 && strcmp (argv[1], "--deed") == 0)
    _exit (do_deed (argv[2][0] - '0'));
  g_test_init (&argc, &argv, NULL);
  /* Before the library's.  */
  set_handler (on_own_fault);
  g_test_add_func ("/mapped/own-faults", test_own_faults);
  g_test_add_func ("/mapped/another-handler", test_another_handler);
  g_test_add_func ("/mapped/blocked", test_blocked);
  g_test_add_func ("/mapped/no-handler", test_no_handler);
  g_test_add_func ("/mapped/whole", test_whole);
  g_test_add_func ("/mapped/shortened", test_shortened);
  g_test_add_func ("/mapped/threads", test_threads);
  g_test_add_func ("/mapped/many", test_many);
  g_test_add_func ("/mapped/others", test_others);
  g_test_add_func ("/mapped/source", test_source);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

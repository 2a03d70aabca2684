/* test-shortened.c: files that somebody shortens while they are read.

   Whatever the moment, reading gives what was in the file, or an error with
   the place where it ends now.  The moments are the library's system calls
   before it reads: the program's own functions are found before those of
   libc.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/log.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core_test.h"
#include "random_log.h"
#include "long_test.h"
#include "unit_main.h"

#define READERS 8

/* ---- The moments ---- */

static struct {
  gint is_armed;           /* atomic */
  gint left;               /* atomic: calls until it happens */
  const char *path;
  off_t size;              /* that the file gets */
} moment;

static void
pass_moment (void)
{
  if (g_atomic_int_get (&moment.is_armed)
      && g_atomic_int_add (&moment.left, -1) == 0)
    g_assert_cmpint (truncate (moment.path, moment.size), ==, 0);
}

ssize_t
pread (int fd, void *bytes, size_t n, off_t offset)
{
  pass_moment ();
  return syscall (SYS_pread64, fd, bytes, n, offset);
}

/* The last thing before a mapping is used.  */
int
pthread_sigmask (int how, const sigset_t *set, sigset_t *before)
{
  pass_moment ();
  return sigprocmask (how, set, before);
}

/* ---- Reading ---- */

/* A log with all that it holds.  */
struct sample {
  char *path;              /* of a copy that may be shortened */
  char *bytes;
  gsize n;
  gint sum;                /* of one reading */
};

struct reading {
  const struct dg_log *log;
  const struct sample *sample;
  gint errors;             /* atomic */
};

static void
check_error (const struct sample *sample, const struct dg_error *err)
{
  g_assert_cmpint (err->code, ==, DG_ERR_IO);
  g_assert_cmpuint (err->offset, >=, (guint64) moment.size);
  g_assert_cmpuint (err->offset, <, sample->n);
  g_assert_nonnull (strstr (err->message, "truncated while it was read"));
}

/* Everything once: the sum, or negative.  */
static int
read_all (const struct dg_log *log, gint *sum, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, err);
  struct dg_record record;
  struct dg_run run;
  int code = reader ? 1 : err->code;

  *sum = 0;
  while (code > 0 && (code = dg_reader_run (reader, &run, err)) > 0)
    for (unsigned i = 0; i < dg_run_entries (&run); i++)
      *sum = (gint) ((guint) *sum * 31 + (guint) run.addresses[i]);
  dg_reader_free (reader);
  if (code < 0)
    return code;
  reader = dg_reader_new (log, 0, SIZE_MAX, err);
  code = reader ? 1 : err->code;
  while (code > 0 && (code = dg_reader_record (reader, &record, err)) > 0)
    *sum = (gint) ((guint) *sum * 31 + record.type);
  dg_reader_free (reader);
  return code;
}

static void *
read_in_thread (void *user)
{
  struct reading *reading = user;
  struct dg_error err = { 0 };
  gint sum;
  int code = read_all (reading->log, &sum, &err);

  if (code < 0) {
    check_error (reading->sample, &err);
    g_atomic_int_inc (&reading->errors);
  } else {
    g_assert_cmpint (sum, ==, reading->sample->sum);
  }
  return NULL;
}

static int
read_by_all (const struct sample *sample, const struct dg_log *log)
{
  struct reading reading = { log, sample, 0 };
  GThread *threads[READERS];

  for (int i = 0; i < READERS; i++)
    threads[i] = g_thread_new ("reader", read_in_thread, &reading);
  for (int i = 0; i < READERS; i++)
    g_thread_join (threads[i]);
  return reading.errors;
}

/* ---- Samples ---- */

static void
restore (const struct sample *sample)
{
  FILE *file = fopen (sample->path, "wb");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (sample->bytes, 1, sample->n, file), ==, sample->n);
  g_assert_cmpint (fclose (file), ==, 0);
}

static struct dg_log *
open_log (const char *path)
{
  struct dg_error err = { 0 };
  struct dg_log *log;

  if (dg_log_open (path, &log, &err) < 0)
    g_error ("%s", err.message);
  log->part_min_bytes = 4096;
  log->source.use_min_bytes = 1;
  return log;
}

/* The file at path, which this takes over.  */
static void
sample_init (struct sample *sample, char *path)
{
  struct dg_error err = { 0 };
  struct dg_log *log = open_log (path);

  sample->path = path;
  g_assert_true (g_file_get_contents (path, &sample->bytes, &sample->n, NULL));
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (read_all (log, &sample->sum, &err), ==, 0);
  dg_log_close (log);
  moment.path = path;
}

static void
sample_fini (struct sample *sample)
{
  g_unlink (sample->path);
  g_free (sample->path);
  g_free (sample->bytes);
}

static void
make_raw (struct sample *sample)
{
  struct random_log *random = random_log_new (8, false, 20000);

  char *path = g_strconcat (random->path, ".dg", NULL);

  g_assert_cmpint (g_rename (random->path, path), ==, 0);
  random_log_free (random);
  sample_init (sample, path);
}

/* In many chunks.  */
static void
make_archive (struct sample *sample)
{
  const struct dg_pack_options options = {
    .size = sizeof options, .level = 1, .workers = 1};
  struct random_log *random = random_log_new (8, false, 20000);
  struct dg_error err = { 0 };
  struct dg_log *log = open_log (random->path);
  char *path = g_strconcat (random->path, ".dgz", NULL);

  log->piece_accesses = 2000;
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (dg_log_pack (log, path, &options, NULL, NULL, &err), ==, 0);
  dg_log_close (log);
  random_log_free (random);
  sample_init (sample, path);
}

/* ---- Tests ---- */

/* To different sizes, at the call with this number.  Whether the file was
   shortened before the reading was over.  */
static bool
shorten (const struct sample *sample, int at, bool is_late)
{
  const off_t sizes[] = { 0, 4096, 5000, sample->n / 2, sample->n - 1 };
  unsigned workers = at % 2 == 0 ? READERS : 1;
  struct dg_error err = { 0 };
  struct dg_log *log;
  int errors = 0, code;
  bool is_over;

  restore (sample);
  log = open_log (sample->path);
  moment.size = sizes[at % G_N_ELEMENTS (sizes)];
  g_atomic_int_set (&moment.left, at);
  g_atomic_int_set (&moment.is_armed, !is_late);
  code = dg_log_load (log, workers, NULL, NULL, &err);
  g_atomic_int_set (&moment.is_armed, 1);
  if (code < 0)
    check_error (sample, &err);
  else
    errors = read_by_all (sample, log);
  g_atomic_int_set (&moment.is_armed, 0);
  dg_log_close (log);
  is_over = g_atomic_int_get (&moment.left) >= 0;
  /* Whose call it was has the second half still to read.  */
  if (is_late && !is_over && moment.size <= (off_t) sample->n / 2)
    g_assert_cmpint (errors, >, 0);
  return !is_over;
}

static void
shorten_everywhere (const struct sample *sample)
{
  unsigned moments = 0;

  for (int late = 0; late < 2; late++)
    for (int at = 0; at < 2000;
         at += 1 + at / (is_long_test () ? 16 : 4)) {
      if (!shorten (sample, at, late))
        break;
      moments++;
    }
  g_test_message ("%u moments", moments);
  g_assert_cmpuint (moments, >, 10);
}

static void
test_raw (void)
{
  struct sample sample;

  make_raw (&sample);
  shorten_everywhere (&sample);
  sample_fini (&sample);
}

static void
test_archive (void)
{
  struct sample sample;
  struct dg_log *log;

  make_archive (&sample);
  log = open_log (sample.path);
  if (!log->source.mapped)
    g_test_message ("the temporary folder is not mapped");
  dg_log_close (log);
  shorten_everywhere (&sample);
  sample_fini (&sample);
}

/* Overwritten with something else of the same size.  */
static void
test_rewritten (void)
{
  struct sample sample;
  struct dg_error err = { 0 };
  struct dg_log *log;
  gint sum;

  make_archive (&sample);
  log = open_log (sample.path);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  for (gsize i = 100; i < sample.n; i += 1000)
    sample.bytes[i] ^= 0x55;
  restore (&sample);
  g_assert_cmpint (read_all (log, &sum, &err), ==, DG_ERR_DAMAGED);
  g_assert_nonnull (strstr (err.message, "checksum"));
  dg_log_close (log);
  sample_fini (&sample);
}

/* Where a mapping cannot be used, files are read.  */
static void
test_not_safe (void)
{
  struct sample sample;
  struct dg_error err = { 0 };
  struct dg_log *log;
  sigset_t bus, before;
  gint sum;

  make_archive (&sample);
  log = open_log (sample.path);
  sigemptyset (&bus);
  sigaddset (&bus, SIGBUS);
  sigprocmask (SIG_BLOCK, &bus, &before);
  g_assert_cmpint (dg_log_load (log, 1, NULL, NULL, &err), ==, 0);
  g_assert_cmpint (read_all (log, &sum, &err), ==, 0);
  g_assert_cmpint (sum, ==, sample.sum);
  moment.size = 4096;
  g_assert_cmpint (truncate (sample.path, 4096), ==, 0);
  g_assert_cmpint (read_all (log, &sum, &err), ==, DG_ERR_IO);
  check_error (&sample, &err);
  sigprocmask (SIG_SETMASK, &before, NULL);
  dg_log_close (log);
  sample_fini (&sample);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shortened/raw", test_raw);
  g_test_add_func ("/shortened/archive", test_archive);
  g_test_add_func ("/shortened/rewritten", test_rewritten);
  g_test_add_func ("/shortened/not-safe", test_not_safe);
  return g_test_run ();
}

UNIT_MAIN (run_tests)

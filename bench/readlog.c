/* readlog.c: how fast the library loads, reads and indexes a log, for
   bench/read.

   Usage: readlog LOG WORKERS WHAT...
   WHAT is load, runs, accesses or index.  Prints a line of two numbers for
   each: seconds, and millions of accesses a second (load: bytes).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libdatagrind.h"

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
report (double start, uint64_t n)
{
  double seconds = now () - start;

  printf ("%.4f %.1f\n", seconds, n / seconds / 1e6);
}

static void
fail (const char *log, const struct dg_error *err)
{
  fprintf (stderr, "readlog: %s: %s\n", log, err->message);
  exit (1);
}

static void
read_runs (const struct dg_log *log)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  struct dg_run run;
  double start = now ();

  while (reader && dg_reader_run (reader, &run, NULL) > 0)
    continue;
  report (start, dg_log_summary (log)->accesses);
  dg_reader_free (reader);
}

static void
read_accesses (const struct dg_log *log)
{
  static struct dg_access accesses[1024];
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  double start = now ();

  while (reader && dg_reader_accesses (reader, accesses, 1024, NULL) > 0)
    continue;
  report (start, dg_log_summary (log)->accesses);
  dg_reader_free (reader);
}

static void
make_index (const struct dg_log *log, unsigned workers)
{
  struct dg_error err = { 0 };
  struct dg_index *index;
  double start = now ();

  if (dg_index_build (log, NULL, workers, NULL, NULL, &index, &err) < 0)
    fail (dg_log_path (log), &err);
  report (start, dg_log_summary (log)->accesses);
  dg_index_close (index);
}

int
main (int argc, char **argv)
{
  unsigned workers = argc > 2 ? atoi (argv[2]) : 0;
  struct dg_error err = { 0 };
  struct dg_log *log;
  double start;
  int code;

  if (workers == 0) {
    fputs ("usage: readlog LOG WORKERS WHAT...\n", stderr);
    return 2;
  }
  if (dg_log_open (argv[1], &log, &err) < 0)
    fail (argv[1], &err);
  start = now ();
  code = dg_log_load (log, workers, NULL, NULL, &err);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED)
    fail (argv[1], &err);
  for (int i = 3; i < argc; i++) {
    if (strcmp (argv[i], "load") == 0)
      report (start, dg_log_header (log)->file_size);
    else if (strcmp (argv[i], "runs") == 0)
      read_runs (log);
    else if (strcmp (argv[i], "accesses") == 0)
      read_accesses (log);
    else if (strcmp (argv[i], "index") == 0)
      make_index (log, workers);
    fflush (stdout);
  }
  dg_log_close (log);
  return 0;
}

/* readlog.c: how fast the library loads and reads a log, for bench/read.

   Usage: readlog LOG [WORKERS]

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "libdatagrind.h"

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static long
resident_megabytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

static uint64_t
read_runs (struct dg_reader *reader)
{
  struct dg_run run;
  uint64_t n = 0;

  while (dg_reader_run (reader, &run, NULL) > 0)
    n++;
  return n;
}

static uint64_t
read_accesses (struct dg_reader *reader)
{
  static struct dg_access accesses[1024];
  uint64_t sum = 0;
  ptrdiff_t n;

  while ((n = dg_reader_accesses (reader, accesses, 1024, NULL)) > 0)
    sum += n;
  return sum;
}

static void
measure (const struct dg_log *log, const char *what,
         uint64_t (*read) (struct dg_reader *))
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, NULL);
  double start = now (), seconds;
  uint64_t n;

  if (!reader)
    return;
  n = read (reader);
  seconds = now () - start;
  printf ("  %-9s %12" PRIu64 " in %7.3f s %8.1f million/s\n", what, n,
          seconds, n / seconds / 1e6);
  dg_reader_free (reader);
}

int
main (int argc, char **argv)
{
  unsigned workers = argc > 2 ? atoi (argv[2]) : 1;
  struct dg_error err = { 0 };
  struct dg_log *log;
  double start, seconds;
  uint64_t bytes;

  if (argc < 2) {
    fputs ("usage: readlog LOG [WORKERS]\n", stderr);
    return 2;
  }
  if (dg_log_open (argv[1], &log, &err) < 0) {
    fprintf (stderr, "readlog: %s: %s\n", argv[1], err.message);
    return 1;
  }
  start = now ();
  if (dg_log_load (log, workers, NULL, NULL, &err) < 0)
    fprintf (stderr, "readlog: %s: %s\n", argv[1], err.message);
  seconds = now () - start;
  bytes = dg_log_header (log)->file_size;
  printf ("  load, %u worker%s: %.2f GB in %.3f s: %.2f GB/s, %ld MB "
          "resident\n", workers, workers == 1 ? "" : "s", bytes / 1e9,
          seconds, bytes / seconds / 1e9, resident_megabytes ());
  if (workers == 1) {
    measure (log, "runs", read_runs);
    measure (log, "accesses", read_accesses);
  }
  dg_log_close (log);
  return 0;
}

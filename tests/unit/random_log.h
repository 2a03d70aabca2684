/* random_log.h: small random logs together with what they hold, known
   without reading them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef RANDOM_LOG_H
#define RANDOM_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#define RANDOM_THREADS 3

struct random_access {
  uint64_t icount, address;
  uint32_t size;
  uint32_t context, thread;
  uint64_t instruction; /* its address */
  unsigned kind;
  bool in_event;        /* event "work" is active */
  bool in_range;        /* overlaps range "data" */
};

struct random_run {
  uint64_t icount;
  uint32_t n_instrs, thread;
};

struct random_log {
  char *path;           /* a file that random_log_free removes */
  GArray *accesses;     /* struct random_access, in order */
  uint64_t icount;      /* instructions in all */
  GArray *runs;         /* struct random_run, in order */
};

/* Blocks, runs with early exits and accesses not made, accesses of many sizes
   that straddle pages, gaps, chunk markers, an event and a range; and threads,
   of which one is alone in the first third and the last.  */
struct random_log *random_log_new (unsigned word_size, bool big_endian,
                                   unsigned n_runs);
void random_log_free (struct random_log *log);

#endif /* RANDOM_LOG_H */

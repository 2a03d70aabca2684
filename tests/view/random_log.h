/* random_log.h: small random logs together with what they hold, known
   without reading them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef RANDOM_LOG_H
#define RANDOM_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct random_access {
  uint64_t icount, address;
  uint32_t size;
  unsigned kind;
  bool in_event;        /* event "work" is active */
  bool in_range;        /* overlaps range "data" */
};

struct random_log {
  char *path;           /* a file that random_log_free removes */
  GArray *accesses;     /* struct random_access, in order */
  uint64_t icount;      /* instructions in all */
};

/* Blocks, runs with early exits and accesses not made, accesses of many sizes
   that straddle pages, gaps, chunk markers, an event and a range.  */
struct random_log *random_log_new (unsigned word_size, bool big_endian,
                                   unsigned n_runs);
void random_log_free (struct random_log *log);

#endif /* RANDOM_LOG_H */

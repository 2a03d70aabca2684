/* tally_log.h: small random logs with threads, call paths and a heap, together
   with what they hold, known without reading them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef TALLY_LOG_H
#define TALLY_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

struct tally_access {
  uint64_t icount, address, instruction;
  uint32_t size, context, thread;
  unsigned kind;
  bool in_event;           /* event "work" is active */
};

struct tally_block {
  uint64_t address, size, alloc, free;   /* [alloc, free) */
  unsigned site;           /* which of the stacks allocated it */
};

struct tally_log_kind {
  unsigned word_size, page, line;        /* bytes */
  bool big_endian;
  unsigned threads, runs;
  bool few_chunks;
};

struct tally_log {
  struct tally_log_kind kind;
  char *path;              /* a file that tally_log_free removes */
  GArray *accesses;        /* struct tally_access, in order */
  GArray *blocks;          /* struct tally_block, in order */
  uint64_t icount;         /* instructions in all */
};

struct tally_log *tally_log_new (const struct tally_log_kind *kind);
void tally_log_free (struct tally_log *log);

#endif /* TALLY_LOG_H */

/* sharing_turns.h: since when threads could have run, while others did.

   A log has the accesses of threads one after the other, as Valgrind runs one
   at a time.  A thread that was put aside between two instructions, or was
   just created, could have run all the time until its turn came.  One that
   stopped in a system call may have waited there for another: then what both
   do to a line is done in turns on any machine.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_TURNS_H
#define DG_SHARING_TURNS_H

#include "libdatagrind.h"

#include <glib.h>

/* Moments, as icounts, or these.  */
#define SHARING_WAITS   UINT64_MAX         /* it may have waited */
#define SHARING_PERHAPS (UINT64_MAX - 1)   /* ... or not: that is left out */
#define SHARING_UNKNOWN (UINT64_MAX - 2)   /* it ran before this part */

/* How blocks end, by definition: what one worker has found out.  */
struct sharing_block_ends {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  GArray *ends;            /* uint8_t */
};
void sharing_block_ends_init (struct sharing_block_ends *ends,
                              const struct dg_log *log,
                              struct dg_symbols *symbols);
void sharing_block_ends_fini (struct sharing_block_ends *ends);

/* Of a part of a log, or of all that was put together.  All zeros: none.  */
struct sharing_turns {
  GArray *ready;           /* uint64_t: of each thread that has stopped, since
                              when it could run on; NULL: of none */
  uint32_t thread;         /* which runs; 0: none yet */
  const struct dg_bbdef *latest;       /* its latest block */
  uint64_t begin;          /* of the part */
  uint64_t since;          /* when this turn's thread could have run */
};
void sharing_turns_fini (struct sharing_turns *turns);

/* Before the accesses of each run.  */
void sharing_turns_begin (struct sharing_turns *turns,
                          struct sharing_block_ends *ends,
                          const struct dg_run *run);
static inline void
sharing_turns_run (struct sharing_turns *turns,
                   struct sharing_block_ends *ends, const struct dg_run *run)
{
  if (G_UNLIKELY (run->thread != turns->thread))
    sharing_turns_begin (turns, ends, run);
  turns->latest = run->bbdef;
}

/* Since when a thread could have run that has not run in a later part.  */
uint64_t sharing_turns_ready (const struct sharing_turns *turns,
                              const struct dg_log *log, uint32_t thread);
/* Puts a later part behind.  */
void sharing_turns_append (struct sharing_turns *turns,
                           const struct sharing_turns *later);

#endif /* DG_SHARING_TURNS_H */

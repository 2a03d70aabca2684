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

#include "base/lookup.h"
#include "libdatagrind.h"

#include <glib.h>

/* The moment from which on a thread could run: an icount, or one of these.  */
#define SHARING_WAITS   UINT64_MAX         /* the thread may have waited */
#define SHARING_PERHAPS (UINT64_MAX - 1)   /* nobody can say: such turns are
                                              not counted */
#define SHARING_UNKNOWN (UINT64_MAX - 2)   /* an earlier part of the log may
                                              say it */
#define SHARING_LAST    (UINT64_MAX - 3)   /* the last icount that there is */

/* A worker's cache: how the blocks of each definition end.  */
struct sharing_block_ends {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  GArray *ends;            /* uint8_t, by number of the definition */
};
void sharing_block_ends_init (struct sharing_block_ends *ends,
                              const struct dg_log *log,
                              struct dg_symbols *symbols);
void sharing_block_ends_fini (struct sharing_block_ends *ends);

/* From when on a thread could run after its latest turn.  */
struct sharing_ready {
  uint64_t moment;
  uint32_t thread;
};

/* The threads of a part of a log, or of several parts that were appended.  All
   zeros: no thread has run.  */
struct sharing_turns {
  struct dg_table ready;   /* struct sharing_ready, of those that stopped */
  struct dg_lookup lookup; /* of these, by thread */
  bool failed;             /* no memory: some are missing */
  uint32_t thread;         /* the thread whose turn it is; 0: none has run */
  uint32_t latest;         /* the context of the latest run of this turn */
  uint64_t begin;          /* the icount at which the part begins */
  uint64_t since;          /* from when on this turn's thread could run */
};
void sharing_turns_fini (struct sharing_turns *turns);
/* From now on, a thread could run from a moment on.  */
void sharing_turns_set (struct sharing_turns *turns, uint32_t thread,
                        uint64_t moment);

/* Callers call sharing_turns_run before they take the accesses of a run.  */
void sharing_turns_begin (struct sharing_turns *turns,
                          struct sharing_block_ends *ends,
                          const struct dg_run *run);
static inline void
sharing_turns_run (struct sharing_turns *turns,
                   struct sharing_block_ends *ends, const struct dg_run *run)
{
  if (G_UNLIKELY (run->thread != turns->thread))
    sharing_turns_begin (turns, ends, run);
  turns->latest = run->context;
}

/* From when on a thread could run at the end of these parts.  */
uint64_t sharing_turns_ready (const struct sharing_turns *turns,
                              const struct dg_log *log, uint32_t thread);
/* Appends the next part of the log.  */
void sharing_turns_append (struct sharing_turns *turns,
                           const struct sharing_turns *later);

#endif /* DG_SHARING_TURNS_H */

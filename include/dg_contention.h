/* dg_contention.h: what threads do to one another in a cache line, for "dg
   sharing" and the viewer.

   A line is shared falsely where threads that could run at the same time
   disturb each other though they use different bytes of it.  Who could run
   beside whom follows from what the log knows for sure and what is the same
   whenever the program runs: a thread comes after what its creator did
   before, what follows a join after the thread that was joined, and what
   follows a barrier after what all did in front of it.  Valgrind's own turns
   say nothing, nor do locks: they decide who is first, and the line still goes
   back and forth.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_CONTENTION_H
#define LIBDATAGRIND_CONTENTION_H

#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Phases ------------------------------------------------------------- */

/* What a thread does from one meeting with others to the next one is a phase.
   Its first 64 are distinguished, then ever longer ones are merged, so
   that no thread has more than some hundred; what is taken together is in
   order with another phase only if all of it is.  Read-only once made.  */
struct dg_phases;

/* NULL and *err: no memory.  The log must live longer.  */
DG_API struct dg_phases *dg_phases_new (const struct dg_log *log,
                                        struct dg_error *err);
DG_API void dg_phases_free (struct dg_phases *phases);

/* The phase that a thread is in at a moment, and from when to when it is in
   that.  Of a thread that the log does not speak of: 0, always.  O(log n).  */
DG_API uint32_t dg_phases_at (const struct dg_phases *phases, uint32_t thread,
                              uint64_t icount, uint64_t *since,
                              uint64_t *until);
/* Whether phase a of a thread is over before phase b of another begins, in
   every run of the program.  */
DG_API bool dg_phases_are_ordered (const struct dg_phases *phases,
                                   uint32_t thread_a, uint32_t a,
                                   uint32_t thread_b, uint32_t b);
/* How much the log contains.  */
enum dg_phases_known {
  DG_PHASES_STARTS,        /* when threads began to run, which may be later
                              than when they were created */
  DG_PHASES_CREATED,       /* when they were created; no join or barrier */
  DG_PHASES_ALL,
  DG_PHASES_TOO_MANY       /* so much that some of it was left out */
};
DG_API enum dg_phases_known
dg_phases_known (const struct dg_phases *phases);

/* ---- Accesses ----------------------------------------------------------- */

/* All accesses of a thread's phase to the same bytes of a line.  */
struct dg_spot {
  uint64_t line;           /* its number */
  uint32_t thread, phase;
  uint8_t first, last;     /* bytes in the line; of one that is longer than 64
                              bytes, 64ths */
  uint64_t reads, writes;
};

/* Sums of these.  One thread.  */
struct dg_contention;

/* most: spots that are kept; 0: no bound.  NULL: no memory.  */
DG_API struct dg_contention *dg_contention_new (uint32_t most);
DG_API void dg_contention_free (struct dg_contention *contention);
/* Adds accesses; what finds no room is left out and counted.  0 or
   DG_ERR_NOMEM, and nothing has changed.  */
DG_API int dg_contention_add (struct dg_contention *contention,
                              const struct dg_spot *spot);
DG_API int dg_contention_join (struct dg_contention *contention,
                               const struct dg_contention *from);
/* Accesses that were left out.  */
DG_API uint64_t
dg_contention_left_out (const struct dg_contention *contention);

/* ---- Verdicts ----------------------------------------------------------- */

enum dg_line_kind {
  DG_LINE_QUIET,           /* nobody takes it from anybody */
  DG_LINE_TRUE,            /* threads use bytes that others write */
  DG_LINE_FALSE,           /* they only write other bytes */
  DG_LINE_MIXED            /* both, each for at least one part in twenty */
};

/* A thread with A accesses to a line in a phase, beside which others make W
   writes to it, finds it taken away A W / (A + W) times, if all come in random
   order.  Of B accesses of its own to some bytes, to which others make V of
   these writes, V / (B + V) need what another has written since the last one:
   so often it is true sharing, and false the rest of the times.  In that
   measure each access counts as one that is disturbed truly, or falsely.  */
struct dg_line_verdict {
  uint64_t line;
  uint64_t reads, writes;
  uint32_t threads, writers;
  enum dg_line_kind kind;
  double false_accesses, true_accesses;  /* of all; the rest is quiet */
  double false_transfers, transfers;     /* how often the line moves */
  size_t first, n;         /* spots: of the thread with the lowest number and
                              its first phase at first */
};

/* Judges all lines: as many as it returns, or DG_ERR_NOMEM; by number.
   Nothing may be added from then on.  */
DG_API int64_t dg_contention_judge (struct dg_contention *contention,
                                    const struct dg_phases *phases,
                                    struct dg_error *err);
/* Valid as long as the sums; by line.  */
DG_API const struct dg_line_verdict *
dg_contention_verdicts (const struct dg_contention *contention);
/* That of a line; NULL: there is none.  O(log n).  */
DG_API const struct dg_line_verdict *
dg_contention_verdict (const struct dg_contention *contention, uint64_t line);
DG_API const struct dg_spot *
dg_contention_spots (const struct dg_contention *contention);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CONTENTION_H */

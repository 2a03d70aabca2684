/* dg_contention.h: how threads disturb each other in cache lines, for "dg
   sharing" and the viewer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   False sharing: threads that could run at the same time disturb each other,
   although they use different bytes of a line.  Which threads could run at the
   same time is derived from orders that are the same in every run: a thread
   starts after what its creator did before; what follows a join, after the
   joined thread; what follows a barrier, after what all threads did before it.
   The order in which Valgrind runs threads is not significant, nor are locks:
   they decide which thread is first, and the line still bounces between
   them.  */

#ifndef LIBDATAGRIND_CONTENTION_H
#define LIBDATAGRIND_CONTENTION_H

#include "dg_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Phases ------------------------------------------------------------- */

/* A phase is the part of a thread between two synchronizations.  The first 64
   are distinguished; later ones are merged into increasingly long ones, so no
   thread has more than some hundred.  A merged phase is ordered with another
   phase only if all of its parts are.  Read-only once made.  */
struct dg_phases;

/* NULL and *err: not enough memory.  The log must outlive the phases.  */
DG_API struct dg_phases *dg_phases_new (const struct dg_log *log,
                                        struct dg_error *err);
DG_API void dg_phases_free (struct dg_phases *phases);

/* The phase of a thread at a moment, and the start and end of this phase.  For
   threads that are not in the log: 0.  O(log n).  */
DG_API uint32_t dg_phases_at (const struct dg_phases *phases, uint32_t thread,
                              uint64_t icount, uint64_t *since,
                              uint64_t *until);
/* Whether phase a of a thread ends before phase b of another one starts, in
   every run of the program.  */
DG_API bool dg_phases_are_ordered (const struct dg_phases *phases,
                                   uint32_t thread_a, uint32_t a,
                                   uint32_t thread_b, uint32_t b);
/* Which orders the log contains.  */
enum dg_phases_known {
  DG_PHASES_STARTS,        /* when threads started to run, which may be later
                              than their creation */
  DG_PHASES_CREATED,       /* creations, but neither joins nor barriers */
  DG_PHASES_ALL,
  DG_PHASES_TOO_MANY       /* too many, so some were omitted */
};
DG_API enum dg_phases_known
dg_phases_known (const struct dg_phases *phases);

/* ---- Accesses ----------------------------------------------------------- */

/* All accesses to the same bytes of a line in a phase of a thread.  */
struct dg_spot {
  uint64_t line;           /* its number */
  uint32_t thread, phase;
  uint8_t first, last;     /* bytes in the line; 64ths of a line with more
                              than 64 bytes */
  uint64_t reads, writes;
};

/* Sums of these, for one thread at a time.  */
struct dg_contention;

/* most: the maximum number of spots; 0: no limit.  NULL: not enough
   memory.  */
DG_API struct dg_contention *dg_contention_new (uint32_t most);
DG_API void dg_contention_free (struct dg_contention *contention);
/* Adds accesses; those beyond the limit are only counted.  0, or DG_ERR_NOMEM;
   then accesses may be missing, and nothing more is added.  */
DG_API int dg_contention_add (struct dg_contention *contention,
                              const struct dg_spot *spot);
DG_API int dg_contention_join (struct dg_contention *contention,
                               const struct dg_contention *from);
/* Accesses that were omitted because of the limit.  */
DG_API uint64_t
dg_contention_left_out (const struct dg_contention *contention);

/* ---- Verdicts ----------------------------------------------------------- */

enum dg_line_kind {
  DG_LINE_QUIET,           /* no transfers between threads */
  DG_LINE_TRUE,            /* threads use bytes that others write */
  DG_LINE_FALSE,           /* they write only other bytes */
  DG_LINE_MIXED            /* both, each at least one in twenty */
};

/* A thread with A accesses to a line in a phase, while other threads make W
   writes to it, loses the line A W / (A + W) times, if their order is random.
   If B of its accesses are to bytes that V of these writes modify, V / (B + V)
   of these need data that another thread has written since: this is the share
   of true sharing, the rest is false sharing.  By this measure, each access is
   counted as disturbed by true or by false sharing.  */
struct dg_line_verdict {
  uint64_t line;
  uint64_t reads, writes;
  uint32_t threads, writers;
  enum dg_line_kind kind;
  double false_accesses, true_accesses;  /* the rest is not disturbed */
  double false_transfers, transfers;     /* moves between threads */
  size_t first, n;         /* spots, by number of the thread, then by phase */
};

/* Computes the verdicts of all lines, by number.  Returns how many, or
   DG_ERR_NOMEM. Nothing may be added afterwards.  */
DG_API int64_t dg_contention_judge (struct dg_contention *contention,
                                    const struct dg_phases *phases,
                                    struct dg_error *err);
/* By number of the line; valid as long as the sums.  */
DG_API const struct dg_line_verdict *
dg_contention_verdicts (const struct dg_contention *contention);
/* The verdict of a line; NULL: there is none.  O(log n).  */
DG_API const struct dg_line_verdict *
dg_contention_verdict (const struct dg_contention *contention, uint64_t line);
/* All spots, for who asks first: this may take some 40 bytes for each.  NULL:
   there are none, or not enough memory.  */
DG_API const struct dg_spot *
dg_contention_spots (const struct dg_contention *contention);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CONTENTION_H */

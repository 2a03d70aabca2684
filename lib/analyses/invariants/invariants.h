/* invariants.h: the parts of "dg invariants".

   The records of a log are taken one after the other; each part looks at
   those it knows about and says what does not fit with what was before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INVARIANTS_H
#define DG_INVARIANTS_H

#include <glib.h>

#include "dg_analysis.h"
#include "dg_record.h"
#include "base/table.h"

enum inv_kind {
  INV_WHOLE, INV_TOTALS, INV_TIME, INV_THREAD, INV_SIGNAL, INV_HEAP,
  INV_RANGE, INV_EVENT, INV_MODULE, INV_BLOCK, INV_CONTEXT, INV_ACCESS,
  INV_CODE, INV_CONTINUITY, INV_CALL, INV_STACK,
  INV_KINDS
};

/* Findings that are kept; of the others, only how many there are.  */
#define INV_KEPT 10000

struct inv_finding {
  enum inv_kind kind;
  uint32_t thread;
  uint64_t icount;
  char *text;
};

/* What is known of a thread of the program.  */
struct inv_thread {
  uint32_t number;
  bool is_started, is_ended;
  uint64_t instructions, reads, writes;
  unsigned handlers;       /* of signals, that have begun and not returned */
  /* The latest run; `generation` says whether the next one follows it.  */
  uint64_t generation;
  uint32_t context;
  unsigned n_instrs;
  bool left_early;         /* before its last instruction was done */
  uint64_t pushed;         /* where that wrote a word; 0: nowhere */
  uint64_t stack_low, stack_high;      /* 0, 0: unknown */
};

struct inv_calls;
struct inv_heap;

struct invariants {
  const struct dg_log *log;
  struct dg_error *err;    /* of the call that goes on */
  bool is_short;           /* of memory: nothing more is looked at */
  /* Of the record that is looked at.  */
  uint64_t icount;
  struct inv_thread *thread;   /* the current one */
  uint64_t counts[INV_KINDS];
  struct dg_table findings;    /* struct inv_finding */
  GHashTable *threads;     /* of struct inv_thread, by number */
  bool has_starts;         /* the log says when threads start */
  uint64_t generation;     /* grows where runs are left out */
  uint64_t runs, bbdefs, contexts, ns, records;
  GHashTable *ranges, *events, *modules;
  struct inv_calls *calls;
  struct inv_heap *heap;
};

/* Tells of something that does not fit, at the current record.  */
void invariants_find (struct invariants *inv, enum inv_kind kind,
                      const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* A thread, which is made if it is not known.  */
struct inv_thread *invariants_thread_at (struct invariants *inv,
                                         uint64_t number);

/* Threads, signals, events, ranges, modules, time (invariants_records.c).  */
void invariants_records_take (struct invariants *inv,
                              const struct dg_record *rec);
void invariants_records_end (struct invariants *inv);

/* The heap (invariants_heap.c).  */
struct inv_heap *invariants_heap_new (void);
void invariants_heap_free (struct inv_heap *heap);
void invariants_heap_take (struct invariants *inv,
                           const struct dg_record *rec);

/* Blocks, contexts and how one run follows the other
   (invariants_calls.c).  */
struct inv_calls *invariants_calls_new (const struct dg_log *log,
                                        struct dg_error *err);
void invariants_calls_free (struct inv_calls *calls);
void invariants_calls_take (struct invariants *inv,
                            const struct dg_record *rec);

#endif /* DG_INVARIANTS_H */

/* advise_facts.h: what analyses found about a run, in the form that rules
   read: each line of code with its costs, its streams of accesses, and the
   objects that these walk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_FACTS_H
#define DG_ADVISE_FACTS_H

#include "dg_analysis.h"

#include <glib.h>
#include <string.h>

/* What a miss of the last level weighs against one of the first, where the
   waits of a line of code are divided among its streams.  */
#define ADVISE_LL_WEIGHT       10
/* Cycles of moving a line between cores, as the optimisation manuals of
   processors give them; `dg time` has a core for each thread and does not see
   them.  */
#define ADVISE_TRANSFER_CYCLES 100

/* A line of a function.  Equal texts need not be equal pointers.  */
struct advise_code {
  const char *function, *file, *module;
  uint32_t line;
};

/* Whether two lines of a function are at most so many lines apart.  */
static inline bool
advise_is_near (const struct advise_code *a, const struct advise_code *b,
                uint32_t lines)
{
  return a->line > 0 && b->line > 0 && a->line + lines >= b->line
         && a->line <= b->line + lines && g_strcmp0 (a->file, b->file) == 0
         && g_strcmp0 (a->function, b->function) == 0;
}

/* Lines of one loop are at most so many lines apart.  */
#define ADVISE_LOOP_LINES 6

static inline bool
advise_is_same_loop (const struct advise_code *a, const struct advise_code *b)
{
  return advise_is_near (a, b, ADVISE_LOOP_LINES);
}

struct advise_line {
  struct advise_code code;
  bool is_own;             /* not the dynamic loader or the C library */
  uint64_t instructions, fetch_misses, fetch_ll_misses;
  /* By dg time, without the first touches of pages: all, and what of them
     waits for the caches, for machine code, and for values that were just
     stored.  */
  uint64_t cycles, memory_cycles, fetch_cycles, forward_cycles;
  uint64_t branch_cycles;  /* lost to wrong predictions */
  uint64_t branches, mispredicted;       /* conditional and indirect ones */
  uint64_t forward_fails;  /* loads of more than an earlier store wrote */
  uint64_t aliases;        /* loads that wait for a store to another page */
  uint64_t accesses, misses, ll_misses;  /* D1, and both levels */
  uint64_t cold, far;      /* misses that any cache of D1's size has */
  double distance;         /* between uses, in lines, mean */
  uint64_t fetched;        /* cache lines, by its streams */
  /* Accesses by instructions that repeat themselves, as copies have; and what
     they write, of one size each.  */
  uint64_t repeated_reads, repeated_writes, repeated_bytes;
  double waits;            /* cycles that what it misses is waited for, here or
                              elsewhere in its loop */
  double weight;           /* of the misses of all its streams */
};

enum advise_pattern {
  ADVISE_OTHER = 0,        /* mixed, local, few */
  ADVISE_STACK,
  ADVISE_CONSTANT,
  ADVISE_SEQUENTIAL,
  ADVISE_STRIDED,
  ADVISE_CHASING,
  ADVISE_RANDOM            /* also gather */
};

struct advise_object;

/* Accesses of one kind by a line to one memory.  */
struct advise_stream {
  struct advise_line *line;
  enum advise_pattern pattern;
  bool is_write;
  uint32_t size;           /* bytes of an access; 0: several sizes */
  int64_t stride;          /* bytes; 0: none */
  double stride_share;     /* of the moves */
  uint64_t accesses;
  uint64_t atomic;         /* of them */
  uint64_t fetched;        /* cache lines; 0: unknown, or few */
  double line_use;         /* of their bytes, what is used before the cache
                              loses them; 1 if it is not known */
  const char *memory;      /* site or variable; NULL: several */
  const struct advise_object *object;    /* NULL: unknown */
  /* Its part of the line's misses, estimated from the patterns, and of the
     cycles that the line waits for them.  */
  double misses, ll_misses, cycles;
};

struct advise_field {
  const char *name;
  uint32_t offset, size;
  uint64_t reads, writes;
  double share;            /* of visits to the object */
};

/* Bytes that no field has are told as one, too.  */
static inline bool
advise_field_is_padding (const struct advise_field *field)
{
  return strcmp (field->name, "(padding)") == 0;
}

/* A kind of structure: blocks of one site and size, or a global array.  */
struct advise_object {
  const char *text;        /* "struct p, 64 bytes, main (a.c:9)" */
  char *type;              /* NULL: unknown */
  const char *memory;      /* within text */
  uint32_t size;
  uint64_t visits;
  GArray *fields;          /* struct advise_field */
  const char *together;    /* the analysis's hint, or NULL */
};

struct advise_function {
  const char *function, *module;
  const char *name;        /* for people, and as in calls */
  bool is_own;
  uint64_t calls, self, inclusive;       /* instructions */
  /* Only if calls are weighed by cycles: */
  uint64_t cycles, inclusive_cycles, l1_misses;
  uint64_t accesses;       /* its own */
};

struct advise_call {
  const char *caller, *callee;
  uint64_t calls;
};

/* Different variables of several threads in one cache line.  */
struct advise_shared {
  const char *variables, *advice;
  const struct dg_pair *by_thread;       /* accesses; of the report */
  size_t n_threads;
  uint64_t address, accesses, transfers, false_transfers;
  /* Where most of its writes are.  */
  uint64_t writes;
  const char *file;
  uint32_t line;
};

/* A variable that several threads access and at least one writes.  */
struct advise_contended {
  const char *variable;
  uint64_t accesses, writes;
  uint64_t others;         /* accesses of all but the busiest thread */
  uint64_t writers;        /* threads that write it, as bits; 63: all others */
  double transfers;        /* of its lines, if threads ran in parallel as far
                              as they could; its part of those for the same
                              bytes */
  GHashTable *moves;       /* advise_moves_new: the same by thread */
  bool is_lock;            /* a mutex or the like */
  uint64_t most;           /* of one line of code: that at */
  struct advise_code code;
};

/* Blocks of one allocation site.  */
struct advise_site {
  char *name;
  struct advise_code code; /* owned by the names of stacks */
  bool is_library;         /* it called a library that allocated */
  uint64_t blocks, bytes, max_size;
  uint64_t kept;           /* never freed; and of those that are not used
                              near the end either */
  uint64_t never_freed, never_freed_bytes;
  uint64_t never_used, never_used_bytes;
  uint64_t untouched;      /* bytes */
  uint64_t write_only, write_only_bytes, write_only_accesses;
  double life;             /* instructions, sum over freed blocks */
  uint64_t live, live_max; /* blocks */
  uint32_t latest;         /* order of the block allocated last ... */
  uint64_t latest_size;
  bool is_latest_new;      /* ... not by a realloc, and none was freed since */
  uint64_t regrown, copied;      /* blocks in the place of smaller ones, and
                                    the bytes of these, which are copied */
  uint64_t grown_step;     /* bytes, sum */
};

struct advise_facts {
  /* Of the whole run.  */
  uint64_t instructions, accesses;
  uint64_t misses, ll_misses;            /* D1, and both levels */
  double cycles;           /* by dg time, without first touches of pages */
  double memory_cycles, fetch_cycles, forward_cycles, branch_cycles;
  double page_cycles;      /* not in these */
  uint32_t line_size;
  uint64_t d1_lines, ll_bytes;
  bool has_distances;      /* for D1 as it is simulated */
  bool is_partial;         /* the log does not cover the whole run */
  bool has_heap;           /* else what follows about the heap is unknown */
  uint64_t heap_bytes;     /* allocated in all */
  uint64_t heap_peak;      /* bytes */
  GPtrArray *lines;        /* struct advise_line */
  GHashTable *by_code;     /* struct advise_code -> advise_line */
  GArray *streams;         /* struct advise_stream, most misses first */
  GPtrArray *objects;      /* struct advise_object */
  GArray *functions;       /* struct advise_function */
  GArray *calls;           /* struct advise_call */
  GHashTable *thread_cycles;     /* thread -> double *, by dg time, without
                              those for pages */
  GArray *shared;          /* struct advise_shared */
  GArray *contended;       /* struct advise_contended */
  GPtrArray *sites;        /* struct advise_site, in the order of names */
  GHashTable *by_site;     /* name -> advise_site */
  struct stack_names *names;     /* that sites' codes belong to, or NULL */
};

/* Of a report of the analyses of advise_work.c, which must outlive it.  */
void advise_facts_init (struct advise_facts *facts,
                        const struct dg_report *report);
void advise_facts_fini (struct advise_facts *facts);

/* Transfers by the thread that has to wait for them: thread -> double *.  */
GHashTable *advise_moves_new (void);
/* Adds transfers of a line that threads access so often.  */
void advise_moves_add (GHashTable *moves, const struct dg_pair *accesses,
                       size_t n, double transfers);

/* advise_sharing_facts.c: adds what threads share.  */
void advise_facts_add_sharing (struct advise_facts *facts,
                               const struct dg_report *report);

/* The code that the row of a table is about.  */
struct advise_table;
struct advise_code advise_facts_code (const struct advise_table *table);

/* The loader, the libraries of the system and Valgrind's own code: what they
   do is not advised about.  NULL: unknown, thus own.  */
bool advise_module_is_own (const char *module);

/* How much misses weigh against others.  */
static inline double
advise_misses_weight (double misses, double ll_misses)
{
  return misses + ll_misses * ADVISE_LL_WEIGHT;
}

/* Cycles of so many instructions of this run, if they wait for nothing.  */
static inline double
advise_work_cost (const struct advise_facts *facts, uint64_t instructions)
{
  double waits = facts->memory_cycles + facts->fetch_cycles
                 + facts->forward_cycles + facts->branch_cycles;

  return facts->instructions > 0
           ? (double) instructions * MAX (facts->cycles - waits, 0)
               / (double) facts->instructions
           : 0;
}

/* advise_heap_facts.c: the site of that name.  NULL: there is none.  */
const struct advise_site *advise_facts_site (const struct advise_facts *facts,
                                             const char *memory);
/* Adds the sites.  0 or an error.  */
int advise_facts_add_heap (struct advise_facts *facts,
                           const struct dg_log *log, unsigned workers,
                           dg_progress_fn progress, void *user,
                           struct dg_error *err);

#endif /* DG_ADVISE_FACTS_H */

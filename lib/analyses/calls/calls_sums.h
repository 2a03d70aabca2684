/* calls_sums.h: what the calls of each function, and from each function to
   each other, add up to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_SUMS_H
#define DG_CALLS_SUMS_H

#include <glib.h>

#include "base/lookup.h"
#include "dg_analysis.h"

/* The longest calls of a function that are kept.  */
#define CALLS_LONGEST 16

/* What can be counted of calls: by itself, and by the time model
   (calls_time.c) if that is asked for.  */
enum calls_weight {
  CALLS_INSTRUCTIONS, CALLS_ACCESSES, CALLS_READS, CALLS_WRITES, CALLS_BYTES,
  CALLS_COUNTED,
  CALLS_CYCLES = CALLS_COUNTED, CALLS_MEMORY_CYCLES, CALLS_L1_MISSES,
  CALLS_L2_MISSES, CALLS_L3_MISSES,
  CALLS_N_WEIGHTS,
  CALLS_TIMES = CALLS_N_WEIGHTS - CALLS_COUNTED
};
#define CALLS_WEIGHTS                                                  \
  "instructions,accesses,reads,writes,bytes,cycles,memory-cycles,"     \
  "l1-misses,l2-misses,l3-misses"

enum calls_weight calls_weight_parse (const char *text);
/* "memory_cycles", of those of the time model.  */
const char *calls_weight_key (enum calls_weight weight);
static inline bool
calls_weight_is_time (enum calls_weight weight)
{
  return weight >= CALLS_COUNTED;
}

/* time: from CALLS_COUNTED on; 0 if that is not asked for.  */
struct calls_cost {
  uint64_t instructions, accesses;
  uint64_t time[CALLS_TIMES];
};

/* Of CALLS_INSTRUCTIONS, CALLS_ACCESSES and those of the time model.  */
static inline uint64_t
calls_cost_of (const struct calls_cost *cost, enum calls_weight weight)
{
  return calls_weight_is_time (weight) ? cost->time[weight - CALLS_COUNTED]
         : weight == CALLS_ACCESSES    ? cost->accesses
                                       : cost->instructions;
}

static inline void
calls_cost_add (struct calls_cost *to, const struct calls_cost *cost)
{
  to->instructions += cost->instructions;
  to->accesses += cost->accesses;
  for (unsigned i = 0; i < CALLS_TIMES; i++)
    to->time[i] += cost->time[i];
}

/* Adds what came between two moments.  */
static inline void
calls_cost_add_between (struct calls_cost *to, const struct calls_cost *from,
                        const struct calls_cost *until)
{
  to->instructions += until->instructions - from->instructions;
  to->accesses += until->accesses - from->accesses;
  for (unsigned i = 0; i < CALLS_TIMES; i++)
    to->time[i] += until->time[i] - from->time[i];
}

/* A call that was long.  */
struct calls_long {
  uint64_t instructions, start_icount;
  uint32_t thread;
};

/* Of a function.  */
struct calls_of {
  uint32_t function;
  uint32_t active;         /* calls that have not ended */
  uint64_t calls;
  struct calls_cost self;
  struct calls_cost inclusive;         /* of those that no other call of the
                                          function contains */
  /* Lengths of calls in instructions, callees included, each call by itself;
     of `ended` of them, for some have no length of their own.  */
  uint64_t ended, total, longest;
  unsigned __int128 squares;           /* sum of */
  struct calls_long *kept;             /* a heap, the shortest first; NULL */
  uint32_t n_kept;
};

/* From one function to another.  */
struct calls_edge {
  uint32_t caller, callee;
  uint64_t calls;
  struct calls_cost inclusive;         /* the same */
  uint32_t active;
};

/* Only of functions and edges that were asked for: a program may have many
   threads, and each thread has sums.  */
struct calls_sums {
  struct calls_of *functions;
  uint32_t n_functions, room;
  uint32_t *places;        /* by number of function: 1 + its place among
                              these; 0: it is not there */
  uint32_t n_places;
  struct calls_edge *edges;
  uint32_t n_edges, room_edges;
  struct dg_lookup edge_lookup;        /* by caller and callee */
  bool keeps_longest;
  bool has_failed;         /* out of memory */
  struct calls_of lost;    /* where there was none */
  struct calls_edge lost_edge;
};

void calls_sums_init (struct calls_sums *sums, bool keeps_longest);
void calls_sums_fini (struct calls_sums *sums);

struct calls_of *calls_sums_add_function (struct calls_sums *sums,
                                          uint32_t function);

/* Never NULL; valid until a function is asked for that was not there.  */
static inline struct calls_of *
calls_sums_function (struct calls_sums *sums, uint32_t function)
{
  if (G_UNLIKELY (function >= sums->n_places || sums->places[function] == 0))
    return calls_sums_add_function (sums, function);
  return &sums->functions[sums->places[function] - 1];
}

/* The number of an edge; UINT32_MAX when memory is short.  */
uint32_t calls_sums_edge (struct calls_sums *sums, uint32_t caller,
                          uint32_t callee);

static inline struct calls_edge *
calls_sums_edge_at (struct calls_sums *sums, uint32_t edge)
{
  return edge < sums->n_edges ? &sums->edges[edge] : &sums->lost_edge;
}

/* A call of this length ended.  */
void calls_sums_ended (struct calls_sums *sums, struct calls_of *of,
                       const struct calls_long *call);

/* Adds what other sums have.  */
void calls_sums_add (struct calls_sums *to, const struct calls_sums *from);

#endif /* DG_CALLS_SUMS_H */

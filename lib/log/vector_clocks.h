/* vector_clocks.h: vector clocks: how much of each thread has happened.

   Clocks are sparse and share what is the same, since those of a program's
   threads hardly differ: a tree of 16 ways by the number of a thread, whose
   parts belong to all clocks that have them and are copied when one changes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VECTOR_CLOCKS_H
#define DG_VECTOR_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: nothing has happened.  */
struct dg_vector;

/* What all clocks of a kind have in common.  */
struct dg_clocks {
  unsigned levels;         /* 16 to the power of it: threads, at most */
  size_t nodes, most_nodes;
  uint64_t steps, most_steps;
  bool is_short;           /* of memory, or a bound was reached: clocks may
                              show less than what happened */
  bool failed;             /* no memory */
};

/* Bounds: some 128 bytes for a node; some nanoseconds for a step.  */
void dg_clocks_init (struct dg_clocks *clocks, size_t threads,
                     size_t most_nodes, uint64_t most_steps);

/* Another owner of the same clock.  */
struct dg_vector *dg_vector_ref (struct dg_vector *vector);
void dg_vector_unref (struct dg_clocks *clocks, struct dg_vector *vector,
                      unsigned levels);
uint32_t dg_vector_get (const struct dg_clocks *clocks,
                        const struct dg_vector *vector, uint32_t thread);
/* The clock in which a thread has come at least so far; takes the given one.
   Where there is no room it is as it was.  */
struct dg_vector *dg_vector_set (struct dg_clocks *clocks,
                                 struct dg_vector *vector, uint32_t thread,
                                 uint32_t count);
/* The clock in which what is in either has happened; takes the first.  */
struct dg_vector *dg_vector_join (struct dg_clocks *clocks,
                                  struct dg_vector *vector,
                                  struct dg_vector *other);

#endif /* DG_VECTOR_CLOCKS_H */

/* curve.h: the inside of curves of the heap.

   A state is what is alive after so many changes, and holds from its moment
   on: state 0 before the first, state n after all.  Of several changes at one
   moment, ends of lives come first, and only the last one's state is ever
   seen.

   Who allocated is an origin: a call stack, a thread and an allocator.  Groups
   are what series are made of: origins of one site, one thread...

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CURVE_PRIVATE_H
#define DG_CURVE_PRIVATE_H

#include <glib.h>

#include "symbols/allocators_file.h"
#include "base/arena.h"
#include "libdatagrind.h"
#include "base/pairs.h"
#include "base/table.h"

struct dg_curve_origin {
  struct dg_stack stack;
  uint64_t icount;         /* of its first block */
  uint32_t thread;
  uint8_t allocator;
  bool is_ignored;
};

/* A group, which a series may become.  */
struct dg_curve_group {
  const char *name;
  const char *function, *file, *module;
  uint32_t line, column, call, folders;
  uint32_t rank;           /* by most */
  uint32_t origin;         /* the first */
  uint64_t most;           /* bytes that it ever has at once */
};

/* All origins in groups, by one enum dg_curve_by.  */
struct dg_curve_groups {
  uint32_t *of;            /* by origin: its group, DG_NONE if ignored */
  struct dg_curve_group *groups;
  uint32_t n;
  struct dg_arena arena;   /* for names */
};

#define DG_CURVE_BYS (DG_CURVE_BY_THREAD + 1)

struct dg_curve_source {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_allocators *allocators;
  struct dg_site_lines *lines;
  size_t n_blocks;
  uint64_t limit;          /* larger blocks count as this: no sum overflows;
                              no real log has any */
  /* Origins; not changed once they are all known.  */
  struct dg_pairs stacks;  /* (address of the stack, 0) -> number */
  struct dg_pairs makers;  /* (number of the stack and allocator, thread) ->
                              origin */
  struct dg_table origins; /* struct dg_curve_origin */
  uint32_t n_stacks;
  /* Of n + 1 states: from when on they hold, bytes alive, and what the change
     before was: 2 * origin + 1 for an end of a life, 2 * origin for a
     beginning; not of state 0.  */
  uint64_t *icounts, *totals;
  uint32_t *changes;
  size_t n;
  /* At each 2^stride_bits states, from state 0 on: bytes and blocks of each
     origin, and bytes allocated and freed so far; of the states from there to
     the next: the most bytes alive and the fewest.  */
  unsigned stride_bits;
  size_t n_marks;
  uint64_t *mark_bytes;
  uint32_t *mark_blocks;
  uint64_t *turnover, *high, *low;
  /* The log's clock, made to go forward.  */
  struct dg_clock *clock;
  size_t n_clock;
  GMutex lock;             /* guards the groups' making */
  struct dg_curve_groups *groups[DG_CURVE_BYS];
};

/* ---- curve_source.c --------------------------------------------------- */

/* Origin of a block, DG_NONE if it does not count.  */
uint32_t dg_curve_origin_of (const struct dg_curve_source *source,
                             const struct dg_block *block);

/* ---- curve_states.c --------------------------------------------------- */

/* Fills what stands at each mark: 0 or DG_ERR_NOMEM.  */
int dg_curve_make_marks (struct dg_curve_source *source);

/* The state at a moment.  */
size_t dg_curve_state_at (const struct dg_curve_source *source,
                          uint64_t icount);
/* Whether a state is ever seen.  */
static inline bool
dg_curve_is_seen (const struct dg_curve_source *source, size_t state)
{
  return state == source->n
         || source->icounts[state] != source->icounts[state + 1];
}

/* Among states first..last, which is seen: the first that is seen and has the
   most bytes, and the fewest bytes that one has that is seen.  */
size_t dg_curve_highest (const struct dg_curve_source *source, size_t first,
                         size_t last);
uint64_t dg_curve_lowest (const struct dg_curve_source *source, size_t first,
                          size_t last);

/* The axis: its value at a moment, and the first moment that has at least a
   value (BYTES: that has come no further).  */
uint64_t dg_curve_time_of (const struct dg_curve_source *source,
                           enum dg_curve_time time, uint64_t icount);
uint64_t dg_curve_icount_of (const struct dg_curve_source *source,
                             enum dg_curve_time time, uint64_t value);

/* ---- curve_walk.c ----------------------------------------------------- */

/* Goes over states and sums bytes up in slots.  */
struct dg_curve_walk {
  const struct dg_curve_source *source;
  const uint32_t *slot_of; /* by origin; DG_NONE: in none */
  uint32_t n_slots;
  size_t state;            /* where it is */
  uint64_t *bytes;         /* by slot */
  uint64_t *counts;        /* of blocks, by slot; NULL: not wanted */
  uint64_t blocks;         /* in all */
  uint64_t *most;          /* by slot, the most at any stop; NULL: not
                              wanted */
  uint32_t *dirty;         /* slots whose bytes may have changed since */
  uint8_t *is_dirty;
  uint32_t n_dirty;
};

enum dg_curve_wants { DG_CURVE_COUNTS = 1, DG_CURVE_MOST = 2 };

/* At state 0.  wants: of enum dg_curve_wants.  0 or DG_ERR_NOMEM.  */
int dg_curve_walk_init (struct dg_curve_walk *walk,
                        const struct dg_curve_source *source,
                        const uint32_t *slot_of, uint32_t n_slots,
                        unsigned wants);
void dg_curve_walk_fini (struct dg_curve_walk *walk);
/* Goes to a state, on the shortest way, and stops there.  */
void dg_curve_walk_to (struct dg_curve_walk *walk, size_t state);

/* ---- curve_groups.c --------------------------------------------------- */

/* The groups by `by`, made when they are first asked for.  NULL, *code and
   *err: DG_ERR_NOMEM, DG_ERR_CANCELLED.  Progress is in steps.  */
const struct dg_curve_groups *
dg_curve_groups_get (struct dg_curve_source *source, enum dg_curve_by by,
                     dg_progress_fn progress, void *user, int *code,
                     struct dg_error *err);
void dg_curve_groups_free (struct dg_curve_groups *groups);

#endif /* DG_CURVE_PRIVATE_H */

/* calltree.h: who called whom in a part of the plot, and how much memory was
   accessed, or allocated, on each path: a tree of functions, made from the
   call paths of a tally, or from the call stacks of heap blocks.

   Inlined calls are calls.  Recursion is kept as it was recorded.  Functions
   of one name in one module are one function; what has no name is one
   function for each module.  Knows no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLTREE_H
#define DV_CALLTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/log/highlight.h"
#include "model/log/items.h"
#include "model/tally/tally.h"

/* No node, no function, no module.  */
#define DV_CALL_NONE UINT32_MAX

/* However many paths a log has; each takes about 100 bytes.  */
#define DV_CALLTREE_MAX_NODES ((uint32_t) 1 << 20)

/* What is counted: accesses of a tally's tree, blocks of a heap's.  */
enum dv_call_weight {
  DV_CALL_ACCESSES, DV_CALL_READS, DV_CALL_WRITES, DV_CALL_BYTES,
  DV_CALL_ALLOCATED,       /* bytes */
  DV_CALL_BLOCKS,
  DV_CALL_TEMPORARY,       /* blocks, see dg_temporary.h */
  DV_CALL_LEAKED,          /* bytes that are never freed */
  DV_CALL_CYCLES,          /* by the model of dg time, as those below */
  DV_CALL_MEMORY_CYCLES,
  DV_CALL_L1_MISSES, DV_CALL_L2_MISSES, DV_CALL_L3_MISSES,
  DV_N_CALL_WEIGHTS
};

/* Whether it is of heap blocks.  */
static inline bool
dv_call_weighs_heap (enum dv_call_weight weight)
{
  return weight >= DV_CALL_ALLOCATED && weight < DV_CALL_CYCLES;
}

/* Whether it is of the time model.  */
static inline bool
dv_call_weighs_time (enum dv_call_weight weight)
{
  return weight >= DV_CALL_CYCLES;
}

/* What was allocated.  */
struct dv_call_heap {
  uint64_t bytes, blocks, temporary, leaked;
};

static inline uint64_t
dv_call_weigh_heap (const struct dv_call_heap *heap,
                    enum dv_call_weight weight)
{
  switch (weight) {
  case DV_CALL_BLOCKS:
    return heap->blocks;
  case DV_CALL_TEMPORARY:
    return heap->temporary;
  case DV_CALL_LEAKED:
    return heap->leaked;
  default:
    return heap->bytes;
  }
}

/* By weight, from DV_CALL_CYCLES on.  */
struct dv_call_time {
  uint64_t sums[DV_N_CALL_WEIGHTS - DV_CALL_CYCLES];
};

static inline uint64_t
dv_call_weigh_time (const struct dv_call_time *time,
                    enum dv_call_weight weight)
{
  return time->sums[weight - DV_CALL_CYCLES];
}

static inline uint64_t
dv_call_weigh (const struct dv_tally_count *count, enum dv_call_weight weight)
{
  switch (weight) {
  case DV_CALL_READS:
    return count->reads;
  case DV_CALL_WRITES:
    return count->writes;
  case DV_CALL_BYTES:
    return count->read_bytes + count->written_bytes;
  default:
    return dv_tally_count_accesses (count);
  }
}

struct dv_call_function {
  const char *name;        /* as the log has it; NULL: not known */
  const char *module;      /* path; NULL: not known */
  char *label;             /* for people: valid UTF-8, never NULL */
  uint64_t key;            /* of name and module: the same in any tree */
  uint32_t module_number;  /* 0: the program, then as they were loaded; or
                              DV_CALL_NONE */
};

/* A function as it was called by that of the parent node.  */
struct dv_call_node {
  uint32_t function;       /* DV_CALL_NONE: the root's */
  uint32_t parent;         /* the root's is DV_CALL_NONE */
  uint32_t end;            /* what it called: this node + 1 .. end - 1 */
  uint32_t line;           /* where it is when most is accessed; 0 unknown */
  const char *file;        /* likewise; NULL unknown */
  /* By the function itself, and with what it called; of a heap's tree, the
     second of each; of the time model's, the third.  */
  union {
    struct dv_tally_count self;
    struct dv_call_heap self_heap;
    struct dv_call_time self_time;
  };
  union {
    struct dv_tally_count all;
    struct dv_call_heap all_heap;
    struct dv_call_time all_time;
  };
};

static inline uint64_t
dv_call_node_self (const struct dv_call_node *node, enum dv_call_weight weight)
{
  return dv_call_weighs_time (weight)
           ? dv_call_weigh_time (&node->self_time, weight)
         : dv_call_weighs_heap (weight)
           ? dv_call_weigh_heap (&node->self_heap, weight)
           : dv_call_weigh (&node->self, weight);
}

static inline uint64_t
dv_call_node_all (const struct dv_call_node *node, enum dv_call_weight weight)
{
  return dv_call_weighs_time (weight)
           ? dv_call_weigh_time (&node->all_time, weight)
         : dv_call_weighs_heap (weight)
           ? dv_call_weigh_heap (&node->all_heap, weight)
           : dv_call_weigh (&node->all, weight);
}

/* Reference counted, for any thread; not changed once it was made.  */
struct dv_calltree {
  struct dv_tally *tally;      /* keeps the names alive; NULL: of a heap */
  struct dv_data *data;        /* does so for others; NULL: of a tally */
  bool is_time;                /* of the time model, not of a heap */
  bool is_understood;          /* by the model: the log's machine code */
  uint64_t sample;             /* of the model: one stretch in so many */
  struct dv_items functions;   /* struct dv_call_function */
  /* Each node is followed by what it called, the heaviest (in accesses, or
     allocated bytes) first.  Node 0 is the root: everything.  */
  struct dv_call_node *nodes;
  uint32_t n;                  /* at least 1 */
  uint32_t *leaves;            /* the node of each of tally->contexts */
  uint64_t cut;                /* accesses or bytes of paths that are too many
                                  to be kept whole: in a node further up */
};

/* Looks names up: for background threads.  max_nodes 0: the usual.  NULL and
   *err when it was cancelled, or when there is no memory.  */
struct dv_calltree *dv_calltree_new (struct dv_tally *tally,
                                     uint32_t max_nodes,
                                     dg_progress_fn progress, void *user,
                                     struct dg_error *err);
/* The same with the usual size, for who makes something of each tally (kind is
   nothing here).  */
void *dv_calltree_make (struct dv_tally *tally, unsigned kind,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);
/* Of the blocks that are allocated at instructions [start, end): frames from
   main to the allocation site, as in `dg heap --folded`.  Likewise.  */
struct dv_calltree *dv_calltree_heap_new (struct dv_data *data, uint64_t start,
                                          uint64_t end, uint32_t max_nodes,
                                          dg_progress_fn progress, void *user,
                                          struct dg_error *err);
/* What the time model says of the instructions [start, end) that the scene's
   conditions keep, each superblock as its first instruction; of a long run, by
   a sample.  Likewise.  */
struct dv_calltree *dv_calltree_time_new (struct dv_scene *scene,
                                          uint64_t start, uint64_t end,
                                          uint32_t max_nodes,
                                          dg_progress_fn progress, void *user,
                                          struct dg_error *err);
struct dv_calltree *dv_calltree_ref (struct dv_calltree *tree);
/* NULL is fine.  */
void dv_calltree_unref (struct dv_calltree *tree);

static inline const struct dv_call_function *
dv_calltree_function (const struct dv_calltree *tree, uint32_t function)
{
  return &((const struct dv_call_function *) tree->functions.items)[function];
}

/* The first node that NODE called, and the next one with the same parent;
   DV_CALL_NONE: none.  */
uint32_t dv_calltree_child (const struct dv_calltree *tree, uint32_t node);
uint32_t dv_calltree_next (const struct dv_calltree *tree, uint32_t node);

/* "sort_lines", or "everything" for the root.  */
const char *dv_calltree_label (const struct dv_calltree *tree,
                               uint32_t node);
/* The condition of the filter by which only this function and what it called
   is shown, such as "fn:sort_lines"; NULL if there is none.  A new string.  */
char *dv_calltree_condition (const struct dv_calltree *tree,
                             uint32_t function);
/* All contexts whose path goes through the node, of a tally's tree.  */
struct dv_highlight *dv_calltree_highlight (const struct dv_calltree *tree,
                                            uint32_t node);

/* Which functions have TEXT in their names, without regard to case: one byte
   for each function.  *n receives how many.  Free with g_free.  */
uint8_t *dv_calltree_match (const struct dv_calltree *tree, const char *text,
                            uint32_t *n);
/* The weight of all paths below NODE, or through it, that go through a
   function that matches; each once.  */
uint64_t dv_calltree_matched (const struct dv_calltree *tree, uint32_t node,
                              const uint8_t *matches,
                              enum dv_call_weight weight);

/* The paths through NODE as lines "caller;callee 123", as other programs read
   them; at most `max_bytes`, whole lines.  A new string; *whole says whether
   it is all.  */
char *dv_calltree_folded (const struct dv_calltree *tree, uint32_t node,
                          enum dv_call_weight weight, size_t max_bytes,
                          bool *whole);

#endif /* DV_CALLTREE_H */

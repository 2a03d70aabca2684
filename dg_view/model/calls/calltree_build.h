/* calltree_build.h: what the makers of call trees share: functions by name,
   and nodes while their brothers are not yet known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLTREE_BUILD_H
#define DV_CALLTREE_BUILD_H

#include "calltree.h"
#include "model/log/numbers.h"

/* A line of a function.  */
struct dv_call_place {
  uint32_t function;
  uint32_t line;
  const char *file;
};

/* The places of an address: those of its frames.  */
struct dv_call_places {
  uint32_t first, n;           /* innermost first */
};

/* A node while its brothers are not yet known.  A parent stands before its
   children.  */
struct dv_call_raw {
  uint32_t function, parent, place;
  uint64_t most;               /* accesses of the context that it is from */
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

struct dv_call_build {
  struct dv_tally *tally;       /* NULL: of a heap, or of the time model */
  bool is_time;
  const struct dg_log *log;
  struct dg_symbols *symbols;
  uint32_t max_nodes;
  bool are_reloaded;           /* an address may mean different modules */
  struct dv_items *functions;  /* struct dv_call_function, of the tree */
  struct dv_numbers by_name;      /* their key, and which of those that share
                                  it */
  GHashTable *modules;         /* path to number + 1 */
  struct dv_items places;      /* struct dv_call_place */
  struct dv_items addresses;   /* struct dv_call_places */
  struct dv_numbers by_address;   /* addresses and moments of these */
  struct dv_items raws;        /* struct dv_call_raw */
  uint32_t *table;             /* of raws, by parent and function */
  uint32_t table_size;         /* a power of two */
  uint64_t cut;
  /* The last context, since the next one is likely to have its callers.  */
  uint32_t n_last;             /* of `last`; 0: there was none */
  uint64_t last[DG_STACK_MAX];
  uint64_t last_icount;
  uint32_t levels[256];        /* raw node of each of its call sites, the
                                  outermost first */
};

/* false: there is no memory; to be ended all the same.  max_nodes 0: the
   usual.  */
bool dv_call_build_init (struct dv_call_build *build, struct dv_calltree *tree,
                         struct dv_data *data, uint32_t max_nodes);
void dv_call_build_fini (struct dv_call_build *build);
/* The node below `parent` for a frame, which is made if need be; the parent
   itself, with *is_cut, when there are too many; DV_CALL_NONE: there is no
   memory.  The heaviest one tells where the function is.  */
uint32_t dv_call_build_frame (struct dv_call_build *build, uint32_t parent,
                              const struct dg_frame *frame, uint64_t weight,
                              bool *is_cut);
/* The node of a context, which is made if need be; DV_CALL_NONE: there is no
   memory.  icount: when it ran.  */
uint32_t dv_call_build_context (struct dv_call_build *build, uint32_t context,
                                uint64_t icount, uint64_t weight);
static inline struct dv_call_raw *
dv_call_build_raw (const struct dv_call_build *build, uint32_t node)
{
  return (struct dv_call_raw *) build->raws.items + node;
}
/* Puts all nodes in order.  0 or DG_ERR_NOMEM.  */
int dv_call_build_finish (struct dv_calltree *tree,
                          struct dv_call_build *build);
/* Sets *err, which may be NULL, and frees the tree: NULL.  */
struct dv_calltree *dv_call_build_failed (struct dv_calltree *tree, int code,
                                          struct dg_error *err);

#endif /* DV_CALLTREE_BUILD_H */

/* patterns_state.h: what the parts of `dg patterns` share: the sums of slots
   and sites, and the analysis itself.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_STATE_H
#define DG_PATTERNS_STATE_H

#include "dg_analysis.h"
#include "analysis/breakdown_mine.h"
#include "patterns_flow.h"
#include "patterns_lines.h"
#include "patterns_moves.h"
#include "patterns_visits.h"
#include "base/intern.h"
#include "base/table.h"

/* A slot of a block, or in the report all that are the same instruction's.  */
struct dg_pattern_slot_sums {
  uint32_t slot;  /* number over all definitions */
  uint32_t place; /* what most of its accesses may be to (Boyer and
                     Moore, 1981); 0: none */
  uint64_t place_lead;
  uint64_t accesses;
  uint64_t named, stack; /* of them, to memory that has a place, and to the
                            stack of their thread: those are not moves */
  uint64_t icount;       /* of the first one */
  struct dg_pattern_moves moves;
  struct dg_pattern_chase chase;
  struct dg_pattern_fetches fetches;
};

/* All but the slot and its icount.  */
void dg_pattern_slot_sums_add (struct dg_pattern_slot_sums *to,
                               const struct dg_pattern_slot_sums *from);

/* All accesses to the blocks of one place of allocation.  */
struct dg_pattern_site_sums {
  uint32_t place;
  uint64_t reads, writes;
  struct dg_pattern_moves moves;
  struct dg_pattern_chase chase;
};

/* What memory is called: a place of allocation (call stacks of one name are
   one), a tracked range or a global variable.  */
struct dg_pattern_place {
  const char *name;             /* of the dg_variables */
  const char *type;             /* where known, or NULL */
  const struct dg_type *layout; /* of its objects, or NULL: */
  uint64_t origin, icount;      /* of a global variable */
};
/* Places have numbers before they have names: those of sites, and with this
   bit those of variables.  */
#define DG_PLACE_VARIABLE 0x80000000u

/* Of a list of items that begin with a uint32_t: finds the one for a number,
   or adds it.  Numbers are dense.  */
struct dg_pattern_sparse {
  size_t item_size;
  struct dg_table items;
  uint32_t *index; /* of a number, where it may be */
  size_t n_index;
  void *scratch; /* is given where there is no memory */
  bool lacks;    /* ... which has happened: who fills the list looks
                    when it is done */
};
void dg_pattern_sparse_init (struct dg_pattern_sparse *sparse,
                             size_t item_size);
void dg_pattern_sparse_fini (struct dg_pattern_sparse *sparse);
/* Without items, but with their memory.  */
void dg_pattern_sparse_clear (struct dg_pattern_sparse *sparse);
/* For the function below.  */
void *dg_pattern_sparse_add (struct dg_pattern_sparse *sparse,
                             uint32_t number);

/* Zero but its number, if it is new.  Valid until the next.  DG_NONE: as
   without memory.  */
static inline void *
dg_pattern_sparse_find (struct dg_pattern_sparse *sparse, uint32_t number)
{
  uint32_t i, *item;

  if (G_UNLIKELY (number >= sparse->n_index))
    return dg_pattern_sparse_add (sparse, number);
  /* What the index says may be of an earlier shard: the item knows.  */
  i = sparse->index[number];
  if (G_UNLIKELY (i >= sparse->items.n))
    return dg_pattern_sparse_add (sparse, number);
  item = (void *) ((char *) sparse->items.items + i * sparse->item_size);
  return G_LIKELY (*item == number) ? item
                                    : dg_pattern_sparse_add (sparse, number);
}

/* A slot of a library's code, by the call site that is mine.  */
struct dg_pattern_called_slot {
  uint64_t caller; /* 0: it is the slot itself */
  uint64_t slot;   /* its number */
};

struct dg_patterns {
  struct dg_setup *setup;
  const struct dg_log *log;
  struct dg_variables *variables;
  struct dg_symbols *symbols;
  uint64_t sample; /* one stretch of so many is examined; 1: all */
  uint32_t *bases; /* of each definition, the number of its first
                      slot; one more than there are */
  size_t n_bbdefs;
  struct dg_units *units; /* with --mine, else NULL */
  GMutex lock;            /* guards the next two */
  struct dg_table called; /* struct dg_pattern_called_slot: numbers behind
                             those of definitions */
  struct dg_intern by_called;
  struct dg_pattern_block_flows *flows;
  /* Merged so far.  */
  GArray *places;      /* struct dg_pattern_place; 0 is none */
  GHashTable *by_name; /* of them: name -> index */
  /* uint32_t: of each site and each variable + 1, 0 if not asked.  */
  GArray *place_of[2];
  struct dg_pattern_sparse slots;   /* struct dg_pattern_slot_sums */
  struct dg_pattern_sparse sites;   /* struct dg_pattern_site_sums, by place */
  struct dg_pattern_visits *visits; /* kinds by place */
};

/* The definition that has a slot, and the slot; *code receives the instruction
   or, with --mine, the call site that it is told as.  */
const struct dg_bbdef *dg_patterns_slot (const struct dg_patterns *self,
                                         uint32_t number,
                                         const struct dg_slot **slot,
                                         uint64_t *code);
/* A number: which slot that is, and with --mine whose.  */
struct dg_pattern_called_slot
dg_patterns_whose (const struct dg_patterns *self, uint32_t number);
/* With --mine: the number of a slot in a run of a context.  Any thread,
   but they wait for each other.  DG_NONE: no memory.  */
uint32_t dg_patterns_called (struct dg_patterns *self, uint32_t slot,
                             const struct dg_access *access);

/* The field of a place's object at an offset; false: not known.  */
bool dg_patterns_field (const struct dg_patterns *self,
                        const struct dg_pattern_place *place, uint32_t offset,
                        struct dg_field *out);

/* patterns_report.c */
int dg_patterns_report (void *self, struct dg_report *report,
                        struct dg_error *err);
/* patterns_fields.c: the tables of structures.  */
int dg_patterns_report_fields (struct dg_patterns *self,
                               struct dg_report *report, struct dg_error *err);

#endif /* DG_PATTERNS_STATE_H */

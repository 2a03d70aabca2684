/* pair_things.h: what the memory of a log consists of, by names that another
   run has as well: variables, places of allocation, stacks, mappings.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_THINGS_H
#define DV_PAIR_THINGS_H

#include "model/log/scene.h"

/* In the order of the axis.  */
enum dv_pair_kind {
  DV_PAIR_DATA,            /* variables, and the rest of a module's data */
  DV_PAIR_HEAP,            /* all blocks of a place of allocation */
  DV_PAIR_MAPPING,
  DV_PAIR_STACK,
  DV_PAIR_OTHER            /* nobody knows whose it is */
};

/* The names by which things are found in another run: on the same line, where
   the program is the same build; then those of enum dg_align_names.  */
enum {
  DV_PAIR_SAME_BUILD,
  DV_PAIR_WHATEVER_BUILD,
  DV_PAIR_NAMES = DV_PAIR_WHATEVER_BUILD + DG_ALIGN_FEW_NAMES + 1
};

struct dv_pair_thing {
  enum dv_pair_kind kind;
  char *name;              /* for people: UTF-8 */
  char *where;             /* "tree.c:12", or the module; "" */
  char *names[DV_PAIR_NAMES];
  const char *file;        /* as the debug info has it; NULL */
  uint32_t line;
  /* Of a place of allocation.  */
  uint64_t blocks, bytes, smallest, largest;
};

/* Memory between heap blocks is hardly used: pieces of this size lie one over
   the other.  */
#define DV_PAIR_FOLD   4096
#define DV_PAIR_FOLDED UINT64_MAX

/* Addresses [low, high) are a thing's, from its byte `offset` on
   (DV_PAIR_FOLDED: see above), unless a heap block is there.  */
struct dv_pair_extent {
  uint64_t low, high, offset;
  uint32_t thing;
  bool has_blocks;         /* a heap block may be there */
};

struct dv_pair_things {
  struct dv_scene *scene;
  GArray *things;          /* struct dv_pair_thing */
  GArray *extents;         /* struct dv_pair_extent, by address */
  uint32_t *of_block;      /* by block: its thing; DG_NONE: it has no byte on
                              a touched page */
  size_t n_blocks;
  bool has_nested;         /* blocks may be parts of others */
};

/* Looks names up: for background threads.  NULL and *err when it was
   cancelled.  */
struct dv_pair_things *dv_pair_things_new (struct dv_scene *scene,
                                           dg_progress_fn progress, void *user,
                                           struct dg_error *err);
/* NULL is fine.  */
void dv_pair_things_free (struct dv_pair_things *things);

static inline struct dv_pair_thing *
dv_pair_thing (const struct dv_pair_things *things, uint32_t i)
{
  return &g_array_index (things->things, struct dv_pair_thing, i);
}

/* What a module is known by in another run: the program itself may have
   another name there.  */
const char *dv_pair_module_key (const struct dv_scene *scene,
                                const char *base);

/* Sets the names by which dg_align pairs a variable or a module with that of
   another log (allocation sites have other names).  The caller has set the
   name and the place.  few: the name without the parts that an edit of the
   source changes.  */
void dv_pair_thing_name (struct dv_pair_thing *thing,
                         const struct dv_scene *scene, const char *few);
/* For pair_extents.c: the number of the thing with a name and a place, made if
   it is new.  Takes the texts over.  */
uint32_t dv_pair_things_add (struct dv_pair_things *things, GHashTable *known,
                             const struct dv_pair_thing *thing);
/* Finds the extents.  */
void dv_pair_extents_find (struct dv_pair_things *things, GHashTable *known);

#endif /* DV_PAIR_THINGS_H */

/* whatif_place.h: where objects are after a change: new addresses for those
   of objects that a changed program would place elsewhere.

   New objects are where nobody else is.  Blocks are placed as by an allocator
   that keeps DG_WHATIF_OVERHEAD bytes for each, as that of a recording does,
   in areas of 4 MiB, with as much room again for an alignment; variables one
   after the other; what is in a pool side by side.  The place of an object
   that ends is used again for one of the same size.  An object that keeps its
   size stays where it is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_PLACE_H
#define DG_WHATIF_PLACE_H

#include "base/shadow.h"
#include "time/time_memory.h"
#include "whatif_layout.h"

/* Where new objects are, at least; programs have no memory there.  */
#define DG_WHATIF_FIRST (UINT64_C (1) << 46)
/* What the allocator takes besides the bytes of a block; their multiple.  */
#define DG_WHATIF_OVERHEAD 32
#define DG_WHATIF_UNIT     16

/* What an object is: its place follows from it.  */
enum dg_whatif_store {
  DG_WHATIF_BLOCK = 0,     /* allocated */
  DG_WHATIF_STATIC         /* a variable */
};

struct dg_whatif_object {
  uint64_t origin, size;   /* before the change */
  const struct dg_whatif_layout *layout;
  uint64_t base;           /* of the first part */
  uint64_t *bases;         /* of all of several parts, else NULL */
  uint64_t bytes;          /* of all parts */
  uint32_t owner;          /* the caller's number */
  uint8_t store;           /* enum dg_whatif_store */
  bool is_waiting;         /* for its first use, to get a place */
};

/* One thread.  Memory: four bytes for four bytes of pages that objects share,
   48 for pages that are all one object's, and 64 for each object.  */
struct dg_whatif_place {
  struct dg_shadow shadow; /* struct dg_sheet: indices of objects plus 1 */
  uint64_t pages[1024];    /* bits, by the lower bits of a page: it has an
                              object, or had one */
  struct dg_whatif_object *objects;
  size_t n_objects, room;
  GArray *unused;          /* uint32_t: indices */
  GHashTable *arenas;      /* struct dg_whatif_arena, its own key */
  uint64_t next_arena[DG_WHATIF_N_PAGES];
  uint64_t newest;         /* the latest object that waits, by its origin */
  bool has_failed;         /* no memory: some objects have stayed */
};

void dg_whatif_place_init (struct dg_whatif_place *place);
void dg_whatif_place_fini (struct dg_whatif_place *place);

/* An object begins, with a layout that outlives it.  Returns the bytes that
   it takes after the change.  */
uint64_t dg_whatif_place_add (struct dg_whatif_place *place, uint64_t address,
                              uint64_t size,
                              const struct dg_whatif_layout *layout,
                              enum dg_whatif_store store, uint32_t owner);
/* The object that begins there ends, if there is one.  */
void dg_whatif_place_remove (struct dg_whatif_place *place, uint64_t address);

/* For the function below.  */
struct dg_whatif_object *dg_whatif_place_look (struct dg_whatif_place *place,
                                               uint64_t address);
/* Gives an object that waits its place.  */
void dg_whatif_place_settle (struct dg_whatif_place *place,
                             struct dg_whatif_object *object);

/* Whether an access to an object that waits only makes it: it is written to
   before another one begins.  */
static inline bool
dg_whatif_place_is_begun (const struct dg_whatif_place *place,
                          const struct dg_whatif_object *object, bool is_write)
{
  return is_write && object->origin == place->newest;
}

/* The new place of a byte of an object.  */
static inline uint64_t
dg_whatif_object_move (const struct dg_whatif_object *object, uint64_t address)
{
  const struct dg_whatif_layout *layout = object->layout;
  uint64_t offset = address - object->origin, element, at;
  struct dg_whatif_cell cell;

  if (layout->cells == NULL && layout->parts[0].stride == layout->period)
    return object->base + offset;
  element = (offset | layout->period) >> 32 == 0
              ? (uint32_t) offset / (uint32_t) layout->period
              : offset / layout->period;
  at = offset - element * layout->period;
  if (layout->cells == NULL)
    return object->base + element * layout->parts[0].stride + at;
  cell = layout->cells[at];
  return (object->bases != NULL ? object->bases[cell.part] : object->base)
         + element * layout->parts[cell.part].stride + cell.at;
}

/* The object that an address is of; NULL: it stays.  */
static inline struct dg_whatif_object *
dg_whatif_place_find (struct dg_whatif_place *place, uint64_t address)
{
  uint64_t page = address >> 12;

  if ((place->pages[page >> 6 & 1023] >> (page & 63) & 1) == 0)
    return NULL;
  return dg_whatif_place_look (place, address);
}

#endif /* DG_WHATIF_PLACE_H */

/* whatif_layout.h: where the bytes of objects are after a change of their
   type.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_LAYOUT_H
#define DG_WHATIF_LAYOUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A member of a type, with all that is inside.  */
struct dg_whatif_field {
  char *name;
  uint64_t offset, size;
  uint64_t new_size;       /* less than size if the field gets narrower */
  uint32_t align;
};

enum dg_whatif_how {
  DG_WHATIF_SAME = 0,
  DG_WHATIF_SPLIT,         /* the fields that are named, and the others */
  DG_WHATIF_SOA,           /* an array for each field */
  DG_WHATIF_ORDER,         /* the fields that are named first */
  DG_WHATIF_PACK           /* the most aligned fields first */
};

enum dg_whatif_pool {
  DG_WHATIF_NO_POOL = 0,
  DG_WHATIF_BY_ALLOCATION, /* objects side by side, as they are allocated */
  DG_WHATIF_BY_USE         /* ... as they are first used */
};

enum dg_whatif_pages {
  DG_WHATIF_USUAL_PAGES = 0,
  DG_WHATIF_LARGE_PAGES,   /* of 2 MiB */
  DG_WHATIF_USER_PAGES,    /* memory of the node that uses them */
  DG_WHATIF_N_PAGES
};

/* Bytes of elements that stay together.  */
struct dg_whatif_part {
  uint64_t stride;         /* from element to element */
  uint32_t align;
};

/* The place of a byte of an element.  */
struct dg_whatif_cell {
  uint32_t part, at;
};

struct dg_whatif_layout {
  uint64_t period;         /* bytes of an element before the change */
  unsigned n_parts;
  struct dg_whatif_part *parts;
  struct dg_whatif_cell *cells;  /* period of them; NULL: one part, whose
                                    bytes stay in their order */
  uint64_t align;          /* of objects, at least; 0: nothing is asked for */
  enum dg_whatif_pool pool;
  enum dg_whatif_pages pages;
};

/* The next multiple of a unit, a power of two.  */
static inline uint64_t
dg_whatif_up (uint64_t number, uint64_t unit)
{
  return (number + unit - 1) & -unit;
}

/* Elements of so many bytes that stay as they are, `stride` from each
   other.  */
struct dg_whatif_layout *dg_whatif_layout_plain (uint64_t period,
                                                 uint64_t stride);
/* Fields in the order of their offsets, which do not overlap.  names: of
   SPLIT and ORDER, NULL-terminated; each is that of a field.  NULL: no
   memory.  */
struct dg_whatif_layout *
dg_whatif_layout_new (enum dg_whatif_how how, uint64_t period,
                      const struct dg_whatif_field *fields, size_t n,
                      char *const *names);
void dg_whatif_layout_free (struct dg_whatif_layout *layout);

/* Elements get a size that is a multiple of this, a power of two.  */
void dg_whatif_layout_round (struct dg_whatif_layout *layout, uint64_t unit);

#endif /* DG_WHATIF_LAYOUT_H */

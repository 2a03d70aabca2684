/* shadow.h: what is known of a program's memory, page by page.

   Each page has an item of the user's, whose first member is the page's
   number, an uint64_t.  Items do not move.  The latest pages are found without
   a call.  Where a page is known by grains, a struct dg_sheet begins its item.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHADOW_H
#define DG_SHADOW_H

#include <glib.h>
#include <stdbool.h>

#include "keys.h"
#include "table.h"

#define DG_SHADOW_RECENT 1024u
/* Items that are allocated together.  */
#define DG_SHADOW_PIECE 128u

/* One thread's.  */
struct dg_shadow {
  struct dg_keys pages;
  struct dg_table pieces;  /* char *: items, in the order of their numbers */
  size_t item_size;
  uint64_t nowhere;        /* stands for an item, of no page */
  uint64_t *recent[DG_SHADOW_RECENT];  /* items by page, never NULL */
};

void dg_shadow_init (struct dg_shadow *shadow, size_t item_size);
void dg_shadow_fini (struct dg_shadow *shadow);
/* Forgets all pages and keeps the memory.  */
void dg_shadow_clear (struct dg_shadow *shadow);

/* An item by its number, which is less than shadow->pages.n.  */
static inline void *
dg_shadow_at (const struct dg_shadow *shadow, uint32_t i)
{
  char *const *pieces = shadow->pieces.items;

  return pieces[i / DG_SHADOW_PIECE] + i % DG_SHADOW_PIECE * shadow->item_size;
}

/* The item of a page; NULL: it has none.  */
void *dg_shadow_find (const struct dg_shadow *shadow, uint64_t page);

/* The same, if the page was asked for lately; NULL: the others know.  */
static inline void *
dg_shadow_recent (const struct dg_shadow *shadow, uint64_t page)
{
  uint64_t *item = shadow->recent[page % DG_SHADOW_RECENT];

  return G_LIKELY (*item == page) ? item : NULL;
}

/* The item of a page.  If it has none, it gets one, all zero but for the
   page's number, and *is_new says so.  NULL: no memory.  */
void *dg_shadow_add (struct dg_shadow *shadow, uint64_t page, bool *is_new);

static inline void *
dg_shadow_get (struct dg_shadow *shadow, uint64_t page)
{
  uint64_t *item = shadow->recent[page % DG_SHADOW_RECENT];
  bool is_new;

  return G_LIKELY (*item == page) ? item
                                  : dg_shadow_add (shadow, page, &is_new);
}

/* The items of the pages first .. last, in no order, after
   dg_shadow_ascending in that of addresses.  Looks at no more pages than there
   are.  */
struct dg_shadow_walk {
  const struct dg_shadow *shadow;
  uint64_t first, last, next;
  bool is_all;             /* `next` is an item's number, not a page's */
  uint64_t **sorted;       /* items, of which `next` is one; or NULL */
  size_t n;
};
struct dg_shadow_walk dg_shadow_range (const struct dg_shadow *shadow,
                                       uint64_t first, uint64_t last);
/* false: no memory.  The walk is to be gone to its end.  */
bool dg_shadow_ascending (const struct dg_shadow *shadow, uint64_t first,
                          uint64_t last, struct dg_shadow_walk *walk);
/* The next item; NULL: that was all.  */
void *dg_shadow_next (struct dg_shadow_walk *walk);

/* ---- Grains ------------------------------------------------------------ */

/* A page with a number for every so many bytes, or one for all of them.  */
struct dg_sheet {
  uint64_t page;
  uint32_t *grains;        /* `own`, or &whole */
  uint32_t mask;           /* of a grain's index; 0: they are as one */
  uint32_t whole;
  uint32_t *own;           /* grains, once it had some; or NULL */
};

static inline void
dg_sheet_set_whole (struct dg_sheet *sheet, uint32_t number)
{
  sheet->grains = &sheet->whole;
  sheet->mask = 0;
  sheet->whole = number;
}

/* Gives n grains, a power of two, numbers of their own; false: no memory.  */
bool dg_sheet_split (struct dg_sheet *sheet, uint32_t n);
/* Frees `own`.  */
void dg_sheet_fini (struct dg_sheet *sheet);

#endif /* DG_SHADOW_H */

/* finder_map.h: what a finder remembers of the memory of a program.

   Sheets of 4 KiB have the number of an item for every four bytes, or one for
   all of them.  Items are things that have one variable, or one for each of
   their bytes.  Nothing here knows what they are.

   One thread.  Memory: at most DG_MAP_BYTES, then it is full and to be
   cleared.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FINDER_MAP_H
#define DG_FINDER_MAP_H

#include "base/shadow.h"

#define DG_MAP_BYTES (32u << 20)

#define DG_SHEET_SHIFT  12
#define DG_SHEET_BYTES  (1u << DG_SHEET_SHIFT)
#define DG_GRAIN_SHIFT  2
#define DG_GRAIN_BYTES  (1u << DG_GRAIN_SHIFT)
#define DG_SHEET_GRAINS (DG_SHEET_BYTES >> DG_GRAIN_SHIFT)

/* Items that are always there.  */
enum { DG_ITEM_UNKNOWN = 0, DG_ITEM_FIRST = 1 };

/* Numbers of variables that mean something else.  */
#define DG_NUMBER_FIELDS  UINT32_MAX         /* it has several: see numbers */
#define DG_NUMBER_STACK   (UINT32_MAX - 1)   /* to be found in its frame */
#define DG_NUMBER_UNASKED UINT32_MAX         /* in `numbers` */

struct dg_map_item {
  uint64_t origin;         /* the address of byte 0 */
  uint32_t number;         /* of its variable, or one of the above */
  uint32_t period;         /* FIELDS: bytes after which they repeat */
  uint32_t *numbers;       /* FIELDS: `period` of them */
  uint32_t thing;          /* the finder's */
  uint32_t block;          /* of dg_log_block, or DG_NONE */
  uint32_t site;
  uint32_t owner;          /* the thing's */
};

struct dg_finder_map {
  struct dg_shadow shadow; /* struct dg_sheet, whose numbers are items */
  struct dg_sheet forgotten;   /* where memory is short: asked each time */
  struct dg_map_item *items;
  uint32_t n_items, room;
  GPtrArray *numbers;      /* arrays that are given back when it is cleared */
  size_t bytes;            /* of all this */
};

void dg_map_init (struct dg_finder_map *map);
void dg_map_fini (struct dg_finder_map *map);
void dg_map_clear (struct dg_finder_map *map);

static inline bool
dg_map_is_full (const struct dg_finder_map *map)
{
  return map->bytes > DG_MAP_BYTES;
}

/* The sheet of a page, which is made if it is not there.  */
struct dg_sheet *dg_map_sheet (struct dg_finder_map *map, uint64_t page);

/* A new item, all zero; others move.  */
uint32_t dg_map_add (struct dg_finder_map *map);
/* Memory for the numbers of an item, all unasked, until the map is
   cleared.  */
uint32_t *dg_map_numbers (struct dg_finder_map *map, uint32_t n);

/* Enters an item for those of the grains of a sheet that lie wholly in
   low .. high - 1; the sheet is as one if that is all of it.  */
void dg_map_enter (struct dg_finder_map *map, struct dg_sheet *sheet,
                   uint64_t low, uint64_t high, uint32_t item);
/* Enters it for one grain.  */
void dg_map_enter_grain (struct dg_finder_map *map, struct dg_sheet *sheet,
                         uint64_t address, uint32_t item);
/* Forgets low .. high - 1, and what shares a grain with them.  */
void dg_map_forget (struct dg_finder_map *map, uint64_t low, uint64_t high);

/* The item over an address; UNKNOWN if it has to be asked for.  */
static inline struct dg_map_item *
dg_map_find (struct dg_finder_map *map, uint64_t address)
{
  uint64_t page = address >> DG_SHEET_SHIFT;
  const struct dg_sheet *sheet = dg_shadow_recent (&map->shadow, page);

  if (G_UNLIKELY (sheet == NULL))
    sheet = dg_map_sheet (map, page);
  return &map->items[sheet->grains[address >> DG_GRAIN_SHIFT & sheet->mask]];
}

#endif /* DG_FINDER_MAP_H */

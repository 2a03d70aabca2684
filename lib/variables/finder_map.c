/* finder_map.c: what a finder remembers of the memory of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "finder_map.h"

#include <string.h>

/* Sheets that are allocated at a time.  */
#define PIECE 256

void
dg_map_init (struct dg_finder_map *map)
{
  memset (map, 0, sizeof *map);
  map->nowhere.page = UINT64_MAX;
  map->nowhere.grains = &map->nowhere.whole;
  map->pieces = g_ptr_array_new_with_free_func (g_free);
  map->grains = g_ptr_array_new_with_free_func (g_free);
  map->numbers = g_ptr_array_new_with_free_func (g_free);
  map->slot_mask = 1023;
  map->slots = g_new (uint32_t, map->slot_mask + 1);
  map->room = 1024;
  map->items = g_new (struct dg_map_item, map->room);
  dg_map_clear (map);
}

void
dg_map_fini (struct dg_finder_map *map)
{
  g_ptr_array_unref (map->pieces);
  g_ptr_array_unref (map->grains);
  g_ptr_array_unref (map->numbers);
  g_free (map->slots);
  g_free (map->items);
}

void
dg_map_clear (struct dg_finder_map *map)
{
  for (unsigned i = 0; i < DG_RECENT_SHEETS; i++)
    map->recent[i] = &map->nowhere;
  memset (map->slots, 0,
          ((size_t) map->slot_mask + 1) * sizeof *map->slots);
  map->n_sheets = 0;
  map->n_grains = 0;
  g_ptr_array_set_size (map->numbers, 0);
  memset (&map->items[DG_ITEM_UNKNOWN], 0, sizeof map->items[0]);
  map->n_items = DG_ITEM_FIRST;
  map->bytes = 0;
}

/* ---- Sheets ----------------------------------------------------------- */

static struct dg_sheet *
sheet_at (const struct dg_finder_map *map, uint32_t i)
{
  struct dg_sheet *piece = g_ptr_array_index (map->pieces, i / PIECE);

  return &piece[i % PIECE];
}

/* The slot of a page, or the free one where it would go.  */
static uint32_t *
probe (const struct dg_finder_map *map, uint64_t page)
{
  uint32_t i = (uint32_t) (page * 0x9e3779b97f4a7c15u >> 32);

  for (;; i++) {
    uint32_t *slot = &map->slots[i & map->slot_mask];

    if (*slot == 0 || sheet_at (map, *slot - 1)->page == page)
      return slot;
  }
}

static void
grow (struct dg_finder_map *map)
{
  g_free (map->slots);
  map->slot_mask = map->slot_mask * 2 + 1;
  map->slots = g_new0 (uint32_t, (size_t) map->slot_mask + 1);
  for (uint32_t i = 0; i < map->n_sheets; i++)
    *probe (map, sheet_at (map, i)->page) = i + 1;
}

struct dg_sheet *
dg_map_sheet (struct dg_finder_map *map, uint64_t page)
{
  uint32_t *slot = probe (map, page);
  struct dg_sheet *sheet;

  if (*slot == 0) {
    if (map->n_sheets >= map->slot_mask / 4 * 3) {
      grow (map);
      slot = probe (map, page);
    }
    if (map->n_sheets / PIECE == map->pieces->len)
      g_ptr_array_add (map->pieces, g_new (struct dg_sheet, PIECE));
    sheet = sheet_at (map, map->n_sheets);
    sheet->page = page;
    sheet->grains = &sheet->whole;
    sheet->mask = 0;
    sheet->whole = DG_ITEM_UNKNOWN;
    map->bytes += sizeof *sheet + 2 * sizeof *slot;
    *slot = ++map->n_sheets;
  }
  sheet = sheet_at (map, *slot - 1);
  map->recent[page % DG_RECENT_SHEETS] = sheet;
  return sheet;
}

/* Gives the grains of a sheet numbers of their own.  */
static void
split (struct dg_finder_map *map, struct dg_sheet *sheet)
{
  uint32_t *grains;

  if (map->n_grains == map->grains->len)
    g_ptr_array_add (map->grains, g_new (uint32_t, DG_SHEET_GRAINS));
  grains = g_ptr_array_index (map->grains, map->n_grains++);
  map->bytes += DG_SHEET_GRAINS * sizeof *grains;
  for (unsigned i = 0; i < DG_SHEET_GRAINS; i++)
    grains[i] = sheet->whole;
  sheet->grains = grains;
  sheet->mask = DG_SHEET_GRAINS - 1;
}

/* ---- Items ------------------------------------------------------------ */

uint32_t
dg_map_add (struct dg_finder_map *map)
{
  if (map->n_items == map->room) {
    map->room *= 2;
    map->items = g_renew (struct dg_map_item, map->items, map->room);
  }
  memset (&map->items[map->n_items], 0, sizeof *map->items);
  map->bytes += sizeof *map->items;
  return map->n_items++;
}

uint32_t *
dg_map_numbers (struct dg_finder_map *map, uint32_t n)
{
  uint32_t *numbers = g_new (uint32_t, n);

  memset (numbers, 0xff, n * sizeof *numbers);
  G_STATIC_ASSERT (DG_NUMBER_UNASKED == UINT32_MAX);
  map->bytes += n * sizeof *numbers + sizeof (void *);
  g_ptr_array_add (map->numbers, numbers);
  return numbers;
}

static void
fill (struct dg_finder_map *map, struct dg_sheet *sheet, unsigned first,
      unsigned end, uint32_t item)
{
  if (first == 0 && end == DG_SHEET_GRAINS && sheet->mask == 0) {
    sheet->whole = item;
    return;
  }
  if (sheet->mask == 0)
    split (map, sheet);
  for (unsigned i = first; i < end; i++)
    sheet->grains[i] = item;
}

void
dg_map_enter (struct dg_finder_map *map, struct dg_sheet *sheet, uint64_t low,
              uint64_t high, uint32_t item)
{
  uint64_t origin = sheet->page << DG_SHEET_SHIFT;
  uint64_t first = low > origin ? low - origin : 0;
  uint64_t end = MIN (high - origin, DG_SHEET_BYTES);

  first = (first + DG_GRAIN_BYTES - 1) >> DG_GRAIN_SHIFT;
  end >>= DG_GRAIN_SHIFT;
  if (first < end)
    fill (map, sheet, (unsigned) first, (unsigned) end, item);
}

void
dg_map_enter_grain (struct dg_finder_map *map, struct dg_sheet *sheet,
                    uint64_t address, uint32_t item)
{
  unsigned i = address >> DG_GRAIN_SHIFT & (DG_SHEET_GRAINS - 1);

  fill (map, sheet, i, i + 1, item);
}

static void
forget_in (struct dg_sheet *sheet, uint64_t low, uint64_t high)
{
  uint64_t origin = sheet->page << DG_SHEET_SHIFT;
  uint64_t first = low > origin ? low - origin : 0;
  uint64_t end = MIN (high - 1 - origin, DG_SHEET_BYTES - 1);

  if (sheet->mask == 0) {
    sheet->whole = DG_ITEM_UNKNOWN;
    return;
  }
  first >>= DG_GRAIN_SHIFT;
  end = (end >> DG_GRAIN_SHIFT) + 1;
  if (first == 0 && end == DG_SHEET_GRAINS && sheet->grains[0] == 0
      && memcmp (sheet->grains, sheet->grains + 1,
                 (DG_SHEET_GRAINS - 1) * sizeof *sheet->grains) == 0)
    return;
  memset (sheet->grains + first, 0, (end - first) * sizeof *sheet->grains);
}

void
dg_map_forget (struct dg_finder_map *map, uint64_t low, uint64_t high)
{
  uint64_t from, to;

  if (high <= low)
    return;
  from = low >> DG_SHEET_SHIFT;
  to = (high - 1) >> DG_SHEET_SHIFT;
  if (to - from < map->n_sheets) {
    for (uint64_t page = from; page <= to; page++) {
      struct dg_sheet *sheet = map->recent[page % DG_RECENT_SHEETS];
      uint32_t slot;

      if (sheet->page != page) {
        slot = *probe (map, page);
        if (slot == 0)
          continue;
        sheet = sheet_at (map, slot - 1);
      }
      forget_in (sheet, low, high);
    }
    return;
  }
  for (uint32_t i = 0; i < map->n_sheets; i++) {
    struct dg_sheet *sheet = sheet_at (map, i);

    if (sheet->page >= from && sheet->page <= to)
      forget_in (sheet, low, high);
  }
}

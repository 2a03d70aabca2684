/* finder_map.c: what a finder remembers about the memory of a program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "finder_map.h"

#include <string.h>

void
dg_map_init (struct dg_finder_map *map)
{
  memset (map, 0, sizeof *map);
  dg_shadow_init (&map->shadow, sizeof (struct dg_sheet));
  map->numbers = g_ptr_array_new_with_free_func (g_free);
  map->room = 1024;
  map->items = g_new (struct dg_map_item, map->room);
  dg_map_clear (map);
}

void
dg_map_fini (struct dg_finder_map *map)
{
  dg_map_clear (map);
  dg_sheet_fini (&map->forgotten);
  dg_shadow_fini (&map->shadow);
  g_ptr_array_unref (map->numbers);
  g_free (map->items);
}

void
dg_map_clear (struct dg_finder_map *map)
{
  for (uint32_t i = 0; i < map->shadow.pages.n; i++)
    dg_sheet_fini (dg_shadow_at (&map->shadow, i));
  dg_shadow_clear (&map->shadow);
  g_ptr_array_set_size (map->numbers, 0);
  memset (&map->items[DG_ITEM_UNKNOWN], 0, sizeof map->items[0]);
  map->n_items = DG_ITEM_FIRST;
  map->bytes = 0;
}

struct dg_sheet *
dg_map_sheet (struct dg_finder_map *map, uint64_t page)
{
  bool is_new;
  struct dg_sheet *sheet = dg_shadow_add (&map->shadow, page, &is_new);

  if (sheet == NULL) {
    map->forgotten.page = page;
    dg_sheet_set_whole (&map->forgotten, DG_ITEM_UNKNOWN);
    return &map->forgotten;
  }
  if (is_new) {
    dg_sheet_set_whole (sheet, DG_ITEM_UNKNOWN);
    map->bytes += sizeof *sheet + 2 * sizeof (struct dg_key);
  }
  return sheet;
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
  if (sheet->mask == 0) {
    if (!dg_sheet_split (sheet, DG_SHEET_GRAINS))
      return;
    map->bytes += DG_SHEET_GRAINS * sizeof *sheet->grains;
  }
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
  struct dg_shadow_walk walk;
  struct dg_sheet *sheet;

  if (high <= low)
    return;
  walk = dg_shadow_range (&map->shadow, low >> DG_SHEET_SHIFT,
                          (high - 1) >> DG_SHEET_SHIFT);
  while ((sheet = dg_shadow_next (&walk)) != NULL)
    forget_in (sheet, low, high);
}

/* usage_map.c: the heap block at each address, while a worker reads a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "usage_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/error.h"
#include "log/log.h"

static bool
grow_slots (struct dg_usage_map *map)
{
  uint32_t room = map->room * 2 + 64;
  struct dg_usage_more *more =
    g_try_renew (struct dg_usage_more, map->more, room);
  struct dg_usage_slot *slots = NULL;

  if (more != NULL) {
    map->more = more;
    memset (more + map->room, 0, (room - map->room) * sizeof *more);
    slots = dg_aligned_grow (map->slots, sizeof *slots,
                             map->room * sizeof *slots, room * sizeof *slots);
  }
  if (slots == NULL)
    return false;
  memset (slots + map->room, 0, (room - map->room) * sizeof *slots);
  slots[DG_USAGE_ASK].address = UINT64_MAX;
  map->slots = slots;
  map->room = room;
  return true;
}

struct dg_usage_map *
dg_usage_map_new (struct dg_usage_blocks *of, struct dg_error *err)
{
  struct dg_usage_map *map = g_try_new0 (struct dg_usage_map, 1);

  if (map == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  map->of = of;
  map->spare = g_ptr_array_new_with_free_func (g_free);
  dg_shadow_init (&map->shadow, sizeof (struct dg_usage_page));
  if (!grow_slots (map)) {
    dg_usage_map_free (map);
    dg_error_nomem (err);
    return NULL;
  }
  return map;
}

void
dg_usage_map_free (struct dg_usage_map *map)
{
  if (map == NULL)
    return;
  for (uint32_t i = 0; i < map->shadow.pages.n; i++)
    dg_sheet_fini (dg_shadow_at (&map->shadow, i));
  dg_usage_map_forget_lines (map);
  for (uint32_t i = 0; i < map->room; i++)
    g_free (map->more[i].counts);
  dg_table_fini (&map->touched);
  dg_table_fini (&map->over);
  dg_shadow_fini (&map->shadow);
  g_ptr_array_unref (map->spare);
  free (map->slots);
  g_free (map->more);
  dg_usage_index_fini (&map->slots_of);
  dg_table_fini (&map->rares);
  dg_usage_index_fini (&map->rares_of);
  g_free (map);
}

static const struct dg_small_block *
small_of (const struct dg_usage_map *map, uint32_t block)
{
  return dg_store_small (dg_log_store (map->of->log), block);
}

/* A block, where it lies, what its grains hold, and what they are to hold.  */
struct spot {
  uint64_t address, end;
  uint32_t block, value, next;
};

static struct spot
spot_of (const struct dg_usage_map *map, uint32_t block)
{
  const struct dg_block_extent b = dg_log_block_extent (map->of->log, block);
  uint32_t slot = dg_usage_map_slot (map, block);

  return (struct spot){.address = b.address,
                       .end = dg_usage_end (b),
                       .block = block,
                       .value = slot != 0 ? slot : block | DG_USAGE_IS_IDLE};
}

static bool
is_large (const struct spot *spot)
{
  return dg_usage_is_large ((struct dg_block_extent){
    .address = spot->address, .size = spot->end - spot->address});
}

/* The block of a grain that is neither DG_USAGE_NOTHING nor DG_USAGE_ASK.  */
static uint32_t
block_in (const struct dg_usage_map *map, uint32_t grain)
{
  return (grain & DG_USAGE_IS_IDLE) != 0 ? grain & ~DG_USAGE_IS_IDLE
                                         : map->slots[grain].block;
}

/* ---- What is rare ----------------------------------------------------- */

struct dg_usage_rare
dg_usage_map_rare (const struct dg_usage_map *map, uint32_t block)
{
  uint32_t place = dg_usage_index_find (&map->rares_of, block);

  return place != 0
           ? ((const struct dg_usage_rare *) map->rares.items)[place - 1]
           : (struct dg_usage_rare){.under = DG_NONE};
}

/* To be changed; NULL: no memory.  */
static struct dg_usage_rare *
rare_of (struct dg_usage_map *map, uint32_t block)
{
  bool is_new;
  struct dg_usage_rare *rare = dg_usage_index_item (
    &map->rares_of, &map->rares, sizeof *rare, block, &is_new);

  if (rare == NULL)
    map->is_short = true;
  else if (is_new)
    *rare = (struct dg_usage_rare){.under = DG_NONE};
  return rare;
}

/* ---- Slots ------------------------------------------------------------ */

/* A slot for a block that has none; 0: no memory.  */
static uint32_t
new_slot (struct dg_usage_map *map, const struct spot *spot)
{
  uint32_t number = dg_usage_index_add (&map->slots_of, spot->block), slot;

  if (number == 0) {
    map->is_short = true;
    return 0;
  }
  slot = number - 1 + DG_USAGE_FIRST;
  if (slot >= DG_USAGE_IS_IDLE / 2
      || (slot >= map->room && !grow_slots (map))) {
    dg_usage_index_remove (&map->slots_of, spot->block);
    map->is_short = true;
    return 0;
  }
  map->slots[slot] = (struct dg_usage_slot){
    .address = spot->address, .end = spot->end, .block = spot->block};
  map->more[slot] = (struct dg_usage_more){.counts = NULL};
  return slot;
}

/* The block has no slot from now on, if it had one.  */
static void
free_slot (struct dg_usage_map *map, uint32_t block)
{
  uint32_t slot = dg_usage_map_slot (map, block);

  if (slot == 0)
    return;
  g_clear_pointer (&map->more[slot].counts, g_free);
  dg_usage_index_remove (&map->slots_of, block);
}

/* ---- Grains ----------------------------------------------------------- */

/* Gives a page grains of its own; false: no memory.  */
static bool
split (struct dg_usage_map *map, struct dg_sheet *sheet)
{
  bool is_good = dg_sheet_split (
    sheet, 1u << (DG_USAGE_PAGE_SHIFT - map->of->grain_shift));

  map->is_short |= !is_good;
  return is_good;
}

/* The part of a block in a page: bytes *low to *high - 1 of it.  */
static void
part_of (const struct spot *spot, const struct dg_sheet *sheet,
         uint64_t *low, uint64_t *high)
{
  uint64_t origin = sheet->page << DG_USAGE_PAGE_SHIFT;

  *low = spot->address > origin ? spot->address - origin : 0;
  *high = MIN (spot->end - origin, DG_USAGE_PAGE_BYTES);
}

/* Enters bytes low .. high - 1 of a page, in which there was nothing.  */
static void
fill (struct dg_usage_map *map, struct dg_sheet *sheet, uint64_t low,
      uint64_t high, uint32_t value)
{
  unsigned shift = map->of->grain_shift;

  if (low == 0 && high == DG_USAGE_PAGE_BYTES) {
    dg_sheet_set_whole (sheet, value);
    return;
  }
  if (!split (map, sheet))
    return;
  for (uint64_t i = low >> shift; i <= (high - 1) >> shift; i++)
    sheet->grains[i] =
      sheet->grains[i] == DG_USAGE_NOTHING ? value : DG_USAGE_ASK;
}

/* What a new page is: blocks that are not entered before.  */
static void
fill_large (struct dg_usage_map *map, struct dg_sheet *sheet)
{
  uint64_t origin = sheet->page << DG_USAGE_PAGE_SHIFT, at = 0;

  while (map->of->large != NULL && at < DG_USAGE_PAGE_BYTES) {
    uint64_t low, high;
    uint32_t block =
      dg_cover_find_part (map->of->large, origin + at, map->now, &low, &high);
    uint64_t end = MIN (high - origin, DG_USAGE_PAGE_BYTES);

    /* No block has the last of all addresses.  */
    if (end <= at)
      break;
    if (block != DG_NONE)
      fill (map, sheet, at, end, spot_of (map, block).value);
    at = end;
  }
}

struct dg_usage_page *
dg_usage_map_page_slowly (struct dg_usage_map *map, uint64_t number)
{
  bool is_new;
  struct dg_usage_page *page = dg_shadow_add (&map->shadow, number, &is_new);

  if (page == NULL) {
    map->is_short = true;
  } else if (is_new) {
    page->lines = map->zeros;
    dg_sheet_set_whole (&page->grains, DG_USAGE_NOTHING);
    fill_large (map, &page->grains);
  }
  return page;
}

/* ---- Finding ---------------------------------------------------------- */

/* The cover of all blocks, made by the first who wants it.  */
static const struct dg_cover *
cover_of_all (struct dg_usage_blocks *of)
{
  struct dg_rect *rects;

  g_mutex_lock (&of->lock);
  if (of->all == NULL) {
    rects = g_try_new (struct dg_rect, of->n);
    for (size_t i = 0; rects != NULL && i < of->n; i++)
      rects[i] = dg_usage_rect (of->log, (uint32_t) i);
    if (rects == NULL || dg_cover_new (rects, of->n, &of->all) < 0)
      of->all = NULL;
    g_free (rects);
  }
  g_mutex_unlock (&of->lock);
  return of->all;
}

/* The block over an address when something had happened last, DG_NONE if there
   was none; the same was true up to *end.  */
static uint32_t
ask (struct dg_usage_map *map, uint64_t address, uint32_t when, uint64_t *end)
{
  uint64_t low;

  *end = address;
  if (map->all == NULL)
    map->all = cover_of_all (map->of);
  if (map->all == NULL) {
    map->is_short = true;
    return DG_NONE;
  }
  return dg_cover_find_part (map->all, address, when, &low, end);
}

/* ---- What happens to blocks ------------------------------------------- */

/* Calls a function for those pages of a block that there are.  */
static void
each_page (struct dg_usage_map *map,
           void (*each) (struct dg_usage_map *map, struct dg_sheet *sheet,
                         const struct spot *spot),
           const struct spot *spot)
{
  struct dg_shadow_walk walk =
    dg_shadow_range (&map->shadow, spot->address >> DG_USAGE_PAGE_SHIFT,
                     (spot->end - 1) >> DG_USAGE_PAGE_SHIFT);
  struct dg_sheet *sheet;

  while ((sheet = dg_shadow_next (&walk)) != NULL)
    each (map, sheet, spot);
}

/* Notes that a block begins where another one is.  */
static void
begin_over (struct dg_usage_map *map, const struct spot *new, uint32_t old)
{
  const struct spot there = spot_of (map, old);
  struct dg_usage_rare *rare;
  uint32_t *over = map->over.items;

  if (old == new->block || there.end <= new->address
      || there.address >= new->end
      || (map->over.n > 0 && over[map->over.n - 1] == old)
      /* Not all workers have the same pages of these.  */
      || (is_large (new) && is_large (&there)))
    return;
  rare = rare_of (map, old);
  if (rare != NULL)
    rare->is_holder = true;
  over = dg_table_add (&map->over, sizeof *over);
  rare = rare_of (map, new->block);
  if (over == NULL || rare == NULL) {
    map->is_short = true;
    return;
  }
  *over = old;
  if (there.address > new->address || there.end < new->end || map->over.n > 1)
    rare->is_odd = true;
  else
    rare->under = old;
}

/* The same of a grain, or of a page that is as one, of which the block has
   bytes from .. to - 1.  */
static void
begin_over_grain (struct dg_usage_map *map, const struct spot *new,
                  uint32_t old, uint64_t from, uint64_t to)
{
  struct dg_usage_rare *rare;

  if (old >= DG_USAGE_FIRST)
    begin_over (map, new, block_in (map, old));
  if (old != DG_USAGE_ASK)
    return;
  rare = rare_of (map, new->block);
  if (rare != NULL)
    rare->is_odd = true;
  while (from < to && !map->is_short) {
    uint64_t end;
    uint32_t there = ask (map, from, map->now - 1, &end);

    if (there != DG_NONE)
      begin_over (map, new, there);
    from = MAX (end, from + 1);
  }
}

static void
begin_in (struct dg_usage_map *map, struct dg_sheet *sheet,
          const struct spot *new)
{
  unsigned shift =
    sheet->mask != 0 ? map->of->grain_shift : DG_USAGE_PAGE_SHIFT;
  uint64_t origin = sheet->page << DG_USAGE_PAGE_SHIFT, low, high;

  part_of (new, sheet, &low, &high);
  for (uint64_t i = low >> shift; i <= (high - 1) >> shift; i++)
    begin_over_grain (map, new, sheet->grains[i],
                      origin + MAX (i << shift, low),
                      origin + MIN ((i + 1) << shift, high));
  if (low == 0 && high == DG_USAGE_PAGE_BYTES) {
    dg_sheet_set_whole (sheet, new->value);
    return;
  }
  if (!split (map, sheet))
    return;
  shift = map->of->grain_shift;
  for (uint64_t i = low >> shift; i <= (high - 1) >> shift; i++) {
    uint32_t old = sheet->grains[i];

    sheet->grains[i] = old == DG_USAGE_NOTHING || old == new->value
                          || (low <= i << shift && high >= (i + 1) << shift)
                        ? new->value
                        : DG_USAGE_ASK;
  }
}

void
dg_usage_map_begin (struct dg_usage_map *map, uint32_t block)
{
  struct spot spot = spot_of (map, block);
  struct dg_usage_rare *rare;

  map->now = small_of (map, block)->alloc_order;
  map->over.n = 0;
  if (spot.end == spot.address)
    return;
  if (is_large (&spot)) {
    if ((spot.value & DG_USAGE_IS_IDLE) != 0)
      spot.value = new_slot (map, &spot);
    rare = (map->of->marks[block] & DG_USAGE_IS_ODD) != 0
             ? rare_of (map, block)
             : NULL;
    if (rare != NULL)
      rare->is_odd = true;
  } else {
    for (uint64_t number = spot.address >> DG_USAGE_PAGE_SHIFT;
         number <= (spot.end - 1) >> DG_USAGE_PAGE_SHIFT; number++)
      if (dg_usage_map_page (map, number << DG_USAGE_PAGE_SHIFT) == NULL)
        return;
  }
  if (!map->is_short)
    each_page (map, begin_in, &spot);
}

/* What there is where a block was.  */
static uint32_t
what_remains (struct dg_usage_map *map, const struct dg_sheet *sheet,
              const struct spot *spot)
{
  const struct dg_usage_rare rare = dg_usage_map_rare (map, spot->block);
  uint64_t origin = sheet->page << DG_USAGE_PAGE_SHIFT, low, high, from, to;
  uint32_t block, end;

  if (rare.is_odd)
    return DG_USAGE_ASK;
  if (!is_large (spot)) {
    if (rare.under == DG_NONE)
      return DG_USAGE_NOTHING;
    end = small_of (map, rare.under)->free_order;
    return end > map->now ? spot_of (map, rare.under).value : DG_USAGE_ASK;
  }
  if (map->of->large == NULL)
    return DG_USAGE_ASK;
  part_of (spot, sheet, &from, &to);
  block =
    dg_cover_find_part (map->of->large, origin + from, map->now, &low, &high);
  if (high - origin < to)
    return DG_USAGE_ASK;
  return block != DG_NONE ? spot_of (map, block).value : DG_USAGE_NOTHING;
}

/* Puts something else where a block's value is.  */
static void
replace_in (struct dg_usage_map *map, struct dg_sheet *sheet,
            const struct spot *spot)
{
  unsigned shift = map->of->grain_shift;
  uint64_t low, high;

  if (sheet->mask == 0) {
    if (sheet->whole == spot->value)
      sheet->whole = spot->next;
    return;
  }
  part_of (spot, sheet, &low, &high);
  for (uint64_t i = low >> shift; i <= (high - 1) >> shift; i++)
    if (sheet->grains[i] == spot->value)
      sheet->grains[i] = spot->next;
}

static void
end_in (struct dg_usage_map *map, struct dg_sheet *sheet,
        const struct spot *spot)
{
  struct spot over = *spot;

  if (sheet->mask == 0 && sheet->whole != spot->value)
    return;
  over.next = what_remains (map, sheet, spot);
  replace_in (map, sheet, &over);
}

void
dg_usage_map_end (struct dg_usage_map *map, uint32_t block)
{
  const struct spot spot = spot_of (map, block);

  map->now = small_of (map, block)->free_order;
  if (spot.end == spot.address)
    return;
  each_page (map, end_in, &spot);
  free_slot (map, block);
  dg_usage_index_remove (&map->rares_of, block);
}

/* ---- Blocks that are accessed ------------------------------------------ */

uint32_t
dg_usage_map_wake (struct dg_usage_map *map, uint32_t block)
{
  struct spot spot = spot_of (map, block);

  if ((spot.value & DG_USAGE_IS_IDLE) == 0)
    return spot.value;
  spot.next = new_slot (map, &spot);
  if (spot.next != 0 && spot.end > spot.address)
    each_page (map, replace_in, &spot);
  return spot.next;
}

void
dg_usage_map_rest (struct dg_usage_map *map, uint32_t slot)
{
  struct spot spot = spot_of (map, map->slots[slot].block);

  if (is_large (&spot))
    return;
  spot.next = spot.block | DG_USAGE_IS_IDLE;
  if (spot.end > spot.address)
    each_page (map, replace_in, &spot);
  free_slot (map, spot.block);
}

/* ---- Finding ----------------------------------------------------------- */

uint32_t
dg_usage_map_find (struct dg_usage_map *map, uint64_t address, uint64_t *end)
{
  unsigned shift = map->of->grain_shift;
  struct dg_usage_page *page = dg_usage_map_page (map, address);
  /* At the end of all addresses, this is the last one.  */
  uint64_t last = address | ((1u << shift) - 1), high = 0;
  uint64_t behind = last == UINT64_MAX ? last : last + 1;
  struct dg_block_extent b;
  uint32_t grain, block;

  *end = behind;
  if (page == NULL)
    return DG_NONE;
  grain = dg_usage_map_grain (map, page, address);
  if (grain == DG_USAGE_NOTHING)
    return DG_NONE;
  if (grain == DG_USAGE_ASK) {
    block = ask (map, address, map->now, &high);
    if (high > address)
      *end = MIN (behind, high);
    return block;
  }
  block = block_in (map, grain);
  b = dg_log_block_extent (map->of->log, block);
  if (address < b.address) {
    *end = MIN (behind, b.address);
    return DG_NONE;
  }
  if (address >= dg_usage_end (b))
    return DG_NONE;
  *end = MIN (behind, dg_usage_end (b));
  return block;
}

void
dg_usage_map_own (struct dg_usage_map *map, uint32_t block,
                  struct dg_table *spans)
{
  const struct dg_block_extent b = dg_log_block_extent (map->of->log, block);
  uint32_t order = small_of (map, block)->free_order;
  uint64_t at = b.address, stop = dg_usage_end (b), end;

  for (; at < stop && !map->is_short; at = MAX (end, at + 1)) {
    struct dg_usage_span *span = spans->items;
    uint32_t there = ask (map, at, order - 1, &end);

    end = MIN (end, stop);
    if (there != block)
      continue;
    if (spans->n > 0 && span[spans->n - 1].high == at) {
      span[spans->n - 1].high = end;
      continue;
    }
    span = dg_table_add (spans, sizeof *span);
    if (span == NULL)
      map->is_short = true;
    else
      *span = (struct dg_usage_span){at, end};
  }
}

/* ---- Lines ------------------------------------------------------------ */

bool
dg_usage_map_lines (struct dg_usage_map *map, struct dg_usage_page *page)
{
  struct dg_usage_page **touched;
  uint32_t *lines = NULL;

  if (page->lines != map->zeros)
    return true;
  touched = dg_table_add (&map->touched, sizeof *touched);
  if (touched != NULL)
    lines = map->spare->len > 0
              ? g_ptr_array_steal_index_fast (map->spare, map->spare->len - 1)
              : g_try_new0 (uint32_t, DG_USAGE_LINES);
  if (lines == NULL) {
    map->touched.n -= touched != NULL;
    map->is_short = true;
    return false;
  }
  *touched = page;
  page->lines = lines;
  return true;
}

void
dg_usage_map_each (struct dg_usage_map *map, uint64_t first, uint64_t last,
                   void (*each) (void *user, struct dg_usage_page *page),
                   void *user)
{
  struct dg_usage_page **touched = map->touched.items, *page;
  struct dg_shadow_walk walk;

  if (last - first >= map->touched.n) {
    for (size_t i = 0; i < map->touched.n; i++)
      if (touched[i]->grains.page >= first && touched[i]->grains.page <= last)
        each (user, touched[i]);
    return;
  }
  walk = dg_shadow_range (&map->shadow, first, last);
  while ((page = dg_shadow_next (&walk)) != NULL)
    if (page->lines != map->zeros)
      each (user, page);
}

void
dg_usage_map_forget_lines (struct dg_usage_map *map)
{
  struct dg_usage_page **touched = map->touched.items;

  for (size_t i = 0; i < map->touched.n; i++) {
    memset (touched[i]->lines, 0, DG_USAGE_LINES * sizeof *touched[i]->lines);
    g_ptr_array_add (map->spare, touched[i]->lines);
    touched[i]->lines = map->zeros;
  }
  map->touched.n = 0;
}

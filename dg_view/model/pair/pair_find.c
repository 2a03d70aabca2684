/* pair_find.c: where accesses are on the axis of two logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_find.h"

#include "model/log/order.h"

struct dv_pair_finder *
dv_pair_finder_new (const struct dv_pair *pair, unsigned side)
{
  struct dv_pair_finder *finder = g_new0 (struct dv_pair_finder, 1);
  finder->pair = pair;
  finder->side = side;
  return finder;
}

void
dv_pair_finder_free (struct dv_pair_finder *finder)
{
  g_free (finder);
}

static const struct dv_pair_places *
places_of (const struct dv_pair_finder *finder)
{
  return &finder->pair->axis.sides[finder->side];
}

/* The block there, at that moment; false: there is none.  */
static bool
find_block (const struct dv_pair_finder *finder, uint64_t address,
            uint64_t icount, struct dv_pair_found *found)
{
  const struct dv_pair_places *places = places_of (finder);
  const struct dv_pair_things *things = places->things;
  const struct dv_data *data = things->scene->data;
  uint64_t low, high;
  uint32_t block = data->space == NULL ? DG_NONE
                   : dg_space_block (data->space, address, icount, &low,
                                     &high);
  if (block == DG_NONE || things->of_block[block] == DG_NONE)
    return false;
  const struct dg_block_extent b = dg_log_block_extent (data->log, block);
  *found = (struct dv_pair_found){
    .low = low, .size = high - low, .from = b.alloc_icount,
    .until = b.free_icount, .mask = UINT64_MAX,
    .shift = places->of_block[block] - b.address,
    .owner = places->owners[things->of_block[block]] };
  /* Another one may begin in its place.  */
  if (things->has_nested) {
    found->from = icount;
    found->until = icount + 1;
  }
  return true;
}

static void
find_extent (const struct dv_pair_finder *finder, uint64_t address,
             uint64_t icount, struct dv_pair_found *found)
{
  const struct dv_pair_places *places = places_of (finder);
  const GArray *extents = places->things->extents;
  const struct dv_pair_extent *e =
    (const struct dv_pair_extent *) (void *) extents->data;
  guint low = 0, high = extents->len;
  DV_BISECT (low, high, middle, e[middle].high <= address);
  if (low == extents->len || e[low].low > address) {
    *found = (struct dv_pair_found){ .low = address, .size = 1,
                                     .from = icount, .until = icount + 1,
                                     .owner = DG_NONE };
    return;
  }
  e = &e[low];
  *found = (struct dv_pair_found){ .low = e->low, .size = e->high - e->low,
                                   .until = DG_NEVER, .mask = UINT64_MAX,
                                   .shift = places->of_extent[low],
                                   .owner = places->owners[e->thing] };
  if (e->offset == DV_PAIR_FOLDED)
    found->mask = DV_PAIR_FOLD - 1;
  else
    found->shift -= e->low;
  if (e->has_blocks) {
    found->from = icount;
    found->until = icount + 1;
  }
}

const struct dv_pair_found *
dv_pair_finder_ask (struct dv_pair_finder *finder, uint64_t address,
                    uint64_t icount)
{
  struct dv_pair_found *recent =
    &finder->recent[(address >> DV_PAIR_GRAIN_SHIFT) % DV_PAIR_RECENT];
  struct dv_pair_found extent;
  /* What is walked through is found again and again.  */
  if (dv_pair_found_is_right (&finder->latest, address, icount)) {
    *recent = finder->latest;
    return recent;
  }
  find_extent (finder, address, icount, &extent);
  if (extent.until == DG_NEVER
      || !find_block (finder, address, icount, recent))
    *recent = extent;
  finder->latest = *recent;
  return recent;
}

/* curve_walk.c: bytes alive by slot, at one state after the other.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve.h"

#include <string.h>

int
dg_curve_walk_init (struct dg_curve_walk *walk,
                    const struct dg_curve_source *source,
                    const uint32_t *slot_of, uint32_t n_slots, unsigned wants)
{
  memset (walk, 0, sizeof *walk);
  walk->source = source;
  walk->slot_of = slot_of;
  walk->n_slots = n_slots;
  walk->bytes = g_try_new0 (uint64_t, n_slots + 1);
  walk->dirty = g_try_new (uint32_t, n_slots + 1);
  walk->is_dirty = g_try_new0 (uint8_t, n_slots + 1);
  if ((wants & DG_CURVE_COUNTS) != 0)
    walk->counts = g_try_new0 (uint64_t, n_slots + 1);
  if ((wants & DG_CURVE_MOST) != 0)
    walk->most = g_try_new0 (uint64_t, n_slots + 1);
  if (walk->bytes != NULL && walk->dirty != NULL && walk->is_dirty != NULL
      && ((wants & DG_CURVE_COUNTS) == 0 || walk->counts != NULL)
      && ((wants & DG_CURVE_MOST) == 0 || walk->most != NULL))
    return 0;
  dg_curve_walk_fini (walk);
  return DG_ERR_NOMEM;
}

void
dg_curve_walk_fini (struct dg_curve_walk *walk)
{
  g_free (walk->bytes);
  g_free (walk->counts);
  g_free (walk->most);
  g_free (walk->dirty);
  g_free (walk->is_dirty);
  memset (walk, 0, sizeof *walk);
}

static void
touch (struct dg_curve_walk *walk, uint32_t slot)
{
  walk->dirty[walk->n_dirty] = slot;
  walk->n_dirty += !walk->is_dirty[slot];
  walk->is_dirty[slot] = 1;
}

static void
go_to_mark (struct dg_curve_walk *walk, size_t mark)
{
  const struct dg_curve_source *source = walk->source;
  size_t n = source->origins.n;
  const uint64_t *bytes = source->mark_bytes + mark * n;
  const uint32_t *blocks = source->mark_blocks + mark * n;

  memset (walk->bytes, 0, walk->n_slots * sizeof *walk->bytes);
  if (walk->counts != NULL)
    memset (walk->counts, 0, walk->n_slots * sizeof *walk->counts);
  walk->blocks = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t slot = walk->slot_of[i];

    walk->blocks += blocks[i];
    if (slot == DG_NONE)
      continue;
    walk->bytes[slot] += bytes[i];
    if (walk->counts != NULL)
      walk->counts[slot] += blocks[i];
  }
  for (uint32_t slot = 0; slot < walk->n_slots && walk->most != NULL; slot++)
    touch (walk, slot);
  walk->state = mark << source->stride_bits;
}

static void
go_forward (struct dg_curve_walk *walk, size_t state)
{
  const struct dg_curve_source *source = walk->source;
  const uint64_t *totals = source->totals;

  for (size_t i = walk->state + 1; i <= state; i++) {
    uint32_t change = source->changes[i];
    uint32_t slot = walk->slot_of[change >> 1];
    uint64_t one = (change & 1) != 0 ? UINT64_MAX : 1;

    walk->blocks += one;
    if (slot == DG_NONE)
      continue;
    walk->bytes[slot] += totals[i] - totals[i - 1];
    if (walk->counts != NULL)
      walk->counts[slot] += one;
    if (walk->most != NULL)
      touch (walk, slot);
  }
  walk->state = state;
}

void
dg_curve_walk_to (struct dg_curve_walk *walk, size_t state)
{
  const struct dg_curve_source *source = walk->source;
  size_t mark = state >> source->stride_bits;
  size_t at = mark << source->stride_bits;

  if (state < walk->state
      || (at > walk->state && at - walk->state > source->origins.n))
    go_to_mark (walk, mark);
  go_forward (walk, state);
  if (walk->most == NULL)
    return;
  for (uint32_t i = 0; i < walk->n_dirty; i++) {
    uint32_t slot = walk->dirty[i];

    walk->most[slot] = MAX (walk->most[slot], walk->bytes[slot]);
    walk->is_dirty[slot] = 0;
  }
  walk->n_dirty = 0;
}

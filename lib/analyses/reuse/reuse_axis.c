/* reuse_axis.c: memory of a time axis, and what is done to many moments at
   once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse_axis.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

/* Nodes of a level of an axis; one more than are needed, since `now` may be
   behind the last block.  */
static size_t
nodes (uint32_t size, unsigned level)
{
  return ((size_t) size >> (DG_AXIS_BLOCK_SHIFT + level * DG_AXIS_FAN_SHIFT))
         + 1;
}

int
dg_reuse_axis_make (struct dg_reuse_axis *axis, uint32_t moments)
{
  struct dg_reuse_axis new = { 0 };
  bool is_short;

  g_assert (moments <= UINT32_C (1) << 31);
  new.size = (MAX (moments, 1) + DG_AXIS_BLOCK - 1) & ~(DG_AXIS_BLOCK - 1);
  new.words = g_try_new0 (uint64_t, new.size / 64);
  is_short = !new.words;
  do {
    new.counts[new.levels] = g_try_new0 (uint32_t, nodes (new.size,
                                                          new.levels));
    is_short = is_short || !new.counts[new.levels];
    new.levels++;
  } while (new.levels < DG_AXIS_LEVELS && nodes (new.size, new.levels) > 2);
  if (is_short) {
    dg_reuse_axis_fini (&new);
    return DG_ERR_NOMEM;
  }
  dg_reuse_axis_fini (axis);
  *axis = new;
  return 0;
}

void
dg_reuse_axis_fini (struct dg_reuse_axis *axis)
{
  g_free (axis->words);
  for (unsigned level = 0; level < DG_AXIS_LEVELS; level++)
    g_free (axis->counts[level]);
  memset (axis, 0, sizeof *axis);
}

void
dg_reuse_axis_clear (struct dg_reuse_axis *axis)
{
  const uint32_t used = axis->now;

  if (used == 0)
    return;
  memset (axis->words, 0, sizeof *axis->words * ((used + 63) / 64));
  for (unsigned level = 0; level < axis->levels; level++)
    memset (axis->counts[level], 0,
            sizeof *axis->counts[level] * nodes (used, level));
  axis->now = axis->live = axis->open = 0;
}

uint32_t *
dg_reuse_axis_ranks (const struct dg_reuse_axis *axis)
{
  const size_t n = (axis->now + 63) / 64;
  uint32_t *ranks = g_try_new (uint32_t, MAX (n, 1));
  uint32_t before = 0;

  for (size_t i = 0; ranks && i < n; i++) {
    ranks[i] = before;
    before += (uint32_t) __builtin_popcountll (axis->words[i]);
  }
  return ranks;
}

/* Bits from .. end - 1 of the words are set.  */
static void
set_bits (uint64_t *words, uint32_t from, uint32_t end)
{
  while (from < end) {
    const uint32_t n = MIN (64 - (from & 63), end - from);
    const uint64_t bits = n == 64 ? UINT64_MAX : (UINT64_C (1) << n) - 1;

    words[from >> 6] |= bits << (from & 63);
    from += n;
  }
}

void
dg_reuse_axis_fill (struct dg_reuse_axis *axis, uint32_t n)
{
  set_bits (axis->words, axis->now, axis->now + n);
  axis->live += n;
  while (n > 0) {
    const uint32_t block = axis->now >> DG_AXIS_BLOCK_SHIFT;
    const uint32_t left = DG_AXIS_BLOCK - (axis->now & (DG_AXIS_BLOCK - 1));
    const uint32_t here = MIN (left, n);

    axis->open += here;
    axis->now += here;
    n -= here;
    if (here == left) {
      for (unsigned level = 0; level < axis->levels; level++)
        axis->counts[level][block >> (level * DG_AXIS_FAN_SHIFT)]
          += axis->open;
      axis->open = 0;
    }
  }
}

/* contention.c: what threads do to one another in a cache line: sums.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "contention.h"

#include <string.h>

#include "base/error.h"

#define FIRST_MASK 255

struct dg_contention *
dg_contention_new (uint32_t most)
{
  struct dg_contention *contention = g_try_new0 (struct dg_contention, 1);

  if (contention != NULL)
    contention->most = most;
  return contention;
}

void
dg_contention_free (struct dg_contention *contention)
{
  if (contention == NULL)
    return;
  g_free (contention->spots);
  g_free (contention->slots);
  g_free (contention->verdicts);
  g_free (contention);
}

/* ---- The table ---------------------------------------------------------- */

static inline bool
is_same (const struct dg_spot *a, const struct dg_spot *b)
{
  return a->line == b->line && a->thread == b->thread && a->phase == b->phase
         && a->first == b->first && a->last == b->last;
}

static inline uint32_t
hash (const struct dg_spot *spot)
{
  uint64_t h = (spot->line << 12 ^ (uint64_t) spot->first << 6 ^ spot->last)
               * 0x9e3779b97f4a7c15u;

  h ^= ((uint64_t) spot->phase << 32 | spot->thread) * 0xd6e8feb86659fd93u;
  return (uint32_t) (h >> 32 ^ h >> 13);
}

/* The slot of a spot, or the free one where it would go.  */
static inline uint32_t *
probe (const struct dg_contention *contention, const struct dg_spot *spot)
{
  for (uint32_t i = hash (spot);; i++) {
    uint32_t *slot = &contention->slots[i & contention->mask];

    if (*slot == 0 || is_same (&contention->spots[*slot - 1], spot))
      return slot;
  }
}

static bool
grow_slots (struct dg_contention *contention)
{
  uint32_t mask =
    contention->slots == NULL ? FIRST_MASK : contention->mask * 2 + 1;
  uint32_t *slots = g_try_new0 (uint32_t, (size_t) mask + 1);

  if (slots == NULL)
    return false;
  g_free (contention->slots);
  contention->slots = slots;
  contention->mask = mask;
  for (uint32_t i = 0; i < contention->n; i++)
    *probe (contention, &contention->spots[i]) = i + 1;
  return true;
}

/* Room for one more.  */
static bool
make_room (struct dg_contention *contention)
{
  uint32_t room = contention->room + contention->room / 2 + 64;
  struct dg_spot *spots;

  if ((contention->slots == NULL
       || contention->n >= contention->mask / 4 * 3)
      && !grow_slots (contention))
    return false;
  if (contention->n < contention->room)
    return true;
  spots = g_try_renew (struct dg_spot, contention->spots, room);
  if (spots == NULL)
    return false;
  contention->spots = spots;
  contention->room = room;
  return true;
}

int
dg_contention_add (struct dg_contention *contention,
                   const struct dg_spot *spot)
{
  uint32_t near = (uint32_t) (spot->line * 8 + spot->first / 8)
                  % DG_CONTENTION_RECENT;
  uint32_t at = contention->recent[near];
  uint32_t *slot;

  if (at >= contention->n || !is_same (&contention->spots[at], spot)) {
    if (G_UNLIKELY (contention->n == contention->room
                    || contention->n >= contention->mask / 4 * 3)
        && !make_room (contention))
      return DG_ERR_NOMEM;
    slot = probe (contention, spot);
    if (*slot == 0) {
      if (contention->most > 0 && contention->n >= contention->most) {
        contention->left_out += spot->reads + spot->writes;
        return 0;
      }
      contention->spots[contention->n] = *spot;
      contention->spots[contention->n].reads = 0;
      contention->spots[contention->n].writes = 0;
      *slot = ++contention->n;
    }
    at = contention->recent[near] = *slot - 1;
  }
  contention->spots[at].reads += spot->reads;
  contention->spots[at].writes += spot->writes;
  return 0;
}

int
dg_contention_join (struct dg_contention *contention,
                    const struct dg_contention *from)
{
  for (uint32_t i = 0; i < from->n; i++)
    if (dg_contention_add (contention, &from->spots[i]) < 0)
      return DG_ERR_NOMEM;
  contention->left_out += from->left_out;
  return 0;
}

uint64_t
dg_contention_left_out (const struct dg_contention *contention)
{
  return contention->left_out;
}

const struct dg_spot *
dg_contention_spots (const struct dg_contention *contention)
{
  return contention->spots;
}

/* ---- Verdicts ----------------------------------------------------------- */

const struct dg_line_verdict *
dg_contention_verdicts (const struct dg_contention *contention)
{
  return contention->verdicts;
}

const struct dg_line_verdict *
dg_contention_verdict (const struct dg_contention *contention, uint64_t line)
{
  size_t low = 0, high = contention->n_verdicts;

  while (low < high) {
    size_t middle = low + (high - low) / 2;

    if (contention->verdicts[middle].line < line)
      low = middle + 1;
    else
      high = middle;
  }
  return low < contention->n_verdicts && contention->verdicts[low].line == line
           ? &contention->verdicts[low] : NULL;
}

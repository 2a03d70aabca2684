/* pairs.c: pairs of numbers -> a number.  Open addressing, at most half
   full.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pairs.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

#define FIRST_BITS 10

/* The place of a pair, or the free one where it would go.  */
static struct dg_pairs_item *
place (const struct dg_pairs *pairs, uint64_t a, uint32_t b)
{
  const size_t mask = ((size_t) 1 << pairs->bits) - 1;
  uint64_t hash = (a ^ pairs->seed) * UINT64_C (0x9e3779b97f4a7c15);
  size_t i;

  hash = (hash ^ hash >> 32 ^ b) * UINT64_C (0xd6e8feb86659fd93);
  i = hash >> (64 - pairs->bits);
  while (pairs->pairs[i].value_and_1 != 0
         && (pairs->pairs[i].a != a || pairs->pairs[i].b != b))
    i = (i + 1) & mask;
  return &pairs->pairs[i];
}

static int
grow (struct dg_pairs *pairs)
{
  struct dg_pairs old = *pairs;
  unsigned bits = old.pairs ? old.bits + 1 : FIRST_BITS;
  struct dg_pairs_item *new
    = g_try_new0 (struct dg_pairs_item, (size_t) 1 << bits);

  if (!new)
    return DG_ERR_NOMEM;
  if (!old.pairs)
    pairs->seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  pairs->pairs = new;
  pairs->bits = bits;
  for (size_t i = 0; old.pairs && i >> old.bits == 0; i++)
    if (old.pairs[i].value_and_1 != 0)
      *place (pairs, old.pairs[i].a, old.pairs[i].b) = old.pairs[i];
  g_free (old.pairs);
  return 0;
}

int
dg_pairs_add (struct dg_pairs *pairs, uint64_t a, uint32_t b, uint32_t value)
{
  if (!pairs->pairs || 2 * (pairs->n + 1) > (size_t) 1 << pairs->bits) {
    int code = grow (pairs);

    if (code < 0)
      return code;
  }
  *place (pairs, a, b) = (struct dg_pairs_item) { a, b, value + 1 };
  pairs->n++;
  return 0;
}

uint32_t
dg_pairs_find (const struct dg_pairs *pairs, uint64_t a, uint32_t b)
{
  if (!pairs->pairs)
    return UINT32_MAX;
  return place (pairs, a, b)->value_and_1 - 1;
}

void
dg_pairs_fini (struct dg_pairs *pairs)
{
  g_free (pairs->pairs);
  memset (pairs, 0, sizeof *pairs);
}

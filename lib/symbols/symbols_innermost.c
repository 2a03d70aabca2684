/* symbols_innermost.c: intervals of addresses, cut into pieces that each have
   one interval on top.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_innermost.h"
#include "base/bisect.h"
#include "base/compare.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The better one of two that begin together comes later.  */
static gint
compare_intervals (gconstpointer a, gconstpointer b)
{
  const struct dg_interval *x = a, *y = b;

  return DG_COMPARE (x->low, y->low)
         ?: DG_COMPARE (y->high, x->high)
         ?: DG_COMPARE (x->rank, y->rank)
         ?: DG_COMPARE (y->id, x->id);
}

static void
begin_piece (GArray *pieces, uint64_t low, uint32_t id)
{
  struct dg_piece piece = {low, id};
  struct dg_piece *last =
    pieces->len > 0 ? &g_array_index (pieces, struct dg_piece, pieces->len - 1)
                    : NULL;

  if (last != NULL && last->low == low)
    last->id = id;
  else if (last == NULL || last->id != id)
    g_array_append_val (pieces, piece);
}

/* Intervals that have begun and, but for those below the top, not ended; the
   one that began last is on top.  */
struct open {
  const struct dg_interval **top;
  guint n;
};

/* Ends what ends up to an address.  What lies below an interval that ends
   shows again from there on.  */
static void
end_until (struct open *open, GArray *pieces, uint64_t address)
{
  while (open->n > 0 && open->top[open->n - 1]->high <= address) {
    uint64_t end = open->top[open->n - 1]->high;

    while (open->n > 0 && open->top[open->n - 1]->high <= end)
      open->n--;
    begin_piece (pieces, end,
                 open->n > 0 ? open->top[open->n - 1]->id : NONE);
  }
}

GArray *
dg_innermost_new (struct dg_interval *intervals, guint n)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (struct dg_piece));
  struct open open = {g_new (const struct dg_interval *, n + 1), 0};

  if (n > 0)
    qsort (intervals, n, sizeof *intervals, compare_intervals);
  for (guint i = 0; i < n; i++) {
    if (intervals[i].high <= intervals[i].low)
      continue;
    end_until (&open, pieces, intervals[i].low);
    open.top[open.n++] = &intervals[i];
    begin_piece (pieces, intervals[i].low, intervals[i].id);
  }
  end_until (&open, pieces, UINT64_MAX);
  g_free (open.top);
  return pieces;
}

uint32_t
dg_innermost_find (const GArray *pieces, uint64_t address)
{
  guint low =
    DG_BISECT (0, pieces->len, i,
               g_array_index (pieces, struct dg_piece, i).low <= address);

  return low > 0 ? g_array_index (pieces, struct dg_piece, low - 1).id : NONE;
}

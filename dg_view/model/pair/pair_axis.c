/* pair_axis.c: the memory of two logs on one axis: which things are the same,
   and where they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_axis.h"

#include <stdlib.h>
#include <string.h>

#include "model/log/order.h"

/* ---- Which are the same --------------------------------------------- */

/* A thing of a log that waits for one of the other.  */
struct candidate {
  const struct dv_pair_thing *thing;
  uint32_t number;
  unsigned side;
};

static int
compare_names (const struct dv_pair_thing *x, const struct dv_pair_thing *y,
               bool by_few)
{
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  int order = strcmp (by_few ? x->few : x->name, by_few ? y->few : y->name);
  return order != 0 || by_few ? order : strcmp (x->where, y->where);
}

static int
compare_candidates (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct candidate *x = a, *y = b;
  int order = compare_names (x->thing, y->thing, GPOINTER_TO_INT (data));
  if (order != 0)
    return order;
  if (x->side != y->side)
    return x->side < y->side ? -1 : 1;
  if (x->thing->line != y->thing->line)
    return x->thing->line < y->thing->line ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static GArray *
candidates_of (const struct dv_pair_axis *axis, bool by_few)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  for (unsigned s = 0; s < 2; s++) {
    const struct dv_pair_places *side = &axis->sides[s];
    for (guint i = 0; side->things != NULL && i < side->things->things->len;
         i++) {
      struct candidate one = { dv_pair_thing (side->things, i), i, s };
      if (side->owners[i] == DG_NONE)
        g_array_append_val (all, one);
    }
  }
  g_array_sort_with_data (all, compare_candidates, GINT_TO_POINTER (by_few));
  return all;
}

static void
add_owner (struct dv_pair_axis *axis, const struct candidate *a,
           const struct candidate *b)
{
  const struct candidate *both[] = { a, b };
  struct dv_pair_owner owner = { 0 };
  for (unsigned i = 0; i < 2; i++) {
    const struct candidate *one = both[i];
    if (one == NULL)
      continue;
    axis->sides[one->side].owners[one->number] = axis->owners->len;
    owner.kind = one->thing->kind;
    owner.on[one->side] = true;
    owner.name = one->thing->name;
    owner.where = one->thing->where;
    owner.file = one->thing->file;
    owner.line = one->thing->line;
    owner.blocks[one->side] = one->thing->blocks;
  }
  g_array_append_val (axis->owners, owner);
}

/* Those with the same names: the first of a log with the first of the
   other.  */
static void
match (struct dv_pair_axis *axis, bool by_few)
{
  GArray *all = candidates_of (axis, by_few);
  const struct candidate *c = (const struct candidate *) (void *) all->data;
  for (guint i = 0, end, middle; i < all->len; i = end) {
    for (end = i; end < all->len
                  && compare_names (c[i].thing, c[end].thing, by_few) == 0;)
      end++;
    for (middle = i; middle < end && c[middle].side == 0;)
      middle++;
    for (guint k = 0; i + k < middle && middle + k < end; k++)
      add_owner (axis, &c[i + k], &c[middle + k]);
  }
  g_array_unref (all);
}

/* What one log has only.  */
static void
add_others (struct dv_pair_axis *axis)
{
  GArray *all = candidates_of (axis, false);
  for (guint i = 0; i < all->len; i++)
    add_owner (axis, &g_array_index (all, struct candidate, i), NULL);
  g_array_unref (all);
}

/* ---- Where they are ------------------------------------------------- */

/* By kind, in the order of the first log; then what only the other has.  */
static void
sort_owners (struct dv_pair_axis *axis)
{
  guint n = axis->owners->len, k = 0;
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_owner));
  uint32_t *now = g_new (uint32_t, n + 1);
  memset (now, 0xff, (n + 1) * sizeof *now);
  for (int kind = 0; kind <= DV_PAIR_OTHER; kind++)
    for (unsigned s = 0; s < 2; s++) {
      const struct dv_pair_places *side = &axis->sides[s];
      for (guint i = 0; side->things != NULL && i < side->things->things->len;
           i++) {
        uint32_t owner = side->owners[i];
        if ((int) dv_pair_thing (side->things, i)->kind != kind
            || now[owner] != DG_NONE)
          continue;
        now[owner] = k++;
        g_array_append_vals (sorted, dv_pair_axis_owner (axis, owner), 1);
      }
    }
  for (unsigned s = 0; s < 2; s++) {
    const struct dv_pair_places *side = &axis->sides[s];
    for (guint i = 0; side->things != NULL && i < side->things->things->len;
         i++)
      side->owners[i] = now[side->owners[i]];
  }
  g_free (now);
  g_array_unref (axis->owners);
  axis->owners = sorted;
}

/* Bytes of an owner that is not allocated, of one of the logs.  */
struct piece {
  uint32_t owner;
  unsigned side;
  uint32_t extent;
  uint64_t offset, end;
};

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const struct piece *x = a, *y = b;
  if (x->owner != y->owner)
    return x->owner < y->owner ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

static GArray *
pieces_of (const struct dv_pair_axis *axis)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (struct piece));
  for (unsigned s = 0; s < 2; s++) {
    const struct dv_pair_places *side = &axis->sides[s];
    for (guint i = 0; side->things != NULL && i < side->things->extents->len;
         i++) {
      const struct dv_pair_extent *e =
        &g_array_index (side->things->extents, struct dv_pair_extent, i);
      bool is_folded = e->offset == DV_PAIR_FOLDED;
      uint64_t offset = is_folded ? 0 : e->offset;
      struct piece piece = { side->owners[e->thing], s, i, offset,
                             offset + (is_folded ? DV_PAIR_FOLD
                                                 : e->high - e->low) };
      g_array_append_val (pieces, piece);
    }
  }
  g_array_sort (pieces, compare_pieces);
  return pieces;
}

/* Those of an owner, from number `first` on, get places from `x` on, without
   what neither log touches.  Returns where they end; *next receives the number
   of the piece that follows.  */
static uint64_t
place_pieces (struct dv_pair_axis *axis, const GArray *pieces, guint first,
              uint32_t owner, uint64_t x, guint *next)
{
  uint64_t end = 0;
  guint i = first;
  for (; i < pieces->len; i++) {
    const struct piece *piece = &g_array_index (pieces, struct piece, i);
    if (piece->owner != owner)
      break;
    if (i == first)
      end = piece->offset;
    /* x is the position of the byte at `end`.  */
    end = MAX (end, piece->offset);
    axis->sides[piece->side].of_extent[piece->extent] =
      x - (end - piece->offset);
    if (piece->end > end) {
      x += piece->end - end;
      end = piece->end;
    }
  }
  *next = i;
  return x;
}

static void
set_positions (struct dv_pair_axis *axis, bool is_laid_over)
{
  GArray *pieces = pieces_of (axis);
  guint n = axis->owners->len, piece = 0;
  uint64_t x = 0;
  for (guint i = 0; i < n;) {
    struct dv_pair_owner *owner =
      &g_array_index (axis->owners, struct dv_pair_owner, i);
    guint end = i + 1;
    if (owner->kind != DV_PAIR_HEAP) {
      owner->x0 = x;
      owner->x1 = x = place_pieces (axis, pieces, piece, i, x, &piece);
    } else {
      while (end < n && dv_pair_axis_owner (axis, end)->kind == DV_PAIR_HEAP)
        end++;
      x = dv_pair_lanes_set (axis, i, end, x, is_laid_over);
    }
    i = end;
  }
  axis->size = x;
  g_array_unref (pieces);
}

/* ---- Life ----------------------------------------------------------- */

void
dv_pair_axis_init (struct dv_pair_axis *axis,
                   struct dv_pair_things *const things[2], bool is_laid_over)
{
  *axis = (struct dv_pair_axis){ 0 };
  axis->owners = g_array_new (FALSE, FALSE, sizeof (struct dv_pair_owner));
  for (unsigned s = 0; s < 2; s++) {
    struct dv_pair_places *side = &axis->sides[s];
    side->things = things[s];
    if (things[s] == NULL)
      continue;
    side->owners = g_new (uint32_t, things[s]->things->len + 1);
    memset (side->owners, 0xff,
            (things[s]->things->len + 1) * sizeof *side->owners);
    side->of_block = g_new0 (uint64_t, things[s]->n_blocks + 1);
    side->of_extent = g_new0 (uint64_t, things[s]->extents->len + 1);
  }
  match (axis, false);
  match (axis, true);
  add_others (axis);
  sort_owners (axis);
  set_positions (axis, is_laid_over);
}

void
dv_pair_axis_fini (struct dv_pair_axis *axis)
{
  for (unsigned s = 0; s < 2; s++) {
    dv_pair_things_free (axis->sides[s].things);
    g_free (axis->sides[s].owners);
    g_free (axis->sides[s].of_block);
    g_free (axis->sides[s].of_extent);
  }
  if (axis->owners != NULL)
    g_array_unref (axis->owners);
}

uint32_t
dv_pair_axis_at (const struct dv_pair_axis *axis, uint64_t position)
{
  guint low = 0, high = axis->owners->len;
  DV_BISECT (low, high, middle,
             dv_pair_axis_owner (axis, middle)->x1 <= position);
  return low < axis->owners->len ? low : DG_NONE;
}

/* pair_axis.c: the memory of two logs on one axis: which things are the same,
   and where they are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_axis.h"

#include <stdlib.h>
#include <string.h>

#include "model/log/order.h"

/* ---- Which are the same --------------------------------------------- */

/* Several allocation sites can have the same names.  These figures tell which
   of them is that of the other log: the number of blocks, their bytes, and the
   size of the largest block.  */
#define MEASURES 3
struct measures {
  double of[MEASURES];
};

/* The things of a log as rows; none without a log.  */
struct rows {
  struct dg_align_row *rows;
  struct measures *measures;
};

static void
rows_init (struct rows *rows, const struct dv_pair_things *things,
           struct dg_align_table *table)
{
  guint n = things != NULL ? things->things->len : 0;
  rows->rows = g_new (struct dg_align_row, n + 1);
  rows->measures = g_new (struct measures, n + 1);
  for (guint i = 0; i < n; i++) {
    const struct dv_pair_thing *thing = dv_pair_thing (things, i);
    rows->measures[i] =
      (struct measures){ { (double) thing->blocks, (double) thing->bytes,
                           (double) thing->largest } };
    rows->rows[i] = (struct dg_align_row){
      (const char *const *) thing->names, thing->line, i,
      rows->measures[i].of };
  }
  *table = (struct dg_align_table){ rows->rows, n };
}

/* Adds an allocation site, a variable or the like to the axis.  numbers[s]:
   its number in log s; DG_ALIGN_NONE: log s does not have it.  */
static void
add_owner (struct dv_pair_axis *axis, const uint32_t numbers[2])
{
  struct dv_pair_owner owner = { 0 };
  for (unsigned s = 0; s < 2; s++) {
    if (numbers[s] == DG_ALIGN_NONE)
      continue;
    const struct dv_pair_thing *thing =
      dv_pair_thing (axis->sides[s].things, numbers[s]);
    axis->sides[s].owners[numbers[s]] = axis->owners->len;
    owner.kind = thing->kind;
    owner.on[s] = true;
    owner.name = thing->name;
    owner.where = thing->where;
    owner.file = thing->file;
    owner.line = thing->line;
    owner.blocks[s] = thing->blocks;
  }
  g_array_append_val (axis->owners, owner);
}

/* As dg diff finds rows again.  */
static int
match (struct dv_pair_axis *axis, struct dg_error *err)
{
  const struct dg_align_options options = {
    .size = sizeof options, .n_names = DV_PAIR_NAMES,
    .n_measures = MEASURES };
  struct dg_align_table tables[2];
  struct rows rows[2];
  uint32_t *groups;
  size_t n;
  for (unsigned s = 0; s < 2; s++)
    rows_init (&rows[s], axis->sides[s].things, &tables[s]);
  int code = dg_align (&options, tables, 2, &groups, &n, err);
  for (size_t i = 0; code == 0 && i < n; i++)
    add_owner (axis, groups + 2 * i);
  free (groups);
  for (unsigned s = 0; s < 2; s++) {
    g_free (rows[s].rows);
    g_free (rows[s].measures);
  }
  return code;
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

int
dv_pair_axis_init (struct dv_pair_axis *axis,
                   struct dv_pair_things *const things[2], bool is_laid_over,
                   struct dg_error *err)
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
  int code = match (axis, err);
  if (code < 0) {
    dv_pair_axis_fini (axis);
    return code;
  }
  sort_owners (axis);
  set_positions (axis, is_laid_over);
  return 0;
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

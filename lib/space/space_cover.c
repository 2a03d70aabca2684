/* space_cover.c: rectangles of address and time, and which one is on top.

   A segment tree over the addresses: the bounds of all rectangles cut the
   address space into leaves, and each rectangle is kept at the few nodes
   that together are exactly its addresses.  All rectangles of one node have
   the same addresses there, so that only time remains: each node keeps a
   list of steps "from this moment on, this one is on top".  A search climbs
   from a leaf to the root, with one binary search in each node that has
   steps, which are few: a heap block spans few bounds of other blocks.

   What the rectangles stand for is not known here: see space.c, filter.c
   and symbols.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "space_cover.h"
#include "base/bisect.h"
#include "base/compare.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

struct dg_cover {
  uint64_t *bounds; /* ascending, distinct; leaf i is bounds[i .. i + 1] */
  size_t n_leaves;
  size_t *first;   /* per node: its first step; one more at the end */
  uint64_t *since; /* per step: from when */
  uint32_t *top;   /* per step: place of the rectangle on top */
  uint64_t *ends;  /* per place: when that rectangle ends */
  uint32_t *ids;   /* per place */
};

/* ---- Pace ---- */

/* Steps between two calls of the progress function.  */
#define PACE_STEPS ((size_t) 1 << 17)
/* Of each rectangle: its bounds are collected and sorted, it is counted and
   placed, and becomes steps of the cover.  */
#define STEPS_PER_RECT 8

uint64_t
dg_cover_steps (size_t n)
{
  return (uint64_t) n * STEPS_PER_RECT;
}

/* Passes `steps` more.  */
static int
go_on (struct dg_cover_pace *pace, size_t steps)
{
  if (pace == NULL || pace->progress == NULL)
    return 0;
  pace->done = MIN (pace->done + steps, pace->total);
  return pace->progress (pace->user, pace->done, pace->total) != 0
           ? DG_ERR_CANCELLED : 0;
}

/* Before item i of a loop.  */
static inline int
at_item (struct dg_cover_pace *pace, size_t i)
{
  return G_UNLIKELY (i % PACE_STEPS == 0 && i > 0) ? go_on (pace, PACE_STEPS)
                                                   : 0;
}

struct dg_rect
dg_rect_make (uint64_t address, uint64_t size, uint64_t start, uint64_t end,
              uint32_t id)
{
  uint64_t high = size > UINT64_MAX - address ? UINT64_MAX : address + size;

  return (struct dg_rect){address, high, start, end, id};
}

static bool
is_empty (const struct dg_rect *rect)
{
  return rect->low >= rect->high || rect->start >= rect->end;
}

static gint
compare_start (gconstpointer a, gconstpointer b, gpointer unused)
{
  const struct dg_rect *x = a, *y = b;

  (void) unused;
  return DG_COMPARE (x->start, y->start);
}

/* Timelines come sorted, so sorting is the exception.  The sort is stable,
   which keeps the caller's order among equal starts.  */
static void
sort_by_start (struct dg_rect *rects, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    if (rects[i].start < rects[i - 1].start) {
      g_qsort_with_data (rects, (gint) n, sizeof *rects, compare_start, NULL);
      return;
    }
  }
}

/* The two sorted pieces of `from` at first and second, up to end, as one.  */
static void
merge_pieces (uint64_t *to, const uint64_t *from, size_t first,
              size_t second, size_t end)
{
  size_t a = first, b = second;

  for (size_t i = first; i < end; i++)
    to[i] = b == end || (a < second && from[a] <= from[b]) ? from[a++]
                                                           : from[b++];
}

/* As qsort, which nobody can stop: pieces are sorted by it, then merged.  */
static int
sort_bounds (uint64_t *bounds, size_t n, struct dg_cover_pace *pace)
{
  uint64_t *from = bounds, *to, *room;
  int code = 0;

  for (size_t i = 0; i < n && code == 0; i += PACE_STEPS) {
    qsort (bounds + i, MIN (PACE_STEPS, n - i), sizeof *bounds,
           dg_compare_u64);
    code = go_on (pace, PACE_STEPS);
  }
  if (n <= PACE_STEPS || code < 0)
    return code;
  room = to = g_try_new (uint64_t, n);
  if (room == NULL)
    return DG_ERR_NOMEM;
  for (size_t width = PACE_STEPS; width < n && code == 0; width *= 2) {
    uint64_t *other = from;

    for (size_t i = 0; i < n && code == 0; i += 2 * width) {
      merge_pieces (to, from, i, MIN (i + width, n), MIN (i + 2 * width, n));
      code = go_on (pace, 0);
    }
    from = to;
    to = other;
  }
  if (from != bounds)
    memcpy (bounds, from, n * sizeof *bounds);
  g_free (room);
  return code;
}

static int
collect_bounds (struct dg_cover *cover, const struct dg_rect *rects, size_t n,
                struct dg_cover_pace *pace)
{
  size_t used = 0, kept = 0;
  int code;

  cover->bounds = g_try_new (uint64_t, 2 * n + 1);
  if (cover->bounds == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    if (!is_empty (&rects[i])) {
      cover->bounds[used++] = rects[i].low;
      cover->bounds[used++] = rects[i].high;
    }
  }
  code = sort_bounds (cover->bounds, used, pace);
  if (code < 0)
    return code;
  for (size_t i = 0; i < used; i++)
    if (i == 0 || cover->bounds[i] != cover->bounds[kept - 1])
      cover->bounds[kept++] = cover->bounds[i];
  cover->n_leaves = kept > 0 ? kept - 1 : 0;
  return 0;
}

/* The last leaf that begins at or before the address; the caller knows that
   bounds[0] <= address.  */
static size_t
leaf_of (const struct dg_cover *cover, uint64_t address)
{
  const uint64_t *base = cover->bounds;
  size_t n = cover->n_leaves + 1;

  while (n > 1) {
    size_t half = n / 2;
    base = base[half] <= address ? base + half : base;
    n -= half;
  }
  return (size_t) (base - cover->bounds);
}

/* The leaves of a rectangle: from first on, up to before last.  */
struct leaves {
  uint32_t first, last;
};

/* Few bounds lie within most rectangles, so that the second is near.  */
static struct leaves
leaves_of (const struct dg_cover *cover, const struct dg_rect *rect)
{
  struct leaves leaves = {0, 0};
  size_t at, near = 0;

  if (is_empty (rect))
    return leaves;
  at = leaf_of (cover, rect->low);
  leaves.first = (uint32_t) at;
  while (cover->bounds[at] < rect->high && near++ < 16)
    at++;
  if (cover->bounds[at] != rect->high)
    at = leaf_of (cover, rect->high);
  leaves.last = (uint32_t) at;
  return leaves;
}

/* Visits the nodes that make up a rectangle: counts them in `fill`, or
   writes the place there when `list` is given.  Nodes are numbered as in any
   bottom-up segment tree: leaf i is node n_leaves + i, the parent of node k
   is k / 2.  */
static void
place_rect (const struct dg_cover *cover, struct leaves leaves, uint32_t place,
            size_t *fill, uint32_t *list)
{
  size_t l = leaves.first + cover->n_leaves;
  size_t r = leaves.last + cover->n_leaves;

  for (; l < r; l /= 2, r /= 2) {
    if (l & 1) {
      if (list != NULL)
        list[fill[l]] = place;
      fill[l++]++;
    }
    if (r & 1) {
      r--;
      if (list != NULL)
        list[fill[r]] = place;
      fill[r]++;
    }
  }
}

/* The steps of one node, being made.  */
struct steps {
  uint64_t *since;
  uint32_t *top;
  size_t n;
};

static void
add_step (struct steps *steps, size_t node_first, uint64_t since,
          uint32_t place)
{
  if (steps->n > node_first && steps->since[steps->n - 1] == since)
    steps->n--;
  steps->since[steps->n] = since;
  steps->top[steps->n++] = place;
}

/* Ends those on top of `alive` that are over by `until`; each time says who
   comes to light.  */
static size_t
end_until (const struct dg_cover *cover, const uint32_t *alive, size_t n_alive,
           uint64_t until, size_t node_first, struct steps *steps)
{
  while (n_alive > 0 && cover->ends[alive[n_alive - 1]] <= until) {
    uint64_t end = cover->ends[alive[n_alive - 1]];

    while (n_alive > 0 && cover->ends[alive[n_alive - 1]] <= end)
      n_alive--;
    if (n_alive > 0)
      add_step (steps, node_first, end, alive[n_alive - 1]);
  }
  return n_alive;
}

/* Turns the places of one node, in the order of their starts, into steps.
   No step says "nothing": the end of the one on top does.  */
static void
make_steps (const struct dg_cover *cover, const struct dg_rect *rects,
            const uint32_t *places, size_t n, uint32_t *alive,
            struct steps *steps)
{
  size_t node_first = steps->n, n_alive = 0;

  for (size_t i = 0; i < n; i++) {
    uint64_t start = rects[places[i]].start;

    n_alive = end_until (cover, alive, n_alive, start, node_first, steps);
    add_step (steps, node_first, start, places[i]);
    alive[n_alive++] = places[i];
  }
  end_until (cover, alive, n_alive, UINT64_MAX, node_first, steps);
}

/* `list` holds the places of node k at fill[k - 1] .. fill[k] - 1.  */
static int
make_all_steps (struct dg_cover *cover, const struct dg_rect *rects,
                const size_t *fill, const uint32_t *list,
                struct dg_cover_pace *pace)
{
  size_t n_nodes = 2 * cover->n_leaves, longest = 1;
  size_t total = fill[n_nodes - 1];
  struct steps steps = {NULL, NULL, 0};
  uint32_t *alive = NULL;
  int code = DG_ERR_NOMEM;

  for (size_t k = 1; k < n_nodes; k++)
    longest = MAX (longest, fill[k] - fill[k - 1]);
  alive = g_try_new (uint32_t, longest);
  /* Each rectangle begins once and comes to light again at most once for
     each other one that ends.  */
  steps.since = g_try_new (uint64_t, 2 * total + 1);
  steps.top = g_try_new (uint32_t, 2 * total + 1);
  if (alive == NULL || steps.since == NULL || steps.top == NULL)
    goto out;
  cover->first[0] = 0;
  cover->first[1] = 0;
  for (size_t k = 1; k < n_nodes; k++) {
    if (at_item (pace, k) < 0) {
      code = DG_ERR_CANCELLED;
      goto out;
    }
    make_steps (cover, rects, list + fill[k - 1], fill[k] - fill[k - 1], alive,
                &steps);
    cover->first[k + 1] = steps.n;
  }
  cover->since = g_try_realloc_n (steps.since, steps.n + 1, sizeof (uint64_t));
  cover->top = g_try_realloc_n (steps.top, steps.n + 1, sizeof (uint32_t));
  if (cover->since != NULL)
    steps.since = NULL;
  if (cover->top != NULL)
    steps.top = NULL;
  if (cover->since != NULL && cover->top != NULL)
    code = 0;
out:
  g_free (alive);
  g_free (steps.since);
  g_free (steps.top);
  return code;
}

static int
build_tree (struct dg_cover *cover, const struct dg_rect *rects, size_t n,
            struct dg_cover_pace *pace)
{
  size_t n_nodes = 2 * cover->n_leaves, sum = 0;
  size_t *fill = g_try_new0 (size_t, n_nodes + 1);
  struct leaves *leaves = g_try_new (struct leaves, n);
  uint32_t *list = NULL;
  int code = DG_ERR_NOMEM;

  cover->first = g_try_new (size_t, n_nodes + 1);
  if (fill == NULL || leaves == NULL || cover->first == NULL)
    goto out;
  for (size_t i = 0; i < n; i++) {
    if (at_item (pace, i) < 0)
      goto cancelled;
    leaves[i] = leaves_of (cover, &rects[i]);
    place_rect (cover, leaves[i], (uint32_t) i, fill, NULL);
  }
  for (size_t k = 0; k < n_nodes; k++) {
    size_t count = fill[k];
    fill[k] = sum;
    sum += count;
  }
  list = g_try_new (uint32_t, sum + 1);
  if (list == NULL)
    goto out;
  for (size_t i = 0; i < n; i++) {
    if (at_item (pace, i) < 0)
      goto cancelled;
    place_rect (cover, leaves[i], (uint32_t) i, fill, list);
  }
  /* Filling has moved each node's first place to the next node's.  */
  code = make_all_steps (cover, rects, fill, list, pace);
  goto out;
cancelled:
  code = DG_ERR_CANCELLED;
out:
  g_free (fill);
  g_free (leaves);
  g_free (list);
  return code;
}

int
dg_cover_new (struct dg_rect *rects, size_t n, struct dg_cover **cover)
{
  return dg_cover_new_paced (rects, n, cover, NULL);
}

int
dg_cover_new_paced (struct dg_rect *rects, size_t n, struct dg_cover **cover,
                    struct dg_cover_pace *pace)
{
  struct dg_cover *new = NULL;
  int code = DG_ERR_NOMEM;

  *cover = NULL;
  if (n >= G_MAXINT)
    return DG_ERR_NOMEM;
  new = g_try_new0 (struct dg_cover, 1);
  if (new == NULL)
    return DG_ERR_NOMEM;
  sort_by_start (rects, n);
  new->ends = g_try_new (uint64_t, n + 1);
  new->ids = g_try_new (uint32_t, n + 1);
  if (new->ends == NULL || new->ids == NULL)
    goto fail;
  for (size_t i = 0; i < n; i++) {
    new->ends[i] = rects[i].end;
    new->ids[i] = rects[i].id;
  }
  code = collect_bounds (new, rects, n, pace);
  if (code == 0 && new->n_leaves > 0)
    code = build_tree (new, rects, n, pace);
  if (code < 0)
    goto fail;
  *cover = new;
  return 0;
fail:
  dg_cover_free (new);
  return code;
}

void
dg_cover_free (struct dg_cover *cover)
{
  if (cover == NULL)
    return;
  g_free (cover->bounds);
  g_free (cover->first);
  g_free (cover->since);
  g_free (cover->top);
  g_free (cover->ends);
  g_free (cover->ids);
  g_free (cover);
}

/* The place on top at one node, DG_NONE if none.  */
static uint32_t
top_of_node (const struct dg_cover *cover, size_t node, uint64_t icount)
{
  const size_t begin = cover->first[node], end = cover->first[node + 1];
  size_t low = DG_BISECT (begin, end, i, cover->since[i] <= icount);

  if (low == begin || cover->ends[cover->top[low - 1]] <= icount)
    return DG_NONE;
  return cover->top[low - 1];
}

/* Places are in the order of the starts, so the latest is the greatest.  */
static uint32_t
top_of_leaf (const struct dg_cover *cover, size_t leaf, uint64_t icount)
{
  uint32_t best = DG_NONE;

  for (size_t k = leaf + cover->n_leaves; k > 0; k /= 2) {
    if (cover->first[k] != cover->first[k + 1]) {
      uint32_t place = top_of_node (cover, k, icount);
      if (place != DG_NONE && (best == DG_NONE || place > best))
        best = place;
    }
  }
  return best;
}

uint32_t
dg_cover_find (const struct dg_cover *cover, uint64_t address, uint64_t icount)
{
  uint32_t place;

  if (cover->n_leaves == 0 || address < cover->bounds[0]
      || address >= cover->bounds[cover->n_leaves])
    return DG_NONE;
  place = top_of_leaf (cover, leaf_of (cover, address), icount);
  return place == DG_NONE ? DG_NONE : cover->ids[place];
}

uint32_t
dg_cover_find_part (const struct dg_cover *cover, uint64_t address,
                    uint64_t icount, uint64_t *low, uint64_t *high)
{
  uint32_t place;
  size_t leaf;

  *low = 0;
  *high = UINT64_MAX;
  if (cover->n_leaves == 0)
    return DG_NONE;
  if (address < cover->bounds[0]) {
    *high = cover->bounds[0];
    return DG_NONE;
  }
  if (address >= cover->bounds[cover->n_leaves]) {
    *low = cover->bounds[cover->n_leaves];
    return DG_NONE;
  }
  leaf = leaf_of (cover, address);
  *low = cover->bounds[leaf];
  *high = cover->bounds[leaf + 1];
  place = top_of_leaf (cover, leaf, icount);
  return place == DG_NONE ? DG_NONE : cover->ids[place];
}

bool
dg_cover_overlaps (const struct dg_cover *cover, uint64_t address,
                   uint64_t size, uint64_t icount)
{
  uint64_t last;

  if (cover->n_leaves == 0 || size == 0)
    return false;
  last = size - 1 > UINT64_MAX - address ? UINT64_MAX : address + size - 1;
  if (last < cover->bounds[0] || address >= cover->bounds[cover->n_leaves])
    return false;
  address = MAX (address, cover->bounds[0]);
  for (size_t leaf = leaf_of (cover, address);
       leaf < cover->n_leaves && cover->bounds[leaf] <= last; leaf++)
    if (top_of_leaf (cover, leaf, icount) != DG_NONE)
      return true;
  return false;
}

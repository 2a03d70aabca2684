/* pair_lanes.c: where heap blocks are on the axis of two logs.

   The blocks of a place of allocation that are about equally large have lanes
   of one width; others have lanes by powers of two.  Sizes that only one of
   the logs has share lanes with those that only the other has, the largest
   with the largest: a block that has grown lies where it was.  Lanes are given
   away in the order of allocation, the first free one each time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_axis.h"

#include <stdlib.h>

#define ALIGNMENT 16
/* Widths of lanes of one owner: by powers of two, or one of its own.  */
#define CLASSES 65

/* Lanes of one width.  */
struct lanes {
  uint64_t x, width;
  uint32_t n[2];           /* that each log needs */
  GArray *free;            /* uint32_t, a heap: the least first */
  uint32_t used;           /* of the log at hand, free ones included */
};

/* The sizes of an owner's blocks, by log and class.  A class is a power of
   two.  */
struct sizes {
  uint64_t largest[2][CLASSES];  /* the largest block of a class; 0: none */
  uint8_t lanes[2][CLASSES];     /* blocks of a class use the lanes of this
                                    class */
};

struct owner_lanes {
  uint64_t width;          /* of all; 0: by powers of two */
  struct sizes *sizes;     /* by powers of two */
  struct lanes *classes;   /* CLASSES; NULL: none yet */
};

/* A block that is live.  */
struct live {
  uint64_t until;
  uint32_t lane;
  struct lanes *lanes;
};

struct job {
  struct dv_pair_axis *axis;
  guint first;
  struct owner_lanes *owners;
  GArray *live;            /* struct live, a heap: what is freed first */
  bool is_laid_over;
};

/* ---- Heaps ---------------------------------------------------------- */

/* Of items whose order is that of their first member, a uint64_t or
   uint32_t.  */
static void
push_lane (GArray *heap, uint32_t lane)
{
  g_array_append_val (heap, lane);
  uint32_t *items = (uint32_t *) (void *) heap->data;
  for (guint i = heap->len - 1; i > 0 && items[(i - 1) / 2] > items[i];
       i = (i - 1) / 2) {
    uint32_t other = items[i];
    items[i] = items[(i - 1) / 2];
    items[(i - 1) / 2] = other;
  }
}

static uint32_t
pop_lane (GArray *heap)
{
  uint32_t *items = (uint32_t *) (void *) heap->data, least = items[0];
  uint32_t last = items[heap->len - 1];
  guint n = heap->len - 1, i = 0, child;
  for (; (child = 2 * i + 1) < n; i = child) {
    child += child + 1 < n && items[child + 1] < items[child];
    if (items[child] >= last)
      break;
    items[i] = items[child];
  }
  items[i] = last;
  g_array_set_size (heap, n);
  return least;
}

static void
push_live (GArray *heap, struct live live)
{
  g_array_append_val (heap, live);
  struct live *items = (struct live *) (void *) heap->data;
  for (guint i = heap->len - 1;
       i > 0 && items[(i - 1) / 2].until > items[i].until; i = (i - 1) / 2) {
    struct live other = items[i];
    items[i] = items[(i - 1) / 2];
    items[(i - 1) / 2] = other;
  }
}

static struct live
pop_live (GArray *heap)
{
  struct live *items = (struct live *) (void *) heap->data, least = items[0];
  struct live last = items[heap->len - 1];
  guint n = heap->len - 1, i = 0, child;
  for (; (child = 2 * i + 1) < n; i = child) {
    child += child + 1 < n && items[child + 1].until < items[child].until;
    if (items[child].until >= last.until)
      break;
    items[i] = items[child];
  }
  items[i] = last;
  g_array_set_size (heap, n);
  return least;
}

/* ---- Widths --------------------------------------------------------- */

static uint64_t
aligned (uint64_t size)
{
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static unsigned
class_of (uint64_t size)
{
  unsigned class = 4;
  for (uint64_t width = ALIGNMENT; width < size && class < CLASSES - 2;
       width *= 2)
    class++;
  return class;
}

/* The owner of a block, and its extent; NULL: it has none.  */
static struct owner_lanes *
owner_of_block (struct job *job, unsigned side, size_t i,
                struct dg_block_extent *extent)
{
  const struct dv_pair_places *places = &job->axis->sides[side];
  const struct dv_pair_things *things = places->things;
  if (things->of_block[i] == DG_NONE)
    return NULL;
  *extent = dg_log_block_extent (things->scene->data->log, i);
  return &job->owners[places->owners[things->of_block[i]] - job->first];
}

static void
note_sizes (struct job *job, unsigned side)
{
  const struct dv_pair_things *things = job->axis->sides[side].things;
  for (size_t i = 0; things != NULL && i < things->n_blocks; i++) {
    struct dg_block_extent b;
    struct owner_lanes *owner = owner_of_block (job, side, i, &b);
    if (owner == NULL || owner->width > 0)
      continue;
    if (owner->sizes == NULL)
      owner->sizes = g_new0 (struct sizes, 1);
    uint64_t *largest = &owner->sizes->largest[side][class_of (b.size)];
    *largest = MAX (*largest, b.size);
  }
}

/* The next smaller class that only this log has; CLASSES: there is none.  */
static unsigned
next_alone (const struct sizes *sizes, unsigned side, unsigned below)
{
  while (below-- > 0)
    if (sizes->largest[side][below] > 0 && sizes->largest[!side][below] == 0)
      return below;
  return CLASSES;
}

static void
choose_classes (struct sizes *sizes)
{
  unsigned a = CLASSES, b = CLASSES;
  for (unsigned s = 0; s < 2; s++)
    for (unsigned c = 0; c < CLASSES; c++)
      sizes->lanes[s][c] = (uint8_t) c;
  while ((a = next_alone (sizes, 0, a)) < CLASSES
         && (b = next_alone (sizes, 1, b)) < CLASSES)
    sizes->lanes[0][a] = sizes->lanes[1][b] = (uint8_t) MAX (a, b);
}

/* The width of the lanes of a class: the largest block that lies in them.  */
static uint64_t
class_width (const struct sizes *sizes, unsigned class)
{
  uint64_t largest = 0;
  for (unsigned s = 0; s < 2; s++)
    for (unsigned c = 0; c < CLASSES; c++)
      if (sizes->lanes[s][c] == class)
        largest = MAX (largest, sizes->largest[s][c]);
  return aligned (largest);
}

/* Lanes of one width for all, if blocks differ by no more than half.  */
static void
choose_widths (struct job *job, guint n)
{
  uint64_t *smallest = g_new (uint64_t, n), *largest = g_new0 (uint64_t, n);
  for (guint i = 0; i < n; i++)
    smallest[i] = UINT64_MAX;
  for (unsigned s = 0; s < 2; s++) {
    const struct dv_pair_places *side = &job->axis->sides[s];
    for (guint i = 0; side->things != NULL && i < side->things->things->len;
         i++) {
      const struct dv_pair_thing *thing = dv_pair_thing (side->things, i);
      uint32_t owner = side->owners[i] - job->first;
      if (thing->kind != DV_PAIR_HEAP)
        continue;
      smallest[owner] = MIN (smallest[owner], thing->smallest);
      largest[owner] = MAX (largest[owner], thing->largest);
    }
  }
  for (guint i = 0; i < n; i++)
    if (job->is_laid_over || largest[i] / 2 <= smallest[i])
      job->owners[i].width = aligned (largest[i]);
  g_free (smallest);
  g_free (largest);
  note_sizes (job, 0);
  note_sizes (job, 1);
  for (guint i = 0; i < n; i++)
    if (job->owners[i].sizes != NULL)
      choose_classes (job->owners[i].sizes);
}

static struct lanes *
lanes_for (struct owner_lanes *owner, unsigned side, uint64_t size)
{
  unsigned class = owner->width > 0
                     ? CLASSES - 1
                     : owner->sizes->lanes[side][class_of (size)];
  if (owner->classes == NULL)
    owner->classes = g_new0 (struct lanes, CLASSES);
  struct lanes *lanes = &owner->classes[class];
  if (lanes->width == 0)
    lanes->width = owner->width > 0 ? owner->width
                                    : class_width (owner->sizes, class);
  if (lanes->free == NULL)
    lanes->free = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  return lanes;
}

/* ---- Lanes ---------------------------------------------------------- */

static uint32_t
take_lane (struct lanes *lanes, unsigned side)
{
  uint32_t lane = lanes->free->len > 0 ? pop_lane (lanes->free)
                                       : lanes->used++;
  lanes->n[side] = MAX (lanes->n[side], lane + 1);
  return lane;
}

static void
end_blocks (struct job *job, uint64_t icount)
{
  while (job->live->len > 0
         && g_array_index (job->live, struct live, 0).until <= icount) {
    struct live ended = pop_live (job->live);
    push_lane (ended.lanes->free, ended.lane);
  }
}

/* The lanes of a block, and its extent; NULL: it has none.  */
static struct lanes *
lanes_of_block (struct job *job, unsigned side, size_t i,
                struct dg_block_extent *extent)
{
  struct owner_lanes *owner = owner_of_block (job, side, i, extent);
  return owner != NULL ? lanes_for (owner, side, extent->size) : NULL;
}

/* Its lane stands where its position will.  */
static void
choose_lanes (struct job *job, unsigned side)
{
  const struct dv_pair_places *places = &job->axis->sides[side];
  const struct dv_pair_things *things = places->things;
  for (size_t i = 0; things != NULL && i < things->n_blocks; i++) {
    struct dg_block_extent b;
    struct lanes *lanes = lanes_of_block (job, side, i, &b);
    if (lanes == NULL)
      continue;
    end_blocks (job, b.alloc_icount);
    if (job->is_laid_over) {
      lanes->n[side] = 1;
      continue;
    }
    uint32_t lane = take_lane (lanes, side);
    push_live (job->live, (struct live){ b.free_icount, lane, lanes });
    places->of_block[i] = lane;
  }
}

/* Lanes are for the next log as if nobody had used them.  */
static void
forget_lanes (struct job *job, guint n)
{
  g_array_set_size (job->live, 0);
  for (guint i = 0; i < n; i++)
    for (unsigned c = 0; job->owners[i].classes != NULL && c < CLASSES; c++) {
      struct lanes *lanes = &job->owners[i].classes[c];
      lanes->used = 0;
      if (lanes->free != NULL)
        g_array_set_size (lanes->free, 0);
    }
}

static void
set_positions (struct job *job, unsigned side)
{
  const struct dv_pair_places *places = &job->axis->sides[side];
  const struct dv_pair_things *things = places->things;
  for (size_t i = 0; things != NULL && i < things->n_blocks; i++) {
    struct dg_block_extent b;
    const struct lanes *lanes = lanes_of_block (job, side, i, &b);
    if (lanes == NULL)
      continue;
    places->of_block[i] = lanes->x + places->of_block[i] * lanes->width;
  }
}

uint64_t
dv_pair_lanes_set (struct dv_pair_axis *axis, guint first, guint end,
                   uint64_t x, bool is_laid_over)
{
  guint n = end - first;
  struct job job = { axis, first, g_new0 (struct owner_lanes, n + 1),
                     g_array_new (FALSE, FALSE, sizeof (struct live)),
                     is_laid_over };
  choose_widths (&job, n);
  for (unsigned s = 0; s < 2; s++) {
    choose_lanes (&job, s);
    forget_lanes (&job, n);
  }
  for (guint i = 0; i < n; i++) {
    struct dv_pair_owner *owner =
      &g_array_index (axis->owners, struct dv_pair_owner, first + i);
    struct lanes *classes = job.owners[i].classes;
    owner->x0 = x;
    for (unsigned c = 0; classes != NULL && c < CLASSES; c++) {
      classes[c].x = x;
      x += MAX (classes[c].n[0], classes[c].n[1]) * classes[c].width;
    }
    owner->x1 = x;
  }
  set_positions (&job, 0);
  set_positions (&job, 1);
  for (guint i = 0; i < n; i++) {
    for (unsigned c = 0; job.owners[i].classes != NULL && c < CLASSES; c++)
      if (job.owners[i].classes[c].free != NULL)
        g_array_unref (job.owners[i].classes[c].free);
    g_free (job.owners[i].classes);
    g_free (job.owners[i].sizes);
  }
  g_array_unref (job.live);
  g_free (job.owners);
  return x;
}

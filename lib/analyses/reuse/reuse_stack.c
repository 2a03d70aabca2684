/* reuse_stack.c: what is not done for each access: room, compaction, and the
   stack of the whole log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse_stack.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"
#include "libdatagrind.h"

#define FIRST_BITS    10
#define FIRST_MOMENTS (1u << 14)

const int8_t dg_reuse_front_keep[2 * DG_REUSE_FRONT] = {
  [0 ... DG_REUSE_FRONT - 1] = -1,
  [DG_REUSE_FRONT + 1 ... 2 * DG_REUSE_FRONT - 1] = -1
};

/* Slots are asked for ahead by so many lines: a large table is not in the
   processor's cache.  */
#define AHEAD 12

void
dg_reuse_stack_clear (struct dg_reuse_stack *stack)
{
  const size_t slots = stack->slots ? (size_t) 1 << stack->bits : 0;

  if (slots > (size_t) 1 << FIRST_BITS && stack->n < slots / 16) {
    dg_reuse_stack_fini (stack);
    return;
  }
  if (slots)
    memset (stack->slots, 0, sizeof *stack->slots * slots);
  stack->n = 0;
  stack->front.n = 0;
  dg_reuse_axis_clear (&stack->axis);
}

void
dg_reuse_stack_fini (struct dg_reuse_stack *stack)
{
  g_free (stack->slots);
  dg_reuse_axis_fini (&stack->axis);
  memset (stack, 0, sizeof *stack);
}

/* ---- The table ---- */

/* The free slot for a line that has none.  */
static struct dg_reuse_slot *
free_slot (const struct dg_reuse_stack *stack, uint64_t line)
{
  const size_t mask = ((size_t) 1 << stack->bits) - 1;
  size_t i = dg_reuse_stack_place (stack, line);

  while (stack->slots[i].key != 0)
    i = (i + 1) & mask;
  return &stack->slots[i];
}

static int
grow (struct dg_reuse_stack *stack)
{
  struct dg_reuse_slot *old = stack->slots;
  const size_t n_old = old ? (size_t) 1 << stack->bits : 0;
  const unsigned bits = old ? stack->bits + 1 : FIRST_BITS;
  struct dg_reuse_slot *new = g_try_new0 (struct dg_reuse_slot,
                                          (size_t) 1 << bits);

  if (!new)
    return DG_ERR_NOMEM;
  /* A new factor each time, that no log can be made to suit: lines whose slots
     are one behind the other would make each look-up slow.  */
  stack->factor = dg_hash_seed () | 1;
  stack->slots = new;
  stack->bits = bits;
  for (size_t i = 0; i < n_old; i++)
    if (old[i].key != 0)
      *free_slot (stack, old[i].key - 1) = old[i];
  for (uint32_t i = 0; i < stack->front.n; i++)
    stack->front.slots[i]
      = dg_reuse_stack_find (stack, stack->front.slots[i]->key - 1);
  g_free (old);
  return 0;
}

struct dg_reuse_slot *
dg_reuse_stack_add (struct dg_reuse_stack *stack, uint64_t line)
{
  struct dg_reuse_slot *slot;

  if (stack->n == DG_REUSE_MAX_LINES)
    return NULL;
  if ((!stack->slots
       || 2 * ((size_t) stack->n + 1) > (size_t) 1 << stack->bits)
      && grow (stack) < 0)
    return NULL;
  slot = free_slot (stack, line);
  *slot = (struct dg_reuse_slot) { .key = line + 1, .id = stack->n++ };
  return slot;
}

/* ---- The axis ---- */

/* The lines of the axis stand at the first moments of `to`, which is empty and
   long enough, or the axis itself.  */
static int
move (struct dg_reuse_stack *stack, struct dg_reuse_axis *to)
{
  const size_t slots = stack->slots ? (size_t) 1 << stack->bits : 0;
  const uint32_t live = stack->axis.live;
  uint32_t *ranks = dg_reuse_axis_ranks (&stack->axis);

  if (!ranks)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < slots; i++)
    if (stack->slots[i].key != 0
        && stack->slots[i].time < DG_REUSE_IN_FRONT)
      stack->slots[i].time = dg_reuse_axis_rank (&stack->axis, ranks,
                                                 stack->slots[i].time);
  g_free (ranks);
  if (to == &stack->axis)
    dg_reuse_axis_clear (to);
  dg_reuse_axis_fill (to, live);
  return 0;
}

int
dg_reuse_stack_room (struct dg_reuse_stack *stack, uint32_t moments)
{
  struct dg_reuse_axis *axis = &stack->axis;
  const uint64_t need = (uint64_t) axis->live + moments;
  uint64_t size = MAX (axis->size, FIRST_MOMENTS);

  if (!stack->slots && grow (stack) < 0)
    return DG_ERR_NOMEM;
  if (axis->size - axis->now >= moments)
    return 0;
  /* Most of it is free then: compaction looks at all slots, and is to be
     rare.  */
  while (size < 8 * need)
    size *= 2;
  size = MIN (size, UINT32_C (1) << 31);
  if (need > size)
    return DG_ERR_NOMEM;
  if (size > axis->size) {
    struct dg_reuse_axis new = { 0 };

    if (dg_reuse_axis_make (&new, (uint32_t) size) < 0)
      return DG_ERR_NOMEM;
    if (move (stack, &new) < 0) {
      dg_reuse_axis_fini (&new);
      return DG_ERR_NOMEM;
    }
    dg_reuse_axis_fini (axis);
    *axis = new;
    return 0;
  }
  return move (stack, axis);
}

/* ---- Chunks ---- */

/* All lines stand on the axis.  */
static int
empty_front (struct dg_reuse_stack *stack)
{
  struct dg_reuse_front *front = &stack->front;

  if (front->n > 0 && dg_reuse_stack_room (stack, front->n) < 0)
    return DG_ERR_NOMEM;
  for (uint32_t rank = front->n; rank-- > 0;) {
    const uint32_t place = dg_reuse_front_place (front, rank);

    front->slots[place]->time = dg_reuse_axis_put (&stack->axis);
  }
  front->n = 0;
  return 0;
}

int
dg_reuse_stack_lines (struct dg_reuse_stack *stack,
                      struct dg_reuse_line *lines)
{
  const size_t slots = stack->slots ? (size_t) 1 << stack->bits : 0;
  uint32_t *ranks = empty_front (stack) < 0
                      ? NULL : dg_reuse_axis_ranks (&stack->axis);

  if (!ranks)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < slots; i++) {
    const struct dg_reuse_slot *slot = &stack->slots[i];
    struct dg_reuse_line *line = &lines[slot->id];

    if (slot->key == 0)
      continue;
    line->rank = dg_reuse_axis_rank (&stack->axis, ranks, slot->time);
    line->last = slot->last;
    line->touches = slot->touches;
  }
  g_free (ranks);
  return 0;
}

/* The first touch of a line in a chunk, before which `above` others were
   touched there: these have left the axis.  */
static int
take_line (struct dg_reuse_whole *whole, const struct dg_reuse_line *line,
           uint32_t above, uint64_t accesses, struct dg_reuse_found *found)
{
  struct dg_reuse_stack *stack = &whole->stack;
  struct dg_reuse_slot *slot = dg_reuse_stack_find (stack, line->line);
  uint64_t *last;

  if (slot) {
    last = (uint64_t *) whole->lasts.items + slot->id;
    found->distance = above + dg_reuse_axis_behind (&stack->axis, slot->time);
    found->elapsed = accesses + line->first - *last;
    dg_reuse_axis_take (&stack->axis, slot->time);
  } else {
    last = dg_table_add (&whole->lasts, sizeof *last);
    slot = last ? dg_reuse_stack_add (stack, line->line) : NULL;
    if (!slot)
      return DG_ERR_NOMEM;
    found->distance = DG_REUSE_COLD;
    found->elapsed = 0;
  }
  found->id = slot->id;
  *last = accesses + line->last;
  /* As the lines of the chunk will be put there.  */
  slot->time = stack->axis.now + line->rank;
  return 0;
}

int
dg_reuse_whole_take (struct dg_reuse_whole *whole,
                     const struct dg_reuse_line *lines, uint32_t n,
                     uint64_t accesses, struct dg_reuse_found *found)
{
  struct dg_reuse_stack *stack = &whole->stack;

  if (n == 0)
    return 0;
  if (dg_reuse_stack_room (stack, n) < 0)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < n; i++) {
    if (i + AHEAD < n) {
      const uint64_t next = lines[i + AHEAD].line;

      __builtin_prefetch (&stack->slots[dg_reuse_stack_place (stack, next)]);
    }
    if (take_line (whole, &lines[i], i, accesses, &found[i]) < 0)
      return DG_ERR_NOMEM;
  }
  dg_reuse_axis_fill (&stack->axis, n);
  return 0;
}

void
dg_reuse_whole_fini (struct dg_reuse_whole *whole)
{
  dg_reuse_stack_fini (&whole->stack);
  dg_table_fini (&whole->lasts);
}

/* reuse_stack.h: LRU stacks of cache lines: how many other lines were touched
   since a line was last.

   Exact, with a table line -> latest moment, the lines that were touched last
   (reuse_front.h), and for all others the axis of reuse_axis.h: a line comes
   to stand there when it leaves the front, in the order of touches.
   What is done in parallel (Niu et al., "PARDA", IPDPS 2012): each chunk of a
   log has a stack of its own, which knows all distances but those of the first
   touch of each line; the chunks' lists of these (struct dg_reuse_line) then
   go, in order, through the stack of the whole log, which never sees anything
   else.

   Memory: 48 to 96 bytes for each line that is in the table, and up to
   3 for its moments.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REUSE_STACK_H
#define DG_REUSE_STACK_H

#include "reuse_axis.h"
#include "reuse_front.h"
#include "base/table.h"

/* The distance of the first touch of a line.  */
#define DG_REUSE_COLD UINT32_MAX

/* Lines of a stack: a moment is a number of 32 bits.  */
#define DG_REUSE_MAX_LINES (UINT32_C (1) << 29)

/* More than any moment.  */
#define DG_REUSE_IN_FRONT (UINT32_C (1) << 31)

struct dg_reuse_slot {
  uint64_t key;            /* the line's number + 1; 0: free */
  uint32_t time;           /* its moment, or DG_REUSE_IN_FRONT | place */
  uint32_t last;           /* the latest access, by number */
  uint32_t id;             /* from 0, in the order of first touches */
  uint32_t touches;
};

/* Where lines were found that were touched lately, by their lowest bits.  */
#define DG_REUSE_NEAR 512u

/* All zero is an empty stack.  */
struct dg_reuse_stack {
  struct dg_reuse_slot *slots;         /* 2^bits, half full at most */
  unsigned bits;
  uint64_t factor;         /* of the hash, random */
  uint32_t n;              /* lines */
  struct dg_reuse_axis axis;           /* of lines that are not in the front */
  struct dg_reuse_front front;
  uint32_t near[DG_REUSE_NEAR];        /* slots; of other lines, perhaps */
};

/* Makes it empty, and keeps its memory, unless that is much more than the
   latest use needed.  */
void dg_reuse_stack_clear (struct dg_reuse_stack *stack);
void dg_reuse_stack_fini (struct dg_reuse_stack *stack);

/* Room for slots, and for `moments` more, by closing the gaps of the axis or
   by a longer one: 0 or DG_ERR_NOMEM.  All times change.  */
int dg_reuse_stack_room (struct dg_reuse_stack *stack, uint32_t moments);

/* A slot for a line that has none, with its id and all else 0.  NULL: no
   memory.  Other slots may move.  */
struct dg_reuse_slot *dg_reuse_stack_add (struct dg_reuse_stack *stack,
                                          uint64_t line);

/* Where a line's slot is looked for first.  Lines that are neighbours are so
   there, too: programs touch them together.  */
static inline __attribute__ ((always_inline)) size_t
dg_reuse_stack_place (const struct dg_reuse_stack *stack, uint64_t line)
{
  return (line >> 2) * stack->factor >> (66 - stack->bits) << 2 | (line & 3);
}

/* NULL: it was never touched.  The stack has slots.  */
static inline __attribute__ ((always_inline)) struct dg_reuse_slot *
dg_reuse_stack_find (const struct dg_reuse_stack *stack, uint64_t line)
{
  const size_t mask = ((size_t) 1 << stack->bits) - 1;
  size_t i = dg_reuse_stack_place (stack, line);

  while (stack->slots[i].key != line + 1) {
    if (stack->slots[i].key == 0)
      return NULL;
    i = (i + 1) & mask;
  }
  return &stack->slots[i];
}

/* The same for a line that may not be in the front.  */
static inline __attribute__ ((always_inline)) struct dg_reuse_slot *
dg_reuse_stack_fetch (struct dg_reuse_stack *stack, uint64_t line,
                      uint32_t *distance)
{
  struct dg_reuse_axis *axis = &stack->axis;
  struct dg_reuse_front *front = &stack->front;
  struct dg_reuse_slot *slot = dg_reuse_stack_find (stack, line);
  const bool is_new = slot == NULL;
  uint32_t place;

  if (is_new && (slot = dg_reuse_stack_add (stack, line)) == NULL)
    return NULL;
  stack->near[line % DG_REUSE_NEAR] = (uint32_t) (slot - stack->slots);
  if (slot->time >= DG_REUSE_IN_FRONT) {
    *distance = dg_reuse_front_touch (front,
                                      slot->time & (DG_REUSE_FRONT - 1));
    return slot;
  }
  if (!is_new) {
    *distance = front->n + dg_reuse_axis_behind (axis, slot->time);
    dg_reuse_axis_take (axis, slot->time);
  }
  if (__builtin_expect (front->n < DG_REUSE_FRONT, 0)) {
    place = dg_reuse_front_take (front);
  } else {
    place = dg_reuse_front_place (front, DG_REUSE_FRONT - 1);
    front->slots[place]->time = dg_reuse_axis_put (axis);
  }
  front->slots[place] = slot;
  slot->time = DG_REUSE_IN_FRONT | place;
  dg_reuse_front_touch (front, place);
  return slot;
}

/* Touches a line in the access of this number, which never gets less: its slot
   and *distance, DG_REUSE_COLD if it was never touched before; *elapsed are
   the accesses since the latest touch (1: the access before), undefined for a
   cold one.  NULL: no memory.  */
static inline __attribute__ ((always_inline)) struct dg_reuse_slot *
dg_reuse_stack_touch (struct dg_reuse_stack *stack, uint64_t line,
                      uint32_t access, uint32_t *distance, uint32_t *elapsed)
{
  struct dg_reuse_slot *slot;

  *distance = DG_REUSE_COLD;
  *elapsed = 0;
  if (__builtin_expect (stack->axis.now == stack->axis.size, 0)
      && dg_reuse_stack_room (stack, 1) < 0)
    return NULL;
  slot = &stack->slots[stack->near[line % DG_REUSE_NEAR]];
  if (__builtin_expect (slot->key == line + 1
                          && slot->time >= DG_REUSE_IN_FRONT, 1)) {
    *distance = dg_reuse_front_touch (&stack->front,
                                      slot->time & (DG_REUSE_FRONT - 1));
  } else {
    slot = dg_reuse_stack_fetch (stack, line, distance);
    if (slot == NULL)
      return NULL;
  }
  *elapsed = access - slot->last;
  slot->last = access;
  slot->touches++;
  return slot;
}

/* ---- Chunks, one after the other ------------------------------------- */

/* A line of a chunk.  */
struct dg_reuse_line {
  uint64_t line;
  uint32_t first, last;    /* accesses, from the beginning of the chunk */
  uint32_t rank;           /* of its latest touch: n - 1 is the chunk's last */
  uint32_t touches;
};

/* Writes the lines of a chunk's stack, stack->n, in the order of their first
   touches; the caller has put `line` and `first` there.  0 or DG_ERR_NOMEM.
   The stack can only be cleared then.  */
int dg_reuse_stack_lines (struct dg_reuse_stack *stack,
                          struct dg_reuse_line *lines);

/* What a line's first touch in a chunk was.  */
struct dg_reuse_found {
  uint32_t id;             /* of the line in the whole */
  uint32_t distance;       /* or DG_REUSE_COLD */
  uint64_t elapsed;        /* undefined for a cold one */
};

/* A log, up to the latest chunk that was taken.  All zero is empty.  */
struct dg_reuse_whole {
  struct dg_reuse_stack stack;         /* `last` and `touches` do not count */
  struct dg_table lasts;   /* uint64_t: of each id, the latest access */
};

/* Takes the lines of the next chunk, which begins behind `accesses` accesses;
   writes n results.  0 or DG_ERR_NOMEM.  */
int dg_reuse_whole_take (struct dg_reuse_whole *whole,
                         const struct dg_reuse_line *lines, uint32_t n,
                         uint64_t accesses, struct dg_reuse_found *found);
void dg_reuse_whole_fini (struct dg_reuse_whole *whole);

#endif /* DG_REUSE_STACK_H */

/* shares.c: which threads touched a place.

   Mostly one or a few, which are found by going through the list of the
   place.  Beyond the first ones a table is asked, or a lock that each of
   100,000 threads takes once would be 5 billion steps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shares.h"

#include <glib.h>

/* So many of a list are looked at.  */
#define NEAR 16

void
dv_shares_fini (struct dv_shares *shares)
{
  g_free (shares->items);
  g_free (shares->slots);
  *shares = (struct dv_shares){ 0 };
}

/* The slot of a share, or the free one where it would go.  */
static uint32_t *
probe (const struct dv_shares *shares, uint32_t place, uint32_t thread)
{
  uint64_t key = (uint64_t) place << 32 | thread;
  uint32_t i = (uint32_t) (key * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    uint32_t *slot = &shares->slots[i & shares->mask];
    if (*slot == 0 || (shares->items[*slot - 1].place == place
                       && shares->items[*slot - 1].thread == thread))
      return slot;
  }
}

/* Makes room for one more that is far back.  */
static bool
has_far_room (struct dv_shares *shares)
{
  uint32_t *old = shares->slots, n = old != NULL ? shares->mask + 1 : 0;
  if (shares->n_far < shares->mask / 4 * 3)
    return true;
  uint32_t mask = old != NULL ? shares->mask * 2 + 1 : 255;
  uint32_t *slots = g_try_new0 (uint32_t, (size_t) mask + 1);
  if (slots == NULL)
    return false;
  shares->slots = slots;
  shares->mask = mask;
  for (uint32_t k = 0; k < n; k++)
    if (old[k] != 0)
      *probe (shares, shares->items[old[k] - 1].place,
              shares->items[old[k] - 1].thread) = old[k];
  g_free (old);
  return true;
}

/* Share number i is far back; there is room.  */
static void
note_far (struct dv_shares *shares, uint32_t i)
{
  *probe (shares, shares->items[i].place, shares->items[i].thread) = i + 1;
  shares->n_far++;
}

void *
dv_shares_room (void *items, size_t item_size, uint32_t n, uint32_t *room)
{
  uint32_t more = *room + *room / 2 + 64;
  if (n < *room)
    return items;
  items = g_try_realloc_n (items, more, item_size);
  if (items != NULL)
    *room = more;
  return items;
}

static uint32_t
new_share (struct dv_shares *shares, uint32_t place, uint32_t thread)
{
  shares->items[shares->n] = (struct dv_share){ .thread = thread,
                                                .place = place };
  return shares->n++;
}

bool
dv_shares_add (struct dv_shares *shares, uint32_t place, uint32_t *first,
               uint32_t thread, const struct dv_sheet_bytes *bytes)
{
  uint32_t i = *first, last = 0, steps = 0;
  while (i != 0 && steps < NEAR && shares->items[i - 1].thread != thread) {
    last = i;
    i = shares->items[i - 1].next;
    steps++;
  }
  if (steps == NEAR)
    i = shares->slots != NULL ? *probe (shares, place, thread) : 0;
  if (i == 0) {
    struct dv_share *items = dv_shares_room (shares->items, sizeof *items,
                                             shares->n, &shares->room);
    if (items == NULL)
      return false;
    shares->items = items;
    if (steps == NEAR && !has_far_room (shares))
      return false;
    i = new_share (shares, place, thread) + 1;
    if (steps < NEAR) {
      shares->items[i - 1].next = *first;
      *first = i;
    } else {
      shares->items[i - 1].next = shares->items[last - 1].next;
      shares->items[last - 1].next = i;
      note_far (shares, i - 1);
    }
  }
  shares->items[i - 1].bytes.touched |= bytes->touched;
  shares->items[i - 1].bytes.written |= bytes->written;
  return true;
}

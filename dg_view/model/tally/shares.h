/* shares.h: which threads touched a place, and what of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SHARES_H
#define DV_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "sheets.h"

/* What a thread did to a place.  */
struct dv_share {
  uint32_t thread;
  uint32_t next;           /* of the same place, + 1; 0: none */
  uint32_t place;          /* its number in the list of places */
  struct dv_sheet_bytes bytes;   /* of pages: bit 0 */
};

/* Of many places; all zeros: none.  */
struct dv_shares {
  struct dv_share *items;
  uint32_t n, room;
  /* Of those that stand far back in the list of their place: item + 1, or 0;
     by place and thread.  NULL: there are none.  */
  uint32_t *slots;
  uint32_t mask, n_far;
};

/* The items, with room for one more than the n that there are: perhaps
   elsewhere.  NULL, and nothing has changed: there is no memory.  */
void *dv_shares_room (void *items, size_t item_size, uint32_t n,
                      uint32_t *room);

void dv_shares_fini (struct dv_shares *shares);

/* A thread has done this, too.  `*first` is the first share of the place, + 1,
   or 0; it may change.  Takes no longer when there are many threads.  False,
   and nothing has changed: there is no memory.  */
bool dv_shares_add (struct dv_shares *shares, uint32_t place, uint32_t *first,
                    uint32_t thread, const struct dv_sheet_bytes *bytes);

#endif /* DV_SHARES_H */

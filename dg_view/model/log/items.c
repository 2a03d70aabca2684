/* items.c: growing arrays that can run out of memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "items.h"

#include <string.h>

#define MIN_ITEMS 8

int
dv_items_nomem (struct dg_error *err)
{
  *err = (struct dg_error){ .code = DG_ERR_NOMEM,
                            .message = "not enough memory" };
  return err->code;
}

void *
dv_items_add (struct dv_items *items, size_t item_size)
{
  if (items->n == items->room) {
    uint64_t room = (uint64_t) items->room + items->room / 2 + MIN_ITEMS;
    if (room >= UINT32_MAX)
      return NULL;
    void *more = g_try_realloc_n (items->items, room, item_size);
    if (more == NULL)
      return NULL;
    items->items = more;
    items->room = (uint32_t) room;
  }
  return memset ((char *) items->items + items->n++ * item_size, 0,
                 item_size);
}

void
dv_items_fini (struct dv_items *items)
{
  g_free (items->items);
  *items = (struct dv_items){ 0 };
}

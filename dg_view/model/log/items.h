/* items.h: growing arrays that can run out of memory without ending the
   process, as GArray does.

   For what may be as large as the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ITEMS_H
#define DV_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include <libdatagrind.h>

/* All zero is empty.  Every use of one gives the same item_size.  Items move
   when there are more of them.  */
struct dv_items {
  void *items;
  uint32_t n, room;
};

/* A new item at the end, all zero; NULL: there is no memory.  */
void *dv_items_add (struct dv_items *items, size_t item_size);
/* Frees everything and leaves none.  */
void dv_items_fini (struct dv_items *items);

/* Says so in *err: DG_ERR_NOMEM.  */
int dv_items_nomem (struct dg_error *err);

#endif /* DV_ITEMS_H */

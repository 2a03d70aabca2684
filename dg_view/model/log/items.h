/* items.h: growing arrays, and numbers by key, that can run out of memory
   without ending the process, as GArray and GHashTable do.

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

/* What a number is known by; what a use does not need is 0.  */
struct dv_key {
  uint64_t a, b, c;
};

/* All zero is empty.  */
struct dv_keys {
  struct dv_keys_slot *slots;
  uint32_t n, mask;
  uint64_t seed;
};

/* The number of a key, DV_NO_NUMBER if it has none.  */
#define DV_NO_NUMBER UINT32_MAX
uint32_t dv_keys_find (const struct dv_keys *keys, const struct dv_key *key);
/* Gives a key that has none a number; false: there is no memory.  */
bool dv_keys_add (struct dv_keys *keys, const struct dv_key *key,
                  uint32_t number);
void dv_keys_fini (struct dv_keys *keys);

/* Says so in *err: DG_ERR_NOMEM.  */
int dv_nomem (struct dg_error *err);

#endif /* DV_ITEMS_H */

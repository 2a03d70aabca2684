/* items.c: growing arrays, and numbers by key, that can run out of memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "items.h"

#include <string.h>

#define MIN_ITEMS 8
#define MIN_SLOTS 64

int
dv_nomem (struct dg_error *err)
{
  *err = (struct dg_error){ .code = DG_ERR_NOMEM,
                            .message = "not enough memory" };
  return err->code;
}

/* ---- Arrays ----------------------------------------------------------- */

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

/* ---- Numbers by key --------------------------------------------------- */

struct dv_keys_slot {
  struct dv_key key;
  uint64_t number_and_1;   /* 0: free */
};

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C (0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

/* The slot of a key, or the free one where it would go.  */
static struct dv_keys_slot *
probe (const struct dv_keys *keys, const struct dv_key *key)
{
  /* The seed keeps a log from being made so that all its keys meet.  */
  uint64_t hash = mix (mix (mix (keys->seed, key->a), key->b), key->c);
  for (uint32_t at = (uint32_t) hash;; at++) {
    struct dv_keys_slot *slot = &keys->slots[at & keys->mask];
    if (slot->number_and_1 == 0
        || (slot->key.a == key->a && slot->key.b == key->b
            && slot->key.c == key->c))
      return slot;
  }
}

/* At most half of the slots are taken.  */
static bool
grow (struct dv_keys *keys)
{
  uint64_t n = keys->slots == NULL ? MIN_SLOTS
                                   : 2 * ((uint64_t) keys->mask + 1);
  struct dv_keys more = { .n = keys->n, .mask = (uint32_t) (n - 1),
                          .seed = keys->seed };
  if (n > UINT32_MAX)
    return false;
  more.slots = g_try_new0 (struct dv_keys_slot, n);
  if (more.slots == NULL)
    return false;
  if (keys->slots == NULL)
    more.seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  for (uint32_t i = 0; keys->slots != NULL && i <= keys->mask; i++)
    if (keys->slots[i].number_and_1 != 0)
      *probe (&more, &keys->slots[i].key) = keys->slots[i];
  g_free (keys->slots);
  *keys = more;
  return true;
}

uint32_t
dv_keys_find (const struct dv_keys *keys, const struct dv_key *key)
{
  if (keys->slots == NULL)
    return DV_NO_NUMBER;
  /* 0 - 1 is none.  */
  return (uint32_t) (probe (keys, key)->number_and_1 - 1);
}

bool
dv_keys_add (struct dv_keys *keys, const struct dv_key *key, uint32_t number)
{
  if ((keys->slots == NULL || keys->n > keys->mask / 2) && !grow (keys))
    return false;
  *probe (keys, key) = (struct dv_keys_slot){
    .key = *key, .number_and_1 = (uint64_t) number + 1
  };
  keys->n++;
  return true;
}

void
dv_keys_fini (struct dv_keys *keys)
{
  g_free (keys->slots);
  *keys = (struct dv_keys){ 0 };
}

/* numbers.c: numbers by key, in open addressing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "numbers.h"

#include <glib.h>

#define MIN_SLOTS 64

struct dv_numbers_slot {
  struct dv_numbers_key key;
  uint64_t number_and_1;   /* 0: free */
};

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C (0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

/* The slot of a key, or the free one where it would go.  */
static struct dv_numbers_slot *
probe (const struct dv_numbers *keys, const struct dv_numbers_key *key)
{
  /* The seed keeps a log from being made so that all its keys meet.  */
  uint64_t hash = mix (mix (mix (keys->seed, key->a), key->b), key->c);
  for (uint32_t at = (uint32_t) hash;; at++) {
    struct dv_numbers_slot *slot = &keys->slots[at & keys->mask];
    if (slot->number_and_1 == 0
        || (slot->key.a == key->a && slot->key.b == key->b
            && slot->key.c == key->c))
      return slot;
  }
}

/* At most half of the slots are taken.  */
static bool
grow (struct dv_numbers *keys)
{
  uint64_t n = keys->slots == NULL ? MIN_SLOTS
                                   : 2 * ((uint64_t) keys->mask + 1);
  struct dv_numbers more = { .n = keys->n, .mask = (uint32_t) (n - 1),
                          .seed = keys->seed };
  if (n > UINT32_MAX)
    return false;
  more.slots = g_try_new0 (struct dv_numbers_slot, n);
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
dv_numbers_find (const struct dv_numbers *keys,
                 const struct dv_numbers_key *key)
{
  if (keys->slots == NULL)
    return DV_NUMBERS_NONE;
  /* 0 - 1 is none.  */
  return (uint32_t) (probe (keys, key)->number_and_1 - 1);
}

bool
dv_numbers_add (struct dv_numbers *keys, const struct dv_numbers_key *key,
                uint32_t number)
{
  if ((keys->slots == NULL || keys->n > keys->mask / 2) && !grow (keys))
    return false;
  *probe (keys, key) = (struct dv_numbers_slot){
    .key = *key, .number_and_1 = (uint64_t) number + 1
  };
  keys->n++;
  return true;
}

void
dv_numbers_fini (struct dv_numbers *keys)
{
  g_free (keys->slots);
  *keys = (struct dv_numbers){ 0 };
}

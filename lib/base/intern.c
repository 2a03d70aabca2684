/* intern.c: items of a table that are kept once, and known by their index.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "intern.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

#define MIN_SLOTS 256

/* The seed keeps a log from being made so that all its items meet.  */
static size_t
hash_item (const struct dg_intern *intern, const void *item, size_t item_size)
{
  uint64_t h = intern->seed, word;

  for (size_t at = 0; at < item_size; at += sizeof word) {
    memcpy (&word, (const char *) item + at, sizeof word);
    h = (h ^ word) * UINT64_C (0xd6e8feb86659fd93);
    h ^= h >> 32;
  }
  return (size_t) h;
}

static bool
is_equal (const void *a, const void *b, size_t item_size)
{
  uint64_t x, y;

  for (size_t at = 0; at < item_size; at += sizeof x) {
    memcpy (&x, (const char *) a + at, sizeof x);
    memcpy (&y, (const char *) b + at, sizeof y);
    if (x != y)
      return false;
  }
  return true;
}

static const void *
item_at (const struct dg_table *table, size_t item_size, uint32_t index)
{
  return (const char *) table->items + index * item_size;
}

/* Slots for twice the items that there are, with all of these.  */
static int
grow (struct dg_intern *intern, const struct dg_table *table,
      size_t item_size)
{
  size_t n = MIN_SLOTS;
  uint32_t *slots;

  while (n < 4 * table->n)
    n *= 2;
  slots = g_try_new0 (uint32_t, n);
  if (!slots)
    return DG_ERR_NOMEM;
  if (!intern->slots)
    intern->seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  g_free (intern->slots);
  intern->slots = slots;
  intern->mask = n - 1;
  for (uint32_t i = 0; i < table->n; i++) {
    size_t at = hash_item (intern, item_at (table, item_size, i), item_size)
                & intern->mask;

    while (slots[at] != 0)
      at = (at + 1) & intern->mask;
    slots[at] = i + 1;
  }
  return 0;
}

/* The slot of an item, or the free one where it would go.  */
static size_t
probe (const struct dg_intern *intern, const struct dg_table *table,
       const void *item, size_t item_size)
{
  size_t at = hash_item (intern, item, item_size) & intern->mask;

  while (intern->slots[at] != 0
         && !is_equal (item_at (table, item_size, intern->slots[at] - 1),
                       item, item_size))
    at = (at + 1) & intern->mask;
  return at;
}

bool
dg_intern_find (const struct dg_intern *intern, const struct dg_table *table,
                const void *item, size_t item_size, uint32_t *index)
{
  uint32_t slot;

  if (!intern->slots)
    return false;
  slot = intern->slots[probe (intern, table, item, item_size)];
  if (slot == 0)
    return false;
  *index = slot - 1;
  return true;
}

int
dg_intern_add (struct dg_intern *intern, struct dg_table *table,
               const void *item, size_t item_size, uint32_t *index)
{
  void *copy;
  size_t at;

  if ((!intern->slots || table->n > intern->mask / 2)
      && grow (intern, table, item_size) < 0)
    return DG_ERR_NOMEM;
  at = probe (intern, table, item, item_size);
  if (intern->slots[at] != 0) {
    *index = intern->slots[at] - 1;
    return 0;
  }
  if (table->n >= UINT32_MAX - 1
      || !(copy = dg_table_add (table, item_size)))
    return DG_ERR_NOMEM;
  memcpy (copy, item, item_size);
  *index = (uint32_t) table->n - 1;
  intern->slots[at] = *index + 1;
  return 0;
}

void
dg_intern_fini (struct dg_intern *intern)
{
  g_free (intern->slots);
  memset (intern, 0, sizeof *intern);
}

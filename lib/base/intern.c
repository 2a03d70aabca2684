/* intern.c: items of a table that are kept once, and known by their index.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "intern.h"

#include <glib.h>
#include <string.h>

#include "libdatagrind.h"

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

/* Enters what was forgotten; false: no memory.  */
static bool
enter_all (struct dg_intern *intern, const struct dg_table *table,
           size_t item_size)
{
  /* The seed keeps a log from being made so that all its items meet.  */
  if (intern->lookup.n == 0)
    intern->seed = dg_hash_seed ();
  for (uint32_t i = intern->lookup.n; i < table->n; i++)
    if (!dg_lookup_add (&intern->lookup,
                        dg_hash_words (intern->seed,
                                       item_at (table, item_size, i),
                                       item_size), i))
      return false;
  return true;
}

/* By its hash.  */
static bool
find (const struct dg_intern *intern, const struct dg_table *table,
      const void *item, size_t item_size, uint64_t hash, uint32_t *index)
{
  struct dg_probe probe = dg_lookup_probe (&intern->lookup, hash);

  while (dg_probe_next (&probe, index))
    if (is_equal (item_at (table, item_size, *index), item, item_size))
      return true;
  return false;
}

bool
dg_intern_find (const struct dg_intern *intern, const struct dg_table *table,
                const void *item, size_t item_size, uint32_t *index)
{
  uint32_t i;

  if (!find (intern, table, item, item_size,
             dg_hash_words (intern->seed, item, item_size), &i))
    return false;
  *index = i;
  return true;
}

int
dg_intern_add (struct dg_intern *intern, struct dg_table *table,
               const void *item, size_t item_size, uint32_t *index)
{
  uint64_t hash;
  void *copy;

  if ((intern->lookup.n == 0 || intern->lookup.n < table->n)
      && !enter_all (intern, table, item_size))
    return DG_ERR_NOMEM;
  hash = dg_hash_words (intern->seed, item, item_size);
  if (find (intern, table, item, item_size, hash, index))
    return 0;
  copy = dg_lookup_add_item (&intern->lookup, hash, table, item_size);
  if (!copy)
    return DG_ERR_NOMEM;
  memcpy (copy, item, item_size);
  *index = (uint32_t) table->n - 1;
  return 0;
}

void
dg_intern_fini (struct dg_intern *intern)
{
  dg_lookup_fini (&intern->lookup);
  memset (intern, 0, sizeof *intern);
}

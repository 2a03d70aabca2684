/* pages_map.c: tables of lines that were touched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pages_map.h"

#include <glib.h>
#include <string.h>

#define FIRST_BITS 8

/* ---- Numbers ---- */

static size_t
place (const struct pages_index *index, uint64_t key)
{
  const size_t mask = ((size_t) 1 << index->bits) - 1;
  size_t i = key * index->factor >> (64 - index->bits);

  while (index->keys[i] != 0 && index->keys[i] != key + 1)
    i = (i + 1) & mask;
  return i;
}

uint32_t
pages_index_find (const struct pages_index *index, uint64_t key)
{
  size_t i;

  if (!index->keys)
    return UINT32_MAX;
  i = place (index, key);
  return index->keys[i] ? index->values[i] : UINT32_MAX;
}

static bool
grow (struct pages_index *index)
{
  const struct pages_index old = *index;
  const unsigned bits = old.keys ? old.bits + 1 : FIRST_BITS;
  uint64_t *keys = g_try_new0 (uint64_t, (size_t) 1 << bits);
  uint32_t *values = g_try_new (uint32_t, (size_t) 1 << bits);

  if (!keys || !values) {
    g_free (keys);
    g_free (values);
    return false;
  }
  index->keys = keys;
  index->values = values;
  index->bits = bits;
  /* Random, so that no log can be made whose numbers all meet.  */
  index->factor = ((uint64_t) g_random_int () << 32 | g_random_int ()) | 1;
  for (size_t i = 0; old.keys && i >> old.bits == 0; i++)
    if (old.keys[i] != 0) {
      const size_t to = place (index, old.keys[i] - 1);

      keys[to] = old.keys[i];
      values[to] = old.values[i];
    }
  g_free (old.keys);
  g_free (old.values);
  return true;
}

uint32_t
pages_index_add (struct pages_index *index, uint64_t key)
{
  size_t i;

  if (index->n == UINT32_MAX - 1
      || ((!index->keys
           || 2 * ((size_t) index->n + 1) > (size_t) 1 << index->bits)
          && !grow (index)))
    return UINT32_MAX;
  i = place (index, key);
  if (index->keys[i] == 0) {
    index->keys[i] = key + 1;
    index->values[i] = index->n++;
  }
  return index->values[i];
}

void
pages_index_clear (struct pages_index *index)
{
  if (index->keys)
    memset (index->keys, 0, sizeof *index->keys << index->bits);
  index->n = 0;
}

void
pages_index_fini (struct pages_index *index)
{
  g_free (index->keys);
  g_free (index->values);
  memset (index, 0, sizeof *index);
}

/* ---- Ranges ---- */

/* The largest first.  */
static int
compare_keys (const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x < y) - (x > y);
}

bool
pages_walk_begin (struct pages_walk *walk, const struct pages_index *index,
                  uint64_t first, uint64_t last)
{
  *walk = (struct pages_walk) { .next = first, .last = last };
  if (last - first <= (uint64_t) index->n * 4 + 16)
    return true;
  walk->keys = g_try_new (uint64_t, (size_t) index->n + 1);
  if (!walk->keys)
    return false;
  for (size_t i = 0; index->keys && i >> index->bits == 0; i++)
    if (index->keys[i] != 0 && index->keys[i] - 1 >= first
        && index->keys[i] - 1 <= last)
      walk->keys[walk->n++] = index->keys[i] - 1;
  qsort (walk->keys, walk->n, sizeof *walk->keys, compare_keys);
  return true;
}

bool
pages_walk_next (struct pages_walk *walk, uint64_t *number)
{
  if (walk->keys) {
    if (walk->n > 0) {
      *number = walk->keys[--walk->n];
      return true;
    }
    g_free (walk->keys);
    walk->keys = NULL;
    walk->is_over = true;
  }
  if (walk->is_over)
    return false;
  *number = walk->next++;
  walk->is_over = *number == walk->last;
  return true;
}

/* ---- Leaves ---- */

void
pages_map_clear (struct pages_map *map)
{
  for (size_t i = 0; i < PAGES_CACHE; i++)
    map->cache[i].number = UINT64_MAX;
  for (uint32_t i = 0; i < map->index.n; i++)
    memset (map->leaves[i], 0, sizeof *map->leaves[i]);
  pages_index_clear (&map->index);
}

void
pages_map_fini (struct pages_map *map)
{
  for (size_t i = 0; i < map->n_leaves; i++)
    g_free (map->leaves[i]);
  g_free (map->leaves);
  pages_index_fini (&map->index);
}

struct pages_leaf *
pages_map_find (const struct pages_map *map, uint64_t number)
{
  const uint32_t i = pages_index_find (&map->index, number);

  return i == UINT32_MAX ? NULL : map->leaves[i];
}

struct pages_leaf *
pages_map_add (struct pages_map *map, uint64_t number)
{
  const uint32_t i = pages_index_add (&map->index, number);

  if (i == UINT32_MAX)
    return NULL;
  if (i == map->n_leaves) {
    if (map->n_leaves % 256 == 0) {
      struct pages_leaf **more = g_try_realloc_n (
        map->leaves, map->n_leaves + 256, sizeof *more);

      if (!more)
        return NULL;
      map->leaves = more;
    }
    map->leaves[i] = g_try_new0 (struct pages_leaf, 1);
    if (!map->leaves[i])
      return NULL;
    map->n_leaves++;
  }
  map->cache[number & (PAGES_CACHE - 1)].number = number;
  map->cache[number & (PAGES_CACHE - 1)].leaf = map->leaves[i];
  return map->leaves[i];
}

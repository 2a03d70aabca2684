/* pagemap.h: page number to a number, as fast as can be.

   Every access of a log is looked up here, hundreds of millions in a
   second's work: so not a GHashTable, but an open table whose look-up is
   inlined and mostly one comparison.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAGEMAP_H
#define DV_PAGEMAP_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* No page has this number: pages are at least two bytes.  */
#define DV_PAGE_NONE UINT64_MAX

struct dv_pagemap_entry {
  uint64_t page;       /* DV_PAGE_NONE: free */
  int64_t value;
};

struct dv_pagemap {
  struct dv_pagemap_entry *entries;
  size_t mask;         /* their number, a power of two, minus 1 */
  size_t used;
};

static inline void
dv_pagemap_init (struct dv_pagemap *map, size_t expected)
{
  size_t size = 64;
  while (size < expected * 4)
    size *= 2;
  map->entries = g_new (struct dv_pagemap_entry, size);
  map->mask = size - 1;
  map->used = 0;
  for (size_t i = 0; i < size; i++)
    map->entries[i].page = DV_PAGE_NONE;
}

static inline void
dv_pagemap_fini (struct dv_pagemap *map)
{
  g_free (map->entries);
  map->entries = NULL;
}

/* Four neighbouring pages are neighbours here, in one cache line; groups of
   four are scattered, or areas that overlap would make long searches.  */
static inline size_t
dv_pagemap_hash (uint64_t page)
{
  uint64_t group = (page >> 2) * 0x9e3779b97f4a7c15u;
  return (size_t) (group >> 32 << 2 | (page & 3));
}

/* The entry of a page, or the free one where it would go.  */
static inline struct dv_pagemap_entry *
dv_pagemap_probe (const struct dv_pagemap *map, uint64_t page)
{
  size_t i = dv_pagemap_hash (page) & map->mask;
  while (map->entries[i].page != page && map->entries[i].page != DV_PAGE_NONE)
    i = (i + 1) & map->mask;
  return &map->entries[i];
}

/* NULL when the page is not there.  */
static inline struct dv_pagemap_entry *
dv_pagemap_find (const struct dv_pagemap *map, uint64_t page)
{
  struct dv_pagemap_entry *entry = dv_pagemap_probe (map, page);
  return entry->page == page ? entry : NULL;
}

/* The page's entry, made with `value` if it is new.  Entries move.  */
static inline struct dv_pagemap_entry *
dv_pagemap_insert (struct dv_pagemap *map, uint64_t page, int64_t value)
{
  struct dv_pagemap_entry *entry = dv_pagemap_probe (map, page);
  if (entry->page == page)
    return entry;
  if (map->used * 2 > map->mask) {
    struct dv_pagemap larger;
    dv_pagemap_init (&larger, map->used * 2 + 2);
    for (size_t i = 0; i <= map->mask; i++)
      if (map->entries[i].page != DV_PAGE_NONE)
        *dv_pagemap_probe (&larger, map->entries[i].page) = map->entries[i];
    larger.used = map->used;
    dv_pagemap_fini (map);
    *map = larger;
    entry = dv_pagemap_probe (map, page);
  }
  *entry = (struct dv_pagemap_entry){ page, value };
  map->used++;
  return entry;
}

#endif /* DV_PAGEMAP_H */

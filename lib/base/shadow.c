/* shadow.c: what is known of a program's memory, page by page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "shadow.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "libdatagrind.h"

void
dg_shadow_init (struct dg_shadow *shadow, size_t item_size)
{
  memset (shadow, 0, sizeof *shadow);
  shadow->item_size = item_size;
  shadow->nowhere = UINT64_MAX;
  dg_shadow_clear (shadow);
}

void
dg_shadow_fini (struct dg_shadow *shadow)
{
  char **pieces = shadow->pieces.items;

  for (size_t i = 0; i < shadow->pieces.n; i++)
    g_free (pieces[i]);
  dg_table_fini (&shadow->pieces);
  dg_keys_fini (&shadow->pages);
}

void
dg_shadow_clear (struct dg_shadow *shadow)
{
  for (unsigned i = 0; i < DG_SHADOW_RECENT; i++)
    shadow->recent[i] = &shadow->nowhere;
  dg_keys_clear (&shadow->pages);
}

/* Memory for the item of the next page; false: there is none.  */
static bool
make_room (struct dg_shadow *shadow)
{
  char **piece;

  if (shadow->pages.n / DG_SHADOW_PIECE < shadow->pieces.n)
    return true;
  piece = dg_table_add (&shadow->pieces, sizeof *piece);
  if (piece == NULL)
    return false;
  *piece = g_try_malloc_n (DG_SHADOW_PIECE, shadow->item_size);
  shadow->pieces.n -= *piece == NULL;
  return *piece != NULL;
}

void *
dg_shadow_find (const struct dg_shadow *shadow, uint64_t page)
{
  uint64_t *item = dg_shadow_recent (shadow, page);
  uint32_t i;

  if (item != NULL)
    return item;
  i = dg_keys_find (&shadow->pages, page);
  return i != DG_NONE ? dg_shadow_at (shadow, i) : NULL;
}

void *
dg_shadow_add (struct dg_shadow *shadow, uint64_t page, bool *is_new)
{
  uint32_t i = dg_keys_find (&shadow->pages, page);
  uint64_t *item;

  /* What is there is found without memory.  */
  *is_new = i == DG_NONE;
  if (*is_new) {
    i = make_room (shadow) ? dg_keys_add (&shadow->pages, page) : DG_NONE;
    if (i == DG_NONE)
      return NULL;
  }
  item = dg_shadow_at (shadow, i);
  if (*is_new) {
    memset (item, 0, shadow->item_size);
    *item = page;
  }
  shadow->recent[page % DG_SHADOW_RECENT] = item;
  return item;
}

/* ---- Ranges ------------------------------------------------------------ */

struct dg_shadow_walk
dg_shadow_range (const struct dg_shadow *shadow, uint64_t first, uint64_t last)
{
  bool is_all = last - first >= shadow->pages.n;

  return (struct dg_shadow_walk) { .shadow = shadow,
                                   .first = first,
                                   .last = last,
                                   .next = is_all ? 0 : first,
                                   .is_all = is_all };
}

static int
compare_pages (const void *a, const void *b)
{
  const uint64_t x = **(uint64_t *const *) a, y = **(uint64_t *const *) b;

  return DG_COMPARE (x, y);
}

bool
dg_shadow_ascending (const struct dg_shadow *shadow, uint64_t first,
                     uint64_t last, struct dg_shadow_walk *walk)
{
  uint64_t **sorted, *item;

  *walk = dg_shadow_range (shadow, first, last);
  if (!walk->is_all)
    return true;
  sorted = g_try_new (uint64_t *, (size_t) shadow->pages.n + 1);
  if (sorted == NULL)
    return false;
  while ((item = dg_shadow_next (walk)) != NULL)
    sorted[walk->n++] = item;
  qsort (sorted, walk->n, sizeof *sorted, compare_pages);
  walk->sorted = sorted;
  walk->next = 0;
  return true;
}

void *
dg_shadow_next (struct dg_shadow_walk *walk)
{
  uint64_t *item = NULL;

  if (walk->sorted != NULL) {
    if (walk->next < walk->n)
      return walk->sorted[walk->next++];
    g_clear_pointer (&walk->sorted, g_free);
    walk->next = walk->shadow->pages.n;
  }
  if (walk->is_all) {
    while (walk->next < walk->shadow->pages.n) {
      item = dg_shadow_at (walk->shadow, (uint32_t) walk->next++);
      if (*item >= walk->first && *item <= walk->last)
        return item;
    }
    return NULL;
  }
  /* No page has the last of all numbers, so this ends.  */
  while (item == NULL && walk->next <= walk->last)
    item = dg_shadow_find (walk->shadow, walk->next++);
  return item;
}

/* ---- Grains ------------------------------------------------------------ */

bool
dg_sheet_split (struct dg_sheet *sheet, uint32_t n)
{
  if (sheet->mask != 0)
    return true;
  if (sheet->own == NULL)
    sheet->own = g_try_new (uint32_t, n);
  if (sheet->own == NULL)
    return false;
  for (uint32_t i = 0; i < n; i++)
    sheet->own[i] = sheet->whole;
  sheet->grains = sheet->own;
  sheet->mask = n - 1;
  return true;
}

void
dg_sheet_fini (struct dg_sheet *sheet)
{
  g_clear_pointer (&sheet->own, g_free);
}

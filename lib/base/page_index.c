/* page_index.c: page number -> small number, in a table of open addressing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_index.h"

#include <glib.h>

#include "libdatagrind.h"

/* The slot of a page, or the free one where it would go.  */
static struct dg_page_entry *
probe (const struct dg_page_index *index, uint64_t page)
{
  size_t i = page * 0x9e3779b97f4a7c15u >> 32;

  for (;; i++) {
    struct dg_page_entry *slot = &index->slots[i & index->mask];

    if (slot->number == 0 || slot->page == page)
      return slot;
  }
}

static int
grow (struct dg_page_index *index)
{
  struct dg_page_index more = {.n = index->n,
                               .mask = index->slots != NULL
                                         ? index->mask * 2 + 1
                                         : 255};

  more.slots = g_try_new0 (struct dg_page_entry, more.mask + 1);
  if (more.slots == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; index->slots != NULL && i <= index->mask; i++)
    if (index->slots[i].number != 0)
      *probe (&more, index->slots[i].page) = index->slots[i];
  g_free (index->slots);
  *index = more;
  return 0;
}

uint32_t
dg_page_index_find (const struct dg_page_index *index, uint64_t page)
{
  return index->slots != NULL ? probe (index, page)->number - 1 : DG_NONE;
}

uint32_t
dg_page_index_add (struct dg_page_index *index, uint64_t page)
{
  G_STATIC_ASSERT (DG_NONE == UINT32_MAX);
  if (index->n == DG_NONE - 1
      || ((index->slots == NULL || index->n >= index->mask / 4 * 3)
          && grow (index) < 0))
    return DG_NONE;
  *probe (index, page) = (struct dg_page_entry){page, ++index->n};
  return index->n - 1;
}

void
dg_page_index_fini (struct dg_page_index *index)
{
  g_free (index->slots);
  *index = (struct dg_page_index){NULL, 0, 0};
}

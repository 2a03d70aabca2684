/* page_index.h: page number -> small number, in a table of open addressing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGE_INDEX_H
#define DG_PAGE_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* All zero is empty.  Pages get numbers from 0 in the order in which they are
   added.  Memory: 16 to 32 bytes for each.  */
struct dg_page_index {
  struct dg_page_entry {
    uint64_t page;
    uint32_t number;       /* + 1; 0: free */
  } *slots;
  size_t mask;             /* slots - 1 */
  uint32_t n;
};

/* The number of a page, DG_NONE if it has none.  */
uint32_t dg_page_index_find (const struct dg_page_index *index,
                             uint64_t page);
/* Adds one that is not there: its number, or DG_NONE: no memory.  */
uint32_t dg_page_index_add (struct dg_page_index *index, uint64_t page);
void dg_page_index_fini (struct dg_page_index *index);

#endif /* DG_PAGE_INDEX_H */

/* lines_table.h: the table in which lines are counted, for the loops that
   count and nobody else.

   Memory is divided into pages of 64 lines; each that is touched has an array
   of counts.  Arrays of the pages that were used lately are found in a small
   table, by the lowest bits of the page's number.  Page 0 never is, so that
   what was not made (address 0) takes the slow way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LINES_TABLE_H
#define DG_LINES_TABLE_H

#include <glib.h>
#include <stdbool.h>

#include "dg_record.h"
#include "lines.h"

#define DG_LINES_PAGE_SHIFT 12
#define DG_LINES_OF_PAGE    (1u << (DG_LINES_PAGE_SHIFT - DG_LINE_SHIFT))
#define DG_LINES_RECENT     1024u
#define DG_LINE_SIZE        (1u << DG_LINE_SHIFT)

/* counts[2 * line + kind], the line within its page.  */
struct dg_lines_page {
  uint64_t number;
  uint32_t *counts;
};

struct dg_lines {
  /* Of a page that has counts; number UINT64_MAX: free.  */
  struct dg_lines_page recent[DG_LINES_RECENT];
  uint64_t mask;
  uint64_t min, range;         /* addresses so far: min .. min + range */
  bool is_touched;             /* there was one */
  uint64_t unmade[2];          /* accesses at 0, by kind */
  struct dg_table pages;       /* struct dg_lines_page */
  uint32_t *index;             /* of pages + 1, by hash; 0: free */
  size_t index_room;           /* a power of two */
  GPtrArray *slabs;            /* arrays of pages that are not used: zero */
  struct dg_table counts;      /* struct dg_line_count: the result */
  bool is_spilled;             /* it is in several pieces */
  bool is_short;               /* memory was */
};

/* An access that dg_lines_count does not do.  */
void dg_lines_count_slowly (struct dg_lines *lines, uint64_t address,
                            uint32_t size, unsigned kind);
/* n accesses at once.  */
void dg_lines_count_times (struct dg_lines *lines, uint64_t address,
                           uint32_t size, unsigned kind, uint32_t n);
/* Widens the range to an address that is not 0.  */
void dg_lines_widen (struct dg_lines *lines, uint64_t address);

/* Counts an access of kind DG_ACC_READ or DG_ACC_WRITE.  When memory is short
   that is noted in is_short.  */
static inline void
dg_lines_count (struct dg_lines *lines, uint64_t address, uint32_t size,
                unsigned kind)
{
  uint64_t number = address >> DG_LINES_PAGE_SHIFT;
  const struct dg_lines_page *page
    = &lines->recent[number % DG_LINES_RECENT];
  unsigned line = address >> DG_LINE_SHIFT & (DG_LINES_OF_PAGE - 1);

  if (G_UNLIKELY (page->number != number
                  || (address & (DG_LINE_SIZE - 1)) + size > DG_LINE_SIZE
                  || address - lines->min > lines->range))
    dg_lines_count_slowly (lines, address, size, kind);
  else
    page->counts[2 * line + kind]++;
}

#endif /* DG_LINES_TABLE_H */

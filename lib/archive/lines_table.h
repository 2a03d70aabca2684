/* lines_table.h: the table in which lines are counted, for the loops that
   count and nobody else.

   Lines that were touched lately are in a table of slots, by the lowest bits
   of the line's number; one that has to go adds its counts to those of its
   page (64 lines).  Only so many pages are kept as a second-level cache or two
   can hold: counts of lines of other pages are noted one after the other, and
   sorted at the end.  Line 0 never has a slot, so that what was not made
   (address 0) takes the slow way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LINES_TABLE_H
#define DG_LINES_TABLE_H

#include <glib.h>
#include <stdbool.h>

#include "dg_record.h"
#include "base/keys.h"
#include "base/table.h"
#include "libdatagrind.h"

#define DG_LINES_SLOTS 16384u
#define DG_LINES_OF_PAGE 64u
#define DG_LINE_SIZE 64u

/* counts by kind: DG_ACC_READ, DG_ACC_WRITE.  A slot that is free has the
   start of a line that does not belong there.  */
struct dg_lines_slot {
  uint64_t start; /* of the line: an address */
  uint32_t counts[2];
};

/* counts[2 * line + kind], the line within its page.  */
struct dg_lines_page {
  uint64_t number;
  uint32_t *counts;
};

struct dg_lines {
  struct dg_lines_slot slots[DG_LINES_SLOTS];
  uint64_t mask;
  uint64_t min, range;       /* addresses so far: min .. min + range */
  bool is_touched;           /* there was one */
  uint64_t unmade[2];        /* accesses at 0, by kind */
  struct dg_lines_page last; /* page, UINT64_MAX: none */
  struct dg_table pages;     /* struct dg_lines_page */
  struct dg_keys index;      /* number of a page -> its place in pages */
  GPtrArray *slabs;          /* arrays of pages that are not used: zero */
  struct dg_table far;       /* struct dg_line_count: of other pages */
  size_t far_limit;          /* then those of a line are added up */
  struct dg_table counts;    /* struct dg_line_count: the result */
  struct dg_table scratch;   /* the same, between sorting and merging */
  bool is_short;             /* memory was */
};

/* An access that dg_lines_count does not do.  */
void dg_lines_count_slowly (struct dg_lines *lines, uint64_t address,
                            uint32_t size, unsigned kind);
/* n accesses at once.  */
void dg_lines_count_times (struct dg_lines *lines, uint64_t address,
                           uint32_t size, unsigned kind, uint32_t n);
/* Widens the range to an address that is not 0.  */
void dg_lines_widen (struct dg_lines *lines, uint64_t address);

/* The slot of the line in which the address is.  */
static inline struct dg_lines_slot *
dg_lines_slot (struct dg_lines *lines, uint64_t address)
{
  return &lines->slots[address / DG_LINE_SIZE % DG_LINES_SLOTS];
}

/* Counts an access of kind DG_ACC_READ or DG_ACC_WRITE within min .. min +
   range, which are lines->min and lines->range; false: not done, it is one
   for dg_lines_count_slowly, which may change them.  `beyond` is the first
   offset in a line at which the access would go on in the next.  */
static inline bool
dg_lines_count (struct dg_lines *lines, uint64_t address, uint32_t beyond,
                unsigned kind, uint64_t min, uint64_t range)
{
  struct dg_lines_slot *slot = dg_lines_slot (lines, address);

  /* Of another line, or goes on in the next: one comparison for both.  */
  if (G_UNLIKELY (address - slot->start >= beyond || address - min > range))
    return false;
  slot->counts[kind]++;
  return true;
}

#endif /* DG_LINES_TABLE_H */

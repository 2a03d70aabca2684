/* layout.h: the X axis: touched pages side by side, what is between them
   left out.

   A position is a byte of the axis: 0 is the first byte of the first page
   shown.  Contiguous pages form a segment; where one segment ends and the
   next begins, addresses are omitted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LAYOUT_H
#define DV_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dv_segment {
  uint64_t address;     /* of its first byte */
  uint64_t position;    /* of its first byte */
  uint64_t size;        /* bytes, a multiple of the page size */
};

struct dv_layout {
  struct dv_segment *segments;   /* by address */
  size_t n;
  uint64_t size;                 /* bytes shown in all */
  unsigned page_shift;           /* log2 of the page size */
};

/* From n page numbers, ascending, without doubles.  */
void dv_layout_init (struct dv_layout *layout, const uint64_t *pages, size_t n,
                     unsigned page_shift);
void dv_layout_fini (struct dv_layout *layout);

/* The position of an address.  If its page is not shown, false, and
   *position is that of the next byte shown (the size, behind the last).  */
bool dv_layout_position (const struct dv_layout *layout, uint64_t address,
                         uint64_t *position);

/* Whether one of the bytes first .. last, all of one page, is at a position
   from x0 to x1 - 1.  */
bool dv_layout_has_part (const struct dv_layout *layout, uint64_t first,
                         uint64_t last, uint64_t x0, uint64_t x1);

/* The segment that holds a position; the last one for those behind the end.
   The layout must not be empty.  */
const struct dv_segment *dv_layout_segment (const struct dv_layout *layout,
                                            uint64_t position);

/* The address at a position, which is clamped to the layout; 0 if that is
   empty.  */
uint64_t dv_layout_address (const struct dv_layout *layout,
                            uint64_t position);

#endif /* DV_LAYOUT_H */

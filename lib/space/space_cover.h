/* space_cover.h: rectangles of address and time, and which one is on top.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SPACE_COVER_H
#define DG_SPACE_COVER_H

#include "libdatagrind.h"

/* The addresses low .. high - 1 during the moments start .. end - 1.  */
struct dg_rect {
  uint64_t low, high;
  uint64_t start, end;
  uint32_t id; /* the caller's: what dg_cover_find answers */
};

/* A rectangle of `size` bytes at `address`, cut at the end of the address
   space.  */
struct dg_rect dg_rect_make (uint64_t address, uint64_t size, uint64_t start,
                             uint64_t end, uint32_t id);

/* Read-only once made, so any number of threads may ask.  */
struct dg_cover;

/* Rectangles may overlap in any way; empty ones are never found.  `rects`
   is the caller's, and may be reordered (by start).  0 or DG_ERR_NOMEM.  */
int dg_cover_new (struct dg_rect *rects, size_t n, struct dg_cover **cover);

/* Called some ten times a second at least, with how much of `total` is done;
   non-zero ends it with DG_ERR_CANCELLED.  */
struct dg_cover_pace {
  dg_progress_fn progress;   /* may be NULL */
  void *user;
  uint64_t done, total;      /* of all that the caller has to do, in steps */
};
/* Steps that a cover of n rectangles takes.  */
uint64_t dg_cover_steps (size_t n);
/* The same, which says how far it is; pace may be NULL.  */
int dg_cover_new_paced (struct dg_rect *rects, size_t n,
                        struct dg_cover **cover, struct dg_cover_pace *pace);
void dg_cover_free (struct dg_cover *cover);

/* The id of the rectangle over this point that began last (of those that
   began at one moment: the last in `rects`), or DG_NONE.  */
uint32_t dg_cover_find (const struct dg_cover *cover, uint64_t address,
                        uint64_t icount);

/* The same; *low to *high - 1 are addresses, `address` among them, which the
   same rectangles cover as it, whatever the moment.  */
uint32_t dg_cover_find_part (const struct dg_cover *cover, uint64_t address,
                             uint64_t icount, uint64_t *low, uint64_t *high);

/* Does any rectangle hold one of the bytes address .. address + size - 1 at
   that moment?  */
bool dg_cover_overlaps (const struct dg_cover *cover, uint64_t address,
                        uint64_t size, uint64_t icount);

#endif /* DG_SPACE_COVER_H */

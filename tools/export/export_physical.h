/* export_physical.h: where the pages of a program are in physical memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_PHYSICAL_H
#define DG_EXPORT_PHYSICAL_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes, unless --memory says otherwise.  */
#define EXPORT_MEMORY (UINT64_C (4) << 30)

struct export_physical;

/* page: bytes, a power of two.  memory: bytes.  is_scattered: pages get any
   frames, the same ones each time, instead of one after the other.  NULL: no
   such memory.  */
struct export_physical *export_physical_new (uint32_t page, uint64_t memory,
                                             bool is_scattered);
/* NULL is allowed.  */
void export_physical_free (struct export_physical *physical);

/* The physical address; the first one in a page places the page.  */
uint64_t export_physical_address (struct export_physical *physical,
                                  uint64_t address);
/* Whether there were not enough frames.  NULL: they are enough.  */
bool export_physical_is_full (const struct export_physical *physical);

#endif /* DG_EXPORT_PHYSICAL_H */

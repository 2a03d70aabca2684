/* export_slots.h: accesses that Valgrind makes and the program does not.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_SLOTS_H
#define DG_EXPORT_SLOTS_H

#include "libdatagrind.h"

struct export_slots;

/* symbols: must outlive it.  */
struct export_slots *export_slots_new (const struct dg_log *log,
                                       struct dg_symbols *symbols);
/* NULL is allowed.  */
void export_slots_free (struct export_slots *slots);

enum export_extra {
  EXPORT_EXTRA_NOT = 0,
  EXPORT_EXTRA_ALWAYS,     /* only Valgrind makes this access */
  EXPORT_EXTRA_AGAIN       /* the same, if the address is that of the slot
                              before */
};

/* Returns, for each slot of a block that runs at an icount, an enum
   export_extra; NULL: the program makes all accesses.  */
const uint8_t *export_slots_extra (struct export_slots *slots,
                                   const struct dg_bbdef *bbdef,
                                   uint64_t icount);

#endif /* DG_EXPORT_SLOTS_H */

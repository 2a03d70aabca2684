/* symbols_realign.h: functions that align their frame when they begin.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_REALIGN_H
#define DG_SYMBOLS_REALIGN_H

#include "symbols_object.h"

/* Where such a function's variables are: from a register, which is
   (CFA - above) rounded down to a multiple of `align`, minus `below`.  */
struct dg_realign {
  uint64_t align;          /* a power of two; 0: the frame is as it comes */
  int64_t above, below;
  unsigned number;         /* the register, as DWARF counts */
};

/* Of the function that begins at an address of the object and has so many
   bytes there; saved: how far below the CFA the registers reach that it saves
   before (0: not known).
   Sets align to 0 for all functions that it does not know to do so; x86 and
   amd64 only.  Under the lock of the object.  */
void dg_realign_find (struct dg_object *object, uint64_t entry, uint64_t size,
                      int64_t saved, struct dg_realign *out);

#endif /* DG_SYMBOLS_REALIGN_H */

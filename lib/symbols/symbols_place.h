/* symbols_place.h: where the bytes of a variable are that has a place of its
   own.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_PLACE_H
#define DG_SYMBOLS_PLACE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An attribute that is an expression, as libdw reads it; NULL: there is none.
   integrate: also if it stands at what the DIE goes back to.  */
Dwarf_Attribute *dg_place_expression (Dwarf_Die *die, unsigned attribute,
                                      bool integrate, Dwarf_Attribute *out);

/* Compilers may take a variable apart; of more pieces the rest has no name. */
#define DG_PLACE_MOST 64

/* Some of it, or all.  */
struct dg_place {
  uint64_t address;      /* as debug information has it */
  bool is_of_thread;     /* among what each thread has a copy of */
  uint64_t skip;         /* bytes of the variable before these */
  uint64_t size;         /* 0: it is not in pieces */
};

/* Returns how many; 0: in a frame, a register, or nowhere.  */
size_t dg_place_find (Dwarf_Die *variable,
                      struct dg_place places[DG_PLACE_MOST]);

#endif /* DG_SYMBOLS_PLACE_H */

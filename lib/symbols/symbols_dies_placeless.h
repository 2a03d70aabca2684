/* symbols_dies_placeless.h: thread-local variables that debug information
   gives no place.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_DIES_PLACELESS_H
#define DG_SYMBOLS_DIES_PLACELESS_H

#include "symbols_object.h"

#include <elfutils/libdw.h>

/* What is looked for in an object: the thread-local variables of its symbol
   table, by name.  */
struct dg_die_placeless;
/* NULL: it has none.  */
struct dg_die_placeless *dg_die_placeless_new (struct dg_object *object);
void dg_die_placeless_free (struct dg_die_placeless *placeless);

/* Which of these a variable without a place may be, by its name; NULL: none.
   It is that one if it has its size, in bytes, too.  */
struct dg_die_wanted;
struct dg_die_wanted *
dg_die_placeless_wanted (struct dg_die_placeless *placeless, Dwarf_Die *die,
                         bool in_function);
void dg_die_wanted_add (struct dg_die_wanted *wanted, Dwarf_Die *die,
                        uint64_t size);

/* Calls `found` for each variable that was added and that can be no other,
   with its address as in the symbol table.  */
typedef void dg_die_placeless_fn (void *user, Dwarf_Die *die,
                                  uint64_t address);
void dg_die_placeless_find (struct dg_die_placeless *placeless,
                            dg_die_placeless_fn *found, void *user);

#endif /* DG_SYMBOLS_DIES_PLACELESS_H */

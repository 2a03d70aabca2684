/* symbols_layout.h: how far an answer about variables and types holds, for
   those who remember answers.

   Needs nothing of elfutils, unlike symbols.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_LAYOUT_H
#define DG_SYMBOLS_LAYOUT_H

#include "libdatagrind.h"

/* Whether there is a module at an address, as dg_symbols_data has it.  The
   same is true of *low to *high - 1 until a module is loaded or unloaded.  */
bool dg_symbols_part (struct dg_symbols *symbols, uint64_t address,
                      uint64_t icount, uint64_t *low, uint64_t *high);

/* The bytes after which the fields of a variable, as dg_symbols_data gave it,
   repeat: those of an element, if it is an array; else 0.  */
uint64_t dg_symbols_data_period (struct dg_symbols *symbols,
                                 const struct dg_variable *variable,
                                 uint64_t icount);

/* Whether it is a struct that ends with an array that takes what is left, so
   that its fields depend on the size of the memory that holds it.  */
bool dg_type_is_open (const struct dg_type *type);
/* The bytes after which its fields repeat where it is an array; else its
   size.  */
uint64_t dg_type_element (const struct dg_type *type);

/* The bytes after which its fields repeat if it is an array by itself, as
   types of variables are; else its size.  */
uint64_t dg_type_period (const struct dg_type *type);

#endif /* DG_SYMBOLS_LAYOUT_H */

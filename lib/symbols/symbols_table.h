/* symbols_table.h: what the symbol table of a file says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_TABLE_H
#define DG_SYMBOLS_TABLE_H

#include "symbols_object.h"

/* The name of the function that covers the address by the
   symbol table, interned; NULL if none.  */
const char *dg_symtab_function (struct dg_object *object,
                                struct dg_names *names, uint64_t address);
/* Whether a function begins there.  */
bool dg_symtab_begins (struct dg_object *object, uint64_t address);
/* The symbol by which others know the function that begins there; NULL if
   there is none that is better than `name`.  */
const char *dg_symtab_public (struct dg_object *object, uint64_t address,
                              const char *name);

/* The variable over an address.  */
struct dg_datum {
  uint64_t address, size;
  const char *symbol; /* as in the file */
  int rank;
};
const struct dg_datum *dg_symtab_variable (struct dg_object *object,
                                           uint64_t address);
/* The variables by address; *n receives how many.  */
const struct dg_datum *dg_symtab_variables (struct dg_object *object,
                                            size_t *n);
/* Where the next variable begins behind an address.  */
uint64_t dg_symtab_next_variable (struct dg_object *object, uint64_t address);

#endif /* DG_SYMBOLS_TABLE_H */

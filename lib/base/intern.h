/* intern.h: items of a table that are kept once, and known by their index.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INTERN_H
#define DG_INTERN_H

#include "lookup.h"
#include "table.h"

#include <stdbool.h>
#include <stdint.h>

/* Finds equal items of a table.  All zero is empty; what it finds them by can
   be freed at any time, while the table stays.  */
struct dg_intern {
  struct dg_lookup lookup;
  uint64_t seed;
};

/* *index becomes that of the item in the table, which gets it if it has none
   like it.  Items are compared as bytes, so they have no padding, and their
   size is a multiple of 8.  0 or DG_ERR_NOMEM.  */
int dg_intern_add (struct dg_intern *intern, struct dg_table *table,
                   const void *item, size_t item_size, uint32_t *index);

/* Whether the table has the item; *index is then its index.  */
bool dg_intern_find (const struct dg_intern *intern,
                     const struct dg_table *table, const void *item,
                     size_t item_size, uint32_t *index);

void dg_intern_fini (struct dg_intern *intern);

#endif /* DG_INTERN_H */

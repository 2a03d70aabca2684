/* symbols_plt.h: the tables of jumps to functions of other libraries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_PLT_H
#define DG_SYMBOLS_PLT_H

#include "symbols_object.h"

/* True if the address is in a table of jumps to functions of
   other libraries; *name is then "function@plt", or NULL if unknown.  */
bool dg_plt_find (struct dg_object *object, struct dg_names *names,
                  uint64_t address, const char **name);

#endif /* DG_SYMBOLS_PLT_H */

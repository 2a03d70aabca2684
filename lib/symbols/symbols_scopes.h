/* symbols_scopes.h: which instance of a function a code address is in.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_SCOPES_H
#define DG_SYMBOLS_SCOPES_H

#include "libdatagrind.h"

/* A number for each of dg_symbols_frames: addresses of the same module have
   the same one if they are in the same function, or in the same inlined call.
   Returns how many are known, at most max; 0 without debug information.  */
size_t dg_symbols_scopes (struct dg_symbols *symbols, uint64_t address,
                          uint64_t icount, uint64_t *out, size_t max);

#endif /* DG_SYMBOLS_SCOPES_H */

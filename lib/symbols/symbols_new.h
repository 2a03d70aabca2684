/* symbols_new.h: the symbols of a log, made in another way than by
   dg_symbols_new.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_NEW_H
#define DG_SYMBOLS_NEW_H

#include "libdatagrind.h"

/* With the names of sources that the debug information has, whatever the
   log's places are.  */
struct dg_symbols *dg_symbols_new_as_recorded (const struct dg_log *log,
                                               struct dg_error *err);

#endif /* DG_SYMBOLS_NEW_H */

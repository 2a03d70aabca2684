/* symbols_walk.h: asks libdw all that the names of a log could need of files.

   Private to symbols*.c and the program dg-probe.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_WALK_H
#define DG_SYMBOLS_WALK_H

#include <stdbool.h>

/* An executable or library, its debug information and what that shares with
   others, -1 for what there is not; the descriptors are closed.  What is
   damaged is passed over, so that nothing is returned: it comes back, or the
   process does not.  Not is_whole: only what it has about code.  */
void dg_symbols_walk_module (int module, int debug, int shared, bool is_whole);

/* A file of split units.  */
void dg_symbols_walk_units (int fd);

#endif /* DG_SYMBOLS_WALK_H */

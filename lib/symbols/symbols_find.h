/* symbols_find.h: the files that an executable's debug information stands in,
   if not in itself: searched for and opened by us, since libdwfl and libdw
   open whatever is there and wait at a FIFO for ever.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_FIND_H
#define DG_SYMBOLS_FIND_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* How a Dwfl finds debug information: by build-id below /usr/lib/debug; by
   its link beside the file, in .debug there, below /usr/lib/debug; from
   debuginfod servers if the user names any.  */
extern const Dwfl_Callbacks dg_find_callbacks;

/* "/usr/lib/debug/.build-id/xx/yyyy.debug", to be freed; NULL for an id that
   is too short.  */
char *dg_symbols_find_by_build_id (const uint8_t *id, size_t n);

/* What libdw would open by itself once it is asked for more: the file that
   several share (.gnu_debugaltlink), and the units that stand in files of
   their own (.dwo).  Returns the first name of these that is not a regular
   file, to be freed, or NULL.  */
char *dg_symbols_find_bad_name (Dwfl_Module *module);

#endif /* DG_SYMBOLS_FIND_H */

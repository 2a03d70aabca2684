/* symbols_private.h: files that another user could change while they are read.

   Private to symbols*.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_PRIVATE_H
#define DG_SYMBOLS_PRIVATE_H

#include <stdbool.h>

/* May another user change the file that is open here?  */
bool dg_symbols_is_foreign (int fd);

/* Takes a descriptor and returns one that can be mapped: the same, or that of
   a copy in memory if the file is another user's, who could shorten it, which
   would end this process.  -1: there is no memory for it.  */
int dg_symbols_private (int fd);

/* The same of any file.  */
int dg_symbols_sealed (int fd);

/* Whether it is such a copy, or a file that was in a log: who made it is not
   known.  */
bool dg_symbols_is_sealed (int fd);

#endif /* DG_SYMBOLS_PRIVATE_H */

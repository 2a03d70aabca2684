/* regular.h: files that somebody else has named: a log, a module, the debug
   information of one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REGULAR_H
#define DG_REGULAR_H

#include "libdatagrind.h"

/* Opens a file for reading, if it is a regular one.  Others are not even
   opened: a FIFO would wait for a writer, a terminal become ours, and some
   devices do something; nor are files that are nearly all holes, whose size
   has no limit.  Returns the descriptor; DG_ERR_INVALID: it is not such a
   file; DG_ERR_IO.  The message does not name the file.  */
int dg_regular_open (const char *path, struct dg_error *err);

/* Whether something is there that this does not open.  */
bool dg_regular_is_other (const char *path);

#endif /* DG_REGULAR_H */

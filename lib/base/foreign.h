/* foreign.h: what other users of the machine may have put in the way.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FOREIGN_H
#define DG_FOREIGN_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libdatagrind.h"

/* Neither the user's nor root's.  */
bool dg_foreign_is_owner (uid_t owner);

/* May another user, or any, change the file or folder of this state?  */
bool dg_foreign_is_writable (const struct stat *status);

/* May another user put something else in the place of what is in the folder,
   or move it away?  */
bool dg_foreign_may_replace (const struct stat *folder);

/* Links on the way to `path` that another user has made where everybody may
   make files: 0, or DG_ERR_IO with a message that names the first.  With
   `is_beside`, the last one must not be another user's wherever it is: what is
   written unasked, beside a file, must not go where somebody else wants.  */
int dg_foreign_check_links (const char *path, bool is_beside,
                            struct dg_error *err);

#endif /* DG_FOREIGN_H */

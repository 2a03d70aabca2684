/* installed.h: where files are that are installed with the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INSTALLED_H
#define DG_INSTALLED_H

/* Where a file or folder is that the build installs as `path`, in the folder
   datagrind next to the library.  A wheel is unpacked anywhere, so the folder
   next to the library comes first, and `path` is the answer if the file is not
   there.  To be freed.  */
char *dg_installed (const char *path);

#endif /* DG_INSTALLED_H */

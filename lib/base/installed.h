/* installed.h: where files are that are installed with the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INSTALLED_H
#define DG_INSTALLED_H

/* A file or folder that is installed in the folder datagrind beside the
   library, as `path`: there, wherever the library is now, since a wheel is
   unpacked anywhere; or `path`, if it is not there.  To be freed.  */
char *dg_installed (const char *path);

#endif /* DG_INSTALLED_H */

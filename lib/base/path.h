/* path.h: parts of the names of files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATH_H
#define DG_PATH_H

/* The last part of a path.  */
const char *dg_path_base (const char *path);
/* That, with so many folders before it; or the whole path.  */
const char *dg_path_tail (const char *path, unsigned folders);

#endif /* DG_PATH_H */

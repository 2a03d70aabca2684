/* replace_beside.h: names of files that are written beside their places.

   Who makes such a file locks it (flock), which tells it from one that was
   left by a process that was killed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_REPLACE_BESIDE_H
#define DG_REPLACE_BESIDE_H

#include <stdbool.h>

/* The path with a suffix, in the same folder, where its name may have to be
   cut.  To be freed, as the next one.  */
char *dg_beside_suffix (const char *path, const char *suffix);

/* A name for what will take the place of `path`.  */
char *dg_beside_name (const char *path);

/* Whether the name is still that of this file.  */
bool dg_beside_is_still (int fd, const char *name);

/* Removes what was left by processes that were killed while they wrote
   `path`.  */
void dg_beside_remove_left (const char *path);

#endif /* DG_REPLACE_BESIDE_H */

/* sourcemap.h: where the sources of another machine, or of another time, are
   on this one: pairs "FROM=TO", each for a file or a folder with all that is
   in it.  Only names; nothing is looked at.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SOURCEMAP_H
#define DV_SOURCEMAP_H

#include <stdbool.h>

#include <glib.h>

/* `map` is NULL-terminated everywhere, or NULL.  */

/* The file's name by the pair with the longest FROM that the name begins with,
   up to a '/' or its end; of equal ones, by the first.  NULL if none fits.  A
   new string.  */
char *dv_sourcemap_map (const char *const *map, const char *file);

/* All names to try for a file that debug information knows, the best first:
   by the map, itself, and, if it is not absolute, in each of the folders
   (NULL-terminated, or NULL).  Each name once.  Free with g_strfreev.  */
char **dv_sourcemap_candidates (const char *const *map,
                                const char *const *folders,
                                const char *file);

/* The pair that makes `file` be found as `found`, and its neighbours, too:
   what the two names end with alike is left out.  NULL if no pair can tell:
   FROM must not have a '='.  A new string.  */
char *dv_sourcemap_pair (const char *file, const char *found);

/* A map with one more pair, first; those with the same FROM are left out.
   Free with g_strfreev.  */
char **dv_sourcemap_with (const char *const *map, const char *pair);

#endif /* DV_SOURCEMAP_H */

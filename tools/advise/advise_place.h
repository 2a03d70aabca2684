/* advise_place.h: where findings are, as editors and code hosts want it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_PLACE_H
#define DG_ADVISE_PLACE_H

#include "advise_finding.h"

/* A folder of sources, by the name that was given and by the one without
   links: the compiler may have seen either.  */
struct advise_root {
  char *path, *real;       /* absolute, without a slash at the end; "" for
                              the whole file system */
};

/* folder: NULL for the current one.  */
void advise_root_init (struct advise_root *root, const char *folder);
void advise_root_fini (struct advise_root *root);

/* The path of the source, relative to the root if it is below it; the module
   if no source is known, "unknown" if that is not known either.  To be
   freed.  */
char *advise_place_path (const struct advise_root *root,
                         const struct advise_code *code);

/* A path as a reference of a URI, relative if the path is; to be freed.  */
char *advise_place_uri (const char *path);

/* What a finding has in common with the same one in another run, also if lines
   were inserted above it: 64 hexadecimal digits, different for all of
   `found`.  To be freed.  */
char *advise_place_print (const struct advise_root *root,
                          const GPtrArray *found, guint i);

#endif /* DG_ADVISE_PLACE_H */

/* places.h: where the files are that a log names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PLACES_H
#define DG_PLACES_H

#include "libdatagrind.h"

/* What dg_log_set_places or the environment says; shared by the logs that one
   grows to.  */
struct dg_places_kept {
  char *sysroot;           /* or NULL */
  char **debug_dirs;       /* never NULL, may be empty */
  char **source_map;
};

/* Whether all texts (NULL-terminated, or NULL) are "FROM=TO": 0, or
   DG_ERR_INVALID.  */
int dg_places_check (const char *const *source_map, struct dg_error *err);

/* What the environment says; NULL: nothing.  */
struct dg_places_kept *dg_places_new (void);
struct dg_places_kept *dg_places_keep (const struct dg_places *places);
/* NULL is fine.  */
struct dg_places_kept *dg_places_share (struct dg_places_kept *places);
void dg_places_free (struct dg_places_kept *places);

#endif /* DG_PLACES_H */

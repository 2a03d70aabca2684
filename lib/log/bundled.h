/* bundled.h: files that a log brings with it, and where others are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLED_H
#define DG_BUNDLED_H

#include "archive/bundle.h"
#include "dg_bundle.h"

/* What dg_log_set_places has copied; shared by the logs that one grows to.  */
struct dg_log_places {
  char *sysroot;           /* or NULL */
  char **debug_dirs;       /* never NULL, may be empty */
  char **source_map;
};

/* What the environment says; NULL: nothing.  */
struct dg_log_places *dg_log_places_new (void);
struct dg_log_places *dg_log_places_share (struct dg_log_places *places);
/* NULL is fine.  */
void dg_log_places_free (struct dg_log_places *places);

/* struct dg_bundle_file of a loaded log; NULL if it brings none.  */
const struct dg_table *dg_bundled_files (const struct dg_log *log);
/* Why it has none though it should; NULL: nothing is wrong.  */
const char *dg_bundled_problem (const struct dg_log *log);

/* A file that can be read as if it were on the disk, in memory that is the
   kernel's: a descriptor, or DG_ERR_DAMAGED, DG_ERR_IO, DG_ERR_NOMEM.  For any
   thread.  */
int dg_bundled_open (const struct dg_log *log,
                     const struct dg_bundle_file *file, struct dg_error *err);

#endif /* DG_BUNDLED_H */

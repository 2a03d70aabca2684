/* bundled.h: files that a log brings with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLED_H
#define DG_BUNDLED_H

#include "archive/bundle.h"
#include "libdatagrind.h"
#include "places.h"

/* Where other files are; NULL: where the log says.  */
const struct dg_places_kept *dg_bundled_places (const struct dg_log *log);

/* struct dg_bundle_file of a loaded log; NULL if it brings none.  */
const struct dg_table *dg_bundled_files (const struct dg_log *log);
/* Why it has none though it should; NULL: nothing is wrong.  */
const char *dg_bundled_problem (const struct dg_log *log);

/* A file that can be read as if it were on the disk, in memory that is the
   kernel's and sealed: a descriptor, or DG_ERR_DAMAGED, DG_ERR_IO,
   DG_ERR_NOMEM.  For any thread.  */
int dg_bundled_open (const struct dg_log *log,
                     const struct dg_bundle_file *file, struct dg_error *err);

#endif /* DG_BUNDLED_H */

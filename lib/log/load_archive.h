/* load_archive.h: loading an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOAD_ARCHIVE_H
#define DG_LOAD_ARCHIVE_H

#include "load.h"

/* Of struct dg_log_ops.  */
int dg_load_archive (struct dg_load *load, unsigned workers,
                     struct dg_error *err);

#endif /* DG_LOAD_ARCHIVE_H */

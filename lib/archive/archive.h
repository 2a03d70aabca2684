/* archive.h: opening archives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_H
#define DG_ARCHIVE_H

#include "archive_part.h"

/* Finds the parts.  An archive that was cut short or is damaged opens, with
   what is good of it.  DG_ERR_IO, DG_ERR_NOMEM, and for what is wrong with
   the head DG_ERR_NOT_A_LOG, DG_ERR_VERSION or DG_ERR_DAMAGED.  */
int dg_archive_open (const struct dg_source *source,
                     struct dg_archive **out, struct dg_error *err);
void dg_archive_free (struct dg_archive *archive);

#endif /* DG_ARCHIVE_H */

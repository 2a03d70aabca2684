/* bundle_write.h: adding files to an archive that is being written.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUNDLE_WRITE_H
#define DG_BUNDLE_WRITE_H

#include "archive_write.h"
#include "bundle.h"

/* Adds a file, of which kind, id, name and changed are given: its bytes.  All
   files come behind the last part of all else.  Errors as in
   archive_write.h.  */
int dg_bundle_add (struct dg_archive_writer *writer,
                   const struct dg_bundle_file *file, const uint8_t *bytes,
                   uint64_t size, struct dg_error *err);
/* Adds all files of another archive.  */
int dg_bundle_copy (struct dg_archive_writer *writer,
                    const struct dg_source *source,
                    const struct dg_table *files, struct dg_error *err);

#endif /* DG_BUNDLE_WRITE_H */

/* archive_recover.h: an archive without its footer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_RECOVER_H
#define DG_ARCHIVE_RECOVER_H

#include "archive_format.h"
#include "base/stream.h"

/* Finds the chunks of an archive without a footer, or without a good SUMMARY;
   fills chunks, lines, tail, end, good_bytes and error.  0, DG_ERR_IO,
   DG_ERR_NOMEM.  */
int dg_archive_recover (const struct dg_source *source,
                        struct dg_archive *archive, struct dg_error *err);

#endif /* DG_ARCHIVE_RECOVER_H */

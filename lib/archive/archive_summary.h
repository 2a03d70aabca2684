/* archive_summary.h: the part SUMMARY of an archive, and what chunks may say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_SUMMARY_H
#define DG_ARCHIVE_SUMMARY_H

#include "archive_format.h"

/* What the part holds, to bytes; and back, checked: all parts lie within
   the first `limit` bytes, chunks follow one another.  */
int dg_archive_summary_put (const struct dg_archive *archive,
                            struct dg_table *bytes, struct dg_error *err);
int dg_archive_summary_get (struct dg_archive *archive, const uint8_t *bytes,
                            size_t n, uint64_t limit, struct dg_error *err);

/* Whether a chunk of these totals that begins so may stand before one (or
   an end) that begins as `next` says.  */
bool dg_chunk_precedes (const struct dg_chunk_start *start,
                        const struct dg_pack_totals *totals,
                        const struct dg_chunk_start *next);
/* Whether numbers are such as a chunk can have.  */
bool dg_chunk_is_sane (const struct dg_chunk_start *start,
                       const struct dg_pack_totals *totals);

/* The name of the first number in which what an archive's SUMMARY tells
   differs from what was seen, good_bytes left aside; NULL if there is none.
   That we know types of records that its writer did not is not a
   difference.  */
const char *dg_archive_summary_differs (const struct dg_summary *told,
                                        const struct dg_summary *seen);

#endif /* DG_ARCHIVE_SUMMARY_H */

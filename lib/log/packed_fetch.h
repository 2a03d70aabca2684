/* packed_fetch.h: the chunks of an archive, made ready for loading.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_FETCH_H
#define DG_PACKED_FETCH_H

#include "archive/archive.h"

/* A chunk's parts, decompressed, and its RUNS checked.  */
struct dg_packed_fetched {
  struct dg_table definitions, records;
  struct dg_error err;     /* code 0, or why it cannot be used */
};

/* Chunks in their order, from `first` on, made ready by several threads.  */
struct dg_packed_fetch;
struct dg_packed_fetch *dg_packed_fetch_new (const struct dg_source *source,
                                             const struct dg_archive *archive,
                                             size_t first, unsigned workers,
                                             struct dg_error *err);
/* The next chunk; valid until the next call.  There is one.  */
const struct dg_packed_fetched *
dg_packed_fetch_next (struct dg_packed_fetch *fetch);
void dg_packed_fetch_free (struct dg_packed_fetch *fetch);

#endif /* DG_PACKED_FETCH_H */

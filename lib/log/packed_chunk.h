/* packed_chunk.h: beginning to read one chunk of an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_CHUNK_H
#define DG_PACKED_CHUNK_H

#include "log.h"
#include "packed.h"

/* The index of the first move at a run of the log or behind it.  */
size_t dg_packed_find_move (const struct dg_packed *packed, uint64_t run);
/* The bytes of a chunk's RUNS, checked; *bytes is used again.  */
int dg_packed_read_chunk (const struct dg_log *log,
                          const struct dg_chunk_entry *chunk,
                          struct dg_table *bytes, struct dg_error *err);
/* Begins to unpack them, with words or heads only, and checks that their
   totals are those of the archive.  */
int dg_packed_begin_chunk (const struct dg_log *log,
                           const struct dg_chunk_entry *chunk,
                           const struct dg_table *bytes, bool has_words,
                           struct dg_unpacker *unpacker,
                           struct dg_error *err);

#endif /* DG_PACKED_CHUNK_H */

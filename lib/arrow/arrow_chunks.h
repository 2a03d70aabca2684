/* arrow_chunks.h: which chunks of a log a query has to read.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_CHUNKS_H
#define DG_ARROW_CHUNKS_H

#include "arrow_query.h"

/* The chunks of a query, from its first one on: those that can have accesses
   that it asks for, by their moments and by the lines that the log's index
   has for them.  All zero but `asked` is the beginning.  It keeps the numbers
   of chunks in asked->status.  */
struct dg_arrow_chunks {
  struct dg_arrow_asked *asked;
  size_t next;
  bool has_begun;
};

/* The next chunk: 1, 0, < 0 (the index cannot be read).  */
int dg_arrow_chunks_next (struct dg_arrow_chunks *chunks, size_t *chunk,
                          struct dg_error *err);

#endif /* DG_ARROW_CHUNKS_H */

/* byte_source.h: where a log's bytes come from.

   Files are read with pread, since they may grow, be on another machine, or
   become shorter.  Files that are finished are mapped as well; what can stand
   bytes that change while it reads them, and checks them afterwards, may use
   the mapping (docs/decisions.md, "Reading and mapping").

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BYTE_SOURCE_H
#define DG_BYTE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"

struct dg_mapped;

/* A file, or memory when fd < 0.  */
struct dg_source {
  int fd;
  const uint8_t *memory;
  uint64_t size;           /* bytes that belong to the log */
  struct dg_mapped *mapped;   /* NULL: the file is not mapped */
  size_t use_min_bytes;    /* of a mapped one; tests make it small */
};

/* Maps a file that will not grow, if it is on a local file system.  Otherwise
   nothing changes.  */
void dg_source_map (struct dg_source *source);

/* The same bytes for another owner: 0 or DG_ERR_IO.  */
int dg_source_share (const struct dg_source *source, struct dg_source *to,
                     struct dg_error *err);
/* Closes the file, if there is one, and leaves an empty source.  */
void dg_source_close (struct dg_source *source);

/* Copies at least `least` and up to `most` bytes from `offset` on, which are
   within the source: how many, or DG_ERR_IO.  A file that became shorter is an
   error with the offset where it ends now, also if that happened while it was
   read.  */
ptrdiff_t dg_source_read (const struct dg_source *source, uint64_t offset,
                          void *bytes, size_t least, size_t most,
                          struct dg_error *err);

/* n bytes within the source, where they lie in memory, to be read now by this
   thread; or NULL: they have to be read with pread.  They may change at any
   moment.  */
const uint8_t *dg_source_use (const struct dg_source *source, uint64_t offset,
                              size_t n);
/* They have been read: whether they were all there.  To be called for all
   that dg_source_use gave.  */
bool dg_source_leave (const struct dg_source *source, uint64_t offset,
                      size_t n);

#endif /* DG_BYTE_SOURCE_H */

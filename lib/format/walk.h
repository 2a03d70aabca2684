/* walk.h: one pass over the records of a log or of a part of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WALK_H
#define DG_WALK_H

#include "position.h"
#include "base/stream.h"

/* Where the writer set no marker for so long, readers may begin all the same:
   a little more than its own distance.  */
#define DG_WALK_CHUNK_BYTES ((uint64_t) 5 << 20)

/* Made by dg_walk_init; then the hooks are set.  A hook that returns < 0 ends
   the walk with that.  */
struct dg_walk {
  const struct dg_format *format;
  struct dg_stream stream;
  struct dg_position position;
  /* What runs may name; kept right by the `record` hook.  */
  struct dg_run_contexts contexts;
  uint64_t last_chunk;     /* offset at which a chunk was begun */
  uint64_t unknown;        /* records of types that are skipped */

  /* A record of a known type, but no run; it is there as a whole.  */
  int (*record) (struct dg_walk *walk, const struct dg_head *head,
                 struct dg_error *err);
  /* A chunk begins here, where there is no marker.  */
  int (*chunk) (struct dg_walk *walk, struct dg_error *err);
  /* Called about every 256 KiB.  May be NULL.  */
  int (*pace) (struct dg_walk *walk, struct dg_error *err);
  void *user;
  uint64_t next_pace;      /* offset */
};

void dg_walk_init (struct dg_walk *walk, const struct dg_format *format,
                   const struct dg_source *source, uint64_t start,
                   uint64_t end);
void dg_walk_fini (struct dg_walk *walk);

/* Walks to the end: 0; or to the first bad record, which is then at
   walk->stream.offset.  */
int dg_walk_run (struct dg_walk *walk, struct dg_error *err);

#endif /* DG_WALK_H */

/* feed_decoded.h: runs of a chunk, as they are decoded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FEED_DECODED_H
#define DG_FEED_DECODED_H

#include "libdatagrind.h"

/* What is decoded at a time, at most; the last run may have more addresses
   than are left.  */
#define DG_FEED_RUNS 256
#define DG_FEED_ADDRESSES 2048

/* Runs of one thread, between which no icount is left out.  Those of no
   instructions are not given.  */
struct dg_decoded {
  const struct dg_run *runs;
  size_t n_runs;
  uint64_t end_icount;     /* behind the last one */
  uint64_t n_slots;        /* of all; DG_NEVER: not known */
  /* NULL; or each run is one of so many that are alike, the first of them,
     and end_icount is that of the chunk.  */
  const uint32_t *times;
};

#endif /* DG_FEED_DECODED_H */

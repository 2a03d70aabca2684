/* calls_spans.h: the longest calls of a thread, and when they were: as many as
   a picture of them can have.

   Memory: 48 bytes for each, twice as many as are kept.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_SPANS_H
#define DG_CALLS_SPANS_H

#include <glib.h>

#include "dg_analysis.h"

struct calls_kept_span {
  uint64_t start_icount, end_icount;
  uint64_t start_own, end_own;         /* as in struct calls_span */
  uint32_t function, depth, thread;
};

struct calls_spans {
  struct calls_kept_span *spans;
  size_t n, room, limit;
  uint64_t shortest;       /* those of fewer instructions are left out */
  uint64_t n_left_out;
  bool has_failed;         /* out of memory */
};

void calls_spans_init (struct calls_spans *spans, size_t limit,
                       uint64_t shortest);
void calls_spans_fini (struct calls_spans *spans);
void calls_spans_add (struct calls_spans *spans,
                      const struct calls_kept_span *span);
/* Leaves out the shortest, all of one length together, until there are no more
   than the limit; what it leaves does not depend on the order in which they
   were added.  */
void calls_spans_limit (struct calls_spans *spans);

/* The spans of several threads, to be limited.  */
void calls_spans_join (struct calls_spans *to,
                       const struct calls_spans *from);

/* By thread, start, and depth.  */
void calls_spans_sort (struct calls_spans *spans);

#endif /* DG_CALLS_SPANS_H */

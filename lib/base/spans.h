/* spans.h: finds, for things that begin and end, the latest one that is open
   under a key.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SPANS_H
#define DG_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* All zero is empty.  A key is a pair of numbers, such as an address and a
   size; what does not need both passes 0.  */
struct dg_spans {
  struct dg_span *slots;   /* mask + 1 of them, a power of two */
  size_t mask, used;
  struct dg_table outers;
  size_t free_outer;       /* place + 1 in outers, 0: none */
  uint64_t seed;           /* of the keys' hashes */
};

/* `index`, which is not SIZE_MAX, is open under the key from now on, over
   others that already are: 0 or DG_ERR_NOMEM.  */
int dg_spans_open (struct dg_spans *spans, uint64_t key, uint64_t key2,
                   size_t index);

/* As dg_spans_close with *old for its result, then dg_spans_open, with one
   search.  */
int dg_spans_replace (struct dg_spans *spans, uint64_t key, uint64_t key2,
                      size_t index, size_t *old);

/* The latest one that is open; SIZE_MAX if none is.  */
size_t dg_spans_find (const struct dg_spans *spans, uint64_t key,
                      uint64_t key2);

/* Closes the latest one and gives its index; SIZE_MAX if none is open.  */
size_t dg_spans_close (struct dg_spans *spans, uint64_t key, uint64_t key2);

void dg_spans_fini (struct dg_spans *spans);

#endif /* DG_SPANS_H */

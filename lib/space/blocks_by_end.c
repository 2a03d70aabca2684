/* blocks_by_end.c: heap blocks sorted by the time they are freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "blocks_by_end.h"

#include <glib.h>
#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS };

/* Moments beside their blocks, which lie anywhere in the log's table.  */
struct entry {
  uint64_t icount;
  uint32_t block;
};

static void
sort_digit (const struct entry *from, struct entry *to, size_t n,
            unsigned shift)
{
  size_t count[BUCKETS] = {0}, sum = 0;

  for (size_t i = 0; i < n; i++)
    count[from[i].icount >> shift & (BUCKETS - 1)]++;
  for (size_t i = 0; i < BUCKETS; i++) {
    size_t here = count[i];

    count[i] = sum;
    sum += here;
  }
  for (size_t i = 0; i < n; i++)
    to[count[from[i].icount >> shift & (BUCKETS - 1)]++] = from[i];
}

/* Eleven bits at a time: millions of them take no time that anybody would
   notice.  */
int
dg_blocks_by_end (const struct dg_log *log, uint32_t *indices, size_t n)
{
  struct entry *spare, *from, *to;
  uint64_t most = 0;

  if (n < 2)
    return 0;
  spare = from = g_try_new (struct entry, 2 * n);
  if (spare == NULL)
    return DG_ERR_NOMEM;
  to = from + n;
  for (size_t i = 0; i < n; i++) {
    from[i].icount = dg_log_block_extent (log, indices[i]).free_icount;
    from[i].block = indices[i];
    most |= from[i].icount;
  }
  for (unsigned shift = 0; shift < 64 && most >> shift != 0; shift += BITS) {
    struct entry *other = from;

    sort_digit (from, to, n, shift);
    from = to;
    to = other;
  }
  for (size_t i = 0; i < n; i++)
    indices[i] = from[i].block;
  g_free (spare);
  return 0;
}

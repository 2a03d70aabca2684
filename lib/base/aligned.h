/* aligned.h: arrays at addresses of cache lines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ALIGNED_H
#define DG_ALIGNED_H

#include <stdlib.h>
#include <string.h>

/* A larger array in place of `old`, which may be NULL; its first `used` bytes
   are kept, and those behind undefined.  bytes: a multiple of `alignment`.
   NULL: no memory, and `old` is as it was.  To be freed with free.  */
static inline void *
dg_aligned_grow (void *old, size_t alignment, size_t used, size_t bytes)
{
  void *grown = aligned_alloc (alignment, bytes);

  if (!grown)
    return NULL;
  if (used > 0)
    memcpy (grown, old, used);
  free (old);
  return grown;
}

#endif /* DG_ALIGNED_H */

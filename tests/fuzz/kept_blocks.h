/* kept_blocks.h: large blocks that are kept for the next input.

   What is kept may not be touched, as if it had been freed.  For targets that
   have one thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef KEPT_BLOCKS_H
#define KEPT_BLOCKS_H

#include <stddef.h>
#include <zstd.h>

/* A kept block of just this size in bytes, so that what is behind it is seen;
   NULL: there is none.  What it contains is not set, as the memory sanitizer
   knows.  */
void *dg_kept_take (size_t size);

/* Keeps a block of g_malloc() if it is large.  Returns what the caller frees
   instead of it: the block itself, an older one, or NULL.  Aborts if the block
   is kept already.  */
void *dg_kept_give (void *block, size_t size);

/* ZSTD_decompress() with a context that is kept.  */
size_t dg_kept_decompress (void *to, size_t room, const void *from, size_t n);

#endif

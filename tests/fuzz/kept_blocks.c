/* kept_blocks.c: large blocks and contexts of zstd, kept for the next input:
   the sanitizers map and unmap each, which takes as long as reading an archive
   does.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "kept_blocks.h"

#include <glib.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/msan_interface.h>
#include <stdlib.h>

#define LARGE  (48 << 10)
#define KEPT   16

#if __has_feature (memory_sanitizer)
/* What is not set stays so when the block is taken.  */
#define FORBID  __msan_poison
#define ALLOW(block, size)
#else
#define FORBID  __asan_poison_memory_region
#define ALLOW   __asan_unpoison_memory_region
#endif

static struct {
  void *block;
  size_t size;
} kept[KEPT];

static unsigned oldest;

static ZSTD_DCtx *contexts[KEPT];
static unsigned n_contexts;

void *
dg_kept_take (size_t size)
{
  for (unsigned i = 0; size >= LARGE && i < KEPT; i++) {
    void *block = kept[i].block;

    if (kept[i].size == size) {
      kept[i].block = NULL;
      kept[i].size = 0;
      ALLOW (block, size);
      return block;
    }
  }
  return NULL;
}

void *
dg_kept_give (void *block, size_t size)
{
  unsigned place = oldest;
  void *displaced;

  if (size < LARGE)
    return block;
  for (unsigned i = 0; i < KEPT; i++) {
    /* Freed twice.  */
    if (kept[i].block == block)
      abort ();
    if (kept[i].block == NULL)
      place = i;
  }
  displaced = kept[place].block;
  if (displaced != NULL) {
    oldest = (oldest + 1) % KEPT;
    ALLOW (displaced, kept[place].size);
  }
  kept[place].block = block;
  kept[place].size = size;
  FORBID (block, size);
  return displaced;
}

ZSTD_DCtx *__real_ZSTD_createDCtx (void);
ZSTD_DCtx *__wrap_ZSTD_createDCtx (void);
ZSTD_DCtx *
__wrap_ZSTD_createDCtx (void)
{
  return n_contexts > 0 ? contexts[--n_contexts] : __real_ZSTD_createDCtx ();
}

size_t __real_ZSTD_freeDCtx (ZSTD_DCtx *context);
size_t __wrap_ZSTD_freeDCtx (ZSTD_DCtx *context);
size_t
__wrap_ZSTD_freeDCtx (ZSTD_DCtx *context)
{
  if (context == NULL || n_contexts == KEPT)
    return __real_ZSTD_freeDCtx (context);
  ZSTD_DCtx_reset (context, ZSTD_reset_session_and_parameters);
  contexts[n_contexts++] = context;
  return 0;
}

/* ZSTD_decompress() of the library makes a context for each call.  */
size_t
dg_kept_decompress (void *to, size_t room, const void *from, size_t n)
{
  ZSTD_DCtx *context = __wrap_ZSTD_createDCtx ();
  size_t made = ZSTD_decompressDCtx (context, to, room, from, n);

  __wrap_ZSTD_freeDCtx (context);
  return made;
}

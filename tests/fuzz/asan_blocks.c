/* asan_blocks.c: large blocks and contexts of zstd are kept for the next
   input: the address sanitizer maps and unmaps each, which takes as long as
   reading an archive does.  What is kept may not be touched, as if it had been
   freed.  For `many`, whose targets have one thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LARGE  (48 << 10)
#define KEPT   16

static struct {
  void *block;
  size_t size;
} kept[KEPT];

static unsigned oldest;

static ZSTD_DCtx *contexts[KEPT];
static unsigned n_contexts;

/* A block of just this size, so that what is behind it is seen; or NULL.  */
static void *
take (size_t size)
{
  for (unsigned i = 0; size >= LARGE && i < KEPT; i++) {
    void *block = kept[i].block;

    if (kept[i].size == size) {
      kept[i].block = NULL;
      kept[i].size = 0;
      __asan_unpoison_memory_region (block, size);
      return block;
    }
  }
  return NULL;
}

void __real_g_free (void *block);
void __wrap_g_free (void *block);

static void
keep (void *block, size_t size)
{
  unsigned place = oldest;

  for (unsigned i = 0; i < KEPT; i++) {
    /* Freed twice.  */
    if (kept[i].block == block)
      abort ();
    if (kept[i].block == NULL)
      place = i;
  }
  if (kept[place].block != NULL) {
    oldest = (oldest + 1) % KEPT;
    __asan_unpoison_memory_region (kept[place].block, kept[place].size);
    __real_g_free (kept[place].block);
  }
  kept[place].block = block;
  kept[place].size = size;
  __asan_poison_memory_region (block, size);
}

#define WRAP_ALLOC(name, cleared) \
  void *__real_##name (size_t size); \
  void *__wrap_##name (size_t size); \
  void *__wrap_##name (size_t size) \
  { \
    void *block = take (size); \
    if (block == NULL) \
      return __real_##name (size); \
    return cleared ? memset (block, 0, size) : block; \
  }

WRAP_ALLOC (g_malloc, FALSE)
WRAP_ALLOC (g_malloc0, TRUE)
WRAP_ALLOC (g_try_malloc, FALSE)
WRAP_ALLOC (g_try_malloc0, TRUE)

void *__wrap_g_try_malloc_n (size_t n, size_t size);
void *
__wrap_g_try_malloc_n (size_t n, size_t size)
{
  size_t bytes;

  return g_size_checked_mul (&bytes, n, size) ? __wrap_g_try_malloc (bytes)
                                              : NULL;
}

void
__wrap_g_free (void *block)
{
  size_t size = block != NULL ? __sanitizer_get_allocated_size (block) : 0;

  if (size >= LARGE)
    keep (block, size);
  else
    __real_g_free (block);
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

size_t __wrap_ZSTD_decompress (void *out, size_t room, const void *bytes,
                               size_t n);
size_t
__wrap_ZSTD_decompress (void *out, size_t room, const void *bytes, size_t n)
{
  ZSTD_DCtx *context = __wrap_ZSTD_createDCtx ();
  size_t code = ZSTD_decompressDCtx (context, out, room, bytes, n);

  __wrap_ZSTD_freeDCtx (context);
  return code;
}

/* asan_blocks.c: what the address sanitizer would map and unmap for each
   input is kept (kept_blocks.c).  Linked with --wrap, so that only our own
   calls come here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <sanitizer/allocator_interface.h>
#include <string.h>

#include "kept_blocks.h"

#define WRAP_ALLOC(name, cleared) \
  void *__real_##name (size_t size); \
  void *__wrap_##name (size_t size); \
  void *__wrap_##name (size_t size) \
  { \
    void *block = dg_kept_take (size); \
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

void __real_g_free (void *block);
void __wrap_g_free (void *block);
void
__wrap_g_free (void *block)
{
  if (block != NULL)
    block = dg_kept_give (block, __sanitizer_get_allocated_size (block));
  __real_g_free (block);
}

size_t __wrap_ZSTD_decompress (void *to, size_t room, const void *from,
                               size_t n);
size_t
__wrap_ZSTD_decompress (void *to, size_t room, const void *from, size_t n)
{
  return dg_kept_decompress (to, room, from, n);
}

/* msan_boundary.c: what the memory sanitizer must know of GLib and zstd, which
   are not compiled for it.

   Memory that our code asks for is poisoned here, and nothing else (run sets
   poison_in_malloc=0): what GLib makes for itself counts as set.  What GLib
   and zstd write into our memory is set from here on.  Large blocks are
   kept (kept_blocks.c).  Linked with --wrap, so that only our own calls come
   here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/msan_interface.h>
#include <stdarg.h>
#include <string.h>
#include <zstd.h>

#include "fuzz.h"
#include "kept_blocks.h"

#define REAL(type, name, parameters)  \
  type __real_##name parameters;      \
  type __wrap_##name parameters;      \
  type __wrap_##name parameters

static gpointer
poisoned (gpointer memory, gsize n)
{
  if (memory != NULL)
    __msan_poison (memory, n);
  return memory;
}

static gpointer
set (gpointer memory)
{
  if (memory != NULL)
    __msan_unpoison (memory, __sanitizer_get_allocated_size (memory));
  return memory;
}

REAL (gpointer, g_malloc, (gsize n))
{
  gpointer memory = dg_kept_take (n);

  return memory != NULL ? memory : poisoned (__real_g_malloc (n), n);
}

REAL (gpointer, g_try_malloc, (gsize n))
{
  gpointer memory = dg_kept_take (n);

  return memory != NULL ? memory : poisoned (__real_g_try_malloc (n), n);
}

REAL (gpointer, g_malloc_n, (gsize n, gsize each))
{
  return poisoned (__real_g_malloc_n (n, each), n * each);
}

REAL (gpointer, g_try_malloc_n, (gsize n, gsize each))
{
  gsize bytes;

  if (!g_size_checked_mul (&bytes, n, each))
    return __real_g_try_malloc_n (n, each);
  return __wrap_g_try_malloc (bytes);
}

REAL (gpointer, g_malloc0, (gsize n))
{
  gpointer memory = dg_kept_take (n);

  return memory != NULL ? memset (memory, 0, n) : set (__real_g_malloc0 (n));
}

REAL (gpointer, g_try_malloc0, (gsize n))
{
  gpointer memory = dg_kept_take (n);

  return memory != NULL ? memset (memory, 0, n)
                        : set (__real_g_try_malloc0 (n));
}

REAL (gpointer, g_malloc0_n, (gsize n, gsize each))
{
  return set (__real_g_malloc0_n (n, each));
}

REAL (gpointer, g_try_malloc0_n, (gsize n, gsize each))
{
  return set (__real_g_try_malloc0_n (n, each));
}

/* What is added to memory that grows is not set.  */
REAL (gpointer, g_try_realloc_n, (gpointer memory, gsize n, gsize each))
{
  gsize had = memory != NULL ? __sanitizer_get_allocated_size (memory) : 0;
  guint8 *new = __real_g_try_realloc_n (memory, n, each);

  if (new != NULL && n * each > had)
    __msan_poison (new + had, n * each - had);
  return new;
}

REAL (gpointer, g_try_realloc, (gpointer memory, gsize n))
{
  return __wrap_g_try_realloc_n (memory, n, 1);
}

REAL (gpointer, g_realloc_n, (gpointer memory, gsize n, gsize each))
{
  return __wrap_g_try_realloc_n (memory, n, each);
}

REAL (gpointer, g_realloc, (gpointer memory, gsize n))
{
  return __wrap_g_try_realloc_n (memory, n, 1);
}

/* What is not kept may be GLib's next.  */
REAL (void, g_free, (gpointer memory))
{
  if (memory != NULL)
    memory = dg_kept_give (memory, __sanitizer_get_allocated_size (memory));
  __real_g_free (set (memory));
}

REAL (gchar *, g_strdup, (const gchar *text))
{
  return set (__real_g_strdup (text));
}

REAL (gboolean, g_hash_table_iter_next,
      (GHashTableIter *iter, gpointer *key, gpointer *value))
{
  gboolean is_there;

  __msan_unpoison (iter, sizeof *iter);
  is_there = __real_g_hash_table_iter_next (iter, key, value);
  if (key != NULL)
    __msan_unpoison (key, sizeof *key);
  if (value != NULL)
    __msan_unpoison (value, sizeof *value);
  return is_there;
}

REAL (gboolean, g_hash_table_lookup_extended,
      (GHashTable *table, gconstpointer wanted, gpointer *key,
       gpointer *value))
{
  gboolean is_there =
    __real_g_hash_table_lookup_extended (table, wanted, key, value);

  if (key != NULL)
    __msan_unpoison (key, sizeof *key);
  if (value != NULL)
    __msan_unpoison (value, sizeof *value);
  return is_there;
}

/* Of messages what was formatted.  */
gint __wrap_g_snprintf (gchar *to, gulong n, const gchar *format, ...);
gint
__wrap_g_snprintf (gchar *to, gulong n, const gchar *format, ...)
{
  va_list args;
  gint length;

  va_start (args, format);
  length = g_vsnprintf (to, n, format, args);
  va_end (args);
  if (n > 0)
    __msan_unpoison (to, MIN (n, (gulong) length + 1));
  return length;
}

/* What is expanded must be set itself.  */
REAL (size_t, ZSTD_decompress,
      (void *to, size_t room, const void *from, size_t n))
{
  size_t made;

  __msan_check_mem_is_initialized (from, n);
  made = dg_kept_decompress (to, room, from, n);
  if (!ZSTD_isError (made))
    __msan_unpoison (to, made);
  return made;
}

REAL (size_t, ZSTD_decompressDCtx,
      (ZSTD_DCtx *context, void *to, size_t room, const void *from, size_t n))
{
  size_t made;

  __msan_check_mem_is_initialized (from, n);
  made = __real_ZSTD_decompressDCtx (context, to, room, from, n);
  if (!ZSTD_isError (made))
    __msan_unpoison (to, made);
  return made;
}

REAL (size_t, ZSTD_compress,
      (void *to, size_t room, const void *from, size_t n, int level))
{
  /* Of mutations, which may copy what is not set.  */
  size_t made = __real_ZSTD_compress (to, room, from, n, level);

  if (!ZSTD_isError (made))
    __msan_unpoison (to, made);
  return made;
}

REAL (size_t, ZSTD_compressCCtx,
      (ZSTD_CCtx *context, void *to, size_t room, const void *from, size_t n,
       int level))
{
  size_t made;

  __msan_check_mem_is_initialized (from, n);
  made = __real_ZSTD_compressCCtx (context, to, room, from, n, level);
  if (!ZSTD_isError (made))
    __msan_unpoison (to, made);
  return made;
}

/* Seeds are made by the other build: for packing all of the library is
   needed.  */
void
dg_fuzz_seed_archive (GByteArray *bytes)
{
  (void) bytes;
}

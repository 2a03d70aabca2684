/* nomem.c: memory that runs out when a test wants it to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "nomem.h"

#include <dlfcn.h>
#include <stdlib.h>

static gint left;              /* atomic: requests until one fails */
static gint failed;            /* atomic */
static bool goes_on_failing;   /* ... and those behind it */
static gsize largest;          /* atomic */

void
nomem_begin (int n, bool is_lasting)
{
  g_atomic_int_set (&failed, 0);
  __atomic_store_n (&largest, 0, __ATOMIC_RELAXED);
  /* 0 and less never fail: only from n on down to there.  */
  goes_on_failing = is_lasting;
  g_atomic_int_set (&left, n);
}

bool
nomem_end (void)
{
  goes_on_failing = false;
  g_atomic_int_set (&left, 0);
  return g_atomic_int_get (&failed);
}

gsize
nomem_largest (void)
{
  return __atomic_load_n (&largest, __ATOMIC_RELAXED);
}

static bool
is_refused (void)
{
  int now = g_atomic_int_add (&left, -1);

  if (now != 1 && (now > 1 || !goes_on_failing))
    return false;
  g_atomic_int_set (&failed, 1);
  return true;
}

static bool
is_too_many (gsize n, gsize size)
{
  return size > 0 && n > G_MAXSIZE / size;
}

/* ---- What can fail ---- */

gpointer
(g_try_malloc) (gsize n)
{
  return n == 0 || is_refused () ? NULL : malloc (n);
}

gpointer
(g_try_malloc0) (gsize n)
{
  return n == 0 || is_refused () ? NULL : calloc (1, n);
}

gpointer
(g_try_realloc) (gpointer old, gsize n)
{
  if (n == 0) {
    free (old);
    return NULL;
  }
  return is_refused () ? NULL : realloc (old, n);
}

gpointer
(g_try_malloc_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_malloc (n * size);
}

gpointer
(g_try_malloc0_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_malloc0 (n * size);
}

gpointer
(g_try_realloc_n) (gpointer old, gsize n, gsize size)
{
  return is_too_many (n, size) ? NULL : g_try_realloc (old, n * size);
}

/* ---- What cannot ---- */

static void
note (gsize n)
{
  gsize most = nomem_largest ();

  while (n > most
         && !__atomic_compare_exchange_n (&largest, &most, n, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

static gpointer
must (gpointer memory, gsize n)
{
  if (memory == NULL && n > 0)
    abort ();
  note (n);
  return memory;
}

gpointer
(g_malloc) (gsize n)
{
  return n == 0 ? NULL : must (malloc (n), n);
}

gpointer
(g_malloc0) (gsize n)
{
  return n == 0 ? NULL : must (calloc (1, n), n);
}

gpointer
(g_realloc) (gpointer old, gsize n)
{
  if (n == 0) {
    free (old);
    return NULL;
  }
  return must (realloc (old, n), n);
}

gpointer
(g_malloc_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? must (NULL, n) : g_malloc (n * size);
}

gpointer
(g_malloc0_n) (gsize n, gsize size)
{
  return is_too_many (n, size) ? must (NULL, n) : g_malloc0 (n * size);
}

gpointer
(g_realloc_n) (gpointer old, gsize n, gsize size)
{
  return is_too_many (n, size) ? must (NULL, n) : g_realloc (old, n * size);
}

/* ---- GLib's arrays ---- */

/* GLib's own of a function that has its name here, too.  */
#define REAL(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

GArray *
(g_array_append_vals) (GArray *array, gconstpointer items, guint n)
{
  array = REAL (g_array_append_vals) (array, items, n);
  note ((gsize) array->len * g_array_get_element_size (array));
  return array;
}

GArray *
(g_array_set_size) (GArray *array, guint n)
{
  array = REAL (g_array_set_size) (array, n);
  note ((gsize) n * g_array_get_element_size (array));
  return array;
}

void
(g_ptr_array_add) (GPtrArray *array, gpointer item)
{
  REAL (g_ptr_array_add) (array, item);
  note (array->len * sizeof item);
}

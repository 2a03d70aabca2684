/* spans.c: finds, for things that begin and end, the latest one that is open
   under a key.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "spans.h"

#include "libdatagrind.h"

struct span {
  uint64_t key, key2;
  size_t index;
  struct span *outer;      /* open under the same key since before */
  guint hash;
};

static guint
span_hash (gconstpointer p)
{
  return ((const struct span *) p)->hash;
}

/* Keys are addresses, often multiples of a power of two: all bits count.  The
   seed keeps a log from being made so that all its keys meet.  */
static guint
hash_keys (const struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  uint64_t h = (key ^ spans->seed) * UINT64_C (0xd6e8feb86659fd93);

  h ^= h >> 32;
  h = (h ^ key2) * UINT64_C (0x9e3779b97f4a7c15);
  return (guint) (h ^ h >> 32);
}

static gboolean
span_equal (gconstpointer a, gconstpointer b)
{
  const struct span *x = a, *y = b;

  return x->key == y->key && x->key2 == y->key2;
}

int
dg_spans_open (struct dg_spans *spans, uint64_t key, uint64_t key2,
               size_t index)
{
  struct span *span = g_try_new (struct span, 1);

  if (!span)
    return DG_ERR_NOMEM;
  if (!spans->open) {
    spans->open = g_hash_table_new (span_hash, span_equal);
    spans->seed = (uint64_t) g_random_int () << 32 | g_random_int ();
  }
  span->hash = hash_keys (spans, key, key2);
  span->key = key;
  span->key2 = key2;
  span->index = index;
  span->outer = g_hash_table_lookup (spans->open, span);
  g_hash_table_add (spans->open, span);
  return 0;
}

size_t
dg_spans_close (struct dg_spans *spans, uint64_t key, uint64_t key2)
{
  struct span wanted = { .key = key, .key2 = key2 }, *span;
  size_t index;

  if (!spans->open)
    return SIZE_MAX;
  wanted.hash = hash_keys (spans, key, key2);
  span = g_hash_table_lookup (spans->open, &wanted);
  if (!span)
    return SIZE_MAX;
  if (span->outer)
    g_hash_table_add (spans->open, span->outer);
  else
    g_hash_table_remove (spans->open, span);
  index = span->index;
  g_free (span);
  return index;
}

void
dg_spans_fini (struct dg_spans *spans)
{
  GHashTableIter iter;
  gpointer key;

  if (!spans->open)
    return;
  g_hash_table_iter_init (&iter, spans->open);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    for (struct span *span = key, *outer; span; span = outer) {
      outer = span->outer;
      g_free (span);
    }
  g_hash_table_destroy (spans->open);
  spans->open = NULL;
}

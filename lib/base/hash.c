/* hash.c: hashes for GLib's tables of what comes from logs.

   The seed is of the process, as GLib passes none: the kernel has put random
   bytes into each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "hash.h"

#include <sys/auxv.h>

#include "libdatagrind.h"

static void
take_seeds (uint64_t seeds[2])
{
  const void *random = (const void *) getauxval (AT_RANDOM);

  memset (seeds, 0, 2 * sizeof *seeds);
  if (random)
    memcpy (seeds, random, 2 * sizeof *seeds);
}

unsigned
dg_hash_uint64 (const void *number)
{
  uint64_t seeds[2], value;

  take_seeds (seeds);
  memcpy (&value, number, sizeof value);
  return dg_hash_top (dg_hash_add (dg_hash_add (seeds[0], value), seeds[1]));
}

guint
dg_hash_value (gconstpointer key)
{
  uint64_t value = (uintptr_t) key;

  return dg_hash_uint64 (&value);
}

unsigned
dg_hash_text (const void *text)
{
  uint64_t seeds[2];

  take_seeds (seeds);
  return dg_hash_top (dg_hash_add (dg_hash_text_add (seeds[0], text),
                                   seeds[1]));
}

guint
dg_hash_of_words (const void *bytes, size_t n)
{
  uint64_t seeds[2];

  take_seeds (seeds);
  return dg_hash_top (dg_hash_add (dg_hash_words (seeds[0], bytes, n),
                                   seeds[1]));
}

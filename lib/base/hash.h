/* hash.h: hashes of numbers, for tables of open addressing and of GLib.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_HASH_H
#define DG_HASH_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A hash's upper half is the good one, and its uppermost bits the best: only
   they depend on all bits of what is hashed.  This is what tables take, from
   the lowest bit on.  */
static inline uint32_t
dg_hash_top (uint64_t hash)
{
  return (uint32_t) __builtin_bswap64 (hash);
}

static inline uint64_t
dg_hash (uint64_t number)
{
  return number * UINT64_C (0x9e3779b97f4a7c15);
}

/* The hash of what has that hash, followed by one more number.  To begin with
   a seed, it stands for that hash.  Both halves of the product are needed: the
   lower one alone keeps a difference in the uppermost bit as it is, whatever
   the seed, so that the next number could undo it.  */
static inline uint64_t
dg_hash_add (uint64_t hash, uint64_t number)
{
  unsigned __int128 product
    = (unsigned __int128) (hash ^ number) * UINT64_C (0xd6e8feb86659fd93);

  return (uint64_t) (product >> 64) ^ (uint64_t) product;
}

/* Likewise, followed by n bytes, a multiple of 8.  */
static inline uint64_t
dg_hash_words (uint64_t hash, const void *bytes, size_t n)
{
  uint64_t word;

  for (size_t at = 0; at < n; at += sizeof word) {
    memcpy (&word, (const char *) bytes + at, sizeof word);
    hash = dg_hash_add (hash, word);
  }
  return hash;
}

/* Likewise, followed by a text.  */
static inline uint64_t
dg_hash_text_add (uint64_t hash, const char *text)
{
  for (; *text; text++)
    hash = dg_hash_add (hash, (uint8_t) *text);
  return hash ^ hash >> 32;
}

/* The hash of what has that hash, followed by a pointer, for GLib.  */
static inline guint
dg_hash_pointer (guint hash, const void *pointer)
{
  uint64_t mixed = dg_hash ((uintptr_t) pointer ^ hash);

  return (guint) (mixed >> 32) ^ (guint) mixed;
}

/* A hash function for GLib's tables whose keys are numbers, stored as
   pointers.  For pointers to numbers, see dg_hash_uint64 (dg_base.h).  */
guint dg_hash_value (gconstpointer key);

/* For hash functions of GLib's tables: of n bytes, a multiple of 8, with a
   seed of the process.  */
guint dg_hash_of_words (const void *bytes, size_t n);

/* With a seed, no log can be made so that all its items meet in one place.  */
static inline uint64_t
dg_hash_seed (void)
{
  return (uint64_t) g_random_int () << 32 | g_random_int ();
}

#endif /* DG_HASH_H */

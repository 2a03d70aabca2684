/* cache_sim.c: one set-associative cache.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

/* ---- Shapes ---------------------------------------------------------- */

enum dg_cache_policy
dg_cache_policy_parse (const char *text)
{
  if (strcmp (text, "fifo") == 0)
    return DG_CACHE_FIFO;
  return strcmp (text, "random") == 0 ? DG_CACHE_RANDOM : DG_CACHE_LRU;
}

/* A number and what must stand behind it; *at stays where it is wrong.  */
static bool
take_part (const char **at, enum dg_quantity quantity, char end,
           uint64_t *number)
{
  if (!dg_number_take (at, ",", quantity, number) || **at != end)
    return false;
  *at += end != '\0';
  return true;
}

int
dg_cache_shape_parse (const char *text, const char *what,
                      struct dg_cache_shape *shape, struct dg_error *err)
{
  const char *at = text;
  uint64_t size, assoc, line;

  if (!take_part (&at, DG_QUANTITY_BYTES, ',', &size)
      || !take_part (&at, DG_QUANTITY_COUNT, ',', &assoc)
      || !take_part (&at, DG_QUANTITY_BYTES, '\0', &line))
    return dg_number_is_too_large (at)
             ? dg_error_set (err, DG_ERR_INVALID, "%s=%s: too large", what,
                             text)
             : dg_error_set (err, DG_ERR_INVALID,
                             "%s=%s: must be SIZE,ASSOCIATIVITY,LINE-SIZE, "
                             "such as 32768,8,64",
                             what, text);
  if (line > UINT32_MAX)
    return dg_error_set (err, DG_ERR_INVALID, "%s=%s: too large", what, text);
  shape->size = size;
  shape->assoc = MIN (assoc, UINT32_MAX);
  shape->line = line;
  return dg_cache_shape_check (shape, DG_CACHE_LINE_MIN, what, err);
}

static bool
is_power_of_two (uint64_t n)
{
  return n != 0 && (n & (n - 1)) == 0;
}

int
dg_cache_shape_check (const struct dg_cache_shape *shape, uint32_t line_min,
                      const char *what, struct dg_error *err)
{
  char sets[G_ASCII_DTOSTR_BUF_SIZE];
  uint64_t lines;

  if (shape->size == 0 || shape->assoc == 0 || shape->line == 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: size, associativity and line size must be above "
                         "0",
                         what);
  if (!is_power_of_two (shape->line) || shape->line < line_min)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: the line size %" PRIu32
                         " is not a power of two of at least %" PRIu32,
                         what, shape->line, line_min);
  if (shape->size > DG_CACHE_SIZE_MAX * (shape->line / DG_CACHE_LINE_MIN))
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: too large: at most 64 Mi lines", what);
  if (shape->size <= shape->line)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: the size %" PRIu64
                         " must be above the line size %" PRIu32,
                         what, shape->size, shape->line);
  lines = shape->size / shape->line;
  if (shape->assoc > lines)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: %" PRIu32 " lines per set, but only %" PRIu64
                         " in total",
                         what, shape->assoc, lines);
  if (shape->size % ((uint64_t) shape->line * shape->assoc) != 0
      || !is_power_of_two (lines / shape->assoc))
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: size / line size / associativity, the number of "
                         "sets, must be a power of two; it is %s",
                         what,
                         g_ascii_formatd (sets, sizeof sets, "%.4g",
                                          (double) shape->size / shape->line
                                            / shape->assoc));
  return 0;
}

/* ---- Lines ----------------------------------------------------------- */

int
dg_cache_init (struct dg_cache *cache, const struct dg_cache_shape *shape,
               enum dg_cache_policy policy, struct dg_error *err)
{
  uint64_t sets = dg_cache_shape_sets (shape);
  size_t bytes = sets * shape->assoc * sizeof *cache->lines;
  uint64_t i;

  memset (cache, 0, sizeof *cache);
  cache->set_mask = sets - 1;
  cache->line_bits = g_bit_nth_msf (shape->line, -1);
  cache->assoc = shape->assoc;
  cache->policy = policy;
  /* So that a set of eight lies in one line of the cache that we use.  */
  if (posix_memalign ((void **) &cache->lines, 64, bytes) != 0)
    cache->lines = NULL;
  if (policy == DG_CACHE_RANDOM)
    cache->seeds = g_try_new (uint32_t, sets);
  if (cache->lines == NULL
      || (policy == DG_CACHE_RANDOM && cache->seeds == NULL)) {
    dg_cache_fini (cache);
    return dg_error_set (err, DG_ERR_NOMEM,
                         "not enough memory for a cache of %" PRIu64 " bytes",
                         shape->size);
  }
  dg_cache_clear (cache);
  for (i = 0; cache->seeds != NULL && i < sets; i++)
    cache->seeds[i] = (uint32_t) (i + 1) * UINT32_C (2654435761) | 1;
  return 0;
}

void
dg_cache_fini (struct dg_cache *cache)
{
  free (cache->lines);
  g_free (cache->seeds);
  g_free (cache->since);
  memset (cache, 0, sizeof *cache);
}

void
dg_cache_clear (struct dg_cache *cache)
{
  memset (cache->lines, 0xff,
          (cache->set_mask + 1) * cache->assoc * sizeof *cache->lines);
  cache->touches = cache->next = 0;
}

/* A 32-bit xorshift generator (Marsaglia, "Xorshift RNGs", 2003).  Ways that
   are empty come first.  */
unsigned
dg_cache_victim (struct dg_cache *cache, uint64_t *set)
{
  uint32_t *seed = &cache->seeds[(size_t) (set - cache->lines) / cache->assoc];
  unsigned i;

  for (i = 0; i < cache->assoc; i++)
    if (set[i] == DG_CACHE_EMPTY)
      return i;
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  return (unsigned) (((uint64_t) *seed * cache->assoc) >> 32);
}

static bool
is_in_set (const struct dg_cache *cache, const uint64_t *set, uint64_t line)
{
  unsigned i;

  for (i = 0; i < cache->assoc; i++)
    if (set[i] == line)
      return true;
  return false;
}

/* The line goes to the front; those before the place where it was move on by
   one; if it was nowhere, the last one falls out.  */
uint64_t
dg_cache_replace (struct dg_cache *cache, uint64_t *set, uint64_t line)
{
  uint64_t carry = line, next;
  unsigned i;

  for (i = 0; i < cache->assoc; i++) {
    next = set[i];
    set[i] = carry;
    carry = next;
    if (next == line)
      break;
  }
  return carry;
}

bool
dg_cache_look (struct dg_cache *cache, uint64_t *set, uint64_t line)
{
  if (cache->policy != DG_CACHE_LRU && is_in_set (cache, set, line))
    return true;
  if (cache->policy == DG_CACHE_RANDOM) {
    set[dg_cache_victim (cache, set)] = line;
    return false;
  }
  return dg_cache_replace (cache, set, line) == line;
}

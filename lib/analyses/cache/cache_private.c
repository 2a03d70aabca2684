/* cache_private.c: data caches of several cores over one memory.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_private.h"

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "base/pairs.h"
#include "base/table.h"

/* Numbers of lines have at most 60 bits, as lines have at least 16 bytes; what
   is above them is the line's state.  Exclusive: none of these.  */
#define SHARED     ((uint64_t) 1 << 60)
#define MODIFIED   ((uint64_t) 1 << 61)
#define INVALID    ((uint64_t) 1 << 62)
#define PREFETCHED ((uint64_t) 1 << 63)
#define LINE       (SHARED - 1)

struct dg_cache_private {
  struct dg_cache *caches;
  uint32_t n_cores;
  bool has_prefetch;
  bool has_failed;
  struct dg_cache_private_counts counts;
  uint64_t *taken;         /* [writer * n_cores + sufferer] */
  struct dg_table lines;   /* struct dg_cache_private_line */
  struct dg_pairs line_of; /* number of a line -> its index there */
};

struct dg_cache_private *
dg_cache_private_new (const struct dg_cache_shape *shape,
                      enum dg_cache_policy policy, uint32_t n_cores,
                      bool has_prefetch, struct dg_error *err)
{
  struct dg_cache_private *caches = g_try_new0 (struct dg_cache_private, 1);
  uint32_t i;

  g_assert (n_cores > 0 && n_cores <= DG_CACHE_PRIVATE_CORES);
  if (caches == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  caches->n_cores = n_cores;
  caches->has_prefetch = has_prefetch;
  caches->caches = g_try_new0 (struct dg_cache, n_cores);
  caches->taken = g_try_new0 (uint64_t, (size_t) n_cores * n_cores);
  if (caches->caches == NULL || caches->taken == NULL) {
    dg_error_nomem (err);
    goto fail;
  }
  for (i = 0; i < n_cores; i++)
    if (dg_cache_init (&caches->caches[i], shape, policy, err) < 0)
      goto fail;
  return caches;

fail:
  dg_cache_private_free (caches);
  return NULL;
}

void
dg_cache_private_free (struct dg_cache_private *caches)
{
  uint32_t i;

  if (caches == NULL)
    return;
  for (i = 0; caches->caches != NULL && i < caches->n_cores; i++)
    dg_cache_fini (&caches->caches[i]);
  g_free (caches->caches);
  g_free (caches->taken);
  dg_table_fini (&caches->lines);
  dg_pairs_fini (&caches->line_of);
  g_free (caches);
}

void
dg_cache_private_forget (struct dg_cache_private *caches)
{
  uint32_t i;

  for (i = 0; i < caches->n_cores; i++)
    dg_cache_clear (&caches->caches[i]);
}

/* ---- Places ----------------------------------------------------------- */

/* The place of a line in a set, valid or not; -1: none.  */
static int
find (const struct dg_cache *cache, const uint64_t *set, uint64_t line)
{
  unsigned i;

  for (i = 0; i < cache->assoc; i++)
    if ((set[i] & LINE) == line && set[i] != DG_CACHE_EMPTY)
      return i;
  return -1;
}

/* Moves the line at a place to the front.  */
static void
to_front (uint64_t *set, unsigned place, uint64_t line)
{
  memmove (set + 1, set, place * sizeof *set);
  set[0] = line;
}

/* Puts a line that is not there, or invalid at `place`, into its set.  Places
   that were never used are taken first, then those of invalid lines.  */
static void
insert (struct dg_cache_private *caches, struct dg_cache *cache, uint64_t *set,
        int place, uint64_t line)
{
  unsigned i;

  for (i = cache->assoc; place < 0 && i-- > 0;)
    if (set[i] == DG_CACHE_EMPTY)
      place = i;
  for (i = cache->assoc; place < 0 && i-- > 0;)
    if ((set[i] & INVALID) != 0)
      place = i;
  if (place < 0 && cache->policy == DG_CACHE_RANDOM)
    place = dg_cache_victim (cache, set);
  if (place < 0)
    place = cache->assoc - 1;
  if (set[place] != DG_CACHE_EMPTY && (set[place] & PREFETCHED) != 0)
    caches->counts.useless++;
  if (cache->policy == DG_CACHE_RANDOM)
    set[place] = line;
  else
    to_front (set, place, line);
}

/* ---- Coherence -------------------------------------------------------- */

static struct dg_cache_private_line *
note_line (struct dg_cache_private *caches, uint64_t line)
{
  uint32_t i = dg_pairs_find (&caches->line_of, line, 0);
  struct dg_cache_private_line *note;

  if (i != UINT32_MAX)
    return (struct dg_cache_private_line *) caches->lines.items + i;
  if (caches->lines.n >= DG_CACHE_PRIVATE_LINES)
    return NULL;
  note = dg_table_add (&caches->lines, sizeof *note);
  if (note == NULL
      || dg_pairs_add (&caches->line_of, line, 0, caches->lines.n - 1) < 0) {
    caches->has_failed = true;
    return NULL;
  }
  note->line = line;
  return note;
}

static void
add_core (uint64_t *cores, uint32_t core)
{
  cores[core / 64] |= (uint64_t) 1 << core % 64;
}

/* Where a cache has a valid copy of a line; NULL: it has none.  */
static uint64_t *
find_copy (const struct dg_cache *cache, uint64_t line)
{
  uint64_t *set = dg_cache_set (cache, line);
  const int place = find (cache, set, line);

  return place < 0 || (set[place] & INVALID) != 0 ? NULL : &set[place];
}

/* Takes a line away from all other caches: from how many.  */
static uint32_t
take_away (struct dg_cache_private *caches, uint32_t core, uint64_t line,
           const struct dg_access *access)
{
  struct dg_cache_private_line *note;
  uint32_t i, n = 0;

  for (i = 0; i < caches->n_cores; i++) {
    uint64_t *copy = i != core ? find_copy (&caches->caches[i], line) : NULL;
    if (copy == NULL)
      continue;
    if ((*copy & PREFETCHED) != 0)
      caches->counts.useless++;
    *copy = line | INVALID;
    caches->taken[(size_t) core * caches->n_cores + i]++;
    n++;
  }
  if (n == 0)
    return 0;
  note = note_line (caches, line);
  if (note == NULL) {
    caches->counts.lines_lost += n;
    return n;
  }
  note->invalidations += n;
  note->write = *access;
  add_core (note->writers, core);
  return n;
}

/* Whether another cache has the line; all of them know then that they share
   it.  */
static bool
share (struct dg_cache_private *caches, uint32_t core, uint64_t line)
{
  bool is_shared = false;
  uint32_t i;

  for (i = 0; i < caches->n_cores; i++) {
    uint64_t *copy = i != core ? find_copy (&caches->caches[i], line) : NULL;
    if (copy == NULL)
      continue;
    if ((*copy & MODIFIED) != 0)
      caches->counts.transfers++;
    *copy = (*copy & ~MODIFIED) | SHARED;
    is_shared = true;
  }
  return is_shared;
}

static void
note_miss (struct dg_cache_private *caches, uint32_t core, uint64_t line,
           const struct dg_access *access)
{
  struct dg_cache_private_line *note = note_line (caches, line);

  if (note == NULL)
    return;
  note->misses++;
  note->miss = *access;
  add_core (note->sufferers, core);
}

/* ---- Accesses --------------------------------------------------------- */

/* Fetches the line behind, if it is not there.  */
static void
prefetch (struct dg_cache_private *caches, uint32_t core, uint64_t line,
          struct dg_cache_private_result *result)
{
  struct dg_cache *cache = &caches->caches[core];
  uint64_t *set = dg_cache_set (cache, line), state = PREFETCHED;
  int place = find (cache, set, line);

  if (line > LINE || (place >= 0 && (set[place] & INVALID) == 0))
    return;
  if (share (caches, core, line))
    state |= SHARED;
  insert (caches, cache, set, place, line | state);
  caches->counts.prefetches++;
  result->prefetches[result->n_prefetches++] = line << cache->line_bits;
}

/* A line that is there, at `place`.  */
static void
hit (struct dg_cache_private *caches, uint32_t core, uint64_t line, int place,
     const struct dg_access *access, struct dg_cache_private_result *result)
{
  struct dg_cache *cache = &caches->caches[core];
  uint64_t *set = dg_cache_set (cache, line), entry = set[place];
  bool was_prefetched = (entry & PREFETCHED) != 0;

  entry &= ~PREFETCHED;
  if (access->kind == DG_ACC_WRITE) {
    if ((entry & SHARED) != 0) {
      caches->counts.upgrades++;
      result->invalidated += take_away (caches, core, line, access);
    }
    entry = line | MODIFIED;
  }
  if (cache->policy == DG_CACHE_LRU)
    to_front (set, place, entry);
  else
    set[place] = entry;
  if (was_prefetched) {
    caches->counts.useful++;
    prefetch (caches, core, line + 1, result);
  }
}

/* Places are free only behind those that are used, or anywhere if lines have
   no order.  */
static bool
has_free_place (const struct dg_cache *cache, const uint64_t *set)
{
  unsigned i;

  for (i = 0; i < cache->assoc; i++)
    if (set[i] == DG_CACHE_EMPTY)
      return true;
  return false;
}

static void
access_line (struct dg_cache_private *caches, uint32_t core, uint64_t line,
             const struct dg_access *access,
             struct dg_cache_private_result *result)
{
  struct dg_cache *cache = &caches->caches[core];
  uint64_t *set = dg_cache_set (cache, line), state = 0;
  int place = find (cache, set, line);

  if (place >= 0 && (set[place] & INVALID) == 0) {
    hit (caches, core, line, place, access, result);
    return;
  }
  result->is_unknown =
    (!result->is_miss || result->is_unknown) && place < 0
    && has_free_place (cache, set);
  result->is_miss = true;
  if (place >= 0) {
    result->is_coherence = true;
    note_miss (caches, core, line, access);
  }
  if (share (caches, core, line))
    state = SHARED;
  if (access->kind == DG_ACC_WRITE) {
    if (state == SHARED)
      result->invalidated += take_away (caches, core, line, access);
    state = MODIFIED;
  }
  insert (caches, cache, set, place, line | state);
  if (caches->has_prefetch)
    prefetch (caches, core, line + 1, result);
}

void
dg_cache_private_access (struct dg_cache_private *caches, uint32_t core,
                         const struct dg_access *access, uint32_t width,
                         struct dg_cache_private_result *result)
{
  unsigned bits = caches->caches[core].line_bits;
  uint64_t end = access->address + width, line = access->address >> bits;
  uint64_t last = (end < access->address ? UINT64_MAX : end) >> bits;

  memset (result, 0, sizeof *result);
  access_line (caches, core, line, access, result);
  if (line != last)
    access_line (caches, core, last, access, result);
}

/* ---- What was found --------------------------------------------------- */

const struct dg_cache_private_counts *
dg_cache_private_counts (const struct dg_cache_private *caches)
{
  return &caches->counts;
}

uint64_t
dg_cache_private_taken (const struct dg_cache_private *caches, uint32_t writer,
                        uint32_t sufferer)
{
  return caches->taken[(size_t) writer * caches->n_cores + sufferer];
}

const struct dg_cache_private_line *
dg_cache_private_lines (const struct dg_cache_private *caches, size_t *n)
{
  *n = caches->lines.n;
  return caches->lines.items;
}

bool
dg_cache_private_has_failed (const struct dg_cache_private *caches)
{
  return caches->has_failed;
}

/* contention.c: counts of accesses to a cache line by thread, phase and bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "contention.h"

#include <string.h>

#include "base/bisect.h"
#include "base/error.h"

struct dg_contention *
dg_contention_new (uint32_t most)
{
  struct dg_contention *contention = g_try_new0 (struct dg_contention, 1);

  if (contention != NULL)
    contention->most = most;
  return contention;
}

void
dg_contention_free (struct dg_contention *contention)
{
  if (contention == NULL)
    return;
  g_free (contention->table);
  dg_lookup_fini (&contention->lookup);
  dg_packed_sums_fini (&contention->sums);
  g_free (contention->verdicts);
  g_free (contention->spots);
  g_free (contention);
}

/* ---- The table ---------------------------------------------------------- */

static inline bool
is_same (const struct dg_spot *a, const struct dg_spot *b)
{
  return a->line == b->line && a->thread == b->thread && a->phase == b->phase
         && a->first == b->first && a->last == b->last;
}

static inline uint64_t
hash (const struct dg_spot *spot)
{
  return dg_hash_add (
    dg_hash (spot->line << 12 ^ (uint64_t) spot->first << 6 ^ spot->last),
    (uint64_t) spot->phase << 32 | spot->thread);
}

/* The same order as that of spots in a verdict.  */
static struct dg_sum
sum_of (const struct dg_spot *spot)
{
  return (struct dg_sum){
    .key = { spot->line, spot->thread, spot->phase,
             (uint64_t) spot->first << 8 | spot->last },
    .reads = spot->reads,
    .writes = spot->writes };
}

struct dg_spot
dg_contention_spot (const struct dg_sum *sum)
{
  return (struct dg_spot){ .line = sum->key[0],
                           .thread = (uint32_t) sum->key[1],
                           .phase = (uint32_t) sum->key[2],
                           .first = (uint8_t) (sum->key[3] >> 8),
                           .last = (uint8_t) sum->key[3],
                           .reads = sum->reads,
                           .writes = sum->writes };
}

/* Spots are missing: nothing more is added.  */
static int
fail (struct dg_contention *contention)
{
  contention->failed = true;
  return DG_ERR_NOMEM;
}

static void
forget_places (struct dg_contention *contention)
{
  memset (contention->finders, 0, sizeof contention->finders);
}

int
dg_contention_pack (struct dg_contention *contention)
{
  uint32_t n = contention->n_table;
  struct dg_sum *sums;
  int code;

  if (contention->failed)
    return DG_ERR_NOMEM;
  if (n == 0)
    return 0;
  sums = g_try_new (struct dg_sum, n);
  if (sums == NULL)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < n; i++)
    sums[i] = sum_of (&contention->table[i]);
  code = dg_packed_sums_add (&contention->sums, sums, n);
  forget_places (contention);
  g_free (sums);
  contention->n_table = 0;
  dg_lookup_clear (&contention->lookup);
  return code < 0 ? fail (contention) : 0;
}

int
dg_contention_close (struct dg_contention *contention)
{
  int code = dg_contention_pack (contention);

  g_clear_pointer (&contention->table, g_free);
  contention->n_table = contention->room = 0;
  dg_lookup_fini (&contention->lookup);
  return code;
}

/* Whether a spot that is not in the table may be added to it: 1 or 0, or
   DG_ERR_NOMEM.  */
static int
has_room (struct dg_contention *contention, const struct dg_spot *spot)
{
  struct dg_sum sum = sum_of (spot);

  if (contention->most == 0)
    return 1;
  if (!contention->counts_spots) {
    if (dg_packed_sums_most (&contention->sums) + contention->n_table
        < contention->most)
      return 1;
    /* Some may have been counted twice.  */
    if (dg_contention_pack (contention) < 0)
      return DG_ERR_NOMEM;
    if (dg_packed_sums_settle (&contention->sums) < 0)
      return fail (contention);
    forget_places (contention);
    contention->counts_spots = true;
    contention->n_spots = dg_packed_sums_most (&contention->sums);
  }
  if (dg_packed_sums_has (&contention->sums, sum.key, contention->finders))
    return 1;
  if (contention->n_spots >= contention->most)
    return 0;
  contention->n_spots++;
  return 1;
}

/* A new spot in the table, without accesses: its index, DG_NONE: no
   memory.  */
static uint32_t
add_spot (struct dg_contention *contention, const struct dg_spot *spot)
{
  uint32_t n;

  if (contention->n_table >= DG_CONTENTION_TABLE
      && dg_contention_pack (contention) < 0)
    return DG_NONE;
  n = contention->n_table;
  if (!DG_ARRAY_ROOM (contention->table, contention->room, n)
      || !dg_lookup_add (&contention->lookup, hash (spot), n))
    return DG_NONE;
  contention->table[n] = *spot;
  contention->table[n].reads = 0;
  contention->table[n].writes = 0;
  return contention->n_table++;
}

/* DG_NONE: it is not there.  */
static uint32_t
find_spot (const struct dg_contention *contention, const struct dg_spot *spot)
{
  struct dg_probe probe = dg_lookup_probe (&contention->lookup, hash (spot));
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (is_same (&contention->table[i], spot))
      return i;
  return DG_NONE;
}

int
dg_contention_add (struct dg_contention *contention,
                   const struct dg_spot *spot)
{
  uint32_t near = (uint32_t) (spot->line * 8 + spot->first / 8)
                  % DG_CONTENTION_RECENT;
  uint32_t at = contention->recent[near];

  if (at >= contention->n_table || !is_same (&contention->table[at], spot)) {
    at = find_spot (contention, spot);
    if (at == DG_NONE) {
      int room = contention->failed ? DG_ERR_NOMEM
                                    : has_room (contention, spot);

      if (room == 0)
        contention->left_out += spot->reads + spot->writes;
      if (room <= 0)
        return room;
      at = add_spot (contention, spot);
    }
    if (at == DG_NONE)
      return DG_ERR_NOMEM;
    contention->recent[near] = at;
  }
  contention->table[at].reads += spot->reads;
  contention->table[at].writes += spot->writes;
  return 0;
}

/* The packed ones of another.  */
static int
join_packed (struct dg_contention *contention,
             const struct dg_packed_sums *from)
{
  for (unsigned i = 0; i < from->n_runs; i++) {
    struct dg_sums_cursor cursor =
      dg_sums_begin_run ((struct dg_sums_run *) &from->runs[i], false);
    const struct dg_sum *sum;

    while ((sum = dg_sums_next (&cursor)) != NULL) {
      struct dg_spot spot = dg_contention_spot (sum);

      if (dg_contention_add (contention, &spot) < 0)
        return DG_ERR_NOMEM;
    }
  }
  return 0;
}

int
dg_contention_join (struct dg_contention *contention,
                    const struct dg_contention *from)
{
  if (from->failed || join_packed (contention, &from->sums) < 0)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < from->n_table; i++)
    if (dg_contention_add (contention, &from->table[i]) < 0)
      return DG_ERR_NOMEM;
  contention->left_out += from->left_out;
  return 0;
}

int
dg_contention_take (struct dg_contention *contention,
                    struct dg_contention *from)
{
  if (contention->failed || dg_contention_close (from) < 0)
    return DG_ERR_NOMEM;
  if (contention->counts_spots
      || (contention->most > 0
          && dg_packed_sums_most (&contention->sums) + contention->n_table
                 + dg_packed_sums_most (&from->sums)
               > contention->most))
    return dg_contention_join (contention, from);
  forget_places (contention);
  if (dg_packed_sums_take (&contention->sums, &from->sums) < 0)
    return fail (contention);
  contention->left_out += from->left_out;
  return 0;
}

uint64_t
dg_contention_left_out (const struct dg_contention *contention)
{
  return contention->left_out;
}

/* ---- Verdicts ----------------------------------------------------------- */

const struct dg_line_verdict *
dg_contention_verdicts (const struct dg_contention *contention)
{
  return contention->verdicts;
}

const struct dg_line_verdict *
dg_contention_verdict (const struct dg_contention *contention, uint64_t line)
{
  size_t low = DG_BISECT (0, contention->n_verdicts, i,
                          contention->verdicts[i].line < line);

  return low < contention->n_verdicts && contention->verdicts[low].line == line
           ? &contention->verdicts[low] : NULL;
}

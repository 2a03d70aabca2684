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
  g_free (contention->spots);
  dg_lookup_fini (&contention->lookup);
  g_free (contention->verdicts);
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

/* A new spot, without accesses: its index, DG_NONE: no memory.  */
static uint32_t
add_spot (struct dg_contention *contention, const struct dg_spot *spot)
{
  if (!DG_ARRAY_ROOM (contention->spots, contention->room, contention->n)
      || !dg_lookup_add (&contention->lookup, hash (spot), contention->n))
    return DG_NONE;
  contention->spots[contention->n] = *spot;
  contention->spots[contention->n].reads = 0;
  contention->spots[contention->n].writes = 0;
  return contention->n++;
}

int
dg_contention_add (struct dg_contention *contention,
                   const struct dg_spot *spot)
{
  uint32_t near = (uint32_t) (spot->line * 8 + spot->first / 8)
                  % DG_CONTENTION_RECENT;
  uint32_t at = contention->recent[near];

  if (at >= contention->n || !is_same (&contention->spots[at], spot)) {
    struct dg_probe probe =
      dg_lookup_probe (&contention->lookup, hash (spot));
    bool is_there = false;

    while (!is_there && dg_probe_next (&probe, &at))
      is_there = is_same (&contention->spots[at], spot);
    if (!is_there && contention->most > 0
        && contention->n >= contention->most) {
      contention->left_out += spot->reads + spot->writes;
      return 0;
    }
    if (!is_there)
      at = add_spot (contention, spot);
    if (at == DG_NONE)
      return DG_ERR_NOMEM;
    contention->recent[near] = at;
  }
  contention->spots[at].reads += spot->reads;
  contention->spots[at].writes += spot->writes;
  return 0;
}

int
dg_contention_join (struct dg_contention *contention,
                    const struct dg_contention *from)
{
  for (uint32_t i = 0; i < from->n; i++)
    if (dg_contention_add (contention, &from->spots[i]) < 0)
      return DG_ERR_NOMEM;
  contention->left_out += from->left_out;
  return 0;
}

uint64_t
dg_contention_left_out (const struct dg_contention *contention)
{
  return contention->left_out;
}

const struct dg_spot *
dg_contention_spots (const struct dg_contention *contention)
{
  return contention->spots;
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

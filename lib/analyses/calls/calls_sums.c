/* calls_sums.c: totals of the calls of each function.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_sums.h"

#include <string.h>

enum calls_weight
calls_weight_parse (const char *text)
{
  char **names = g_strsplit (CALLS_WEIGHTS, ",", 0);
  unsigned weight = CALLS_INSTRUCTIONS;

  for (unsigned i = 0; text != NULL && names[i] != NULL; i++)
    if (strcmp (names[i], text) == 0)
      weight = i;
  g_strfreev (names);
  return (enum calls_weight) weight;
}

const char *
calls_weight_key (enum calls_weight weight)
{
  static const char *const keys[CALLS_N_WEIGHTS] = {
    [CALLS_CYCLES] = "cycles", [CALLS_MEMORY_CYCLES] = "memory_cycles",
    [CALLS_L1_MISSES] = "l1_misses", [CALLS_L2_MISSES] = "l2_misses",
    [CALLS_L3_MISSES] = "l3_misses" };

  return keys[weight];
}

void
calls_sums_init (struct calls_sums *sums, bool keeps_longest)
{
  memset (sums, 0, sizeof *sums);
  sums->keeps_longest = keeps_longest;
}

void
calls_sums_fini (struct calls_sums *sums)
{
  for (uint32_t i = 0; i < sums->n_functions; i++)
    g_free (sums->functions[i].kept);
  g_free (sums->lost.kept);
  g_free (sums->functions);
  g_free (sums->places);
  g_free (sums->edges);
  dg_lookup_fini (&sums->edge_lookup);
}

struct calls_of *
calls_sums_add_function (struct calls_sums *sums, uint32_t function)
{
  struct calls_of *of;

  if (!DG_ARRAY_ROOM_ZERO (sums->places, sums->n_places, function)
      || !DG_ARRAY_ROOM (sums->functions, sums->room, sums->n_functions)) {
    sums->has_failed = true;
    return &sums->lost;
  }
  of = &sums->functions[sums->n_functions++];
  *of = (struct calls_of){ .function = function };
  sums->places[function] = sums->n_functions;
  return of;
}

/* ---- Edges ---- */

uint32_t
calls_sums_edge (struct calls_sums *sums, uint32_t caller, uint32_t callee)
{
  uint64_t hash = dg_hash ((uint64_t) caller << 32 | callee);
  struct dg_probe probe = dg_lookup_probe (&sums->edge_lookup, hash);
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (sums->edges[i].caller == caller && sums->edges[i].callee == callee)
      return i;
  if (!DG_ARRAY_ROOM (sums->edges, sums->room_edges, sums->n_edges)
      || !dg_lookup_add (&sums->edge_lookup, hash, sums->n_edges)) {
    sums->has_failed = true;
    return UINT32_MAX;
  }
  sums->edges[sums->n_edges]
    = (struct calls_edge){ .caller = caller, .callee = callee };
  return sums->n_edges++;
}

/* ---- Long calls ---- */

/* Which of two goes first; of equal ones, the later goes.  */
static bool
is_less (const struct calls_long *a, const struct calls_long *b)
{
  if (a->instructions != b->instructions)
    return a->instructions < b->instructions;
  if (a->start_icount != b->start_icount)
    return a->start_icount > b->start_icount;
  return a->thread > b->thread;
}

static void
sink (struct calls_long *heap, uint32_t n, uint32_t i)
{
  struct calls_long item = heap[i];

  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= n)
      break;
    if (child + 1 < n && is_less (&heap[child + 1], &heap[child]))
      child++;
    if (!is_less (&heap[child], &item))
      break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = item;
}

static void
rise (struct calls_long *heap, uint32_t i)
{
  struct calls_long item = heap[i];

  while (i > 0 && is_less (&item, &heap[(i - 1) / 2])) {
    heap[i] = heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  heap[i] = item;
}

static void
keep (struct calls_sums *sums, struct calls_of *of,
      const struct calls_long *call)
{
  if (of->kept == NULL) {
    of->kept = g_try_new (struct calls_long, CALLS_LONGEST);
    if (of->kept == NULL) {
      sums->has_failed = true;
      return;
    }
  }
  if (of->n_kept < CALLS_LONGEST) {
    of->kept[of->n_kept] = *call;
    rise (of->kept, of->n_kept++);
  } else if (is_less (&of->kept[0], call)) {
    of->kept[0] = *call;
    sink (of->kept, of->n_kept, 0);
  }
}

void
calls_sums_ended (struct calls_sums *sums, struct calls_of *of,
                  const struct calls_long *call)
{
  of->ended++;
  of->total += call->instructions;
  of->squares += (unsigned __int128) call->instructions * call->instructions;
  of->longest = MAX (of->longest, call->instructions);
  if (sums->keeps_longest)
    keep (sums, of, call);
}

/* ---- Adding up ---- */

void
calls_sums_add (struct calls_sums *to, const struct calls_sums *from)
{
  to->has_failed |= from->has_failed;
  for (uint32_t i = 0; i < from->n_functions; i++) {
    const struct calls_of *f = &from->functions[i];
    struct calls_of *of = calls_sums_function (to, f->function);
    of->calls += f->calls;
    calls_cost_add (&of->self, &f->self);
    calls_cost_add (&of->inclusive, &f->inclusive);
    of->ended += f->ended;
    of->total += f->total;
    of->squares += f->squares;
    of->longest = MAX (of->longest, f->longest);
    for (uint32_t k = 0; k < f->n_kept; k++)
      keep (to, of, &f->kept[k]);
  }
  for (uint32_t i = 0; i < from->n_edges; i++) {
    const struct calls_edge *e = &from->edges[i];
    uint32_t number = calls_sums_edge (to, e->caller, e->callee);
    struct calls_edge *edge = calls_sums_edge_at (to, number);
    edge->calls += e->calls;
    calls_cost_add (&edge->inclusive, &e->inclusive);
  }
}

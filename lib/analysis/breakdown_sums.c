/* breakdown_sums.c: the sums of one worker, as it adds to them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/table.h"
#include "breakdown.h"

/* No block has more instructions: slots name theirs by a byte.  */
#define MAX_INSTRS 256

struct dg_breakdown_sums *
dg_breakdown_sums_make (const struct dg_log *log, enum dg_by by, unsigned n)
{
  const struct dg_summary *summary = dg_log_summary (log);
  struct dg_breakdown_sums *sums = g_try_new0 (struct dg_breakdown_sums, 1);

  if (sums == NULL)
    return NULL;
  sums->log = log;
  sums->by = by;
  sums->n = n;
  sums->spare = g_try_new0 (uint64_t, (size_t) n * MAX_INSTRS);
  if (dg_by_is_code (by)) {
    sums->n_blocks = (uint32_t) summary->bbdefs;
    sums->blocks =
      g_try_new0 (struct dg_breakdown_block *, (size_t) sums->n_blocks + 1);
  } else {
    sums->numbers = g_try_new0 (uint64_t **, DG_SUMS_ROOT);
  }
  if (sums->spare != NULL && (sums->numbers != NULL || sums->blocks != NULL))
    return sums;
  dg_breakdown_sums_free (sums);
  return NULL;
}

static void
free_counters (struct dg_breakdown_sums *sums)
{
  for (uint32_t i = 0; sums->blocks != NULL && i < sums->n_blocks; i++)
    g_free (sums->blocks[i]);
  for (size_t i = 0; sums->numbers != NULL && i < DG_SUMS_ROOT; i++) {
    for (size_t k = 0; sums->numbers[i] != NULL && k < DG_SUMS_MIDDLE; k++)
      g_free (sums->numbers[i][k]);
    g_free (sums->numbers[i]);
  }
}

void
dg_breakdown_sums_free (struct dg_breakdown_sums *sums)
{
  if (sums == NULL)
    return;
  free_counters (sums);
  if (sums->finder != NULL)
    dg_finder_free (sums->finder);
  g_free (sums->blocks);
  g_free (sums->numbers);
  g_free (sums->spare);
  g_free (sums);
}

struct dg_breakdown_block *
dg_breakdown_sums_make_block (struct dg_breakdown_sums *sums, uint32_t bbdef,
                              uint32_t context, uint64_t icount)
{
  uint32_t number = bbdef;

  if (sums->units != NULL)
    number = dg_units_find (sums->units, context, icount);
  /* Units become more as they are met.  */
  if (number == DG_NONE
      || !DG_ARRAY_ROOM_ZERO (sums->blocks, sums->n_blocks, number)) {
    sums->has_failed = true;
    return NULL;
  }
  if (sums->blocks[number] == NULL) {
    const struct dg_bbdef *block = dg_log_bbdef (sums->log, bbdef);
    sums->blocks[number] =
      g_try_malloc0 (sizeof (struct dg_breakdown_block)
                     + sizeof (uint64_t) * sums->n * block->n_instrs);
    if (sums->blocks[number] == NULL) {
      sums->has_failed = true;
      return NULL;
    }
    sums->blocks[number]->icount = UINT64_MAX;
  }
  return sums->blocks[number];
}

uint64_t *
dg_breakdown_sums_make_row (struct dg_breakdown_sums *sums, uint32_t number)
{
  uint64_t ***middle = &sums->numbers[number >> DG_SUMS_ROOT_SHIFT];
  size_t leaf = number >> DG_SUMS_LEAF_BITS & (DG_SUMS_MIDDLE - 1),
         row = number & (DG_SUMS_LEAF - 1);

  if (*middle == NULL)
    *middle = g_try_new0 (uint64_t *, DG_SUMS_MIDDLE);
  if (*middle != NULL && (*middle)[leaf] == NULL)
    (*middle)[leaf] = g_try_new0 (uint64_t, (size_t) DG_SUMS_LEAF * sums->n);
  if (*middle == NULL || (*middle)[leaf] == NULL) {
    sums->has_failed = true;
    return sums->spare;
  }
  return (*middle)[leaf] + row * sums->n;
}

/* The instruction of a block at an address.  Accesses come in the order of
   the block's instructions: it is this one, or one of the next.  */
static uint32_t
find_instr (struct dg_breakdown_sums *sums, const struct dg_access *access)
{
  const struct dg_bbdef *block = dg_log_bbdef (
    sums->log, dg_log_context (sums->log, access->context).bbdef);
  uint32_t i = 0;

  if (sums->last_context == access->context
      && sums->last_iseq < block->n_instrs)
    i = sums->last_iseq;
  sums->last_context = access->context;
  for (unsigned n = 0; n < block->n_instrs; n++) {
    if (block->instrs[i].address == access->instruction)
      break;
    if (++i == block->n_instrs)
      i = 0;
  }
  return sums->last_iseq = i;
}

uint64_t *
dg_breakdown_sums_access (struct dg_breakdown_sums *sums,
                          const struct dg_access *access)
{
  switch (sums->by) {
  case DG_BY_NOTHING:
    return dg_sums_number (sums, 0);
  case DG_BY_THREAD:
    return dg_sums_number (sums, access->thread);
  case DG_BY_VARIABLE:
    return dg_sums_number (sums, dg_finder_variable (sums->finder, access));
  case DG_BY_SITE:
    return dg_sums_number (sums, dg_finder_site (sums->finder, access));
  default:
    return dg_sums_code (sums,
                         dg_log_context (sums->log, access->context).bbdef,
                         access->context, access->icount)
           + (size_t) find_instr (sums, access) * sums->n;
  }
}

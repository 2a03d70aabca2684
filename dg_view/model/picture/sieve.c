/* sieve.c: contexts that have accesses which stand out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sieve.h"

static bool
has_code (const struct dg_bbdef *bbdef, const struct dv_highlight *highlight)
{
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    unsigned instr = bbdef->slots[i].iseq;
    if (dv_highlight_code (highlight, bbdef->instrs[instr].address))
      return true;
  }
  return false;
}

void
dv_sieve_init (struct dv_sieve *sieve, const struct dv_data *data,
               const struct dv_highlight *highlight)
{
  const struct dg_log *log = data->log;
  const struct dg_summary *summary = dg_log_summary (log);
  bool by_code = highlight->code != NULL;
  uint32_t n_bbdefs = (uint32_t) MIN (summary->bbdefs, UINT32_MAX);
  bool *bbdefs = by_code ? g_new0 (bool, (size_t) n_bbdefs + 1) : NULL;
  for (uint32_t i = 0; by_code && i < n_bbdefs; i++)
    bbdefs[i] = has_code (dg_log_bbdef (log, i), highlight);

  sieve->highlight = highlight;
  sieve->log = log;
  sieve->n = (uint32_t) MIN (summary->contexts, UINT32_MAX);
  sieve->first = sieve->n;
  sieve->verdicts = g_new0 (uint8_t, (size_t) sieve->n + 1);
  for (uint32_t i = 0; i < sieve->n; i++) {
    if (dv_highlight_context (highlight, i))
      sieve->verdicts[i] = DV_SIEVE_ALL;
    else if (by_code && bbdefs[dg_log_context (log, i).bbdef])
      sieve->verdicts[i] = DV_SIEVE_SOME;
    if (sieve->verdicts[i] != DV_SIEVE_NONE)
      sieve->first = MIN (sieve->first, i);
  }
  g_free (bbdefs);
}

void
dv_sieve_fini (struct dv_sieve *sieve)
{
  g_clear_pointer (&sieve->verdicts, g_free);
}

bool
dv_sieve_chunk (const struct dv_sieve *sieve, size_t i)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (sieve->log, &n);
  uint32_t defined = i + 1 < n ? chunks[i + 1].contexts : sieve->n;
  return sieve->first < sieve->n && sieve->first < defined;
}

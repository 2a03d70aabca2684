/* sieve.h: which accesses of a log stand out, worked out once for each
   context.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SIEVE_H
#define DV_SIEVE_H

#include "model/log/highlight.h"
#include "model/log/scene.h"

enum dv_sieve_verdict {
  DV_SIEVE_NONE = 0,       /* no access of the context */
  DV_SIEVE_SOME,           /* as dv_highlight_code says */
  DV_SIEVE_ALL
};

struct dv_sieve {
  const struct dv_highlight *highlight;
  const struct dg_log *log;
  uint8_t *verdicts;       /* enum dv_sieve_verdict of each context */
  uint32_t n;
  uint32_t first;          /* context that has any; n: none */
};

/* The highlight and the log must outlive it.  */
void dv_sieve_init (struct dv_sieve *sieve, const struct dv_data *data,
                    const struct dv_highlight *highlight);
void dv_sieve_fini (struct dv_sieve *sieve);

static inline enum dv_sieve_verdict
dv_sieve_context (const struct dv_sieve *sieve, uint32_t context)
{
  return context < sieve->n ? sieve->verdicts[context] : DV_SIEVE_NONE;
}

/* Whether chunk i can have any of the accesses: contexts that are defined
   later cannot be in it.  */
bool dv_sieve_chunk (const struct dv_sieve *sieve, size_t i);

#endif /* DV_SIEVE_H */

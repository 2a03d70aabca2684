/* builder_contexts.h: which contexts and blocks a log has defined.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUILDER_CONTEXTS_H
#define DG_BUILDER_CONTEXTS_H

#include "base/keys.h"
#include "base/table.h"

/* All zero is empty.  */
struct dg_builder_contexts {
  struct dg_keys pairs;   /* block << 32 | node */
  size_t n;               /* contexts; set back where a chunk fails */
  struct dg_table blocks; /* uint32_t: number of the definition + 1 */
  uint32_t n_blocks;      /* that are defined */
};

/* 1 if the pair is new, and then is in the set; 0 if it was; DG_ERR_NOMEM.  */
int dg_builder_contexts_add (struct dg_builder_contexts *set, uint32_t block,
                             uint32_t node);

/* This pair will be asked for soon: a table of some MB is seldom in the
   cache.  */
void dg_builder_contexts_prefetch (const struct dg_builder_contexts *set,
                                   uint32_t block, uint32_t node);

/* The number of a block's definition in *number.  1 if it is new, 0 if it was
   there, DG_ERR_NOMEM.  */
int dg_builder_contexts_define (struct dg_builder_contexts *set,
                                uint32_t block, uint32_t *number);

void dg_builder_contexts_fini (struct dg_builder_contexts *set);

#endif /* DG_BUILDER_CONTEXTS_H */

/* pack_model.h: what packing of runs must tell of them, worked out word by
   word as format.md says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_MODEL_H
#define DG_PACK_MODEL_H

#include <glib.h>

#include "archive/pack.h"

struct pack_model {
  struct dg_pack_totals totals;
  GHashTable *lines;    /* line -> struct dg_line_count */
  GArray *new_contexts; /* struct dg_pack_new_context */
};

/* Of the words of runs, of addresses within `mask`.  */
void pack_model_init (struct pack_model *model,
                      const struct dg_program_view *view, const GArray *words,
                      uint64_t mask);
void pack_model_fini (struct pack_model *model);

/* Compares all that the packer tells when it has packed them.  */
void pack_model_check (const struct pack_model *model,
                       struct dg_packer *packer,
                       const struct dg_pack_new_context *new_contexts,
                       size_t n);
void pack_model_check_totals (const struct dg_pack_totals *a,
                              const struct dg_pack_totals *b);

#endif /* DG_PACK_MODEL_H */

/* curve_model.h: curves of the heap, worked out moment by moment from the
   list of blocks, to compare dg_curve with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CURVE_MODEL_H
#define DG_CURVE_MODEL_H

#include <glib.h>

#include "libdatagrind.h"

struct curve_model {
  const struct dg_log *log;
  struct dg_block *blocks;
  size_t n_blocks;
  uint64_t end;                       /* moments are below */
  uint64_t *total, *turnover, *count; /* by moment */
};

/* For a loaded log, which must outlive it.  */
void curve_model_init (struct curve_model *model, const struct dg_log *log);
void curve_model_fini (struct curve_model *model);

/* Builds a curve of the source, which is of the same log, and checks it.  */
void curve_model_check (const struct curve_model *model,
                        struct dg_curve_source *source,
                        const struct dg_curve_options *options);

#endif /* DG_CURVE_MODEL_H */

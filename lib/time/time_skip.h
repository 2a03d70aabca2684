/* time_skip.h: chunks of a log that have no part of a sample, and are not
   decoded: the index of the log knows which pages they touch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_SKIP_H
#define DG_TIME_SKIP_H

#include "dg_analysis.h"
#include "time_model.h"
#include "time_sample.h"

/* One thread.  All zero, and without a call of dg_time_skip_init, nothing is
   left out.  */
struct dg_time_skip {
  const struct dg_log *log;
  struct dg_index *index;
  size_t chunk;            /* of the latest run */
  uint64_t end;            /* icount at which that chunk ends; DG_NEVER */
  uint32_t n_blocks;       /* of code that are touched, from the first on */
};

/* The chunks without a run of the sample are not needed, if the log has an
   index, and all of its runs are asked for.  Not with several nodes: pages
   belong to that of the thread that touches them first, which an index does
   not tell.  */
void dg_time_skip_plan (uint64_t one_in, uint64_t length,
                        const struct dg_time_machine *machine,
                        const struct dg_setup *setup, struct dg_plan *plan);

/* Goes along with a sample that has such a plan.  0 or an error.  */
int dg_time_skip_init (struct dg_time_skip *skip, const struct dg_log *log,
                       struct dg_error *err);
void dg_time_skip_fini (struct dg_time_skip *skip);

/* For the function below.  */
int dg_time_skip_pass (struct dg_time_skip *skip,
                       struct dg_time_sample *sample,
                       struct dg_time_model *model, uint64_t icount,
                       struct dg_error *err);

/* Before each run is taken, in their order; DG_NEVER: after the last one.
   Notes the instructions and pages of the chunks that were left out before it:
   0 or an error.  */
static inline int
dg_time_skip_to (struct dg_time_skip *skip, struct dg_time_sample *sample,
                 struct dg_time_model *model, uint64_t icount,
                 struct dg_error *err)
{
  if (G_LIKELY (skip->index == NULL || icount < skip->end))
    return 0;
  return dg_time_skip_pass (skip, sample, model, icount, err);
}

#endif /* DG_TIME_SKIP_H */

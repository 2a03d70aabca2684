/* tally_model.h: sums of views of the logs of tally_log.c by a walk over all
   their accesses, which knows nothing of the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef TALLY_MODEL_H
#define TALLY_MODEL_H

#include "model/tally/tally.h"
#include "tally_log.h"

enum tally_filter { TALLY_ALL, TALLY_EVENTS, TALLY_MALLOC, TALLY_N_FILTERS };

struct tally_model {
  const struct tally_log *log;
  struct dv_view view;
  enum tally_filter filter;
  GHashTable *pages; /* number + 1 to place on the axis + 1 */
};

/* The log must outlive it.  The view is empty at first.  */
void tally_model_init (struct tally_model *model, const struct tally_log *log,
                       enum tally_filter filter);
void tally_model_fini (struct tally_model *model);

/* Of the model's view.  */
struct tally_sums *tally_sums_new (const struct tally_model *model);
void tally_sums_check (const struct tally_sums *sums,
                       const struct dv_tally *tally);
void tally_sums_free (struct tally_sums *sums);

#endif /* TALLY_MODEL_H */

/* filter_model.h: what passes a filter, found by plain evaluation of each
   condition.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_MODEL_H
#define DG_FILTER_MODEL_H

#include "filter_sample.h"

#include <glib.h>

/* `events` and `ranges` are of struct dg_filter_condition.  */
bool passes (struct world *w, const GArray *events, const GArray *ranges,
             const struct dg_access *a);

#endif /* DG_FILTER_MODEL_H */

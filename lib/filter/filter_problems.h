/* filter_problems.h: conditions of a filter that nothing in the log meets, and
   what may have been meant.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FILTER_PROBLEMS_H
#define DG_FILTER_PROBLEMS_H

#include "filter_parse.h"

/* Per group the conditions; those that are known to be met, as is_met says,
   cost nothing.  symbols may be NULL if none needs a stack.  A sentence for
   each, of strings that it owns.  */
GPtrArray *dg_filter_find_problems (const struct dg_log *log,
                                    struct dg_symbols *symbols,
                                    GArray *const conditions[DG_N_GROUPS]);

#endif /* DG_FILTER_PROBLEMS_H */

/* arrow_query.h: a query that was taken: checked, copied, and in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_QUERY_H
#define DG_ARROW_QUERY_H

#include "arrow_shared.h"
#include "base/progress.h"

struct dg_arrow_asked {
  const struct dg_log *log;
  struct dg_arrow_query query;     /* what it points to are copies: threads in
                                      their order; addresses in their order and
                                      apart; high and end_icount never 0, but
                                      DG_NEVER; chunks that exist */
  struct dg_arrow_shared *shared;
  struct dg_progress progress;
  struct dg_filter *filter;        /* made by dg_arrow_query_filter */
  struct dg_arrow_status *status;  /* to be kept up to date: chunks */
};

/* Takes a query, which may be NULL, on a table that has these limits.  On
   failure there is nothing to be freed.  */
int dg_arrow_query_take (struct dg_arrow_asked *asked,
                         const struct dg_log *log,
                         const struct dg_arrow_query *query,
                         const struct dg_arrow_table *table,
                         struct dg_error *err);
void dg_arrow_query_fini (struct dg_arrow_asked *asked);

/* The filter of events and ranges, made by the first call; *filter is NULL if
   there are no conditions.  */
int dg_arrow_query_filter (struct dg_arrow_asked *asked,
                           const struct dg_filter **filter,
                           struct dg_error *err);

/* Whether a row of a table is asked for: a thread; a time [start, end) or, if
   both are the same, a moment; memory, `size` bytes of which at least one.  */
bool dg_arrow_query_has_thread (const struct dg_arrow_asked *asked,
                                uint32_t thread);
bool dg_arrow_query_has_time (const struct dg_arrow_asked *asked,
                              uint64_t start, uint64_t end);
bool dg_arrow_query_has_memory (const struct dg_arrow_asked *asked,
                                uint64_t address, uint64_t size);

#endif /* DG_ARROW_QUERY_H */

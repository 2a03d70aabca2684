/* names.h: the names that a log has, to be searched: functions that make
   accesses, labels of events and ranges, threads, modules.

   Gathered in the background, since functions are looked up in debug
   information; what there is so far can be searched meanwhile.  Knows no
   GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_NAMES_H
#define DV_NAMES_H

#include "data.h"
#include "highlight.h"
#include "query.h"

/* Reference counted, for any thread.  */
struct dv_names;

/* Of a log that was read, not of a glance.  Empty at first.  */
struct dv_names *dv_names_new (struct dv_data *data);
struct dv_names *dv_names_ref (struct dv_names *names);
/* NULL is fine.  */
void dv_names_unref (struct dv_names *names);
struct dv_data *dv_names_data (const struct dv_names *names);

/* Gathers; once, on a thread of its own.  0, or DG_ERR_CANCELLED.  */
int dv_names_gather (struct dv_names *names, dg_progress_fn progress,
                     void *user, struct dg_error *err);

/* A name that matches.  Strings live as long as the dv_names.  */
struct dv_match {
  enum dv_name_kind kind;
  int rank;                /* see dv_query_rank */
  guint id;                /* within the dv_names */
  const char *name, *module, *file;   /* "" when unknown */
  uint32_t line;
  uint64_t count;          /* contexts of a function or module, events or
                              ranges of that label, instructions of a thread */
  uint32_t first;          /* in the log's timeline of that kind, but for
                              functions */
};

/* The best `most` matches for a name, by kind, then the best first.  An array
   of struct dv_match.  *total receives how many there are.  */
GArray *dv_names_find (struct dv_names *names, const struct dv_query *query,
                       guint most, guint64 *total);

/* What stands out when a match is chosen: the accesses of a function or of a
   module's functions; NULL for other kinds.  */
struct dv_highlight *dv_names_highlight (struct dv_names *names,
                                         const struct dv_match *match);

#endif /* DV_NAMES_H */

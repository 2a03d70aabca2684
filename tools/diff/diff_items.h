/* diff_items.h: figures and tables of the reports of several logs, each once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_ITEMS_H
#define DG_DIFF_ITEMS_H

#include "dg_analysis.h"

#include <glib.h>

/* The reports of the same analyses of several logs: first n_before of them,
   then those after; at least one of each.  */
struct diff_logs {
  const struct dg_report *const *reports;
  unsigned n, n_before;
  /* Of each log, the name of its main program (diff_program.h); NULL: not
     known of any.  */
  const char *const *programs;
};

/* One of them.  */
struct diff_item {
  char *path;              /* its groups: "counts/"; "" */
  const struct dg_report_item *like;    /* of the last log that has it */
  const struct dg_report_item **items;  /* of each log, or NULL */
};

/* Of this kind, with a key: those of the last log in its order, then what only
   others have.  */
GPtrArray *diff_items_new (const struct diff_logs *logs,
                           enum dg_report_kind kind);

#endif /* DG_DIFF_ITEMS_H */

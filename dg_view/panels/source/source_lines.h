/* source_lines.h: what each line of one source does in a part of the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SOURCE_LINES_H
#define DV_SOURCE_LINES_H

#include "model/tally/tally.h"

struct dv_source_line {
  uint32_t line;               /* from 1 */
  struct dv_tally_count count; /* of the instructions that were made of it */
};

struct dv_source_lines {
  GArray *lines;               /* struct dv_source_line, ascending */
  uint64_t most;               /* accesses of the heaviest */
  uint64_t all;                /* accesses in view, of any file */
};

/* Of the file with the name that the debug information has.  Code that was
   inlined counts where it is written, not where it is called.  Looks names up:
   for background threads.  NULL only when it was cancelled.  */
struct dv_source_lines *dv_source_lines_new (const struct dv_tally *tally,
                                             const char *file,
                                             dg_progress_fn progress,
                                             void *user,
                                             struct dg_error *err);
/* NULL is fine.  */
void dv_source_lines_free (struct dv_source_lines *lines);

/* NULL: no access comes from there.  */
const struct dv_tally_count *dv_source_lines_find (
  const struct dv_source_lines *lines, uint32_t line);

#endif /* DV_SOURCE_LINES_H */

/* render_progress.h: how far --render is, on a terminal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RENDER_PROGRESS_H
#define DV_RENDER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* One line of standard error, if that is a terminal, from the second second
   on.  Times in us.  One thread.  */
struct dv_render_progress {
  gint64 start, step_start;
  uint64_t done;             /* of this step, as last told */
  bool is_terminal, is_shown;
};

void dv_render_progress_start (struct dv_render_progress *self);
/* The dg_progress_fn, whose user is the struct; never cancels.  */
int dv_render_progress_tell (void *user, uint64_t done, uint64_t total);
/* Takes the line away: before anything else is printed, too.  */
void dv_render_progress_clear (struct dv_render_progress *self);

#endif /* DV_RENDER_PROGRESS_H */

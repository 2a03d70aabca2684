/* render_progress.c: how far --render is, on a terminal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "render_progress.h"

#include <stdio.h>
#include <unistd.h>

void
dv_render_progress_start (struct dv_render_progress *self)
{
  gint64 now = g_get_monotonic_time ();
  *self = (struct dv_render_progress) {
    .start = now,
    .step_start = now,
    .is_terminal = isatty (STDERR_FILENO),
  };
}

int
dv_render_progress_tell (void *user, uint64_t done, uint64_t total)
{
  struct dv_render_progress *self = user;
  gint64 now = g_get_monotonic_time ();
  if (!self->is_terminal || done == 0 || total == 0)
    return 0;
  /* Reading, then drawing; workers may tell a little less than was told.  */
  if (done < self->done / 2)
    self->step_start = now;
  self->done = done;
  if (now - self->start < G_USEC_PER_SEC)
    return 0;
  double rest = (double) (total - MIN (done, total)) / (double) done;
  fprintf (stderr, "\rdg_view: %3.0f %%, %.0f s left\033[K",
           100.0 * (double) done / (double) total,
           (double) (now - self->step_start) / 1e6 * rest);
  fflush (stderr);
  self->is_shown = true;
  return 0;
}

void
dv_render_progress_clear (struct dv_render_progress *self)
{
  if (self->is_shown)
    fputs ("\r\033[K", stderr);
  self->is_shown = false;
}

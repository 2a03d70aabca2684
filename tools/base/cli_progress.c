/* cli_progress.c: how far a command is, and how long the rest takes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cli_progress.h"

#include "printable.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

void
cli_progress_init (struct cli_progress *progress, const char *what)
{
  *progress = (struct cli_progress) {
    .what = printable_text (what),
    .start_us = g_get_monotonic_time (),
    .end = 1,
    .is_terminal = isatty (STDERR_FILENO)};
}

/* One that is not there is none of the work.  */
static double
size_of (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? (double) status.st_size + 1 : 1;
}

void
cli_progress_file (struct cli_progress *progress, const char *const *paths,
                   size_t n, size_t i)
{
  double all = 0, before = 0;

  for (size_t k = 0; k < n; k++) {
    all += size_of (paths[k]);
    before += k < i ? size_of (paths[k]) : 0;
  }
  progress->first = before / all;
  progress->end = (before + size_of (paths[i])) / all;
  progress->phase = NULL;
  progress->work = progress->before = progress->weight = progress->done = 0;
}

void
cli_progress_expect (struct cli_progress *progress, double work)
{
  progress->work = progress->before + progress->weight + work;
}

void
cli_progress_phase (struct cli_progress *progress, const char *name,
                    double work)
{
  progress->before += progress->weight;
  progress->phase = name;
  progress->weight = work;
  progress->done = 0;
}

double
cli_progress_share (const struct cli_progress *progress)
{
  /* A plan that was too small, or none.  */
  double work = MAX (progress->work, progress->before + progress->weight);
  double done = progress->before + progress->weight * progress->done;

  return work > 0 ? progress->first
                      + (progress->end - progress->first) * done / work
                  : progress->first;
}

double
cli_progress_left (const struct cli_progress *progress, gint64 now_us)
{
  double seconds = (double) (now_us - progress->start_us) / 1e6;
  double share = cli_progress_share (progress);

  return share > 0 ? seconds * (1 - share) / share : -1;
}

int
cli_progress_fn (void *user, uint64_t done, uint64_t total)
{
  struct cli_progress *progress = user;
  gint64 now = g_get_monotonic_time ();
  double left;

  if (!progress->is_terminal || total == 0)
    return 0;
  /* Workers may report a little less than before.  */
  progress->done = MAX (progress->done,
                        (double) MIN (done, total) / (double) total);
  left = cli_progress_left (progress, now);
  if (now - progress->start_us < G_USEC_PER_SEC || left < 0)
    return 0;
  progress->shown = MAX (progress->shown, cli_progress_share (progress));
  fprintf (stderr, "\rdg: %s: %s%s%3.0f %%, %.0f s left\033[K",
           progress->what, progress->phase != NULL ? progress->phase : "",
           progress->phase != NULL ? ": " : "",
           100 * progress->shown, left);
  fflush (stderr);
  progress->is_shown = true;
  return 0;
}

void
cli_progress_hide (struct cli_progress *progress)
{
  if (progress->is_shown)
    fputs ("\r\033[K", stderr);
  progress->is_shown = false;
}

void
cli_progress_fini (struct cli_progress *progress)
{
  cli_progress_hide (progress);
  g_free (progress->what);
  progress->what = NULL;
}

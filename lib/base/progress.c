/* progress.c: telling how far something is, and whether it is to go on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "progress.h"

#include "error.h"

int
dg_progress_cancelled (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_CANCELLED, "cancelled");
}

struct dg_progress
dg_progress_start (dg_progress_fn tell, void *user)
{
  return (struct dg_progress) { tell, user,
                                g_get_monotonic_time () + DG_PROGRESS_US };
}

int
dg_progress_tell (const struct dg_progress *progress, uint64_t done,
                  uint64_t total, struct dg_error *err)
{
  return progress->tell != NULL
             && progress->tell (progress->user, done, total) != 0
           ? dg_progress_cancelled (err)
           : 0;
}

int
dg_progress_pace (struct dg_progress *progress, uint64_t done, uint64_t total,
                  struct dg_error *err)
{
  gint64 now;

  if (progress->tell == NULL)
    return 0;
  now = g_get_monotonic_time ();
  if (now < progress->next && done != total)
    return 0;
  progress->next = now + DG_PROGRESS_US;
  return dg_progress_tell (progress, done, total, err);
}

/* Steps of the whole, as parts report them.  */
#define WHOLE (UINT64_C (1) << 20)

int
dg_progress_part_fn (void *user, uint64_t done, uint64_t total)
{
  const struct dg_progress_part *part = user;
  double share = total > 0 ? (double) MIN (done, total) / (double) total : 0;

  share = part->first + (part->end - part->first) * share;
  return dg_progress_tell (&part->whole, (uint64_t) (share * WHOLE), WHOLE,
                           NULL) < 0;
}

/* growth.c: the data that a grown log takes over from the one before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "growth.h"

#include <glib.h>
#include <string.h>

#include "packed.h"

/* ---- What is kept ---- */

void
dg_growth_free (struct dg_growth *growth)
{
  if (!growth)
    return;
  dg_timeline_fini (&growth->timeline);
  dg_table_fini (&growth->threads);
  g_free (growth);
}

int
dg_growth_resume (struct dg_growth *growth, struct dg_contents *contents,
                  struct dg_timeline *timeline)
{
  *timeline = growth->timeline;
  memset (&growth->timeline, 0, sizeof growth->timeline);
  dg_timeline_move (timeline, contents);
  return dg_table_copy (&contents->threads, &growth->threads,
                     sizeof (struct dg_thread));
}

int
dg_growth_note (struct dg_growth *growth, struct dg_timeline *timeline,
                const struct dg_position *position)
{
  dg_timeline_threads_credit (&timeline->threads, &position->totals);
  growth->position = *position;
  growth->has_begun = true;
  dg_table_fini (&growth->threads);
  return dg_table_copy (&growth->threads, timeline->threads.threads,
                     sizeof (struct dg_thread));
}

void
dg_growth_keep (struct dg_growth *growth, struct dg_timeline *timeline)
{
  growth->timeline = *timeline;
  memset (timeline, 0, sizeof *timeline);
}

/* ---- What is in common ---- */

void
dg_growth_shared_lend (struct dg_growth_shared *shared,
                       struct dg_contents *contents)
{
  contents->arena = shared->arena;
  memset (&shared->arena, 0, sizeof shared->arena);
  contents->raw_paths = shared->paths;
  memset (&shared->paths, 0, sizeof shared->paths);
  if (contents->packed) {
    contents->packed->program = shared->program;
    memset (&shared->program, 0, sizeof shared->program);
  }
}

void
dg_growth_shared_take_back (struct dg_growth_shared *shared,
                            struct dg_contents *contents)
{
  shared->arena = contents->arena;
  memset (&contents->arena, 0, sizeof contents->arena);
  shared->paths = contents->raw_paths;
  memset (&contents->raw_paths, 0, sizeof contents->raw_paths);
  if (contents->packed) {
    shared->program = contents->packed->program;
    memset (&contents->packed->program, 0, sizeof shared->program);
  }
}

void
dg_growth_shared_leave (struct dg_growth_shared *shared)
{
  if (!shared || !g_atomic_int_dec_and_test (&shared->users))
    return;
  dg_program_fini (&shared->program);
  dg_paths_fini (&shared->paths);
  dg_arena_fini (&shared->arena);
  g_free (shared);
}

/* scene_walk.h: scenes of random logs, and what walking finds in them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef SCENE_WALK_H
#define SCENE_WALK_H

#include "model/log/scene.h"
#include "random_log.h"

/* events may be NULL: all.  */
struct dv_scene *scene_walk_open (const struct random_log *log,
                                  const char *events);
/* The same, with an index, by which chunks are left out.  */
struct dv_scene *scene_walk_open_indexed (const struct random_log *log);
/* The accesses of the scene that touch [low, high), in order: struct
   dg_access.  */
GArray *scene_walk (const struct dv_scene *scene, uint64_t low,
                    uint64_t high);

#endif /* SCENE_WALK_H */

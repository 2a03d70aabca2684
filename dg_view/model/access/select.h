/* select.h: the first view, as the command line asks for it; and the same view
   of a log that is another now.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SELECT_H
#define DV_SELECT_H

#include <stdbool.h>

#include "model/user/options.h"
#include "model/log/scene.h"

/* The part of the scene that --addresses and --instructions select; all of
   it without them.  False, and an empty view, if that is nothing.  */
bool dv_select_view (const struct dv_scene *scene,
                     const struct dv_options *options, struct dv_view *view);

/* What shows of `scene` what `view` shows of `before`: the same addresses,
   wherever these are on the axis now, and the same instructions; on each axis
   everything, if that is what was shown; and the newest instructions, if
   these were.  Never empty unless the scene is.  */
struct dv_view dv_select_same (const struct dv_scene *before,
                               const struct dv_view *view,
                               const struct dv_scene *scene);

/* Where that part of `before` is in `scene`, as far as it is still there.  */
struct dv_view dv_select_place (const struct dv_scene *before,
                                const struct dv_view *view,
                                const struct dv_scene *scene);

/* Whether the accesses in `view` are the same in both scenes, of which one has
   grown from the other, and so are the positions.  */
bool dv_select_is_same (const struct dv_scene *before,
                        const struct dv_view *view,
                        const struct dv_scene *scene);

/* Whether the log of the scene has that access, though it may be recorded
   again.  Decodes a chunk: not for the main thread.  */
bool dv_select_has (const struct dv_scene *scene,
                    const struct dg_access *access);

#endif /* DV_SELECT_H */

/* select.h: the first view, as the command line asks for it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SELECT_H
#define DV_SELECT_H

#include <stdbool.h>

#include "options.h"
#include "scene.h"

/* The part of the scene that --addresses and --instructions select; all of
   it without them.  False, and an empty view, if that is nothing.  */
bool dv_select_view (const struct dv_scene *scene,
                     const struct dv_options *options, struct dv_view *view);

#endif /* DV_SELECT_H */

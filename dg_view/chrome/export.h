/* export.h: saving the picture, or the part of the log that it shows.

   A part of the window, see host.h; its actions are save-picture and
   save-part.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_EXPORT_H
#define DV_EXPORT_H

#include "host/host.h"

struct dv_export *dv_export_new (struct dv_host *host);
void dv_export_free (struct dv_export *export);
void dv_export_scene_changed (struct dv_export *export);

#endif /* DV_EXPORT_H */

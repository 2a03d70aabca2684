/* render.h: the picture as a file, without a display.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RENDER_H
#define DV_RENDER_H

#include "model/user/options.h"

/* Draws to options->render.  Returns the exit status; errors have been
   printed.  A log that is cut short is drawn as far as it goes, and is an
   error nevertheless.  */
int dv_render (const struct dv_options *options);

#endif /* DV_RENDER_H */

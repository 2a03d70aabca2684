/* window.h: the window of the viewer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_WINDOW_H
#define DV_WINDOW_H

#include "model/user/options.h"

/* Opens the window and returns, when it is closed, the exit status: 1 if
   there is no display, or the log could not be shown.  */
int dv_window_run (const struct dv_options *options);

#endif /* DV_WINDOW_H */

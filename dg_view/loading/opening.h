/* opening.h: the ways to open a log from within the window: the file chooser,
   the recent ones, files that are dropped on it.

   A part of the window, see host.h; its actions are open, and open-uri with
   a text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_OPENING_H
#define DV_OPENING_H

#include "host/host.h"

struct dv_opening *dv_opening_new (struct dv_host *host);
void dv_opening_free (struct dv_opening *opening);
/* The first here, the others in windows of their own; NULL-terminated.  */
void dv_opening_uris (struct dv_opening *opening, char **uris);

#endif /* DV_OPENING_H */

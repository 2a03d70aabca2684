/* toolbar.h: the header bar, and the actions of its buttons: back, forward,
   fit, x-in, x-out, y-in, y-out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TOOLBAR_H
#define DV_TOOLBAR_H

#include "host/host.h"

/* With these two buttons among its own.  */
GtkWidget *dv_toolbar_new (struct dv_host *host, GtkWidget *menu,
                           GtkWidget *bookmarks);
/* Which of its actions are possible has changed.  */
void dv_toolbar_update (struct dv_host *host);

#endif /* DV_TOOLBAR_H */

/* menu.h: the primary menu, with the recent logs.

   A part of the window, see host.h; its actions are menu, preferences,
   shortcuts and about.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_MENU_H
#define DV_MENU_H

#include "host/host.h"

struct dv_menu *dv_menu_new (struct dv_host *host);
void dv_menu_free (struct dv_menu *menu);
/* Its button for the header bar.  */
GtkWidget *dv_menu_widget (const struct dv_menu *menu);

#endif /* DV_MENU_H */

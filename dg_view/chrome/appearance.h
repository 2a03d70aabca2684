/* appearance.h: how the plot is drawn: by the user's choices and the theme.

   Its actions are colour, boxes, grid, sharing and clock.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_APPEARANCE_H
#define DV_APPEARANCE_H

#include "host/host.h"

void dv_appearance_init (struct dv_host *host);
/* By the choices and the theme.  */
struct dv_look dv_appearance_look (const struct dv_host *host);
/* They have changed.  */
void dv_appearance_update (struct dv_host *host);

#endif /* DV_APPEARANCE_H */

/* panes_host.h: what panels may ask the window for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PANES_HOST_H
#define DV_PANES_HOST_H

#include "host/host.h"
#include "panels/base/panel.h"

struct dv_panel_host dv_panes_host (struct dv_host *host);

#endif /* DV_PANES_HOST_H */

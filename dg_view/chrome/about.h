/* about.h: what this program is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ABOUT_H
#define DV_ABOUT_H

#include "host/host.h"

void dv_about_show (struct dv_host *host);

#endif /* DV_ABOUT_H */

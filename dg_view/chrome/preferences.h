/* preferences.h: the dialog of what the user prefers.  All of it takes effect
   at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PREFERENCES_H
#define DV_PREFERENCES_H

#include "host/host.h"

void dv_preferences_show (struct dv_host *host);

#endif /* DV_PREFERENCES_H */

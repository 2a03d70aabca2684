/* panels.c: the list of side panels.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panel.h"

const struct dv_panel *const *
dv_panels (void)
{
  static const struct dv_panel *const panels[] = {
    &dv_panel_access,
    NULL
  };
  return panels;
}

/* look.c: the names of what colours show.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "look.h"

#include <string.h>

static const char *const names[DV_N_COLOURINGS] = { "kind", "thread", "miss",
                                                    "reuse", "use" };

const char *
dv_colouring_name (enum dv_colouring colouring)
{
  return names[colouring];
}

bool
dv_colouring_parse (const char *name, enum dv_colouring *colouring)
{
  for (int i = 0; i < DV_N_COLOURINGS; i++)
    if (name != NULL && strcmp (name, names[i]) == 0) {
      *colouring = (enum dv_colouring) i;
      return true;
    }
  return false;
}

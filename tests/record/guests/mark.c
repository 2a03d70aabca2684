/* mark.c: DATAGRIND_TRACK_RANGE for scripts, as a library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stddef.h>
#include "datagrind.h"

void
mark (void *at, size_t size, const char *label)
{
  DATAGRIND_TRACK_RANGE (at, size, "", label);
}

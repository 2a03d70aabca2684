/* nearest.h: of many names, those that a mistyped one may have meant:
   dg_nearest of libdatagrind.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_NEAREST_H
#define DG_NEAREST_H

#include "libdatagrind.h"

#endif /* DG_NEAREST_H */

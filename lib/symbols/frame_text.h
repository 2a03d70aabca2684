/* frame_text.h: a frame as the text of a cell.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FRAME_TEXT_H
#define DG_FRAME_TEXT_H

#include "libdatagrind.h"

/* "function (file.c:12)", or as much of it as is known, at least the
   address; with the module where that says nothing without: "func_0x1234
   (libx.so)", "0x401234 (libx.so)".  A new string.  */
char *dg_frame_text (const struct dg_frame *frame, uint64_t address);

#endif /* DG_FRAME_TEXT_H */

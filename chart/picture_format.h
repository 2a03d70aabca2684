/* picture_format.h: kinds of files that pictures are written to.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PICTURE_FORMAT_H
#define DV_PICTURE_FORMAT_H

#include <stdbool.h>

enum dv_format { DV_FORMAT_PNG, DV_FORMAT_SVG, DV_FORMAT_PDF };

/* By the end of a file's name; false if that says nothing.  */
bool dv_format_of_file (const char *path, enum dv_format *format);

#endif /* DV_PICTURE_FORMAT_H */

/* site_lines.h: sites that share a line, for the file that names sites.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SITE_LINES_H
#define DG_SITE_LINES_H

#include "libdatagrind.h"

/* Sets column and call of n frames of a stack, of which the first is the site.
   how->lines is not NULL.  Any thread.  */
void dg_site_lines_tell (const struct dg_site_options *how,
                         struct dg_site_frame *frames, size_t n);

#endif /* DG_SITE_LINES_H */

/* source_gutter.h: beside each line of a source, how many accesses of what the
   plot shows come from it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SOURCE_GUTTER_H
#define DV_SOURCE_GUTTER_H

#include <gtksourceview/gtksource.h>

#include "source_lines.h"

/* Adds it to a view.  */
GtkSourceGutterRenderer *dv_source_gutter_new (GtkSourceView *view);
/* Takes the lines over; NULL: none are known, and it takes no room.  */
void dv_source_gutter_set (GtkSourceGutterRenderer *gutter,
                           struct dv_source_lines *lines);

#endif /* DV_SOURCE_GUTTER_H */

/* source_view.h: the text of a source, with one line marked.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SOURCE_VIEW_H
#define DV_SOURCE_VIEW_H

#include <gtksourceview/gtksource.h>

/* A view that nobody can write in, with line numbers, in colours that go with
   the theme.  */
GtkWidget *dv_source_view_new (void);
/* path: for its language.  */
void dv_source_view_set_text (GtkWidget *view, const char *path,
                              const char *text, size_t length);
/* Marks a line, from 1, and scrolls it to the middle; 0: none.  */
void dv_source_view_mark (GtkWidget *view, unsigned line);

#endif /* DV_SOURCE_VIEW_H */

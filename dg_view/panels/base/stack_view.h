/* stack_view.h: a call stack as a list.

   One click on a frame, or going to it by key, shows its source; a double
   click, or Enter, opens it in the user's editor.  Its menu has the rest.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_STACK_VIEW_H
#define DV_STACK_VIEW_H

#include "panel.h"

/* name: for those who cannot see it.  The host must outlive the widget.  */
GtkWidget *dv_stack_view_new (const struct dv_panel_host *host,
                              const char *name);
/* stack: of struct dv_frame; NULL: empty.  It is copied.  */
void dv_stack_view_fill (GtkWidget *view, const GPtrArray *stack);

/* The stack as text, a frame on each line.  */
void dv_stack_append_text (GString *text, const GPtrArray *stack);

#endif /* DV_STACK_VIEW_H */

/* heap_menu.h: what can be done with the picture of the heap and the selected
   row.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_MENU_H
#define DV_HEAP_MENU_H

#include "heap_state.h"

/* Sets `saving`; the panel is about to go.  */
void dv_heap_menu_init (struct heap_panel *panel);
void dv_heap_menu_fini (struct heap_panel *panel);
void dv_heap_menu_popup (struct heap_panel *panel, GtkWidget *owner,
                         const GdkEvent *event, const GdkRectangle *place);
/* The source of the selected row.  */
void dv_heap_menu_show_source (struct heap_panel *panel);

#endif /* DV_HEAP_MENU_H */

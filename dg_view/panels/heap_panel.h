/* heap_panel.h: the panel with the heap over time, for the files that it is
   made of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_PANEL_H
#define DV_HEAP_PANEL_H

#include "heap_table.h"
#include "heap_view.h"
#include "heap_work.h"
#include "panel.h"
#include "pieces.h"

struct heap_panel {
  const struct dv_panel_host *host;
  GtkWidget *root, *by, *count, *note;
  GtkWidget *panes;            /* picture | table and stack */
  GtkWidget *stack, *stack_box;
  struct dv_hinted hinted;
  struct dv_heap_work work;
  struct dv_heap_view view;
  struct dv_heap_table table;
  struct dv_chooser saving;
  struct dv_job *save_job;     /* NULL: none */
  bool is_placed;              /* the panes have their first sizes */
};

/* Of heap_panel.c: the source of the selected row.  */
void dv_heap_panel_show_source (struct heap_panel *panel);

/* Of heap_menu.c: what can be done with the picture and the selected row.  */
void dv_heap_panel_menu (struct heap_panel *panel, GtkWidget *owner,
                         const GdkEvent *event, const GdkRectangle *place);
/* Sets `saving`; the panel is about to go.  */
void dv_heap_panel_init_saving (struct heap_panel *panel);
void dv_heap_panel_fini_saving (struct heap_panel *panel);

#endif /* DV_HEAP_PANEL_H */

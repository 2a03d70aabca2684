/* heap_state.h: the panel with the heap over time, for the files that it is
   made of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_STATE_H
#define DV_HEAP_STATE_H

#include "heap_table.h"
#include "heap_view.h"
#include "heap_work.h"
#include "panels/base/panel.h"
#include "widgets/pieces.h"

struct heap_panel {
  const struct dv_panel_host *host;
  GtkWidget *root, *by, *count, *note;
  GtkWidget *presets[DV_HEAP_TEMPORARY + 1];   /* buttons; ANY: NULL */
  bool is_pressing;            /* the buttons follow, nobody presses them */
  GtkWidget *panes;            /* picture | table and stack */
  GtkWidget *stack, *stack_box;
  struct dv_pieces_hinted hinted;
  struct dv_heap_work work;
  struct dv_heap_view view;
  struct dv_heap_table table;
  struct dv_pieces_chooser saving;
  struct dv_job *save_job;     /* NULL: none */
  bool is_placed;              /* the panes have their first sizes */
};

#endif /* DV_HEAP_STATE_H */

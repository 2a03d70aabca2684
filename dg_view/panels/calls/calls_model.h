/* calls_model.h: the rows of a call tree for GtkTreeView.  Rows are made when
   they are looked at.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CALLS_MODEL_H
#define DV_CALLS_MODEL_H

#include <gtk/gtk.h>

#include "model/calls/callrows.h"

/* A model with one column, the function's label.  Takes the rows over; row 0
   itself is not shown.  Never changes.  */
GtkTreeModel *dv_calls_model_new (struct dv_callrows *rows);
struct dv_callrows *dv_calls_model_rows (GtkTreeModel *model);

/* The row that an iter of the model is at, and an iter at a row (but 0).  */
uint32_t dv_calls_model_row (GtkTreeModel *model, GtkTreeIter *iter);
void dv_calls_model_iter (GtkTreeModel *model, uint32_t row,
                          GtkTreeIter *iter);

#endif /* DV_CALLS_MODEL_H */
